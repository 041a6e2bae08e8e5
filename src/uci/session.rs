//! A conversation with a GUI.

use super::message::{best_move, info};
use super::options::OptionSpec;
use super::output::Output;
use super::position::read_move;
use super::{COMMANDS, Command, Go, OPTIONS};
use crate::endgame::Library;
use crate::eval::{Engine, Registry};
use crate::search::{
    Clock, Control, DEFAULT_MOVE_OVERHEAD, Game, Limits, Search, Table, search_exactly,
};
use crate::tools;
use anyhow::{Context, Result};
use shakmaty::{ByColor, CastlingMode, Chess, EnPassantMode, Position, fen::Fen};
use std::{
    io::{BufRead, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering::Relaxed},
    thread::{self, JoinHandle},
    time::Duration,
};
use vampirc_uci::UciMessage;

/// A search thread's stack: room for the deepest line in a build with all checks.
const STACK_SIZE: usize = 64 << 20;

/// How often a search that has nothing left to do looks whether it may answer.
const IDLE_STEP: Duration = Duration::from_millis(2);

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

/// A relative path that leads nowhere from the current folder is looked for beside the program:
/// GUIs start programs in folders of their own.
fn locate(path: &Path) -> PathBuf {
    if !path.exists()
        && let Ok(program) = std::env::current_exe()
        && let Some(folder) = program.parent()
        && folder.join(path).exists()
    {
        return folder.join(path);
    }
    path.to_owned()
}

struct Session {
    output: Arc<Output>,
    registry: Registry,
    built_in: Arc<Engine>,
    engine: Arc<Engine>,
    table: Arc<Table>,
    game: Game,
    chess960: bool,
    overhead: Duration,
    debug: bool,
    /// Tables of exact endings, where they are asked for.
    library: Option<Library>,
    running: Option<Running>,
}

/// A search or another long task on a thread of its own.
struct Running {
    control: Arc<Control>,
    thread: JoinHandle<()>,
}

