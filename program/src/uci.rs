//! `tropism uci`.

use super::Context;
use anyhow::{Context as _, Result};
use clap::Args;
use std::io::{self, BufReader, IsTerminal};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};
use tropism::eval::EngineFileError;
use tropism::uci::{self, Setup};

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
        let setup = Setup { free_memory, ..Setup::new(context.engine, context.registry) };
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

/// The memory in MiB that is available without taking it from other programs. `None` if the system does not report it.
fn free_memory() -> Option<u64> {
    let what = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(what).ok()?;
    let machine = system.available_memory();
    // A container may have less memory than its machine.
    let bytes = system.cgroup_limits().map_or(machine, |limits| machine.min(limits.free_memory));
    (bytes > 0).then_some(bytes >> 20)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_reported_memory_is_plausible() {
        assert!(super::free_memory().is_none_or(|free| (1..1 << 30).contains(&free)));
    }
}
