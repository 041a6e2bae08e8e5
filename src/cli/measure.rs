//! Figures about the engine.

use super::{Context, game};
use crate::search::{self, Control, Game};
use anyhow::{Context as _, Result};
use clap::Args;
use shakmaty::{Chess, Position};
use std::{
    io::{self, Write},
    path::PathBuf,
};

/// Search fixed positions to a fixed depth: the program's signature and its speed.
#[derive(Args)]
pub(super) struct Bench {}

impl Bench {
    pub(super) fn run(self, context: &Context) -> Result<()> {
        let result = search::bench(&context.engine, &Control::default())?;
        writeln!(io::stdout(), "{result}")?;
        Ok(())
    }
}

/// Search the positions of a test suite and count those solved.
#[derive(Args)]
pub(super) struct Suite {
    /// An EPD file with the operations bm, am or dm.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Nodes searched a position.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    nodes: u64,
}

impl Suite {
    pub(super) fn run(self, context: &Context) -> Result<()> {
        let name = || self.file.display().to_string();
        let text = std::fs::read_to_string(&self.file).with_context(name)?;
        let tests = search::parse_suite(&text).with_context(name)?;
        writeln!(io::stdout(), "{}", search::suite(&context.engine, &tests, self.nodes)?)?;
        Ok(())
    }
}

/// Count the legal lines of so many plies.
#[derive(Args)]
pub(super) struct Perft {
    /// Length of the lines.
    depth: u32,
    /// The position; the start position if none is given.
    #[arg(value_name = "FEN")]
    fen: Vec<String>,
}

impl Perft {
    pub(super) fn run(self) -> Result<()> {
        let game = if self.fen.is_empty() { Game::new(Chess::default()) } else { game(&self.fen)? };
        let chess = game.position().chess();
        let mode = chess.castles().mode();
        let division = search::divide(chess, self.depth, mode, &Control::default());
        writeln!(io::stdout(), "{division}")?;
        Ok(())
    }
}
