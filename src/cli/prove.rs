//! What is exactly true of an ending, and whether the engine can win it.

use super::{Context, game, save_svg};
use crate::endings;
use anyhow::{Context as _, Result};
use clap::Args;
use std::{
    io::{self, Write},
    num::NonZeroUsize,
    path::PathBuf,
};

/// Solve an ending such as KBNK exactly, or say what each move of a position is worth.
#[derive(Args)]
pub(super) struct Solve {
    /// An ending of up to four men without pawns, or a position.
    #[arg(required = true, value_name = "ENDING or FEN")]
    what: Vec<String>,
    /// Write the histogram of an ending's distances to this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Solve {
    pub(super) fn run(self) -> Result<()> {
        if self.what[0].contains('/') { self.position() } else { self.ending() }
    }

    fn ending(&self) -> Result<()> {
        let material = self.what.join(" ").parse().with_context(|| self.what.join(" "))?;
        let solution = endings::Solution::new(material);
        writeln!(io::stdout(), "{solution}")?;
        save_svg(self.svg.as_deref(), || solution.svg())
    }

    fn position(&self) -> Result<()> {
        anyhow::ensure!(self.svg.is_none(), "--svg draws an ending such as KBNK, not a position");
        let game = game(&self.what)?;
        let verdict = endings::PositionSolution::new(game.position().chess().clone());
        writeln!(io::stdout(), "{}", verdict.with_context(|| self.what.join(" "))?)?;
        Ok(())
    }
}

/// Prove that the engine mates from every won position of an ending, whatever the defence.
#[derive(Args)]
pub(super) struct Prove {
    /// An ending against a bare king, such as KBNK.
    #[arg(value_name = "ENDING")]
    ending: String,
    /// Plies the engine searches a move.
    #[arg(long, default_value_t = 1)]
    depth: u32,
    /// Search every move to the full depth and use the engine's own evaluation, without pruning.
    #[arg(long)]
    full_width: bool,
    /// Follow the engine only from so many positions drawn by lot, for depths at which all take too
    /// long.
    #[arg(long, value_name = "N")]
    sample: Option<NonZeroUsize>,
    /// Which positions are drawn.
    #[arg(long, default_value_t = 1, value_name = "N", requires = "sample")]
    seed: u64,
    /// Show so many positions that are not proved, with a defence that shows why.
    #[arg(long, default_value_t = 3, value_name = "N")]
    refutations: usize,
}

impl Prove {
    pub(super) fn run(self, context: &Context) -> Result<()> {
        let material = self.ending.parse().with_context(|| self.ending.clone())?;
        let sample =
            self.sample.map(|some| endings::Sample { positions: some.get(), seed: self.seed });
        let Prove { depth, full_width, refutations, .. } = self;
        let options = endings::ProofOptions { depth, full_width, sample, refutations };
        let proof = endings::Proof::new(&context.engine, material, &options)?;
        writeln!(io::stdout(), "{proof}")?;
        Ok(())
    }
}
