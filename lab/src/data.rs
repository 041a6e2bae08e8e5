//! Files of training data: positions of games, each with its score and the result of its game.
//!
//! They are lines of text, so that any tool can read, count, cut and join them:
//!
//! ```text
//! # tropism data 1: seed 1, nodes 1000, engine tropism, bench 189994
//! rnbqk2r/pp2bppp/4pn2/2pp4/8/1P1P1NP1/P1P1PPBP/RNBQ1RK1 b kq - -34
//! r2q1rk1/pp1bbppp/2n1pn2/2pp4/8/1P1PPNP1/PBPN1PBP/R2Q1RK1 b - - -12
//! = 17 1-0
//! ```
//!
//! A line that begins with `#` is a comment; the first comment says how the file was made. A position
//! is the first four fields of its FEN and the score of the search during the game, in centipawns from
//! White's point of view. `=` ends a game: its number and result belong to the positions above it. A
//! game without that line was interrupted and does not count, and neither do its positions where `cat` joined another
//! file to it.
//!
//! `tropism-lab label` adds to each position what another engine, the judge, says of it, also from White's point of
//! view: centipawns or the moves to a mate, and the thousandths of win, draw and loss if the judge sends them.
//!
//! ```text
//! r2q1rk1/pp1bbppp/2n1pn2/2pp4/8/1P1PPNP1/PBPN1PBP/R2Q1RK1 b - - -12 | cp 8 wdl 47 934 19
//! 8/8/8/8/8/5k2/7q/7K w - - -900 | mate -1
//! ```

use anyhow::{Context as _, Result, bail, ensure};
use shakmaty::{Color, KnownOutcome};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::{fmt, path::Path};
use tropism::search::{MATE, Value};

/// Of positions with a larger score, in centipawns, almost any weights predict the result.
pub(super) const DECIDED: i32 = 2000;

/// How the first line of a file begins.
const HEADER_START: &str = "# tropism ";

/// Bad lines that are shown; the others are only counted.
pub(super) const MAX_BAD_LINES: usize = 5;

/// White's points in a game, doubled.
pub(super) fn half_points(result: KnownOutcome) -> u8 {
    match result.winner() {
        Some(Color::White) => 2,
        None => 1,
        Some(Color::Black) => 0,
    }
}

/// A value for the side to move from White's point of view, in centipawns.
pub(super) fn white_score(value: &Value, turn: Color) -> i32 {
    let value = match *value {
        Value::Centipawns(value) => value,
        Value::Mate(moves) => moves.signum() * MATE,
    };
    if turn.is_white() { value } else { -value }
}

/// One line of a data file.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Line<'a> {
    /// A comment or an empty line.
    Comment,
    /// Four fields of a FEN, White's score in centipawns, and what a judge said.
    Position { fen: &'a str, score: i32, label: Option<Label> },
    /// The end of a game.
    End { number: u64, result: KnownOutcome },
}

impl<'a> Line<'a> {
    /// Reads a line. The fields of the FEN are not checked.
    fn parse(line: &'a str) -> Result<Line<'a>, String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(Line::Comment);
        }
        if let Some(end) = line.strip_prefix('=') {
            let (number, result) = end.trim().split_once(' ').unwrap_or_default();
            let number = number.parse().map_err(|_| "no game number after `=`")?;
            let result = result
                .trim()
                .parse()
                .map_err(|_| "no result 1-0, 0-1 or 1/2-1/2 at the end of a game")?;
            return Ok(Line::End { number, result });
        }
        let (position, label) = match line.split_once(" | ") {
            Some((position, label)) => (position, Some(Label::parse(label)?)),
            None => (line, None),
        };
        let (fen, score) = position.rsplit_once(' ').ok_or("no score after the position")?;
        let score = score.parse().map_err(|_| format!("the score {score:?} is not a number"))?;
        Ok(Line::Position { fen, score, label })
    }
}

/// What a judge says of a position, from White's point of view.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Label {
    /// Negative if Black is better. A mate is never in 0 moves.
    pub(super) value: Value,
    /// The thousandths of White's wins, draws and losses.
    pub(super) odds: Option<[u32; 3]>,
}

