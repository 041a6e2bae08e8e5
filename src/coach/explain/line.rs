//! The best line of a search, and what it changes.

use super::signed;
use super::swings::{Swing, swings};
use crate::eval::Engine;
use crate::search::{Game, Limits, Search, TranspositionTable, Value, search};
use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

/// Changes told.
const TOLD: usize = 4;
/// The least change that is told, in centipawns.
const LEAST: f64 = 10.0;

/// What a search finds best, and what the terms say at the end of it.
#[derive(Clone, Debug)]
pub struct BestLine {
    pub(super) depth: u32,
    /// White's point of view.
    pub(super) value: Value,
    pub(super) moves: Vec<Move>,
    /// The moves as people write them.
    pub(super) san: String,
    pub(super) changes: Vec<Swing>,
}

impl BestLine {
    /// Searches so many plies deep.
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

    /// What the search says, White's point of view.
    pub(super) fn verdict(&self) -> String {
        match self.value {
            Value::Centipawns(value) => signed(f64::from(value)),
            Value::Mate(moves) => {
                let side = if moves > 0 { "White" } else { "Black" };
                format!("{side} mates in {}", moves.abs())
            }
        }
    }

    /// The value, the moves and the terms that change most, a line each.
    pub(super) fn told(&self) -> Vec<String> {
        if self.moves.is_empty() {
            return vec!["best line: there is no legal move".to_owned()];
        }
        let mut lines =
            vec![format!("best line to depth {}: {}  {}", self.depth, self.verdict(), self.san)];
        // A mate needs no other reason.
        if let Value::Centipawns(_) = self.value {
            let told = self.changes.iter().take(TOLD).filter(|swing| swing.change.abs() >= LEAST);
            lines.extend(told.map(|swing| format!("at its end {}", swing.told())));
        }
        lines
    }
}

/// Moves in SAN with their numbers, and the position after them.
pub(super) fn numbered(start: &Chess, moves: &[Move]) -> (String, Chess) {
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
    fn a_mate_is_told_with_its_moves() {
        let engine = crate::default_engine().unwrap();
        let line = |fen: &str| {
            BestLine::new(&engine, &Game::from_fen(fen, None).unwrap(), 3).unwrap().told()
        };
        let told = line("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 7");
        assert_eq!(told[0], "best line to depth 3: Black mates in 1  7... Ra1#");
        assert_eq!(line("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), ["best line: there is no legal move"]);
    }
}
