//! The words of a text in PGN.

use super::comments::{Comments, End};
use super::game::ROSTER;
use std::cell::Cell;
use tropism::notation::{is_dash, is_zero_width};

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
    /// A brace or bracket without the other one.
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
#[derive(Debug)]
pub struct Lexer<'a> {
    /// The whole text.
    pub text: &'a str,
    comments: &'a Comments,
    /// Where the next part begins, or the text ends. It can be set back.
    pub place: Place,
    /// How many characters have been read. A character that is read twice counts twice.
    pub steps: Cell<usize>,
}

/// Where a [`Lexer`] is in its text.
#[derive(Copy, Clone, Debug)]
pub struct Place {
    /// In bytes.
    pub at: usize,
    /// The line, from 1.
    pub line: usize,
    begins_line: bool,
    /// Open round brackets.
    depth: usize,
}

/// The result that a word means, as the standard writes it.
pub fn result(word: &str) -> Option<&'static str> {
    let plain = word.replace(|c: char| c == ':' || is_dash(c), "-");
    let plain = plain.replace(' ', "").replace('½', "1/2");
    match plain.strip_suffix('.').unwrap_or(&plain) {
        "1-0" => Some("1-0"),
        "0-1" => Some("0-1"),
        "1/2-1/2" | "1/2" | "0.5-0.5" | ".5-.5" => Some("1/2-1/2"),
        "*" => Some("*"),
        _ => None,
    }
}

/// Whether games usually have a tag of this name.
pub fn is_usual_tag(name: &str) -> bool {
    ROSTER.iter().any(|(known, _)| *known == name) || matches!(name, "FEN" | "SetUp" | "Variant")
}

/// Some people put commas between moves.
fn is_space(c: char) -> bool {
    c == ',' || c.is_whitespace() || is_zero_width(c)
}

/// The quotation marks around the value of a tag; word processors exchange them.
const QUOTES: [char; 7] = ['"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}', '\u{201f}'];

