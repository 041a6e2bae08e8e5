//! `tropism solve`.

use super::shared::{check_named, parse_game};
use super::{Context, fitted};
use anyhow::{Context as _, Result};
use clap::Args;
use std::io::{self, Write};
use tropism_coach::{solved_ending, solved_position};

/// Solve an ending such as KBNK exactly, or show the exact value of each move in a position.
#[derive(Args)]
pub struct Solve {
    /// An ending of up to four pieces, with pawns of one side at most, or the FEN of a position.
    #[arg(required = true, value_name = "ENDING or FEN")]
    what: Vec<String>,
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
        writeln!(fitted(io::stdout()), "{}", solved_ending(material))?;
        Ok(())
    }

    fn solve_position(&self) -> Result<()> {
        let game = parse_game(&self.what)?;
        let solution = solved_position(game.position().chess());
        writeln!(fitted(io::stdout()), "{}", solution.with_context(|| self.what.join(" "))?)?;
        Ok(())
    }
}
