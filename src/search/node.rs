//! One node of the tree: its data before its moves are searched, and the best result so far.

use super::movegen::MoveGenerator;
use super::position::Position;
use super::transposition_table::TtEntry;
use shakmaty::{Chess, Move};

/// The expected type of a node (Knuth and Moore 1975).
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum NodeType {
    /// A value within the window.
    Pv,
    /// At least beta: one good move suffices.
    Cut,
    /// At most alpha: every move must be refuted.
    All,
}

impl NodeType {
    /// The type of a child that is searched with a null window.
    pub(super) fn null_window_child(self) -> NodeType {
        if self == NodeType::Cut { NodeType::All } else { NodeType::Cut }
    }
}

/// The data of a node before its moves are searched.
pub(super) struct Node<'a> {
    pub(super) position: &'a Position,
    pub(super) generator: MoveGenerator<'a>,
    /// Its entry of the transposition table.
    pub(super) entry: Option<TtEntry>,
    pub(super) in_check: bool,
    /// Whether the window is open, so that an exact value is wanted.
    pub(super) is_pv: bool,
    /// Whether the static evaluation is better than when this side was last to move.
    pub(super) is_improving: bool,
    /// The engine's evaluation.
    pub(super) raw_evaluation: i32,
    /// The evaluation with its correction.
    pub(super) evaluation: i32,
    /// The evaluation used for pruning: the table's value instead where its bound allows that.
    pub(super) static_evaluation: i32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) node_type: NodeType,
}

impl<'a> Node<'a> {
    pub(super) fn chess(&self) -> &'a Chess {
        self.position.chess()
    }
}

/// A move that is about to be searched.
#[derive(Copy, Clone)]
pub(super) struct CurrentMove {
    pub(super) m: Move,
    /// Its number in the order of the picker, from 1.
    pub(super) number: i32,
    /// Whether it is quiet, gives no check and answers none.
    pub(super) is_plain_quiet: bool,
    /// Its history score; 0 if it is not quiet.
    pub(super) history: i32,
}

/// The best of the moves searched so far.
pub(super) struct Best {
    pub(super) value: i32,
    pub(super) alpha: i32,
    /// The move that raised alpha last.
    pub(super) m: Option<Move>,
}

impl Best {
    /// Before the first move. `value` is a lower bound without any move, such as stand pat.
    pub(super) fn new(value: i32, alpha: i32) -> Best {
        Best { value, alpha: alpha.max(value), m: None }
    }

    /// Records the value of a move. Returns whether it raised alpha.
    pub(super) fn update(&mut self, m: Move, value: i32) -> bool {
        self.value = self.value.max(value);
        let is_raised = value > self.alpha;
        if is_raised {
            (self.alpha, self.m) = (value, Some(m));
        }
        is_raised
    }
}
