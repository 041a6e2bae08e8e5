//! `tropism-lab`: training data, tuning and measurements for the chess engine tropism.

mod ablate;
mod adam;
mod arguments;
mod book;
mod calibrate;
mod cli;
mod counts;
mod curve;
mod data;
mod datagen;
mod judge;
mod label;
mod matches;
mod mates;
mod motifs;
mod openings;
mod pairing;
mod provenance;
mod selfplay;
mod statistics;
mod terminal;
mod trial;
mod tune;

pub use cli::main;
