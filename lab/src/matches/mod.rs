//! `tropism-lab match`: games between two engines, until a test or the number of games ends them.
//!
//! - `entrant`: the two engines, from files and percentages.
//! - `schedule`: pairs of games on several threads.
//! - `record`: the games in a file, from which the match continues.
//! - `report`: what the games say.
//! - `elsewhere`: the same match in other programs.
//!
//! At a fixed number of nodes, a pair of games depends only on the engines, the openings, the seed and its number.

mod elsewhere;
mod entrant;
mod record;
mod report;
mod schedule;

use crate::{
    arguments::{at_least_1, term_percent, time_control},
    opening_book::OpeningBook,
    play::MoveLimit,
    provenance::Provenance,
    statistics::{Sprt, Verdict},
    terminal,
};
use anyhow::{Result, ensure};
use clap::{Args, builder::RangedU64ValueParser};
use entrant::Entrant;
use record::{Record, Settings};
use report::{MatchEnd, Standing};
use schedule::Schedule;
use std::{
    io::{self, Write},
    path::PathBuf,
};
use tropism::{eval::Registry, search::TranspositionTable};
use tropism_program::Context;

/// Games of a match without a test.
const GAMES: u64 = 400;

/// The largest difference of a test, in Elo either way.
const MAX_ELO: f64 = 400.0;

/// Play games between two engine files and say which engine is stronger.
///
/// All numbers are about B: a positive difference says that B is stronger than A.
#[derive(Args, Clone, Debug)]
pub(crate) struct Match {
    /// The engine files of A and B. A single file is B, and A is the built-in engine or that of --engine; but with --set
    /// both are this file.
    #[arg(value_name = "FILE", num_args = 0..=2)]
    files: Vec<PathBuf>,
    /// The percentage of a term of B: `knight_forks=0` switches it off. May be given several times.
    #[arg(long, value_name = "TERM=PERCENT", value_delimiter = ',', value_parser = term_percent)]
    set: Vec<(String, u32)>,
    /// Nodes per move.
    #[arg(long, value_name = "N", default_value_t = 5_000, conflicts_with = "tc",
          value_parser = at_least_1::<u64>())]
    nodes: u64,
    /// A clock instead of nodes: seconds for the game, and seconds that each move adds, as in 3+0.03.
    #[arg(long, value_name = "TIME+INCREMENT", value_parser = time_control)]
    tc: Option<MoveLimit>,
    /// Stop as soon as a sequential test, with errors of 5 percent, has decided whether B is ELO0 or ELO1 stronger.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Vec<f64>,
    /// Stop after so many games, an even number; by default 400, or with --sprt when it has decided.
    #[arg(long, value_name = "N", value_parser = at_least_1::<u64>())]
    games: Option<u64>,
    /// Start the games from this file, one FEN or EPD a line or the games of a PGN, instead of the openings that
    /// `tropism-lab openings` prints. When each opening has been played with both colours, random moves follow.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of the order of the openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The file for the games. If it has games of this match, the match continues.
    #[arg(long, value_name = "FILE", default_value = "match.pgn")]
    pgn: PathBuf,
    /// Games played at a time; by default one per core.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    concurrency: Option<usize>,
    /// Size of each transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = TranspositionTable::DEFAULT_SIZE,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=65_536))]
    hash: usize,
    /// Play until the rules end a game. Otherwise exact tables end it, and both engines do if they agree: 6 pawns ahead
    /// for 3 moves each, or from move 40 on at most 0.1 pawns for 8 moves each.
    #[arg(long)]
    play_out: bool,
    /// Play nothing, and print the command of fastchess for this match.
    #[arg(long, conflicts_with = "openbench")]
    fastchess: bool,
    /// Play nothing, and print what to write into the form of OpenBench for this match.
    #[arg(long)]
    openbench: bool,
}