impl Label {
    /// A mate, and a larger value, count as so many centipawns: more says nothing about the strength of a side.
    const MAX_CENTIPAWNS: i32 = 2000;

    /// Reads `cp N`, `mate N`, and `wdl W D L` after it.
    fn parse(text: &str) -> Result<Label, String> {
        let wrong =
            || format!("the label {text:?} is not `cp N` or `mate N`, with `wdl W D L` or without");
        let words: Vec<&str> = text.split_whitespace().collect();
        let (value, odds) = words.split_at_checked(2).ok_or_else(wrong)?;
        let number = value[1].parse().map_err(|_| wrong())?;
        let value = match value[0] {
            "cp" => Value::Centipawns(number),
            "mate" if number != 0 => Value::Mate(number),
            _ => return Err(wrong()),
        };
        let odds = match odds {
            [] => None,
            ["wdl", odds @ ..] => {
                let odds: Option<Vec<u32>> = odds.iter().map(|odds| odds.parse().ok()).collect();
                Some(odds.and_then(|odds| odds.try_into().ok()).ok_or_else(wrong)?)
            }
            _ => return Err(wrong()),
        };
        Ok(Label { value, odds })
    }

    /// White's score in centipawns, limited on both sides.
    pub(super) fn centipawns(&self) -> i32 {
        match self.value {
            Value::Centipawns(value) => value.clamp(-Label::MAX_CENTIPAWNS, Label::MAX_CENTIPAWNS),
            Value::Mate(moves) => moves.signum() * Label::MAX_CENTIPAWNS,
        }
    }

    /// White's expected points by the judge: certain if it sees a mate, otherwise as it sends them.
    pub(super) fn points(&self) -> Option<f64> {
        match (self.value, self.odds) {
            (Value::Mate(moves), _) => Some(if moves > 0 { 1.0 } else { 0.0 }),
            (_, Some([win, draw, loss])) => {
                let [win, draw, loss] = [win, draw, loss].map(f64::from);
                Some((win + draw / 2.0) / (win + draw + loss).max(1.0))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Value::Centipawns(value) => write!(f, "cp {value}")?,
            Value::Mate(moves) => write!(f, "mate {moves}")?,
        }
        self.odds.map_or(Ok(()), |[win, draw, loss]| write!(f, " wdl {win} {draw} {loss}"))
    }
}

/// One position of a file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct RecordedPosition<'a> {
    /// The number of its line, from 1.
    pub(super) line: usize,
    pub(super) fen: &'a str,
    /// White's score during the game, in centipawns.
    pub(super) score: i32,
    pub(super) label: Option<Label>,
}

/// One game of a file.
#[derive(Clone, Debug)]
pub(super) struct RecordedGame<'a> {
    pub(super) number: u64,
    pub(super) positions: Vec<RecordedPosition<'a>>,
    pub(super) result: KnownOutcome,
}

impl RecordedPosition<'_> {
    /// Why it is left out, with the number of its line.
    pub(super) fn complaint(&self, error: &impl fmt::Display) -> String {
        format!("{}: {:?}: {error}", self.line, self.fen)
    }
}

/// The games of a text, and its bad lines with line number and reason.
pub(super) fn games(text: &str) -> (Vec<RecordedGame<'_>>, Vec<String>) {
    let (mut games, mut bad) = (Vec::new(), Vec::new());
    let mut positions = Vec::new();
    let count = text.lines().count();
    for (number, line) in (1..).zip(text.lines()) {
        // The first line of a file that was joined to another one.
        let header = line.find(HEADER_START);
        if header.is_some() && !positions.is_empty() {
            let left_out = positions.len();
            positions.clear();
            bad.push(format!(
                "{number}: the game before this line was interrupted: its {left_out} positions have no result"
            ));
        }
        if header.is_some_and(|at| at > 0) {
            bad.push(format!("{number}: a line that was cut, and the beginning of another file"));
            continue;
        }
        match Line::parse(line) {
            Ok(Line::Comment) => {}
            Ok(Line::Position { fen, score, label }) => {
                positions.push(RecordedPosition { line: number, fen, score, label });
            }
            Ok(Line::End { number, result }) => {
                let positions = std::mem::take(&mut positions);
                games.push(RecordedGame { number, positions, result });
            }
            // The command that writes the file was interrupted.
            Err(_) if number == count && !text.ends_with('\n') => {}
            Err(error) => {
                // Without its result, a game must not become part of the next one.
                if line.starts_with('=') {
                    positions.clear();
                }
                bad.push(format!(
                    "{number}: not `FEN SCORE`, `FEN SCORE | LABEL` or `= NUMBER RESULT`: {error}"
                ));
            }
        }
    }
    (games, bad)
}

