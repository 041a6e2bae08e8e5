//! What players and teachers use: explanations, practice, demonstrations and pictures.
//!
//! - [`Explanation`], [`BestLine`]: why a position is worth what it is.
//! - [`GameReader`], [`Chronicle`]: how the evaluation changed during a game.
//! - [`Practice`]: play an ending against the perfect defender, with hints.
//! - [`Demo`]: watch the engine play such an ending.
//! - [`diagram`]: a distance or a set of squares of [`geometry`](crate::geometry), drawn on a board.
//! - [`Picture`]: 64 cells as text, in colour, or as SVG.

mod board;
mod demo;
mod diagrams;
mod explain;
mod picture;
mod pieces;
mod practise;

pub use demo::{Demo, DemoError, Show};
pub use diagrams::{DiagramError, DiagramRequest, diagram, diagram_list};
pub use explain::{BestLine, Chronicle, ExplainError, Explanation, GameReader, PlayedGame};
pub use picture::{Cell, Picture};
pub use practise::{Practice, PractiseError, Screen, Side};
