//! A conversation with a GUI.

mod setting;
mod think;

use super::answer::Answer;
use super::message::best_move;
use super::output::Output;
use super::settings::Settings;
use super::{COMMANDS, Command, OPTIONS, OptionSpec};
use crate::endgame::TableBuilder;
use crate::eval::{Engine, Registry};
use crate::search::{Control, Game, STACK_SIZE, Tablebases, TranspositionTable};
use anyhow::{Context, Result};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen};
use std::{
    collections::BTreeMap,
    io::{BufRead, Write},
    sync::{Arc, atomic::Ordering::Relaxed},
    thread::{self, JoinHandle},
};
use vampirc_uci::UciMessage;

/// What a session starts with.
#[derive(Debug)]
pub struct Setup {
    /// Who evaluates until `EngineFile` says otherwise.
    pub engine: Engine,
    /// The terms that engine files may name.
    pub registry: Registry,
}

/// Speaks UCI until `quit` or the end of input; a search still running then is stopped, and its
/// best move told.
///
/// # Errors
///
/// If the input cannot be read, or there is no memory for the smallest things.
pub fn run(
    setup: Setup,
    mut input: impl BufRead,
    output: impl Write + Send + 'static,
) -> Result<()> {
    let mut session = Session::new(setup, Output::new(output))?;
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes).context("standard input cannot be read")? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&bytes);
        if !session.hear(line.trim_end_matches(['\n', '\r'])) {
            break;
        }
    }
    session.finish_search();
    Ok(())
}

struct Session {
    output: Arc<Output>,
    registry: Registry,
    built_in: Arc<Engine>,
    engine: Arc<Engine>,
    /// The percentages of terms that the user has set, whatever the engine file.
    percents: BTreeMap<&'static str, u32>,
    table: Arc<TranspositionTable>,
    /// The size of the table in MiB.
    table_size: usize,
    tablebases: Option<Tablebases>,
    game: Game,
    settings: Settings,
    debug: bool,
    /// Tables of exact endings, where they are asked for.
    library: Option<TableBuilder>,
    running: Option<Running>,
}

/// A search or another long task on a thread of its own.
struct Running {
    control: Arc<Control>,
    answer: Arc<Answer>,
    /// How castling was written when it began.
    mode: CastlingMode,
    thread: JoinHandle<()>,
}

impl Session {
    fn new(setup: Setup, output: Output) -> Result<Session> {
        let mut table_size = TranspositionTable::DEFAULT_SIZE;
        let table = TranspositionTable::new(table_size)
            .or_else(|_| {
                table_size = TranspositionTable::MIN_SIZE;
                TranspositionTable::new(table_size)
            })
            .context("no memory for the transposition table")?;
        let engine = Arc::new(setup.engine);
        Ok(Session {
            output: Arc::new(output),
            registry: setup.registry,
            built_in: Arc::clone(&engine),
            engine,
            percents: BTreeMap::new(),
            table: Arc::new(table),
            table_size,
            tablebases: None,
            game: Game::new(Chess::default()),
            settings: Settings::default(),
            debug: false,
            library: None,
            running: None,
        })
    }

    /// Acts on one line. `false` if it was the last.
    fn hear(&mut self, line: &str) -> bool {
        self.output.received(line);
        match Command::parse(line) {
            Ok(Some(Command::Quit)) => return false,
            Ok(Some(command)) => self.act(command),
            Ok(None) => {}
            Err(error) => self.output.info(error),
        }
        true
    }

