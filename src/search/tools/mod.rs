//! What is built on a search: tests of the whole, weaker play, the meaning of a value.

pub mod bench;
pub mod perft;
pub mod skill;
pub mod wdl;
