//! `tropism practise`.

use super::{
    Context, fitted,
    shared::{parse_game, seed_from_clock},
};
use crate::coach::{Practice, PracticeOptions, Side};
use crate::endgame::Material;
use anyhow::{Context as _, Result};
use clap::Args;
use std::io::{self, IsTerminal, Write};

/// Play out a won ending such as KBNK against perfect defence.
#[derive(Args)]
pub(super) struct Practise {
    /// An ending of up to four pieces without pawns, or a position of one that the side to move wins.
    #[arg(required = true, value_name = "ENDING or FEN")]
    what: Vec<String>,
    /// Your side: the strong side tries to mate, the weak side tries to hold out.
    #[arg(long, value_enum, default_value_t = Side::Strong)]
    side: Side,
    /// Show the board from Black's side.
    #[arg(long)]
    flip: bool,
    /// The seed that selects one of the won positions; without it, the clock decides.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl Practise {
    pub(super) fn run(self, context: Context) -> Result<()> {
        let seed = self.seed.unwrap_or_else(seed_from_clock);
        let practice = match &self.what[..] {
            [ending] if !ending.contains('/') => {
                let material = ending.parse::<Material>().with_context(|| ending.clone())?;
                Practice::new(&context.engine, material, self.side, seed)?
            }
            fen => {
                let game = parse_game(fen)?;
                Practice::from_position(&context.engine, game.position().chess(), self.side)?
            }
        };
        let out = anstream::AutoStream::auto(io::stdout().lock());
        let options = PracticeOptions {
            coloured: out.current_choice() != anstream::ColorChoice::Never,
            flipped: self.flip,
            prompt: io::stdin().is_terminal(),
        };
        let mut out = fitted(out);
        practice.run(io::stdin().lock(), &mut out, options)?;
        Ok(out.flush()?)
    }
}
