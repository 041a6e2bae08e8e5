//! `tropism prove`.

use super::Context;
use crate::endgame::Material;
use crate::endings::{Proof, Sample};
use anyhow::Result;
use clap::Args;
use std::io::{self, Write};

/// Prove that the engine mates from every won position of an ending against every defence.
#[derive(Args)]
pub(super) struct Prove {
    /// An ending against a bare king, such as KBNK.
    #[arg(value_name = "ENDING")]
    ending: Material,
    /// Depth to which the engine searches each move, in plies.
    #[arg(long, default_value_t = 1)]
    depth: u32,
    #[command(flatten)]
    sample: Option<Sample>,
    /// Show up to this many positions that are not proved, each with a line that shows the reason.
    #[arg(long, default_value_t = 3, value_name = "N")]
    refutations: usize,
}

impl Prove {
    pub(super) fn run(self, context: Context) -> Result<()> {
        let Prove { ending, depth, sample, refutations } = self;
        let proof = Proof::new(&context.engine, ending, depth, sample, refutations)?;
        writeln!(io::stdout(), "{proof}")?;
        Ok(())
    }
}
