//! The command line of the laboratory.

use anyhow::{Context as _, Result};
use clap::{Args, Parser, Subcommand};
use std::{
    fmt::Display,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};
use tropism::cli::{Context, GlobalArguments, finish, start_logging};

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
    Datagen(Datagen),
    Tune(Tune),
    #[cfg(feature = "tune")]
    Spsa(Spsa),
    Teach(Teach),
    Calibrate(Calibrate),
    Ablate(Ablate),
}

/// Runs the command that the arguments of the program name.
pub(super) fn run() -> ExitCode {
    let arguments = Arguments::parse();
    start_logging(arguments.global.log);
    finish("tropism-lab", dispatch(arguments))
}

fn dispatch(arguments: Arguments) -> Result<()> {
    let context = Context::new(arguments.global.engine)?;
    match arguments.command {
        Command::Datagen(command) => command.run(&context),
        Command::Tune(command) => command.run(&context),
        #[cfg(feature = "tune")]
        Command::Spsa(command) => command.run(&context),
        Command::Teach(command) => command.run(&context),
        Command::Calibrate(command) => command.run(&context),
        Command::Ablate(command) => command.run(&context),
    }
}

/// Play games against itself and keep their quiet positions as training data.
#[derive(Args)]
pub(super) struct Datagen {
    /// The file to write; gone on with if it is there.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games that the file shall have.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    games: u64,
    /// Positions that are enough, whatever the games.
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    positions: u64,
    /// Nodes searched a move.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    nodes: u64,
    /// Which games of all that could be; the same seed makes the same file.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many games are played at a time; without it, one a core.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

impl Datagen {
    pub(super) fn run(self, context: &Context) -> Result<()> {
        let Datagen { out, games, positions, nodes, seed, threads } = self;
        let threads = threads.unwrap_or_else(cores);
        let settings = crate::datagen::Datagen { out, games, positions, nodes, seed, threads };
        let count = settings.run(&context.engine)?;
        writeln!(io::stdout(), "{} games, {} positions", count.games, count.positions)?;
        Ok(())
    }
}

/// Learn the weights of an engine file from games, and write the file with what was learnt.
#[derive(Args)]
pub(super) struct Tune {
    /// Files that `datagen` wrote.
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
    /// The engine file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Terms whose weights stay as they are; without it, the terms that are not tuned from games.
    #[arg(long, value_name = "TERM", num_args = 0..)]
    freeze: Option<Vec<String>>,
    /// The most times that all positions are looked at.
    #[arg(long, value_name = "N", default_value_t = 100)]
    epochs: usize,
    /// The largest step of a weight at first, in centipawns.
    #[arg(long, value_name = "CP", default_value_t = 1.0)]
    step: f64,
    /// How far a weight is expected to move, in centipawns; less keeps it nearer to its start.
    #[arg(long, value_name = "CP", default_value_t = 30.0)]
    prior: f64,
    /// The share of the search's score in what is learnt, beside the game's result: 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    score_share: f64,
    /// Positions between two steps.
    #[arg(long, value_name = "N", default_value_t = 8192)]
    batch: usize,
    /// Which order positions are taken in.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Tune {
    pub(super) fn run(self, context: &Context) -> Result<()> {
        let Tune { data, out, freeze, epochs, step, prior, score_share, batch, seed } = self;
        let freeze = freeze.unwrap_or_else(|| {
            let entries = context.registry.entries().iter();
            let not_tuned = entries.filter(|entry| !entry.is_tuned_from_games);
            not_tuned.map(|entry| entry.name.to_owned()).collect()
        });
        let (text, origin) = engine_text(context)?;
        let stop = stopped_by_ctrl_c()?;
        let tuner =
            crate::tune::Tuner { data, freeze, epochs, step, prior, score_share, batch, seed };
        let tuned = tuner.run(&text, &origin, &context.registry, &stop, progress)?;
        write_engine(&out, &tuned)
    }
}

/// Move the numbers of the search by games against itself.
#[cfg(feature = "tune")]
#[derive(Args)]
pub(super) struct Spsa {
    /// Numbers to move; without any, all.
    #[arg(value_name = "NUMBER")]
    names: Vec<String>,
    /// The file to write after each iteration; gone on with if it is there.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Iterations in all.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    iterations: u32,
    /// Pairs of games in an iteration.
    #[arg(long, value_name = "N", default_value_t = 8)]
    pairs: u64,
    /// Nodes searched a move.
    #[arg(long, value_name = "N", default_value_t = 5000)]
    nodes: u64,
    /// How far a number goes at the end for a point, in twentieths of its range.
    #[arg(long, value_name = "SHARE", default_value_t = 0.02)]
    rate: f64,
    /// Which signs and openings are drawn.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[cfg(feature = "tune")]
impl Spsa {
    pub(super) fn run(self, context: &Context) -> Result<()> {
        let Spsa { names, out, iterations, pairs, nodes, rate, seed } = self;
        let stop = stopped_by_ctrl_c()?;
        let run = crate::spsa::Spsa { out, names, iterations, pairs, nodes, rate, seed };
        for (name, before, after) in run.run(&context.engine, &stop)? {
            writeln!(io::stdout(), "{name} = {after} (was {before})")?;
        }
        Ok(())
    }
}

/// Learn the weights of mating terms from the exact table of its ending.
#[derive(Args)]
pub(super) struct Teach {
    /// An ending against a bare king, such as KRK.
    #[arg(value_name = "ENDING")]
    ending: String,
    /// The terms whose weights are learnt.
    #[arg(long = "term", value_name = "TERM", value_delimiter = ',', required = true)]
    terms: Vec<String>,
    /// The engine file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Plies that full-width searches look ahead; of several, each in turn.
    #[arg(long, value_name = "PLIES", value_delimiter = ',', default_value = "1",
          value_parser = clap::value_parser!(u32).range(1..=20))]
    plies: Vec<u32>,
    /// Steps on the way.
    #[arg(long, value_name = "N", default_value_t = 600)]
    steps: u32,
    /// The largest change of a weight in a stride, in units; a step of one or two plies has four strides.
    #[arg(long, value_name = "UNITS", default_value_t = 0.1)]
    rate: f32,
    /// How likely a perfect player takes over after a move: at 1 each move is judged by the exact table alone.
    #[arg(long, value_name = "SHARE", default_value_t = 0.03, value_parser = above_0_to_1)]
    takeover: f32,
    /// Learn from positions within so many moves of mate only.
    #[arg(long, value_name = "MOVES", default_value_t = u8::MAX,
          value_parser = clap::value_parser!(u8).range(1..))]
    within: u8,
    /// Centipawns in a unit: a move better by one unit than another is taken e times as often.
    #[arg(long, value_name = "CP", default_value_t = 12.0)]
    unit: f32,
}

