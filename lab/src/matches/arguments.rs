//! The arguments of a match.

use super::{entrant::Entrant, record::Settings};
use crate::arguments::{at_least_1, error_probability, games, term_percent, time_control};
use crate::{
    opening_book::OpeningBook, play::MoveLimit, provenance, statistics::Sprt, uci::UciArguments,
};
use anyhow::{Result, ensure};
use clap::{Args, builder::RangedU64ValueParser};
use std::path::PathBuf;
use tropism::{eval::Registry, search::TranspositionTable};

/// Games of a match without a test.
const GAMES: u64 = 400;

/// The largest difference of a test, in Elo either way.
const MAX_ELO: f64 = 400.0;

/// Play games between two engine files, or against another program, and say which engine is stronger.
///
/// All numbers are about B: a positive difference says that B is stronger than A. Elo is logistic, as in rating lists,
/// where it is not called normalised; normalised Elo does not depend on the number of draws.
#[derive(Args, Clone, Debug)]
pub(crate) struct Match {
    /// The engine files of A and B. A single file is B, and A is the built-in engine or that of --engine; but with --set
    /// both are this file.
    #[arg(value_name = "FILE", num_args = 0..=2)]
    pub(super) files: Vec<PathBuf>,
    /// The percentage of a term of B: `knight_forks=0` switches it off. May be given several times.
    #[arg(long, value_name = "TERM=PERCENT", value_delimiter = ',', value_parser = term_percent)]
    pub(super) set: Vec<(String, u32)>,
    /// A UCI program that is engine A, such as another engine or an older build of this one. B is the engine file, the
    /// built-in engine or that of --engine.
    #[arg(long, value_name = "PROGRAM", conflicts_with = "openbench")]
    pub(super) against: Option<PathBuf>,
    #[command(flatten)]
    pub(super) uci: UciArguments,
    /// Nodes per move.
    #[arg(long, value_name = "N", default_value_t = 5_000, conflicts_with = "tc",
          value_parser = at_least_1::<u64>())]
    pub(super) nodes: u64,
    /// A clock instead of nodes: seconds for the game, and seconds that each move adds, as in 3+0.03.
    #[arg(long, value_name = "TIME+INCREMENT", value_parser = time_control)]
    pub(super) tc: Option<MoveLimit>,
    /// Stop as soon as a sequential test has decided whether B is ELO0 or ELO1 stronger, in logistic Elo.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    pub(super) sprt: Vec<f64>,
    /// ELO0 and ELO1 are normalised Elo: a test then takes about as many games with few draws as with many.
    #[arg(long, requires = "sprt")]
    pub(super) normalised: bool,
    /// The probability that the test accepts ELO1 although ELO0 is true.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt", value_parser = error_probability)]
    pub(super) alpha: f64,
    /// The probability that the test rejects ELO1 although it is true.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt", value_parser = error_probability)]
    pub(super) beta: f64,
    /// Stop after so many games, an even number; by default 400, or with --sprt when it has decided.
    #[arg(long, value_name = "N", value_parser = games(2))]
    pub(super) games: Option<u64>,
    /// Start the games from this file, one FEN or EPD a line or the games of a PGN, instead of the openings that
    /// `tropism-lab openings` prints. When each opening has been played with both colours, random moves follow.
    #[arg(long, value_name = "FILE")]
    pub(super) openings: Option<PathBuf>,
    /// Seed of the order of the openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// The file for the games. If it has games of this match, the match continues.
    #[arg(long, value_name = "FILE", default_value = "match.pgn")]
    pub(super) pgn: PathBuf,
    /// Games played at a time; by default one per core.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub(super) concurrency: Option<usize>,
    /// Size of each transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = TranspositionTable::DEFAULT_SIZE,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=65_536))]
    pub(super) hash: usize,
    /// Play until the rules end a game. Otherwise exact tables end it, and both engines do if they agree: 6 pawns ahead
    /// for 3 moves each, or from move 40 on at most 0.1 pawns for 8 moves each.
    #[arg(long)]
    pub(super) play_out: bool,
    /// Play nothing, and print the command of fastchess for this match. In the laboratory of an author, write the
    /// author's engine for PROGRAM.
    #[arg(long, conflicts_with = "openbench")]
    pub(super) fastchess: bool,
    /// Play nothing, and print what to write into the form of OpenBench for this match.
    #[arg(long)]
    pub(super) openbench: bool,
}

impl Match {
    /// What the games depend on, as tags.
    pub(super) fn settings(
        &self,
        [a, b]: &[Entrant; 2],
        openings: &OpeningBook,
        registry: &Registry,
    ) -> Result<Settings> {
        let test = self.test().map_or_else(|| "none".to_owned(), |test| test.to_string());
        let adjudication = if self.play_out { "none" } else { "tables and scores" };
        Ok(vec![
            ("EngineA", a.identity()),
            ("EngineB", b.identity()),
            ("Limit", format!("{}, {} MiB", self.limit(), self.hash)),
            ("Openings", format!("{}, seed {}", openings.identity(), self.seed)),
            ("Adjudication", adjudication.to_owned()),
            ("Test", test),
            ("Program", provenance::program(registry)?),
        ])
    }

    pub(super) fn limit(&self) -> MoveLimit {
        self.tc.unwrap_or(MoveLimit::Nodes(self.nodes))
    }

    /// The sequential test, if there is one.
    pub(super) fn test(&self) -> Option<Sprt> {
        let [elo0, elo1] = self.sprt[..] else { return None };
        let Match { alpha, beta, normalised: is_normalised, .. } = *self;
        Some(Sprt { elo0, elo1, is_normalised, alpha, beta })
    }

    /// Checks the differences of the test, and what is said of another program.
    pub(super) fn check(&self) -> Result<()> {
        let has_words = !self.uci.argument.is_empty() || !self.uci.option.is_empty();
        ensure!(
            self.against.is_some() || !has_words,
            "--argument and --option are for the program of --against, which is missing"
        );
        let Some(Sprt { elo0, elo1, .. }) = self.test() else { return Ok(()) };
        ensure!(
            elo0 < elo1 && elo0 >= -MAX_ELO && elo1 <= MAX_ELO,
            "--sprt {elo0} {elo1}: the first difference must be the smaller one, and both within {MAX_ELO} Elo, as in \
             --sprt 0 5"
        );
        Ok(())
    }

    /// The most pairs of games.
    pub(super) fn pairs(&self) -> u64 {
        self.games.unwrap_or(if self.sprt.is_empty() { GAMES } else { u64::MAX }).div_ceil(2)
    }

    pub(super) fn threads(&self) -> usize {
        self.concurrency.unwrap_or_else(tropism_program::cores)
    }
}
