//! `tropism prove`.

use super::Context;
use crate::endgame::Material;
use crate::endings::{Proof, ProofOptions};
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
}

impl Prove {
    pub(super) fn run(self, context: Context) -> Result<()> {
        let proof = Proof::new(&context.engine, self.ending, &self.options)?;
        writeln!(io::stdout(), "{proof}")?;
        Ok(())
    }
}
