//! State that the threads of one search share, in addition to the transposition table.

use crate::search::request::SearchRequest;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

/// The number of nodes between two checks of clock and stop flag.
const NODES_BETWEEN_CHECKS: u64 = 512;

/// The same if there are more threads than cores: a thread gives up its time slice at each check.
const NODES_BETWEEN_YIELDS: u64 = 64;

/// Counters of one thread or of several.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Counters {
    /// Positions visited.
    pub nodes: u64,
    /// Successful tablebase probes.
    pub hits: u64,
}

/// The shared state of one search. Each thread counts its own nodes and adds them to the sums here every few
/// hundred nodes, so that the sums cost almost nothing.
#[derive(Debug)]
pub struct SharedState {
    stop: AtomicBool,
    nodes: AtomicU64,
    hits: AtomicU64,
    /// Whether there are more threads than cores.
    is_oversubscribed: bool,
}

impl SharedState {
    /// The state for this number of threads.
    pub fn new(threads: usize) -> SharedState {
        // Asking for the number of cores reads files. One thread does not need it, and tools start thousands
        // of searches a second.
        let is_oversubscribed =
            threads > 1 && thread::available_parallelism().is_ok_and(|cores| threads > cores.get());
        SharedState {
            stop: AtomicBool::default(),
            nodes: AtomicU64::default(),
            hits: AtomicU64::default(),
            is_oversubscribed,
        }
    }

    /// The number of nodes between two checks of clock and stop flag.
    pub fn nodes_between_checks(&self) -> u64 {
        if self.is_oversubscribed { NODES_BETWEEN_YIELDS } else { NODES_BETWEEN_CHECKS }
    }

    /// Lets other threads run if there are more threads than cores. Otherwise each would use its whole time
    /// slice, and the thread that reads `stop` would wait for all of them.
    pub fn yield_if_oversubscribed(&self) {
        if self.is_oversubscribed {
            thread::yield_now();
        }
    }

    /// Adds what a thread has counted since its last call, and returns the counters of the other threads.
    pub fn share_counters(&self, now: Counters, added: &mut Counters) -> Counters {
        let add = |sum: &AtomicU64, now, added| sum.fetch_add(now - added, Relaxed) - added;
        let nodes = add(&self.nodes, now.nodes, added.nodes);
        let hits = add(&self.hits, now.hits, added.hits);
        *added = now;
        Counters { nodes, hits }
    }

    /// Ends the search of all threads.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether a thread must stop at once. The first thread that finds a reason stops all.
    pub fn must_stop(&self, request: &SearchRequest) -> bool {
        if request.control.stop.load(Relaxed) || request.is_out_of_time() {
            self.stop();
        }
        self.stop.load(Relaxed)
    }
}
