//! `tropism suite`: a file of test positions, and how many of them the engine solves.

use crate::endgame::Endgames;
use crate::eval::Engine;
use crate::search::limits::Limits;
use crate::search::position::Game;
use crate::search::request::{Outcome, Search};
use crate::search::score::Value;
use crate::search::start::search;
use crate::search::transposition_table::TranspositionTable;
use indicatif::{ProgressBar, ProgressStyle};
use shakmaty::{Chess, Move, Position, san::SanPlus, uci::UciMove};
use std::fmt;
use thiserror::Error;

/// One test: a position and its solution.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its `id`, or its line in the file.
    pub name: String,
    game: Game,
    /// `bm`: the best moves. One of them must be played.
    best: Vec<Move>,
    /// `am`: the moves to avoid. None of them may be played.
    avoid: Vec<Move>,
    /// `dm`: the mate to find, in moves; negative if the side to move is mated, 0 for no mate.
    mate: Option<i32>,
}

/// An error in a file of tests.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct SuiteError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// Parses a file of tests: EPD, one a line, with the operations `bm`, `am`, `dm` and `id`. Empty lines and lines
/// that begin with `#` are skipped. `bm #3`, as some collections of mates write it, means `dm 3`. The two counters
/// of a FEN may precede the operations, and a byte order mark the text.
///
/// An item is an error if its line cannot be parsed or has no solution.
///
/// ```
/// let suite = tropism::search::parse_suite("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; dm 1; id \"back\";");
/// assert_eq!(suite[0].as_ref().map(|test| test.name.as_str()), Ok("back"));
/// ```
pub fn parse_suite(text: &str) -> Vec<Result<Test, SuiteError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(line, text)| parse(text, line).map_err(|reason| SuiteError { line, reason }))
        .collect()
}

fn parse(text: &str, line: usize) -> Result<Test, String> {
    let (fields, mut operations) = split_words(text, 4);
    if operations.is_empty() {
        return Err("a line needs four fields of a FEN and then operations".to_owned());
    }
    let mut fen = fields;
    for counter in ["0", "1"] {
        let (word, rest) = split_words(operations, 1);
        let is_given = word.parse::<u32>().is_ok();
        fen = format!("{fen} {}", if is_given { &word } else { counter });
        if is_given {
            operations = rest;
        }
    }
    let game = Game::from_fen(&fen, None).map_err(|error| error.to_string())?;
    let chess = game.position().chess().clone();
    let (best, avoid) = (Vec::new(), Vec::new());
    let name = format!("line {line}");
    let mut test = Test { name, game, best, avoid, mate: None };
    for operation in split_operations(operations) {
        let (code, operands) = operation.split_once(' ').unwrap_or((operation, ""));
        let operands = operands.trim();
        match code {
            "bm" if operands.starts_with('#') => {
                test.mate = Some(mate(&operands[1..], operation)?);
            }
            "bm" => test.best = moves(&chess, operands)?,
            "am" => test.avoid = moves(&chess, operands)?,
            "id" => test.name = operands.trim_matches('"').to_owned(),
            "dm" => test.mate = Some(mate(operands, operation)?),
            _ => {}
        }
    }
    if test.best.is_empty() && test.avoid.is_empty() && test.mate.is_none() {
        return Err("no solution: bm, am or dm is needed".to_owned());
    }
    Ok(test)
}

/// The first words of a text, joined by single spaces, and the rest.
fn split_words(text: &str, count: usize) -> (String, &str) {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while words.len() < count && !rest.is_empty() {
        let (word, others) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        words.push(word);
        rest = others.trim_start();
    }
    (words.join(" "), rest)
}

fn mate(moves: &str, operation: &str) -> Result<i32, String> {
    moves.parse().map_err(|_| format!("{operation}: not a whole number"))
}

/// The parts between semicolons, except semicolons in quotation marks.
fn split_operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    })
    .map(str::trim)
    .filter(|operation| !operation.is_empty())
}

