//! The result of one thread: the lines of its last iteration.

use super::root_moves::Root;
use crate::search::ordering::movegen::MoveGenerator;
use crate::search::request::{Outcome, SearchRequest};
use crate::search::transposition_table::Bound;
use shakmaty::Move;

/// A line from the root and its value.
#[derive(Clone, Debug)]
pub struct Line {
    pub value: i32,
    pub bound: Bound,
    pub moves: Vec<Move>,
}

/// The result of one thread.
#[derive(Clone, Default, Debug)]
pub struct SearchResult {
    /// The last iteration with a result, in plies.
    pub depth: u32,
    /// Whether that iteration was completed.
    pub is_complete: bool,
    pub selective_depth: u32,
    /// The best lines, best first.
    pub lines: Vec<Line>,
}

impl SearchResult {
    /// Whether a search to this depth is finished.
    pub fn is_finished(&self, depth: Option<u32>) -> bool {
        self.is_complete && depth == Some(self.depth)
    }

    /// Whether this result of another thread should replace `other`.
    pub fn is_better_than(&self, other: &SearchResult) -> bool {
        match (self.lines.first(), other.lines.first()) {
            (Some(this), Some(that)) => {
                this.bound == Bound::Exact
                    && self.depth >= other.depth
                    && (self.depth > other.depth || this.value > that.value)
                    && this.value >= that.value
                    && this.moves.first() != that.moves.first()
            }
            _ => false,
        }
    }

    pub fn outcome(&self, request: &SearchRequest, root: &Root) -> Outcome {
        let (value, moves) = match self.lines.first() {
            Some(line) => (line.value, line.moves.as_slice()),
            None => (0, &[] as &[Move]),
        };
        let best = moves.first().copied();
        let ponder = moves.get(1).copied().or_else(|| {
            let next = request.game.position().play(best?);
            MoveGenerator::new(&next).find(request.table.get(next.key(), 1)?.best)
        });
        Outcome { best, ponder, value: root.adjusted_value(value, best).into(), nodes: 0 }
    }
}

/// Whether one of the lines has the same first move as `other`.
pub fn has_first_move_of(lines: &[Line], other: &Line) -> bool {
    lines.iter().any(|line| line.moves.first() == other.moves.first())
}

/// Whether the best new line has another first move than the best old one.
pub fn has_new_best(new: &[Line], old: &[Line]) -> bool {
    new.first()
        .is_some_and(|new| old.first().is_none_or(|old| old.moves.first() != new.moves.first()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    fn result(depth: u32, value: i32, first: usize) -> SearchResult {
        let moves = vec![Chess::default().legal_moves()[first]];
        let lines = vec![Line { value, bound: Bound::Exact, moves }];
        SearchResult { depth, is_complete: true, selective_depth: depth, lines }
    }

    #[test]
    fn another_threads_result_must_be_as_deep_and_better() {
        let own = result(8, 20, 0);
        assert!(result(8, 30, 1).is_better_than(&own));
        assert!(result(9, 20, 1).is_better_than(&own));
        assert!(!result(8, 20, 1).is_better_than(&own));
        assert!(!result(7, 90, 1).is_better_than(&own));
        assert!(!result(9, 10, 1).is_better_than(&own));
        // The same first move is no reason to replace the result.
        assert!(!result(9, 90, 0).is_better_than(&own));
        assert!(!SearchResult::default().is_better_than(&own));
    }

    #[test]
    fn a_search_is_finished_when_its_last_iteration_is_complete() {
        let stopped = SearchResult { is_complete: false, ..result(8, 20, 0) };
        assert!(result(8, 20, 0).is_finished(Some(8)));
        assert!(!result(7, 20, 0).is_finished(Some(8)));
        assert!(!result(8, 20, 0).is_finished(None));
        assert!(!stopped.is_finished(Some(8)));
    }

    #[test]
    fn lines_are_compared_by_their_first_move() {
        let (one, other) = (result(3, 0, 0), result(3, 0, 1));
        assert!(has_first_move_of(&one.lines, &result(9, 5, 0).lines[0]));
        assert!(!has_first_move_of(&one.lines, &other.lines[0]));
        assert!(has_new_best(&one.lines, &other.lines) && has_new_best(&one.lines, &[]));
        assert!(!has_new_best(&one.lines, &result(4, 7, 0).lines) && !has_new_best(&[], &[]));
    }
}
