//! `tropism prove`.

use super::Context;
use crate::endgame::Material;
use crate::endings::{ProgressProof, Proof, ProofOptions};
use crate::search::MAX_MOVES_OF_A_STEP;
use anyhow::Result;
use clap::Args;
use std::io::{self, Write};

/// Prove that the engine mates from every won position of an ending against every defence.
#[derive(Args)]
pub(super) struct Prove {
    /// An ending against a bare king, such as KBNK.
    #[arg(value_name = "ENDING")]
    ending: Material,
    #[command(flatten)]
    options: ProofOptions,
    /// Prove instead that the engine can always force a higher level, up to mate.
    #[arg(long, conflicts_with_all = ["depth", "full_width", "sample", "refutations"])]
    progress: bool,
    /// The most moves that it may take to reach a higher level.
    #[arg(long, value_name = "MOVES", requires = "progress", default_value_t = MAX_MOVES_OF_A_STEP.into(),
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=16))]
    moves: usize,
}

impl Prove {
    pub(super) fn run(self, context: Context) -> Result<()> {
        if self.progress {
            let proof = ProgressProof::new(&context.engine, self.ending, self.moves)?;
            writeln!(io::stdout(), "{proof}")?;
            return Ok(());
        }
        let proof = Proof::new(&context.engine, self.ending, &self.options)?;
        writeln!(io::stdout(), "{proof}")?;
        Ok(())
    }
}
