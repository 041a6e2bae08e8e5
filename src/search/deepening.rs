//! Iterative deepening: search one ply, then two, until the limits say stop.

use super::limits::Pace;
use super::mate::complete;
use super::request::{Outcome, Report, Resources, Search};
use super::result::{Line, SearchResult, begins_like, differs};
use super::root::Root;
use super::score::{INFINITY, MATE, MATE_BOUND, MAX_PLY, Value};
use super::shared_state::SharedState;
use super::thread_data::{RootMoves, ThreadData};
use super::transposition_table::{Bound, TranspositionTable};
use shakmaty::Position;
use std::{sync::atomic::Ordering::Relaxed, thread, time::Duration};

/// Half the width of the first window around the last iteration's value, in centipawns.
const WINDOW: i32 = 20;

/// The first iteration that is searched in a narrow window.
const FIRST_NARROW: u32 = 5;

/// Bounds are reported only after this long: before it they come and go too fast to be read.
const SHOW_BOUNDS_AFTER: Duration = Duration::from_secs(3);

/// A search thread's stack: room for the deepest line in a build with all checks.
pub const STACK_SIZE: usize = 64 << 20;

/// Searches until a limit is reached or it is told to stop. There is a report with a move before the
/// outcome wherever a legal move exists.
///
/// All threads search the same tree and share the table (lazy SMP); what one has found out the
/// others need not. The calling thread is the first of them and the one that reports. With one
/// thread the result depends on nothing but the request, as long as no clock ends the search.
pub fn search(request: &Search, mut report: impl FnMut(&Report)) -> Outcome {
    let mate_table = request
        .limits
        .mate
        .and_then(|_| TranspositionTable::new(TranspositionTable::DEFAULT_SIZE).ok());
    let root = Root::new(request);
    let mut resources = request.resources;
    if root.is_solved {
        // Their answers would hide the mates that are still to be found.
        resources.tablebases = None;
    }
    let request = Search {
        // A mate search may not believe what a selective search has stored.
        table: mate_table.as_ref().unwrap_or(request.table),
        resources,
        ..*request
    };
    request.table.new_search();
    if root.len() == 0 {
        return no_moves(&request, report);
    }
    let shared = SharedState::new(resources.threads);
    let silent = Search { resources: Resources { watcher: None, ..resources }, ..request };
    thread::scope(|scope| {
        // Should this thread panic, the others do not search on for ever.
        let _guard = StopAtEnd(&shared);
        let helpers: Vec<_> = (1..resources.threads)
            .map_while(|number| {
                let (root, shared, silent) = (&root, &shared, &silent);
                let help = move || Deepening::new(silent, root, shared, number).run(|_| ());
                let builder = thread::Builder::new().name(format!("search {number}"));
                // Fewer threads than asked for search as well.
                builder.stack_size(STACK_SIZE).spawn_scoped(scope, help).ok()
            })
            .collect();
        let mut first = Deepening::new(&request, &root, &shared, 0);
        let mut found = first.run(&mut report);
        shared.stop();
        for helper in helpers {
            if let Ok(other) = helper.join()
                && request.limits.lines <= 1
                && (other.is_better_than(&found)
                    || other.is_through(request.limits.depth)
                        && !found.is_through(request.limits.depth))
            {
                found = other;
                first.tell(&found, &mut report);
            }
        }
        Outcome { nodes: first.worker.total().nodes, ..found.outcome(&request, &root) }
    })
}

/// Ends the search of all threads when it is dropped.
struct StopAtEnd<'a>(&'a SharedState);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// One thread's iterations.
struct Deepening<'a> {
    request: &'a Search<'a>,
    root: &'a Root,
    worker: ThreadData<'a>,
    /// 0 for the thread that reports and keeps the time.
    number: usize,
}

impl<'a> Deepening<'a> {
    fn new(
        request: &'a Search<'a>,
        root: &'a Root,
        shared: &'a SharedState,
        number: usize,
    ) -> Self {
        let mut worker = ThreadData::new(request, shared);
        if number == 0 {
            worker.counted.hits = root.hits;
        }
        Deepening { request, root, worker, number }
    }

