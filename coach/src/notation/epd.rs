//! Test suites in EPD, one test a line.

use super::moves::read_move;
use shakmaty::{Chess, Move};
use tropism::{
    notation::{is_zero_width, read_fen},
    search::{Outcome, Value},
};

/// One test: a position and its solution.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its `id`, or its line in the file.
    pub name: String,
    /// The position.
    pub position: Chess,
    /// `bm`: the best moves. One of them must be played.
    pub best: Vec<Move>,
    /// `am`: the moves to avoid. None of them may be played.
    pub avoid: Vec<Move>,
    /// `dm`: the mate to find, in moves; negative if the side to move is mated, 0 for no mate.
    pub mate: Option<i32>,
}

/// Parses a file of tests: EPD, one a line, with the operations `bm`, `am`, `dm` and `id`. Empty lines and lines
/// that begin with `#`, `;`, `%` or `//` are skipped. `bm #3`, as some collections of mates write it, means `dm 3`. The
/// two counters of a FEN may precede the operations. A byte order mark and control characters are read over.
///
/// Returns also what is wrong with the lines that cannot be parsed or have no solution.
pub fn parse_suite(text: &str) -> (Vec<Test>, Vec<String>) {
    let text = text.replace(is_zero_width, "").replace("\r\n", "\n");
    let (mut tests, mut faults) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.split(['\n', '\r']).map(str::trim)) {
        if line.is_empty() || line.starts_with(['#', ';', '%']) || line.starts_with("//") {
            continue;
        }
        match parse(line, number) {
            Ok(test) => tests.push(test),
            Err(fault) => faults.push(format!("line {number}: {fault}")),
        }
    }
    (tests, faults)
}

fn parse(text: &str, line: usize) -> Result<Test, String> {
    if text.matches('"').count() % 2 == 1 {
        return Err("a quotation mark is never closed".to_owned());
    }
    let mut rest = text;
    let mut fields: Vec<&str> = (0..4).map(|_| next_word(&mut rest)).collect();
    if rest.is_empty() {
        return Err("a line needs four fields of a FEN and then operations".to_owned());
    }
    for counter in ["0", "1"] {
        let is_given = rest.split_whitespace().next().is_some_and(|it| it.parse::<u32>().is_ok());
        fields.push(if is_given { next_word(&mut rest) } else { counter });
    }
    let position = read_fen(&fields.join(" "), None).map_err(|error| error.to_string())?;
    let (name, best, avoid) = (format!("line {line}"), Vec::new(), Vec::new());
    let mut test = Test { name, position, best, avoid, mate: None };
    for operation in split_operations(rest) {
        let (code, operands) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let operands = operands.trim();
        match code {
            "bm" if operands.starts_with('#') => {
                test.mate = Some(mate(&operands[1..], operation)?);
            }
            "bm" => test.best.extend(moves(&test.position, operands)?),
            "am" => test.avoid.extend(moves(&test.position, operands)?),
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

/// Takes the first word off a text.
fn next_word<'a>(text: &mut &'a str) -> &'a str {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    *text = rest.trim_start();
    word
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

/// Moves, between spaces or commas.
fn moves(chess: &Chess, words: &str) -> Result<Vec<Move>, String> {
    let read = |word| {
        read_move(word, chess).map_err(|misread| {
            format!("{word} is not a legal move there: {}", misread.reason(chess))
        })
    };
    let words = words.split([' ', '\t', ',']).filter(|word| !word.is_empty());
    words.map(read).collect()
}

impl Test {
    /// Whether this outcome solves the test.
    pub fn is_solved_by(&self, outcome: &Outcome) -> bool {
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
    pub fn wants_mate(&self) -> bool {
        self.mate.is_some_and(|moves| moves != 0)
    }

    /// Whether a mate by the right side was found, the shortest or not.
    pub fn is_mate_found_by(&self, outcome: &Outcome) -> bool {
        let found = |wanted: i32| matches!(outcome.value, Value::Mate(found) if found.signum() == wanted.signum());
        self.wants_mate() && self.mate.is_some_and(found)
    }
}
