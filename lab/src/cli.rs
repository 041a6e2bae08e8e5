//! The command line. Each command is the struct that does the work: its fields are the arguments,
//! and its `run` prints the result.

use crate::provenance::{line_with_engine, with_engine};
use crate::{
    ablate::Ablate, calibrate::Calibrate, counts::Counts, datagen::Datagen, judge::Judge,
    label::Labeller, matches::Match, opening_book::OpeningBook, statistics::Verdict,
    try_terms::Try, tune::Tune,
};
use anyhow::Result;
use clap::{Parser, Subcommand};
use std::io::{self, Write};
use std::process::ExitCode;
use tropism::eval::Registry;
use tropism_program::{Context, GlobalArguments, ask_for_huge_pages, finish, start_logging};

/// Training data, tuning and measurements for the chess engine tropism.
#[derive(Parser)]
#[command(name = "tropism-lab", version, about, long_about)]
struct Arguments {
    #[command(flatten)]
    global: GlobalArguments,

    #[command(subcommand)]
    command: Command,
}

/// All commands, in the order of the help.
#[derive(Subcommand)]
enum Command {
    Try(Box<Try>),
    Datagen(Datagen),
    Label(Labeller),
    Judge(Judge),
    Tune(Tune),
    Counts(Counts),
    Calibrate(Calibrate),
    Ablate(Ablate),
    Match(Match),
    /// Print the openings that `match` plays, one EPD a line.
    Openings,
}

/// The whole laboratory, for the terms of a registry: all commands, with the arguments of the process. An author's crate
/// that adds terms to [`tropism::terms::registry`] calls it in its `main`.
pub fn main(registry: Registry) -> ExitCode {
    ask_for_huge_pages();
    let arguments: Arguments = tropism_program::arguments();
    start_logging(arguments.global.log);
    finish("tropism-lab", dispatch(arguments, registry).map(|_| ()))
}

/// Returns the verdict of a match that has one.
fn dispatch(arguments: Arguments, registry: Registry) -> Result<Option<Verdict>> {
    let context = Context::new(registry, arguments.global.engine)?;
    match arguments.command {
        Command::Try(command) => command.run(&context, &run_words),
        Command::Datagen(command) => command.run(&context),
        Command::Label(command) => command.run(),
        Command::Judge(command) => command.run(&context),
        Command::Tune(command) => command.run(&context),
        Command::Counts(command) => command.run(&context),
        Command::Calibrate(command) => command.run(&context),
        Command::Ablate(command) => command.run(&context),
        Command::Match(command) => return command.run(&context),
        Command::Openings => OpeningBook::print_shipped(),
    }?;
    Ok(None)
}

/// Prints the command line of these words with the engine of a context, and runs it. Returns the verdict of a match that
/// has one.
fn run_words(words: &[&str], context: &Context) -> Result<Option<Verdict>> {
    writeln!(io::stdout(), "{}", line_with_engine(words, context))?;
    let words = ["tropism-lab".to_owned()].into_iter().chain(with_engine(words, context));
    dispatch(Arguments::try_parse_from(words)?, context.registry.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, error::ErrorKind};

    #[test]
    fn the_declaration_of_the_arguments_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for line in include_str!("refused.txt").lines().filter(|line| !line.starts_with('#')) {
            let words = ["tropism-lab"].into_iter().chain(line.split(' '));
            let error = Arguments::try_parse_from(words).err().map(|error| error.kind());
            assert_eq!(error, Some(ErrorKind::ValueValidation), "{line}");
        }
    }

    #[test]
    fn the_readme_names_every_command() {
        const README: &str = include_str!("../README.md");
        let command = Arguments::command();
        for command in command.get_subcommands() {
            let name = command.get_name();
            assert!(README.contains(&format!("\n## {name}\n")), "{name}");
        }
        let examples: Vec<&str> =
            README.lines().filter(|line| line.starts_with("tropism-lab ")).collect();
        assert!(examples.len() >= 6, "{examples:?}");
        for line in examples {
            let parsed = Arguments::try_parse_from(line.split_whitespace());
            assert!(parsed.is_ok(), "{line}: {:?}", parsed.err());
        }
        let headings = README.lines().filter_map(|line| line.strip_prefix("## "));
        for heading in headings {
            assert!(command.find_subcommand(heading).is_some(), "{heading}");
        }
    }
}