/// Moves in standard algebraic or UCI notation.
fn moves(chess: &Chess, words: &str) -> Result<Vec<Move>, String> {
    let read =
        |word| parse_move(word, chess).ok_or_else(|| format!("{word} is not a legal move there"));
    words.split_whitespace().map(read).collect()
}

/// A legal move in standard algebraic or UCI notation.
pub(crate) fn parse_move(word: &str, chess: &Chess) -> Option<Move> {
    let san = SanPlus::from_ascii(word.as_bytes()).ok().and_then(|san| san.san.to_move(chess).ok());
    let uci = || word.parse::<UciMove>().ok().and_then(|uci| uci.to_move(chess).ok());
    san.or_else(uci)
}

impl Test {
    /// Whether this outcome solves the test.
    fn is_solved_by(&self, outcome: &Outcome) -> bool {
        let plays = |moves: &[Move]| outcome.best.is_some_and(|best| moves.contains(&best));
        (self.best.is_empty() || plays(&self.best))
            && !plays(&self.avoid)
            && match (self.mate, outcome.value) {
                (None, _) | (Some(0), Value::Centipawns(_)) => true,
                (Some(wanted), Value::Mate(found)) => wanted == found,
                (Some(_), Value::Centipawns(_)) => false,
            }
    }

    /// Whether the solution is a mate.
    fn wants_mate(&self) -> bool {
        self.mate.is_some_and(|moves| moves != 0)
    }

    /// Whether a mate by the right side was found, the shortest or not.
    fn is_mate_found_by(&self, outcome: &Outcome) -> bool {
        self.wants_mate()
            && match (self.mate, outcome.value) {
                (Some(wanted), Value::Mate(found)) => wanted.signum() == found.signum(),
                _ => false,
            }
    }
}

/// The result of a suite. Displayed as the tests that were not solved and then the counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteResult {
    /// The number of tests.
    pub tests: usize,
    /// The number of tests whose solution is a mate.
    pub mates: usize,
    /// The number of those in which a mate by the right side was found. Only the shortest solves the test.
    pub mates_found: usize,
    /// For each test that was not solved, the engine's move and value.
    pub missed: Vec<String>,
}

impl fmt::Display for SuiteResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for missed in &self.missed {
            writeln!(f, "{missed}")?;
        }
        write!(f, "{} of {} solved", self.tests - self.missed.len(), self.tests)?;
        if self.mates > 0 {
            let &SuiteResult { mates, mates_found, .. } = self;
            write!(f, "; mates found, the shortest or not: {mates_found} of {mates}")?;
        }
        Ok(())
    }
}

