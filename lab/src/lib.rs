//! `tropism-lab`: training data, tuning and measurements for the chess engine tropism.

mod ablate;
mod arguments;
mod calibrate;
mod cli;
mod counts;
mod curve;
mod data;
mod datagen;
mod judge;
mod label;
mod matches;
mod opening_book;
mod pairing;
mod play;
mod provenance;
mod random_moves;
mod statistics;
mod terminal;
mod try_terms;
mod tune;
mod uci;

pub use cli::main;
