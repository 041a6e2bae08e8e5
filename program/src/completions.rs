//! `tropism completions`.

use super::{Arguments, Context};
use anyhow::Result;
use clap::{Args, CommandFactory};
use std::io::{self, Write};

/// Print the completion script for a shell.
#[derive(Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

impl Completions {
    pub fn run(self, _: Context) -> Result<()> {
        // The generator panics if its output fails, so it writes to memory.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "tropism", &mut script);
        io::stdout().write_all(&script)?;
        Ok(())
    }
}