/// Says on standard error which lines of a file were left out, the first of them with their reasons.
pub(super) fn say_left_out(path: &Path, bad: &[String]) {
    let path = path.display();
    bad.iter()
        .take(MAX_BAD_LINES)
        .for_each(|line| eprintln!("tropism-lab: left out: {path}:{line}"));
    if let Some(more @ 1..) = bad.len().checked_sub(MAX_BAD_LINES) {
        eprintln!("tropism-lab: left out: {more} more lines of {path}");
    }
}

/// The text of a file. An error begins with its path.
pub(super) fn read_file(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// Opens a file whose first line is `header`, new or at the end of its last whole game. Returns the file and the text that
/// it has. A file that was made with other settings stays as it is.
pub(super) fn open(path: &Path, header: &str) -> Result<(File, String)> {
    let name = || path.display().to_string();
    let mut text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => read.with_context(name)?,
    };
    let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(name)?;
    ensure!(
        !is_busy(&file),
        "another command is writing to {}; wait for its end, or write to another file",
        path.display()
    );
    let whole = whole_games(&text).len();
    match text[..whole].lines().next() {
        // Nothing, or the beginning of the first line.
        None if header.starts_with(text.trim_end()) => {
            file.set_len(0).with_context(name)?;
            writeln!(file, "{header}").with_context(name)?;
            text.clear();
        }
        Some(found) if found == header => {
            file.set_len(whole as u64).with_context(name)?;
            text.truncate(whole);
        }
        found => bail!(
            "{} begins with {:?}, not {header:?}: use the settings, the engine and the version of this program that it was \
             made with, or write to another file",
            path.display(),
            found.unwrap_or(&text)
        ),
    }
    Ok((file, text))
}

/// Whether another process writes to a file. Otherwise this one has it until it is closed.
pub(super) fn is_busy(file: &File) -> bool {
    // Some file systems have no locks.
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// The part of a file's text that consists of its first line and whole games.
fn whole_games(text: &str) -> &str {
    let (mut end, mut whole) = (0, 0);
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        end += line.len();
        if whole == 0 || line.starts_with('=') {
            whole = end;
        }
    }
    &text[..whole]
}

#[cfg(test)]
pub(super) mod results {
    use super::{Color, KnownOutcome};

    pub(crate) const WHITE_WINS: KnownOutcome = KnownOutcome::Decisive { winner: Color::White };
    pub(crate) const BLACK_WINS: KnownOutcome = KnownOutcome::Decisive { winner: Color::Black };
}

#[cfg(test)]
mod tests {
    use super::results::{BLACK_WINS, WHITE_WINS};
    use super::*;

