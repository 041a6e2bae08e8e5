//! The same match in fastchess.

use super::{
    arguments::Match,
    entrant::{Entrant, Kind},
};
use crate::{
    play::{Adjudication, MATCH_ADJUDICATION, MAX_PLIES, MoveLimit},
    provenance::{command_line, own_name},
    statistics::{ERROR, Sprt},
};
use std::{
    env::{self, consts::EXE_SUFFIX},
    path::Path,
};

/// Pairs of a match without an end, which its test ends long before.
const MANY_PAIRS: u64 = 500_000;

/// The name of the file with the openings of this program.
const BOOK: &str = "openings.epd";

/// The command of fastchess, which counts for its first engine, B. Before it, if the openings are those of this
/// program, the command that writes them.
pub(super) fn line(command: &Match, [a, b]: &[Entrant; 2], is_chess960: bool) -> String {
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
        // Of the searches in a row, each engine makes half.
        let Adjudication { lead, lead_searches, drawn_score, drawn_searches, drawn_from_ply } =
            MATCH_ADJUDICATION;
        parts.push(format!(
            "-resign movecount={} score={lead} twosided=true -draw movenumber={} movecount={} score={drawn_score}",
            lead_searches / 2,
            drawn_from_ply / 2,
            drawn_searches / 2
        ));
    }
    parts.push(format!("-maxmoves {}", MAX_PLIES / 2));
    if is_chess960 {
        parts.push("-variant fischerandom".to_owned());
    }
    if let Some(Sprt { elo0, elo1, is_normalised }) = command.test() {
        let model = if is_normalised { "normalized" } else { "logistic" };
        parts.push(format!(
            "-sprt elo0={elo0} elo1={elo1} alpha={ERROR} beta={ERROR} model={model}"
        ));
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
            let arguments =
                file.flat_map(|file| ["--engine".to_owned(), file.display().to_string()]);
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
        let quoted = arguments.iter().map(|word| match word.contains(' ') {
            true => format!("\"{word}\""),
            false => word.clone(),
        });
        words.push(format!("args={}", quoted.collect::<Vec<_>>().join(" ")));
    }
    words.extend(options.iter().map(|option| format!("option.{option}")));
    words
}

/// The engine beside this program, or its name if it is elsewhere; the program of an author may have any name.
fn program() -> String {
    let name = if own_name() == "tropism-lab" { "tropism" } else { "PROGRAM" };
    let name = format!("{name}{EXE_SUFFIX}");
    let beside = env::current_exe().ok().map(|program| program.with_file_name(&name));
    beside.filter(|path| path.exists()).map_or(name, |path| path.display().to_string())
}
