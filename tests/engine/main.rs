//! The tests of the whole engine, in one binary: each module states facts of one subject.
//!
//! `cargo test --test engine draws` runs one module.
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod broken_files;
mod command_line;
mod commands;
mod common;
mod draws;
mod endgame;
mod endings;
mod exact;
mod example;
mod explain;
mod formula_files;
mod formula_terms;
mod game_review;
mod gui;
mod kpk;
mod layers;
mod mates;
mod pages;
mod percent;
mod perft;
mod pictures;
mod practise;
mod program;
mod protocol;
mod puzzles;
mod readings;
mod readme;
mod search;
mod symmetry;
mod tablebases;
mod threads;
mod transcripts;
