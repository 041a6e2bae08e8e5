//! Games in PGN, as programs, sites and people write them.

use super::language::Language;
use super::lexer::{Lexer, Placed, Token, result};
use super::moves::{Misread, read_move_in, split_suffix};
use crate::search::Game;
use crate::text::move_number;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen, san::SanPlus};
use std::ops::Range;

/// A game of a PGN text.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Its number in the text, from 1.
    pub number: usize,
    /// The file, where games of several are shown.
    pub file: Option<String>,
    /// The line of the text where it begins, from 1.
    pub line: usize,
    /// The tags in their order, with their values.
    pub tags: Vec<(String, String)>,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` if the result is not known.
    pub result: String,
    /// The start position.
    pub start: Chess,
    /// The moves, up to the first that cannot be read.
    pub moves: Vec<Move>,
    /// The moves again, with comments, marks and variations.
    pub text: Line,
    /// The language of the letters of the pieces.
    pub language: Language,
    /// What cannot be read, and where.
    pub faults: Vec<String>,
}

/// A row of moves with its notes.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<NotedMove>,
}

/// A move with its notes.
#[derive(Clone, Debug)]
pub struct NotedMove {
    /// The move.
    pub m: Move,
    /// Numeric annotation glyphs, such as 4 for `??`.
    pub nags: Vec<u32>,
    /// The comments after it. What cannot be read of a variation is here as well.
    pub comments: Vec<String>,
    /// What could be played instead of it.
    pub variations: Vec<Line>,
}

/// The tags that every game should have, in the order of the PGN standard, with the values that mean
/// "not known".
pub const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Variations may be nested so deep. What is deeper stays text.
const MAX_NESTING: usize = 250;

/// Words that say how a game ended.
const ENDS: [&str; 14] = [
    "adjourned",
    "agreed",
    "black",
    "checkmate",
    "draw",
    "drawn",
    "flag",
    "forfeit",
    "mate",
    "resigned",
    "resigns",
    "stalemate",
    "time",
    "white",
];

/// Marks and signs after a move, as words or at its end, and their numbers in PGN. The longest come first.
const MARKS: [(&str, u32); 33] = [
    ("+/=", 14),
    ("=/+", 15),
    ("+/-", 16),
    ("-/+", 17),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("+=", 14),
    ("=+", 15),
    ("+-", 18),
    ("-+", 19),
    ("\u{203c}", 3),
    ("\u{2047}", 4),
    ("\u{2049}", 5),
    ("\u{2048}", 6),
    ("!", 1),
    ("?", 2),
    ("\u{25a1}", 7),
    ("=", 10),
    ("\u{221e}", 13),
    ("\u{2a72}", 14),
    ("\u{2a71}", 15),
    ("\u{b1}", 16),
    ("\u{2213}", 17),
    ("\u{2a00}", 22),
    ("\u{27f3}", 32),
    ("\u{2191}", 36),
    ("\u{2192}", 40),
    ("\u{21c6}", 132),
    ("\u{2a01}", 138),
    ("N", 146),
    ("\u{2206}", 140),
];

impl PlayedGame {
    /// The players and the result.
    pub fn heading(&self) -> String {
        let [white, black] = ["White", "Black"].map(|name| value(&self.tags, name).unwrap_or("?"));
        format!("{white} - {black}, {}", self.result)
    }

    /// One move as players write it, `22.Nd5`, or two, `22.Nd5 in answer to 21...d4`. Returns the
    /// position after them as well.
    pub fn name(&self, plies: Range<usize>) -> (String, Chess) {
        let mut position = self.position(plies.start);
        let mut names = Vec::new();
        for &m in &self.moves[plies] {
            let number = move_number(&position);
            let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
            names.push(format!("{number}{san}"));
        }
        names.reverse();
        (names.join(" in answer to "), position)
    }

    /// The number of the game, with its file if there are several, and the heading.
    pub fn title(&self) -> String {
        let file = self.file.as_ref().map(|file| format!("{file}, ")).unwrap_or_default();
        format!("{file}game {}: {}", self.number, self.heading())
    }

    /// All that cannot be read, in one line.
    pub fn fault(&self) -> Option<String> {
        (!self.faults.is_empty()).then(|| self.faults.join("; "))
    }

    /// All that cannot be read, with the number of the game and the players.
    pub fn numbered_fault(&self) -> Option<String> {
        let fault = self.fault()?;
        Some(format!("game {} ({}), {fault}", self.number, self.heading()))
    }

    /// The position after this many plies.
    pub fn position(&self, plies: usize) -> Chess {
        after(&self.start, &self.moves[..plies])
    }
}

/// The position after some legal moves.
pub fn after(start: &Chess, moves: &[Move]) -> Chess {
    let mut position = start.clone();
    for &m in moves {
        position.play_unchecked(m);
    }
    position
}

/// Reads the games of a text one by one.
///
/// Each game is read as far as possible, and what cannot be read is named in [`PlayedGame::faults`]. Pieces may have
/// the letters of another language if these fit the whole game better than English.
///
/// ```
/// use tropism::notation::Games;
/// let text = "1. e4 e5 2. Sf3 Sc6 3. Lb5 *  1. d4 d5 2. Ke3 *";
/// let games: Vec<_> = Games::new(text).collect();
/// assert_eq!((games[0].moves.len(), games[0].faults.len()), (5, 0));
/// assert_eq!(games[1].moves.len(), 2);
/// assert!(games[1].faults[0].starts_with("line 1: move 2.Ke3 cannot be read: no king can go to e3"));
/// ```
#[derive(Clone, Debug)]
pub struct Games {
    text: String,
    at: usize,
    line: usize,
    number: usize,
}