impl Match {
    /// Plays the match and prints what it says. Returns the verdict of the test if it has decided.
    pub(crate) fn run(&self, context: &Context) -> Result<Option<Verdict>> {
        let entrants = Entrant::both(&self.files, &self.set, context)?;
        let [a, b] = &entrants;
        if let Some(Sprt { elo0, elo1 }) = self.test() {
            ensure!(
                elo0 < elo1 && elo0 >= -MAX_ELO && elo1 <= MAX_ELO,
                "--sprt {elo0} {elo1}: the first difference must be the smaller one, and both within {MAX_ELO} Elo, \
                 as in --sprt 0 5"
            );
        }
        let end = MatchEnd { pairs: self.games().div_ceil(2), test: self.test() };
        if self.fastchess || self.openbench {
            let text = match self.fastchess {
                true => elsewhere::fastchess(self, &entrants),
                false => elsewhere::openbench(self, &entrants),
            };
            writeln!(io::stdout(), "{text}")?;
            return Ok(None);
        }
        if a.is_same(b) {
            eprintln!(
                "tropism-lab: A and B are the same engine, so the match measures noise only; give \
                 another file, or change a term of B with --set TERM=PERCENT"
            );
        }
        let openings = match &self.openings {
            Some(path) => OpeningBook::read(path)?.shuffled(self.seed),
            None => OpeningBook::shipped(self.seed)?,
        };
        let settings = self.settings(&entrants, &openings, &context.registry)?;
        let names = [a.name.clone(), b.name.clone()];
        let (mut record, pairs) = Record::open(&self.pgn, settings, names)?;
        writeln!(io::stdout(), "A: {}\nB: {}", a.identity(), b.identity())?;
        let mut standing = Standing::new(end, pairs);
        let schedule = Schedule {
            engines: [&b.engine, &a.engine],
            referee: &context.registry.default_engine()?,
            limit: self.limit(),
            openings: &openings,
            hash: self.hash,
            is_adjudicated: !self.play_out,
            seed: self.seed,
            threads: self.threads(),
        };
        schedule.play(&mut standing, &mut record)?;
        terminal::print_line(&standing.line());
        standing.details().iter().for_each(terminal::print_line);
        writeln!(io::stdout(), "{}", standing.sentence())?;
        if !standing.is_over() {
            let (path, games) = (self.pgn.display(), standing.finished());
            terminal::print_line(&format!(
                "{path} has {games} games; the same command continues the match"
            ));
        }
        Ok(standing.verdict)
    }

    /// What the games depend on, as tags.
    fn settings(
        &self,
        [a, b]: &[Entrant; 2],
        openings: &OpeningBook,
        registry: &Registry,
    ) -> Result<Settings> {
        let test = self.test().map_or_else(
            || "none".to_owned(),
            |Sprt { elo0, elo1 }| format!("Elo difference {elo0} or {elo1}"),
        );
        let adjudication = if self.play_out { "none" } else { "tables and scores" };
        Ok(vec![
            ("EngineA", a.identity()),
            ("EngineB", b.identity()),
            ("Limit", format!("{}, {} MiB", self.limit(), self.hash)),
            ("Openings", format!("{}, seed {}", openings.identity(), self.seed)),
            ("Adjudication", adjudication.to_owned()),
            ("Test", test),
            ("Program", Provenance::play(registry)?),
        ])
    }

    fn limit(&self) -> MoveLimit {
        self.tc.unwrap_or(MoveLimit::Nodes(self.nodes))
    }

    fn test(&self) -> Option<Sprt> {
        match self.sprt[..] {
            [elo0, elo1] => Some(Sprt { elo0, elo1 }),
            _ => None,
        }
    }

    fn games(&self) -> u64 {
        self.games.unwrap_or(if self.sprt.is_empty() { GAMES } else { u64::MAX })
    }

    fn threads(&self) -> usize {
        self.concurrency.unwrap_or_else(terminal::cores)
    }
}
