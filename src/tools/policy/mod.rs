//! What comes of choosing one move in each won position of an ending against a bare king.
//!
//! - [`Graph`]: the positions, and the moves between them.
//! - [`Fate`], [`Walk`], [`follow`]: how each position fares when its one move is played and every reply is
//!   met.
//! - [`Tally`]: how many are mated from in time.
//!
//! Positions go by their place in the ending's table, so that those which differ by turning or
//! mirroring the board are one.

mod fate;
mod graph;

pub(super) use fate::{Fate, Tally, Walk, follow};
pub(super) use graph::{After, Graph, Lists, board};

/// The moves in which a mate must be given for the fifty-move rule not to step in.
pub(super) const FIFTY: u16 = 50;
