//! What the search asks of an evaluation.

use crate::eval::Engine;
use shakmaty::Chess;
use std::fmt::Debug;

/// An evaluation that the search plays by: an [`Engine`] made of terms, a network, or some lines of an author.
///
/// All threads of a search ask it at the same time. A position must always have the same value, because the
/// transposition table keeps it. Mate, stalemate and draws by the rules are found by the search.
pub trait Evaluate: Send + Sync + Debug {
    /// The value of a position in centipawns, from the side to move's point of view. A value beyond
    /// [`MAX_EVALUATION`](super::MAX_EVALUATION) counts as that.
    fn evaluate(&self, chess: &Chess) -> i32;
}

impl Evaluate for Engine {
    fn evaluate(&self, chess: &Chess) -> i32 {
        Engine::evaluate(self, chess)
    }
}
