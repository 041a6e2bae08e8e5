//! Iterative deepening: searches to depth 1, 2, 3... until a limit is reached. Also starts the threads.

use super::exact;
use super::mate::complete_mate_line;
use super::parameters::{aspiration_growth, aspiration_window};
use super::request::{Outcome, Report, Resources, Search};
use super::result::{Line, SearchResult, has_first_move_of, have_new_moves};
use super::root::Root;
use super::score::{INFINITY, MATE, MATE_BOUND, MAX_PLY, Value};
use super::shared_state::SharedState;
use super::thread_data::{RootMoves, ThreadData};
use super::time::TimeManager;
use super::transposition_table::{Bound, TranspositionTable, TtEntry};
use shakmaty::Position;
use std::{cmp::Reverse, sync::atomic::Ordering::Relaxed, thread, time::Duration};

/// The first iteration with an aspiration window.
const FIRST_WITH_WINDOW: u32 = 5;

/// Bounds are reported only after this time. Before it they change too fast to be read.
const SHOW_BOUNDS_AFTER: Duration = Duration::from_secs(3);

/// A forced move is played after this iteration: enough for a value that can be compared with the last one,
/// and soon done.
const FORCED_MOVE_DEPTH: u32 = 8;

/// The stack size of a search thread in bytes: enough for the deepest line in a debug build.
pub const STACK_SIZE: usize = 64 << 20;

