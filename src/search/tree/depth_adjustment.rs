//! Adjustments of the depth: late move reductions, singular extensions and less depth after a move that raised alpha.

use super::node::{CurrentMove, Node, NodeType};
use super::thread_data::ThreadData;
use crate::search::ordering::move_picker::is_quiet;
use crate::search::parameters::*;
use crate::search::score::MATE_BOUND;
use crate::search::transposition_table::{Bound, PackedMove};
use shakmaty::{Chess, Move, Position as _};

/// The result of a singular extension search.
pub enum SingularResult {
    /// Search the table move this many plies deeper.
    Extend(i32),
    /// Multi-cut: even without the table move the node has at least this value, which is at least beta.
    MultiCut(i32),
}

impl ThreadData<'_> {
    /// The reduction of a late move before its history and the type of the node count, in 1024ths of a ply. It grows
    /// with the logarithms of depth and move number.
    pub fn general_reduction(&self, node: &Node, number: i32) -> i32 {
        let product = self.logarithm(node.depth) * self.logarithm(number - 1) / 1024;
        let mut reduction = reduction_base() + product * 100 / reduction_divisor();
        if node.is_pv {
            reduction -= reduction_principal();
        }
        if !node.is_improving {
            reduction += reduction_worse();
        }
        reduction.max(0)
    }

    /// The late move reduction of the first search of a move, in plies.
    pub fn lmr_reduction(&self, node: &Node, current: &CurrentMove) -> i32 {
        let &CurrentMove { number, history, .. } = current;
        if !self.is_selective()
            || node.is_pv && !is_quiet(current.m)
            || node.depth < reduction_depth()
            || number <= reduction_move()
        {
            return 0;
        }
        let mut reduction = self.general_reduction(node, number);
        if node.node_type == NodeType::Cut {
            reduction += reduction_cut();
        }
        reduction -= 1024 * history / reduction_history();
        (reduction / 1024).clamp(0, node.depth - 2)
    }

    /// The depth of the moves that follow one that raised alpha to a value below beta. Near the leaves they are
    /// searched less deep, because one good move is known.
    pub fn depth_after_raise(&self, node: &Node, value: i32) -> i32 {
        let is_less = self.is_selective()
            && value.abs() < MATE_BOUND
            && (2..=raised_depth()).contains(&node.depth);
        node.depth - i32::from(is_less)
    }

    /// Singular extension: the table move is searched deeper if all other moves are much worse.
    pub fn singular_extension(&mut self, node: &Node, m: Move) -> SingularResult {
        let &Node { depth, beta, ply, .. } = node;
        let Some(entry) = node.entry.filter(|entry| {
            self.is_selective()
                && ply > 0
                && ply < 2 * self.iteration as usize
                && depth >= singular_depth()
                && !has_bare_king(node.chess())
                && entry.bound != Bound::Upper
                && entry.depth >= depth - 3
                && entry.value.abs() < MATE_BOUND
        }) else {
            return SingularResult::Extend(0);
        };
        let target = entry.value - singular_margin() * depth / 16;
        let value = self.value_without(node, m, target);
        if value < target - singular_second() && !node.is_pv {
            SingularResult::Extend(2)
        } else if value < target {
            SingularResult::Extend(1)
        } else if value >= beta && !node.is_pv {
            SingularResult::MultiCut(value)
        } else if entry.value >= beta {
            SingularResult::Extend(-singular_less())
        } else {
            SingularResult::Extend(0)
        }
    }

    /// The value of the node without the move `m`, to half the depth: at least `beta`, or below it.
    fn value_without(&mut self, node: &Node, m: Move, beta: i32) -> i32 {
        let &Node { position, depth, ply, node_type, .. } = node;
        self.stack[ply].excluded = PackedMove::new(m);
        let value = self.negamax(position, beta - 1, beta, depth / 2, ply, node_type);
        self.stack[ply].excluded = PackedMove::NONE;
        value
    }
}

/// Whether one side has a bare king. The evaluation then measures progress to the mate, and one move is seldom
/// much better than all others.
pub fn has_bare_king(chess: &Chess) -> bool {
    !chess.us().more_than_one() || !chess.them().more_than_one()
}
