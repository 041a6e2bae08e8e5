//! The one way out.

use std::{
    fmt::{self, Debug, Display},
    fs::{File, OpenOptions},
    io::{self, Write},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};
use vampirc_uci::{UciInfoAttribute, UciMessage};

/// Writes whole lines for all threads, and keeps the log of all traffic if there is one.
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

    /// Tells the user something.
    pub(super) fn info(&self, text: impl Display) {
        self.message(&UciMessage::Info(vec![UciInfoAttribute::String(text.to_string())]));
    }

    /// Writes text of one line or more at once. A reader that is gone is no error here: the end of
    /// input will tell.
    pub(super) fn text(&self, text: impl Display) {
        let text = text.to_string();
        // The lock is held while logging, so that the log keeps the order of the lines.
        let mut sink = lock(&self.sink);
        let _ = writeln!(sink, "{text}").and_then(|()| sink.flush());
        for line in text.lines() {
            self.log("<", line);
        }
    }

    /// Notes a line that came in.
    pub(super) fn received(&self, line: &str) {
        self.log(">", line);
    }

    /// From now on logs to this file, or nowhere.
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
                log::warn!("the debug log file cannot be written any more: {error}");
                *log = None;
            }
        }
    }
}

/// A thread that panicked while writing leaves nothing half done that matters.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
