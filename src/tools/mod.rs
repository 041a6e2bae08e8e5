//! What the program can do besides playing: one file a tool, each a subcommand and, where it
//! makes sense there, a UCI command.

mod bench;
mod perft;
mod prove;
mod solve;

pub use bench::{BenchError, BenchResult, bench};
pub use perft::{Division, divide, perft};
pub use prove::{Proof, ProveError};
pub use solve::{Solution, SolveError, Verdict};
