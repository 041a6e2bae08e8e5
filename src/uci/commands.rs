//! The UCI commands.
//!
//! An entry of [`COMMANDS`] holds everything about a command: usage, sentence, and what it
//! does. `help` and `docs/uci.md` follow from it.

use super::go::Go;
use super::messages::parse;
use super::options::{OPTIONS, UciOption, messages, set_option};
use super::position::PositionRequest;
use super::session::Session;
use crate::search::BENCH_DEPTH;
use crate::text::shortened;
use vampirc_uci::UciMessage;

/// One UCI command.
#[derive(Debug)]
pub struct UciCommand {
    /// Its keyword, with its arguments.
    pub usage: &'static str,
    /// What it does, for `help` and the documentation.
    pub doc: &'static str,
    run: Run,
}

impl UciCommand {
    fn keyword(&self) -> &'static str {
        self.usage.split(' ').next().unwrap_or_default()
    }
}

#[derive(Debug)]
enum Run {
    /// A command without arguments. The protocol asks to ignore the words after it.
    Plain(fn(&mut Session)),
    /// A command that reads the rest of the line. The error is a text for the user.
    Arguments(Reading),
}

type Reading = fn(&mut Session, &str) -> Result<(), String>;

const fn plain(usage: &'static str, doc: &'static str, run: fn(&mut Session)) -> UciCommand {
    UciCommand { usage, doc, run: Run::Plain(run) }
}

const fn reading(usage: &'static str, doc: &'static str, run: Reading) -> UciCommand {
    UciCommand { usage, doc, run: Run::Arguments(run) }
}

/// All commands, in the order of `help`.
pub const COMMANDS: &[UciCommand] = &[
    plain("uci", "show name, author and options, then `uciok`", identify),
    plain("isready", "answer `readyok`, also during a search", |session| {
        session.output.text(UciMessage::ReadyOk)
    }),
    plain("ucinewgame", "start a new game: clear the transposition table", Session::new_game),
    reading(
        "position startpos|fen FEN [moves MOVE ...]",
        "set up a position and play the moves",
        |session, arguments| {
            let game = PositionRequest::parse(arguments)?.set_up(session.settings.chess960)?;
            session.set_game(game);
            Ok(())
        },
    ),
    reading(
        "go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] \
                [movestogo N] [mate N] [infinite] [ponder] [searchmoves MOVE ...] [perft N]",
        "search until the first limit is reached, without a limit until `stop`; `perft` counts \
              the lines of N plies instead",
        |session, arguments| {
            session.go(&Go::parse(arguments));
            Ok(())
        },
    ),
    plain("stop", "end the search and answer with the best move", |session| session.stop_search()),
    plain(
        "ponderhit",
        "the opponent played the expected move: the search goes on on the engine's own time",
        |session| session.end_pondering(),
    ),
    reading("setoption name NAME [value VALUE]", "set an option", set_option),
    reading("debug on|off", "confirm each option that is set", set_debug),
    plain("register ...", "accepted without effect: the engine needs no registration", |_| ()),
    plain("d", "show the board, its FEN and its hash key", |session| {
        session.output.text(session.board())
    }),
    plain("flip", "mirror the position and exchange the colours", Session::flip),
    plain("eval", "show the evaluation term by term", |session| {
        session.output.text(session.explanation())
    }),
    reading(
        "bench [DEPTH]",
        "search fixed positions; without a depth, the number of nodes is the signature of the program",
        bench,
    ),
    plain("compiler", "show the compiler, the target and the build checks", |session| {
        session.output.text(compiler())
    }),
    plain("help", "show this list of commands and options", help),
    plain("exit", "the same as `quit`", Session::quit),
    plain("quit", "end the program", Session::quit),
];

fn bench(session: &mut Session, arguments: &str) -> Result<(), String> {
    let depth = match arguments.split_whitespace().next().map(str::parse) {
        None => BENCH_DEPTH,
        Some(Ok(depth @ 1..)) => depth,
        Some(_) => return Err("usage: bench [DEPTH], with a depth of 1 ply or more".to_owned()),
    };
    session.bench(depth);
    Ok(())
}

/// Carries out one line. White space may be of any kind and amount, and a blank line does nothing.
///
/// # Errors
///
/// A text for the user, if no word is a command, or the command cannot be carried out.
pub fn dispatch(session: &mut Session, line: &str) -> Result<(), String> {
    let line = line.trim_start_matches('\u{feff}').trim();
    match find(line) {
        Some((UciCommand { run: Run::Plain(run), .. }, _)) => run(session),
        Some((UciCommand { run: Run::Arguments(run), .. }, rest)) => run(session, rest)?,
        None if line.is_empty() => {}
        None => {
            let line = shortened(line, 60);
            return Err(format!("unknown command {line:?}; `help` lists the commands"));
        }
    }
    Ok(())
}

/// The first word of a line that is a command.
pub fn keyword(line: &str) -> Option<&'static str> {
    find(line).map(|(command, _)| command.keyword())
}

/// The first word that is a command, and the rest of the line. The protocol asks to skip unknown
/// words before it.
fn find(line: &str) -> Option<(&'static UciCommand, &str)> {
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, tail) = rest.split_at(end);
        if let Some(command) = COMMANDS.iter().find(|command| command.keyword() == word) {
            return Some((command, tail));
        }
        rest = tail.trim_start();
    }
    None
}

fn identify(session: &mut Session) {
    let id = |name, author| UciMessage::Id { name, author };
    session.output.text(id(Some(session.name()), None));
    session.output.text(id(None, Some("the tropism authors".to_owned())));
    for option in messages(session) {
        session.output.text(option);
    }
    session.output.text(UciMessage::UciOk);
}

fn set_debug(session: &mut Session, arguments: &str) -> Result<(), String> {
    match parse(&format!("debug {}", arguments.trim())) {
        UciMessage::Debug(on) => {
            session.debug = on;
            Ok(())
        }
        _ => Err("usage: debug on|off".to_owned()),
    }
}

fn help(session: &mut Session) {
    let mut text = "Commands:\n".to_owned();
    for UciCommand { usage, doc, .. } in COMMANDS {
        text += &format!("  {usage}\n      {doc}\n");
    }
    text += "\nOptions:";
    for UciOption { name, doc, .. } in OPTIONS {
        text += &format!("\n  {name}\n      {doc}");
    }
    session.output.text(text);
}

fn compiler() -> String {
    let checks = if cfg!(debug_assertions) { "all checks" } else { "no checks" };
    let (version, compiler) = (env!("CARGO_PKG_VERSION"), env!("TROPISM_COMPILER"));
    format!("tropism {version} built by {compiler} for {} with {checks}", env!("TROPISM_TARGET"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_line_panics(line in "\\PC{0,80}") {
            let _ = find(&line);
        }
    }
}