    fn run(&mut self, mut report: impl FnMut(&Report)) -> SearchResult {
        let limits = self.request.limits;
        let last = limits.depth.unwrap_or(MAX_PLY as u32).clamp(1, MAX_PLY as u32);
        let lines = limits.lines.clamp(1, self.root.len());
        let mut found = SearchResult::default();
        let mut pace = Pace::default();
        for depth in 1..=last {
            if depth < last && self.skips(depth) {
                continue;
            }
            let mut fresh = Vec::with_capacity(lines);
            let mut is_whole = true;
            while fresh.len() < lines {
                let is_new = |line: &&Line| !begins_like(&fresh, line);
                let expected = found.lines.iter().find(is_new);
                let (line, whole) = self.line(depth, &fresh, expected, &mut report);
                fresh.extend(line);
                is_whole = whole;
                if !whole {
                    break;
                }
            }
            fresh.sort_by_key(|line| -self.judged(line));
            if !is_whole && !differs(&fresh, &found.lines) {
                break;
            }
            let old: Vec<Line> = found.lines;
            let rest =
                old.into_iter().filter(|line| !begins_like(&fresh, line)).collect::<Vec<_>>();
            fresh.extend(rest);
            fresh.truncate(lines);
            let selective_depth = self.worker.deepest as u32;
            found = SearchResult { depth, is_whole, selective_depth, lines: fresh };
            self.tell(&found, &mut report);
            if !is_whole || (self.number == 0 && self.is_enough(&found, &mut pace)) {
                break;
            }
        }
        if limits.lines <= 1 && found.is_through(limits.depth) {
            // Whoever is through first is through for all.
            self.worker.shared.stop();
        }
        if found.lines.is_empty() {
            // Broken off before anything was found: any move is better than none.
            let value = self.request.engine.evaluate(self.request.game.position().chess());
            let moves = self.root.best_but(|_| false).first().copied().into_iter().collect();
            found = SearchResult {
                depth: 1,
                is_whole: false,
                selective_depth: self.worker.deepest as u32,
                lines: vec![Line { value, bound: Bound::Exact, moves }],
            };
            self.tell(&found, &mut report);
        }
        found
    }

    /// Threads that all search the same iteration help each other less than those that look ahead.
    fn skips(&self, depth: u32) -> bool {
        self.number > 0 && depth > 1 && (depth as usize + self.number).is_multiple_of(2)
    }

    /// Searches one line, other first moves than those of the lines before it. The line, as far as
    /// there is one, and whether it was searched to the end.
    fn line(
        &mut self,
        depth: u32,
        before: &[Line],
        expected: Option<&Line>,
        report: &mut impl FnMut(&Report),
    ) -> (Option<Line>, bool) {
        let is_taken = |m| before.iter().any(|line| line.moves.first() == Some(&m));
        let moves = self.root.best_but(is_taken);
        let first = expected.and_then(|line| line.moves.first().copied());
        self.worker.root = RootMoves {
            first: first.filter(|m| self.request.limits.lines > 1 && moves.contains(m)),
            is_part: moves.len() < self.root.len(),
            moves,
            effort: Vec::new(),
        };
        let value = expected.map_or(0, |line| line.value);
        let number = before.len();
        let found = self.iteration(depth, value, |this, value, bound| {
            let moves = this.worker.lines.best();
            if this.request.clock.elapsed() >= SHOW_BOUNDS_AFTER && !moves.is_empty() {
                let line = Line { value, bound, moves };
                report(&this.report(number, depth, this.worker.deepest as u32, &line));
            }
        });
        let moves = self.worker.lines.best();
        let line = (!moves.is_empty()).then(|| {
            let value = found.unwrap_or(self.worker.root_value);
            // Moves that were not looked at any more may last longer, or not be mated at all.
            let is_least = found.is_none() && value <= -MATE_BOUND;
            let bound = if is_least { Bound::Lower } else { Bound::Exact };
            self.completed(Line { value, bound, moves })
        });
        (line, found.is_some())
    }

    /// A mate is shown to its end. Where that end cannot be found, its distance is only a bound.
    fn completed(&self, mut line: Line) -> Line {
        if line.value.abs() >= MATE_BOUND {
            let plies = (MATE - line.value.abs()) as usize;
            let game = self.request.game;
            line.moves = complete(game, self.request.table, line.moves, line.value);
            if line.moves.len() != plies && line.bound == Bound::Exact {
                line.bound = if line.value > 0 { Bound::Lower } else { Bound::Upper };
            }
        }
        line
    }

