//! `tropism geometry`.

use super::shared::{check_outputs, write_file};
use super::{Context, fitted};
use anyhow::Result;
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;
use tropism_coach::{diagram, diagram_list};

/// Draw a distance, a set of squares or shortest paths on a board.
#[derive(Args)]
pub struct Geometry {
    /// List all names instead.
    #[arg(long)]
    list: bool,
    /// What to draw.
    #[arg(required_unless_present = "list")]
    name: Option<String>,
    /// The squares to draw it for, at most two.
    #[arg(value_name = "SQUARE", num_args = 0..=2)]
    squares: Vec<String>,
    /// The position of the pieces, as a FEN in quotes; without it, the start position.
    #[arg(long)]
    fen: Option<String>,
    /// Also write the board to this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Geometry {
    pub fn run(self, context: Context) -> Result<()> {
        let Some(name) = self.name.filter(|_| !self.list) else {
            writeln!(fitted(io::stdout()), "{}", diagram_list())?;
            return Ok(());
        };
        check_outputs(&context.file, &self.svg)?;
        // The start position is the default.
        let fen = self.fen.as_deref().filter(|fen| *fen != "startpos");
        let board = diagram(&name, &self.squares, fen)?;
        let mut out = io::stdout().lock();
        match console::colors_enabled() {
            true => writeln!(out, "{}", board.coloured())?,
            false => writeln!(out, "{board}")?,
        }
        self.svg.map_or(Ok(()), |path| write_file(&path, &board.svg()))
    }
}