impl Games {
    /// Reads games in PGN.
    pub fn new(text: &str) -> Games {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        Games { text, at: 0, line: 1, number: 0 }
    }
}

impl Iterator for Games {
    type Item = PlayedGame;

    fn next(&mut self) -> Option<PlayedGame> {
        let mut lexer = Lexer::new(&self.text, self.at, self.line);
        let section = Section::new(&mut lexer)?;
        self.number += 1;
        let game = section.game(&self.text, self.number);
        (self.at, self.line) = lexer.place();
        Some(game)
    }
}

/// The parts of one game.
struct Section<'a> {
    line: usize,
    tags: Vec<(String, String)>,
    faults: Vec<String>,
    /// Words before the first move.
    preface: Vec<String>,
    tokens: Vec<Placed<'a>>,
    /// Where the game ends in the text, in bytes.
    end: usize,
}

impl<'a> Section<'a> {
    /// Takes the next game, or nothing at the end of the text.
    fn new(lexer: &mut Lexer<'a>) -> Option<Section<'a>> {
        let first = lexer.clone().next()?;
        let mut section = Section {
            line: first.line,
            tags: Vec::new(),
            faults: Vec::new(),
            preface: Vec::new(),
            tokens: Vec::new(),
            end: 0,
        };
        let mut depth = 0_usize;
        let mut is_numbered = false;
        // The line of the result, after which only comments belong to the game.
        let mut ended = None;
        loop {
            let before = *lexer;
            let Some(placed) = lexer.next() else { break };
            let is_next_game = match (&placed.token, ended) {
                (Token::Tag(..), _) => !section.tokens.is_empty(),
                (Token::Comment(_) | Token::Nag(_), Some(_)) => false,
                (Token::Word(_), Some(line)) => placed.line != line,
                (_, Some(_)) => true,
                // A game without tags follows one without a result.
                (Token::Number(1, 0 | 1), None) => depth == 0 && is_numbered && placed.begins_line,
                _ => false,
            };
            if is_next_game {
                *lexer = before;
                break;
            }
            match placed.token {
                Token::Tag(name, value) => {
                    section.tags.push((name.to_owned(), value));
                    continue;
                }
                Token::BrokenTag(text) if section.tokens.is_empty() => {
                    section.faults.push(format!(
                        "line {}: the tag {text:?} cannot be read; write it as [Name \"value\"]",
                        placed.line
                    ));
                    section.preface.push(text.to_owned());
                    continue;
                }
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                Token::Number(_, 1..) => is_numbered = true,
                Token::Result(_) if depth == 0 => ended = Some(placed.line),
                _ => {}
            }
            section.tokens.push(placed);
        }
        section.end = lexer.place().0;
        section.skip_preface();
        Some(section)
    }

    /// Words before the first number of a move are no moves, unless there is no number.
    fn skip_preface(&mut self) {
        let is_numbered = |placed: &Placed<'_>| matches!(placed.token, Token::Number(_, 1..));
        let is_number = |placed: &Placed<'_>| matches!(placed.token, Token::Number(..));
        let first = self.tokens.iter().position(is_numbered);
        let first = first.or_else(|| self.tokens.iter().position(is_number)).unwrap_or(0);
        let start = Chess::default();
        let is_text = |placed: &Placed<'_>| match placed.token {
            Token::Word(word) => {
                Language::ALL.iter().all(|&language| read_move_in(language, word, &start).is_err())
            }
            Token::Comment(_) | Token::Number(_, 0) => true,
            _ => false,
        };
        if value(&self.tags, "FEN").is_some() || !self.tokens[..first].iter().all(is_text) {
            return;
        }
        let words = self.tokens.drain(..first).map(|placed| match placed.token {
            Token::Word(word) | Token::Comment(word) => word.to_owned(),
            Token::Number(number, _) => number.to_string(),
            _ => String::new(),
        });
        let text = words.collect::<Vec<_>>().join(" ");
        self.preface.extend((!text.is_empty()).then_some(text));
    }