    /// One iteration, in windows that widen around the value expected. `None` if it was broken off.
    fn iteration(
        &mut self,
        depth: u32,
        expected: i32,
        mut on_bound: impl FnMut(&Self, i32, Bound),
    ) -> Option<i32> {
        let narrow = depth >= FIRST_NARROW && expected.abs() < MATE_BOUND;
        let mut width = WINDOW;
        let (mut alpha, mut beta) = match narrow {
            true => (expected - width, expected + width),
            false => (-INFINITY, INFINITY),
        };
        self.worker.begin();
        loop {
            let value = self.worker.root(depth, alpha, beta)?;
            width *= 3;
            if value <= alpha && alpha > -INFINITY {
                on_bound(self, value, Bound::Upper);
                alpha = if width > 1000 { -INFINITY } else { value - width };
            } else if value >= beta && beta < INFINITY {
                on_bound(self, value, Bound::Lower);
                beta = if width > 1000 { INFINITY } else { value + width };
            } else {
                return Some(value);
            }
        }
    }

    fn judged(&self, line: &Line) -> i32 {
        self.root.judged(line.value, line.moves.first().copied())
    }

    fn tell(&self, found: &SearchResult, report: &mut impl FnMut(&Report)) {
        for (number, line) in found.lines.iter().enumerate() {
            report(&self.report(number, found.depth, found.selective_depth, line));
        }
    }

    fn report(&self, number: usize, depth: u32, selective_depth: u32, line: &Line) -> Report {
        let counted = self.worker.total();
        Report {
            number: number + 1,
            depth,
            selective_depth,
            value: self.judged(line).into(),
            bound: line.bound,
            nodes: counted.nodes,
            tablebase_hits: counted.hits,
            time: self.request.clock.elapsed(),
            table_fullness: self.request.table.fullness(),
            line: line.moves.clone(),
        }
    }

    /// Whether deeper iterations are not worth their time.
    fn is_enough(&self, found: &SearchResult, pace: &mut Pace) -> bool {
        let request = self.request;
        let limits = request.limits;
        let Some(best) = found.lines.first() else { return false };
        let depth = found.depth;
        let first = best.moves.first().copied();
        pace.note(first, best.value, first.map_or(0.0, |m| self.worker.root.share(m)));
        if let Some(moves) = limits.mate {
            // Iterations of a mate search are exact: what was not found by now is not there.
            let plies = 2 * moves.min(MAX_PLY as u32) - u32::from(moves > 0);
            let found = MATE - best.value.abs() <= plies as i32 + 1;
            if found || depth > plies {
                return true;
            }
        }
        if request.control.pondering.load(Relaxed) {
            return false;
        }
        if request.clock.is_late(pace.factor()) {
            return true;
        }
        // On a clock there is nothing to gain by thinking over a forced move or a mate in sight.
        let playing = limits.time.get(request.game.position().chess().turn()).is_some();
        let mate_in_sight = MATE - best.value.abs() <= depth as i32;
        playing && limits.lines <= 1 && (self.root.len() == 1 || mate_in_sight)
    }
}

/// Mate or stalemate on the board: there is a value, but no move.
fn no_moves(request: &Search, mut report: impl FnMut(&Report)) -> Outcome {
    let is_mate = request.game.position().chess().is_check();
    let value = if is_mate { Value::Mate(0) } else { Value::Centipawns(0) };
    report(&Report {
        number: 1,
        depth: 0,
        selective_depth: 0,
        value,
        bound: Bound::Exact,
        nodes: 0,
        tablebase_hits: 0,
        time: request.clock.elapsed(),
        table_fullness: 0,
        line: Vec::new(),
    });
    Outcome { best: None, ponder: None, value, nodes: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Game, Limits, TranspositionTable};

    #[test]
    fn a_line_broken_off_while_moves_are_left_is_mated_at_least() {
        // The rook can take a knight, but then the back rank is open; other moves hold.
        let game = Game::from_fen("4r1k1/n4ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", None).unwrap();
        let engine = crate::default_engine().unwrap();
        let (mut mated, mut whole) = (0, 0);
        for nodes in 20..200 {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let table = TranspositionTable::new(1).unwrap();
            let request = Search::new(&game, &engine, &table, &limits);
            let (root, shared) = (Root::new(&request), SharedState::new(1));
            let mut deepening = Deepening::new(&request, &root, &shared, 0);
            let (greedy, _) = deepening.line(1, &[], None, &mut |_| ());
            let (line, is_whole) = deepening.line(2, &[], greedy.as_ref(), &mut |_| ());
            let Some(line) = line else { continue };
            if line.value <= -MATE_BOUND {
                assert_eq!((line.bound, is_whole), (Bound::Lower, false), "{nodes} nodes");
                mated += 1;
            }
            whole += i32::from(is_whole);
        }
        assert!(mated > 0 && whole > 0, "{mated} mated, {whole} whole");
    }
}
