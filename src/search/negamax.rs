//! Principal variation search: the tree. What is left out of it is in `pruning`, how deep a move is
//! searched in `depth`.

use super::abdada::AbdadaKey;
use super::check_info::CheckInfo;
use super::depth::SingularResult;
use super::history::Context;
use super::move_picker::{MovePicker, is_quiet};
use super::movegen::MoveGenerator;
use super::node::{Best, Node, NodeType, Try};
use super::parameters::iir_depth;
use super::position::Position;
use super::pruning::MoveVerdict;
use super::score::{DRAW, INFINITY, MATE, MATE_BOUND, mated_in};
use super::thread_data::ThreadData;
use super::transposition_table::{Bound, Entry, PackedMove};
use shakmaty::{Move, MoveList};

/// The least depth at which a move that another thread searches is left for later.
const DEFERRED_DEPTH: i32 = 3;

impl ThreadData<'_> {
    /// The value of a position for the side to move: at most `alpha` and at least `beta` are
    /// bounds, between them it is the value.
    pub(super) fn negamax(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        expected: NodeType,
    ) -> i32 {
        let is_whole = self.plies[ply].excluded == PackedMove::NONE;
        if depth <= 0 && is_whole && position.is_check() {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiescence(position, alpha, beta, ply);
        }
        if self.must_stop() {
            return DRAW;
        }
        self.enter(ply);
        let mut least = -INFINITY;
        if ply > 0 && is_whole {
            if let Some(value) = self.game_over(position, ply) {
                return value;
            }
            if let Some(value) = self.tablebase_value(position.chess(), depth, ply) {
                return value;
            }
            // No line from here is better than mate on the next move or worse than mate now.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha < DRAW && self.path.can_repeat(position) {
                (least, alpha) = (DRAW, DRAW);
            }
            if alpha >= beta {
                return alpha;
            }
        }
        self.searched(position, alpha, beta, depth, ply, expected).max(least)
    }

    /// The value of a position by what the table knows, by pruning or by its moves.
    fn searched(
        &mut self,
        position: &Position,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        expected: NodeType,
    ) -> i32 {
        let excluded = self.plies[ply].excluded;
        let is_whole = excluded == PackedMove::NONE;
        let known = self.request.table.get(position.key(), ply);
        if let Some(known) = known
            && beta - alpha == 1
            && ply > 0
            && is_whole
            && self.may_stand(&known, depth)
            && known.settles(alpha, beta)
        {
            return known.value;
        }
        let mut node = self.look(position, known, alpha, beta, depth, ply, expected);
        let mut table_move = known.and_then(|known| node.rules.find(known.best));
        if ply == 0 && self.root.first.is_some() {
            table_move = self.root.first;
        }
        if self.is_selective()
            && !node.is_principal
            && !node.in_check
            && beta.abs() < MATE_BOUND
            && is_whole
            && let Some(value) = self.early_value(&node)
        {
            return value;
        }
        if self.is_selective() && table_move.is_none() && depth >= iir_depth() {
            node.depth -= 1;
        }
        let table_move = table_move.filter(|m| ply > 0 || self.root.moves.contains(m));
        self.moves_of(&node, table_move, excluded)
    }

    /// What is known of a node before its moves are tried.
    #[expect(clippy::too_many_arguments, reason = "what a node is asked, item by item")]
    fn look<'a>(
        &mut self,
        position: &'a Position,
        known: Option<Entry>,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        expected: NodeType,
    ) -> Node<'a> {
        let in_check = position.is_check();
        let raw = match known {
            _ if in_check => DRAW,
            Some(known) => known.evaluation,
            None => self.evaluate(position),
        };
        if known.is_none() && !in_check {
            // For the next time, wherever this search leaves from: any value is at least mated.
            self.remember(position, ply, None, mated_in(ply), raw, 0, Bound::Lower);
        }
        let evaluation =
            if in_check { DRAW } else { self.corrected(raw, &self.place(position, ply)) };
        self.plies[ply].evaluation = (!in_check).then_some(evaluation);
        let judgement = match known {
            Some(known) if !in_check && known.settles(evaluation, evaluation) => known.value,
            _ => evaluation,
        };
        Node {
            position,
            rules: MoveGenerator::new(position),
            known,
            in_check,
            is_principal: beta - alpha > 1,
            is_improving: self.is_improving(ply),
            raw,
            evaluation,
            judgement,
            alpha,
            beta,
            depth,
            ply,
            expected,
        }
    }

    /// Tries the moves of a node, all but the one that is excluded.
    fn moves_of(&mut self, node: &Node, table_move: Option<Move>, excluded: PackedMove) -> i32 {
        let &Node { position, beta, depth, ply, .. } = node;
        let chess = position.chess();
        let context = Context::new(chess, self.after(ply));
        let mut picker = MovePicker::all(&self.moves, table_move, self.plies[ply].killers, context);
        let checks = CheckInfo::new(chess);
        let mut best = Best::new(-INFINITY, node.alpha);
        let mut tried = MoveList::new();
        let mut number = 0;
        let mut is_enough = false;
        let is_shared = depth >= DEFERRED_DEPTH && self.shared.busy.is_shared();
        let first_deferred = self.deferred.len();
        let mut resumed = first_deferred;
        while let Some(m) = self.pick(&mut picker, position, &node.rules).or_else(|| {
            resumed += 1;
            self.deferred.get(resumed - 1).copied()
        }) {
            if (ply == 0 && !self.root.moves.contains(&m)) || PackedMove::new(m) == excluded {
                continue;
            }
            let branch = is_shared.then(|| AbdadaKey::new(position.key(), m));
            if number > 0
                && resumed == first_deferred
                && branch.is_some_and(|branch| self.shared.busy.is_taken(branch))
            {
                self.deferred.push(m);
                continue;
            }
            if ply == 0 {
                self.shared.watch(self.request, self.iteration, m, number as usize);
            }
            number += 1;
            let is_late = is_quiet(m) && !node.in_check && !checks.gives_check(chess, m);
            if is_enough && is_late {
                continue;
            }
            let may_be_late = self.is_selective() && is_late;
            let history = if is_quiet(m) { self.histories.history.quiet(m, &context) } else { 0 };
            let attempt = Try { m, number, may_be_late, history };
            match self.hope(node, &attempt, &best) {
                MoveVerdict::Some => {}
                MoveVerdict::None => continue,
                MoveVerdict::NoMore => {
                    is_enough = picker.leave_unordered();
                    continue;
                }
            }
            let mut extension = 0;
            if Some(m) == table_move && excluded == PackedMove::NONE {
                match self.compare(node, m) {
                    _ if self.stopped => break,
                    SingularResult::Extension(plies) => extension = plies,
                    SingularResult::Enough(value) => {
                        picker.finish(&mut self.moves);
                        return value;
                    }
                }
            }
            branch.inspect(|&branch| self.shared.busy.take(branch));
            let before = self.counted.nodes;
            let child = self.make(position, m, ply);
            let value = self.value_of(node, &attempt, &child, best.alpha, extension);
            self.take_back();
            branch.inspect(|&branch| self.shared.busy.leave(branch));
            if ply == 0 {
                self.root.spend(m, self.counted.nodes - before);
            }
            if self.stopped {
                break;
            }
            if self.improves(&mut best, m, value, ply) && value >= beta {
                self.reward(&context, m, &tried, depth, ply);
                break;
            }
            tried.push(m);
        }
        picker.finish(&mut self.moves);
        self.deferred.truncate(first_deferred);
        if self.stopped {
            return DRAW;
        }
        if excluded != PackedMove::NONE {
            // With no other move, the one left out is singular indeed.
            return if number == 0 { node.alpha } else { best.value };
        }
        if number == 0 {
            return if node.in_check { mated_in(ply) } else { DRAW };
        }
        self.learn(node, &best);
        best.value
    }

    /// The value of a move: in an empty window first, to show that it is no better than the best one,
    /// and a late one not to the full depth either.
    fn value_of(
        &mut self,
        node: &Node,
        attempt: &Try,
        child: &Position,
        alpha: i32,
        extension: i32,
    ) -> i32 {
        let &Node { beta, ply, expected, .. } = node;
        let depth = node.depth - 1 + extension;
        if attempt.number > 1 {
            let less = self.lmr_reduction(node, attempt);
            let next = if less > 0 { NodeType::Cut } else { expected.refuted() };
            let (low, high) = (-alpha - 1, -alpha);
            let mut value = -self.negamax(child, low, high, depth - less, ply + 1, next);
            if value > alpha && less > 0 {
                value = -self.negamax(child, low, high, depth, ply + 1, expected.refuted());
            }
            if value <= alpha || value >= beta {
                return value;
            }
        }
        let next = if node.is_principal { NodeType::Pv } else { expected.refuted() };
        -self.negamax(child, -beta, -alpha, depth, ply + 1, next)
    }

    /// Keeps what a node came to.
    fn learn(&mut self, node: &Node, best: &Best) {
        let &Node { position, raw, evaluation, depth, ply, .. } = node;
        let bound = Bound::of(best.value, node.alpha, node.beta);
        if !node.in_check
            && best.value.abs() < MATE_BOUND
            && best.m.is_none_or(is_quiet)
            && !(bound == Bound::Lower && best.value <= evaluation)
            && !(bound == Bound::Upper && best.value >= evaluation)
        {
            let place = self.place(position, ply);
            self.histories.corrections.update(&place, best.value - raw, depth);
        }
        if ply > 0 || !self.root.is_part {
            self.remember(position, ply, best.m, best.value, raw, depth, bound);
        }
    }
}
