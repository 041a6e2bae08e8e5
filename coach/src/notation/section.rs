//! One game in a PGN text: where it ends, its start position and its language.

use super::game::{PlayedGame, value};
use super::language::Language;
use super::lexer::{Lexer, Placed, Token, is_usual_tag, result};
use super::moves::{read_move_in, read_usual_move};
use super::movetext::{Frame, Numbers, Reader, is_aside, is_remark};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen};
use tropism::notation::{is_control, read_fen};

/// The parts of one game.
pub struct Section<'a> {
    line: usize,
    tags: Vec<(String, String)>,
    faults: Vec<String>,
    /// Words before the first move.
    preface: Vec<String>,
    tokens: Vec<Placed<'a>>,
    /// The first so many tokens are text: neither moves nor numbers of moves.
    texts: usize,
    /// How often a token was judged to be text or not.
    steps: usize,
    /// Where the game ends in the text, in bytes.
    end: usize,
}

impl<'a> Section<'a> {
    /// Takes the next game, or nothing at the end of the text.
    pub fn new(lexer: &mut Lexer<'a>) -> Option<Section<'a>> {
        let start = lexer.place();
        let first = lexer.next()?;
        lexer.go_back(start);
        let mut section = Section {
            line: first.line,
            tags: Vec::new(),
            faults: Vec::new(),
            preface: Vec::new(),
            tokens: Vec::new(),
            texts: 0,
            steps: 0,
            end: 0,
        };
        let mut has_first = false;
        // The line of the result. What follows in this line belongs to the game.
        let mut ended = None;
        let mut closing = None;
        loop {
            let before = lexer.place();
            let Some(mut placed) = lexer.next() else { break };
            if let Token::Tag(name, _) = placed.token
                && !section.tokens.is_empty()
            {
                // A comment between the tags of one game.
                let continues =
                    |(first, _): &(String, String)| first != name && !placed.after_empty_line;
                if section.tags.first().is_none_or(continues) && section.is_text_only() {
                    let all = section.tokens.len();
                    section.take_preface(all);
                } else if !placed.after_empty_line && ended.is_none() && !is_usual_tag(name) {
                    placed.token = Token::Comment(lexer.slice(placed.start, lexer.place().at));
                }
            }
            if section.ends_before(&placed, ended, has_first) {
                lexer.go_back(before);
                break;
            }
            match placed.token {
                Token::Comment(_) | Token::Nag(_) => {}
                Token::Word(_)
                | Token::Open
                | Token::Close
                | Token::Stray(_)
                | Token::Number(..)
                    if ended.is_some() =>
                {
                    let (start, _) = closing.unwrap_or((placed.start, 0));
                    closing = Some((start, lexer.place().at));
                    continue;
                }
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
                Token::Number(1, _) => has_first = true,
                Token::Result(_) if placed.depth == 0 => ended = Some(placed.line),
                _ => {}
            }
            section.tokens.push(placed);
        }
        section.end = lexer.place().at;
        if let (Some((start, end)), Some(last)) = (closing, section.tokens.last().cloned()) {
            section.tokens.push(Placed { token: Token::Comment(lexer.slice(start, end)), ..last });
        }
        section.skip_preface();
        Some(section)
    }

    /// Whether a token belongs to the next game. `ended` is the line of the result, and `has_first` whether the first
    /// move has been numbered.
    fn ends_before(&mut self, placed: &Placed<'_>, ended: Option<usize>, has_first: bool) -> bool {
        match (&placed.token, ended) {
            (Token::Tag(..), _) => !self.tokens.is_empty(),
            (Token::BrokenTag(_), _) => !self.tokens.is_empty() && placed.after_empty_line,
            (Token::Comment(_) | Token::Nag(_), Some(_)) => false,
            // A variation after the result, `1-0 (1... c5 was better)`, is no next game.
            (_, Some(line)) if placed.depth > 0 => placed.line != line,
            (
                Token::Word(_) | Token::Open | Token::Close | Token::Stray(_) | Token::Number(_, 0),
                Some(line),
            ) => placed.line != line,
            (_, Some(_)) => true,
            // A game without tags follows one without a result.
            (Token::Number(1, 0 | 1), None) => {
                let begins_game = placed.depth == 0 && has_first && placed.begins_line;
                begins_game && !self.is_text_only()
            }
            _ => false,
        }
    }

    /// How many tokens have been judged to be text or not. A token that is judged twice counts twice.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Whether there are no moves yet. No token of text is judged again when the next one is added.
    fn is_text_only(&mut self) -> bool {
        while let Some(placed) = self.tokens.get(self.texts) {
            self.steps += 1;
            if !is_text(placed, &Chess::default()) {
                return false;
            }
            self.texts += 1;
        }
        true
    }

    /// Words before the first number of a move are no moves, unless there is no number.
    fn skip_preface(&mut self) {
        let is_numbered = |placed: &Placed<'_>| matches!(placed.token, Token::Number(_, 1..));
        let is_number = |placed: &Placed<'_>| matches!(placed.token, Token::Number(..));
        let start = self.start().unwrap_or_default();
        // A heading can have numbers with dots as well: `Round 3. Smith`.
        let is_first = |pair: &[Placed<'_>]| {
            pair[0].begins_line && is_numbered(&pair[0]) && !is_text(&pair[1], &start)
        };
        let first = self.tokens.windows(2).position(is_first);
        let first = first.or_else(|| self.tokens.iter().position(is_numbered));
        let first = first.or_else(|| self.tokens.iter().position(is_number)).unwrap_or(0);
        if self.tokens[..first].iter().all(|placed| is_text(placed, &start)) {
            self.take_preface(first);
        }
    }

    /// The first tokens are a comment.
    fn take_preface(&mut self, count: usize) {
        let words = self.tokens.drain(..count).map(|placed| match placed.token {
            Token::Word(word) | Token::Comment(word) => word.trim().to_owned(),
            Token::Number(number, _) => number.to_string(),
            _ => String::new(),
        });
        let text = words.collect::<Vec<_>>().join(" ").replace(is_control, "");
        self.preface.extend((!text.is_empty()).then_some(text));
        self.texts = 0;
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
        read_fen(&fen, mode)
            .map_err(|error| format!("the tag FEN {fen:?}: {error}; correct the tag"))
    }

    /// The moves of the main line that people of a language write so, and whether these are all.
    fn moves(&self, start: &Chess, language: Language) -> (Vec<Move>, bool) {
        let mut position = start.clone();
        let mut moves = Vec::new();
        for placed in &self.tokens {
            match placed.token {
                Token::Word(word) if placed.depth == 0 && !is_remark(word) && !is_aside(word) => {
                    let Ok(m) = read_usual_move(language, word, &position) else {
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

    pub fn game(mut self, text: &str, number: usize) -> PlayedGame {
        let mut tokens = self.tokens.iter().rev().filter(|placed| placed.depth == 0);
        let result_of_moves = tokens.find_map(|placed| match placed.token {
            Token::Result(result) => Some(result),
            _ => None,
        });
        // The tag may know more than an open end of the moves.
        let of_tag = value(&self.tags, "Result").and_then(result);
        let tag = value(&self.tags, "Result");
        if let Some(tag) = tag.filter(|_| of_tag.is_none()) {
            self.faults.push(format!(
                "line {}: the tag Result says {tag:?}; write 1-0, 0-1, 1/2-1/2 or *",
                self.line
            ));
        }
        if let (Some(tag), Some(moves)) = (of_tag, result_of_moves)
            && ![tag, moves].contains(&"*")
            && tag != moves
        {
            self.faults.push(format!(
                "line {}: the tag Result says {tag} and the moves end with {moves}; {moves} is taken",
                self.line
            ));
        }
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
            frames: vec![Frame::new(&start, (self.line, 0))],
            faults: std::mem::take(&mut self.faults),
            numbers: Numbers::default(),
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
            line: self.line,
            tags: self.tags,
            result,
            text: line,
            language,
            faults,
            ..PlayedGame::new(start, moves)
        };
        if game.moves.is_empty()
            && game.faults.is_empty()
            && !game.tags.iter().any(|(name, _)| is_usual_tag(name))
        {
            game.faults
                .push(format!("line {}: no move can be read; give a file in PGN", game.line));
        }
        game
    }
}

/// Whether a token is neither a move in this position nor the number of one.
fn is_text(placed: &Placed<'_>, start: &Chess) -> bool {
    match placed.token {
        Token::Word(word) => {
            Language::ALL.iter().all(|&language| read_move_in(language, word, start).is_err())
        }
        Token::Comment(_) | Token::Number(_, 0) => true,
        Token::Number(..) => !placed.begins_line,
        _ => false,
    }
}
