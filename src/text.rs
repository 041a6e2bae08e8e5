//! Wording that messages share.

use anstream::adapter::strip_str;
use shakmaty::{Chess, Color, Move, Position, san::SanPlus};
use std::{
    fmt,
    io::{self, Write},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// The most columns of text: longer lines are hard to read.
const MOST_COLUMNS: usize = 96;
/// The fewest columns of text: indented text in fewer columns would be one word a line.
const FEWEST_COLUMNS: usize = 40;

/// How many columns [`wrapped`] fills. The library does not know a terminal; the command line does.
static COLUMNS: AtomicUsize = AtomicUsize::new(MOST_COLUMNS);

/// Sets how many columns the terminal has.
pub(crate) fn set_columns(columns: usize) {
    COLUMNS.store(columns.clamp(FEWEST_COLUMNS, MOST_COLUMNS), Relaxed);
}

/// How many columns the output fills at most.
pub(crate) fn columns() -> usize {
    COLUMNS.load(Relaxed)
}

/// The most names that a suggestion lists.
const SUGGESTIONS: usize = 3;

/// A number with its noun: `1 move`, `2 moves`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// The number of the next move: `22.` for White, `21...` for Black.
pub(crate) fn move_number(position: &Chess) -> String {
    let dots = position.turn().fold_wb(".", "...");
    format!("{}{dots}", position.fullmoves())
}

/// Moves in SAN with their numbers as players write them, one word for each: `21...d4`, `22.Nd5`,
/// `Qd8`.
pub(crate) fn numbered_moves(start: &Chess, moves: &[Move]) -> Vec<String> {
    let mut position = start.clone();
    let mut words = Vec::new();
    for &m in moves {
        let number = match position.turn() {
            Color::Black if !words.is_empty() => String::new(),
            _ => move_number(&position),
        };
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
        words.push(format!("{number}{san}"));
    }
    words
}

/// Moves in SAN with their numbers, such as `21...d4 22.Nd5 Qd8`.
pub(crate) fn line_in_san(start: &Chess, moves: &[Move]) -> String {
    numbered_moves(start, moves).join(" ")
}

/// A hint for an unknown name, such as `did you mean "centre"?`: the known names that contain the
/// given one, or else the name that differs from it in the fewest letters. `None` if no known name
/// is similar.
pub(crate) fn did_you_mean<'a>(
    given: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let edits = |name: &str| strsim::damerau_levenshtein(given, name);
    let length = given.chars().count();
    // A name that is much shorter is not similar. The comparison with a text of any length, such as a
    // key of a wrong file, could take minutes.
    let mut similar: Vec<&str> =
        known.into_iter().filter(|name| length <= name.len() + most_edits(name)).collect();
    similar.sort_by_cached_key(|name| (!name.contains(given), edits(name)));
    let containing = similar.iter().take_while(|name| name.contains(given)).count();
    similar.truncate(containing.clamp(1, SUGGESTIONS));
    if containing == 0 {
        similar.retain(|name| edits(name) <= most_edits(name));
    }
    let names: Vec<String> = similar.iter().map(|name| format!("{name:?}")).collect();
    let (last, others) = names.split_last()?;
    Some(match others {
        [] => format!("did you mean {last}?"),
        others => format!("did you mean {} or {last}?", others.join(", ")),
    })
}

/// How many letters a similar name can differ in.
const fn most_edits(name: &str) -> usize {
    1 + name.len() / 3
}

/// Writes a paragraph that starts at a column, broken between words. The lines after the first are
/// indented. Escape codes of terminals take no columns.
pub(crate) fn wrapped(
    out: &mut impl fmt::Write,
    mut column: usize,
    indent: usize,
    text: &str,
) -> fmt::Result {
    let width = columns();
    for (place, word) in text.split(' ').enumerate() {
        let length = strip_str(word).to_string().chars().count();
        if column > indent && column + 1 + length > width {
            write!(out, "\n{:indent$}{word}", "")?;
            column = indent + length;
            continue;
        }
        let space = if place > 0 { " " } else { "" };
        write!(out, "{space}{word}")?;
        column += space.len() + length;
    }
    writeln!(out)
}

