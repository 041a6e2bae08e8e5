//! What has been learnt of moves elsewhere in the tree.

use shakmaty::{Color, Move};

/// The largest magnitude of a history score.
pub(super) const MAX_HISTORY: i32 = 16_384;

/// How well quiet moves have done so far in this search, by side, origin and target.
pub(super) struct History {
    quiet: Vec<[[i16; 64]; 64]>,
}

impl History {
    pub(super) fn new() -> History {
        History { quiet: vec![[[0; 64]; 64]; 2] }
    }

    pub(super) fn quiet(&self, turn: Color, m: Move) -> i32 {
        m.from().map_or(0, |from| {
            i32::from(self.quiet[turn as usize][from.to_usize()][m.to().to_usize()])
        })
    }

    pub(super) fn update_quiet(&mut self, turn: Color, m: Move, bonus: i32) {
        if let Some(from) = m.from() {
            update(&mut self.quiet[turn as usize][from.to_usize()][m.to().to_usize()], bonus);
        }
    }
}

/// Moves a score towards the bonus, the less the nearer it is to the maximum.
fn update(score: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-MAX_HISTORY, MAX_HISTORY);
    let pull = i32::from(*score) * bonus.abs() / MAX_HISTORY;
    *score += (bonus - pull) as i16;
}
