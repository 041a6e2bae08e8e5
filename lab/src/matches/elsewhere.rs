//! The same match in other programs: the command of fastchess, and the form of OpenBench.

use super::arguments::Match;
use super::entrant::{Entrant, Kind};
use crate::play::{Adjudication, MATCH_ADJUDICATION, MAX_PLIES, MoveLimit};
use crate::provenance::{command_line, own_name};
use crate::statistics::Sprt;
use std::env::{self, consts::EXE_SUFFIX};
use std::path::Path;

/// Pairs of a match without an end, which its test ends long before.
const MANY_PAIRS: u64 = 500_000;

/// The name of the file with the openings of this program.
const BOOK: &str = "openings.epd";

/// The command of fastchess, which counts for its first engine, B. Before it, if the openings are those of this
/// program, the command that writes them.
pub(super) fn fastchess(command: &Match, [a, b]: &[Entrant; 2], is_chess960: bool) -> String {
    let mut words = [engine("B", b), engine("A", a)].concat();
    let limit = match command.limit() {
        MoveLimit::Nodes(nodes) => format!("tc=inf nodes={nodes}"),
        MoveLimit::Clock { base, increment } => {
            format!("tc={}+{}", base.as_secs_f64(), increment.as_secs_f64())
        }
    };
    let book = command.openings.as_deref().unwrap_or(Path::new(BOOK));
    let is_pgn = book.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    let format = if is_pgn { "pgn" } else { "epd" };
    let rounds = command.pairs().min(MANY_PAIRS);
    let mut parts = vec![
        format!("-each {limit} option.Hash={} -openings file=", command.hash),
        format!(
            "format={format} order=random -srand {} -rounds {rounds} -games 2 -repeat -concurrency {}",
            command.seed,
            command.threads()
        ),
    ];
    if !command.play_out {
        let [win, draw] = adjudication();
        parts.push(format!("-resign {win} twosided=true -draw {draw}"));
    }
    parts.push(format!("-maxmoves {}", MAX_PLIES / 2));
    if is_chess960 {
        parts.push("-variant fischerandom".to_owned());
    }
    if let Some(Sprt { elo0, elo1, is_normalised, alpha, beta }) = command.test() {
        let model = if is_normalised { "normalized" } else { "logistic" };
        parts
            .push(format!("-sprt elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} model={model}"));
    }
    for part in parts {
        words.extend(part.split(' ').map(str::to_owned));
    }
    // A path may have spaces.
    if let Some(file) = words.iter_mut().find(|word| *word == "file=") {
        *file += &book.display().to_string();
    }
    let line = command_line("fastchess", words.into_iter());
    match command.openings {
        Some(_) => line,
        None => format!("tropism-lab openings > {BOOK}\n{line}"),
    }
}

/// The words for an engine.
fn engine(name: &str, entrant: &Entrant) -> Vec<String> {
    let (program, arguments, options) = match &entrant.kind {
        Kind::Own { file, percents, .. } => {
            let file = file.iter();
            let arguments = file.flat_map(|it| ["--engine".to_owned(), it.display().to_string()]);
            let percents = percents.iter();
            let options = percents.map(|(term, percent)| format!("{term} percent={percent}"));
            (program(), arguments.collect::<Vec<_>>(), options.collect::<Vec<_>>())
        }
        Kind::Program { path, arguments } => {
            (path.display().to_string(), arguments.argument.clone(), arguments.options().collect())
        }
    };
    let mut words = vec!["-engine".to_owned(), format!("cmd={program}"), format!("name={name}")];
    if !arguments.is_empty() {
        // It splits them at blanks that are not in quotes.
        let quoted = arguments
            .iter()
            .map(|word| if word.contains(' ') { format!("\"{word}\"") } else { word.clone() });
        words.push(format!("args={}", quoted.collect::<Vec<_>>().join(" ")));
    }
    words.extend(options.iter().map(|option| format!("option.{option}")));
    words
}

/// When both programs adjudicate a game as won and as drawn, in moves.
fn adjudication() -> [String; 2] {
    let Adjudication { lead, lead_searches, drawn_score, drawn_searches, drawn_from_ply } =
        MATCH_ADJUDICATION;
    let (won_after, drawn_after) = (lead_searches / 2, drawn_searches / 2);
    [
        format!("movecount={won_after} score={lead}"),
        format!("movenumber={} movecount={drawn_after} score={drawn_score}", drawn_from_ply / 2),
    ]
}

/// What to write into the form of OpenBench for a test.
pub(super) fn openbench(command: &Match, [a, b]: &[Entrant; 2]) -> String {
    let branch = |entrant: &Entrant| match &entrant.kind {
        Kind::Own { file: Some(file), .. } => {
            let words = ["flatten".to_owned(), file.display().to_string()];
            let line = command_line("tropism", words.into_iter());
            format!("a branch in which engines/tropism.toml is the output of `{line}`")
        }
        _ => "main".to_owned(),
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
    let mut fields = vec![
        ("Dev Branch", branch(b)),
        ("Dev Options", options(b)),
        ("Base Branch", branch(a)),
        ("Base Options", options(a)),
        ("Time Control", time),
        ("Book", book),
    ];
    fields.extend(match command.test() {
        Some(Sprt { elo0, elo1, alpha, beta, .. }) => vec![
            ("Test Bounds", format!("[{elo0:.2}, {elo1:.2}]")),
            ("Test Confidence", format!("[{alpha}, {beta}]")),
        ],
        None => vec![("Games", (2 * command.pairs()).to_string())],
    });
    let rules = if command.play_out { ["None"; 2].map(str::to_owned) } else { adjudication() };
    fields.extend(["Win Adjudication", "Draw Adjudication"].into_iter().zip(rules));
    let lines = fields.iter().map(|(field, value)| format!("{field:18} {value}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The engine beside this program, or its name if it is elsewhere; the program of an author may have any name.
fn program() -> String {
    let name = if own_name() == "tropism-lab" { "tropism" } else { "PROGRAM" };
    let name = format!("{name}{EXE_SUFFIX}");
    let beside = env::current_exe().ok().map(|program| program.with_file_name(&name));
    beside.filter(|path| path.exists()).map_or(name, |path| path.display().to_string())
}
