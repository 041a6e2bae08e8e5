//! Principal variation search. Pruning is in `pruning`, reductions and extensions are in `depth_adjustment`.

use super::depth_adjustment::SingularResult;
use super::node::{Best, CurrentMove, Node, NodeType};
use super::pruning::MoveVerdict;
use super::thread_data::ThreadData;
use crate::search::ordering::check_info::CheckInfo;
use crate::search::ordering::history::HistoryContext;
use crate::search::ordering::move_picker::{MovePicker, is_quiet};
use crate::search::ordering::movegen::MoveGenerator;
use crate::search::parameters::{fail_low_bonus, fail_low_bonus_max, iir_depth};
use crate::search::position::Position;
use crate::search::score::{DRAW, INFINITY, MATE, MATE_BOUND, mated_in};
use crate::search::transposition_table::{Bound, PackedMove, TtEntry};
use shakmaty::{Move, MoveList};

impl ThreadData<'_> {
    /// The value of a position for the side to move (fail-soft). A value of at most `alpha` is an upper bound, a
    /// value of at least `beta` a lower bound; between them it is exact.
    pub fn negamax(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        node_type: NodeType,
    ) -> i32 {
        let has_all_moves = self.stack[ply].excluded == PackedMove::NONE;
        if depth <= 0 && has_all_moves && position.is_check() {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiescence(position, alpha, beta, ply);
        }
        if self.must_stop() {
            return DRAW;
        }
        self.enter_node(ply);
        let mut lower_bound = -INFINITY;
        if ply > 0 && has_all_moves {
            if let Some(value) = self.draw_or_max_ply(position, ply) {
                return value;
            }
            if let Some(value) = self.endgame_value(position.chess(), ply) {
                return value;
            }
            if let Some(value) = self.tablebase_value(position.chess(), ply) {
                return value;
            }
            // Mate distance pruning: no value is better than mate on the next move or worse than mate now.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha < DRAW && self.path.can_repeat(position) {
                (lower_bound, alpha) = (DRAW, DRAW);
            }
            if alpha >= beta {
                return alpha;
            }
        }
        self.search_node(position, alpha, beta, depth, ply, node_type).max(lower_bound)
    }

    /// The value of a position from the transposition table, by pruning or by searching its moves.
    fn search_node(
        &mut self,
        position: &Position,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        node_type: NodeType,
    ) -> i32 {
        let excluded = self.stack[ply].excluded;
        let has_all_moves = excluded == PackedMove::NONE;
        let entry = self.request.table.get(position.key(), ply);
        if let Some(entry) = entry
            && beta - alpha == 1
            && ply > 0
            && has_all_moves
            && entry.depth >= depth
            && entry.causes_cutoff(alpha, beta)
        {
            return entry.value;
        }
        let mut node = self.evaluate_node(position, entry, alpha, beta, depth, ply, node_type);
        let mut table_move = entry.and_then(|entry| node.generator.find(entry.best));
        if ply == 0 && self.root.first.is_some() {
            table_move = self.root.first;
        }
        if self.is_selective()
            && !node.is_pv
            && !node.in_check
            && beta.abs() < MATE_BOUND
            && has_all_moves
            && let Some(value) = self.prune_node(&node)
        {
            return value;
        }
        if self.is_selective() && table_move.is_none() && depth >= iir_depth() {
            node.depth -= 1;
        }
        let table_move = table_move.filter(|m| ply > 0 || self.root.contains(*m));
        self.search_moves(node, table_move, excluded)
    }

    /// The data of a node before its moves are searched.
    #[expect(clippy::too_many_arguments, reason = "one node, field by field")]
    fn evaluate_node<'a>(
        &mut self,
        position: &'a Position,
        entry: Option<TtEntry>,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        node_type: NodeType,
    ) -> Node<'a> {
        let in_check = position.is_check();
        let raw_evaluation = match entry {
            _ if in_check => DRAW,
            Some(entry) => entry.evaluation,
            None => self.evaluate(position),
        };
        if entry.is_none() && !in_check {
            // Keeps the evaluation however this search ends. The bound says nothing: no value is below it.
            self.store(position, ply, None, mated_in(ply), raw_evaluation, 0, Bound::Lower);
        }
        let evaluation = if in_check {
            DRAW
        } else {
            self.corrected(raw_evaluation, &self.correction_index(position, ply))
        };
        self.stack[ply].evaluation = (!in_check).then_some(evaluation);
        if !in_check && entry.is_none() {
            self.update_history_by_evaluation(evaluation, ply);
        }
        let static_evaluation = match entry {
            Some(entry) if !in_check && entry.causes_cutoff(evaluation, evaluation) => entry.value,
            _ => evaluation,
        };
        Node {
            position,
            generator: MoveGenerator::new(position),
            entry,
            in_check,
            is_pv: beta - alpha > 1,
            is_improving: self.is_improving(ply),
            raw_evaluation,
            evaluation,
            static_evaluation,
            alpha,
            beta,
            depth,
            ply,
            node_type,
        }
    }

    /// Searches the moves of a node, except the one that is excluded.
    fn search_moves(
        &mut self,
        mut node: Node,
        table_move: Option<Move>,
        excluded: PackedMove,
    ) -> i32 {
        let Node { position, beta, depth, ply, .. } = node;
        let chess = position.chess();
        let context = HistoryContext::new(chess, self.previous_moves(ply));
        let mut picker = MovePicker::all(&self.moves, table_move, self.stack[ply].killers, context);
        let check_info = CheckInfo::new(chess);
        let mut best = Best::new(-INFINITY, node.alpha);
        let mut searched = MoveList::new();
        let mut number = 0;
        let mut skips_quiets = false;
        while let Some(m) = self.next_move(&mut picker, position, &node.generator) {
            if (ply == 0 && !self.root.contains(m))
                || excluded != PackedMove::NONE && PackedMove::new(m) == excluded
            {
                continue;
            }
            if ply == 0 {
                self.report_root_move(m, number as usize + 1);
            }
            number += 1;
            let is_quiet_move = is_quiet(m);
            let is_plain_quiet =
                is_quiet_move && !node.in_check && !check_info.gives_check(chess, m);
            if skips_quiets && is_plain_quiet {
                continue;
            }
            // Asked for now, the entry of the child is there when the move has been played.
            let likely_key = self.prefetch(position, m);
            let history =
                if is_quiet_move { self.histories.history.quiets(&context).of(m) } else { 0 };
            let current = CurrentMove { m, number, is_plain_quiet, history };
            match self.prune_move(&node, &current, &best) {
                MoveVerdict::Search => {}
                MoveVerdict::Skip => continue,
                MoveVerdict::SkipQuiets => {
                    // Most of the remaining moves are late. They go all at once.
                    let gives_check = |m| check_info.gives_check(chess, m);
                    skips_quiets = picker.keep_quiets(&mut self.moves, gives_check);
                    continue;
                }
            }
            let mut extension = 0;
            if Some(m) == table_move && excluded == PackedMove::NONE {
                match self.singular_extension(&node, m) {
                    _ if self.stopped => break,
                    SingularResult::Extend(plies) => extension = plies,
                    SingularResult::MultiCut(value) => {
                        picker.finish(&mut self.moves);
                        return value;
                    }
                }
            }
            let before = self.counters.nodes;
            let child = self.make_to(position, m, likely_key, ply);
            self.stack[ply].quiet_move = is_quiet_move.then_some((m, context));
            let value = self.search_move(&node, &current, &child, best.alpha, extension);
            self.unmake();
            if ply == 0 {
                self.root.add_nodes(m, self.counters.nodes - before);
            }
            if self.stopped {
                break;
            }
            if self.update_best(&mut best, m, value, ply) {
                if value >= beta {
                    self.update_histories(&context, m, &searched, depth, ply);
                    break;
                }
                node.depth = self.depth_after_raise(&node, value);
            }
            searched.push(m);
        }
        picker.finish(&mut self.moves);
        self.finish_node(&node, &best, number, excluded)
    }

    /// The value of a node of which this number of moves was searched or pruned, and stores it.
    fn finish_node(&mut self, node: &Node, best: &Best, number: i32, excluded: PackedMove) -> i32 {
        if self.stopped {
            return DRAW;
        }
        if excluded != PackedMove::NONE {
            // The excluded move is the only one, so it is singular.
            return if number == 0 { node.alpha } else { best.value };
        }
        if number == 0 {
            return if node.in_check { mated_in(node.ply) } else { DRAW };
        }
        if best.m.is_none() && !node.is_pv {
            // No answer raises alpha, so the move before this ply is good.
            let bonus = (fail_low_bonus() * node.depth).min(fail_low_bonus_max());
            self.update_history_of_last_move(node.ply, bonus);
        }
        self.store_result(node, best);
        best.value
    }

    /// The value of a move. Moves after the first are searched with a null window, at a reduced depth if they are
    /// late. The full window and depth follow only if that search does not refute them.
    fn search_move(
        &mut self,
        node: &Node,
        current: &CurrentMove,
        child: &Position,
        alpha: i32,
        extension: i32,
    ) -> i32 {
        let &Node { beta, ply, node_type, .. } = node;
        let depth = node.depth - 1 + extension;
        if current.number > 1 {
            let reduction = self.lmr_reduction(node, current);
            let child_type =
                if reduction > 0 { NodeType::Cut } else { node_type.null_window_child() };
            let (low, high) = (-alpha - 1, -alpha);
            let mut value = -self.negamax(child, low, high, depth - reduction, ply + 1, child_type);
            if value > alpha && reduction > 0 {
                value =
                    -self.negamax(child, low, high, depth, ply + 1, node_type.null_window_child());
            }
            if value <= alpha || value >= beta {
                return value;
            }
        }
        let child_type = if node.is_pv { NodeType::Pv } else { node_type.null_window_child() };
        -self.negamax(child, -beta, -alpha, depth, ply + 1, child_type)
    }

    /// Stores the result of a node in the transposition table and in the correction history.
    fn store_result(&mut self, node: &Node, best: &Best) {
        let &Node { position, raw_evaluation, evaluation, depth, ply, .. } = node;
        let bound = Bound::of(best.value, node.alpha, node.beta);
        if !node.in_check
            && best.value.abs() < MATE_BOUND
            && best.m.is_none_or(is_quiet)
            && !(bound == Bound::Lower && best.value <= evaluation)
            && !(bound == Bound::Upper && best.value >= evaluation)
        {
            let index = self.correction_index(position, ply);
            self.histories.corrections.update(&index, best.value - raw_evaluation, depth);
        }
        if ply > 0 || !self.root.is_subset {
            self.store(position, ply, best.m, best.value, raw_evaluation, depth, bound);
        }
    }
}