    /// The start position, which the tags `FEN` and `Variant` may change.
    fn start(&self) -> Result<Chess, String> {
        let mode = match value(&self.tags, "Variant") {
            None => None,
            Some(variant) => match variant.to_lowercase().replace([' ', '-'], "").as_str() {
                "standard" | "chess" | "normal" | "fromposition" => None,
                "chess960" | "fischerandom" | "fischerrandom" => Some(CastlingMode::Chess960),
                _ => {
                    return Err(format!(
                        "the tag Variant {variant:?}: only chess and Chess960 are known"
                    ));
                }
            },
        };
        let fen = match (value(&self.tags, "FEN"), mode) {
            (Some(fen), _) => fen.to_owned(),
            (None, None) => return Ok(Chess::default()),
            (None, Some(_)) => {
                Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string()
            }
        };
        let game = Game::from_fen(&fen, mode)
            .map_err(|error| format!("the tag FEN {fen:?}: {error}; correct the tag"))?;
        Ok(game.position().chess().clone())
    }

    /// The moves of the main line that a language reads, and whether these are all.
    fn moves(&self, start: &Chess, language: Language) -> (Vec<Move>, bool) {
        let mut position = start.clone();
        let mut depth = 0_usize;
        let mut moves = Vec::new();
        for placed in &self.tokens {
            match placed.token {
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                Token::Word(word) if depth == 0 && !is_remark(word) => {
                    let Ok(m) = read_move_in(language, word, &position) else {
                        return (moves, false);
                    };
                    position.play_unchecked(m);
                    moves.push(m);
                }
                _ => {}
            }
        }
        (moves, true)
    }

