//! Everything that is written to standard output.

use std::{
    fmt::{self, Debug, Display},
    fs::{File, OpenOptions},
    io::{self, Write},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};
use vampirc_uci::{UciInfoAttribute, UciMessage};

/// Writes whole lines for all threads, and the log of all traffic if there is one.
pub(super) struct Output {
    sink: Mutex<Box<dyn Write + Send>>,
    log: Mutex<Option<File>>,
}

impl Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}

impl Output {
    pub(super) fn new(sink: impl Write + Send + 'static) -> Output {
        Output { sink: Mutex::new(Box::new(sink)), log: Mutex::new(None) }
    }

    /// Writes a message of the protocol.
    pub(super) fn message(&self, message: &UciMessage) {
        self.text(message);
    }

    /// Writes an `info string` for the user.
    pub(super) fn info(&self, text: impl Display) {
        self.message(&UciMessage::Info(vec![UciInfoAttribute::String(text.to_string())]));
    }

    /// Writes text of one line or more in one piece. Errors are ignored: a GUI that no longer reads
    /// has also closed the input, which ends the session.
    pub(super) fn text(&self, text: impl Display) {
        let text = text.to_string();
        // Logging happens under this lock, so that the log has the lines in the same order.
        let mut sink = lock(&self.sink);
        let _ = writeln!(sink, "{text}").and_then(|()| sink.flush());
        for line in text.lines() {
            self.log("<", line);
        }
    }

    /// Logs a line of the input.
    pub(super) fn received(&self, line: &str) {
        self.log(">", line);
    }

    /// Starts logging to this file, or stops logging.
    pub(super) fn log_to(&self, path: Option<&Path>) -> io::Result<()> {
        let file = match path {
            Some(path) => Some(OpenOptions::new().create(true).append(true).open(path)?),
            None => None,
        };
        *lock(&self.log) = file;
        Ok(())
    }

    fn log(&self, direction: &str, line: &str) {
        log::debug!(target: "uci", "{direction} {line}");
        let mut log = lock(&self.log);
        if let Some(file) = log.as_mut() {
            let now = chrono::Local::now().format("%Y-%m-%d %H:%M:%S%.3f");
            if let Err(error) = writeln!(file, "{now} {direction} {line}") {
                log::warn!("writing to the debug log file failed, logging stops: {error}");
                *log = None;
            }
        }
    }
}

/// Locks even if a thread panicked while it wrote: at worst one line is incomplete.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