impl<'a> Lexer<'a> {
    /// Begins at a place in the text, which is in this line. `comments` are those of the text.
    pub fn new(text: &'a str, comments: &'a Comments, at: usize, line: usize) -> Lexer<'a> {
        let place = Place { at, line, begins_line: true, depth: 0 };
        Lexer { text, comments, place, steps: Cell::new(0) }
    }

    /// The characters from a place on. Each one that is read is a step, so a test can show that no text is read again
    /// and again.
    fn chars(&self, from: usize) -> impl Iterator<Item = (usize, char)> {
        let chars = self.text[from..].char_indices().map(move |(at, c)| (from + at, c));
        chars.inspect(|_| self.steps.update(|steps| steps + 1))
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.chars(at).next().map(|(_, c)| c)
    }

    /// Where the first such character from a place on is, or the text ends.
    fn find_from(&self, from: usize, is_wanted: impl Fn(char) -> bool) -> usize {
        let found = self.chars(from).find(|&(_, c)| is_wanted(c));
        found.map_or(self.text.len(), |(at, _)| at)
    }

    /// Where the blanks in a line end.
    fn skip_blanks(&self, from: usize) -> usize {
        self.find_from(from, |c| c == '\n' || !c.is_whitespace() && !is_zero_width(c))
    }

    /// What follows some text that is looked for at a place.
    fn after(&self, at: usize, start: &str) -> Option<&str> {
        self.steps.update(|steps| steps + start.len());
        self.text[at..].strip_prefix(start)
    }

    fn is_line_end(&self, at: usize) -> bool {
        self.char_at(at).is_none_or(|c| c == '\n')
    }

    /// Steps over the text up to a place.
    fn take(&mut self, end: usize) -> &'a str {
        let taken = &self.text[self.place.at..end];
        self.steps.update(|steps| steps + taken.len());
        self.place.line += taken.matches('\n').count();
        self.place.at = end;
        taken
    }

    /// Steps over the rest of the line.
    fn take_line(&mut self) -> &'a str {
        self.take(self.find_from(self.place.at, |c| c == '\n'))
    }

    fn skip_spaces(&mut self) {
        while let Some(c) = self.char_at(self.place.at) {
            if c == '\n' {
                self.place.begins_line = true;
            } else if c == '%' && self.place.begins_line {
                // The standard leaves such lines to other programs.
                self.take_line();
                continue;
            } else if !is_space(c) {
                break;
            }
            self.take(self.place.at + c.len_utf8());
        }
    }

    /// A line `[Name "value"]`, or several tags in one line.
    fn tag(&mut self) -> Option<Token<'a>> {
        let start = self.skip_blanks(self.place.at + 1);
        let end = self.find_from(start, |c| c.is_whitespace() || c == ']' || QUOTES.contains(&c));
        let name = &self.text[start..end];
        let is_name = name.starts_with(|c: char| c.is_alphabetic())
            && name.chars().all(|c| c.is_alphanumeric() || "_+#=:-".contains(c));
        if !is_name || self.is_line_end(end) {
            return None;
        }
        let start = self.skip_blanks(end);
        let quote = self.char_at(start).filter(|c| QUOTES.contains(c));
        // Other words in brackets are a comment.
        if quote.is_none() && !is_usual_tag(name) {
            return None;
        }
        let start = start + quote.map_or(0, char::len_utf8);
        let Some((end, after)) = quote.and_then(|_| self.value_end(start)) else {
            return Some(Token::BrokenTag(self.take_line()));
        };
        self.take(after);
        Some(Token::Tag(name, unescaped(&self.text[start..end])))
    }

    /// Where the value of a tag ends, without its quotation mark, and where the tag ends.
    ///
    /// Other quotation marks belong to the value: it ends at one before a bracket that ends the line, or precedes another
    /// tag, a comment or the moves.
    fn value_end(&self, start: usize) -> Option<(usize, usize)> {
        let line = self.chars(start).take_while(|&(_, c)| c != '\n');
        let mut quotes = line.filter(|(_, c)| QUOTES.contains(c));
        quotes.find_map(|(at, quote)| {
            let bracket = self.skip_blanks(at + quote.len_utf8());
            let is_end = self.char_at(bracket) == Some(']') && {
                let beyond = self.skip_blanks(bracket + 1);
                self.is_line_end(beyond)
                    || ["[", "{", ";", "1."].iter().any(|it| self.after(beyond, it).is_some())
            };
            is_end.then_some((at, bracket + 1))
        })
    }

    /// A comment in braces or brackets, whose braces or brackets may contain others in pairs.
    fn comment(&mut self) -> Option<Token<'a>> {
        Some(match self.comments.end(self.place.at)? {
            End::Closed(end) => Token::Comment(self.take(end + 1)),
            End::Missing(end) => Token::OpenComment(&self.take(end)[1..]),
        })
    }

    /// Where the next word ends. In `a8(Q)` a bracket is a part of it.
    fn word_end(&self) -> usize {
        let start = self.place.at;
        let mut before = ' ';
        let (mut is_number, mut has_bracket) = (true, false);
        let mut indices = self.chars(start).peekable();
        while let Some((at, c)) = indices.next() {
            let next = indices.peek().map(|&(_, next)| next);
            let is_end = match c {
                '(' => {
                    let mut piece = self.chars(at + 1).map(|(_, c)| c);
                    let is_piece =
                        piece.next().is_some_and(char::is_alphabetic) && piece.next() == Some(')');
                    has_bracket = true;
                    !(is_piece && (before.is_ascii_digit() || matches!(before, '=' | '/')))
                }
                // `1)` is how some people number moves.
                ')' => {
                    let numbers = self.place.depth == 0
                        && (at > start && is_number)
                        && next.is_some_and(|c| c == ' ' || c.is_alphabetic());
                    !has_bracket && !numbers
                }
                '{' | '}' | ';' | '[' | ']' | '$' => true,
                // A result without a space before it: `Qxf7#1-0`.
                '0' | '1' if ends_move(&self.text[start..at]) => {
                    ["1-0", "0-1", "1/2-1/2"].into_iter().any(|result| {
                        let rest = self.after(at, result);
                        rest.is_some_and(|it| it.chars().next().is_none_or(char::is_whitespace))
                    })
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
            is_number &= c.is_ascii_digit();
        }
        self.text.len()
    }

    /// Where a result with spaces in it, `1 - 0`, ends, which ends the line.
    fn spaced_result(&self) -> Option<usize> {
        /// The longest result, `1/2 - 1/2`, in bytes of its longest spelling.
        const LONGEST: usize = 16;
        let start = self.place.at;
        if !matches!(self.char_at(start)?, '0' | '1' | '\u{bd}') {
            return None;
        }
        let is_end = |&(at, c): &(usize, char)| at > start + LONGEST || "\n{;(".contains(c);
        let end = self.chars(start).find(is_end).map_or(self.text.len(), |(at, _)| at);
        (end <= start + LONGEST).then(|| start + self.text[start..end].trim_end().len())
    }

    fn next_token(&mut self) -> Option<Token<'a>> {
        let first = self.char_at(self.place.at)?;
        match first {
            '[' => {
                let tag = if self.place.begins_line { self.tag() } else { None };
                tag.or_else(|| self.comment()).or_else(|| self.sign(Token::Stray('[')))
            }
            // Its braces are no part of a comment; other brackets are, because they may have a meaning.
            '{' => self.comment().map(|token| match token {
                Token::Comment(text) => Token::Comment(&text[1..text.len() - 1]),
                other => other,
            }),
            ';' => Some(Token::Comment(&self.take_line()[1..])),
            '(' => {
                self.place.depth += 1;
                self.sign(Token::Open)
            }
            ')' => {
                self.place.depth = self.place.depth.saturating_sub(1);
                self.sign(Token::Close)
            }
            '}' | ']' => self.sign(Token::Stray(first)),
            '$' => {
                let end = self.find_from(self.place.at + 1, |c| !c.is_ascii_digit());
                let word = self.take(end);
                Some(word[1..].parse().map_or(Token::Word(word), Token::Nag))
            }
            _ => Some(self.word_token()),
        }
    }

    /// A token of one byte.
    fn sign(&mut self, token: Token<'a>) -> Option<Token<'a>> {
        self.take(self.place.at + 1);
        Some(token)
    }

    /// A result, the number of a move, or anything else up to the next space.
    fn word_token(&mut self) -> Token<'a> {
        let (start, end) = (self.place.at, self.word_end());
        for end in [self.spaced_result().unwrap_or(end), end] {
            if let Some(result) = result(&self.text[start..end]) {
                self.take(end);
                return Token::Result(result);
            }
        }
        if let Some((number, dots, length)) = move_number(&self.text[start..end]) {
            self.take(start + length);
            return Token::Number(number, dots);
        }
        Token::Word(self.take(end))
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
    // A date is no number: `20.01.1999`.
    let is_date = after.starts_with(|c: char| c.is_ascii_digit())
        && !["0-0", "1-0", "1/2"].into_iter().any(|word| after.starts_with(word));
    // `0-0` is castling, and in `12e4` the move follows.
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
        let from = self.place.line;
        self.skip_spaces();
        let Place { at: start, line, begins_line, depth } = self.place;
        let token = self.next_token()?;
        // Several tags can stand in one line.
        self.place.begins_line = matches!(token, Token::Tag(..));
        let after_empty_line = line > from + 1;
        Some(Placed { token, start, line, begins_line, after_empty_line, depth })
    }
}
