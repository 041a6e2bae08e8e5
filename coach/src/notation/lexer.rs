//! The words of a text in PGN.

use super::game::ROSTER;
use tropism::notation::is_dash;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// `[Name "value"]`.
    Tag(&'a str, String),
    /// A line that begins like a tag and is none.
    BrokenTag(&'a str),
    /// `12.` or `12...`, with the number of dots.
    Number(u32, usize),
    /// A move, or anything else.
    Word(&'a str),
    /// `1-0` and its kind, as the standard writes it.
    Result(&'static str),
    /// `$6`.
    Nag(u32),
    /// In braces, in brackets or after a semicolon.
    Comment(&'a str),
    /// A comment without its closing brace.
    OpenComment(&'a str),
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// A brace or bracket that closes nothing.
    Stray(char),
}

/// A part of a text with its place.
#[derive(Clone, Debug)]
pub struct Placed<'a> {
    pub token: Token<'a>,
    /// Where it begins, in bytes.
    pub start: usize,
    /// Its line, from 1.
    pub line: usize,
    /// Whether it is the first of its line.
    pub begins_line: bool,
    /// Whether an empty line precedes it.
    pub after_empty_line: bool,
    /// The round brackets that are open before it.
    pub depth: usize,
}

/// Splits a text whose lines end with `\n`.
#[derive(Copy, Clone, Debug)]
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    begins_line: bool,
    /// Open round brackets.
    depth: usize,
}

/// The results of games, and how else they are written.
const RESULTS: [(&str, &[&str]); 4] = [
    ("1-0", &["1-0", "1:0"]),
    ("0-1", &["0-1", "0:1"]),
    (
        "1/2-1/2",
        &[
            "1/2-1/2",
            "\u{bd}-\u{bd}",
            "1/2:1/2",
            "\u{bd}:\u{bd}",
            "1/2",
            "\u{bd}",
            "0.5-0.5",
            ".5-.5",
        ],
    ),
    ("*", &["*"]),
];

/// The result that a word means, as the standard writes it.
pub fn result(word: &str) -> Option<&'static str> {
    let plain: String = word.chars().map(|c| if is_dash(c) { '-' } else { c }).collect();
    let plain = plain.replace(' ', "");
    let plain = plain.strip_suffix('.').unwrap_or(&plain);
    RESULTS.into_iter().find(|(_, forms)| forms.contains(&plain)).map(|(result, _)| result)
}

/// Where the bracket closes that a text begins with. Brackets can be nested.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().filter(|&(_, c)| c == open || c == close).find_map(|(at, c)| {
        depth = if c == open { depth + 1 } else { depth - 1 };
        (depth == 0).then_some(at)
    })
}

/// Whether games usually have a tag of this name.
pub fn is_usual_tag(name: &str) -> bool {
    ROSTER.iter().any(|(known, _)| *known == name) || matches!(name, "FEN" | "SetUp" | "Variant")
}

/// Whether a character takes no space and has no meaning: between words it separates them.
pub const fn is_zero_width(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}'
    )
}

/// Some people put commas between moves.
fn is_space(c: char) -> bool {
    c == ',' || c.is_whitespace() || is_zero_width(c)
}

/// The quotation marks around the value of a tag; word processors exchange them.
const QUOTES: &[char] = &['"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}', '\u{201f}'];

impl<'a> Lexer<'a> {
    /// Begins at a place in the text, which is in this line.
    pub fn new(text: &'a str, at: usize, line: usize) -> Lexer<'a> {
        Lexer { text, at, line, begins_line: true, depth: 0 }
    }

    /// Where the next part begins, or the text ends.
    pub fn place(&self) -> (usize, usize) {
        (self.at, self.line)
    }

    /// A part of the text, in bytes.
    pub fn slice(&self, start: usize, end: usize) -> &'a str {
        &self.text[start..end]
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Steps over the next bytes.
    fn take(&mut self, bytes: usize) -> &'a str {
        let taken = &self.rest()[..bytes];
        self.line += taken.matches('\n').count();
        self.at += bytes;
        taken
    }

    fn skip_spaces(&mut self) {
        while let Some(c) = self.rest().chars().next() {
            if c == '\n' {
                self.begins_line = true;
            } else if c == '%' && self.begins_line {
                // The standard leaves such lines to other programs.
                let end = self.rest().find('\n').unwrap_or(self.rest().len());
                self.take(end);
                continue;
            } else if !is_space(c) {
                break;
            }
            self.take(c.len_utf8());
        }
    }

