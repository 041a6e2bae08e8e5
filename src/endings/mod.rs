//! Whole endings: their exact figures, and proofs of what the engine wins.
//!
//! - [`Solution`], [`PositionSolution`]: an ending or a position from the exact tables.
//! - [`Proof`]: from how many won positions the engine mates against every defence.
//! - [`Graph`]: the positions of an ending against a bare king, and the moves between them.
//! - [`Outcome`], [`Walk`], [`follow`]: what happens in each position if its one chosen move is played
//!   and every reply is tried. [`Stats`] counts the outcomes.
//!
//! Positions are numbered by their index in the table of the ending, so positions that differ only by
//! rotation or reflection of the board are one.

mod graph;
mod outcome;
mod prove;
mod solve;

pub use graph::{AfterMove, Graph, Lists, position_at};
pub use outcome::{Outcome, Stats, Walk, follow};
pub use prove::{Proof, ProofOptions, ProveError, Sample};
pub use solve::{PositionSolution, Solution, SolveError, build_tables};
pub(crate) use solve::{position, set_up};

/// The most moves to mate that the fifty-move rule allows.
pub const FIFTY_MOVES: u16 = 50;
