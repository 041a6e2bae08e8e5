//! What the threads of one search share, besides the table.

use super::abdada::AbdadaTable;
use super::request::Search;
use shakmaty::Move;
use std::{
    ops::{Add, Sub},
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    thread,
    time::Duration,
};

/// Which root move is searched is told only after this long: before it they fly past.
const SHOW_MOVES_AFTER: Duration = Duration::from_secs(3);

/// Clock and stop flag are looked at every so many nodes.
const NODES_BETWEEN_CHECKS: u64 = 512;

/// Where there are more threads than cores: each look is the end of a turn.
const NODES_OF_A_TURN: u64 = 64;

/// What is counted.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Counted {
    /// Positions visited.
    pub(super) nodes: u64,
    /// Answers from tablebases.
    pub(super) hits: u64,
}

impl Add for Counted {
    type Output = Counted;

    fn add(self, other: Counted) -> Counted {
        Counted { nodes: self.nodes + other.nodes, hits: self.hits + other.hits }
    }
}

impl Sub for Counted {
    type Output = Counted;

    fn sub(self, other: Counted) -> Counted {
        Counted { nodes: self.nodes - other.nodes, hits: self.hits - other.hits }
    }
}

/// The threads of one search. Each counts for itself and adds its part to the sum every few hundred
/// nodes, so that the sum costs next to nothing.
#[derive(Debug)]
pub(super) struct SharedState {
    stop: AtomicBool,
    nodes: AtomicU64,
    hits: AtomicU64,
    is_crowded: bool,
    /// The moves they are at.
    pub(super) busy: AbdadaTable,
}

impl SharedState {
    /// Of so many threads.
    pub(super) fn new(threads: usize) -> SharedState {
        // One thread need not ask: that reads files, and tools start thousands of searches a second.
        let is_crowded =
            threads > 1 && thread::available_parallelism().is_ok_and(|cores| threads > cores.get());
        SharedState {
            stop: AtomicBool::default(),
            nodes: AtomicU64::default(),
            hits: AtomicU64::default(),
            is_crowded,
            busy: AbdadaTable::new(threads),
        }
    }

    /// How often a thread looks at clock and stop flag.
    pub(super) fn nodes_between_checks(&self) -> u64 {
        if self.is_crowded { NODES_OF_A_TURN } else { NODES_BETWEEN_CHECKS }
    }

    /// Lets others run where there are more threads than cores. Else each would use up its whole
    /// turn, and whoever listens for `stop` would come last in a long row.
    pub(super) fn make_room(&self) {
        if self.is_crowded {
            thread::yield_now();
        }
    }

    /// Adds what a thread has counted since it was last here, and gives what the others have.
    pub(super) fn exchange(&self, counted: Counted, told: &mut Counted) -> Counted {
        let news = counted - *told;
        *told = counted;
        let nodes = self.nodes.fetch_add(news.nodes, Relaxed) + news.nodes;
        let hits = self.hits.fetch_add(news.hits, Relaxed) + news.hits;
        Counted { nodes, hits } - counted
    }

    /// Ends the search of all threads.
    pub(super) fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether a thread has to end its search at once. What one sees, all know.
    pub(super) fn must_stop(&self, request: &Search) -> bool {
        let control = request.control;
        let is_over = || !control.pondering.load(Relaxed) && request.clock.is_over();
        if control.stop.load(Relaxed) || is_over() {
            self.stop();
        }
        self.stop.load(Relaxed)
    }

    /// Tells who wants to know that the first thread begins with this root move.
    pub(super) fn watch(&self, request: &Search, depth: u32, m: Move, number: usize) {
        if let Some(watcher) = request.resources.watcher
            && request.clock.elapsed() >= SHOW_MOVES_AFTER
        {
            watcher.root_move(depth, m, number + 1);
        }
    }
}
