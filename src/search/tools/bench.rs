//! The bench: fixed positions searched to a fixed depth with one thread. Its node count at [`BENCH_DEPTH`] is the
//! signature of search and evaluation.

use crate::eval::{Engine, EvaluationCost};
use crate::notation::FenError;
use crate::search::evaluate::Evaluate;
use crate::search::limits::Limits;
use crate::search::position::Game;
use crate::search::request::{Control, SearchRequest};
use crate::search::start::search;
use crate::search::transposition_table::TranspositionTable;
use shakmaty::Chess;
use std::{fmt, sync::atomic::Ordering::Relaxed, time::Duration};
use thiserror::Error;
use web_time::Instant;

/// The depth of each search of the signature, in plies.
pub const BENCH_DEPTH: u32 = 9;

/// Openings, middlegames, endings and basic mates, from well-known test sets and games.
const POSITIONS: [&str; 24] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5",
    "rnbqk2r/ppp1bppp/4pn2/3p2B1/2PP4/2N5/PP2PPPP/R2QKBNR w KQkq - 4 5",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 9",
    "2rq1rk1/pb1nbppp/1p2pn2/3p4/2PP4/1P2PN2/PB1NBPPP/2RQ1RK1 b - - 2 12",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3N4/1BN1B3/PPP2PPP/R2QR1K1 w - - 2 14",
    "3r1rk1/p3qppp/2bb4/2p5/3p4/1P2P3/PBQN1PPP/2R2RK1 w - - 0 1",
    "6k1/5p2/6p1/8/7p/8/6PP/6K1 b - - 0 1",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
    "8/1p3pp1/7p/5P1P/2k3P1/8/2K2P2/8 w - - 0 1",
    "2r5/5pkp/1p4p1/1P1p4/3P4/3KP1P1/R6P/8 w - - 0 1",
    "8/5pk1/4p1p1/3pP2p/1n1P1P1P/2N3PK/8/8 b - - 0 1",
    "5rk1/5ppp/8/2q5/8/2N1Q3/5PPP/4R1K1 w - - 0 1",
    "8/8/8/3k4/8/8/3P4/3K4 w - - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    "7k/8/8/8/3K4/8/8/1NB5 w - - 0 1",
    "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
    "8/8/4k3/8/8/2BBK3/8/8 w - - 0 1",
];

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
    for fen in POSITIONS {
        let game = Game::from_fen(fen, None)?;
        table.clear();
        let request = SearchRequest::new(&game, evaluation, &table, &limits).with_control(control);
        nodes += search(&request, |_| ()).nodes;
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
    let position = |fen: &&str| Ok(Game::from_fen(fen, None)?.position().chess().clone());
    POSITIONS.iter().map(position).collect()
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
        assert_eq!(positions().unwrap().len(), POSITIONS.len());
    }
}