/// Searches until a limit is reached or the control stops it. If there is a legal move, at least one report
/// with a move precedes the outcome.
///
/// A position that exact tables have is answered from them at once: with the shortest mate or the longest defence. If
/// it is drawn, or if a draw by the rules of the game comes before the mate, the search chooses among the moves that
/// keep the result.
///
/// All threads search the same tree and share the transposition table (lazy SMP). The calling thread is the
/// first of them and the only one that reports. With one thread and no clock, the result depends on the
/// request and the contents of the table only.
pub fn search(request: &Search, mut report: impl FnMut(&Report)) -> Outcome {
    if let Some(outcome) = exact::answer(request, &mut report) {
        return outcome;
    }
    let root = Root::new(request);
    let mate_table = request
        .limits
        .mate
        .and_then(|_| TranspositionTable::new(TranspositionTable::DEFAULT_SIZE).ok());
    let mut resources = request.resources;
    if root.is_solved {
        // Inside the tree, their values would hide the mates that the search still has to find, and the traps.
        resources.tablebases = None;
        resources.endgames = None;
    }
    let request = Search {
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
    let silent = Search { resources: Resources { watcher: None, ..resources }, ..request };
    thread::scope(|scope| {
        // If this thread panics, the others must stop too.
        let _guard = StopAtEnd(&shared);
        let helpers: Vec<_> = (1..resources.threads)
            .map_while(|number| {
                let (root, shared, silent) = (&root, &shared, &silent);
                let run = move || IterativeDeepening::new(silent, root, shared, number).run(|_| ());
                let builder = thread::Builder::new().name(format!("search {number}"));
                // If a thread cannot start, the search runs with fewer threads.
                builder.stack_size(STACK_SIZE).spawn_scoped(scope, run).ok()
            })
            .collect();
        let mut first = IterativeDeepening::new(&request, &root, &shared, 0);
        let mut best = first.run(&mut report);
        shared.stop();
        for helper in helpers {
            if let Ok(other) = helper.join()
                && request.limits.lines <= 1
                && (other.is_better_than(&best)
                    || other.is_finished(request.limits.depth)
                        && !best.is_finished(request.limits.depth))
            {
                best = other;
                first.report_lines(&best, &mut report);
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

/// The iterations of one thread.
struct IterativeDeepening<'a> {
    request: &'a Search<'a>,
    root: &'a Root,
    thread: ThreadData<'a>,
    /// 0 for the thread that reports and manages the time.
    number: usize,
}

impl<'a> IterativeDeepening<'a> {
    fn new(
        request: &'a Search<'a>,
        root: &'a Root,
        shared: &'a SharedState,
        number: usize,
    ) -> Self {
        let mut thread = ThreadData::new(request, shared);
        if number == 0 {
            thread.counters.hits = root.tablebase_hits;
        }
        IterativeDeepening { request, root, thread, number }
    }

    fn run(&mut self, mut report: impl FnMut(&Report)) -> SearchResult {
        let limits = self.request.limits;
        let last = limits.depth.unwrap_or(MAX_PLY as u32).clamp(1, MAX_PLY as u32);
        let lines = limits.lines.clamp(1, self.root.len());
        let mut result = SearchResult::default();
        let mut time = TimeManager::new(self.request.clock);
        let known = self.known_result();
        for depth in 1..=last {
            // Threads at different depths help each other more, so helper threads skip every other iteration.
            if depth > 1
                && depth < last
                && self.number > 0
                && (depth as usize + self.number).is_multiple_of(2)
            {
                continue;
            }
            let mut new_lines = Vec::with_capacity(lines);
            let mut is_complete = true;
            while new_lines.len() < lines {
                let is_new = |line: &&Line| !has_first_move_of(&new_lines, line);
                let previous = result.lines.iter().find(is_new);
                let (line, is_line_complete) =
                    self.search_line(depth, &new_lines, previous, &mut report);
                new_lines.extend(line);
                is_complete = is_line_complete;
                if !is_complete {
                    break;
                }
            }
            new_lines.sort_by_key(|line| {
                let rank = self.root.rank(line.moves.first().copied());
                (Reverse(rank), -self.adjusted_value(line))
            });
            if !is_complete && !have_new_moves(&new_lines, &result.lines) {
                break;
            }
            let old: Vec<Line> = result.lines;
            let rest = old
                .into_iter()
                .filter(|line| !has_first_move_of(&new_lines, line))
                .collect::<Vec<_>>();
            new_lines.extend(rest);
            new_lines.truncate(lines);
            let selective_depth = self.thread.selective_depth as u32;
            result = SearchResult { depth, is_complete, selective_depth, lines: new_lines };
            if let Some(known) = &known {
                result = self.with_known(result, known);
            }
            self.report_lines(&result, &mut report);
            if !is_complete
                || known.is_some()
                || (self.number == 0 && self.should_stop(&result, &mut time))
            {
                break;
            }
        }
        if limits.lines <= 1 && result.is_finished(limits.depth) {
            // The first thread that finishes the last iteration ends the search.
            self.thread.shared.stop();
        }
        if result.lines.is_empty() {
            // The search was stopped before its first result. Any legal move is better than none.
            let value = self.request.engine.evaluate(self.request.game.position().chess());
            let moves = self.root.best_except(|_| false).first().copied().into_iter().collect();
            result = SearchResult {
                depth: 1,
                is_complete: false,
                selective_depth: self.thread.selective_depth as u32,
                lines: vec![Line { value, bound: Bound::Exact, moves }],
            };
            self.report_lines(&result, &mut report);
        }
        result
    }

    /// Searches the next best line: its first move is none of those in `better`, the lines found already.
    /// `previous` is the line of this rank in the last iteration. Returns the line, if a move was found, and
    /// whether its search was completed.
    fn search_line(
        &mut self,
        depth: u32,
        better: &[Line],
        previous: Option<&Line>,
        report: &mut impl FnMut(&Report),
    ) -> (Option<Line>, bool) {
        let is_taken = |m| better.iter().any(|line| line.moves.first() == Some(&m));
        let moves = self.root.best_except(is_taken);
        let first = previous.and_then(|line| line.moves.first().copied());
        let is_subset = moves.len() < self.root.len();
        // Otherwise the transposition table has the best move of the last iteration.
        let needs_first = self.request.limits.lines > 1 || is_subset;
        self.thread.root = RootMoves {
            first: first.filter(|m| needs_first && moves.contains(m)),
            is_subset,
            moves,
            node_counts: Vec::new(),
        };
        let value = previous.map_or(0, |line| line.value);
        let number = better.len();
        let mut failed_high = None;
        let value_if_complete = self.search_with_windows(depth, value, |this, value, bound| {
            let moves = this.thread.pv.best();
            failed_high = (bound == Bound::Lower && !moves.is_empty()).then(|| Line {
                value,
                bound,
                moves: moves.clone(),
            });
            if this.request.clock.elapsed() >= SHOW_BOUNDS_AFTER && !moves.is_empty() {
                let line = Line { value, bound, moves };
                report(&this.report(number, depth, this.thread.selective_depth as u32, &line));
            }
        });
        let moves = self.thread.pv.best();
        let line = (!moves.is_empty()).then(|| {
            let value = value_if_complete.unwrap_or(self.thread.root_value);
            // Moves that were not searched may last longer, or avoid the mate.
            let is_lower_bound = value_if_complete.is_none() && value <= -MATE_BOUND;
            let bound = if is_lower_bound { Bound::Lower } else { Bound::Exact };
            self.with_whole_mate(Line { value, bound, moves })
        });
        // A move that failed high is better than the last best move, although its value is not known.
        let line = line.or_else(|| failed_high.map(|line| self.with_whole_mate(line)));
        (line, value_if_complete.is_some())
    }

    /// Completes the line of a mate. If its end is not found, the value is only a bound.
    fn with_whole_mate(&self, mut line: Line) -> Line {
        if line.value.abs() >= MATE_BOUND {
            let plies = (MATE - line.value.abs()) as usize;
            line.moves = complete_mate_line(self.request, line.moves, line.value);
            if line.moves.len() != plies && line.bound == Bound::Exact {
                line.bound = if line.value > 0 { Bound::Lower } else { Bound::Upper };
            }
        }
        line
    }

    /// Searches the root with aspiration windows around `previous`, the value of the last iteration. Returns
    /// `None` if the search was stopped.
    fn search_with_windows(
        &mut self,
        depth: u32,
        previous: i32,
        mut on_bound: impl FnMut(&Self, i32, Bound),
    ) -> Option<i32> {
        let has_window = depth >= FIRST_WITH_WINDOW && previous.abs() < MATE_BOUND;
        let mut width = aspiration_window();
        let (mut alpha, mut beta) = match has_window {
            true => (previous - width, previous + width),
            false => (-INFINITY, INFINITY),
        };
        self.thread.clear_root_line();
        loop {
            let value = self.thread.search_root(depth, alpha, beta)?;
            width += width * aspiration_growth() / 100;
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

    fn adjusted_value(&self, line: &Line) -> i32 {
        self.root.adjusted_value(line.value, line.moves.first().copied())
    }

    fn report_lines(&self, result: &SearchResult, report: &mut impl FnMut(&Report)) {
        for (number, line) in result.lines.iter().enumerate() {
            report(&self.report(number, result.depth, result.selective_depth, line));
        }
    }

    fn report(&self, number: usize, depth: u32, selective_depth: u32, line: &Line) -> Report {
        let counters = self.thread.total();
        Report {
            number: number + 1,
            depth,
            selective_depth,
            value: self.adjusted_value(line).into(),
            bound: line.bound,
            nodes: counters.nodes,
            tablebase_hits: counters.hits,
            time: self.request.clock.elapsed(),
            table_fullness: self.request.table.fullness(),
            line: line.moves.clone(),
        }
    }

    /// Whether no further iteration should start.
    fn should_stop(&self, result: &SearchResult, time: &mut TimeManager) -> bool {
        let request = self.request;
        let limits = request.limits;
        let Some(best) = result.lines.first() else { return false };
        let depth = result.depth;
        let first = best.moves.first().copied();
        time.update(first, best.value, first.map_or(0.0, |m| self.thread.root.node_share(m)));
        if let Some(moves) = limits.mate {
            // The iterations of a mate search are exact: a mate within this depth would have been found.
            let plies = 2 * moves.min(MAX_PLY as u32) - u32::from(moves > 0);
            let is_found = MATE - best.value.abs() <= plies as i32 + 1;
            if is_found || depth > plies {
                return true;
            }
        }
        if request.control.pondering.load(Relaxed) {
            return false;
        }
        if time.is_late() {
            return true;
        }
        // More time does not improve a mate within the depth.
        let is_mate_found = MATE - best.value.abs() <= depth as i32;
        let has_time_limit = self.has_clock() || limits.move_time.is_some();
        limits.lines <= 1
            && (has_time_limit && is_mate_found
                || self.is_forced_in_game() && depth >= FORCED_MOVE_DEPTH)
    }

    /// Whether the side to move has a clock.
    fn has_clock(&self) -> bool {
        let turn = self.request.game.position().chess().turn();
        self.request.limits.time.get(turn).is_some()
    }

    /// Whether the move is known in a game on the clock: it is the only one.
    fn is_forced_in_game(&self) -> bool {
        self.has_clock() && self.root.len() == 1
    }

    /// What an earlier search found out about this position, if that is enough to answer: the only legal
    /// move needs no search of its own, but its value should not be worse than what is known.
    fn known_result(&self) -> Option<TtEntry> {
        let Search { limits, control, game, table, .. } = self.request;
        let needs_no_search = self.is_forced_in_game()
            && limits.lines <= 1
            && limits.search_moves.is_empty()
            && !control.pondering.load(Relaxed);
        if !needs_no_search {
            return None;
        }
        let known = table.get(game.position().key(), 0)?;
        (known.bound == Bound::Exact && known.depth > 1).then_some(known)
    }

    /// The result of the first iteration, with depth and value of an earlier search.
    fn with_known(&self, result: SearchResult, known: &TtEntry) -> SearchResult {
        let depth = known.depth.unsigned_abs();
        let with_value = |line: Line| {
            self.with_whole_mate(Line { value: known.value, bound: Bound::Exact, ..line })
        };
        let lines = result.lines.into_iter().map(with_value).collect();
        let selective_depth = result.selective_depth.max(depth);
        SearchResult { depth, selective_depth, lines, ..result }
    }
}

/// Reports checkmate or stalemate at the root: a value without a move.
fn report_no_moves(request: &Search, mut report: impl FnMut(&Report)) -> Outcome {
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
    fn a_mate_against_us_is_a_bound_while_root_moves_are_unsearched() {
        // The rook can take a knight, but this opens the back rank. Other moves avoid the mate.
        let game = Game::from_fen("4r1k1/n4ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", None).unwrap();
        let engine = crate::default_engine().unwrap();
        let (mut mated, mut complete) = (0, 0);
        for nodes in 20..200 {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let table = TranspositionTable::new(1).unwrap();
            let request = Search::new(&game, &engine, &table, &limits);
            let (root, shared) = (Root::new(&request), SharedState::new(1));
            let mut deepening = IterativeDeepening::new(&request, &root, &shared, 0);
            let (greedy, _) = deepening.search_line(1, &[], None, &mut |_| ());
            let (line, is_complete) = deepening.search_line(2, &[], greedy.as_ref(), &mut |_| ());
            let Some(line) = line else { continue };
            if line.value <= -MATE_BOUND {
                assert_eq!((line.bound, is_complete), (Bound::Lower, false), "{nodes} nodes");
                mated += 1;
            }
            complete += i32::from(is_complete);
        }
        assert!(mated > 0 && complete > 0, "{mated} mated, {complete} complete");
    }

    /// A new best move raises the value beyond the window. The search ends before the wider window confirms it.
    #[test]
    fn a_fail_high_that_is_cut_off_gives_the_move() {
        let game = Game::new(shakmaty::Chess::default());
        let engine = crate::default_engine().unwrap();
        let mut bounds = 0;
        for nodes in 20..1000 {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let table = TranspositionTable::new(1).unwrap();
            let request = Search::new(&game, &engine, &table, &limits);
            let (root, shared) = (Root::new(&request), SharedState::new(1));
            let mut deepening = IterativeDeepening::new(&request, &root, &shared, 0);
            let value = -2000;
            let worse = Line { value, bound: Bound::Exact, moves: Vec::new() };
            let depth = FIRST_WITH_WINDOW;
            let (line, is_complete) = deepening.search_line(depth, &[], Some(&worse), &mut |_| ());
            let Some(line) = line.filter(|line| line.bound == Bound::Lower) else { continue };
            assert!(
                !is_complete && line.value >= value + aspiration_window(),
                "{nodes} nodes: {line:?}"
            );
            bounds += 1;
        }
        assert!(bounds > 0);
    }

    /// `go mate N` searches each depth up to that of the mate.
    #[test]
    fn a_mate_search_ends_at_the_depth_of_the_mate() {
        let engine = crate::default_engine().unwrap();
        // No mate in one: the second iteration proves it.
        for fen in ["8/8/8/3k4/8/8/1R6/K7 w - - 0 1", "8/3p4/8/3k4/8/8/1R6/K7 w - - 0 1"] {
            let game = Game::from_fen(fen, None).unwrap();
            let table = TranspositionTable::new(1).unwrap();
            let limits = Limits { mate: Some(1), ..Limits::default() };
            let mut depths = Vec::new();
            let request = Search::new(&game, &engine, &table, &limits);
            search(&request, |report| depths.push(report.depth));
            assert_eq!(depths, [1, 2], "{fen}");
        }
    }

    /// White has a single legal move. The value comes from this engine's earlier search of the position.
    #[test]
    fn a_forced_move_keeps_the_value_that_is_known() {
        let game = Game::from_fen("k7/8/8/8/8/1r6/r7/7K w - - 0 1", None).unwrap();
        let engine = crate::default_engine().unwrap();
        let table = TranspositionTable::new(1).unwrap();
        let limits = Limits { depth: Some(9), ..Limits::default() };
        let first = search(&Search::new(&game, &engine, &table, &limits), |_| ());
        let time = shakmaty::ByColor { white: Some(Duration::from_secs(3600)), black: None };
        let limits = Limits { time, ..Limits::default() };
        let mut reports = Vec::new();
        let request = Search::new(&game, &engine, &table, &limits);
        let second = search(&request, |report| reports.push(report.clone()));
        assert_eq!((second.best, second.value), (first.best, first.value));
        let depths: Vec<u32> = reports.iter().map(|report| report.depth).collect();
        assert!(depths.len() == 1 && depths[0] >= 9, "{depths:?}");
        // Where nothing is known, the value is at least that of a short search.
        let game = Game::from_fen("6rk/8/8/8/8/8/PPP4q/7K w - - 0 1", None).unwrap();
        let table = TranspositionTable::new(1).unwrap();
        let request = Search::new(&game, &engine, &table, &limits);
        let mut last = 0;
        search(&request, |report| last = report.depth);
        assert_eq!(last, FORCED_MOVE_DEPTH);
    }
}
