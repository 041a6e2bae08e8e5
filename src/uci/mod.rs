//! The Universal Chess Interface: lines in, lines out, no chess knowledge.
//!
//! [vampirc-uci](vampirc_uci) gives the vocabulary: its message types are what is written, and its
//! parser reads every line that it reads rightly. What it cannot express or reads wrong (the `go`
//! and `position` lines, chiefly) passes a guard of ours first; the tests of `command` keep the
//! list of those cases.
//!
//! - `command`: a line becomes a [`Command`].
//! - `go`, `position`: the two lines that are read here.
//! - `options`: what `setoption` can set; `settings`: the values that are no more than values;
//!   `memory`: how large a table can be.
//! - `message`: search reports become vampirc's messages.
//! - `answer`: the one best move that every `go` is owed.
//! - `output`: the one way to stdout, and the log of all traffic.
//! - [`run`]: reads lines until `quit` or the end of input, with the search on a thread of its own.

mod answer;
mod command;
mod go;
mod memory;
mod message;
mod options;
mod output;
mod position;
mod session;
mod settings;

pub use command::{Command, CommandError};
pub use go::Go;
pub use options::{Kind, OPTIONS, OptionSpec};
pub use position::{PositionRequest, Start};
pub use session::{Setup, run};

/// The commands, for `help`: usage and what it does.
pub const COMMANDS: &[(&str, &str)] = &[
    ("uci", "name, author, options, then uciok"),
    ("isready", "readyok, at any time"),
    ("ucinewgame", "forget the last game"),
    ("position startpos|fen FEN [moves ...]", "set up a position"),
    (
        "go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] \
         [movestogo N] [mate N] [infinite] [ponder] [searchmoves ...]",
        "search; all limits hold together, none means infinite",
    ),
    ("go perft N", "count the lines of N plies, move by move"),
    ("stop", "end the search and play"),
    ("ponderhit", "the expected move was played: the clock runs"),
    ("setoption name NAME [value VALUE]", "set an option"),
    ("debug on|off", "tell more in info strings"),
    ("register ...", "nothing: there is nothing to register"),
    ("d", "show the board, FEN and key"),
    ("flip", "exchange the colours of the position"),
    ("eval", "show the evaluation term by term"),
    ("bench", "search the fixed positions: the program's signature"),
    ("compiler", "what the program was built with"),
    ("help", "this list"),
    ("quit", "leave"),
];
