//! Counting leaves of the move tree, the test of move generation.

use crate::search::Control;
use shakmaty::{Chess, Move, Position};
use std::sync::atomic::Ordering::Relaxed;

/// The number of legal lines of exactly `depth` plies. Stops early, with a part of the count, when
/// `control` says so.
pub fn perft(position: &Chess, depth: u32, control: &Control) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    if control.stop.load(Relaxed) {
        return 0;
    }
    moves.iter().map(|&m| perft(&after(position, m), depth - 1, control)).sum()
}

/// The same count for each legal move by itself.
pub fn divide(position: &Chess, depth: u32, control: &Control) -> Vec<(Move, u64)> {
    let rest = depth.saturating_sub(1);
    let moves = position.legal_moves();
    moves.iter().map(|&m| (m, perft(&after(position, m), rest, control))).collect()
}

fn after(position: &Chess, m: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(m);
    next
}
