//! `tropism-lab label`: another engine's verdict of recorded positions.
//!
//! - `uci`: the engine that judges.
//! - [`Labeller`]: all positions on all cores, written in the order of their games.
//!
//! Each game begins with `ucinewgame`. So a judge that is deterministic with one thread makes the same file with any
//! number of threads of this command and after any number of interruptions.

mod uci;

use crate::{
    arguments::at_least_1,
    data::{self, RecordedGame, games, read_file},
    in_order::in_order,
    provenance::{file_name, sha256},
    terminal::{cores, progress_bar},
};
use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use std::{
    fmt::Write as _,
    io::{self, Write as _},
    path::PathBuf,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};
use tropism::search::Game;
use uci::UciEngine;

/// Let another engine judge the positions of recorded games.
#[derive(Args, Clone, Debug)]
pub(crate) struct Labeller {
    /// Files that `tropism-lab datagen` wrote.
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
    /// The UCI engine that judges.
    #[arg(long, value_name = "PROGRAM")]
    judge: PathBuf,
    /// A word of the judge's command line; may be given several times.
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    argument: Vec<String>,
    /// A UCI option of the judge; may be given several times.
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option: Vec<(String, String)>,
    /// The file to write. If it exists, the run that made it is continued.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Nodes per position.
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = at_least_1::<u64>())]
    nodes: u64,
    /// Label only every Nth game, from the Kth: so N machines share the work. Their files can be joined by `cat`.
    #[arg(long, value_name = "K/N", default_value = "1/1", value_parser = part)]
    part: (usize, usize),
    /// Stop when the file has this many games.
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Judges at a time; by default one per core.
    #[arg(long, value_name = "N", value_parser = at_least_1::<usize>())]
    threads: Option<usize>,
    /// A judge that has said nothing for so long is given up, in seconds.
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = at_least_1::<u64>())]
    timeout: u64,
}

/// Reads an option as NAME=VALUE.
fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("not NAME=VALUE".to_owned()),
    }
}

/// Reads a part as K/N: every Nth game, from the Kth.
fn part(text: &str) -> Result<(usize, usize), String> {
    let part = text.split_once('/').and_then(|(number, of)| {
        let (number, of) = (number.parse().ok()?, of.parse().ok()?);
        (1..=of).contains(&number).then_some((number, of))
    });
    part.ok_or_else(|| "not K/N with K from 1 to N".to_owned())
}

impl Labeller {
    /// Labels the positions that are not yet in the file and prints what it contains.
    pub(crate) fn run(&self) -> Result<()> {
        let start = Instant::now();
        let texts = self.data.iter().map(|path| read_file(path)).collect::<Result<Vec<_>>>()?;
        let part = self.games(&texts)?;
        let threads = self.threads.unwrap_or_else(cores);
        let judges = (0..threads).map(|_| self.judge()).collect::<Result<Vec<_>>>()?;
        let name = judges.first().map_or("", |judge| &judge.name);
        let (mut file, text) = data::open(&self.out, &self.header(name, &texts))?;
        let labelled = games(&text, &mut Vec::new());
        let rest = part.get(labelled.len()..).unwrap_or_default();
        let count = |games: &[RecordedGame]| games.iter().map(|game| game.positions.len()).sum();
        let (before, missing): (usize, usize) = (count(&labelled), count(rest));
        let template = "{wide_bar} {human_pos} of {human_len} positions, {per_sec}, {eta}";
        let bar = progress_bar(template, (before + missing) as u64, before as u64);
        let worker = |mut judge: UciEngine| {
            move |number| {
                let game = rest.get(number as usize)?;
                Some(self.label_game(&mut judge, game).map(|lines| (lines, game.positions.len())))
            }
        };
        let workers = judges.into_iter().map(worker).collect();
        let mut games = labelled.len();
        let result = in_order(workers, 0, &AtomicBool::new(false), |(lines, positions)| {
            let written = file.write_all(String::as_bytes(&lines));
            written.with_context(|| self.out.display().to_string())?;
            games += 1;
            bar.inc(positions as u64);
            Ok(true)
        });
        result.map_err(|error| {
            anyhow!(
                "{error:#}; {} keeps the labels of {games} games, and the same command continues it",
                self.out.display()
            )
        })?;
        bar.finish();
        write!(io::stdout(), "{games} games, {} positions", before + missing)?;
        if missing > 0 {
            let rate = missing as f64 / start.elapsed().as_secs_f64() / threads as f64;
            write!(io::stdout(), "; {rate:.1} positions a second and core")?;
        }
        Ok(writeln!(io::stdout())?)
    }

    /// The games of the texts that are to be labelled.
    fn games<'t>(&self, texts: &'t [String]) -> Result<Vec<RecordedGame<'t>>> {
        let mut all = Vec::new();
        for (path, text) in self.data.iter().zip(texts) {
            let mut bad = Vec::new();
            let games = games(text, &mut bad);
            // A judge may crash on a position that is none.
            let wrong = games.iter().flat_map(|game| &game.positions).find_map(|position| {
                let error = Game::from_fen(position.fen, None).err()?;
                Some(format!("{}: {:?}: {error}", position.line, position.fen))
            });
            if let Some(line) = bad.into_iter().next().or(wrong) {
                bail!("{}:{line}", path.display());
            }
            all.extend(games);
        }
        let (number, of) = self.part;
        let part = all.into_iter().skip(number - 1).step_by(of);
        Ok(part.take(self.games.unwrap_or(usize::MAX)).collect())
    }

    fn judge(&self) -> Result<UciEngine> {
        let timeout = Duration::from_secs(self.timeout);
        UciEngine::start(&self.judge, &self.argument, &self.option, timeout)
    }

    /// The first line of the file. Another machine or path does not change it.
    fn header(&self, judge: &str, texts: &[String]) -> String {
        let (number, of) = self.part;
        let options: Vec<_> =
            self.option.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let options = if options.is_empty() { "none".to_owned() } else { options.join(" ") };
        let arguments = match &self.argument[..] {
            [] => String::new(),
            arguments => format!(" {}", arguments.join(" ")),
        };
        let files = self.data.iter().zip(texts);
        let files: Vec<_> = files
            .map(|(path, text)| format!("{} SHA-256 {}", file_name(path), sha256(text)))
            .collect();
        format!(
            "# tropism labels 1: judge {judge}{arguments}, options {options}, nodes {}, part {number}/{of} of {}",
            self.nodes,
            files.join(" and ")
        )
    }

    /// The lines of a game with labels.
    fn label_game(&self, judge: &mut UciEngine, game: &RecordedGame) -> Result<String> {
        let mut lines = String::new();
        judge.new_game()?;
        for position in &game.positions {
            let label = judge.label(position.fen, self.nodes)?;
            let _ = writeln!(lines, "{} {} | {label}", position.fen, position.score);
        }
        let _ = writeln!(lines, "= {} {}", game.number, game.result);
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_a_number_of_parts() {
        assert_eq!(part("2/3"), Ok((2, 3)));
        for wrong in ["0/3", "4/3", "1", "1/", "a/b", "1/0"] {
            assert!(part(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_option_has_a_name() {
        assert_eq!(option("Move Overhead=5"), Ok(("Move Overhead".to_owned(), "5".to_owned())));
        assert_eq!(option("SyzygyPath="), Ok(("SyzygyPath".to_owned(), String::new())));
        assert!(option("Hash").is_err() && option("=5").is_err());
    }
}
