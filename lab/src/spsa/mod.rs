//! `tropism-lab spsa`, in a build with the feature `tune`: the parameters of the search tuned by games of
//! the engine against itself.
//!
//! - `schedule`: the algorithm, without games.
//! - `file`: the state of a run in a file.
//! - [`Spsa`]: the run.

mod file;
mod games;
mod schedule;

pub(crate) use games::Spsa;
