//! `tropism spsa`, in a build with the feature `tune`: the numbers of the search moved by games of the
//! engine against itself.

mod file;
#[cfg(feature = "tune")]
mod games;
mod rule;

pub use file::StateError;
#[cfg(feature = "tune")]
pub use games::{Spsa, SpsaError};
