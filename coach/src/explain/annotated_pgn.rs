//! Games in PGN with the values of the search, marks, better lines and comments.
//!
//! The commands in comments, `[%eval 0.35]`, `[%cal Gd1d8]` and `[%csl Rf7]`, are those of Lichess,
//! which many programs read.

use super::game_review::GameReview;
use super::mistakes::ReviewedMove;
use crate::assess::WhiteValue;
use crate::board::ends;
use crate::exercise::{after, fen};
use crate::notation::{Line, NotedMove, ROSTER};
use shakmaty::{CastlingMode, Chess, Color, Move, Position, san::SanPlus};
use std::fmt::{self, Write};
use tropism::text::{capitalized, move_number};

/// Lines are shorter than this, as the export format of the PGN standard has them.
const LINE: usize = 80;

impl GameReview {
    /// The game in PGN. Each move has the value of the search as a comment. A mistake has its mark,
    /// arrows for the better move (green) and for the reply (red), the square that the reply hits
    /// (red), the reasons in words, and the better line as a variation. Comments, marks and variations that the game
    /// had already follow.
    pub fn pgn(&self) -> impl fmt::Display {
        fmt::from_fn(|f| {
            for (name, value) in self.tags() {
                let value = value.replace('\\', "\\\\").replace('"', "\\\"");
                writeln!(f, "[{name} \"{value}\"]")?;
            }
            writeln!(f)?;
            let mut column = 0;
            let mut tokens = movetext(&self.annotated(), &self.game.start);
            for fault in &self.game.faults {
                tokens.extend(comment(&words(&format!("The file is broken: {fault}."))));
            }
            tokens.push(self.game.result.clone());
            // A line may end between them.
            for token in tokens {
                let width = token.chars().count();
                if column > 0 && column + 1 + width >= LINE {
                    f.write_char('\n')?;
                    column = 0;
                } else if column > 0 {
                    f.write_char(' ')?;
                    column += 1;
                }
                f.write_str(&token)?;
                column += width;
            }
            writeln!(f)
        })
    }

