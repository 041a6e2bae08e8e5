//! The command line.
//!
//! Each command has a module of its own. It holds a struct with the arguments, whose doc comment is the
//! help text, and a method `run`. The laboratory uses the public items for its own commands.

mod bench;
mod completions;
mod cpu;
#[cfg(test)]
#[path = "../../src/documentation.rs"]
#[expect(dead_code, reason = "the tests of the engine use the rest")]
mod documentation;
mod eval;
mod explain;
mod fitted;
mod flatten;
mod geometry;
mod go;
mod huge_pages;
mod in_order;
mod manual;
mod perft;
mod practise;
mod schema;
mod shared;
mod solve;
mod suite;
mod uci;
mod words;

use anyhow::Result;
use clap::{Arg, Args, Parser, Subcommand};
use fitted::Fitted;
pub use huge_pages::ask_for_huge_pages;
pub use in_order::in_order;
pub use shared::{check_outputs, cores, progress_bar};
use std::io::{self, Write};
use std::{env, path::PathBuf, process::ExitCode, sync::Once};
use tropism::eval::{Engine, EngineFileError, Registry};
use tropism::{search::quick_cost, text::set_columns};

/// Makes the enum that clap parses, and calls the `run` of the command that was given.
macro_rules! commands {
    ($($module:ident::$Command:ident),* $(,)?) => {
        #[derive(Subcommand)]
        enum Command {
            $($Command($module::$Command),)*
        }

        impl Command {
            fn run(self, context: Context) -> Result<()> {
                match self {
                    $(Command::$Command(command) => command.run(context),)*
                }
            }
        }
    };
}

// In the order of the help.
commands! {
    uci::Uci,
    go::Go,
    bench::Bench,
    eval::Eval,
    explain::Explain,
    solve::Solve,
    practise::Practise,
    suite::Suite,
    perft::Perft,
    completions::Completions,
    manual::Manual,
    geometry::Geometry,
    words::Words,
    flatten::Flatten,
    schema::Schema,
}

/// A UCI chess engine whose positional evaluation is built from distances.
///
/// Without a command it speaks UCI with a GUI, on standard input and output.
#[derive(Parser)]
#[command(name = "tropism", version, about, long_about)]
struct Arguments {
    #[command(flatten)]
    global: GlobalArguments,

    #[command(subcommand)]
    command: Option<Command>,
}

/// The arguments of all commands.
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

/// What a command works with.
#[derive(Debug)]
pub struct Context {
    /// The engine of the given file, or the built-in one.
    pub engine: Engine,
    /// The terms that engine files may name.
    pub registry: Registry,
    /// The engine file, if one was given.
    pub file: Option<PathBuf>,
}

impl Context {
    /// Loads the engine of a file, or the default one of these terms.
    ///
    /// # Errors
    ///
    /// If the engine file cannot be read or is wrong.
    pub fn new(registry: Registry, file: Option<PathBuf>) -> Result<Context, EngineFileError> {
        let engine = match &file {
            Some(path) => Engine::load(path, &registry)?,
            None => registry.default_engine()?,
        };
        if file.is_some() {
            engine.warnings().iter().for_each(|warning| log::warn!("{warning}"));
            // Once: a match loads several files, and to measure takes time.
            static SAID: Once = Once::new();
            if !SAID.is_completed()
                && let Some(complaint) = quick_cost(&engine).complaint()
            {
                SAID.call_once(|| log::warn!("{complaint}"));
            }
        }
        Ok(Context { engine, registry, file })
    }

    /// The context of another engine file with the same terms.
    ///
    /// # Errors
    ///
    /// If the engine file cannot be read or is wrong.
    pub fn of_file(&self, file: PathBuf) -> Result<Context, EngineFileError> {
        Context::new(self.registry.clone(), Some(file))
    }
}

/// The whole program, for the terms of a registry: all commands, with the arguments of the process. An author's crate
/// that adds terms to [`tropism::terms::registry`] calls it in its `main`.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     tropism_program::main(tropism::terms::registry())
/// }
/// ```
pub fn main(registry: Registry) -> ExitCode {
    let mut missing = cpu::missing().peekable();
    if missing.peek().is_some() {
        eprint!("tropism: this build needs a newer processor with");
        missing.for_each(|name| eprint!(" {name}"));
        eprintln!("; use the build for all x86-64 processors instead");
        return ExitCode::from(2);
    }
    run(registry)
}

/// Runs the command that the arguments of the program name. It is not inlined, so that the check of the processor runs
/// before the first instruction that an older one does not know.
#[inline(never)]
fn run(registry: Registry) -> ExitCode {
    ask_for_huge_pages();
    if let Some(columns) = terminal_columns() {
        set_columns(columns);
    }
    let Arguments { global, command } = arguments();
    start_logging(global.log);
    let command = command.unwrap_or(Command::Uci(uci::Uci {}));
    let result = match (Context::new(registry, global.engine), command) {
        (Ok(context), command) => command.run(context),
        (Err(error), Command::Uci(_)) => uci::Uci::refuse(error),
        (Err(error), _) => Err(error.into()),
    };
    finish("tropism", result)
}

/// The arguments of the program. Those that are wrong end it with a message.
pub fn arguments<A: Parser>() -> A {
    // `--depth -1` gets a message about the number, not about an unknown option.
    let negative = |argument: Arg| {
        let takes_value = argument.get_action().takes_values() && !argument.is_positional();
        if takes_value { argument.allow_negative_numbers(true) } else { argument }
    };
    let command = A::command().mut_args(negative);
    let matches = command.mut_subcommands(|command| command.mut_args(negative)).get_matches();
    A::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// Lines that fit the terminal.
fn fitted<W: Write>(out: W) -> Fitted<W> {
    Fitted::new(out, terminal_columns())
}

/// The width of the terminal. For other output the variable `COLUMNS` can give one, as for the help.
fn terminal_columns() -> Option<usize> {
    let terminal = console::Term::stdout().size_checked().map(|(_, columns)| columns.into());
    terminal.or_else(|| env::var("COLUMNS").ok()?.trim().parse().ok())
}

/// Writes the error, if there is one, to standard error, and returns the exit code: 2 after an error,
/// otherwise 0.
///
/// It is no error if the reader of our output has gone away, as `head` does.
pub fn finish(program: &str, result: Result<()>) -> ExitCode {
    match result {
        Err(error) if !is_broken_pipe(&error) => {
            eprintln!("{program}: {error:#}");
            ExitCode::from(2)
        }
        _ => ExitCode::SUCCESS,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Starts to log to standard error, at the given level or at the level of `RUST_LOG`.
pub fn start_logging(level: Option<log::LevelFilter>) {
    let mut builder = env_logger::Builder::new();
    builder.filter_level(log::LevelFilter::Warn).parse_default_env();
    if let Some(level) = level {
        builder.filter_level(level);
    }
    builder.target(env_logger::Target::Stderr).init();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documentation::assert_table;
    use clap::CommandFactory;
    use std::fmt::Write as _;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_table_of_commands_is_up_to_date() {
        let mut table = "| command | what it does |\n|---|---|\n".to_owned();
        for command in Arguments::command().get_subcommands() {
            let doc = command.get_about().unwrap();
            writeln!(table, "| `tropism {}` | {doc} |", command.get_name()).unwrap();
        }
        assert_table("docs/commands.md", "command line", &table);
    }
}