    fn act(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.output.message(&UciMessage::ReadyOk),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Register => {}
            Command::NewGame => {
                self.finish_search();
                self.table.clear();
                self.game = Game::new(Chess::default());
                self.want_tables();
            }
            Command::Position(request) => match request.set_up(self.settings.chess960) {
                Ok(game) => {
                    self.game = game;
                    self.want_tables();
                }
                Err(error) => self.output.info(error),
            },
            Command::Go(go) => self.go(&go),
            Command::Stop => self.stop(),
            Command::PonderHit => {
                self.tell_search(|control| control.pondering.store(false, Relaxed));
            }
            Command::Display => self.output.text(self.board()),
            Command::Flip => self.flip(),
            Command::Compiler => self.output.text(compiler()),
            Command::Eval => {
                self.output.text(self.engine.trace(self.game.position().chess()));
            }
            Command::Bench => self.bench(),
            Command::Help => {
                for (usage, doc) in COMMANDS {
                    self.output.text(format_args!("{usage}\n    {doc}"));
                }
            }
            // The loop that hears the line has left by then.
            Command::Quit => {}
        }
    }

    fn introduce(&self) {
        let name = format!("{} {}", self.engine.name(), env!("CARGO_PKG_VERSION"));
        let id = |name, author| UciMessage::Id { name, author };
        self.output.message(&id(Some(name), None));
        self.output.message(&id(None, Some("the tropism authors".to_owned())));
        for option in OPTIONS {
            self.output.message(&option.message());
        }
        for entry in self.registry.entries() {
            let name = entry.option_name();
            self.output.message(&OptionSpec::of_term(&name, entry.doc).message());
        }
        #[cfg(feature = "tune")]
        for parameter in crate::search::PARAMETERS {
            self.output.message(&super::options::tuned(parameter));
        }
        self.output.message(&UciMessage::UciOk);
    }

    /// Has the tables made that the position calls for.
    fn want_tables(&self) {
        if let Some(library) = &self.library {
            library.request(self.game.position().chess().board());
        }
    }

    fn castling_mode(&self) -> CastlingMode {
        match self.game.position().chess().castles().mode() {
            CastlingMode::Standard if !self.settings.chess960 => CastlingMode::Standard,
            _ => CastlingMode::Chess960,
        }
    }

    fn perft(&mut self, depth: u32) {
        let chess = self.game.position().chess().clone();
        let mode = self.castling_mode();
        self.start(false, move |output, control, _| {
            let division = crate::search::divide(&chess, depth, mode, control);
            if control.stop.load(Relaxed) {
                output.info("perft was stopped before it was finished");
            } else {
                output.text(division);
            }
        });
    }

    fn bench(&mut self) {
        self.finish_search();
        let engine = Arc::clone(&self.engine);
        self.start(false, move |output, control, _| match crate::search::bench(&engine, control) {
            Ok(result) => output.text(result),
            Err(error) => output.info(error),
        });
    }

    /// The same position for the other colour.
    fn flip(&mut self) {
        let chess = self.game.position().chess();
        let setup = chess.to_setup(EnPassantMode::Legal).into_mirrored();
        match setup.position(chess.castles().mode()) {
            Ok(chess) => self.game = Game::new(chess),
            Err(error) => self.output.info(format_args!("flip: {error}; the position stays")),
        }
    }

    fn board(&self) -> String {
        let position = self.game.position();
        let chess = position.chess();
        format!(
            "{:?}\nfen {}\nkey {:016x}",
            chess.board(),
            Fen::from_position(chess, EnPassantMode::Legal),
            position.key()
        )
    }

    /// Runs a task on a thread of its own, so that lines are heard meanwhile.
    fn start(
        &mut self,
        ponder: bool,
        task: impl FnOnce(&Output, &Control, &Answer) + Send + 'static,
    ) {
        let control = Arc::new(Control::default());
        control.pondering.store(ponder, Relaxed);
        let (output, theirs) = (Arc::clone(&self.output), Arc::clone(&control));
        let answer = Arc::new(Answer::default());
        let to_give = Arc::clone(&answer);
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_SIZE)
            .spawn(move || task(&output, &theirs, &to_give));
        match thread {
            Ok(thread) => {
                self.running = Some(Running { control, answer, mode: self.castling_mode(), thread })
            }
            Err(error) => self.output.info(format_args!("no thread can be started: {error}")),
        }
    }

    /// Ends a search, and sees to it that its best move is told soon.
    fn stop(&self) {
        self.tell_search(|control| control.stop.store(true, Relaxed));
        if let Some(running) = &self.running {
            running.answer.hasten(|best, ponder| {
                if let Some(message) = best_move(Some(best), ponder, running.mode) {
                    self.output.message(&message);
                }
            });
        }
    }

    fn tell_search(&self, what: impl FnOnce(&Control)) {
        if let Some(running) = &self.running {
            what(&running.control);
            running.thread.thread().unpark();
        }
    }

    /// Ends what is running, if anything is, and waits for its last word.
    fn finish_search(&mut self) {
        self.tell_search(|control| control.stop.store(true, Relaxed));
        if let Some(running) = self.running.take()
            && running.thread.join().is_err()
        {
            self.output.info("a search thread broke down; this is a bug, please report it");
        }
    }
}

fn compiler() -> String {
    let checks = if cfg!(debug_assertions) { "all checks" } else { "no checks" };
    let (version, compiler) = (env!("CARGO_PKG_VERSION"), env!("TROPISM_COMPILER"));
    format!("tropism {version} built by {compiler} for {} with {checks}", env!("TROPISM_TARGET"))
}
