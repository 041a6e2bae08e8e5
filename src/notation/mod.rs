//! Games and moves as people and programs write them.
//!
//! - [`read_move`]: the legal move that a word means, or why it means none.
//! - [`Games`]: the games of a PGN text, in any of the usual [`Language`]s, each as far as it can be read.
//! - `read_text_file`: a text file of unknown encoding. It needs the feature `program`.

#[cfg(feature = "program")]
mod bytes;
mod fen;
mod language;
mod lexer;
mod moves;
mod pgn;
#[cfg(test)]
mod tests;

#[cfg(feature = "program")]
pub use bytes::{TextFileError, decode, read_text_file};
pub(crate) use fen::parse_fen;
pub use language::Language;
pub use moves::{Form, Misread, read_move, read_move_in};
pub use pgn::{Games, Line, NotedMove, PlayedGame, ROSTER, after};
