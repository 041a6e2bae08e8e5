//! The principal variation, collected during the search.

use crate::search::score::MAX_PLY;
use shakmaty::Move;

/// A triangular table: the best line from each ply of the current path. A row takes memory only after the
/// search has reached its ply.
pub struct PvTable {
    rows: Vec<Vec<Move>>,
}

impl PvTable {
    pub fn new() -> PvTable {
        PvTable { rows: vec![Vec::new(); MAX_PLY + 2] }
    }

    /// Clears the line from this ply on.
    pub fn clear(&mut self, ply: usize) {
        self.rows[ply].clear();
    }

    /// Sets the line from this ply: `m` and then the line from the next ply.
    pub fn extend(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.rows.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(m);
        upper[ply].extend_from_slice(&lower[0]);
    }

    /// The best line from the root.
    pub fn best(&self) -> Vec<Move> {
        self.rows[0].clone()
    }
}
