//! A UCI chess engine in which every positional judgement is a distance and every judgement is a
//! plug-in.
//!
//! - [`geometry`]: distances between squares, and what sets of squares see; how distances are
//!   stored, and which layout is fastest, in [`geometry::layout`].
//! - [`eval`]: what a judgement is: [`Term`](eval::Term), [`Sink`](eval::Sink),
//!   [`Engine`].
//! - [`terms`]: the contributions that ship, one file each.
//! - [`search`](mod@search): alpha-beta over positions.
//! - [`uci`]: the protocol.
//! - [`endgame`]: exact distance to mate in endings of few men.
//! - [`cpu`]: what the processor must have for this build.
//! - [`endings`]: whole endings in figures, and proofs of what the engine wins.
//! - [`coach`]: explanations, practice, demonstrations and pictures.
//! - [`cli`]: the command line.
//!
//! ```
//! use tropism::search::Game;
//! let engine = tropism::default_engine()?;
//! // A bare king nearer to the corner in which bishop and knight mate is worse off.
//! let here = Game::from_fen("7k/8/8/8/3K4/8/8/1NB5 w - - 0 1", None)?;
//! let there = Game::from_fen("k7/8/8/8/3K4/8/8/1NB5 w - - 0 1", None)?;
//! let value = |game: &Game| engine.evaluate(game.position().chess());
//! assert!(value(&here) > value(&there));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cli;
pub mod coach;
pub mod cpu;
pub mod endgame;
pub mod endings;
pub mod eval;
pub mod geometry;
pub mod random;
pub mod search;
pub mod terms;
mod text;
pub mod uci;

use eval::{Engine, EngineFileError};

/// The text of `engines/tropism.toml`, built into the program.
pub const DEFAULT_ENGINE_FILE: &str = include_str!("../engines/tropism.toml");

/// The engine of [`DEFAULT_ENGINE_FILE`].
///
/// # Errors
///
/// If that file is not right, which the tests of the program rule out.
pub fn default_engine() -> Result<Engine, EngineFileError> {
    const FILE: &str = "engines/tropism.toml";
    Engine::parse(DEFAULT_ENGINE_FILE, FILE, &terms::registry())
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
