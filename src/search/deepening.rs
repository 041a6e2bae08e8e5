//! Iterative deepening: search one ply, then two, until the limits say stop.

use super::limits::{Clock, Limits};
use super::position::Game;
use super::score::{INFINITY, MATE, MATE_BOUND, MAX_PLY, Value};
use super::table::{Bound, Table};
use super::worker::Worker;
use crate::eval::Engine;
use shakmaty::{Move, Position};
use std::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};

/// Half the width of the first window around the last iteration's value, in centipawns.
const WINDOW: i32 = 20;

/// The first iteration that is searched in a narrow window.
const FIRST_NARROW: u32 = 5;

/// Bounds are reported only after this long: before it they come and go too fast to be read.
const SHOW_BOUNDS_AFTER: Duration = Duration::from_secs(3);

/// How a search is told things while it runs.
#[derive(Default, Debug)]
pub struct Control {
    /// End the search.
    pub stop: AtomicBool,
    /// The opponent is still to move: clocks do not count yet.
    pub pondering: AtomicBool,
}

/// All that a search needs.
#[derive(Copy, Clone, Debug)]
pub struct Search<'a> {
    /// The position and how it came about.
    pub game: &'a Game,
    /// Who evaluates.
    pub engine: &'a Engine,
    /// What is remembered.
    pub table: &'a Table,
    /// What was asked for.
    pub limits: &'a Limits,
    /// When the time runs out.
    pub clock: Clock,
    /// How to stop it.
    pub control: &'a Control,
}

/// News of a running search: one finished iteration, or a bound on one that takes long.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Iteration, in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub selective_depth: u32,
    /// The value for the side to move.
    pub value: Value,
    /// Whether that is the value or only a bound.
    pub bound: Bound,
    /// Positions visited.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub table_fullness: u32,
    /// The best line.
    pub line: Vec<Move>,
}

/// The end of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The move to play; none if there is no legal move.
    pub best: Option<Move>,
    /// The answer expected.
    pub ponder: Option<Move>,
    /// The value of the last finished iteration.
    pub value: Value,
    /// Positions visited.
    pub nodes: u64,
}

/// Searches until a limit is reached or it is told to stop. At least one iteration is finished, so
/// that there is a report with a move before the outcome wherever a legal move exists.
pub fn search(request: &Search, mut report: impl FnMut(&Report)) -> Outcome {
    let mate_table = request.limits.mate.and_then(|_| Table::new(Table::DEFAULT_SIZE).ok());
    let request = Search {
        // A mate search may not believe what a selective search has stored.
        table: mate_table.as_ref().unwrap_or(request.table),
        ..*request
    };
    request.table.new_search();
    let mut worker = Worker::new(&request);
    if worker.root_moves.is_empty() {
        return no_moves(&request, report);
    }
    let last = request.limits.depth.unwrap_or(MAX_PLY as u32).clamp(1, MAX_PLY as u32);
    let mut value = 0;
    let mut line = Vec::new();
    for depth in 1..=last {
        let mut news = |worker: &Worker, value: i32, bound: Bound, line: Vec<Move>| {
            report(&Report {
                depth,
                selective_depth: worker.deepest as u32,
                value: value.into(),
                bound,
                nodes: worker.nodes,
                time: request.clock.elapsed(),
                table_fullness: request.table.fullness(),
                line,
            });
        };
        let found = iteration(&mut worker, depth, value, |worker, value, bound| {
            if request.clock.elapsed() >= SHOW_BOUNDS_AFTER && !worker.lines.best().is_empty() {
                news(worker, value, bound, worker.lines.best());
            }
        });
        let best = worker.lines.best();
        if !best.is_empty() {
            line = best;
        }
        let Some(found) = found else { break };
        value = found;
        news(&worker, value, Bound::Exact, line.clone());
        if is_enough(&request, &worker, depth, value) {
            break;
        }
    }
    Outcome {
        best: line.first().copied(),
        ponder: line.get(1).copied(),
        value: value.into(),
        nodes: worker.nodes,
    }
}

/// One iteration, in windows that widen around the value expected. `None` if it was broken off.
fn iteration(
    worker: &mut Worker,
    depth: u32,
    expected: i32,
    mut on_bound: impl FnMut(&Worker, i32, Bound),
) -> Option<i32> {
    let narrow = depth >= FIRST_NARROW && expected.abs() < MATE_BOUND;
    let mut width = WINDOW;
    let (mut alpha, mut beta) = match narrow {
        true => (expected - width, expected + width),
        false => (-INFINITY, INFINITY),
    };
    loop {
        let value = worker.root(depth, alpha, beta)?;
        width *= 3;
        if value <= alpha && alpha > -INFINITY {
            on_bound(worker, value, Bound::Upper);
            alpha = if width > 1000 { -INFINITY } else { value - width };
        } else if value >= beta && beta < INFINITY {
            on_bound(worker, value, Bound::Lower);
            beta = if width > 1000 { INFINITY } else { value + width };
        } else {
            return Some(value);
        }
    }
}

/// Whether deeper iterations are not worth their time.
fn is_enough(request: &Search, worker: &Worker, depth: u32, value: i32) -> bool {
    let limits = request.limits;
    if let Some(moves) = limits.mate {
        // Iterations of a mate search are exact: what was not found by now is not there.
        let plies = 2 * moves.min(MAX_PLY as u32) - u32::from(moves > 0);
        let found = MATE - value.abs() <= plies as i32 + 1;
        if found || depth > plies {
            return true;
        }
    }
    if request.control.pondering.load(Relaxed) {
        return false;
    }
    if request.clock.is_late() {
        return true;
    }
    // On a clock there is nothing to gain by thinking over a forced move or a mate in sight.
    let playing = limits.time.get(request.game.position().chess().turn()).is_some();
    let mate_in_sight = MATE - value.abs() <= depth as i32;
    playing && (worker.root_moves.len() == 1 || mate_in_sight)
}

/// Mate or stalemate on the board: there is a value, but no move.
fn no_moves(request: &Search, mut report: impl FnMut(&Report)) -> Outcome {
    let is_mate = request.game.position().chess().is_check();
    let value = if is_mate { Value::Mate(0) } else { Value::Centipawns(0) };
    report(&Report {
        depth: 0,
        selective_depth: 0,
        value,
        bound: Bound::Exact,
        nodes: 0,
        time: request.clock.elapsed(),
        table_fullness: 0,
        line: Vec::new(),
    });
    Outcome { best: None, ponder: None, value, nodes: 0 }
}
