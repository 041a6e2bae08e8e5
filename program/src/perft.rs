//! `tropism perft`.

use super::{Context, shared::parse_game};
use anyhow::Result;
use clap::Args;
use shakmaty::Position;
use std::io::{self, Write};
use tropism::search::{Control, MAX_PERFT, divide};

/// Count the lines of legal moves of a given length.
#[derive(Args)]
pub struct Perft {
    /// Length of the lines in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PERFT)))]
    depth: u32,
    /// The position: startpos or a FEN; without it, the start position.
    #[arg(value_name = "FEN", default_value = "startpos", hide_default_value = true)]
    fen: Vec<String>,
}

impl Perft {
    pub fn run(self, _: Context) -> Result<()> {
        let game = parse_game(&self.fen)?;
        let chess = game.position().chess();
        let division = divide(chess, self.depth, chess.castles().mode(), &Control::default());
        writeln!(io::stdout(), "{division}")?;
        Ok(())
    }
}
