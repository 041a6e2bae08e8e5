//! Search against a bare king.
//!
//! The evaluation of such an ending measures the way to mate, in positions with the bare king to move. One move is worth
//! some centipawns, and perfect play gains them with each move. So the search differs from that of other positions, if
//! the root is a basic mate:
//!
//! - *Where lines end*: with the bare king to move. If the other side is to move at depth 0, all its moves are searched.
//!   A check is no reason to search on. Every other iteration would search nearly the same lines as the next one, and
//!   is left out.
//! - *Only equal depths are compared.* The deeper a search, the higher its value, because more of the way is seen. An
//!   entry of a deeper search in the transposition table would make its move look better than the others. For the
//!   same reason evaluations are not corrected.
//! - *All moves are searched to the full depth.* They are quiet and worth nearly the same, and a reduced search would
//!   make them look worse. Only nodes with the bare king to move are pruned by their evaluation.

use super::position::Position;
use super::thread_data::ThreadData;
use crate::endgame::Material;
use crate::eval::Engine;
use shakmaty::{Chess, Position as _};

/// Whether a position is an ending for which the weights of an engine are made ([`Engine::aims`]). With other weights,
/// such a search mates less often than the usual one.
pub(super) fn is_mating(engine: &Engine, root: &Chess) -> bool {
    Material::on(root.board()).is_ok_and(|ending| engine.aims().contains(&ending))
}

impl ThreadData<'_> {
    /// Whether the side to move is the one that mates a bare king.
    pub(super) fn is_mate_sought(&self, chess: &Chess) -> bool {
        self.is_mating && chess.us().more_than_one()
    }

    /// Whether lines of this depth end with the mating side to move. They are searched a ply deeper, so the next
    /// iteration takes as long and repeats nearly the same search.
    pub(super) fn ends_with_mating_side(&self, depth: u32) -> bool {
        let is_sought_at_root = self.is_mate_sought(self.request.game.position().chess());
        is_sought_at_root == depth.is_multiple_of(2)
    }

    /// The depth at which a node is searched that is at depth 0 or below. Above 0, all moves are searched.
    pub(super) fn leaf_depth(&self, position: &Position, depth: i32) -> i32 {
        match self.is_mating {
            true if self.is_mate_sought(position.chess()) => 1,
            false if position.is_check() => depth + 1,
            _ => depth,
        }
    }
}
