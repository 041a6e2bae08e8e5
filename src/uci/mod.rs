//! The Universal Chess Interface: reads lines, writes lines, and holds no chess knowledge.
//!
//! - [`run`] reads lines until `quit` or the end of input.
//! - `commands`: the table of commands; `options`: the table of options, and the values that a search reads. An entry
//!   of a table holds everything about its command or option.
//! - `session`: what the commands work with. A search runs on a thread of its own.
//! - `go`, `position`: the arguments of these two commands.
//! - `best_move`: every `go` is answered with one best move.
//! - `messages`: search reports as messages of vampirc-uci, and its parser; `output`: standard output and the log of all
//!   traffic.
//!
//! [vampirc-uci](vampirc_uci) defines the messages that are written and parses `setoption` and
//! `debug`. It refuses or misreads many `go` and `position` lines that
//! GUIs send, so this module reads those itself. The tests of `go` and `position` list such lines.

mod best_move;
mod commands;
#[cfg(test)]
mod documentation;
mod go;
mod messages;
mod options;
mod output;
mod position;
mod session;

use crate::eval::{Engine, Registry};
use crate::search::{Evaluate, Outcome, Report};
use output::Output;
use session::Session;
use shakmaty::CastlingMode;
use std::io::{self, BufRead, Write};
use std::sync::Arc;

/// What [`run`] starts with.
#[derive(Debug)]
pub struct Setup {
    /// The engine that evaluates until the option `EngineFile` names another one.
    pub engine: Engine,
    /// The terms that engine files may name.
    pub registry: Registry,
    /// What evaluates instead of the engine, which then gives its name only.
    pub evaluation: Option<Arc<dyn Evaluate>>,
    /// How much memory in MiB the program may take without taking it from others; `None` if that is unknown. A
    /// transposition table that is larger is refused: most systems promise more memory than they have, and end the
    /// program when it uses what was promised.
    pub free_memory: fn() -> Option<u64>,
}

impl Setup {
    /// An engine, the terms that engine files may name, and memory without a known limit.
    pub fn new(engine: Engine, registry: Registry) -> Setup {
        Setup { engine, registry, evaluation: None, free_memory: || None }
    }

    /// The same start with another evaluation than the engine's. The engine gives its name only, terms have no
    /// options, and engine files are refused. `examples/own_evaluation.rs` is such a program.
    #[must_use]
    pub fn with_evaluation(self, evaluation: Arc<dyn Evaluate>) -> Setup {
        Setup { evaluation: Some(evaluation), ..self }
    }
}

/// Speaks UCI until `quit` or the end of input. A search that is still running then is stopped and
/// answers with its best move.
///
/// # Errors
///
/// If the input cannot be read, or there is no memory for the smallest transposition table.
///
/// ```
/// use tropism::uci::{Setup, run};
/// let setup = Setup::new(tropism::default_engine()?, tropism::terms::registry());
/// run(setup, "isready\nquit\n".as_bytes(), std::io::stdout())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(
    setup: Setup,
    mut input: impl BufRead,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let mut session = Session::new(setup, Output::new(output), options::default_settings())?;
    let mut bytes = Vec::new();
    while !session.is_over {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&bytes);
        handle_line(&mut session, line.trim_end_matches(['\n', '\r']));
    }
    session.finish_search();
    Ok(())
}

/// Answers `uci` with the reason why the program cannot play, then ends. A GUI that shows what the engine
/// says, but not standard error, shows it then.
///
/// # Errors
///
/// If the input cannot be read.
pub fn refuse(
    reason: &str,
    input: impl BufRead,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let output = Output::new(output);
    for line in input.lines() {
        match commands::keyword(&line?) {
            Some("uci") => {
                output.info(reason);
                break;
            }
            Some("quit" | "exit") => break,
            _ => {}
        }
    }
    Ok(())
}

/// The `info` line of a search report.
pub fn info_line(report: &Report, mode: CastlingMode) -> String {
    messages::info(report, None, mode).to_string()
}

/// The `bestmove` line of a finished search.
pub fn best_move_line(outcome: &Outcome, mode: CastlingMode) -> String {
    messages::best_move(outcome.best, outcome.ponder, mode)
}

fn handle_line(session: &mut Session, line: &str) {
    session.output.log(">", line);
    if let Err(complaint) = commands::dispatch(session, line) {
        session.output.info(complaint);
    }
}
