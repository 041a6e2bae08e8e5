//! The limits of a search, as the UCI command `go` gives them.

use shakmaty::{ByColor, Move};
use std::time::Duration;

/// The limits of a search. The first one that is reached ends it. Without any, the search runs until it is
/// stopped.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    /// Maximum depth, in plies.
    pub depth: Option<u32>,
    /// Maximum number of positions visited.
    pub nodes: Option<u64>,
    /// Maximum time for this move.
    pub move_time: Option<Duration>,
    /// Find a mate in at most this many moves, without pruning.
    pub mate: Option<u32>,
    /// Time left on each side's clock.
    pub time: ByColor<Option<Duration>>,
    /// Time added after each move.
    pub increment: ByColor<Duration>,
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Search only these root moves; empty means all.
    pub search_moves: Vec<Move>,
    /// The number of best lines to report (MultiPV); 0 means 1.
    pub lines: usize,
}
