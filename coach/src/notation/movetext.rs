//! The moves of a game in PGN, with comments, marks and variations.

use super::game::{Faults, Line, NotedMove};
use super::language::{ENGLISH, Language};
use super::lexer::{Placed, Token};
use super::moves::{MARKS, read_move_in, split_suffix};
use shakmaty::{Chess, EnPassantMode, Position, fen::Fen};
use tropism::notation::is_control;
use tropism::text::move_number;

/// Variations may be nested so deep. What is deeper stays text.
const MAX_NESTING: usize = 250;

/// Words that say how a game ended.
const ENDS: &str = "adjourned agreed black by checkmate draw drawn flag forfeit loses lost mate on resign resigned \
    resigns stalemate time white win wins won";

/// Whether a word says something about the move before it: a sign, `e.p.`, `mate`.
pub fn is_remark(word: &str) -> bool {
    let (rest, _) = split_suffix(word);
    rest.is_empty() || matches!(word, "dbl" | "dis") || MARKS.iter().any(|(sign, _)| *sign == word)
}

/// Whether a word is no move and no remark, but a sign that some program or person added.
pub fn is_aside(word: &str) -> bool {
    word.starts_with('$') || word != "--" && !word.contains(char::is_alphanumeric)
}

/// The numbers in PGN of the signs at the end of a move or in a word of their own.
fn nags(signs: &str) -> Vec<u32> {
    let mut numbers = Vec::new();
    let mut rest = signs;
    while let Some(first) = rest.chars().next() {
        let known = MARKS.iter().find(|(sign, _)| rest.starts_with(sign));
        numbers.extend(known.map(|(_, number)| number));
        rest = &rest[known.map_or(first.len_utf8(), |(sign, _)| sign.len())..];
    }
    numbers
}

/// A line that is being read.
struct Frame {
    line: Line,
    /// The position before its last move, from which variations start.
    before: Chess,
    position: Chess,
}

impl Frame {
    fn new(position: &Chess, comments: Vec<String>) -> Frame {
        let line = Line { comments, moves: Vec::new() };
        Frame { line, before: position.clone(), position: position.clone() }
    }

    /// Adds a comment after the last move. Its control characters are left out: a terminal would act on them.
    fn comment(&mut self, text: &str) {
        let text = text.replace(is_control, "");
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let comments = match self.line.moves.last_mut() {
            Some(noted) => &mut noted.comments,
            None => &mut self.line.comments,
        };
        comments.push(text.to_owned());
    }
}

/// Reads the moves of a game.
pub struct Reader<'a> {
    text: &'a str,
    language: Language,
    tokens: std::slice::Iter<'a, Placed<'a>>,
    /// Where the game ends in the text, in bytes.
    end: usize,
    pub faults: Faults,
    numbers: Numbers,
}

/// The numbers of the moves in the main line. A wrong one is named: moves may be missing or mixed.
#[derive(Default)]
struct Numbers {
    /// The last number, if its move has not been read.
    pending: Option<u32>,
    /// How much larger the numbers are than those of the position.
    offset: Option<i64>,
    is_named: bool,
    /// Whether the last number is no number of a first move, although its position is the start position.
    starts_late: bool,
}

impl Numbers {
    /// What is wrong with the number before a move.
    fn fault(&mut self, position: &Chess, word: &str) -> Option<String> {
        let number = self.pending.take()?;
        let expected = position.fullmoves().get();
        let offset = i64::from(number) - i64::from(expected);
        // A position from a FEN may count from 1.
        let is_start = *position == Chess::default();
        let known = *self.offset.get_or_insert(if is_start { 0 } else { offset });
        if offset == known || std::mem::replace(&mut self.is_named, true) {
            return None;
        }
        let expected = move_number(position);
        Some(format!(
            "the number {number} stands before move {expected}{word}; moves are missing or mixed, or it is wrong"
        ))
    }
}

