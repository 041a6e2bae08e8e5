//! Everything that is written to standard output.

use std::fmt::{self, Debug, Display};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use vampirc_uci::{UciInfoAttribute, UciMessage};

/// The most characters of an `info string`. Texts with names from a file can be longer.
const LONGEST_LINE: usize = 1000;

/// Writes whole lines for all threads, and the log of all traffic if there is one.
pub struct Output {
    sink: Mutex<Box<dyn Write + Send>>,
    log: Mutex<Option<File>>,
}

impl Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}

impl Output {
    pub fn new(sink: impl Write + Send + 'static) -> Output {
        Output { sink: Mutex::new(Box::new(sink)), log: Mutex::new(None) }
    }

    /// Writes an `info string` for the user; one for each line of a text of several lines. They come
    /// out in one piece.
    pub fn info(&self, text: impl Display) {
        let messages: Vec<String> = info_lines(&text.to_string())
            .map(|line| UciMessage::Info(vec![UciInfoAttribute::String(line)]).to_string())
            .collect();
        if !messages.is_empty() {
            self.text(messages.join("\n"));
        }
    }

    /// Writes text of one line or more in one piece. Errors are ignored: a GUI that no longer reads
    /// has also closed the input, which ends the session.
    pub fn text(&self, text: impl Display) {
        let text = text.to_string();
        // Logging happens under this lock, so that the log has the lines in the same order.
        let mut sink = lock(&self.sink);
        let _ = writeln!(sink, "{text}").and_then(|()| sink.flush());
        for line in text.lines() {
            self.log("<", line);
        }
    }

    /// Starts logging to this file, or stops logging.
    pub fn log_to(&self, path: Option<&Path>) -> io::Result<()> {
        let open = |path| OpenOptions::new().create(true).append(true).open(path);
        let file = path.map(open).transpose()?;
        *lock(&self.log) = file;
        Ok(())
    }

    /// Logs a line of the input (`>`) or of the output (`<`).
    pub fn log(&self, direction: &str, line: &str) {
        log::debug!(target: "uci", "{direction} {line}");
        let mut log = lock(&self.log);
        if let Some(file) = log.as_mut() {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            if let Err(error) = writeln!(file, "{:.3} {direction} {line}", now.as_secs_f64()) {
                log::warn!("writing to the debug log file failed, logging stops: {error}");
                *log = None;
            }
        }
    }
}

/// The lines of a text as a GUI can read them: no line is empty or very long, and none has control
/// characters, which some GUIs take for the end of the line. Tabs stay: they align marks.
fn info_lines(text: &str) -> impl Iterator<Item = String> {
    let lines = text.split(['\n', '\r']).map(str::trim_end).filter(|line| !line.is_empty());
    lines.map(|line| {
        let is_bad =
            |c: char| (c.is_control() && c != '\t') || matches!(c, '\u{2028}' | '\u{2029}');
        let clean = line.chars().map(|c| if is_bad(c) { '?' } else { c });
        let mut short: String = clean.take(LONGEST_LINE).collect();
        if line.chars().nth(LONGEST_LINE).is_some() {
            short.push_str("...");
        }
        short
    })
}

/// Locks even if a thread panicked while it wrote: at worst one line is incomplete.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_info_string_is_one_line() {
        let lines = |text: &str| info_lines(text).collect::<Vec<_>>();
        assert_eq!(lines("one"), ["one"]);
        assert_eq!(
            lines("a.toml:3: wrong\n  \tcount = x\n  \t        ^"),
            ["a.toml:3: wrong", "  \tcount = x", "  \t        ^"]
        );
        assert_eq!(lines("a\r\nb\rc\n\nd \n"), ["a", "b", "c", "d"]);
        assert_eq!(lines("a\u{b}b\u{1b}[2J\u{85}c\u{2028}d"), ["a?b?[2J?c?d"]);
        assert_eq!(lines(""), Vec::<String>::new());
        let long = lines(&"é".repeat(5000));
        assert_eq!(long, [format!("{}...", "é".repeat(LONGEST_LINE))]);
        let longest = "x".repeat(LONGEST_LINE);
        assert_eq!(lines(&longest), [longest.as_str()]);
    }
}
