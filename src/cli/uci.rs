//! `tropism uci`.

use super::Context;
use crate::uci::{self, Setup};
use anyhow::{Context as _, Result};
use clap::Args;
use std::io::{self, BufReader, IsTerminal};

/// Speak UCI with a GUI (the default).
#[derive(Args)]
pub(super) struct Uci {}

impl Uci {
    pub(super) fn run(self, context: Context) -> Result<()> {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            println!(
                "tropism {} speaks UCI; `help` lists the commands, `quit` ends the program",
                env!("CARGO_PKG_VERSION")
            );
        }
        let setup = Setup { engine: context.engine, registry: context.registry };
        uci::run(setup, BufReader::new(io::stdin()), io::stdout()).context("UCI session")
    }
}
