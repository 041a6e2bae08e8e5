//! `tropism eval`.

use super::{Context, shared::parse_game};
use crate::search::exact_value;
use anyhow::Result;
use clap::Args;
use std::io::{self, Write};

/// Show the evaluation of a position term by term.
#[derive(Args)]
pub struct Eval {
    /// The position: startpos or a FEN with four to six fields, quoted or not.
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
}

impl Eval {
    pub fn run(self, context: Context) -> Result<()> {
        let game = parse_game(&self.fen)?;
        let mut out = io::stdout().lock();
        if let Some(outcome) = game.outcome() {
            writeln!(out, "the game is over: {outcome}")?;
            return Ok(());
        }
        let chess = game.position().chess();
        writeln!(out, "{}", context.engine.trace(chess))?;
        if let Some(value) = exact_value(&game) {
            writeln!(out, "exact: {value}")?;
        }
        Ok(())
    }
}
