//! The command line: what may be said, and who does it.
//!
//! A command is a struct whose fields are its arguments, with a `run` of its own. Its sentence of
//! help is the sentence above the struct.

mod explain;
mod geometry;
mod install;
mod measure;
mod practise;
mod prove;
mod setup;
mod speak;

use crate::{
    eval::{Engine, Registry},
    search::Game,
    terms,
};
use anyhow::{Context as _, Result};
use clap::{Args, Parser, Subcommand};
use std::{
    io,
    path::{Path, PathBuf},
    process::ExitCode,
    time::SystemTime,
};

/// A UCI chess engine in which every positional judgement is a distance.
///
/// Without a command it speaks UCI on standard input and output, for a GUI.
#[derive(Parser)]
#[command(version, about, long_about)]
struct Arguments {
    #[command(flatten)]
    global: GlobalArguments,

    #[command(subcommand)]
    command: Option<Command>,
}

/// The arguments that every command takes.
#[derive(Args, Debug)]
pub struct GlobalArguments {
    /// Evaluate with the terms and weights of this engine file instead of the built-in ones.
    #[arg(long, global = true, value_name = "FILE")]
    pub engine: Option<PathBuf>,

    /// How much to log to standard error: off, error, warn, info, debug or trace. Without it the
    /// environment variable RUST_LOG decides.
    #[arg(long, global = true, value_name = "LEVEL")]
    pub log: Option<log::LevelFilter>,
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
    Suite(measure::Suite),
    Perft(measure::Perft),
    InstallConfig(setup::InstallConfig),
    Completions(setup::Completions),
    Manual(setup::Manual),
    Geometry(geometry::Geometry),
}

/// What every command works with.
#[derive(Debug)]
pub struct Context {
    /// The engine of the file that was named, or the default one.
    pub engine: Engine,
    /// The terms that engine files may name.
    pub registry: Registry,
    /// The file of the engine, if one was named.
    pub file: Option<PathBuf>,
}

impl Context {
    /// Loads the engine.
    ///
    /// # Errors
    ///
    /// If the engine file cannot be read or is wrong.
    pub fn new(file: Option<PathBuf>) -> Result<Context> {
        let registry = terms::registry();
        let engine = match &file {
            Some(path) => Engine::load(path, &registry)?,
            None => crate::default_engine()?,
        };
        Ok(Context { engine, registry, file })
    }
}

/// Runs the command that the arguments of the program name.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    start_logging(arguments.global.log);
    finish("tropism", dispatch(arguments))
}

/// The exit code of a program, after its error, if there is one, has been written to standard error.
///
/// A reader of our output that has gone away, as `head` does, is no error.
pub fn finish(program: &str, result: Result<()>) -> ExitCode {
    match result {
        Err(error) if !is_broken_pipe(&error) => {
            eprintln!("{program}: {error:#}");
            ExitCode::from(2)
        }
        _ => ExitCode::SUCCESS,
    }
}

fn dispatch(arguments: Arguments) -> Result<()> {
    let context = Context::new(arguments.global.engine)?;
    match arguments.command.unwrap_or(Command::Uci(speak::Uci {})) {
        Command::Uci(command) => command.run(context),
        Command::Bench(command) => command.run(&context),
        Command::Eval(command) => command.run(&context),
        Command::Explain(command) => command.run(&context),
        Command::Solve(command) => command.run(),
        Command::Prove(command) => command.run(&context),
        Command::Practise(command) => command.run(&context),
        Command::Demo(command) => command.run(&context),
        Command::Suite(command) => command.run(&context),
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

/// Starts logging to standard error, at the level given or the one of `RUST_LOG`.
pub fn start_logging(level: Option<log::LevelFilter>) {
    let mut builder = env_logger::Builder::from_default_env();
    if let Some(level) = level {
        builder.filter_level(level);
    }
    builder.target(env_logger::Target::Stderr).init();
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
