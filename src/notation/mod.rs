//! Games and moves as people and programs write them.
//!
//! - [`read_move`]: the legal move that a word means, or why it means none.
//! - [`Games`]: the games of a PGN text, in any of the usual [`Language`]s, each as far as it can be read.
//! - [`read_fen`]: the position of a FEN, or what is wrong with it.
//! - [`parse_suite`]: test positions in EPD.
//! - `read_text_file`: a text file of unknown encoding. It needs the feature `program`.

#[cfg(feature = "program")]
mod bytes;
pub(crate) mod epd;
mod fen;
mod game;
mod language;
mod lexer;
mod moves;
mod movetext;
mod pgn;
mod section;
#[cfg(test)]
mod tests;

#[cfg(feature = "program")]
pub use bytes::{TextFileError, decode, read_text_file};
pub use epd::{SuiteError, Test, parse_suite};
pub(crate) use fen::parse_fen;
pub use fen::{FenError, read_fen};
pub use game::{Line, NotedMove, PlayedGame, ROSTER, after};
pub use language::Language;
pub use moves::{Form, Misread, read_move, read_move_in};
pub use pgn::Games;
