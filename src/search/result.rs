//! What one thread has found out at the root.

use super::movegen::MoveGenerator;
use super::request::{Outcome, Search};
use super::root::Root;
use super::transposition_table::Bound;
use shakmaty::Move;

/// A line from the root and its value.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) value: i32,
    pub(super) bound: Bound,
    pub(super) moves: Vec<Move>,
}

/// What a thread has found out.
#[derive(Clone, Default, Debug)]
pub(super) struct SearchResult {
    /// The last iteration that found anything.
    pub(super) depth: u32,
    /// Whether it was finished.
    pub(super) is_whole: bool,
    pub(super) selective_depth: u32,
    /// The best lines, best first.
    pub(super) lines: Vec<Line>,
}

impl SearchResult {
    /// Whether all is done that a search to this depth has to do.
    pub(super) fn is_through(&self, depth: Option<u32>) -> bool {
        self.is_whole && depth == Some(self.depth)
    }

    /// Whether another thread's result is the one to play.
    pub(super) fn is_better_than(&self, other: &SearchResult) -> bool {
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

    pub(super) fn outcome(&self, request: &Search, root: &Root) -> Outcome {
        let (value, moves) = match self.lines.first() {
            Some(line) => (line.value, line.moves.as_slice()),
            None => (0, &[] as &[Move]),
        };
        let best = moves.first().copied();
        let ponder = moves.get(1).copied().or_else(|| {
            let next = request.game.position().play(best?);
            MoveGenerator::new(&next).find(request.table.get(next.key(), 1)?.best)
        });
        Outcome { best, ponder, value: root.judged(value, best).into(), nodes: 0 }
    }
}

/// Whether one of the lines has the same first move as another line.
pub(super) fn begins_like(lines: &[Line], other: &Line) -> bool {
    lines.iter().any(|line| line.moves.first() == other.moves.first())
}

/// Whether new lines tell of other moves than the old ones of the same places.
pub(super) fn differs(new: &[Line], old: &[Line]) -> bool {
    new.iter()
        .enumerate()
        .any(|(at, line)| old.get(at).is_none_or(|old| old.moves.first() != line.moves.first()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    fn found(depth: u32, value: i32, first: usize) -> SearchResult {
        let moves = vec![Chess::default().legal_moves()[first]];
        let lines = vec![Line { value, bound: Bound::Exact, moves }];
        SearchResult { depth, is_whole: true, selective_depth: depth, lines }
    }

    #[test]
    fn another_threads_result_must_be_as_deep_and_better() {
        let own = found(8, 20, 0);
        assert!(found(8, 30, 1).is_better_than(&own));
        assert!(found(9, 20, 1).is_better_than(&own));
        assert!(!found(8, 20, 1).is_better_than(&own));
        assert!(!found(7, 90, 1).is_better_than(&own));
        assert!(!found(9, 10, 1).is_better_than(&own));
        // The same move need not be told again.
        assert!(!found(9, 90, 0).is_better_than(&own));
        assert!(!SearchResult::default().is_better_than(&own));
    }

    #[test]
    fn a_search_is_through_when_its_last_iteration_is_finished() {
        let broken_off = SearchResult { is_whole: false, ..found(8, 20, 0) };
        assert!(found(8, 20, 0).is_through(Some(8)));
        assert!(!found(7, 20, 0).is_through(Some(8)));
        assert!(!found(8, 20, 0).is_through(None));
        assert!(!broken_off.is_through(Some(8)));
    }

    #[test]
    fn lines_are_known_by_their_first_move() {
        let (one, other) = (found(3, 0, 0), found(3, 0, 1));
        assert!(begins_like(&one.lines, &found(9, 5, 0).lines[0]));
        assert!(!begins_like(&one.lines, &other.lines[0]));
        assert!(differs(&one.lines, &other.lines) && differs(&one.lines, &[]));
        assert!(!differs(&one.lines, &found(4, 7, 0).lines));
    }
}
