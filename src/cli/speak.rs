//! The protocol.

use super::Context;
use crate::uci;
use anyhow::Result;
use clap::Args;
use std::io::{self, BufReader, IsTerminal};

/// Speak UCI (the default).
#[derive(Args)]
pub(super) struct Uci {}

impl Uci {
    pub(super) fn run(self, context: Context) -> Result<()> {
        let setup = uci::Setup { engine: context.engine, registry: context.registry };
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            println!(
                "tropism {} speaks UCI; `help` lists the commands, `quit` leaves",
                env!("CARGO_PKG_VERSION")
            );
        }
        uci::run(setup, BufReader::new(io::stdin()), io::stdout())
    }
}
