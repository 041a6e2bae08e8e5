//! The `position` line.

use super::CommandError;
use crate::search::Game;
use shakmaty::{CastlingMode, Chess, Position, uci::UciMove};

/// What a `position` line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionRequest {
    /// Where it starts.
    pub start: Start,
    /// The moves played from there, as words.
    pub moves: Vec<String>,
}

/// Where a `position` line starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// `startpos`
    Initial,
    /// `fen ...`
    Fen(String),
}

impl PositionRequest {
    /// Reads the words after `position`.
    pub(super) fn parse(words: &[&str]) -> Result<PositionRequest, CommandError> {
        let (head, moves) = match words.iter().position(|&word| word == "moves") {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (words, &[] as &[&str]),
        };
        let start = match head {
            ["startpos"] => Start::Initial,
            ["fen", fields @ ..] if !fields.is_empty() => Start::Fen(fields.join(" ")),
            _ => {
                let usage = "usage: position startpos|fen FEN [moves MOVE ...]";
                return Err(CommandError::Malformed(usage.to_owned()));
            }
        };
        Ok(PositionRequest { start, moves: moves.iter().map(|&m| m.to_owned()).collect() })
    }

    /// Sets up the position and plays the moves: all of it, or none.
    pub(super) fn set_up(&self, chess960: bool) -> Result<Game, CommandError> {
        let mode = chess960.then_some(CastlingMode::Chess960);
        let mut game = match &self.start {
            Start::Initial => Game::new(Chess::default()),
            Start::Fen(fen) => Game::from_fen(fen, mode).map_err(|error| {
                CommandError::Malformed(format!("position: {error}; the last position stays"))
            })?,
        };
        for (number, word) in self.moves.iter().enumerate() {
            let Some(m) = read_move(word, game.position().chess()) else {
                return Err(CommandError::Malformed(format!(
                    "position: move {} ({word:?}) is not legal; the last position stays",
                    number + 1
                )));
            };
            game.play(m);
        }
        Ok(game)
    }
}

/// A legal move from its UCI notation; capital letters are forgiven.
pub(super) fn read_move(word: &str, position: &Chess) -> Option<shakmaty::Move> {
    let uci: UciMove = word.to_ascii_lowercase().parse().ok()?;
    uci.to_move(position).ok().filter(|&m| position.is_legal(m))
}