impl Teach {
    pub(super) fn run(self, context: &Context) -> Result<()> {
        let Teach { ending, terms, out, plies, steps, rate, takeover, within, unit } = self;
        let ending = ending.parse().with_context(|| ending.clone())?;
        let (text, origin) = engine_text(context)?;
        let stop = stopped_by_ctrl_c()?;
        let lesson =
            crate::teach::Lesson { ending, terms, plies, steps, rate, takeover, within, unit };
        let taught = lesson.run(&text, &origin, &context.registry, &stop, progress)?;
        write_engine(&out, &taught)
    }
}

fn above_0_to_1(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("a number above 0 and at most 1".to_owned()),
    }
}

/// The text of the engine file to change, and its name.
fn engine_text(context: &Context) -> Result<(String, String)> {
    let Some(path) = &context.file else {
        return Ok((tropism::DEFAULT_ENGINE_FILE.to_owned(), "engines/tropism.toml".to_owned()));
    };
    let name = path.display().to_string();
    Ok((std::fs::read_to_string(path).with_context(|| name.clone())?, name))
}

/// A line of progress. A reader that has gone away does not stop the work.
fn progress(report: &impl Display) {
    let _ = writeln!(io::stdout(), "{report}");
}

fn write_engine(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| path.display().to_string())
}

/// A flag that Ctrl-C raises.
fn stopped_by_ctrl_c() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let heard = stop.clone();
    ctrlc::set_handler(move || heard.store(true, Relaxed))?;
    Ok(stop)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Fit the figures that depend on the engine's strength, by games against itself.
#[derive(Args)]
pub(super) struct Calibrate {
    /// What to fit.
    #[command(subcommand)]
    what: Calibration,
}

#[derive(Subcommand)]
enum Calibration {
    /// The chances of win, draw and loss that belong to a value.
    Wdl {
        /// Games that `datagen` has played.
        #[arg(value_name = "DATA")]
        data: PathBuf,
    },
    /// How much stronger each level is than the one below it.
    Levels {
        /// Games of each match.
        #[arg(long, default_value_t = 100, value_name = "N")]
        games: u64,
        /// The lowest of the levels that are played against the one below.
        #[arg(long, default_value_t = 1, value_name = "LEVEL")]
        first: u32,
        /// The highest of them; each takes half as much time again as the one below.
        #[arg(long, default_value_t = 19, value_name = "LEVEL")]
        last: u32,
    },
}

impl Calibrate {
    pub(super) fn run(self, context: &Context) -> Result<()> {
        match self.what {
            Calibration::Wdl { data } => {
                writeln!(io::stdout(), "{}", crate::calibrate::fit_wdl(&data)?)?;
            }
            Calibration::Levels { games, first, last } => {
                crate::calibrate::compare_levels(&context.engine, games, first, last, progress)?;
            }
        }
        Ok(())
    }
}

/// Measure what each term is worth by doing without it: a table in Markdown.
#[derive(Args)]
pub(super) struct Ablate {
    /// Only these terms.
    #[arg(value_name = "TERM")]
    terms: Vec<String>,
    /// Games with each term against the engine without it; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 400)]
    games: u64,
    /// Nodes searched a move.
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    nodes: u64,
    /// Games that `datagen` wrote, to measure how much worse results are foreseen without it.
    #[arg(long, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Which openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Ablate {
    pub(super) fn run(self, context: &Context) -> Result<()> {
        let Ablate { terms, games, nodes, data, seed } = self;
        writeln!(io::stdout(), "{}", crate::ablate::Worth::HEAD)?;
        crate::ablate::Ablation { terms, data, games, nodes, seed }
            .run(&context.engine, progress)?;
        Ok(())
    }
}