    /// A line `[Name "value"]`, or several tags in one line.
    fn tag(&mut self) -> Option<Token<'a>> {
        let line = self.rest().split('\n').next().unwrap_or_default();
        let inside = line.strip_prefix('[')?.trim_start();
        let name_end =
            inside.find(|c: char| c.is_whitespace() || c == ']' || QUOTES.contains(&c))?;
        let (name, value) = inside.split_at(name_end);
        let is_name = name.starts_with(|c: char| c.is_alphabetic())
            && name.chars().all(|c| c.is_alphanumeric() || "_+#=:-".contains(c));
        let value = value.trim_start();
        // Other words in brackets are a comment.
        if !is_name || !value.starts_with(QUOTES) && !is_usual_tag(name) {
            return None;
        }
        let start = line.len() - value.len();
        // Other quotation marks belong to the value: it ends at one before a bracket that ends the line, or precedes
        // another tag, a comment or the moves.
        let mut ends = value.char_indices().skip(1).filter_map(|(at, c)| {
            let after = value[at + c.len_utf8()..].trim_start();
            let beyond = after.strip_prefix(']')?.trim_start();
            let ends = beyond.is_empty()
                || beyond.starts_with(['[', '{', ';'])
                || beyond.starts_with("1.");
            (QUOTES.contains(&c) && ends).then_some((at, value.len() - after.len() + 1))
        });
        let token = match (value.chars().next(), ends.next()) {
            (Some(quote), Some((end, bytes))) if QUOTES.contains(&quote) => {
                let text = unescaped(&value[quote.len_utf8()..end]);
                self.take(start + bytes);
                Token::Tag(name, text)
            }
            _ => {
                let broken = self.take(line.len());
                Token::BrokenTag(broken)
            }
        };
        Some(token)
    }

    /// A comment in braces, which may contain other braces in pairs.
    fn comment(&mut self) -> Token<'a> {
        /// How far the end of a comment with braces in it is looked for, in bytes.
        const FAR: usize = 10_000;
        let rest = self.rest();
        let first = rest.find('}');
        // A next game is no part of a comment: the brace is missing.
        let bound = next_game(&rest[..first.unwrap_or(rest.len())]);
        let (Some(first), None) = (first, bound) else {
            let text = self.take(bound.unwrap_or(rest.len()));
            return Token::OpenComment(&text[1..]);
        };
        let near = rest.floor_char_boundary(first + FAR);
        let balanced = closing(&rest[..near], '{', '}');
        let end = balanced.filter(|&end| next_game(&rest[..end]).is_none()).unwrap_or(first);
        let text = self.take(end + 1);
        Token::Comment(&text[1..end])
    }

    /// The length of the next word. In `a8(Q)` a bracket is a part of it.
    fn word(&self) -> usize {
        let rest = self.rest();
        let mut before = ' ';
        let mut indices = rest.char_indices().peekable();
        while let Some((at, c)) = indices.next() {
            let next = indices.peek().map(|&(_, next)| next);
            let is_end = match c {
                '(' => {
                    let piece = &rest[at + 1..];
                    let closes = piece.char_indices().nth(1).is_some_and(|(_, c)| c == ')');
                    let is_promotion = before.is_ascii_digit() || matches!(before, '=' | '/');
                    !(is_promotion && closes && piece.starts_with(char::is_alphabetic))
                }
                // `1)` is how some people number moves.
                ')' => {
                    let inside = &rest[..at];
                    let is_number =
                        !inside.is_empty() && inside.chars().all(|c| c.is_ascii_digit());
                    let numbers = self.depth == 0
                        && is_number
                        && next.is_some_and(|c| c == ' ' || c.is_alphabetic());
                    !inside.contains('(') && !numbers
                }
                '{' | '}' | ';' | '[' | ']' | '$' => true,
                // A result without a space before it: `Qxf7#1-0`.
                '0' | '1' if ends_move(&rest[..at]) => {
                    let word = rest[at..].split_whitespace().next().unwrap_or_default();
                    matches!(word, "1-0" | "0-1" | "1/2-1/2")
                }
                // Some programs put them inside of words, where they mean nothing.
                c if is_zero_width(c) => {
                    !(matches!(before, '-' | '=' | 'x') || joins(before, next))
                }
                c => is_space(c),
            };
            if is_end {
                return at;
            }
            before = c;
        }
        rest.len()
    }

    fn next_token(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let first = rest.chars().next()?;
        match first {
            '[' => {
                if self.begins_line
                    && let Some(tag) = self.tag()
                {
                    return Some(tag);
                }
                let line = rest.split('\n').next().unwrap_or_default();
                // A variation in such brackets goes over lines, but no further than an empty one.
                let paragraph = rest.split("\n\n").next().unwrap_or_default();
                let end = closing(line, '[', ']').or_else(|| line.find(']'));
                let Some(end) = end.or_else(|| closing(paragraph, '[', ']')) else {
                    self.take(1);
                    return Some(Token::Stray('['));
                };
                self.take(end + 1);
                Some(Token::Comment(&rest[..=end]))
            }
            '{' => Some(self.comment()),
            ';' => {
                let end = rest.find('\n').unwrap_or(rest.len());
                Some(Token::Comment(&self.take(end)[1..]))
            }
            '(' | ')' | '}' | ']' => {
                self.take(1);
                Some(match first {
                    '(' => {
                        self.depth += 1;
                        Token::Open
                    }
                    ')' => {
                        self.depth = self.depth.saturating_sub(1);
                        Token::Close
                    }
                    other => Token::Stray(other),
                })
            }
            '$' => {
                let digits =
                    rest[1..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - 1);
                let word = self.take(1 + digits);
                Some(word[1..].parse().map_or(Token::Word(word), Token::Nag))
            }
            _ => {
                let length = self.word();
                let word = &rest[..length];
                /// The longest result, `1/2 - 1/2`, in bytes of its longest spelling.
                const LONGEST: usize = 16;
                // With spaces, only at the end of a line: `1 - 0`.
                let line_end = rest.find(['\n', '{', ';', '(']).unwrap_or(rest.len());
                let is_short = rest.starts_with(['0', '1', '\u{bd}']) && line_end <= LONGEST;
                let to_end = if is_short { rest[..line_end].trim_end() } else { word };
                for text in [to_end, word] {
                    if let Some(result) = result(text) {
                        self.take(text.len());
                        return Some(Token::Result(result));
                    }
                }
                if let Some((number, dots, length)) = move_number(word) {
                    self.take(length);
                    return Some(Token::Number(number, dots));
                }
                Some(Token::Word(self.take(length)))
            }
        }
    }
}

