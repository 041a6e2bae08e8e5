//! A guard around the parser of vampirc-uci.

use std::panic::catch_unwind;
use vampirc_uci::{UciMessage, parse_one};

/// What vampirc-uci reads in a line. If its parser panics, the line is unknown and the session
/// continues.
pub fn parse(line: &str) -> UciMessage {
    catch_unwind(|| parse_one(line)).unwrap_or_else(|_| UciMessage::Unknown(line.to_owned(), None))
}