/// Breaks the lines that are too long between words and passes them on.
///
/// Text after a gap of several blanks keeps its column; the gap itself is never a break, because it belongs to a
/// table. A line without its end, such as a prompt, is passed on by `flush`.
pub(crate) struct Fitted<W: Write> {
    out: W,
    columns: Option<usize>,
    line: Vec<u8>,
}

impl<W: Write> Fitted<W> {
    /// Fits text to so many columns, or leaves it as it is.
    pub(crate) fn new(out: W, columns: Option<usize>) -> Fitted<W> {
        Fitted {
            out,
            columns: columns.map(|columns| columns.max(FEWEST_COLUMNS)),
            line: Vec::new(),
        }
    }
}

impl<W: Write> Write for Fitted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(columns) = self.columns else { return self.out.write(bytes) };
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8_lossy(&self.line).into_owned();
                self.line.clear();
                writeln!(self.out, "{}", fitted(&line, columns))?;
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.line)?;
        self.line.clear();
        self.out.flush()
    }
}

/// A line, broken between words into lines of at most so many columns.
fn fitted(line: &str, columns: usize) -> String {
    let shown = |text: &str| strip_str(text).to_string().chars().count();
    if shown(line) <= columns {
        return line.to_owned();
    }
    // The last gap in the left half of the line is where its text begins.
    let gaps = line.match_indices("  ").map(|(at, gap)| at + gap.len());
    let start = gaps.filter(|&end| shown(&line[..end]) <= columns / 2).last().unwrap_or(0);
    let (head, text) =
        line.split_at(start + line[start..].len() - line[start..].trim_start().len());
    let indent = shown(head);
    let (mut fitted, mut column) = (head.to_owned(), indent);
    for (place, word) in text.split(' ').enumerate() {
        // An empty word is part of a gap.
        let space = if place > 0 { " " } else { "" };
        let length = shown(word);
        if place > 0 && length > 0 && !fitted.ends_with(' ') && column + 1 + length > columns {
            fitted.push('\n');
            fitted.push_str(&" ".repeat(indent));
            column = indent;
        } else {
            fitted.push_str(space);
            column += space.len();
        }
        fitted.push_str(word);
        column += length;
    }
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_names_are_suggested() {
        let known = ["centre", "kings", "knight_fill", "knight_jumps", "knight_attacks"];
        let hint = |given| did_you_mean(given, known);
        assert_eq!(hint("center").as_deref(), Some("did you mean \"centre\"?"));
        assert_eq!(
            hint("knight").as_deref(),
            Some("did you mean \"knight_fill\", \"knight_jumps\" or \"knight_attacks\"?")
        );
        assert_eq!(hint("zzzzzz"), None);
        // This would take gigabytes if it were compared letter by letter.
        assert_eq!(hint(&"z".repeat(100_000_000)), None);
    }

    #[test]
    fn long_lines_are_broken_between_words() {
        assert_eq!(fitted("as short as that", 16), "as short as that");
        assert_eq!(fitted("longer than that", 12), "longer than\nthat");
        let [bold, plain] = ["\u{1b}[1m", "\u{1b}[0m"];
        assert_eq!(
            fitted(&format!("{bold}two words{plain}"), 9),
            format!("{bold}two words{plain}")
        );
        // Text stays in its column, and a row of a table in one piece.
        assert_eq!(
            fitted("  krk   White's king is closer", 20),
            "  krk   White's king\n        is closer"
        );
        let row = "     12      21,480   ##########################";
        assert_eq!(fitted(row, 40), row);
    }

    #[test]
    fn a_prompt_does_not_wait_for_the_end_of_its_line() {
        let mut written = Vec::new();
        let mut out = Fitted::new(&mut written, Some(40));
        write!(out, "a line of more than forty columns is broken\nyour move: ").unwrap();
        out.flush().unwrap();
        assert_eq!(
            String::from_utf8(written).unwrap(),
            "a line of more than forty columns is\nbroken\nyour move: "
        );
    }

    #[test]
    fn only_one_has_no_plural() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "move")), ["0 moves", "1 move", "2 moves"]);
    }
}
