//! Whole endings: their exact statistics, and proofs of what the engine wins.
//!
//! - [`Solution`], [`PositionSolution`]: an ending or a position from the exact tables.
//! - [`Proof`]: from how many won positions the engine mates against every defence.
//!
//! A position is named by its index in the table of the ending. Positions that differ only by a rotation
//! or reflection of the board have one index.

mod graph;
mod outcome;
mod progress_bar;
mod prove;
mod solve;

pub use graph::position_at;
pub use prove::{Proof, ProofOptions, ProveError, Sample};
pub use solve::{PositionSolution, Solution, SolveError};
pub(crate) use solve::{ending_of, position, set_up};

/// The most moves to mate that the fifty-move rule allows, without a capture or pawn move.
pub const FIFTY_MOVES: u16 = 50;
