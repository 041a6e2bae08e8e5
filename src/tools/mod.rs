//! What the program can do besides playing: one file a tool, each a subcommand and, where it
//! makes sense there, a UCI command.

mod bench;
mod board;
mod geometry;
mod perft;

pub use bench::{BenchError, BenchResult, bench};
pub use board::{Board, Cell};
pub use geometry::{GeometryError, GeometryRequest, geometry, geometry_list};
pub use perft::{Division, divide, perft};
