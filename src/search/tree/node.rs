//! One node of the tree: its data before its moves are searched, and the best result so far.

use crate::search::ordering::movegen::MoveGenerator;
use crate::search::position::Position;
use crate::search::transposition_table::TtEntry;
use shakmaty::{Chess, Move};

/// The expected type of a node (Knuth and Moore 1975).
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum NodeType {
    /// A value within the window.
    Pv,
    /// At least beta: one good move suffices.
    Cut,
    /// At most alpha: every move must be refuted.
    All,
}

impl NodeType {
    /// The type of a child that is searched with a null window.
    pub fn null_window_child(self) -> NodeType {
        if self == NodeType::Cut { NodeType::All } else { NodeType::Cut }
    }
}

/// The data of a node before its moves are searched.
pub struct Node<'a> {
    pub position: &'a Position,
    pub generator: MoveGenerator<'a>,
    /// Its entry of the transposition table.
    pub entry: Option<TtEntry>,
    pub in_check: bool,
    /// Whether the window is open, so that an exact value is wanted.
    pub is_pv: bool,
    /// Whether the static evaluation is better than when this side was last to move.
    pub is_improving: bool,
    /// The engine's evaluation.
    pub raw_evaluation: i32,
    /// The evaluation with its correction.
    pub evaluation: i32,
    /// The evaluation used for pruning: the table's value instead where its bound allows that.
    pub static_evaluation: i32,
    pub alpha: i32,
    pub beta: i32,
    pub depth: i32,
    pub ply: usize,
    pub node_type: NodeType,
}

impl<'a> Node<'a> {
    pub fn chess(&self) -> &'a Chess {
        self.position.chess()
    }
}

/// A move that is about to be searched.
#[derive(Copy, Clone)]
pub struct CurrentMove {
    pub m: Move,
    /// Its number in the order of the picker, from 1.
    pub number: i32,
    /// Whether it is quiet, gives no check and answers none.
    pub is_plain_quiet: bool,
    /// Its history score; 0 if it is not quiet.
    pub history: i32,
}

/// The best of the moves searched so far.
pub struct Best {
    pub value: i32,
    pub alpha: i32,
    /// The move that raised alpha last.
    pub m: Option<Move>,
}

impl Best {
    /// Before the first move. `value` is a lower bound without any move, such as stand pat.
    pub fn new(value: i32, alpha: i32) -> Best {
        Best { value, alpha: alpha.max(value), m: None }
    }
}
