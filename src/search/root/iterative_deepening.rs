//! Iterative deepening: searches to depth 1, 2, 3... until a limit is reached.

use super::result::{Line, SearchResult, has_first_move_of, has_new_best};
use super::root_moves::Root;
use super::time::TimeManager;
use crate::search::request::{Report, SearchRequest};
use crate::search::score::{MATE, MAX_PLY};
use crate::search::transposition_table::{Bound, TtEntry};
use crate::search::tree::shared_state::SharedState;
use crate::search::tree::thread_data::ThreadData;
use shakmaty::Position;
use std::cmp::Reverse;

/// A forced move is played after this iteration: enough for a value that can be compared with the last one,
/// and soon done.
const FORCED_MOVE_DEPTH: u32 = 8;

/// The iterations of one thread.
pub struct IterativeDeepening<'a> {
    pub request: &'a SearchRequest<'a>,
    pub root: &'a Root,
    pub thread: ThreadData<'a>,
    /// 0 for the thread that reports and manages the time.
    number: usize,
}

impl<'a> IterativeDeepening<'a> {
    pub fn new(
        request: &'a SearchRequest<'a>,
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

    pub fn run(&mut self, report: &mut dyn FnMut(&Report)) -> SearchResult {
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
                let line;
                (line, is_complete) = self.search_line(depth, &new_lines, previous, report);
                new_lines.extend(line);
                if !is_complete {
                    break;
                }
            }
            new_lines.sort_by_key(|line| {
                let rank = self.root.rank(line.moves.first().copied());
                (Reverse(rank), -self.adjusted_value(line))
            });
            // The lines of a report have one depth, so that they can be compared. An iteration that is cut off counts only
            // if it has a better move than the last one, or if it is the first.
            let may_count = lines == 1 || result.lines.is_empty();
            let counts = is_complete || may_count && has_new_best(&new_lines, &result.lines);
            if !counts {
                break;
            }
            let selective_depth = self.thread.selective_depth as u32;
            result = SearchResult { depth, is_complete, selective_depth, lines: new_lines };
            if let Some(known) = &known {
                result = self.with_known(result, known);
            }
            self.report_lines(&result, report);
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
            let value = self.request.evaluation.evaluate(self.request.game.position().chess());
            let moves = self.root.best_except(|_| false).first().copied().into_iter().collect();
            result = SearchResult {
                depth: 1,
                is_complete: false,
                selective_depth: self.thread.selective_depth as u32,
                lines: vec![Line { value, bound: Bound::Exact, moves }],
            };
            self.report_lines(&result, report);
        }
        result
    }

    fn adjusted_value(&self, line: &Line) -> i32 {
        self.root.adjusted_value(line.value, line.moves.first().copied())
    }

    pub fn report_lines(&self, result: &SearchResult, report: &mut dyn FnMut(&Report)) {
        for (number, line) in result.lines.iter().enumerate() {
            let reported = self.report(number, result.depth, result.selective_depth, line);
            report(&Report { is_last: number + 1 == result.lines.len(), ..reported });
        }
    }

    pub fn report(&self, number: usize, depth: u32, selective_depth: u32, line: &Line) -> Report {
        let counters = self.thread.total();
        let value = self.adjusted_value(line).into();
        Report {
            number: number + 1,
            depth,
            selective_depth,
            bound: line.bound,
            nodes: counters.nodes,
            tablebase_hits: counters.hits,
            ..Report::known(self.request, value, line.moves.clone())
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
        if request.control.is_pondering() {
            return false;
        }
        if request.is_out_of_time() || time.is_late() {
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
        let SearchRequest { limits, control, game, table, .. } = self.request;
        let needs_no_search = self.is_forced_in_game()
            && limits.lines <= 1
            && limits.search_moves.is_empty()
            && !control.is_pondering();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::root::threads::search_fully;
    use crate::search::{Game, Limits, TranspositionTable};
    use std::time::Duration;

    /// A new best move raises the value beyond the window. The search ends before the wider window confirms it.
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
            let request = SearchRequest::new(&game, &engine, &table, &limits);
            search_fully(&request, &mut |report| depths.push(report.depth));
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
        let first = search_fully(&SearchRequest::new(&game, &engine, &table, &limits), &mut |_| ());
        let time = shakmaty::ByColor { white: Some(Duration::from_secs(3600)), black: None };
        let limits = Limits { time, ..Limits::default() };
        let mut reports = Vec::new();
        let request = SearchRequest::new(&game, &engine, &table, &limits);
        let second = search_fully(&request, &mut |report| reports.push(report.clone()));
        assert_eq!((second.best, second.value), (first.best, first.value));
        let depths: Vec<u32> = reports.iter().map(|report| report.depth).collect();
        assert!(depths.len() == 1 && depths[0] >= 9, "{depths:?}");
        // Where nothing is known, the value is at least that of a short search.
        let game = Game::from_fen("6rk/8/8/8/8/8/PPP4q/7K w - - 0 1", None).unwrap();
        let table = TranspositionTable::new(1).unwrap();
        let request = SearchRequest::new(&game, &engine, &table, &limits);
        let mut last = 0;
        search_fully(&request, &mut |report| last = report.depth);
        assert_eq!(last, FORCED_MOVE_DEPTH);
    }
}
