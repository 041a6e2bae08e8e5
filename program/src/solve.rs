//! `tropism solve`.

use super::shared::{check_named, check_outputs, parse_game, save_svg};
use super::{Context, fitted};
use anyhow::{Context as _, Result};
use clap::Args;
use std::{
    io::{self, Write},
    path::PathBuf,
};
use tropism_coach::{PositionSolution, Solution};

/// Solve an ending such as KBNK exactly, or show the exact value of each move in a position.
#[derive(Args)]
pub struct Solve {
    /// An ending of up to four pieces, with pawns of one side at most, or the FEN of a position.
    #[arg(required = true, value_name = "ENDING or FEN")]
    what: Vec<String>,
    /// Also write the histogram of an ending's distances to mate to this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Solve {
    pub fn run(self, _: Context) -> Result<()> {
        check_named(&self.what)?;
        if self.what[0].contains('/') || self.what[0] == "startpos" {
            self.solve_position()
        } else {
            self.solve_ending()
        }
    }

    fn solve_ending(&self) -> Result<()> {
        let material = self.what.join(" ").parse().with_context(|| self.what.join(" "))?;
        check_outputs([self.svg.as_deref()])?;
        let solution = Solution::new(material);
        writeln!(fitted(io::stdout()), "{solution}")?;
        save_svg(self.svg.as_deref(), || solution.svg())
    }

    fn solve_position(&self) -> Result<()> {
        anyhow::ensure!(self.svg.is_none(), "--svg draws an ending such as KBNK, not a position");
        let game = parse_game(&self.what)?;
        let solution = PositionSolution::new(game.position().chess().clone());
        writeln!(fitted(io::stdout()), "{}", solution.with_context(|| self.what.join(" "))?)?;
        Ok(())
    }
}
