//! Distances on a board.

use super::save_svg;
use crate::coach;
use anyhow::Result;
use clap::Args;
use std::{
    io::{self, Write},
    path::PathBuf,
};

/// Draw a distance, a relation, a set or the shortest ways on a board.
#[derive(Args)]
pub(super) struct Geometry {
    /// Show all names instead.
    #[arg(long)]
    list: bool,
    /// What to draw.
    #[arg(required_unless_present = "list")]
    name: Option<String>,
    /// The squares it is asked about, at most two.
    #[arg(value_name = "SQUARE", num_args = 0..=2)]
    squares: Vec<String>,
    /// Look the distance up in this layout.
    #[arg(long)]
    layout: Option<String>,
    /// The position that pieces are taken from, in quotes; the start position if none is given.
    #[arg(long)]
    fen: Option<String>,
    /// Write the board to this file as well.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Geometry {
    pub(super) fn run(self) -> Result<()> {
        let Some(name) = self.name.filter(|_| !self.list) else {
            writeln!(io::stdout(), "{}", coach::diagram_list())?;
            return Ok(());
        };
        let (layout, fen) = (self.layout.as_deref(), self.fen.as_deref());
        let squares = &self.squares;
        let board = coach::diagram(&coach::DiagramRequest { name: &name, squares, layout, fen })?;
        let mut out = anstream::AutoStream::auto(io::stdout().lock());
        match out.current_choice() {
            anstream::ColorChoice::Never => writeln!(out, "{board}")?,
            _ => writeln!(out, "{}", board.coloured())?,
        }
        save_svg(self.svg.as_deref(), || board.svg())
    }
}