    /// The language that reads most of the main line; English if no other reads more. Others can read as much and find
    /// other moves, which is a fault.
    fn language(&mut self, start: &Chess) -> Language {
        let (english, is_all) = self.moves(start, Language::English);
        if is_all {
            return Language::English;
        }
        let (mut best, mut most) = (Language::English, english);
        let mut doubt = None;
        for language in Language::ALL.into_iter().skip(1) {
            let (moves, _) = self.moves(start, language);
            if moves.len() > most.len() {
                (best, most, doubt) = (language, moves, None);
            } else if best != Language::English && moves.len() == most.len() && moves != most {
                doubt = Some(language);
            }
        }
        if let Some(other) = doubt {
            self.faults.push(format!(
                "line {}: the letters of the pieces fit {best} and {other}, with different moves; {best} is taken",
                self.line
            ));
        }
        best
    }

    fn game(mut self, text: &str, number: usize) -> PlayedGame {
        let result_of_moves = self.tokens.iter().rev().find_map(|placed| match placed.token {
            Token::Result(result) => Some(result),
            _ => None,
        });
        // The tag may know more than an open end of the moves.
        let of_tag = value(&self.tags, "Result").and_then(result);
        let result =
            result_of_moves.filter(|&result| result != "*").or(of_tag).unwrap_or("*").to_owned();
        let (start, is_playable) = match self.start() {
            Ok(start) => (start, true),
            Err(fault) => {
                self.faults.push(format!("line {}: {fault}", self.line));
                (Chess::default(), false)
            }
        };
        let language = if is_playable { self.language(&start) } else { Language::English };
        let mut reader = Reader {
            text,
            language,
            frames: vec![Frame::new(&start, self.line)],
            faults: std::mem::take(&mut self.faults),
        };
        reader.frames[0].line.comments = std::mem::take(&mut self.preface);
        if is_playable {
            reader.read(&self.tokens, self.end);
        }
        let Reader { language, faults, mut frames, .. } = reader;
        let line = frames.pop().map(|frame| frame.line).unwrap_or_default();
        let moves = line.moves.iter().map(|noted| noted.m).collect();
        let mut game = PlayedGame {
            number,
            file: None,
            line: self.line,
            tags: self.tags,
            result,
            start,
            moves,
            text: line,
            language,
            faults,
        };
        let is_known = |(name, _): &(String, String)| {
            name == "FEN" || ROSTER.iter().any(|(known, _)| known == name)
        };
        if game.moves.is_empty() && game.faults.is_empty() && !game.tags.iter().any(is_known) {
            game.faults
                .push(format!("line {}: no move can be read; give a file in PGN", game.line));
        }
        game
    }
}

/// The value of a tag, if it has one.
fn value<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let tag = tags.iter().find(|(known, _)| known == name);
    tag.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
}

/// Whether a word says something about the move before it: a sign, `e.p.`, `mate`.
fn is_remark(word: &str) -> bool {
    let (rest, _) = split_suffix(word);
    rest.is_empty() || matches!(word, "dbl" | "dis" | "N") || marks(word).is_some()
}

/// The numbers in PGN of the signs at the end of a move or in a word of their own. `None` if there are others.
fn marks(signs: &str) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    let mut rest = signs;
    while !rest.is_empty() {
        if let Some((sign, number)) = MARKS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            numbers.push(*number);
            rest = &rest[sign.len()..];
        } else {
            rest = rest.strip_prefix(['+', '#', '\u{2020}', '\u{2021}', ',', '.'])?;
        }
    }
    Some(numbers)
}

/// A line that is being read.
struct Frame {
    line: Line,
    /// The position before its last move, from which variations start.
    before: Chess,
    position: Chess,
    /// The line of the text where it begins.
    opened: usize,
    /// Where the text begins that cannot be read, in bytes.
    unread: Option<usize>,
    /// Open brackets in what cannot be read.
    open: usize,
}

impl Frame {
    fn new(position: &Chess, opened: usize) -> Frame {
        Frame {
            line: Line::default(),
            before: position.clone(),
            position: position.clone(),
            opened,
            unread: None,
            open: 0,
        }
    }

