//! Adjustments of the depth: late move reductions and singular extensions.

use super::node::{CurrentMove, Node, NodeType};
use super::parameters::*;
use super::score::MATE_BOUND;
use super::thread_data::ThreadData;
use super::transposition_table::{Bound, PackedMove};
use shakmaty::{Chess, Move, Position as _};

/// The result of a singular extension search.
pub(super) enum SingularResult {
    /// Search the table move this many plies deeper.
    Extend(i32),
    /// Multi-cut: even without the table move the node has at least this value, which is at least beta.
    MultiCut(i32),
}

impl ThreadData<'_> {
    /// The base reduction of a late quiet move, in 1024ths of a ply. It grows with the logarithms of depth and
    /// move number.
    pub(super) fn reduction(&self, depth: i32, number: i32) -> i32 {
        let product = self.logarithm(depth) * self.logarithm(number) / 1024;
        reduction_base() + product * 100 / reduction_divisor()
    }

    /// The late move reduction of the first search of a move, in plies.
    pub(super) fn lmr_reduction(&self, node: &Node, current: &CurrentMove) -> i32 {
        let &CurrentMove { number, history, .. } = current;
        if !current.is_reducible || node.depth < reduction_depth() || number <= reduction_move() {
            return 0;
        }
        let mut reduction = self.reduction(node.depth, number - 1);
        if node.is_pv {
            reduction -= reduction_principal();
        }
        if node.node_type == NodeType::Cut {
            reduction += reduction_cut();
        }
        if !node.is_improving {
            reduction += reduction_worse();
        }
        reduction -= 1024 * history / reduction_history();
        (reduction / 1024).clamp(0, node.depth - 2)
    }

    /// Singular extension: the table move is searched deeper if all other moves are much worse.
    pub(super) fn singular_extension(&mut self, node: &Node, m: Move) -> SingularResult {
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
        self.plies[ply].excluded = PackedMove::new(m);
        let value = self.negamax(position, beta - 1, beta, depth / 2, ply, node_type);
        self.plies[ply].excluded = PackedMove::NONE;
        value
    }
}

/// Whether one side has a bare king. The evaluation then measures progress to the mate, and one move is seldom
/// much better than all others.
fn has_bare_king(chess: &Chess) -> bool {
    !chess.us().more_than_one() || !chess.them().more_than_one()
}
