//! Games to learn from, and weights learnt.

use super::Given;
use anyhow::{Context, Result};
use clap::Args;
use std::{
    fmt::Display,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};
use tropism::tools;

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
    pub(super) fn run(self, given: &Given) -> Result<()> {
        let Datagen { out, games, positions, nodes, seed, threads } = self;
        let threads = threads.unwrap_or_else(cores);
        let settings = tools::Datagen { out, games, positions, nodes, seed, threads };
        let count = settings.run(&given.engine)?;
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
    /// Terms whose weights stay as they are.
    #[arg(long, value_name = "TERM", num_args = 0..,
          default_values = ["mop_up", "kpk", "kqk", "krk", "kbbk", "kbnk", "ways_out"])]
    freeze: Vec<String>,
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
    pub(super) fn run(self, given: &Given) -> Result<()> {
        let Tune { data, out, freeze, epochs, step, prior, score_share, batch, seed } = self;
        let (text, origin) = given.text()?;
        let stop = stopped_by_ctrl_c()?;
        let tuner = tools::Tuner { data, freeze, epochs, step, prior, score_share, batch, seed };
        let tuned = tuner.run(&text, &origin, &given.registry, &stop, progress)?;
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
    pub(super) fn run(self, given: &Given) -> Result<()> {
        let Spsa { names, out, iterations, pairs, nodes, rate, seed } = self;
        let stop = stopped_by_ctrl_c()?;
        let run = tools::Spsa { out, names, iterations, pairs, nodes, rate, seed };
        for (name, before, after) in run.run(&given.engine, &stop)? {
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
    pub(super) fn run(self, given: &Given) -> Result<()> {
        let Teach { ending, terms, out, plies, steps, rate, takeover, within, unit } = self;
        let ending = ending.parse().with_context(|| ending.clone())?;
        let (text, origin) = given.text()?;
        let stop = stopped_by_ctrl_c()?;
        let lesson = tools::Lesson { ending, terms, plies, steps, rate, takeover, within, unit };
        let taught = lesson.run(&text, &origin, &given.registry, &stop, progress)?;
        write_engine(&out, &taught)
    }
}

fn above_0_to_1(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("a number above 0 and at most 1".to_owned()),
    }
}

/// A line of progress. A reader that has gone away does not stop the work.
pub(super) fn progress(report: &impl Display) {
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
