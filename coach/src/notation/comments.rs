//! Where the comments of a PGN text end.
//!
//! One pass from the last character to the first finds all ends. Each bracket that looked for its own end would read
//! the rest of the text again, in a time that grows with the square of the length.

use tropism::notation::is_zero_width;

/// Where a comment ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// At this closing brace or bracket, in bytes.
    Closed(usize),
    /// The closing brace is missing, and the next game or the end of the text is here.
    Missing(usize),
}

/// The ends of all comments in braces or square brackets.
#[derive(Clone, Debug, Default)]
pub struct Comments {
    /// Where a comment begins and ends, the last one first.
    ends: Vec<(usize, End)>,
}

impl Comments {
    /// Finds the comments of a text whose lines end with `\n`.
    pub fn of(text: &str) -> Comments {
        let bytes = text.as_bytes();
        let mut ends = Vec::new();
        // The closing signs whose opening sign has not been seen yet, and the nearest signs of each kind.
        let (mut braces, mut brackets) = (Vec::new(), Vec::new());
        let (mut closing_brace, mut opening_brace) = (None, text.len());
        let mut bracket_of_line = None;
        let (mut line_end, mut next_game) = (text.len(), text.len());
        for (at, byte) in text.bytes().enumerate().rev() {
            match byte {
                b'\n' => {
                    // A variation in square brackets goes over lines, but no further than an empty one.
                    if bytes.get(at + 1) == Some(&b'\n') {
                        brackets.clear();
                    }
                    (line_end, bracket_of_line) = (at, None);
                }
                b']' => {
                    brackets.push(at);
                    bracket_of_line = Some(at);
                }
                b'[' => {
                    let pair = brackets.pop();
                    let of_line = pair.filter(|&end| end < line_end).or(bracket_of_line);
                    ends.extend(of_line.or(pair).map(|end| (at, End::Closed(end))));
                    if begins_game(text, at, line_end) {
                        next_game = at - 1;
                    }
                }
                b'}' => {
                    braces.push(at);
                    closing_brace = Some(at);
                }
                b'{' => {
                    let in_game = |end: &usize| *end < next_game;
                    // Without other braces in it, a comment may quote a whole game. With them, a next game is no part
                    // of it: the closing brace is missing.
                    let end = closing_brace.filter(|&end| end < opening_brace);
                    let pair = braces.pop().filter(in_game);
                    let end = end.or(pair).or(closing_brace.filter(in_game));
                    ends.push((at, end.map_or(End::Missing(next_game), End::Closed)));
                    opening_brace = at;
                }
                _ => {}
            }
        }
        Comments { ends }
    }

    /// The end of the comment that begins with a brace or bracket here, if it is one.
    pub fn end(&self, start: usize) -> Option<End> {
        let index = self.ends.partition_point(|&(at, _)| at > start);
        self.ends.get(index).filter(|&&(at, _)| at == start).map(|&(_, end)| end)
    }
}

/// Whether a bracket begins the tag of a next game: a line after an empty one, up to its end.
fn begins_game(text: &str, at: usize, line_end: usize) -> bool {
    let Some(before) = text[..at].strip_suffix('\n') else { return false };
    let line = &text[at + 1..line_end];
    line.starts_with(char::is_alphabetic)
        && line.trim_end_matches(|c: char| c.is_whitespace() || is_zero_width(c)).ends_with("\"]")
        && before.trim_end_matches([' ', '\t']).ends_with('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of each comment; one that never ends has a `...`.
    fn comments(text: &str) -> Vec<String> {
        let Comments { ends } = Comments::of(text);
        let show = |&(start, end): &(usize, End)| match end {
            End::Closed(end) => text[start..=end].to_owned(),
            End::Missing(end) => format!("{}...", &text[start..end]),
        };
        ends.iter().rev().map(show).collect()
    }

    /// The lines of `comments.txt`.
    #[test]
    fn comments_end_where_a_reader_expects_it() {
        for line in include_str!("comments.txt").lines().filter(|line| !line.starts_with('#')) {
            let (text, expected) = line.split_once(" => ").unwrap();
            let found = comments(&text.replace("\\n", "\n"));
            assert_eq!(format!("{found:?}"), expected, "{text}");
        }
    }
}