/// Whether a text ends like a move: with a square, a mark, or a sign of check.
fn ends_move(text: &str) -> bool {
    let mut last = text.chars().rev();
    match (last.next(), last.next()) {
        (Some('+' | '#' | '!' | '?'), Some(_)) => true,
        (Some('1'..='8'), Some(file)) => matches!(file, 'a'..='h'),
        _ => false,
    }
}

/// Whether a character without width between these two is inside of a word: in a square, or after a piece.
fn joins(before: char, after: Option<char>) -> bool {
    let Some(after) = after else { return false };
    let is_file = |c: char| matches!(c, 'a'..='h');
    is_file(before) && after.is_ascii_digit()
        || before.is_alphabetic() && !matches!(before, 'O' | 'o') && is_file(after)
        || matches!(before, 'O' | 'o' | '0') && after == '-'
}

/// The number at the start of a word, its dots, and the length of both. A number alone is one as well.
fn move_number(word: &str) -> Option<(u32, usize, usize)> {
    let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    // `00` is castling.
    let number = word[..digits].parse().ok().filter(|_| !matches!(word, "00" | "000"));
    let rest = &word[digits..];
    let after = rest.trim_start_matches(['.', '\u{2026}', ')', '\u{b7}']);
    let signs = &rest[..rest.len() - after.len()];
    let dots = signs.chars().map(|c| if c == '\u{2026}' { 3 } else { 1 }).sum();
    let is_figurine = |c| matches!(c, '\u{2654}'..='\u{265f}');
    // `0-0` is castling, and in `12e4` the move follows.
    // A date is no number: `20.01.1999`.
    let is_date = !signs.is_empty()
        && after.starts_with(|c: char| c.is_ascii_digit())
        && !after.starts_with("0-0")
        && !after.starts_with("1-0")
        && !after.starts_with("1/2");
    let begins = !signs.is_empty() && !is_date
        || rest.is_empty()
        || rest.starts_with(|c: char| c.is_alphabetic() || is_figurine(c));
    match number {
        // Dots without a number, as in `1. e4 ... e5`.
        None if digits == 0 && dots > 0 => Some((0, dots, signs.len())),
        Some(number) if begins => Some((number, dots, digits + signs.len())),
        _ => None,
    }
}

/// Where a next game begins: a tag after an empty line.
fn next_game(text: &str) -> Option<usize> {
    text.match_indices("\n[").map(|(at, _)| at).find(|&at| {
        let line = text[at + 2..].split('\n').next().unwrap_or_default();
        let is_tag = line.starts_with(char::is_alphabetic) && line.trim_end().ends_with("\"]");
        is_tag && text[..at].trim_end_matches([' ', '\t']).ends_with('\n')
    })
}

/// The value of a tag without backslashes before quotation marks and backslashes.
fn unescaped(value: &str) -> String {
    let mut text = String::new();
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&next @ ('"' | '\\'))) => {
                chars.next();
                text.push(next);
            }
            (c, _) if c.is_control() => {}
            (c, _) => text.push(c),
        }
    }
    text
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Placed<'a>;

    fn next(&mut self) -> Option<Placed<'a>> {
        let from = self.line;
        self.skip_spaces();
        let (start, line, begins_line, depth) = (self.at, self.line, self.begins_line, self.depth);
        let token = self.next_token()?;
        self.begins_line = false;
        // Several tags can stand in one line.
        if matches!(token, Token::Tag(..)) {
            self.begins_line = true;
        }
        let after_empty_line = line > from + 1;
        Some(Placed { token, start, line, begins_line, after_empty_line, depth })
    }
}
