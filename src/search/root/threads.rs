//! Starts and ends a search: all threads search the same tree and share the transposition table (lazy SMP).

use super::exact;
use super::iterative_deepening::IterativeDeepening;
use super::result::SearchResult;
use super::root_moves::Root;
use crate::search::request::{Outcome, Report, Resources, SearchRequest};
use crate::search::score::Value;
use crate::search::transposition_table::TranspositionTable;
use crate::search::tree::shared_state::SharedState;
use shakmaty::Position;
use std::thread;

/// The stack size of a search thread in bytes: enough for the deepest line in a debug build.
pub const STACK_SIZE: usize = 64 << 20;

/// Searches at full strength, whatever the level of the request is.
///
/// The calling thread is the first of the threads and the only one that reports.
pub fn search_fully(request: &SearchRequest, report: &mut dyn FnMut(&Report)) -> Outcome {
    if let Some(outcome) = exact::answer(request, report) {
        return outcome;
    }
    let root = Root::new(request);
    let mate_table = request
        .limits
        .mate
        .and_then(|_| TranspositionTable::new(TranspositionTable::DEFAULT_SIZE).ok());
    let mut resources = request.resources;
    if root.is_solved {
        resources.tablebases = None;
        resources.endgames = None;
    }
    let request = SearchRequest {
        // A mate search must not use entries of a selective search.
        table: mate_table.as_ref().unwrap_or(request.table),
        resources,
        ..*request
    };
    request.table.new_search();
    if root.len() == 0 {
        return report_no_moves(&request, report);
    }
    let shared = SharedState::new(resources.threads);
    let silent =
        SearchRequest { resources: Resources { on_root_move: None, ..resources }, ..request };
    thread::scope(|scope| {
        // If this thread panics, the others must stop too.
        let _guard = StopAtEnd(&shared);
        let helpers: Vec<_> = (1..resources.threads)
            .map_while(|number| {
                let (root, shared, silent) = (&root, &shared, &silent);
                let run =
                    move || IterativeDeepening::new(silent, root, shared, number).run(&mut |_| ());
                let builder = thread::Builder::new().name(format!("search {number}"));
                // If a thread cannot start, the search runs with fewer threads.
                builder.stack_size(STACK_SIZE).spawn_scoped(scope, run).ok()
            })
            .collect();
        let mut first = IterativeDeepening::new(&request, &root, &shared, 0);
        let mut best = first.run(report);
        shared.stop();
        let others: Vec<SearchResult> =
            helpers.into_iter().filter_map(|helper| helper.join().ok()).collect();
        // Now each of them has shared all its counters.
        first.thread.share_counters();
        for other in others {
            if request.limits.lines <= 1
                && (other.is_better_than(&best)
                    || other.is_finished(request.limits.depth)
                        && !best.is_finished(request.limits.depth))
            {
                best = other;
                first.report_lines(&best, report);
            }
        }
        Outcome { nodes: first.thread.total().nodes, ..best.outcome(&request, &root) }
    })
}

/// Stops all threads when it is dropped.
struct StopAtEnd<'a>(&'a SharedState);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Reports checkmate or stalemate at the root: a value without a move.
fn report_no_moves(request: &SearchRequest, report: &mut dyn FnMut(&Report)) -> Outcome {
    let is_mate = request.game.position().chess().is_check();
    let value = if is_mate { Value::Mate(0) } else { Value::Centipawns(0) };
    report(&Report::known(request, value, Vec::new()));
    Outcome { best: None, ponder: None, value, nodes: 0 }
}
