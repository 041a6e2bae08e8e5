//! Games in PGN with the values of the search, marks, better lines and comments.
//!
//! The commands in comments, `[%eval 0.35]`, `[%cal Gd1d8]` and `[%csl Rf7]`, are those of Lichess,
//! which many programs read.

use super::game_review::GameReview;
use super::mistakes::ReviewedMove;
use crate::assess::WhiteValue;
use crate::notation::{Line, ROSTER, after};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, fen::Fen, san::SanPlus};
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
            for token in self.movetext() {
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
    fn tags(&self) -> Vec<(String, String)> {
        let game = &self.game;
        let start = Fen::from_position(&game.start, EnPassantMode::Legal);
        let is_chess960 = game.start.castles().mode() == CastlingMode::Chess960;
        let is_usual = game.start == Chess::default() && !is_chess960;
        let variant = is_chess960.then(|| "Chess960".to_owned());
        const NAME: &str = concat!("tropism ", env!("CARGO_PKG_VERSION"));
        let others = game.tags.iter().find(|(name, value)| name == "Annotator" && value != NAME);
        let annotator = others.map_or(NAME.to_owned(), |(_, value)| {
            if value.ends_with(NAME) { value.clone() } else { format!("{value}, {NAME}") }
        });
        let own = [
            ("Result", Some(game.result.clone())),
            ("Variant", variant),
            ("SetUp", (!is_usual).then(|| "1".to_owned())),
            ("FEN", (!is_usual).then(|| start.to_string())),
            ("Annotator", Some(annotator)),
        ];
        let of_file = |name: &str| {
            let tag = game.tags.iter().find(|(known, _)| known == name);
            tag.map(|(_, value)| value.clone())
        };
        let roster = ROSTER.iter().map(|&(name, unknown)| match name {
            "Result" => (name.to_owned(), game.result.clone()),
            _ => (name.to_owned(), of_file(name).unwrap_or_else(|| unknown.to_owned())),
        });
        let mut tags: Vec<(String, String)> = roster.collect();
        for (name, value) in &game.tags {
            let is_own = own.iter().any(|(known, _)| known == name);
            let tag = (name.clone(), value.clone());
            if !is_own && !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        for (name, value) in own.into_iter().skip(1) {
            tags.extend(value.map(|value| (name.to_owned(), value)));
        }
        tags
    }

    /// The parts between which a line may end.
    fn movetext(&self) -> Vec<String> {
        let mut position = self.game.start.clone();
        let mut tokens = Vec::new();
        let given = &self.game.text;
        tokens.extend(given.comments.iter().flat_map(|text| given_comment(text)));
        for (ply, (reviewed, noted)) in self.moves.iter().zip(&given.moves).enumerate() {
            // A comment is between any two moves, so that Black's moves have numbers as well.
            tokens.push(format!("{} {}", move_number(&position), reviewed.san));
            let mark = reviewed.mark.map(|mark| u32::from(mark.nag()));
            let others = noted.nags.iter().copied().filter(|&nag| mark != Some(nag));
            tokens.extend(mark.into_iter().chain(others).map(|nag| format!("${nag}")));
            let before = position.clone();
            position.play_unchecked(noted.m);
            let mut words = reviewed.sentences();
            if reviewed.mark.is_some() {
                words.push(format!("The played line is {}.", reviewed.played_san));
            }
            if ply + 1 == self.moves.len() {
                words.extend(self.end());
            }
            tokens.extend(comment(&commands(reviewed, &before, &position), &words.join(" ")));
            tokens.extend(noted.comments.iter().flat_map(|text| given_comment(text)));
            if reviewed.mark.is_some() {
                tokens.extend(variation(&before, &reviewed.best_line));
            }
            tokens.extend(noted.variations.iter().flat_map(|line| given_variation(&before, line)));
        }
        for fault in &self.game.faults {
            tokens.extend(comment(&[], &format!("The file is broken: {fault}.")));
        }
        tokens.push(self.game.result.clone());
        tokens
    }

    /// How the game ended, if the rules ended it.
    fn end(&self) -> Option<String> {
        let length = self.length();
        let (_, end) = length.split_once(", ")?;
        Some(format!("{}.", capitalized(end)))
    }
}

/// The value for programs, and after a mistake arrows and squares.
fn commands(reviewed: &ReviewedMove, before: &Chess, position: &Chess) -> Vec<String> {
    let mut commands = Vec::new();
    match reviewed.value {
        WhiteValue::Centipawns(value) => {
            let sign = if value < 0 { "-" } else { "" };
            let value = value.unsigned_abs();
            commands.push(format!("[%eval {sign}{}.{:02}]", value / 100, value % 100));
        }
        // After mate there is nothing to say: the standard has no sign for it.
        WhiteValue::Mate(_, 0) => {}
        WhiteValue::Mate(winner, moves) => {
            commands.push(format!("[%eval #{}{moves}]", winner.fold_wb("", "-")));
        }
    }
    if reviewed.mark.is_none() {
        return commands;
    }
    let mut arrows = Vec::new();
    arrows.extend(reviewed.best_line.first().and_then(|&m| arrow('G', m, before.turn())));
    let reply = reviewed.reply_line.first();
    arrows.extend(reply.and_then(|&m| arrow('R', m, position.turn())));
    if !arrows.is_empty() {
        commands.push(format!("[%cal {}]", arrows.join(",")));
    }
    let square = match (reviewed.value, reply) {
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
    let to = m.castling_side().map_or(m.to(), |castling| castling.king_to(side));
    m.from().filter(|&from| from != to).map(|from| format!("{colour}{from}{to}"))
}

/// A comment in braces, or nothing.
fn comment(commands: &[String], words: &str) -> Vec<String> {
    // A bracket with a percent sign begins a command.
    in_braces(&commands.join(" "), &words.replace("[%", "["))
}

/// A comment of the file, without the value that some program gave the position.
fn given_comment(text: &str) -> Vec<String> {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, command)) = rest.split_once("[%eval") {
        kept.push_str(before);
        rest = command.split_once(']').map_or("", |(_, rest)| rest);
    }
    in_braces("", &(kept + rest))
}

