//! Progress on the terminal, the number of cores, and how the user stops a run.

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::{
    fmt::Display,
    io::{self, Write},
    sync::{Arc, atomic::AtomicBool},
    thread,
};

/// A progress bar on standard error, shown only if that is a terminal. `template` is in the
/// language of indicatif; `done` of `length` steps were made in an earlier run and do not count
/// for the estimate of the time left.
pub(crate) fn progress_bar(template: &str, length: u64, done: u64) -> ProgressBar {
    let bar = ProgressBar::new(length).with_position(done);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.reset_eta();
    bar
}

/// Prints a line about the progress to standard output. The work continues if the reader of the
/// output is gone.
pub(crate) fn print_line(line: &impl Display) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// The number of cores.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A flag that Ctrl-C sets, and the signal with which `kill` asks a program to end.
pub(crate) fn stop_on_ctrl_c() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, stop.clone())?;
    }
    Ok(stop)
}
