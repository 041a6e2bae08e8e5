//! From a line to a command.

use super::{Go, PositionRequest};
use std::panic::catch_unwind;
use thiserror::Error;
use vampirc_uci::{UciMessage, parse_one};

/// What a line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `uci`
    Uci,
    /// `debug on` or `debug off`
    Debug(bool),
    /// `isready`
    IsReady,
    /// `setoption`
    SetOption {
        /// The option's name, as far as it can be told from the value.
        name: String,
        /// Its value; `None` where it is missing or empty.
        value: Option<String>,
    },
    /// `register`: there is nothing to register.
    Register,
    /// `ucinewgame`
    NewGame,
    /// `position`
    Position(PositionRequest),
    /// `go`
    Go(Go),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
    /// `d`
    Display,
    /// `flip`
    Flip,
    /// `eval`
    Eval,
    /// `compiler`
    Compiler,
    /// `bench`
    Bench,
    /// `help`
    Help,
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CommandError {
    /// No word of it is a command.
    #[error("unknown command {0:?}; `help` lists the commands")]
    Unknown(String),
    /// The command is known, but not what follows.
    #[error("{0}")]
    Malformed(String),
}

/// The first words of all commands.
const KEYWORDS: [&str; 18] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "exit",
    "d",
    "flip",
    "eval",
    "compiler",
    "bench",
    "help",
];

impl Command {
    /// Reads one line, without its end. `None` for a blank line.
    ///
    /// White space may be of any kind and amount. Unknown words before the first known one are
    /// skipped, as the protocol asks.
    ///
    /// # Errors
    ///
    /// If no word is a command, or the rest of the line does not fit the command.
    ///
    /// ```
    /// use tropism::uci::Command;
    /// assert_eq!(Command::parse("  joho\tdebug  on "), Ok(Some(Command::Debug(true))));
    /// assert_eq!(Command::parse(" "), Ok(None));
    /// assert!(Command::parse("xboard").is_err());
    /// ```
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let line = line.trim_start_matches('\u{feff}').trim();
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            return Ok(None);
        }
        let Some(start) = words.iter().position(|word| KEYWORDS.contains(word)) else {
            return Err(CommandError::Unknown(shortened(line)));
        };
        let words = &words[start..];
        let command = match words[0] {
            "go" => Command::Go(Go::parse(&words[1..])),
            "position" => Command::Position(PositionRequest::parse(&words[1..])?),
            "setoption" => set_option(line)?,
            "d" => Command::Display,
            "flip" => Command::Flip,
            "eval" => Command::Eval,
            "compiler" => Command::Compiler,
            "bench" => Command::Bench,
            "help" => Command::Help,
            "exit" => Command::Quit,
            "register" => Command::Register,
            _ => understood(&words.join(" "))?,
        };
        Ok(Some(command))
    }
}

/// The commands vampirc reads rightly once blanks are in order.
fn understood(line: &str) -> Result<Command, CommandError> {
    let words: Vec<&str> = line.split(' ').collect();
    // Words after a command that takes none are ignored, as the protocol asks.
    let line = if words[0] == "debug" { line } else { words[0] };
    match vampirc(line) {
        UciMessage::Uci => Ok(Command::Uci),
        UciMessage::Debug(on) => Ok(Command::Debug(on)),
        UciMessage::IsReady => Ok(Command::IsReady),
        UciMessage::UciNewGame => Ok(Command::NewGame),
        UciMessage::Stop => Ok(Command::Stop),
        UciMessage::PonderHit => Ok(Command::PonderHit),
        UciMessage::Quit => Ok(Command::Quit),
        _ => Err(CommandError::Malformed(format!("cannot read {:?}", shortened(line)))),
    }
}

/// `setoption name N [value V]`: white space inside the value is part of it, anywhere else not.
fn set_option(line: &str) -> Result<Command, CommandError> {
    let malformed =
        || CommandError::Malformed("usage: setoption name NAME [value VALUE]".to_owned());
    let at = line.find("setoption").ok_or_else(malformed)?;
    let (head, value) = match find_word(&line[at..], "value") {
        Some(value) => (&line[at..at + value], line[at + value + "value".len()..].trim()),
        None => (&line[at..], ""),
    };
    let head = head.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = match value {
        "" => vampirc(&head),
        value => vampirc(&format!("{head} value {value}")),
    };
    let UciMessage::SetOption { name, value } = message else {
        return Err(malformed());
    };
    let name = name.trim().to_owned();
    let value = value
        .map(|value| value.trim().to_owned())
        .filter(|value| !value.is_empty() && value != "<empty>");
    if name.is_empty() { Err(malformed()) } else { Ok(Command::SetOption { name, value }) }
}

/// Where `word` stands by itself in `text`.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_edge = |c: Option<char>| c.is_none_or(char::is_whitespace);
    text.match_indices(word).map(|(at, _)| at).find(|&at| {
        is_edge(text[..at].chars().next_back()) && is_edge(text[at + word.len()..].chars().next())
    })
}

/// vampirc's reading of a line. Should its parser panic, the line is unknown, and we go on.
fn vampirc(line: &str) -> UciMessage {
    catch_unwind(|| parse_one(line)).unwrap_or_else(|_| UciMessage::Unknown(line.to_owned(), None))
}

/// Enough of a line to recognise it by, without control characters.
fn shortened(line: &str) -> String {
    const LENGTH: usize = 60;
    let clean: String = line.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    match clean.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}...", &clean[..end]),
        None => clean,
    }
}

#[cfg(test)]
mod tests;
