//! The same match in other programs: the command of fastchess, and the form of OpenBench.

use super::{Match, entrant::Entrant};
use crate::{
    play::{MATCH_ADJUDICATION, MAX_PLIES, MoveLimit},
    provenance::command_line,
    statistics::Sprt,
};
use std::{
    env::{self, consts::EXE_SUFFIX},
    fmt::Write,
    path::Path,
};

/// Pairs of a match without an end, which its test ends long before.
const MANY_PAIRS: u64 = 500_000;

/// The name of the file with the openings of this program.
const BOOK: &str = "openings.epd";

/// The command of fastchess, which counts for its first engine, B. Before it, if the openings are those of this
/// program, the command that writes them.
pub(super) fn fastchess(command: &Match, [a, b]: &[Entrant; 2]) -> String {
    let mut lines = Vec::new();
    let book = command.openings.as_deref().unwrap_or(Path::new(BOOK));
    if command.openings.is_none() {
        lines.push(format!("tropism-lab openings > {BOOK}"));
    }
    let program = program();
    let engine = |letter: &str, entrant: &Entrant| {
        let mut words =
            vec!["-engine".to_owned(), format!("cmd={program}"), format!("name={letter}")];
        let file = entrant.file.as_ref();
        words.extend(file.map(|file| format!("args=--engine {}", file.display())));
        let percents = entrant.percents.iter();
        words.extend(percents.map(|(term, percent)| format!("option.{term} percent={percent}")));
        words
    };
    let mut words: Vec<String> = engine("B", b);
    words.extend(engine("A", a));
    let limit = match command.limit() {
        MoveLimit::Nodes(nodes) => format!("tc=inf nodes={nodes}"),
        MoveLimit::Clock { base, increment } => {
            format!("tc={}+{}", base.as_secs_f64(), increment.as_secs_f64())
        }
    };
    words.extend(
        format!("-each {limit} option.Hash={} -openings", command.hash)
            .split(' ')
            .map(str::to_owned),
    );
    words.push(format!("file={}", book.display()));
    let format = if is_pgn(book) { "pgn" } else { "epd" };
    let mut rest = format!("format={format} order=random -srand {}", command.seed);
    let rounds = command.games().div_ceil(2).min(MANY_PAIRS);
    let _ = write!(rest, " -rounds {rounds} -games 2 -repeat -concurrency {}", command.threads());
    if !command.play_out {
        let rules = MATCH_ADJUDICATION;
        let _ = write!(
            rest,
            " -resign movecount={} score={} twosided=true -draw movenumber={} movecount={} score={}",
            rules.lead_searches / 2,
            rules.lead,
            rules.drawn_from_ply / 2,
            rules.drawn_searches / 2,
            rules.drawn_score
        );
    }
    let _ = write!(rest, " -maxmoves {}", MAX_PLIES / 2);
    if let Some(Sprt { elo0, elo1 }) = command.test() {
        let error = Sprt::ERROR;
        let _ = write!(
            rest,
            " -sprt elo0={elo0} elo1={elo1} alpha={error} beta={error} model=logistic"
        );
    }
    words.extend(rest.split(' ').map(str::to_owned));
    lines.push(command_line("fastchess", words.into_iter()));
    lines.join("\n")
}

/// What to write into the form of OpenBench for a test.
pub(super) fn openbench(command: &Match, [a, b]: &[Entrant; 2]) -> String {
    let branch = |entrant: &Entrant| match &entrant.file {
        Some(file) => format!("a branch in which engines/tropism.toml is {}", file.display()),
        None => "main".to_owned(),
    };
    let options = |entrant: &Entrant| {
        let settings = entrant.settings(",");
        let percents =
            if settings.is_empty() { settings } else { format!(" TermPercent={settings}") };
        format!("Threads=1 Hash={}{percents}", command.hash)
    };
    let time = match command.limit() {
        MoveLimit::Nodes(nodes) => format!("N={nodes}"),
        MoveLimit::Clock { base, increment } => {
            format!("{:?}+{:?}", base.as_secs_f64(), increment.as_secs_f64())
        }
    };
    let book = match &command.openings {
        Some(path) => path.display().to_string(),
        None => format!("{BOOK}, the output of `tropism-lab openings`"),
    };
    let test = match command.test() {
        Some(Sprt { elo0, elo1 }) => vec![
            ("Test Bounds", format!("[{elo0:.2}, {elo1:.2}]")),
            ("Test Confidence", format!("[{0}, {0}]", Sprt::ERROR)),
        ],
        None => vec![("Games", command.games().to_string())],
    };
    let rules = MATCH_ADJUDICATION;
    let (win, draw) = match command.play_out {
        true => ("None".to_owned(), "None".to_owned()),
        false => (
            format!("movecount={} score={}", rules.lead_searches / 2, rules.lead),
            format!(
                "movenumber={} movecount={} score={}",
                rules.drawn_from_ply / 2,
                rules.drawn_searches / 2,
                rules.drawn_score
            ),
        ),
    };
    let own = vec![
        ("Dev Branch", branch(b)),
        ("Dev Options", options(b)),
        ("Base Branch", branch(a)),
        ("Base Options", options(a)),
        ("Time Control", time),
        ("Book", book),
    ];
    let adjudication = [("Win Adjudication", win), ("Draw Adjudication", draw)];
    let lines = own.into_iter().chain(test).chain(adjudication);
    lines.map(|(field, value)| format!("{field:18} {value}")).collect::<Vec<_>>().join("\n")
}

/// The engine beside this program, or its name if it is elsewhere.
fn program() -> String {
    let name = format!("tropism{EXE_SUFFIX}");
    let beside = env::current_exe().ok().map(|program| program.with_file_name(&name));
    beside.filter(|path| path.exists()).map_or(name, |path| path.display().to_string())
}

fn is_pgn(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
}
