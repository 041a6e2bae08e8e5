//! What is left out of the tree: nodes that are good or bad enough without a search of all their moves, and
//! moves that cannot help.

use super::history::Step;
use super::move_picker::{MovePicker, is_quiet};
use super::node::{Best, Node, NodeType, Try};
use super::parameters::*;
use super::score::MATE_BOUND;
use super::see::see_ge;
use super::thread_data::ThreadData;
use super::transposition_table::Bound;
use shakmaty::{Chess, Position as _};

impl ThreadData<'_> {
    /// The value of a node that is not worth a search of all its moves.
    pub(super) fn early_value(&mut self, node: &Node) -> Option<i32> {
        let &Node { depth, alpha, beta, judgement, .. } = node;
        if depth <= reverse_futility_depth()
            && judgement.abs() < MATE_BOUND
            && judgement - reverse_futility_margin() * (depth - i32::from(node.is_improving))
                >= beta
        {
            return Some(judgement);
        }
        if depth <= razor_depth() && judgement + razor_margin() * depth <= alpha {
            let value = self.quiescence(node.position, alpha, alpha + 1, node.ply);
            if value <= alpha || self.stopped {
                return Some(value);
            }
        }
        let after_null_move = node.ply > 0 && self.plies[node.ply - 1].step == Step::NONE;
        if depth >= null_move_depth()
            && judgement >= beta
            && !after_null_move
            && may_pass(node.chess())
            && let Some(value) = self.null_move(node)
        {
            return Some(value);
        }
        if depth >= probcut_depth() { self.probcut(node) } else { None }
    }

    /// If even passing is good enough, some move surely is. `None` if that is not so. What a search
    /// that is broken off returns does not matter, as everywhere.
    fn null_move(&mut self, node: &Node) -> Option<i32> {
        let &Node { depth, beta, ply, .. } = node;
        let passed = node.position.pass()?;
        let lead = (node.judgement - beta) / null_move_lead();
        let left = depth - (null_move_base() + depth / 4 + lead.min(2));
        self.plies[ply].step = Step::NONE;
        let linked = self.path.pass(&passed);
        let value = -self.negamax(&passed, -beta, 1 - beta, left, ply + 1, NodeType::All);
        self.path.take_back_pass(linked);
        // A mate found after passing is none on the board.
        let value = if value >= MATE_BOUND { beta } else { value };
        (self.stopped || value >= beta).then_some(value)
    }

    /// If a capture wins much more than is needed, and a shallow search says so too, it surely is
    /// good enough. `None` if there is none.
    fn probcut(&mut self, node: &Node) -> Option<i32> {
        let &Node { position, known, depth, ply, .. } = node;
        let target = node.beta + probcut_margin();
        if known.is_some_and(|known| known.depth >= depth - 3 && known.value < target) {
            return None;
        }
        let chess = node.chess();
        let table_move = known
            .and_then(|known| node.rules.find(known.best))
            .filter(|&m| !is_quiet(m) && see_ge(chess, m, 0));
        let mut picker = MovePicker::good_captures(&self.moves, table_move);
        let mut found = None;
        while let Some(m) = self.pick(&mut picker, position, &node.rules) {
            if !see_ge(chess, m, target - node.evaluation) {
                continue;
            }
            let child = self.make(position, m, ply);
            let mut value = -self.quiescence(&child, -target, 1 - target, ply + 1);
            let rest = depth - probcut_reduction();
            if value >= target && rest > 0 {
                value = -self.negamax(&child, -target, 1 - target, rest, ply + 1, NodeType::All);
            }
            self.take_back();
            if value >= target || self.stopped {
                found = Some((m, value));
                break;
            }
        }
        picker.finish(&mut self.moves);
        let (m, value) = found?;
        if !self.stopped {
            let raw = known.map_or_else(|| self.evaluate(position), |known| known.evaluation);
            self.remember(position, ply, Some(m), value, raw, depth - 3, Bound::Lower);
        }
        Some(value)
    }

    /// Whether a move may be left out: nothing good is to be expected of it.
    pub(super) fn hope(&self, node: &Node, tried: &Try, best: &Best) -> MoveVerdict {
        // A mate that threatens has to be met by any move.
        if !self.is_selective() || node.is_principal || best.value <= -MATE_BOUND {
            return MoveVerdict::Some;
        }
        let &Node { depth, evaluation, .. } = node;
        let &Try { m, number, history, .. } = tried;
        let loses = |most: i32| !see_ge(node.chess(), m, -most);
        if !tried.may_be_late {
            let is_lost = depth <= capture_depth() && loses(capture_loss() * depth);
            return if is_lost { MoveVerdict::None } else { MoveVerdict::Some };
        }
        if depth > pruning_depth() {
            return MoveVerdict::Some;
        }
        // What is searched less deep anyway is judged by the depth that is left to it.
        let reduced = self.reduction(depth, number - 1) - 1024 * history / reduction_history();
        let left = (depth - reduced.max(0) / 1024).max(1);
        let tries = (late_moves() + depth * depth) / if node.is_improving { 1 } else { 2 };
        let is_futile = evaluation + futility_base() + futility_margin() * left <= best.alpha;
        if number > tries || is_futile && left == 1 || history < -bad_history() * depth {
            MoveVerdict::NoMore
        } else if is_futile || loses(quiet_loss() * left) {
            MoveVerdict::None
        } else {
            MoveVerdict::Some
        }
    }
}

/// What is to be expected of a move.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum MoveVerdict {
    /// It has to be searched.
    Some,
    /// Nothing good.
    None,
    /// Nothing good, nor of quiet moves after it that have done no better elsewhere.
    NoMore,
}

/// Whether passing proves anything: with few pieces every move may be a bad one, and bare of
/// pawns a side is often glad to pass.
fn may_pass(chess: &Chess) -> bool {
    let board = chess.board();
    let us = chess.us();
    board.pawns().any()
        && ((us & board.rooks_and_queens()).any()
            || (us & (board.knights() | board.bishops())).more_than_one())
}
