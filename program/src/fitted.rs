//! Output that fits the terminal.

use std::io::{self, Write};
use tropism::text::{MIN_COLUMNS, broken, width};

/// Breaks the lines that are too long between words and passes them on.
///
/// Text after a gap of several blanks keeps its column; the gap itself is never a break, because it belongs to a
/// table. A line without its end, such as a prompt, is passed on by `flush`.
pub struct Fitted<W: Write> {
    out: W,
    columns: Option<usize>,
    line: Vec<u8>,
}

impl<W: Write> Fitted<W> {
    /// Fits text to so many columns, or leaves it as it is.
    pub fn new(out: W, columns: Option<usize>) -> Fitted<W> {
        Fitted { out, columns: columns.map(|columns| columns.max(MIN_COLUMNS)), line: Vec::new() }
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
    if width(line) <= columns {
        return line.to_owned();
    }
    // The last gap in the left half of the line is where its text begins.
    let gaps = line.match_indices("  ").map(|(at, gap)| at + gap.len());
    let start = gaps.filter(|&end| width(&line[..end]) <= columns / 2).last().unwrap_or(0);
    let (head, text) =
        line.split_at(start + line[start..].len() - line[start..].trim_start().len());
    let indent = width(head);
    format!("{head}{}", broken(columns, indent, indent, text))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