    /// The seven tags that every game has, and then the others of the file. Those about the start
    /// position and the result are what was read.
    fn tags(&self) -> Vec<(&str, String)> {
        const OWN: [&str; 5] = ["Result", "Variant", "SetUp", "FEN", "Annotator"];
        const NAME: &str = concat!("tropism ", env!("CARGO_PKG_VERSION"));
        let game = &self.game;
        let given = |name: &str| {
            let tag = game.tags.iter().find(|(known, _)| known == name);
            tag.map(|(_, value)| value.as_str())
        };
        let roster = ROSTER.iter().map(|&(name, unknown)| match name {
            "Result" => (name, game.result.clone()),
            _ => (name, given(name).unwrap_or(unknown).to_owned()),
        });
        let mut tags: Vec<(&str, String)> = roster.collect();
        for (name, value) in &game.tags {
            let tag = (name.as_str(), value.clone());
            if !OWN.contains(&tag.0) && !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        let is_chess960 = game.start.castles().mode() == CastlingMode::Chess960;
        if is_chess960 {
            tags.push(("Variant", "Chess960".to_owned()));
        }
        if is_chess960 || game.start != Chess::default() {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", fen(&game.start))]);
        }
        let annotator = match given("Annotator") {
            Some(other) if other.ends_with(NAME) => other.to_owned(),
            Some(other) => format!("{other}, {NAME}"),
            None => NAME.to_owned(),
        };
        tags.push(("Annotator", annotator));
        tags
    }

    /// The game with what the review says of each move before what the file says.
    fn annotated(&self) -> Line {
        let mut line = self.game.text.clone();
        drop_values(&mut line);
        for (ply, (noted, reviewed)) in line.moves.iter_mut().zip(&self.moves).enumerate() {
            let mut parts = commands(reviewed, noted.m);
            let mut sentences = reviewed.sentences();
            if let Some(mark) = reviewed.mark {
                sentences.push(format!("It leads to {}.", reviewed.played_san()));
                // One judgement of a move is enough.
                noted.nags.retain(|&other| other > 6);
                noted.nags.insert(0, mark as u32);
                if mark.is_mistake() {
                    noted.variations.insert(0, Line::of_moves(&reviewed.best.moves));
                }
            }
            // How the game ended, if the rules ended it.
            let length = self.length();
            let end = length.split_once(", ").filter(|_| ply + 1 == self.moves.len());
            sentences.extend(end.map(|(_, end)| format!("{}.", capitalized(end))));
            parts.extend(sentences.iter().map(|sentence| words(sentence)));
            noted.comments.insert(0, parts.join(" "));
        }
        line
    }
}

/// The value for programs, and after a mistake arrows and squares.
fn commands(reviewed: &ReviewedMove, m: Move) -> Vec<String> {
    let value = match reviewed.played.value {
        WhiteValue::Centipawns(value) => Some(format!("{:.2}", f64::from(value) / 100.0)),
        // After mate there is nothing to say: the standard has no sign for it.
        WhiteValue::Mate(_, 0) => None,
        mate => Some(mate.figure()),
    };
    let mut commands = Vec::from_iter(value.map(|value| format!("[%eval {value}]")));
    if !reviewed.is_mistake() {
        return commands;
    }
    let (side, position) = (reviewed.side(), after(reviewed.position(), m));
    let (better, reply) = (reviewed.best.moves.first(), reviewed.played.moves.get(1));
    let better = better.and_then(|&m| arrow('G', m, side));
    let arrows = [better, reply.and_then(|&m| arrow('R', m, !side))];
    let arrows: Vec<String> = arrows.into_iter().flatten().collect();
    if !arrows.is_empty() {
        commands.push(format!("[%cal {}]", arrows.join(",")));
    }
    let square = match (reviewed.played.value, reply) {
        // The king that is mated.
        (WhiteValue::Mate(winner, _), _) => position.board().king_of(!winner),
        (_, Some(reply)) if reply.is_capture() => Some(reply.to()),
        _ => None,
    };
    commands.extend(square.map(|square| format!("[%csl R{square}]")));
    commands
}

/// A coloured arrow for a move. For castling, the move of the king.
fn arrow(colour: char, m: Move, side: Color) -> Option<String> {
    let (from, to) = ends(m, side).filter(|(from, to)| from != to)?;
    Some(format!("{colour}{from}{to}"))
}

/// A sentence in a comment. A bracket with a percent sign would begin a command.
fn words(sentence: &str) -> String {
    sentence.replace("[%", "[")
}

/// Leaves out the values that some program gave the positions.
fn drop_values(line: &mut Line) {
    let noted = line.moves.iter_mut().flat_map(|noted| &mut noted.comments);
    for text in line.comments.iter_mut().chain(noted) {
        while let Some((before, command)) = text.split_once("[%eval") {
            let after = command.split_once(']').map_or("", |(_, after)| after);
            *text = format!("{before}{after}");
        }
    }
    line.moves.iter_mut().flat_map(|noted| &mut noted.variations).for_each(drop_values);
}

/// The moves of a line with their notes.
fn movetext(line: &Line, start: &Chess) -> Vec<String> {
    let mut position = start.clone();
    let mut tokens: Vec<String> = line.comments.iter().flat_map(|text| comment(text)).collect();
    // Black's moves have a number at the start and after notes.
    let mut is_numbered = true;
    for NotedMove { m, nags, comments, variations } in &line.moves {
        let before = position.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut position, *m);
        match is_numbered || before.turn().is_white() {
            true => tokens.push(format!("{} {san}", move_number(&before))),
            false => tokens.push(san.to_string()),
        }
        tokens.extend(nags.iter().map(|nag| format!("${nag}")));
        tokens.extend(comments.iter().flat_map(|text| comment(text)));
        for variation in variations {
            let mut inner = movetext(variation, &before);
            inner.first_mut().into_iter().for_each(|first| first.insert(0, '('));
            inner.last_mut().into_iter().for_each(|last| last.push(')'));
            tokens.extend(inner);
        }
        is_numbered = !comments.is_empty() || !variations.is_empty();
    }
    tokens
}

/// A comment in braces, or nothing.
fn comment(text: &str) -> Vec<String> {
    // A brace would end the comment.
    let text = text.replace('{', "(").replace('}', ")");
    if text.trim().is_empty() {
        return Vec::new();
    }
    let mut tokens = vec!["{".to_owned()];
    for word in text.split_whitespace() {
        match tokens.last_mut() {
            // Some programs read a line that begins with a bracket as a tag, and one that begins with a
            // percent sign is no part of the game: neither begins a line. A command stays in one line.
            Some(last) if word.starts_with(['%', '[']) || is_open_command(last) => {
                *last += &format!(" {word}");
            }
            _ => tokens.push(word.to_owned()),
        }
    }
    tokens.push("}".to_owned());
    tokens
}

/// Whether a text ends inside of a command, `[%eval`.
fn is_open_command(text: &str) -> bool {
    text.rfind("[%").is_some_and(|start| !text[start..].contains(']'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cannot_end_a_comment() {
        let text = format!("[%eval 0.35] {}", words("50 % of {x} and [%csl Rf7]"));
        let tokens = comment(&text);
        assert_eq!(tokens.join(" "), "{ [%eval 0.35] 50 % of (x) and [csl Rf7] }");
        assert!(tokens.iter().all(|token| !token.starts_with(['%', '['])), "{tokens:?}");
        assert!(comment("").is_empty());
    }

    #[test]
    fn a_castling_arrow_is_the_kings_move() {
        let castling = Move::Castle { king: shakmaty::Square::E1, rook: shakmaty::Square::H1 };
        assert_eq!(arrow('G', castling, Color::White).as_deref(), Some("Ge1g1"));
    }
}
