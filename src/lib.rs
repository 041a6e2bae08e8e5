//! A UCI chess engine whose positional evaluation is built from distances. Each term of the evaluation
//! is a plug-in: an engine file (TOML) lists the terms and gives their weights.
//!
//! Material, the side to move and a few flags are the only things that the evaluation knows and that
//! are not distances.
//!
//! - [`geometry`]: distances between squares, and sets of squares. It knows no chess position.
//! - [`endgame`]: exact distance to mate in endings of up to four pieces.
//! - [`eval`]: what a [`Term`](eval::Term) is, and the [`Engine`](eval::Engine) that adds up terms.
//! - [`terms`]: the built-in terms, one file each.
//! - [`search`](mod@search): alpha-beta search.
//! - [`uci`]: the protocol that chess GUIs speak.
//! - [`notation`]: positions in FEN as people write them; [`text`]: wording that messages share.
//! - [`testing`]: assertions for the tests of terms; [`random`]: reproducible random numbers.
//!
//! Two packages build on it: `tropism-coach` explains positions and games to players, and `tropism-program` is the
//! program with all its commands.
//!
//! ```
//! use tropism::search::Game;
//! let engine = tropism::default_engine()?;
//! // Bishop and knight mate only in a corner of the bishop's colour: a bare king near such a corner
//! // is worse off.
//! let near = Game::from_fen("7k/8/8/8/3K4/8/8/1NB5 w - - 0 1", None)?;
//! let far = Game::from_fen("k7/8/8/8/3K4/8/8/1NB5 w - - 0 1", None)?;
//! let value = |game: &Game| engine.evaluate(game.position().chess());
//! assert!(value(&near) > value(&far));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(test)]
mod documentation;
pub mod endgame;
pub mod eval;
pub mod geometry;
pub mod notation;
pub mod random;
pub mod search;
pub mod terms;
pub mod testing;
pub mod text;
pub mod uci;

pub use shakmaty;
pub use terms::{DEFAULT_ENGINE_FILE, default_engine};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
