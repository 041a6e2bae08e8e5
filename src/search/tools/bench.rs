//! The bench: fixed positions searched to a fixed depth with one thread. Its node count at [`BENCH_DEPTH`] is the
//! signature of search and evaluation.

use crate::eval::{Engine, EvaluationCost};
use crate::notation::FenError;
use crate::search::position::Game;
use crate::search::request::{Control, Evaluate, Limits, SearchRequest};
use crate::search::tools::search;
use crate::search::transposition_table::TranspositionTable;
use shakmaty::Chess;
use std::{fmt, sync::atomic::Ordering::Relaxed, time::Duration};
use thiserror::Error;
use web_time::Instant;

/// The depth of each search of the signature, in plies.
pub const BENCH_DEPTH: u32 = 9;

/// Openings, middlegames, endings and basic mates, from well-known test sets and games: one FEN a line.
const POSITIONS: &str = include_str!("bench.txt");

/// The sum of all searches. Displayed as one line, `N nodes M nps`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl fmt::Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_second = self.nodes as f64 / self.time.as_secs_f64().max(1e-9);
        write!(f, "{} nodes {per_second:.0} nps", self.nodes)
    }
}

/// An error of the bench.
#[derive(Clone, Debug, Error)]
pub enum BenchError {
    /// The memory of the transposition table cannot be allocated.
    #[error("no memory for the transposition table: {0}")]
    Memory(#[from] std::collections::TryReserveError),
    /// A position of the bench cannot be set up.
    #[error("bench position: {0}")]
    Fen(#[from] FenError),
    /// It was stopped.
    #[error("bench was stopped before it was finished")]
    Stopped,
}

/// Searches all positions to a depth in plies, each with an empty table of the default size. Only the nodes of
/// [`BENCH_DEPTH`] are the signature.
///
/// # Errors
///
/// If the memory of the table cannot be allocated, or `control` stops the bench.
pub fn bench(
    evaluation: &dyn Evaluate,
    depth: u32,
    control: &Control,
) -> Result<BenchResult, BenchError> {
    let table = TranspositionTable::new(TranspositionTable::DEFAULT_SIZE)?;
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let start = Instant::now();
    let mut nodes = 0;
    for fen in POSITIONS.lines() {
        let game = Game::from_fen(fen, None)?;
        table.clear();
        let request = SearchRequest::new(&game, evaluation, &table, &limits);
        nodes += search(&SearchRequest { control, ..request }, |_| ()).nodes;
        if control.stop.load(Relaxed) {
            return Err(BenchError::Stopped);
        }
    }
    Ok(BenchResult { nodes, time: start.elapsed() })
}

/// The positions of the bench.
///
/// # Errors
///
/// Never, as a test shows.
pub fn positions() -> Result<Vec<Chess>, FenError> {
    let position = |fen| Ok(Game::from_fen(fen, None)?.position().chess().clone());
    POSITIONS.lines().map(position).collect()
}

/// About how long an evaluation takes in the positions of the bench: few rounds, because somebody waits for it.
pub fn quick_cost(engine: &Engine) -> EvaluationCost {
    const ROUNDS: u32 = 3;
    engine.cost(&positions().unwrap_or_default(), ROUNDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_legal() {
        assert_eq!(positions().unwrap().len(), 24);
    }
}
