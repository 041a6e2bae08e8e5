//! Pruning: nodes whose value is decided without a search of all their moves, and moves that are skipped.

use super::node::{Best, CurrentMove, Node, NodeType};
use super::thread_data::ThreadData;
use crate::search::ordering::history::PieceTo;
use crate::search::ordering::move_picker::{MovePicker, is_quiet};
use crate::search::ordering::see::see_ge;
use crate::search::parameters::*;
use crate::search::score::MATE_BOUND;
use crate::search::transposition_table::Bound;
use shakmaty::{Chess, Position as _};

impl ThreadData<'_> {
    /// The value of a node by reverse futility pruning, razoring, null move pruning or probcut; `None` if its
    /// moves must be searched.
    pub fn prune_node(&mut self, node: &Node) -> Option<i32> {
        let &Node { depth, alpha, beta, static_evaluation, .. } = node;
        if depth <= reverse_futility_depth()
            && static_evaluation.abs() < MATE_BOUND
            && static_evaluation
                - reverse_futility_margin() * (depth - i32::from(node.is_improving))
                >= beta
        {
            return Some(static_evaluation);
        }
        if depth <= razor_depth() && static_evaluation + razor_margin() * depth <= alpha {
            let value = self.quiescence(node.position, alpha, alpha + 1, node.ply);
            if value <= alpha || self.stopped {
                return Some(value);
            }
        }
        let after_null_move =
            node.ply > 0 && self.stack[node.ply - 1].current_move == PieceTo::NONE;
        if depth >= null_move_depth()
            && static_evaluation >= beta
            && !after_null_move
            && is_null_move_sound(node.chess())
            && let Some(value) = self.null_move(node)
        {
            return Some(value);
        }
        if depth >= probcut_depth() { self.probcut(node) } else { None }
    }

    /// Null move pruning: if the value is at least beta even without a move, it almost always is with one.
    /// Returns `None` if it is not. The value of a stopped search is never used.
    fn null_move(&mut self, node: &Node) -> Option<i32> {
        let &Node { depth, beta, ply, .. } = node;
        let null_child = node.position.null_move()?;
        let lead = (node.static_evaluation - beta) / null_move_lead();
        let reduced = depth - (null_move_base() + depth / 3 + lead.min(null_move_max()));
        self.stack[ply].current_move = PieceTo::NONE;
        self.stack[ply].quiet_move = None;
        let before = self.path.push_null_move(&null_child);
        let value = -self.negamax(&null_child, -beta, 1 - beta, reduced, ply + 1, NodeType::All);
        self.path.pop_null_move(before);
        // A mate found after a null move is no mate on the board.
        let value = if value >= MATE_BOUND { beta } else { value };
        (self.stopped || value >= beta).then_some(value)
    }

    /// Probcut (Buro 1995): if a reduced search of a capture returns much more than beta, the full search almost
    /// always returns at least beta. Returns `None` if no capture does.
    fn probcut(&mut self, node: &Node) -> Option<i32> {
        let &Node { position, entry, depth, ply, .. } = node;
        let target = node.beta + probcut_margin();
        if entry.is_some_and(|entry| entry.depth >= depth - 3 && entry.value < target) {
            return None;
        }
        let chess = node.chess();
        let table_move = entry
            .and_then(|entry| node.generator.find(entry.best))
            .filter(|&m| !is_quiet(m) && see_ge(chess, m, 0));
        let mut picker = MovePicker::good_captures(&self.moves, table_move);
        let mut cutoff = None;
        while let Some(m) = self.next_move(&mut picker, position, &node.generator) {
            if !see_ge(chess, m, target - node.evaluation) {
                continue;
            }
            let child = self.make(position, m, ply);
            let mut value = -self.quiescence(&child, -target, 1 - target, ply + 1);
            let reduced = depth - probcut_reduction();
            if value >= target && reduced > 0 {
                value = -self.negamax(&child, -target, 1 - target, reduced, ply + 1, NodeType::All);
            }
            self.unmake();
            if value >= target || self.stopped {
                cutoff = Some((m, value));
                break;
            }
        }
        picker.finish(&mut self.moves);
        let (m, value) = cutoff?;
        if !self.stopped {
            let raw_evaluation =
                entry.map_or_else(|| self.evaluate(position), |entry| entry.evaluation);
            self.store(position, ply, Some(m), value, raw_evaluation, depth - 3, Bound::Lower);
        }
        Some(value)
    }

    /// Whether a move may be skipped because it very probably does not raise alpha.
    pub fn prune_move(&self, node: &Node, current: &CurrentMove, best: &Best) -> MoveVerdict {
        // Against a mate threat every move must be searched, and with pawns alone every move may decide.
        if !self.is_selective()
            || node.ply == 0
            || best.value <= -MATE_BOUND
            || !has_pieces(node.chess())
        {
            return MoveVerdict::Search;
        }
        let &Node { depth, evaluation, .. } = node;
        let &CurrentMove { m, number, history, .. } = current;
        let loses = |max: i32| !see_ge(node.chess(), m, -max);
        if !current.is_plain_quiet {
            let is_lost = loses(capture_loss() * depth);
            return if is_lost { MoveVerdict::Skip } else { MoveVerdict::Search };
        }
        // The margins depend on the depth of the search after the move and its reduction.
        let left = (depth - 1 - self.general_reduction(node, number) / 1024).max(0);
        let max_moves = (late_moves() + depth * depth) / if node.is_improving { 1 } else { 2 };
        let margin = futility_base() + futility_margin() * left + history / futility_history();
        // Quiet moves are sorted by history, so these conditions hold for those that follow too. The static evaluation
        // says nothing about a mate, so it skips no move where one is known.
        if number > max_moves
            || best.alpha < MATE_BOUND && evaluation + margin <= best.alpha
            || history < -bad_history() * (depth - 1)
        {
            MoveVerdict::SkipQuiets
        } else if loses(quiet_loss() * left * left) {
            MoveVerdict::Skip
        } else {
            MoveVerdict::Search
        }
    }
}

/// Whether the side to move has more than king and pawns.
fn has_pieces(chess: &Chess) -> bool {
    (chess.us() & !(chess.board().pawns() | chess.board().kings())).any()
}

/// Whether a move is searched.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum MoveVerdict {
    /// It must be searched.
    Search,
    /// It is skipped.
    Skip,
    /// It is skipped, and so are the quiet moves that the picker orders after it.
    SkipQuiets,
}

/// Whether a null move proves anything. With few pieces every move may be bad (zugzwang), and without pawns a
/// side would often prefer not to move.
fn is_null_move_sound(chess: &Chess) -> bool {
    let board = chess.board();
    let us = chess.us();
    board.pawns().any()
        && ((us & board.rooks_and_queens()).any()
            || (us & (board.knights() | board.bishops())).more_than_one())
}