impl<'a> Reader<'a> {
    pub fn new(
        text: &'a str,
        language: Language,
        tokens: &'a [Placed<'a>],
        end: usize,
        faults: Faults,
    ) -> Reader<'a> {
        Reader { text, language, tokens: tokens.iter(), end, faults, numbers: Numbers::default() }
    }

    /// The main line, which begins with some comments.
    pub fn main_line(&mut self, start: &Chess, comments: Vec<String>) -> Line {
        self.line(Frame::new(start, comments), 0, 0).0
    }

    /// Reads a line. `opened` is the line of the text where a variation begins. Returns also where it ends in the text.
    fn line(&mut self, mut frame: Frame, depth: usize, opened: usize) -> (Line, usize) {
        let is_main = depth == 0;
        while let Some(placed) = self.tokens.next() {
            match placed.token {
                Token::Close if is_main => self.stray(placed, ')'),
                Token::Close => return (frame.line, placed.start),
                Token::Open => self.variation(&mut frame, placed, depth + 1),
                Token::Comment(text) | Token::BrokenTag(text) => frame.comment(text),
                Token::OpenComment(text) => {
                    frame.comment(text);
                    let fault = "the comment that begins here never ends; close it with }";
                    self.faults.add(placed.line, fault);
                }
                Token::Nag(nag) => match frame.line.moves.last_mut() {
                    Some(noted) => noted.nags.push(nag),
                    None => frame.comment(&format!("${nag}")),
                },
                Token::Stray(sign) => self.stray(placed, sign),
                Token::Result(result) if !is_main => frame.comment(result),
                Token::Number(number @ 1.., dots) if is_main => {
                    self.numbers.pending = Some(number);
                    self.numbers.starts_late =
                        frame.position == Chess::default() && (number > 1 || dots > 1);
                }
                Token::Word(word) if !self.word(&mut frame, word, placed.line, is_main) => {
                    // The moves after it cannot be played.
                    let end = if is_main { self.end } else { self.skip(opened) };
                    let said = if is_main { "not read: " } else { "" };
                    frame.comment(&format!("{said}{}", self.text[placed.start..end].trim()));
                    return (frame.line, end);
                }
                Token::Number(..) | Token::Result(_) | Token::Tag(..) | Token::Word(_) => {}
            }
        }
        if !is_main {
            self.never_ends(opened);
        }
        (frame.line, self.end)
    }

    fn stray(&mut self, placed: &Placed<'_>, sign: char) {
        let fault = match sign {
            '[' | '{' => "is never closed; close it or remove it",
            _ => "closes nothing; remove it",
        };
        self.faults.add(placed.line, format!("this {sign} {fault}"));
    }

    fn never_ends(&mut self, opened: usize) {
        let fault = "the variation that begins here never ends; close it with )";
        self.faults.add(opened, fault);
    }

    /// Leaves out the rest of a variation. Returns where it ends in the text.
    fn skip(&mut self, opened: usize) -> usize {
        let mut open = 0;
        for placed in self.tokens.by_ref() {
            match placed.token {
                Token::Close if open == 0 => return placed.start,
                Token::Close => open -= 1,
                Token::Open => open += 1,
                _ => {}
            }
        }
        self.never_ends(opened);
        self.end
    }

    /// Reads a variation of the last move.
    fn variation(&mut self, frame: &mut Frame, placed: &Placed<'_>, depth: usize) {
        let start = placed.start + 1;
        let reason = match frame.line.moves.is_empty() {
            true => Some("before the first move there can be no variation".to_owned()),
            false => (depth > MAX_NESTING)
                .then(|| format!("variations can be nested {MAX_NESTING} deep")),
        };
        let inner = Frame::new(&frame.before, Vec::new());
        let (variation, end) = match reason {
            None => self.line(inner, depth, placed.line),
            Some(reason) => {
                let fault = format!("{reason}; its text is kept as a comment");
                self.faults.add(placed.line, fault);
                (inner.line, self.skip(placed.line))
            }
        };
        match frame.line.moves.last_mut() {
            Some(noted) if !variation.moves.is_empty() => noted.variations.push(variation),
            // A variation of comments only is a comment.
            _ if variation.comments.is_empty() => frame.comment(&self.text[start..end]),
            _ => variation.comments.iter().for_each(|comment| frame.comment(comment)),
        }
    }

    /// Plays a move, or takes a remark. Returns whether the line can go on.
    fn word(&mut self, frame: &mut Frame, word: &str, line: usize, is_main: bool) -> bool {
        let language = self.language;
        let mut read = read_move_in(language, word, &frame.position);
        // Programs add variations in English to games in other languages.
        if !is_main && let Ok(m) = read_move_in(ENGLISH, word, &frame.position) {
            read = read.or(Ok(m));
        }
        let misread = match read {
            Ok(m) => {
                frame.line.moves.push(NotedMove::new(m, nags(split_suffix(word).1)));
                frame.before = frame.position.clone();
                frame.position.play_unchecked(m);
                let fault = is_main.then(|| self.numbers.fault(&frame.before, word)).flatten();
                if let Some(fault) = fault {
                    self.faults.add(line, fault);
                }
                return true;
            }
            Err(misread) => misread,
        };
        let last = frame.line.moves.last_mut();
        if let Some(noted) = last.filter(|_| is_remark(word)) {
            noted.nags.extend(nags(word));
            return true;
        }
        let letters: String = word.chars().filter(|c| c.is_alphabetic()).collect();
        let is_end = ENDS.split(' ').any(|end| end == letters.to_lowercase());
        if is_remark(word) || is_aside(word) || is_end {
            frame.comment(word);
            return true;
        }
        // Annotators write a null move for a threat. It is no move of a game, but its text is kept.
        let is_null = matches!(word, "--" | "Z0" | "0000" | "null" | "pass");
        if !is_null || is_main {
            let mut reason = match is_null {
                true => "a null move is no move of a game".to_owned(),
                false => misread.reason(&frame.position),
            };
            if !is_null && language != ENGLISH {
                reason = format!("with the letters of pieces in {}, {reason}", language.0);
            }
            let number = move_number(&frame.position);
            let fen = Fen::from_position(&frame.position, EnPassantMode::Legal);
            let (place, advice) = match is_main {
                true if self.numbers.starts_late => {
                    ("", "the game begins later; give its first position in a tag FEN")
                }
                true => ("", "correct this move or an earlier one"),
                false => (" of a variation", "the rest of the variation is kept as a comment"),
            };
            let fault =
                format!("move {number}{word}{place} cannot be read: {reason} in {fen}; {advice}");
            self.faults.add(line, fault);
        }
        false
    }
}
