//! `tropism eval`.

use super::{Context, shared::Positions};
use anyhow::Result;
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;
use tropism::search::{Game, exact_value};

/// Show the evaluation of a position term by term.
#[derive(Args)]
pub struct Eval {
    /// The position: startpos or a FEN with four to six fields, quoted or not.
    #[arg(required_unless_present = "file", conflicts_with = "file", value_name = "FEN")]
    fen: Vec<String>,
    /// Show the positions of this file instead, one FEN or EPD a line, each after its FEN.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Eval {
    pub fn run(self, context: Context) -> Result<()> {
        let mut out = io::stdout().lock();
        let positions = Positions::read(&self.fen, self.file.as_deref())?;
        for (head, game) in &positions.games {
            out.write_all(head.as_bytes())?;
            show(&mut out, &context, game)?;
        }
        positions.check()
    }
}

fn show(out: &mut impl Write, context: &Context, game: &Game) -> Result<()> {
    if let Some(outcome) = game.outcome() {
        writeln!(out, "the game is over: {outcome}")?;
        return Ok(());
    }
    writeln!(out, "{}", context.engine.trace(game.position().chess()))?;
    if let Some(value) = exact_value(game) {
        writeln!(out, "exact: {value}")?;
    }
    Ok(())
}