    /// Adds a comment after the last move.
    fn comment(&mut self, text: &str) {
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
struct Reader<'a> {
    text: &'a str,
    language: Language,
    /// The main line, and the variations that are open.
    frames: Vec<Frame>,
    faults: Vec<String>,
}

impl Reader<'_> {
    fn read(&mut self, tokens: &[Placed<'_>], end: usize) {
        for placed in tokens {
            let is_main = self.frames.len() == 1;
            let Some(frame) = self.frames.last_mut() else { return };
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
                    self.faults.push(format!(
                        "line {}: the comment that begins here never ends; close it with }}",
                        placed.line
                    ));
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
                self.faults.push(format!(
                    "line {}: the variation that begins here never ends; close it with )",
                    frame.opened
                ));
            }
            self.close(end);
        }
    }

    fn stray(&mut self, placed: &Placed<'_>, sign: char) {
        self.faults.push(format!("line {}: this {sign} closes nothing; remove it", placed.line));
    }

    /// Begins a variation.
    fn open(&mut self, placed: &Placed<'_>) {
        let depth = self.frames.len();
        let Some(frame) = self.frames.last() else { return };
        let mut variation = Frame::new(&frame.before, placed.line);
        let reason = if frame.line.moves.is_empty() {
            Some("before the first move there can be no variation".to_owned())
        } else if depth > MAX_NESTING {
            Some(format!("variations can be nested {MAX_NESTING} deep"))
        } else {
            None
        };
        if let Some(reason) = reason {
            self.faults
                .push(format!("line {}: {reason}; its text is kept as a comment", placed.line));
            variation.unread = Some(placed.start + 1);
        }
        self.frames.push(variation);
    }

    /// Ends the last variation, before this place in the text.
    fn close(&mut self, end: usize) {
        let Some(mut variation) = self.frames.pop() else { return };
        if let Some(start) = variation.unread {
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
        let misread = match read_move_in(language, word, &frame.position) {
            Ok(m) => {
                let nags = marks(split_suffix(word).1).unwrap_or_default();
                let (comments, variations) = (Vec::new(), Vec::new());
                frame.line.moves.push(NotedMove { m, nags, comments, variations });
                frame.before = frame.position.clone();
                frame.position.play_unchecked(m);
                return true;
            }
            Err(misread) => misread,
        };
        if is_remark(word) {
            let nags = marks(word).unwrap_or_default();
            if let Some(noted) = frame.line.moves.last_mut() {
                noted.nags.extend(nags);
            }
            return true;
        }
        let letters: String = word.chars().filter(|c| c.is_alphabetic()).collect();
        if ENDS.contains(&letters.to_lowercase().as_str()) {
            frame.comment(word);
            return true;
        }
        // Annotators write a null move for a threat. It is no move of a game, but its text is kept.
        let is_null = matches!(word, "--" | "Z0" | "0000" | "null" | "pass");
        if !(is_null && !is_main) {
            let reason = match (&misread, is_null) {
                (_, true) => "a null move is no move of a game".to_owned(),
                (misread, _) => reason(misread, language, &frame.position),
            };
            let number = move_number(&frame.position);
            let fen = Fen::from_position(&frame.position, EnPassantMode::Legal);
            let (place, advice) = match is_main {
                true => ("", "correct this move or an earlier one"),
                false => (" of a variation", "the rest of the variation is kept as a comment"),
            };
            self.faults.push(format!(
                "line {}: move {number}{word}{place} cannot be read: {reason} in {fen}; {advice}",
                placed.line
            ));
        }
        if !is_main {
            frame.unread = Some(placed.start);
        }
        false
    }
}

/// Why a word is no move, and what may help.
fn reason(misread: &Misread, language: Language, position: &Chess) -> String {
    let reason = misread.reason(position);
    match language {
        Language::English => reason,
        _ => format!("with the letters of pieces in {language}, {reason}"),
    }
}