impl Session {
    fn new(setup: Setup, output: Output) -> Result<Session> {
        let table = Table::new(Table::DEFAULT_SIZE)
            .or_else(|_| Table::new(Table::MIN_SIZE))
            .context("no memory for the transposition table")?;
        let engine = Arc::new(setup.engine);
        Ok(Session {
            output: Arc::new(output),
            registry: setup.registry,
            built_in: Arc::clone(&engine),
            engine,
            table: Arc::new(table),
            game: Game::new(Chess::default()),
            chess960: false,
            overhead: DEFAULT_MOVE_OVERHEAD,
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
            Command::Position(request) => match request.set_up(self.chess960) {
                Ok(game) => {
                    self.game = game;
                    self.want_tables();
                }
                Err(error) => self.output.info(error),
            },
            Command::Go(go) => self.go(&go),
            Command::Stop => self.tell_search(|control| control.stop.store(true, Relaxed)),
            Command::PonderHit => {
                self.tell_search(|control| control.pondering.store(false, Relaxed));
            }
            Command::Display => self.output.text(self.board()),
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
        #[cfg(feature = "tune")]
        for parameter in crate::search::PARAMETERS {
            self.output.message(&super::options::tuned(parameter));
        }
        self.output.message(&UciMessage::UciOk);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        #[cfg(feature = "tune")]
        if super::options::tune(name, value) {
            return;
        }
        let Some(option) = OptionSpec::find(name) else {
            self.output.info(format_args!("no option is called {name:?}; `uci` lists them"));
            return;
        };
        if let Err(complaint) = self.apply(option, value) {
            self.output.info(format_args!("{complaint}; nothing is changed"));
        } else if self.debug {
            self.output.info(format_args!("{} is {}", option.name, value.unwrap_or("set")));
        }
    }

    /// Sets an option. One that the running search uses ends that search first.
    fn apply(&mut self, option: &OptionSpec, value: Option<&str>) -> Result<(), String> {
        let text = value.unwrap_or_default();
        match option.name {
            "Hash" => {
                let size = option.number(text)? as usize;
                self.finish_search();
                let table = Table::new(size).map_err(|_| format!("no memory for {size} MiB"))?;
                self.table = Arc::new(table);
            }
            "Clear Hash" => {
                self.finish_search();
                self.table.clear();
            }
            "Threads" => {
                option.number(text)?;
            }
            "Move Overhead" => {
                self.overhead = Duration::from_millis(option.number(text)? as u64);
            }
            "UCI_Chess960" => self.chess960 = option.check(text)?,
            "ExactEndgames" => match (option.check(text)?, &self.library) {
                (true, None) => {
                    let complaint = |error| format!("no thread can be started: {error}");
                    self.library = Some(Library::new().map_err(complaint)?);
                    self.want_tables();
                }
                (true, Some(_)) => {}
                (false, _) => self.library = None,
            },
            "EngineFile" => {
                let engine = match value {
                    Some(path) => Engine::load(&locate(Path::new(path)), &self.registry)
                        .map(Arc::new)
                        .map_err(|error| error.to_string())?,
                    None => Arc::clone(&self.built_in),
                };
                self.finish_search();
                self.engine = engine;
                // Values of another evaluation mean nothing now.
                self.table.clear();
            }
            "Debug Log File" => {
                self.output
                    .log_to(value.map(Path::new))
                    .map_err(|error| format!("{text:?} cannot be written: {error}"))?;
            }
            other => return Err(format!("{other} cannot be set")),
        }
        Ok(())
    }

    /// Has the tables made that the position calls for.
    fn want_tables(&self) {
        if let Some(library) = &self.library {
            library.want(self.game.position().chess().board());
        }
    }

    fn castling_mode(&self) -> CastlingMode {
        match self.game.position().chess().castles().mode() {
            CastlingMode::Standard if !self.chess960 => CastlingMode::Standard,
            _ => CastlingMode::Chess960,
        }
    }

    fn go(&mut self, go: &Go) {
        self.finish_search();
        for complaint in &go.complaints {
            self.output.info(complaint);
        }
        match go.perft {
            Some(depth) => self.perft(depth),
            None => self.start_search(go),
        }
    }

    fn start_search(&mut self, go: &Go) {
        let limits = self.limits(go);
        let chess = self.game.position().chess();
        let clock = Clock::start(&limits, chess.turn(), self.overhead);
        let mode = self.castling_mode();
        let has_limit =
            go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() || clock.hard.is_some();
        let waits = go.infinite || !has_limit;
        let (game, engine) = (self.game.clone(), Arc::clone(&self.engine));
        let table = Arc::clone(&self.table);
        // What is not there yet, the search plays without.
        let endgames = self.library.as_ref().map(Library::endgames).unwrap_or_default();
        let ponder = go.ponder;
        self.start(ponder, move |output, control| {
            let request = Search {
                game: &game,
                engine: &engine,
                table: &table,
                limits: &limits,
                clock,
                control,
            };
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                search_exactly(&request, &endgames, |report| output.message(&info(report, mode)))
            }));
            while !control.stop.load(Relaxed) && (waits || control.pondering.load(Relaxed)) {
                thread::park_timeout(IDLE_STEP);
            }
            let (best, ponder) = match outcome {
                Ok(outcome) => (outcome.best, outcome.ponder),
                Err(_) => {
                    output.info("the search broke down; this is a bug, please report it");
                    (game.position().chess().legal_moves().first().copied(), None)
                }
            };
            match best_move(best, ponder, mode) {
                Some(message) => output.message(&message),
                None => output.text("bestmove (none)"),
            }
        });
    }

    fn limits(&self, go: &Go) -> Limits {
        let chess = self.game.position().chess();
        let mut search_moves = Vec::new();
        for word in &go.search_moves {
            match read_move(word, chess) {
                Some(m) => search_moves.push(m),
                None => self.output.info(format_args!("go: {word:?} is not a legal move here")),
            }
        }
        Limits {
            depth: go.depth,
            nodes: go.nodes,
            move_time: go.move_time,
            mate: go.mate,
            time: ByColor { white: go.white_time, black: go.black_time },
            increment: ByColor { white: go.white_increment, black: go.black_increment },
            moves_to_go: go.moves_to_go,
            search_moves,
        }
    }

    fn perft(&mut self, depth: u32) {
        let chess = self.game.position().chess().clone();
        let mode = self.castling_mode();
        self.start(false, move |output, control| {
            let division = tools::divide(&chess, depth, mode, control);
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
        self.start(false, move |output, control| match tools::bench(&engine, control) {
            Ok(result) => output.text(result),
            Err(error) => output.info(error),
        });
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
    fn start(&mut self, ponder: bool, task: impl FnOnce(&Output, &Control) + Send + 'static) {
        let control = Arc::new(Control::default());
        control.pondering.store(ponder, Relaxed);
        let (output, theirs) = (Arc::clone(&self.output), Arc::clone(&control));
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_SIZE)
            .spawn(move || task(&output, &theirs));
        match thread {
            Ok(thread) => self.running = Some(Running { control, thread }),
            Err(error) => self.output.info(format_args!("no thread can be started: {error}")),
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
