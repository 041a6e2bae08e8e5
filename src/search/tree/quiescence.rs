//! Quiescence search: captures, promotions and evasions only, until the position is quiet enough to be
//! evaluated.

use super::node::Best;
use super::thread_data::ThreadData;
use crate::search::ordering::history::HistoryContext;
use crate::search::ordering::move_picker::MovePicker;
use crate::search::ordering::movegen::MoveGenerator;
use crate::search::ordering::see::see_ge;
use crate::search::parameters::delta_margin;
use crate::search::position::Position;
use crate::search::score::{DRAW, MATE_BOUND, mated_in};
use crate::search::transposition_table::Bound;
use shakmaty::{Move, Role};

impl ThreadData<'_> {
    /// The value of a position for the side to move after all good captures, with the bounds of `negamax`.
    pub fn quiescence(&mut self, position: &Position, alpha: i32, beta: i32, ply: usize) -> i32 {
        if self.must_stop() {
            return DRAW;
        }
        self.enter_node(ply);
        if let Some(value) = self.draw_or_max_ply(position, ply) {
            return value;
        }
        if let Some(value) = self.endgame_value(position.chess(), ply) {
            return value;
        }
        if alpha >= DRAW || !self.path.can_repeat(position) {
            self.search_noisy(position, alpha, beta, ply)
        } else if beta <= DRAW {
            DRAW
        } else {
            self.search_noisy(position, DRAW, beta, ply).max(DRAW)
        }
    }

    /// The value of a position by standing pat or by noisy moves; in check by all evasions.
    fn search_noisy(&mut self, position: &Position, alpha: i32, beta: i32, ply: usize) -> i32 {
        let entry = self.request.table.get(position.key(), ply);
        if let Some(entry) = entry
            && beta - alpha == 1
            && entry.causes_cutoff(alpha, beta)
        {
            return entry.value;
        }
        let chess = position.chess();
        let generator = MoveGenerator::new(position);
        let in_check = position.is_check();
        let mut stand_pat = mated_in(ply);
        let mut raw_evaluation = DRAW;
        if !in_check {
            if !generator.any() {
                return DRAW;
            }
            raw_evaluation = match entry {
                Some(entry) => entry.evaluation,
                None => self.evaluate(position),
            };
            let evaluation = self.corrected(raw_evaluation, &self.correction_index(position, ply));
            stand_pat = match entry {
                Some(entry)
                    if entry.causes_cutoff(evaluation, evaluation)
                        && entry.value.abs() < MATE_BOUND =>
                {
                    entry.value
                }
                _ => evaluation,
            };
            if stand_pat >= beta {
                if entry.is_none() {
                    // An evaluation costs more than a table lookup.
                    self.store(position, ply, None, stand_pat, raw_evaluation, 0, Bound::Lower);
                }
                return stand_pat;
            }
        }
        let table_move = entry
            .and_then(|entry| generator.find(entry.best))
            .filter(|&m| in_check || (is_noisy(m) && see_ge(chess, m, 0)));
        let mut picker = if in_check {
            let context = HistoryContext::new(chess, self.previous_moves(ply));
            MovePicker::all(&self.moves, table_move, Default::default(), context)
        } else {
            MovePicker::good_captures(&self.moves, table_move)
        };
        let mut best = Best::new(stand_pat, alpha);
        // Delta pruning: the margin plus the captured material must reach alpha.
        let futility_value = stand_pat + delta_margin();
        while let Some(m) = self.next_move(&mut picker, position, &generator) {
            if in_check {
                // After the first evasion that avoids mate, evasions that lose material are skipped.
                if best.value > -MATE_BOUND && self.is_selective() && !see_ge(chess, m, 0) {
                    continue;
                }
            } else if self.is_selective()
                && m.promotion().is_none()
                && futility_value <= best.alpha
                && !see_ge(chess, m, best.alpha - futility_value + 1)
            {
                best.value = best.value.max(futility_value);
                continue;
            }
            let child = self.make(position, m, ply);
            let value = -self.quiescence(&child, -beta, -best.alpha, ply + 1);
            self.unmake();
            if self.stopped || self.update_best(&mut best, m, value, ply) && value >= beta {
                break;
            }
        }
        picker.finish(&mut self.moves);
        if self.stopped {
            return DRAW;
        }
        let bound = Bound::of(best.value, alpha, beta);
        self.store(position, ply, best.m, best.value, raw_evaluation, 0, bound);
        best.value
    }
}

/// Whether a move is a capture or a promotion to a queen.
fn is_noisy(m: Move) -> bool {
    m.promotion().map_or(m.is_capture(), |role| role == Role::Queen)
}
