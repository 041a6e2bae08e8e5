//! Perft: counts the leaves of the move tree, as a test of move generation.

use crate::search::ordering::movegen::MoveGenerator;
use crate::search::position::Position;
use crate::search::request::Control;
use shakmaty::{CastlingMode, Chess, Move, uci::UciMove};
use std::{fmt, sync::atomic::Ordering::Relaxed};

/// The most plies that are counted. The count of more would never end, and each ply needs room on the stack.
pub const MAX_PERFT: u32 = 100;

/// The number of legal lines of exactly `depth` plies, or [`MAX_PERFT`] if that is less. If `control` stops it, it
/// returns a part of the count.
pub fn perft(position: &Chess, depth: u32, control: &Control) -> u64 {
    count(&Position::new(position.clone()), depth.min(MAX_PERFT), control)
}

fn count(position: &Position, depth: u32, control: &Control) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = MoveGenerator::new(position).all();
    if depth == 1 {
        return moves.len() as u64;
    }
    if control.stop.load(Relaxed) {
        return 0;
    }
    moves.iter().map(|&m| count(&position.play(m), depth - 1, control)).sum()
}

/// The count of each legal move. Displayed as one move a line and then the sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Division {
    /// The moves in the order they were generated.
    pub counts: Vec<(Move, u64)>,
    /// Their sum.
    pub total: u64,
    mode: CastlingMode,
}

/// Counts the lines of exactly `depth` plies, or [`MAX_PERFT`] if that is less, for each move. `mode` determines the notation of castling.
pub fn divide(position: &Chess, depth: u32, mode: CastlingMode, control: &Control) -> Division {
    let Some(rest) = depth.min(MAX_PERFT).checked_sub(1) else {
        return Division { counts: Vec::new(), total: 1, mode };
    };
    let position = Position::new(position.clone());
    let moves = MoveGenerator::new(&position).all();
    let counts: Vec<(Move, u64)> =
        moves.iter().map(|&m| (m, count(&position.play(m), rest, control))).collect();
    let total = counts.iter().map(|(_, count)| count).sum();
    Division { counts, total, mode }
}

impl fmt::Display for Division {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &(m, count) in &self.counts {
            writeln!(f, "{}: {count}", UciMove::from_move(m, self.mode))?;
        }
        write!(f, "\nNodes searched: {}", self.total)
    }
}
