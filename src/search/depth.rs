//! How deep a move is searched: late moves less, a move without its like more.

use super::node::{Node, NodeType, Try};
use super::parameters::*;
use super::score::MATE_BOUND;
use super::thread_data::ThreadData;
use super::transposition_table::{Bound, PackedMove};
use shakmaty::{Chess, Move, Position as _};

/// What comes of comparing the table's move with all others.
pub(super) enum SingularResult {
    /// It is to be searched so many plies deeper.
    Extension(i32),
    /// Even without it there is a move that is good enough, of at least this value.
    Enough(i32),
}

impl ThreadData<'_> {
    /// By how much a late quiet move is searched less, in 1024ths of a ply: the later and the deeper,
    /// the more.
    pub(super) fn reduction(&self, depth: i32, number: i32) -> i32 {
        let product = self.logarithm(depth) * self.logarithm(number) / 1024;
        reduction_base() + product * 100 / reduction_divisor()
    }

    /// By how many plies a move is searched less at first.
    pub(super) fn lmr_reduction(&self, node: &Node, tried: &Try) -> i32 {
        let &Try { number, history, .. } = tried;
        if !tried.may_be_late || node.depth < reduction_depth() || number <= reduction_move() {
            return 0;
        }
        let mut reduction = self.reduction(node.depth, number - 1);
        if node.is_principal {
            reduction -= reduction_principal();
        }
        if node.expected == NodeType::Cut {
            reduction += reduction_cut();
        }
        if !node.is_improving {
            reduction += reduction_worse();
        }
        reduction -= 1024 * history / reduction_history();
        (reduction / 1024).clamp(0, node.depth - 2)
    }

    /// Singular extension: a table move that all others fall far behind is searched deeper.
    pub(super) fn compare(&mut self, node: &Node, m: Move) -> SingularResult {
        let &Node { depth, beta, ply, .. } = node;
        let Some(known) = node.known.filter(|known| {
            self.is_selective()
                && ply > 0
                && ply < 2 * self.iteration as usize
                && depth >= singular_depth()
                && !is_drive(node.chess())
                && known.bound != Bound::Upper
                && known.depth >= depth - 3
                && known.value.abs() < MATE_BOUND
        }) else {
            return SingularResult::Extension(0);
        };
        let target = known.value - singular_margin() * depth / 16;
        let value = self.without(node, m, target);
        if value < target {
            SingularResult::Extension(1)
        } else if value >= beta && !node.is_principal {
            SingularResult::Enough(value)
        } else if known.value >= beta {
            SingularResult::Extension(-1)
        } else {
            SingularResult::Extension(0)
        }
    }

    /// Whether the other moves come up to `beta`, to half the depth: a value below it says they do not.
    fn without(&mut self, node: &Node, m: Move, beta: i32) -> i32 {
        let &Node { position, depth, ply, expected, .. } = node;
        self.plies[ply].excluded = PackedMove::new(m);
        let value = self.negamax(position, beta - 1, beta, depth / 2, ply, expected);
        self.plies[ply].excluded = PackedMove::NONE;
        value
    }
}

/// Whether one side has nothing but its king. The evaluation then counts steps to the mate, and one
/// move is seldom better than all others.
fn is_drive(chess: &Chess) -> bool {
    !chess.us().more_than_one() || !chess.them().more_than_one()
}
