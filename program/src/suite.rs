//! `tropism suite`: a file of test positions, and how many of them the engine solves.

use super::{Context, shared::progress_bar};
use anyhow::Result;
use clap::Args;
use shakmaty::{Position, san::SanPlus};
use std::io::{self, Write};
use std::path::PathBuf;
use tropism::endgame::Endgames;
use tropism::eval::Engine;
use tropism::search::{Game, Limits, Outcome, SearchRequest, TranspositionTable, Value, search};
use tropism_coach::notation::{Test, parse_suite, read_text_file};

/// Search the positions of a test suite and count how many are solved.
#[derive(Args)]
pub struct Suite {
    /// An EPD file with the operations bm (best move), am (move to avoid) or dm (mate in N).
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Number of nodes to search in each position.
    #[arg(long, value_name = "N", default_value_t = 100_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

impl Suite {
    pub fn run(self, context: Context) -> Result<()> {
        let name = || self.file.display().to_string();
        let text = read_text_file(&self.file)?;
        let (tests, faults) = parse_suite(&text);
        let lines = tests.len() + faults.len();
        anyhow::ensure!(lines > 0, "{}: there is no test in it; give a file in EPD", name());
        if !tests.is_empty() {
            self.search(&context.engine, &tests)?;
        }
        let (broken, list) = (faults.len(), faults.join("\n"));
        anyhow::ensure!(broken == 0, "{}: {broken} of {lines} tests broken:\n{list}", name());
        Ok(())
    }

    /// Searches each position with an empty transposition table. Prints the tests that were not solved, and then the
    /// counts. Shows its progress on standard error if that is a terminal.
    fn search(&self, engine: &Engine, tests: &[Test]) -> Result<()> {
        let table = TranspositionTable::new(TranspositionTable::DEFAULT_SIZE)?;
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let template = "{wide_bar} {pos} of {len}, {msg} solved, {eta}";
        let bar = progress_bar(template, tests.len() as u64, 0);
        let mut missed = Vec::new();
        // A mate by the right side counts as found. Only the shortest solves the test.
        let mut mates_found = 0;
        for (done, test) in tests.iter().enumerate() {
            bar.set_message((done - missed.len()).to_string());
            table.clear();
            let endgames = Endgames::of(test.position.board());
            let game = Game::new(test.position.clone());
            let request = SearchRequest::new(&game, engine, &table, &limits);
            let outcome = search(&request.with_endgames(&endgames), |_| ());
            mates_found += usize::from(test.is_mate_found_by(&outcome));
            if !test.is_solved_by(&outcome) {
                missed.push(answer(test, &outcome));
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        let mut out = io::stdout().lock();
        missed.iter().try_for_each(|missed| writeln!(out, "{missed}"))?;
        write!(out, "{} of {} solved", tests.len() - missed.len(), tests.len())?;
        let mates = tests.iter().filter(|test| test.wants_mate()).count();
        if mates > 0 {
            write!(out, "; mates found, the shortest or not: {mates_found} of {mates}")?;
        }
        Ok(writeln!(out)?)
    }
}

/// The engine's move and value in a test that was not solved.
fn answer(test: &Test, outcome: &Outcome) -> String {
    let chess = &test.position;
    let best = outcome.best.map_or_else(
        || "no move".to_owned(),
        |best| SanPlus::from_move(chess.clone(), best).to_string(),
    );
    let value = match outcome.value {
        Value::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
        Value::Mate(moves) => format!("mate in {moves}"),
    };
    format!("{}: {best}, {value}", test.name)
}
