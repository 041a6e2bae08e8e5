//! The moves of a game in PGN, with comments, marks and variations.

use super::game::{Faults, Line, NotedMove};
use super::language::{ENGLISH, Language};
use super::lexer::{Placed, Token};
use super::moves::{marks, read_move_in, split_suffix};
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
    rest.is_empty() || matches!(word, "dbl" | "dis") || marks().any(|(sign, _)| sign == word)
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
        let known = marks().find(|(sign, _)| rest.starts_with(sign));
        numbers.extend(known.map(|(_, number)| number));
        rest = &rest[known.map_or(first.len_utf8(), |(sign, _)| sign.len())..];
    }
    numbers
}

/// A line that is being read.
pub struct Frame {
    pub line: Line,
    /// The position before its last move, from which variations start.
    before: Chess,
    position: Chess,
    /// The line of the text where it begins, and the place in bytes.
    opened: (usize, usize),
    /// Where the text begins that cannot be read, in bytes.
    unread: Option<usize>,
    /// Open brackets in what cannot be read.
    open: usize,
}

impl Frame {
    pub fn new(position: &Chess, opened: (usize, usize)) -> Frame {
        Frame {
            line: Line::default(),
            before: position.clone(),
            position: position.clone(),
            opened,
            unread: None,
            open: 0,
        }
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
    pub text: &'a str,
    pub language: Language,
    /// The main line, and the variations that are open.
    pub frames: Vec<Frame>,
    pub faults: Faults,
    pub numbers: Numbers,
}

/// The numbers of the moves in the main line. A wrong one is named: moves may be missing or mixed.
#[derive(Default)]
pub struct Numbers {
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

impl Reader<'_> {
    pub fn read(&mut self, tokens: &[Placed<'_>], end: usize) {
        for placed in tokens {
            let is_main = self.frames.len() == 1;
            let Some(frame) = self.frames.last_mut() else { return };
            if let (Token::Number(number @ 1.., dots), true) = (&placed.token, is_main) {
                self.numbers.pending = Some(*number);
                self.numbers.starts_late =
                    frame.position == Chess::default() && (*number > 1 || *dots > 1);
            }
            match placed.token {
                Token::Open if frame.unread.is_some() => frame.open += 1,
                Token::Close if frame.unread.is_some() && frame.open > 0 => frame.open -= 1,
                Token::Close if is_main => self.stray(placed, ')'),
                Token::Close => self.close(placed.start),
                _ if frame.unread.is_some() => {}
                Token::Open => self.open(placed),
                Token::Comment(text) => frame.comment(text),
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
                Token::Word(word) => {
                    let is_read = self.word(word, placed);
                    if is_main && !is_read {
                        // The moves after it cannot be played.
                        let text = self.text[placed.start..end].trim();
                        if let Some(frame) = self.frames.last_mut() {
                            frame.comment(&format!("not read: {text}"));
                        }
                        return;
                    }
                }
                Token::BrokenTag(text) => frame.comment(text),
                Token::Number(..) | Token::Result(_) | Token::Tag(..) => {}
            }
        }
        while self.frames.len() > 1 {
            if let Some(frame) = self.frames.last() {
                let fault = "the variation that begins here never ends; close it with )";
                self.faults.add(frame.opened.0, fault);
            }
            self.close(end);
        }
    }

    fn stray(&mut self, placed: &Placed<'_>, sign: char) {
        let fault = match sign {
            '[' | '{' => "is never closed; close it or remove it",
            _ => "closes nothing; remove it",
        };
        self.faults.add(placed.line, format!("this {sign} {fault}"));
    }

    /// Begins a variation.
    fn open(&mut self, placed: &Placed<'_>) {
        let depth = self.frames.len();
        let Some(frame) = self.frames.last() else { return };
        let mut variation = Frame::new(&frame.before, (placed.line, placed.start + 1));
        let reason = match frame.line.moves.is_empty() {
            true => Some("before the first move there can be no variation".to_owned()),
            false => (depth > MAX_NESTING)
                .then(|| format!("variations can be nested {MAX_NESTING} deep")),
        };
        if let Some(reason) = reason {
            self.faults.add(placed.line, format!("{reason}; its text is kept as a comment"));
            variation.unread = Some(placed.start + 1);
        }
        self.frames.push(variation);
    }

    /// Ends the last variation, before this place in the text.
    fn close(&mut self, end: usize) {
        let Some(mut variation) = self.frames.pop() else { return };
        let is_empty = variation.line.moves.is_empty() && variation.line.comments.is_empty();
        let start = variation.unread.or(is_empty.then_some(variation.opened.1));
        if let Some(start) = start {
            variation.comment(&self.text[start..end]);
        }
        let Some(frame) = self.frames.last_mut() else { return };
        match frame.line.moves.last_mut() {
            Some(noted) if !variation.line.moves.is_empty() => {
                noted.variations.push(variation.line)
            }
            // A variation of comments only is a comment.
            _ => variation.line.comments.iter().for_each(|comment| frame.comment(comment)),
        }
    }

    /// Plays a move, or takes a remark. Returns whether the line can go on.
    fn word(&mut self, word: &str, placed: &Placed<'_>) -> bool {
        let is_main = self.frames.len() == 1;
        let language = self.language;
        let Some(frame) = self.frames.last_mut() else { return false };
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
                    self.faults.add(placed.line, fault);
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
            self.faults.add(placed.line, fault);
        }
        if !is_main {
            frame.unread = Some(placed.start);
        }
        false
    }
}
