//! Games and moves as people and programs write them.
//!
//! - [`read_move`]: the legal move that a word means, or why it means none.
//! - [`Games`]: the games of a PGN text, in any of the usual languages, each as far as it can be read.
//! - [`parse_suite`]: test positions in EPD.
//! - [`read_text_file`]: a text file of unknown encoding.

mod bytes;
mod comments;
mod epd;
mod game;
mod language;
mod lexer;
mod moves;
mod movetext;
mod pgn;
mod section;
#[cfg(test)]
mod tests;

pub use bytes::{decode, read_text_file};
pub use epd::{Test, parse_suite};
pub use game::{Line, NotedMove, PlayedGame, ROSTER};
pub use moves::{Misread, read_move};
pub use pgn::Games;
