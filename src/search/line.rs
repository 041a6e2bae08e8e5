//! The principal variation, collected while the tree is walked.

use super::score::MAX_PLY;
use shakmaty::Move;

/// The best lines from every ply of the current path, in one triangle. A row takes memory once the
/// search has been there.
pub(super) struct Lines {
    rows: Vec<Vec<Move>>,
}

impl Lines {
    pub(super) fn new() -> Lines {
        Lines { rows: vec![Vec::new(); MAX_PLY + 2] }
    }

    /// Nothing is known from this ply on.
    pub(super) fn clear(&mut self, ply: usize) {
        self.rows[ply].clear();
    }

    /// `m` is best at this ply, followed by what is best at the next.
    pub(super) fn extend(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.rows.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(m);
        upper[ply].extend_from_slice(&lower[0]);
    }

    /// The best line from the root.
    pub(super) fn best(&self) -> Vec<Move> {
        self.rows[0].clone()
    }
}