    #[test]
    fn every_kind_of_line_is_read() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K -";
        let line = format!("{fen} -34");
        assert_eq!(Line::parse(&line), Ok(Line::Position { fen, score: -34, label: None }));
        for (text, value, odds) in [
            ("cp -7 wdl 10 800 190", Value::Centipawns(-7), Some([10, 800, 190])),
            ("mate -3", Value::Mate(-3), None),
        ] {
            let label = Label { value, odds };
            assert_eq!(label.to_string(), text);
            let labelled = format!("{line} | {text}");
            let position = Line::Position { fen, score: -34, label: Some(label) };
            assert_eq!(Line::parse(&labelled), Ok(position));
        }
        for (result, name) in
            [(WHITE_WINS, "1-0"), (KnownOutcome::Draw, "1/2-1/2"), (BLACK_WINS, "0-1")]
        {
            assert_eq!(result.to_string(), name);
            let line = format!("= 17 {name}\r");
            assert_eq!(Line::parse(&line), Ok(Line::End { number: 17, result }));
        }
        assert_eq!(Line::parse("# anything"), Ok(Line::Comment));
        assert_eq!(Line::parse(""), Ok(Line::Comment));
    }

    #[test]
    fn a_bad_line_is_refused_with_a_reason() {
        let wrong_label = |text| {
            format!("the label {text:?} is not `cp N` or `mate N`, with `wdl W D L` or without")
        };
        for (line, error) in [
            ("nonsense", "no score after the position"),
            ("4k3/8/8/8/8/8/8/4K2R w K -", "the score \"-\" is not a number"),
            ("8 0 | cp", &wrong_label("cp")),
            ("8 0 | mate 0", &wrong_label("mate 0")),
            ("8 0 | cp 0 wdl 1 2", &wrong_label("cp 0 wdl 1 2")),
            ("=", "no game number after `=`"),
            ("= 17", "no game number after `=`"),
            ("= 17 2-0", "no result 1-0, 0-1 or 1/2-1/2 at the end of a game"),
        ] {
            assert_eq!(Line::parse(line), Err(error.to_owned()), "{line}");
        }
    }

    #[test]
    fn scores_are_from_whites_point_of_view() {
        assert_eq!(white_score(&Value::Centipawns(30), Color::White), 30);
        assert_eq!(white_score(&Value::Centipawns(30), Color::Black), -30);
        assert_eq!(white_score(&Value::Mate(2), Color::White), MATE);
        assert_eq!(white_score(&Value::Mate(-2), Color::White), -MATE);
    }

    /// The positions of an interrupted game got the result of the next one.
    #[test]
    fn joined_files_keep_interrupted_games_out() {
        // The positions of each game, and the lines that are named.
        let read = |text: &str| {
            let (games, bad) = games(text);
            let games: Vec<String> = games
                .iter()
                .map(|game| format!("{}:{}", game.number, game.positions.len()))
                .collect();
            let bad: Vec<&str> = bad.iter().map(|line| line.split_once(": ").unwrap().0).collect();
            format!("{} {}", games.join(" "), bad.join(" "))
        };
        let (game, next) = ("a 1\nb 2\n= 1 1-0\n", "# tropism data 1: bench 7\nc 3\n= 0 0-1\n");
        for (cut, bad) in
            [("", ""), ("d 4\ne 5\n", "6"), ("d 4\ne 5", "5 5"), ("d 4\ne", "5 5"), ("= 2 1", "4")]
        {
            assert_eq!(read(&format!("{game}{cut}{next}")), format!("1:2 0:1 {bad}"), "{cut}");
            // At the end of a file, an interruption needs no word.
            assert_eq!(read(&format!("{next}{game}{cut}")), "0:1 1:2 ", "{cut}");
        }
    }

    #[test]
    fn a_label_gives_points() {
        let label = |text| Label::parse(text).unwrap();
        let points =
            ["cp 8 wdl 100 800 100", "cp 900 wdl 600 400 0", "mate 3", "mate -3 wdl 0 0 1000"];
        let points = points.map(|text| label(text).points());
        assert_eq!(points, [Some(0.5), Some(0.8), Some(1.0), Some(0.0)]);
        assert_eq!(label("cp 8").points(), None);
        let centipawns = ["cp 8", "cp -9000", "mate 3"].map(|text| label(text).centipawns());
        assert_eq!(centipawns, [8, -2000, 2000]);
    }

    #[test]
    fn an_interrupted_game_is_cut_off() {
        let whole = "# head\na\n= 1 1-0\nb\n= 2 0-1\n";
        let one = "# head\na\n= 1 1-0\n";
        assert_eq!(whole_games(whole), whole);
        assert_eq!(whole_games(&format!("{whole}c\nd")), whole);
        assert_eq!(whole_games("# head\na\n= 1 1-0\nb\n= 2 0"), one);
        assert_eq!(whole_games("# head\na\nb\n"), "# head\n");
        assert_eq!(whole_games("# he"), "");
        assert_eq!(whole_games("# head\n= 1"), "# head\n");
    }
}