/// A comment that begins with commands, or nothing.
fn in_braces(commands: &str, words: &str) -> Vec<String> {
    // A brace would end the comment.
    let words = words.replace('{', "(").replace('}', ")");
    // Some programs read a line that begins with a bracket as a tag, and one that begins with a
    // percent sign is no part of the game: neither begins a line.
    let mut tokens = vec![format!("{{ {commands}").trim_end().to_owned()];
    for word in words.split_whitespace() {
        match tokens.last_mut() {
            Some(last) if word.starts_with(['%', '[']) => *last += &format!(" {word}"),
            _ => tokens.push(word.to_owned()),
        }
    }
    if commands.is_empty() && words.trim().is_empty() {
        return Vec::new();
    }
    tokens.push("}".to_owned());
    tokens
}

/// A line in parentheses, which replaces the move before it.
fn variation(start: &Chess, line: &[Move]) -> Vec<String> {
    let mut tokens = Vec::new();
    for (index, &m) in line.iter().enumerate() {
        let position = after(start, &line[..index]);
        let number = match position.turn() {
            Color::Black if index > 0 => String::new(),
            _ => format!("{} ", move_number(&position)),
        };
        tokens.push(format!("{number}{}", SanPlus::from_move(position, m)));
    }
    in_brackets(tokens)
}

/// A variation of the file with all that is in it.
fn given_variation(start: &Chess, line: &Line) -> Vec<String> {
    let mut position = start.clone();
    let mut tokens: Vec<String> =
        line.comments.iter().flat_map(|text| given_comment(text)).collect();
    for noted in &line.moves {
        let number = move_number(&position);
        let before = position.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut position, noted.m);
        tokens.push(format!("{number} {san}"));
        tokens.extend(noted.nags.iter().map(|nag| format!("${nag}")));
        tokens.extend(noted.comments.iter().flat_map(|text| given_comment(text)));
        tokens.extend(noted.variations.iter().flat_map(|line| given_variation(&before, line)));
    }
    in_brackets(tokens)
}

fn in_brackets(mut tokens: Vec<String>) -> Vec<String> {
    if let Some(first) = tokens.first_mut() {
        first.insert(0, '(');
    }
    if let Some(last) = tokens.last_mut() {
        last.push(')');
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cannot_end_a_comment() {
        let tokens = comment(&["[%eval 0.35]".to_owned()], "50 % of {x} and [%csl Rf7]");
        assert_eq!(tokens.join(" "), "{ [%eval 0.35] 50 % of (x) and [csl Rf7] }");
        assert!(tokens.iter().all(|token| !token.starts_with(['%', '['])), "{tokens:?}");
        assert!(comment(&[], "").is_empty());
    }

    #[test]
    fn a_castling_arrow_is_the_kings_move() {
        let castling = Move::Castle { king: shakmaty::Square::E1, rook: shakmaty::Square::H1 };
        assert_eq!(arrow('G', castling, Color::White).as_deref(), Some("Ge1g1"));
    }
}
