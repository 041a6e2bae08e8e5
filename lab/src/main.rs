//! `tropism-lab`: training data, tuning and measurements for the chess engine tropism.

mod ablate;
mod calibrate;
mod cli;
mod data;
mod datagen;
mod selfplay;
#[cfg(feature = "tune")]
mod spsa;
mod teach;
mod tune;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
