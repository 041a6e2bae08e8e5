//! Figures about the engine.

use super::{Given, game, learn::progress};
use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use shakmaty::{Chess, Position};
use std::{
    io::{self, Write},
    path::PathBuf,
};
use tropism::{
    search::{Control, Game},
    tools,
};

/// Search fixed positions to a fixed depth: the program's signature and its speed.
#[derive(Args)]
pub(super) struct Bench {}

impl Bench {
    pub(super) fn run(self, given: &Given) -> Result<()> {
        let result = tools::bench(&given.engine, &Control::default())?;
        writeln!(io::stdout(), "{result}")?;
        Ok(())
    }
}

/// Fit the figures that depend on the engine's strength, by games against itself.
#[derive(Args)]
pub(super) struct Calibrate {
    /// What to fit.
    #[command(subcommand)]
    what: Calibration,
}

#[derive(Subcommand)]
enum Calibration {
    /// The chances of win, draw and loss that belong to a value.
    Wdl {
        /// Games that `datagen` has played.
        #[arg(value_name = "DATA")]
        data: PathBuf,
    },
    /// How much stronger each level is than the one below it.
    Levels {
        /// Games of each match.
        #[arg(long, default_value_t = 100, value_name = "N")]
        games: u64,
        /// The lowest of the levels that are played against the one below.
        #[arg(long, default_value_t = 1, value_name = "LEVEL")]
        first: u32,
        /// The highest of them; each takes half as much time again as the one below.
        #[arg(long, default_value_t = 19, value_name = "LEVEL")]
        last: u32,
    },
}

impl Calibrate {
    pub(super) fn run(self, given: &Given) -> Result<()> {
        match self.what {
            Calibration::Wdl { data } => {
                writeln!(io::stdout(), "{}", tools::fit_wdl(&data)?)?;
            }
            Calibration::Levels { games, first, last } => {
                tools::compare_levels(&given.engine, games, first, last, progress)?;
            }
        }
        Ok(())
    }
}

/// Measure what each term is worth by doing without it: a table in Markdown.
#[derive(Args)]
pub(super) struct Ablate {
    /// Only these terms.
    #[arg(value_name = "TERM")]
    terms: Vec<String>,
    /// Games with each term against the engine without it; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 400)]
    games: u64,
    /// Nodes searched a move.
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    nodes: u64,
    /// Games that `datagen` wrote, to measure how much worse results are foreseen without it.
    #[arg(long, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Which openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Ablate {
    pub(super) fn run(self, given: &Given) -> Result<()> {
        let Ablate { terms, games, nodes, data, seed } = self;
        writeln!(io::stdout(), "{}", tools::Worth::HEAD)?;
        tools::Ablation { terms, data, games, nodes, seed }.run(&given.engine, progress)?;
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
    pub(super) fn run(self, given: &Given) -> Result<()> {
        let name = || self.file.display().to_string();
        let text = std::fs::read_to_string(&self.file).with_context(name)?;
        let tests = tools::parse_suite(&text).with_context(name)?;
        writeln!(io::stdout(), "{}", tools::suite(&given.engine, &tests, self.nodes)?)?;
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
        let division = tools::divide(chess, self.depth, mode, &Control::default());
        writeln!(io::stdout(), "{division}")?;
        Ok(())
    }
}
