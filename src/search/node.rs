//! One node of the tree: what is known of it before its moves are tried, and what came of them.

use super::movegen::MoveGenerator;
use super::position::Position;
use super::transposition_table::Entry;
use shakmaty::{Chess, Move};

/// What a node is expected to come to.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum NodeType {
    /// A value within the window.
    Pv,
    /// At least beta: one good move will do.
    Cut,
    /// At most alpha: every move has to be refuted.
    All,
}

impl NodeType {
    /// What a child is expected to come to that is searched in an empty window.
    pub(super) fn refuted(self) -> NodeType {
        if self == NodeType::Cut { NodeType::All } else { NodeType::Cut }
    }
}

/// What is known of a node before its moves are tried.
pub(super) struct Node<'a> {
    pub(super) position: &'a Position,
    pub(super) rules: MoveGenerator<'a>,
    /// What the table knows.
    pub(super) known: Option<Entry>,
    pub(super) in_check: bool,
    /// Whether more than a bound is wanted.
    pub(super) is_principal: bool,
    /// Whether the side to move stands better than when it was last to move.
    pub(super) is_improving: bool,
    /// What the terms say.
    pub(super) raw: i32,
    /// That, as searches of like positions would have it.
    pub(super) evaluation: i32,
    /// The best judgement without a search: the table's value where it points the right way.
    pub(super) judgement: i32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) expected: NodeType,
}

impl<'a> Node<'a> {
    pub(super) fn chess(&self) -> &'a Chess {
        self.position.chess()
    }
}

/// A move that is to be tried.
#[derive(Copy, Clone)]
pub(super) struct Try {
    pub(super) m: Move,
    /// From 1.
    pub(super) number: i32,
    /// Quiet, gives no check and meets none: such moves are left out or reduced.
    pub(super) may_be_late: bool,
    /// How well it has done elsewhere; 0 if it is not quiet.
    pub(super) history: i32,
}

/// The best of the moves tried so far, and what the next one has to beat.
pub(super) struct Best {
    pub(super) value: i32,
    pub(super) alpha: i32,
    /// The move that raised alpha last.
    pub(super) m: Option<Move>,
}

impl Best {
    /// No move has been tried: this value is had without one.
    pub(super) fn new(value: i32, alpha: i32) -> Best {
        Best { value, alpha: alpha.max(value), m: None }
    }

    /// Takes note of what a move came to, and says whether it raised alpha.
    pub(super) fn improves(&mut self, m: Move, value: i32) -> bool {
        self.value = self.value.max(value);
        let is_raised = value > self.alpha;
        if is_raised {
            (self.alpha, self.m) = (value, Some(m));
        }
        is_raised
    }
}
