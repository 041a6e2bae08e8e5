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
        let name = || self.what.join(" ");
        let mut out = fitted(io::stdout());
        if self.what[0].contains('/') || self.what[0] == "startpos" {
            let game = parse_game(&self.what)?;
            let solution = solved_position(game.position().chess());
            writeln!(out, "{}", solution.with_context(name)?)?;
        } else {
            writeln!(out, "{}", solved_ending(name().parse().with_context(name)?))?;
        }
        Ok(())
    }
}