/// Searches each position with this many nodes and an empty transposition table. Shows its progress on standard
/// error if that is a terminal.
///
/// # Errors
///
/// If the memory of the transposition table cannot be allocated.
pub fn suite(
    engine: &Engine,
    tests: &[Test],
    nodes: u64,
) -> Result<SuiteResult, std::collections::TryReserveError> {
    let table = TranspositionTable::new(TranspositionTable::DEFAULT_SIZE)?;
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let bar = ProgressBar::new(tests.len() as u64);
    if let Ok(style) =
        ProgressStyle::with_template("{wide_bar} {pos} of {len}, {msg} solved, {eta}")
    {
        bar.set_style(style);
    }
    let mut missed = Vec::new();
    let mut mates_found = 0;
    for (done, test) in tests.iter().enumerate() {
        bar.set_message((done - missed.len()).to_string());
        table.clear();
        let endgames = Endgames::of(test.game.position().chess().board());
        let request = Search::new(&test.game, engine, &table, &limits).with_endgames(&endgames);
        let outcome = search(&request, |_| ());
        mates_found += usize::from(test.is_mate_found_by(&outcome));
        if !test.is_solved_by(&outcome) {
            missed.push(answer(test, &outcome));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mates = tests.iter().filter(|test| test.wants_mate()).count();
    Ok(SuiteResult { tests: tests.len(), mates, mates_found, missed })
}

fn answer(test: &Test, outcome: &Outcome) -> String {
    let chess = test.game.position().chess();
    let best = outcome.best.map_or_else(
        || "no move".to_owned(),
        |best| SanPlus::from_move(chess.clone(), best).to_string(),
    );
    let value = match outcome.value {
        Value::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
        Value::Mate(moves) => format!("mate in {moves}"),
    };
    format!("{}: {best}, {value}", test.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUITE: &str = r#"
# A comment, then a mate on the back rank, a stalemate to avoid, and a draw.
6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; dm 1; id "back; rank";
7k/8/6K1/8/8/8/5Q2/8 w - - am f2f7 Kh5; dm 1;
8/8/3k4/8/3K4/8/4B3/8 w - - dm 0; id "bare bishop";
"#;

    fn tests(text: &str) -> Vec<Test> {
        parse_suite(text).into_iter().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn counters_and_a_byte_order_mark_are_accepted() {
        let text = "\u{feff}6k1/5ppp/8/8/8/8/8/R3K3 w - - 7 23 bm Ra8#;\n\
                    6k1/5ppp/8/8/8/8/8/R3K3  w\t- - bm Ra8#;";
        let suite = tests(text);
        let clocks =
            suite.iter().map(|test| shakmaty::Position::halfmoves(test.game.position().chess()));
        assert_eq!(clocks.collect::<Vec<_>>(), [7, 0]);
        assert!(suite.iter().all(|test| test.best.len() == 1));
    }

    #[test]
    fn operations_are_parsed() {
        let suite = tests(SUITE);
        let names: Vec<&str> = suite.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["back; rank", "line 4", "bare bishop"]);
        assert_eq!((suite[0].best.len(), suite[0].mate), (1, Some(1)));
        assert_eq!((suite[1].avoid.len(), suite[1].mate), (2, Some(1)));
    }

    #[test]
    fn errors_name_their_line() {
        for (text, reason) in [
            ("\n8/8 w - - bm e4;", "not a FEN"),
            ("\n6k1/8/8/8/8/8/8/R3K3 w - -", "four fields"),
            ("\n6k1/8/8/8/8/8/8/R3K3 w - - id \"x\";", "no solution"),
            ("\n6k1/8/8/8/8/8/8/R3K3 w - - bm Rh9;", "Rh9 is not a legal move there"),
            ("\n6k1/8/8/8/8/8/8/R3K3 w - - dm soon;", "dm soon: not a whole number"),
            ("\n6k1/8/8/8/8/8/8/R3K3 w - - bm #soon;", "bm #soon: not a whole number"),
        ] {
            let error = parse_suite(text).remove(0).unwrap_err();
            assert_eq!(error.line, 2);
            assert!(error.reason.contains(reason), "{error}");
        }
    }

    #[test]
    fn a_test_is_solved_by_its_solution() {
        let engine = crate::default_engine().unwrap();
        let result = suite(&engine, &tests(SUITE), 2000).unwrap();
        let text = "3 of 3 solved; mates found, the shortest or not: 2 of 2";
        assert_eq!(result.to_string(), text);
        let wrong = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra7; id \"wrong\";";
        let result = suite(&engine, &tests(wrong), 2000).unwrap();
        assert_eq!(result.to_string(), "wrong: Ra8#, mate in 1\n0 of 1 solved");
        // The mate that was found is not the shortest one, and not Black's.
        let longer = "7k/8/6K1/8/8/8/5Q2/8 w - - bm #2;\n7k/8/6K1/8/8/8/5Q2/8 w - - bm #-1;";
        let result = suite(&engine, &tests(longer), 2000).unwrap();
        assert_eq!((result.mates, result.mates_found, result.missed.len()), (2, 1, 2));
    }
}
