//! One line of an iteration: aspiration windows around the last value, and the whole line of a mate.

use super::iterative_deepening::IterativeDeepening;
use super::mate::complete_mate_line;
use super::result::Line;
use crate::search::parameters::{aspiration_growth, aspiration_window};
use crate::search::request::Report;
use crate::search::score::{INFINITY, MATE, MATE_BOUND};
use crate::search::transposition_table::Bound;
use crate::search::tree::thread_data::{RootMoves, SHOW_AFTER};

/// The first iteration with an aspiration window.
const FIRST_WITH_WINDOW: u32 = 5;

impl IterativeDeepening<'_> {
    /// Searches the next best line: its first move is none of those in `better`, the lines found already.
    /// `previous` is the line of this rank in the last iteration. Returns the line, if a move was found, and
    /// whether its search was completed.
    pub fn search_line(
        &mut self,
        depth: u32,
        better: &[Line],
        previous: Option<&Line>,
        report: &mut dyn FnMut(&Report),
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
        let mut failed_high = None;
        let value_if_complete = self.search_with_windows(depth, value, |this, value, bound| {
            let moves = this.thread.pv.best();
            failed_high = (bound == Bound::Lower && !moves.is_empty()).then(|| Line {
                value,
                bound,
                moves: moves.clone(),
            });
            // One of several lines would stand among those of the last iteration.
            let is_shown =
                this.request.limits.lines <= 1 && this.request.clock.elapsed() >= SHOW_AFTER;
            if is_shown && !moves.is_empty() {
                let line = Line { value, bound, moves };
                report(&this.report(0, depth, this.thread.selective_depth as u32, &line));
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
    pub fn with_whole_mate(&self, mut line: Line) -> Line {
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
        let window = (previous - width, previous + width);
        let (mut alpha, mut beta) = if has_window { window } else { (-INFINITY, INFINITY) };
        self.thread.pv.clear(0);
        self.thread.root_value = -INFINITY;
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::root::root_moves::Root;
    use crate::search::tree::shared_state::SharedState;
    use crate::search::{Game, Limits, SearchRequest, TranspositionTable};

    #[test]
    fn a_mate_against_us_is_a_bound_while_root_moves_are_unsearched() {
        // The rook can take a knight, but this opens the back rank. Other moves avoid the mate.
        let game = Game::from_fen("4r1k1/n4ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", None).unwrap();
        let engine = crate::default_engine().unwrap();
        let (mut mated, mut complete) = (0, 0);
        for nodes in 20..200 {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let table = TranspositionTable::new(1).unwrap();
            let request = SearchRequest::new(&game, &engine, &table, &limits);
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

    #[test]
    fn a_fail_high_that_is_cut_off_gives_the_move() {
        let game = Game::new(shakmaty::Chess::default());
        let engine = crate::default_engine().unwrap();
        let mut bounds = 0;
        for nodes in 20..1000 {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let table = TranspositionTable::new(1).unwrap();
            let request = SearchRequest::new(&game, &engine, &table, &limits);
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
}
