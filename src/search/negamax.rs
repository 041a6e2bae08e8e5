//! Principal variation search: the tree, and what is left out of it.

use super::checks::Checks;
use super::exchange::exchange_at_least;
use super::generate::Rules;
use super::history::Step;
use super::order::{Picker, Wanted, is_quiet};
use super::parameters::*;
use super::position::Position;
use super::score::{DRAW, INFINITY, MATE, MATE_BOUND, mated_in};
use super::table::{Bound, Entry, PackedMove};
use super::worker::Worker;
use shakmaty::{Chess, Color, Move, MoveList, Position as _};

/// What a node is expected to come to.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Expected {
    /// A value within the window.
    Value,
    /// At least beta: one good move will do.
    Cut,
    /// At most alpha: every move has to be refuted.
    All,
}

impl Expected {
    /// What a child is expected to come to that is searched in an empty window.
    fn refuted(self) -> Expected {
        if self == Expected::Cut { Expected::All } else { Expected::Cut }
    }
}

impl Worker<'_> {
    /// The value of a position for the side to move: at most `alpha` and at least `beta` are
    /// bounds, between them it is the value.
    pub(super) fn negamax(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        expected: Expected,
    ) -> i32 {
        let in_check = position.is_check();
        let is_repeated = self.plies[ply].excluded != PackedMove::NONE;
        if in_check && !is_repeated && (depth <= 0 || ply < self.iteration as usize) {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiescence(position, alpha, beta, ply);
        }
        if self.must_stop() {
            return DRAW;
        }
        let excluded = self.plies[ply].excluded;
        self.enter(ply);
        if ply > 0 && excluded == PackedMove::NONE {
            if let Some(value) = self.game_over(position, ply) {
                return value;
            }
            if let Some(value) = self.tablebase_value(position.chess(), depth, ply) {
                return value;
            }
            // No line from here is better than mate on the next move or worse than mate now.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        let is_principal = beta - alpha > 1;
        let after_null_move = ply > 0 && self.plies[ply - 1].step == Step::NONE;
        let known = self.request.table.get(position.key(), ply);
        if let Some(known) = known
            && !is_principal
            && ply > 0
            && excluded == PackedMove::NONE
            && known.depth >= depth
            && known.settles(alpha, beta)
        {
            return known.value;
        }
        let chess = position.chess();
        let rules = Rules::new(position);
        let mut table_move = known.and_then(|known| rules.find(known.best));
        if ply == 0 && self.root.first.is_some() {
            table_move = self.root.first;
        }
        let raw = match known {
            _ if in_check => DRAW,
            Some(known) => known.evaluation,
            None => self.evaluate(position),
        };
        if known.is_none() && !in_check {
            // For the next time, wherever this search leaves from: any value is at least mated.
            self.remember(position, ply, None, mated_in(ply), raw, 0, Bound::Lower);
        }
        let place = self.place(position, ply);
        let evaluation = if in_check { DRAW } else { self.corrected(raw, &place) };
        self.plies[ply].evaluation = (!in_check).then_some(evaluation);
        let is_improving = self.is_improving(ply);
        // A value that was searched for is a better judgement where it points the right way.
        let judgement = match known {
            Some(known) if !in_check && known.settles(evaluation, evaluation) => known.value,
            _ => evaluation,
        };

        if self.is_selective()
            && !is_principal
            && !in_check
            && beta.abs() < MATE_BOUND
            && excluded == PackedMove::NONE
        {
            if depth <= reverse_futility_depth()
                && judgement.abs() < MATE_BOUND
                && judgement - reverse_futility_margin() * (depth - i32::from(is_improving)) >= beta
            {
                return judgement;
            }
            if depth <= razor_depth() && judgement + razor_margin() * depth <= alpha {
                let value = self.quiescence(position, alpha, alpha + 1, ply);
                if value <= alpha || self.stopped {
                    return value;
                }
            }
            if depth >= null_move_depth()
                && judgement >= beta
                && !after_null_move
                && may_pass(chess)
                && let Some(value) = self.null_move(position, judgement, beta, depth, ply)
            {
                return value;
            }
        }
        if self.is_selective()
            && !is_principal
            && !in_check
            && excluded == PackedMove::NONE
            && depth >= probcut_depth()
            && beta.abs() < MATE_BOUND
            && let Some(value) = self.probcut(position, &rules, known, evaluation, beta, depth, ply)
        {
            return value;
        }
        if self.is_selective() && table_move.is_none() && depth >= unguided_depth() {
            depth -= 1;
        }
        if ply > 0 && ply + 1 < 2 * self.iteration as usize && rules.count(2) == 1 {
            depth += 1;
        }

        let table_move = table_move.filter(|m| ply > 0 || self.root.moves.contains(m));
        let after = self.after(ply);
        let mut picker =
            Picker::new(&self.moves, Wanted::All, table_move, self.plies[ply].killers, after);
        let checks = Checks::new(chess);
        let first_alpha = alpha;
        let mut best = -INFINITY;
        let mut best_move = None;
        let mut tried = MoveList::new();
        let mut number = 0;
        while let Some(m) = self.pick(&mut picker, position, &rules) {
            if (ply == 0 && !self.root.moves.contains(&m)) || PackedMove::new(m) == excluded {
                continue;
            }
            if ply == 0 {
                self.team.watch(self.request, self.iteration, m, number as usize);
            }
            number += 1;
            let may_be_late =
                self.is_selective() && !in_check && is_quiet(m) && !checks.gives_check(chess, m);
            let history =
                if is_quiet(m) { self.learnt.history.quiet(chess.turn(), m, &after) } else { 0 };
            if may_be_late && !is_principal && best > -MATE_BOUND {
                // What is searched less deep anyway is judged by the depth that is left to it.
                let reduced =
                    self.reduction(depth, number - 1) - 1024 * history / reduction_history();
                let left = (depth - reduced.max(0) / 1024).max(1);
                let tries = (late_moves() + depth * depth) / if is_improving { 1 } else { 2 };
                if depth <= pruning_depth()
                    && (number > tries
                        || evaluation + futility_base() + futility_margin() * left <= alpha
                        || history < -bad_history() * depth
                        || !exchange_at_least(chess, m, -quiet_loss() * left))
                {
                    continue;
                }
            }
            if self.is_selective()
                && !may_be_late
                && !is_principal
                && best > -MATE_BOUND
                && depth <= capture_depth()
                && !exchange_at_least(chess, m, -capture_loss() * depth)
            {
                continue;
            }
            let mut extension = 0;
            if self.is_selective()
                && ply > 0
                && ply < 2 * self.iteration as usize
                && depth >= singular_depth()
                && !is_drive(chess)
                && Some(m) == table_move
                && excluded == PackedMove::NONE
                && let Some(known) = known
                && known.bound != Bound::Upper
                && known.depth >= depth - 3
                && known.value.abs() < MATE_BOUND
            {
                let margin = singular_margin() * depth / 16;
                let value =
                    self.without(position, m, known.value - margin, depth / 2, ply, expected);
                if self.stopped {
                    break;
                }
                if value < known.value - margin {
                    extension = 1;
                } else if value >= beta && !is_principal {
                    // Even without the best move there is a good one.
                    picker.finish(&mut self.moves);
                    return value;
                } else if known.value >= beta {
                    extension = -1;
                }
            }
            let child = position.play(m);
            self.plies[ply].step = Step::new(chess.turn(), m);
            self.keys.push(child.key());
            let mut value = -INFINITY;
            let mut full_window = number == 1;
            let depth_of_child = depth - 1 + extension;
            if number > 1 {
                let mut reduction = 0;
                if may_be_late && depth >= reduction_depth() && number > reduction_move() {
                    reduction = self.reduction(depth, number - 1);
                    if is_principal {
                        reduction -= reduction_principal();
                    }
                    if expected == Expected::Cut {
                        reduction += reduction_cut();
                    }
                    if !is_improving {
                        reduction += reduction_worse();
                    }
                    reduction -= 1024 * history / reduction_history();
                    reduction = (reduction / 1024).clamp(0, depth - 2);
                }
                let next = if reduction > 0 { Expected::Cut } else { expected.refuted() };
                let (low, high) = (-alpha - 1, -alpha);
                value = -self.negamax(&child, low, high, depth_of_child - reduction, ply + 1, next);
                if value > alpha && reduction > 0 {
                    let next = expected.refuted();
                    value = -self.negamax(&child, low, high, depth_of_child, ply + 1, next);
                }
                full_window = value > alpha && value < beta;
            }
            if full_window {
                let next = if is_principal { Expected::Value } else { expected.refuted() };
                value = -self.negamax(&child, -beta, -alpha, depth_of_child, ply + 1, next);
            }
            self.keys.pop();
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(m);
                    self.lines.extend(ply, m);
                    if ply == 0 {
                        self.root_value = value;
                    }
                    if alpha >= beta {
                        self.reward(chess.turn(), m, &tried, depth, ply);
                        break;
                    }
                }
            }
            tried.push(m);
        }
        picker.finish(&mut self.moves);
        if self.stopped {
            return DRAW;
        }
        if excluded != PackedMove::NONE {
            // With no other move, the one left out is singular indeed.
            return if number == 0 { alpha } else { best };
        }
        if number == 0 {
            return if in_check { mated_in(ply) } else { DRAW };
        }

        let bound = Bound::of(best, first_alpha, beta);
        if !in_check
            && best.abs() < MATE_BOUND
            && best_move.is_none_or(is_quiet)
            && !(bound == Bound::Lower && best <= evaluation)
            && !(bound == Bound::Upper && best >= evaluation)
        {
            self.learnt.corrections.update(&place, best - raw, depth);
        }
        if ply > 0 || !self.root.is_part {
            self.remember(position, ply, best_move, best, raw, depth, bound);
        }
        best
    }

    /// By how much a late quiet move is searched less, in 1024ths of a ply: the later and the deeper,
    /// the more.
    fn reduction(&self, depth: i32, number: i32) -> i32 {
        let product = self.logarithm(depth) * self.logarithm(number) / 1024;
        reduction_base() + product * 100 / reduction_divisor()
    }

    /// Whether the other moves come up to `beta`, to half the depth: a value below it says they do not.
    fn without(
        &mut self,
        position: &Position,
        m: Move,
        beta: i32,
        depth: i32,
        ply: usize,
        expected: Expected,
    ) -> i32 {
        self.plies[ply].excluded = PackedMove::new(m);
        let value = self.negamax(position, beta - 1, beta, depth, ply, expected);
        self.plies[ply].excluded = PackedMove::NONE;
        value
    }

    /// If a capture wins much more than is needed, and a shallow search says so too, it surely is
    /// good enough. `None` if there is none.
    #[expect(clippy::too_many_arguments, reason = "what a node knows, item by item")]
    fn probcut(
        &mut self,
        position: &Position,
        rules: &Rules,
        known: Option<Entry>,
        evaluation: i32,
        beta: i32,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        let target = beta + probcut_margin();
        if known.is_some_and(|known| known.depth >= depth - 3 && known.value < target) {
            return None;
        }
        let chess = position.chess();
        let table_move = known
            .and_then(|known| rules.find(known.best))
            .filter(|&m| !is_quiet(m) && exchange_at_least(chess, m, 0));
        let after = self.after(ply);
        let wanted = Wanted::GoodCaptures;
        let mut picker = Picker::new(&self.moves, wanted, table_move, Default::default(), after);
        let mut found = None;
        while let Some(m) = self.pick(&mut picker, position, rules) {
            if !exchange_at_least(chess, m, target - evaluation) {
                continue;
            }
            let child = position.play(m);
            self.plies[ply].step = Step::new(chess.turn(), m);
            self.keys.push(child.key());
            let mut value = -self.quiescence(&child, -target, 1 - target, ply + 1);
            let rest = depth - probcut_reduction();
            if value >= target && rest > 0 {
                value = -self.negamax(&child, -target, 1 - target, rest, ply + 1, Expected::All);
            }
            self.keys.pop();
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

    /// If even passing is good enough, some move surely is. `None` if that is not so. What a search
    /// that is broken off returns does not matter, as everywhere.
    fn null_move(
        &mut self,
        position: &Position,
        evaluation: i32,
        beta: i32,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        let passed = position.pass()?;
        let reduction =
            null_move_base() + depth / 4 + ((evaluation - beta) / null_move_lead()).min(2);
        self.plies[ply].step = Step::NONE;
        self.keys.push(passed.key());
        let value =
            -self.negamax(&passed, -beta, 1 - beta, depth - reduction, ply + 1, Expected::All);
        self.keys.pop();
        // A mate found after passing is none on the board.
        let value = if value >= MATE_BOUND { beta } else { value };
        (self.stopped || value >= beta).then_some(value)
    }

    /// A move that refuted the last one will be tried early elsewhere; those tried in vain before
    /// it, late.
    fn reward(&mut self, turn: Color, m: Move, tried: &[Move], depth: i32, ply: usize) {
        let after = self.after(ply);
        let bonus = (16 * depth * depth + 32 * depth).min(1600);
        if is_quiet(m) {
            let packed = PackedMove::new(m);
            let killers = &mut self.plies[ply].killers;
            if killers[0] != packed {
                *killers = [packed, killers[0]];
            }
            self.learnt.history.update_quiet(turn, m, &after, bonus);
        } else {
            self.learnt.history.update_capture(turn, m, bonus);
        }
        for &other in tried {
            if !is_quiet(other) {
                self.learnt.history.update_capture(turn, other, -bonus);
            } else if is_quiet(m) {
                self.learnt.history.update_quiet(turn, other, &after, -bonus);
            }
        }
    }
}

/// Whether one side has nothing but its king. The evaluation then counts steps to the mate, and one
/// move is seldom better than all others.
fn is_drive(chess: &Chess) -> bool {
    !chess.us().more_than_one() || !chess.them().more_than_one()
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
