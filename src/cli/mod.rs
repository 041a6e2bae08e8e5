//! The command line: what may be said, and who does it.
//!
//! A command is a struct whose fields are its arguments, with a `run` of its own. Its sentence of
//! help is the sentence above the struct.

mod explain;
mod geometry;
mod learn;
mod measure;
mod practise;
mod prove;
mod setup;
mod speak;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use std::{
    io,
    path::{Path, PathBuf},
    process::ExitCode,
    time::SystemTime,
};
use tropism::{
    eval::{Engine, Registry},
    search::Game,
    terms,
};

/// A UCI chess engine in which every positional judgement is a distance.
///
/// Without a command it speaks UCI on standard input and output, for a GUI.
#[derive(Parser)]
#[command(version, about, long_about)]
struct Arguments {
    /// Evaluate with the terms and weights of this engine file instead of the built-in ones.
    #[arg(long, global = true, value_name = "FILE")]
    engine: Option<PathBuf>,

    /// How much to log to standard error: off, error, warn, info, debug or trace. Without it the
    /// environment variable RUST_LOG decides.
    #[arg(long, global = true, value_name = "LEVEL")]
    log: Option<log::LevelFilter>,

    #[command(subcommand)]
    command: Option<Command>,
}

/// All commands, in the order of the help.
#[derive(Subcommand)]
enum Command {
    Uci(speak::Uci),
    Bench(measure::Bench),
    Eval(explain::Eval),
    Explain(explain::Explain),
    Solve(prove::Solve),
    Prove(prove::Prove),
    Practise(practise::Practise),
    Demo(practise::Demo),
    Datagen(learn::Datagen),
    Tune(learn::Tune),
    #[cfg(feature = "tune")]
    Spsa(learn::Spsa),
    Teach(learn::Teach),
    Calibrate(measure::Calibrate),
    Ablate(measure::Ablate),
    Suite(measure::Suite),
    Perft(measure::Perft),
    InstallConfig(setup::InstallConfig),
    Completions(setup::Completions),
    Manual(setup::Manual),
    Geometry(geometry::Geometry),
}

/// What every command is given.
struct Given {
    /// The engine that was asked for, or the default one.
    engine: Engine,
    /// The terms that engine files may name.
    registry: Registry,
    /// The file of the engine, if one was named.
    file: Option<PathBuf>,
}

impl Given {
    fn new(file: Option<PathBuf>) -> Result<Given> {
        let registry = terms::registry();
        let engine = match &file {
            Some(path) => Engine::load(path, &registry)?,
            None => tropism::default_engine()?,
        };
        Ok(Given { engine, registry, file })
    }

    /// The text of the engine file that is to be changed, and its name.
    fn text(&self) -> Result<(String, String)> {
        let Some(path) = &self.file else {
            return Ok((
                tropism::DEFAULT_ENGINE_FILE.to_owned(),
                "engines/tropism.toml".to_owned(),
            ));
        };
        let name = path.display().to_string();
        Ok((std::fs::read_to_string(path).with_context(|| name.clone())?, name))
    }
}

/// Does what the arguments of the program say.
pub(crate) fn run() -> ExitCode {
    let arguments = Arguments::parse();
    start_logging(arguments.log);
    match obey(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tropism: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn obey(arguments: Arguments) -> Result<()> {
    let given = Given::new(arguments.engine)?;
    match arguments.command.unwrap_or(Command::Uci(speak::Uci {})) {
        Command::Uci(command) => command.run(given),
        Command::Bench(command) => command.run(&given),
        Command::Eval(command) => command.run(&given),
        Command::Explain(command) => command.run(&given),
        Command::Solve(command) => command.run(),
        Command::Prove(command) => command.run(&given),
        Command::Practise(command) => command.run(&given),
        Command::Demo(command) => command.run(&given),
        Command::Datagen(command) => command.run(&given),
        Command::Tune(command) => command.run(&given),
        #[cfg(feature = "tune")]
        Command::Spsa(command) => command.run(&given),
        Command::Teach(command) => command.run(&given),
        Command::Calibrate(command) => command.run(&given),
        Command::Ablate(command) => command.run(&given),
        Command::Suite(command) => command.run(&given),
        Command::Perft(command) => command.run(),
        Command::InstallConfig(command) => command.run(),
        Command::Completions(command) => command.run(),
        Command::Manual(command) => command.run(),
        Command::Geometry(command) => command.run(),
    }
}

/// The game that begins with a FEN, whose fields may have come one by one.
fn game(words: &[String]) -> Result<Game> {
    let fen = words.join(" ");
    Game::from_fen(fen.trim(), None).with_context(|| format!("{fen:?}"))
}

fn save_svg(path: Option<&Path>, picture: impl FnOnce() -> svg::Document) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    svg::save(path, &picture()).with_context(|| path.display().to_string())
}

/// Writes a page of HTML.
fn write_page(path: &Path, page: &str) -> Result<()> {
    std::fs::write(path, page).with_context(|| {
        format!("cannot write {}; name a file in a folder that you may write to", path.display())
    })
}

/// A number that differs from one game to the next, short enough to be typed again.
fn seed_of_the_clock() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_micros())
}

fn start_logging(level: Option<log::LevelFilter>) {
    let mut builder = env_logger::Builder::from_default_env();
    if let Some(level) = level {
        builder.filter_level(level);
    }
    builder.target(env_logger::Target::Stderr).init();
}

/// Whether the reader of our output has gone away, as `head` does: no error of ours.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
