//! One game in a PGN text: where it ends, its start position and its language.

use super::game::{Faults, Line, PlayedGame, value};
use super::language::{ENGLISH, LANGUAGES, Language};
use super::lexer::{Lexer, Placed, Token, is_usual_tag, result};
use super::moves::{read_move_in, read_usual_move};
use super::movetext::{Reader, is_aside, is_remark};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen};
use std::ops::Range;
use tropism::notation::{is_control, read_fen};

/// The parts of one game.
#[derive(Default)]
pub struct Section<'a> {
    line: usize,
    tags: Vec<(String, String)>,
    faults: Faults,
    /// Words before the first move.
    preface: Vec<String>,
    tokens: Vec<Placed<'a>>,
    /// The first so many tokens are text: neither moves nor numbers of moves.
    texts: usize,
    /// How many tokens have been judged to be text or not. A token that is judged twice counts twice.
    pub steps: usize,
    /// Whether the first move has been numbered.
    has_first: bool,
    /// The line of the result. What follows in this line belongs to the game.
    ended: Option<usize>,
    /// Where the game ends in the text, in bytes.
    end: usize,
}

impl<'a> Section<'a> {
    /// Takes the next game, or nothing at the end of the text.
    pub fn new(lexer: &mut Lexer<'a>) -> Option<Section<'a>> {
        let start = lexer.place;
        let mut section = Section { line: lexer.next()?.line, ..Section::default() };
        lexer.place = start;
        let mut closing: Option<Range<usize>> = None;
        loop {
            let before = lexer.place;
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
                } else if !placed.after_empty_line && section.ended.is_none() && !is_usual_tag(name)
                {
                    placed.token = Token::Comment(&lexer.text[placed.start..lexer.place.at]);
                }
            }
            if section.ends_before(&placed) {
                lexer.place = before;
                break;
            }
            match placed.token {
                Token::Tag(name, value) => section.tags.push((name.to_owned(), value)),
                Token::BrokenTag(text) if section.tokens.is_empty() => {
                    let fault =
                        format!("the tag {text:?} cannot be read; write it as [Name \"value\"]");
                    section.faults.add(placed.line, fault);
                    section.preface.push(text.to_owned());
                }
                Token::Word(_)
                | Token::Open
                | Token::Close
                | Token::Stray(_)
                | Token::Number(..)
                    if section.ended.is_some() =>
                {
                    closing.get_or_insert(placed.start..0).end = lexer.place.at;
                }
                _ => {
                    section.has_first |= matches!(placed.token, Token::Number(1, _));
                    if placed.depth == 0 && matches!(placed.token, Token::Result(_)) {
                        section.ended = Some(placed.line);
                    }
                    section.tokens.push(placed);
                }
            }
        }
        section.end = lexer.place.at;
        if let (Some(closing), Some(last)) = (closing, section.tokens.last().cloned()) {
            section.tokens.push(Placed { token: Token::Comment(&lexer.text[closing]), ..last });
        }
        section.skip_preface();
        Some(section)
    }

    /// Whether a token belongs to the next game.
    fn ends_before(&mut self, placed: &Placed<'_>) -> bool {
        match (&placed.token, self.ended) {
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
                let begins_game = placed.depth == 0 && self.has_first && placed.begins_line;
                begins_game && !self.is_text_only()
            }
            _ => false,
        }
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
        let variant = value(&self.tags, "Variant").unwrap_or("standard");
        let mode = match variant.to_lowercase().replace([' ', '-'], "").as_str() {
            "standard" | "chess" | "normal" | "fromposition" => None,
            "chess960" | "fischerandom" | "fischerrandom" => Some(CastlingMode::Chess960),
            _ => {
                return Err(format!(
                    "the tag Variant {variant:?}: only chess and Chess960 are known"
                ));
            }
        };
        let usual = || Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
        let fen = value(&self.tags, "FEN").map_or_else(usual, str::to_owned);
        read_fen(&fen, mode)
            .map_err(|error| format!("the tag FEN {fen:?}: {error}; correct the tag"))
    }

    /// The moves of the main line that people of a language write so, and whether these are all.
    fn moves(&self, start: &Chess, language: Language) -> (Vec<Move>, bool) {
        let mut position = start.clone();
        let mut moves = Vec::new();
        for placed in self.tokens.iter().filter(|placed| placed.depth == 0) {
            let Token::Word(word) = placed.token else { continue };
            if is_remark(word) || is_aside(word) {
                continue;
            }
            let Ok(m) = read_usual_move(language, word, &position) else { return (moves, false) };
            position.play_unchecked(m);
            moves.push(m);
        }
        (moves, true)
    }

    /// The language that reads most of the main line; English if no other reads more. Others can read as much and find
    /// other moves, which is a fault.
    fn language(&mut self, start: &Chess) -> Language {
        let (mut most, is_all) = self.moves(start, ENGLISH);
        let (mut best, mut doubt) = (ENGLISH, None);
        let others = if is_all { &[] } else { &LANGUAGES[1..] };
        for &language in others {
            let (moves, _) = self.moves(start, language);
            if moves.len() > most.len() {
                (best, most, doubt) = (language, moves, None);
            } else if best != ENGLISH && moves.len() == most.len() && moves != most {
                doubt = Some(language);
            }
        }
        if let Some(Language(other, _)) = doubt {
            let best = best.0;
            let fault = format!(
                "the letters of the pieces fit {best} and {other}, with different moves; {best} is taken"
            );
            self.faults.add(self.line, fault);
        }
        best
    }

    /// The result by the moves, or by the tag, which may know more than an open end of the moves.
    fn result(&mut self) -> String {
        let mut tokens = self.tokens.iter().rev().filter(|placed| placed.depth == 0);
        let of_moves = tokens.find_map(|placed| match placed.token {
            Token::Result(result) => Some(result),
            _ => None,
        });
        let tag = value(&self.tags, "Result");
        let of_tag = tag.and_then(result);
        if let (Some(tag), None) = (tag, of_tag) {
            let fault = format!("the tag Result says {tag:?}; write 1-0, 0-1, 1/2-1/2 or *");
            self.faults.add(self.line, fault);
        }
        of_moves.filter(|&result| result != "*").or(of_tag).unwrap_or("*").to_owned()
    }

    pub fn game(mut self, text: &str, number: usize) -> PlayedGame {
        let result = self.result();
        let (start, is_playable) = match self.start() {
            Ok(start) => (start, true),
            Err(fault) => {
                self.faults.add(self.line, fault);
                (Chess::default(), false)
            }
        };
        let language = if is_playable { self.language(&start) } else { ENGLISH };
        let mut reader = Reader::new(text, language, &self.tokens, self.end, self.faults);
        let line = match is_playable {
            true => reader.main_line(&start, self.preface),
            false => Line { comments: self.preface, moves: Vec::new() },
        };
        let mut faults = reader.faults;
        let moves: Vec<Move> = line.moves.iter().map(|noted| noted.m).collect();
        let has_tags = self.tags.iter().any(|(name, _)| is_usual_tag(name));
        if moves.is_empty() && faults.0.is_empty() && !has_tags {
            faults.add(self.line, "no move can be read; give a file in PGN");
        }
        PlayedGame {
            number,
            line: self.line,
            tags: self.tags,
            result,
            text: line,
            faults: faults.0,
            ..PlayedGame::new(start, moves)
        }
    }
}

impl PlayedGame {
    /// The result that the tags give, if it is one.
    pub fn tagged_result(&self) -> Option<&'static str> {
        value(&self.tags, "Result").and_then(result)
    }
}

/// Whether a token is neither a move in this position nor the number of one.
fn is_text(placed: &Placed<'_>, start: &Chess) -> bool {
    match placed.token {
        Token::Word(word) => {
            LANGUAGES.into_iter().all(|language| read_move_in(language, word, start).is_err())
        }
        Token::Comment(_) | Token::Number(_, 0) => true,
        Token::Number(..) => !placed.begins_line,
        _ => false,
    }
}
