//! Quiescence search: captures, promotions and evasions only, until the position is quiet enough to
//! be judged.

use super::exchange::exchange_at_least;
use super::generate::Rules;
use super::history::Step;
use super::order::{Picker, Wanted};
use super::parameters::delta_margin;
use super::position::Position;
use super::score::{DRAW, MATE_BOUND, mated_in};
use super::table::Bound;
use super::worker::Worker;
use shakmaty::{Move, Position as _, Role};

impl Worker<'_> {
    /// The value of a position for the side to move once no capture is worth making, with the same
    /// meaning as that of `negamax`.
    pub(super) fn quiescence(
        &mut self,
        position: &Position,
        mut alpha: i32,
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
        let known = self.request.table.get(position.key(), ply);
        if let Some(known) = known
            && beta - alpha == 1
            && known.settles(alpha, beta)
        {
            return known.value;
        }
        let chess = position.chess();
        let in_check = position.is_check();
        let rules = Rules::new(position);
        let first_alpha = alpha;
        let mut best = mated_in(ply);
        let mut raw = DRAW;
        if !in_check {
            if rules.count(1) == 0 {
                return DRAW;
            }
            raw = match known {
                Some(known) => known.evaluation,
                None => self.evaluate(position),
            };
            let evaluation = self.corrected(raw, &self.place(position, ply));
            best = match known {
                Some(known)
                    if known.settles(evaluation, evaluation) && known.value.abs() < MATE_BOUND =>
                {
                    known.value
                }
                _ => evaluation,
            };
            alpha = alpha.max(best);
            if alpha >= beta {
                if known.is_none() {
                    // Evaluating costs more than looking it up.
                    self.remember(position, ply, None, best, raw, 0, Bound::Lower);
                }
                return best;
            }
        }
        let table_move = known
            .and_then(|known| rules.find(known.best))
            .filter(|&m| in_check || (is_loud(m) && exchange_at_least(chess, m, 0)));
        let wanted = if in_check { Wanted::All } else { Wanted::GoodCaptures };
        let mut picker =
            Picker::new(&self.moves, wanted, table_move, Default::default(), self.after(ply));
        let mut best_move = None;
        // Even with this on top of what it takes, a capture has to come up to alpha.
        let hope = best + delta_margin();
        while let Some(m) = self.pick(&mut picker, position, &rules) {
            if in_check {
                // Once there is a way out, those that lose material are not looked at.
                if best > -MATE_BOUND && self.is_selective() && !exchange_at_least(chess, m, 0) {
                    continue;
                }
            } else if self.is_selective()
                && m.promotion().is_none()
                && hope <= alpha
                && !exchange_at_least(chess, m, alpha - hope + 1)
            {
                best = best.max(hope);
                continue;
            }
            let child = position.play(m);
            self.plies[ply].step = Step::new(chess.turn(), m);
            self.keys.push(child.key());
            let value = -self.quiescence(&child, -beta, -alpha, ply + 1);
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
                    if alpha >= beta {
                        break;
                    }
                }
            }
        }
        picker.finish(&mut self.moves);
        if self.stopped {
            return DRAW;
        }
        let bound = Bound::of(best, first_alpha, beta);
        self.remember(position, ply, best_move, best, raw, 0, bound);
        best
    }
}

/// A capture or a promotion to a queen.
fn is_loud(m: Move) -> bool {
    match m.promotion() {
        None => m.is_capture(),
        Some(role) => role == Role::Queen,
    }
}
