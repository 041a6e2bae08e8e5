//! Quiescence search: captures, promotions and evasions only, until the position is quiet enough to
//! be judged.

use super::history::Context;
use super::move_picker::MovePicker;
use super::movegen::MoveGenerator;
use super::node::Best;
use super::parameters::delta_margin;
use super::position::Position;
use super::score::{DRAW, MATE_BOUND, mated_in};
use super::see::see_ge;
use super::thread_data::ThreadData;
use super::transposition_table::Bound;
use shakmaty::{Move, Role};

impl ThreadData<'_> {
    /// The value of a position for the side to move once no capture is worth making, with the same
    /// meaning as that of `negamax`.
    pub(super) fn quiescence(
        &mut self,
        position: &Position,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        if self.must_stop() {
            return DRAW;
        }
        self.enter(ply);
        if let Some(value) = self.game_over(position, ply) {
            return value;
        }
        if alpha >= DRAW || !self.path.can_repeat(position) {
            self.captures(position, alpha, beta, ply)
        } else if beta <= DRAW {
            DRAW
        } else {
            self.captures(position, DRAW, beta, ply).max(DRAW)
        }
    }

    /// The value of a position by standing still, by captures, or by the ways out of a check.
    fn captures(&mut self, position: &Position, alpha: i32, beta: i32, ply: usize) -> i32 {
        let known = self.request.table.get(position.key(), ply);
        if let Some(known) = known
            && beta - alpha == 1
            && self.may_stand(&known, 0)
            && known.settles(alpha, beta)
        {
            return known.value;
        }
        let chess = position.chess();
        let in_check = position.is_check();
        let rules = MoveGenerator::new(position);
        let mut stand = mated_in(ply);
        let mut raw = DRAW;
        if !in_check {
            if !rules.any() {
                return DRAW;
            }
            raw = match known {
                Some(known) => known.evaluation,
                None => self.evaluate(position),
            };
            let evaluation = self.corrected(raw, &self.place(position, ply));
            stand = match known {
                Some(known)
                    if self.may_stand(&known, 0)
                        && known.settles(evaluation, evaluation)
                        && known.value.abs() < MATE_BOUND =>
                {
                    known.value
                }
                _ => evaluation,
            };
            if stand >= beta {
                if known.is_none() {
                    // Evaluating costs more than looking it up.
                    self.remember(position, ply, None, stand, raw, 0, Bound::Lower);
                }
                return stand;
            }
        }
        let table_move = known
            .and_then(|known| rules.find(known.best))
            .filter(|&m| in_check || (is_loud(m) && see_ge(chess, m, 0)));
        let mut picker = if in_check {
            let context = Context::new(chess, self.after(ply));
            MovePicker::all(&self.moves, table_move, Default::default(), context)
        } else {
            MovePicker::good_captures(&self.moves, table_move)
        };
        let mut best = Best::new(stand, alpha);
        // Even with this on top of what it takes, a capture has to come up to alpha.
        let hope = stand + delta_margin();
        while let Some(m) = self.pick(&mut picker, position, &rules) {
            if in_check {
                // Once there is a way out, those that lose material are not looked at.
                if best.value > -MATE_BOUND && self.is_selective() && !see_ge(chess, m, 0) {
                    continue;
                }
            } else if self.is_selective()
                && m.promotion().is_none()
                && hope <= best.alpha
                && !see_ge(chess, m, best.alpha - hope + 1)
            {
                best.value = best.value.max(hope);
                continue;
            }
            let child = self.make(position, m, ply);
            let value = -self.quiescence(&child, -beta, -best.alpha, ply + 1);
            self.take_back();
            if self.stopped || self.improves(&mut best, m, value, ply) && value >= beta {
                break;
            }
        }
        picker.finish(&mut self.moves);
        if self.stopped {
            return DRAW;
        }
        let bound = Bound::of(best.value, alpha, beta);
        self.remember(position, ply, best.m, best.value, raw, 0, bound);
        best.value
    }
}

/// A capture or a promotion to a queen.
fn is_loud(m: Move) -> bool {
    match m.promotion() {
        None => m.is_capture(),
        Some(role) => role == Role::Queen,
    }
}
