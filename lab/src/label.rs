//! `tropism-lab label`: another engine's verdict of recorded positions.
//!
//! All positions are judged on all cores, and written in the order of their games.
//!
//! Each game begins with `ucinewgame`. So a judge that is deterministic with one thread makes the same file with any
//! number of threads of this command and after any number of interruptions.

use crate::data::{self, RecordedGame, RecordedPosition, games, read_file, say_left_out};
use crate::provenance::{file_name, sha256};
use crate::uci::{UciArguments, UciEngine};
use crate::{arguments::at_least_1, terminal::stop_on_ctrl_c};
use anyhow::{Context as _, Result, anyhow};
use clap::Args;
use shakmaty::Position as _;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::{path::PathBuf, sync::atomic::AtomicBool, time::Instant};
use tropism::search::Game;
use tropism_program::{cores, in_order, progress_bar};

/// Let another engine judge the positions of recorded games.
#[derive(Args, Clone, Debug)]
pub(crate) struct Labeller {
    /// Files that `tropism-lab datagen` wrote.
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
    /// The UCI engine that judges.
    #[arg(long, value_name = "PROGRAM")]
    judge: PathBuf,
    #[command(flatten)]
    uci: UciArguments,
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
        let part = self.games(&texts);
        let threads = self.threads.unwrap_or_else(cores);
        let start_judge = |_| UciEngine::start(&self.judge, &self.uci);
        let mut judges = (0..threads).map(start_judge).collect::<Result<Vec<_>>>()?;
        judges.first_mut().map_or(Ok(()), |judge| judge.check_nodes())?;
        let name = judges.first().map_or("", |judge| &judge.name);
        let (mut file, text) = data::open(&self.out, &self.header(name, &texts))?;
        let (labelled, _) = games(&text);
        let rest = part.get(labelled.len()..).unwrap_or_default();
        let count = |games: &[RecordedGame]| games.iter().map(|game| game.positions.len()).sum();
        let (before, missing): (usize, usize) = (count(&labelled), count(rest));
        let template = "{wide_bar} {human_pos} of {human_len} positions, {per_sec}, {eta}";
        let bar = progress_bar(template, (before + missing) as u64, before as u64);
        let stop = stop_on_ctrl_c()?;
        let worker = |mut judge: UciEngine| {
            let stop = &stop;
            move |number| {
                let game = rest.get(number as usize)?;
                let lines = self.label_game(&mut judge, game, stop).transpose()?;
                Some(lines.map(|lines| (lines, game.positions.len())))
            }
        };
        let workers = judges.into_iter().map(worker).collect();
        let mut games = labelled.len();
        let result = in_order(workers, 0, &stop, |(lines, positions)| {
            let written = file.write_all(String::as_bytes(&lines));
            written.with_context(|| self.out.display().to_string())?;
            games += 1;
            bar.inc(positions as u64);
            Ok(true)
        });
        let is_whole = games >= part.len();
        let stopped = || if is_whole { Ok(()) } else { Err(anyhow!("stopped")) };
        result.and_then(|()| stopped()).map_err(|error| {
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

    /// The games of the texts that are to be labelled. Lines and positions that are wrong are left out, and named.
    fn games<'t>(&self, texts: &'t [String]) -> Vec<RecordedGame<'t>> {
        let mut all = Vec::new();
        for (path, text) in self.data.iter().zip(texts) {
            let (mut games, mut bad) = games(text);
            // A judge may crash on a position that is none.
            for game in &mut games {
                game.positions.retain(|position| {
                    let error = Game::from_fen(position.fen, None).err();
                    bad.extend(error.as_ref().map(|error| position.complaint(error)));
                    error.is_none()
                });
            }
            say_left_out(path, &bad);
            all.extend(games);
        }
        let (number, of) = self.part;
        let part = all.into_iter().skip(number - 1).step_by(of);
        part.take(self.games.unwrap_or(usize::MAX)).collect()
    }

    /// The first line of the file. Another machine or path does not change it.
    fn header(&self, judge: &str, texts: &[String]) -> String {
        let (number, of) = self.part;
        let files = self.data.iter().zip(texts);
        let files: Vec<_> = files
            .map(|(path, text)| format!("{} SHA-256 {}", file_name(path), sha256(text)))
            .collect();
        format!(
            "# tropism labels 1: judge {}, nodes {}, part {number}/{of} of {}",
            self.uci.described(judge),
            self.nodes,
            files.join(" and ")
        )
    }

    /// The lines of a game with labels; `None` if it is stopped.
    fn label_game(
        &self,
        judge: &mut UciEngine,
        game: &RecordedGame,
        stop: &AtomicBool,
    ) -> Result<Option<String>> {
        let mut lines = String::new();
        let is_chess960 = |position: &RecordedPosition| {
            let game = Game::from_fen(position.fen, None);
            game.is_ok_and(|game| game.position().chess().castles().mode().is_chess960())
        };
        judge.new_game(game.positions.iter().any(is_chess960))?;
        for position in &game.positions {
            let Some(label) = judge.label(position.fen, self.nodes, stop)? else { return Ok(None) };
            let _ = writeln!(lines, "{} {} | {label}", position.fen, position.score);
        }
        let _ = writeln!(lines, "= {} {}", game.number, game.result);
        Ok(Some(lines))
    }
}
