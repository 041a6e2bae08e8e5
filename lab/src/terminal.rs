//! Progress on the terminal, and how the user stops a run.

use anyhow::Result;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Arc, atomic::AtomicBool};

/// Prints a line about the progress to standard output. The work continues if the reader of the
/// output is gone.
pub(crate) fn print_line(line: &impl Display) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// A flag that Ctrl-C sets, and the signal with which `kill` asks a program to end. The second one ends it at once.
pub(crate) fn stop_on_ctrl_c() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, 2, stop.clone())?;
        signal_hook::flag::register(signal, stop.clone())?;
    }
    Ok(stop)
}
