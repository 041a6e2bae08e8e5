//! The principal variation, collected while the tree is walked.

use super::score::MAX_PLY;
use shakmaty::Move;

/// The best lines from every ply of the current path, in one triangle.
pub(super) struct Lines {
    moves: Vec<[Option<Move>; MAX_PLY + 1]>,
    lengths: [usize; MAX_PLY + 2],
}

impl Lines {
    pub(super) fn new() -> Lines {
        Lines { moves: vec![[None; MAX_PLY + 1]; MAX_PLY + 1], lengths: [0; MAX_PLY + 2] }
    }

    /// Nothing is known from this ply on.
    pub(super) fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// `m` is best at this ply, followed by what is best at the next.
    pub(super) fn extend(&mut self, ply: usize, m: Move) {
        let length = self.lengths[ply + 1].min(MAX_PLY - ply);
        let (upper, lower) = self.moves.split_at_mut(ply + 1);
        upper[ply][0] = Some(m);
        if length > 0 {
            upper[ply][1..=length].copy_from_slice(&lower[0][..length]);
        }
        self.lengths[ply] = length + 1;
    }

    /// The best line from the root.
    pub(super) fn best(&self) -> Vec<Move> {
        self.moves[0][..self.lengths[0]].iter().copied().flatten().collect()
    }
}
