//! `tropism uci`.

use super::Context;
use crate::{
    eval::EngineFileError,
    uci::{self, Setup},
};
use anyhow::{Context as _, Result};
use clap::Args;
use std::io::{self, BufReader, IsTerminal};

/// What failed if the conversation ends with an error.
const SESSION: &str = "UCI session";

/// Speak UCI with a GUI (the default).
#[derive(Args)]
pub struct Uci {}

impl Uci {
    pub fn run(self, context: Context) -> Result<()> {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            println!(
                "tropism {} speaks UCI; `help` lists the commands, `quit` ends the program",
                env!("CARGO_PKG_VERSION")
            );
        }
        let setup = Setup { engine: context.engine, registry: context.registry };
        uci::run(setup, BufReader::new(io::stdin()), io::stdout()).context(SESSION)
    }

    /// Tells a GUI why the engine file cannot be used, and passes the error on.
    pub fn refuse(error: EngineFileError) -> Result<()> {
        if !io::stdin().is_terminal() {
            uci::refuse(&error.to_string(), BufReader::new(io::stdin()), io::stdout())
                .context(SESSION)?;
        }
        Err(error.into())
    }
}
