//! The best line of a search, and what it changes.

use super::format::signed;
use super::swings::{Swing, swings};
use crate::eval::Engine;
use crate::search::{Game, Limits, Search, TranspositionTable, Value, search};
use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

/// The most changes that are listed.
const LISTED: usize = 4;
/// The smallest change that is listed, in centipawns.
const SMALLEST: f64 = 10.0;

/// The best line of a search, and how the terms change until its end.
#[derive(Clone, Debug)]
pub struct BestLine {
    pub(super) depth: u32,
    /// Positive if good for White.
    pub(super) value: Value,
    pub(super) moves: Vec<Move>,
    /// The moves in SAN with move numbers.
    pub(super) san: String,
    pub(super) changes: Vec<Swing>,
}

impl BestLine {
    /// Searches to a depth, in plies.
    ///
    /// # Errors
    ///
    /// If there is no memory for the transposition table.
    pub fn new(
        engine: &Engine,
        game: &Game,
        depth: u32,
    ) -> Result<BestLine, std::collections::TryReserveError> {
        let table = TranspositionTable::new(TranspositionTable::DEFAULT_SIZE)?;
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let turn = game.position().chess().turn();
        let request = Search::new(game, engine, &table, &limits);
        let mut moves = Vec::new();
        let outcome = search(&request, |report| moves.clone_from(&report.line));
        let value = match outcome.value {
            Value::Centipawns(value) => Value::Centipawns(turn.fold_wb(value, -value)),
            Value::Mate(value) => Value::Mate(turn.fold_wb(value, -value)),
        };
        let start = game.position().chess();
        let (san, end) = numbered(start, &moves);
        let changes = swings(&engine.trace(start), &engine.trace(&end));
        Ok(BestLine { depth, value, moves, san, changes })
    }

    /// The value in words, positive if good for White.
    pub(super) fn score(&self) -> String {
        match self.value {
            Value::Centipawns(value) => signed(f64::from(value)),
            Value::Mate(moves) => {
                let side = if moves > 0 { "White" } else { "Black" };
                format!("{side} mates in {}", moves.abs())
            }
        }
    }

    /// The value and the moves in the first line, then one line for each of the largest changes.
    pub(super) fn lines(&self) -> Vec<String> {
        if self.moves.is_empty() {
            return vec!["best line: there is no legal move".to_owned()];
        }
        let mut lines =
            vec![format!("best line to depth {}: {}  {}", self.depth, self.score(), self.san)];
        // A mate needs no reasons.
        if let Value::Centipawns(_) = self.value {
            let changes =
                self.changes.iter().take(LISTED).filter(|swing| swing.change.abs() >= SMALLEST);
            lines.extend(changes.map(|swing| format!("this line changes {}", swing.sentence())));
        }
        lines
    }
}

/// Moves in SAN with their numbers, and the position after them.
fn numbered(start: &Chess, moves: &[Move]) -> (String, Chess) {
    let mut position = start.clone();
    let mut words = Vec::new();
    for (index, &m) in moves.iter().enumerate() {
        let number = position.fullmoves();
        match position.turn() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if index == 0 => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
    }
    (words.join(" "), position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_is_shown_with_its_moves() {
        let engine = crate::default_engine().unwrap();
        let line = |fen: &str| {
            BestLine::new(&engine, &Game::from_fen(fen, None).unwrap(), 3).unwrap().lines()
        };
        let lines = line("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 7");
        assert_eq!(lines[0], "best line to depth 3: Black mates in 1  7... Ra1#");
        assert_eq!(line("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), ["best line: there is no legal move"]);
    }
}
