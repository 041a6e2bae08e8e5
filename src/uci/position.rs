//! The `position` line.

use crate::search::Game;
use shakmaty::{CastlingMode, Chess, Move, Position, uci::UciMove};

/// What a `position` line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionRequest {
    /// The FEN after `fen`, or `None` for `startpos`.
    pub fen: Option<String>,
    /// The moves played from there, as words.
    pub moves: Vec<String>,
}

impl PositionRequest {
    /// Reads the words after `position`.
    ///
    /// # Errors
    ///
    /// A text for the user, if there is neither `startpos` nor a FEN.
    pub fn parse(arguments: &str) -> Result<PositionRequest, String> {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let fen = match &words[..end] {
            ["startpos"] => None,
            ["fen", fields @ ..] if !fields.is_empty() => Some(fields.join(" ")),
            _ => return Err("usage: position startpos|fen FEN [moves MOVE ...]".to_owned()),
        };
        let moves = words.iter().skip(end + 1).map(|&word| word.to_owned()).collect();
        Ok(PositionRequest { fen, moves })
    }

    /// Sets up the position and plays all moves.
    ///
    /// # Errors
    ///
    /// A text for the user, if the FEN or one of the moves is wrong.
    pub fn set_up(&self, chess960: bool) -> Result<Game, String> {
        let mode = chess960.then_some(CastlingMode::Chess960);
        let mut game = match &self.fen {
            None => Game::new(Chess::default()),
            Some(fen) => Game::from_fen(fen, mode)
                .map_err(|error| format!("position: {error}; the last position stays"))?,
        };
        for (number, word) in (1..).zip(&self.moves) {
            let m = read_move(word, game.position().chess()).ok_or_else(|| {
                format!("position: move {number} ({word:?}) is not legal; the last position stays")
            })?;
            game.play(m);
        }
        Ok(game)
    }
}

/// Reads a legal move in UCI notation. Capital letters are accepted.
pub fn read_move(word: &str, position: &Chess) -> Option<Move> {
    let uci: UciMove = word.to_ascii_lowercase().parse().ok()?;
    uci.to_move(position).ok().filter(|&m| position.is_legal(m))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_mixture_of_words_panics(
            words in proptest::collection::vec(
                proptest::sample::select(vec![
                    "fen", "startpos", "moves", "e2e4", "-1", "99999999999999999999", "<empty>",
                    "8/8/8/8/8/8/8/8", "4k3/8/8/8/8/8/8/4K3", "w", "KQkq", "-", "0",
                ]),
                0..12,
            ),
        ) {
            if let Ok(request) = PositionRequest::parse(&words.join(" ")) {
                let _ = request.set_up(false);
            }
        }
    }
}
