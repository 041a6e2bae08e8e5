//! What has been learnt of moves elsewhere in the tree.

use super::exchange::exchange_value;
use shakmaty::{Color, Move, Role};

/// The largest magnitude of a history score.
pub(super) const MAX_HISTORY: i32 = 16_384;

/// How many moves back a quiet move may be an answer to or a sequel of.
pub(super) const CONTINUATIONS: usize = 2;

/// A man of either colour on its way to a square, or no move at all: what another move follows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Step(usize);

impl Step {
    /// There was no move, or it was passed.
    pub(super) const NONE: Step = Step(2 * 6 * 64);

    /// The number of different steps.
    pub(super) const COUNT: usize = Step::NONE.0 + 1;

    pub(super) fn index(self) -> usize {
        self.0
    }

    pub(super) fn new(turn: Color, m: Move) -> Step {
        Step((turn as usize * 6 + index(m.role())) * 64 + m.to().to_usize())
    }
}

/// How well moves have done so far in this search.
#[derive(Default, Debug)]
pub(super) struct History {
    /// Quiet moves by side, origin and target.
    quiet: Vec<[[i16; 64]; 64]>,
    /// Captures and promotions by side, man, target and victim.
    capture: Vec<[[[i16; 6]; 64]; 6]>,
    /// Quiet moves by what they follow, man and target.
    continuation: Vec<[[i16; 64]; 6]>,
}

impl History {
    pub(super) fn new() -> History {
        History {
            quiet: vec![[[0; 64]; 64]; 2],
            capture: vec![[[[0; 6]; 64]; 6]; 2],
            continuation: vec![[[0; 64]; 6]; Step::COUNT],
        }
    }

    /// The score of a quiet move that follows these steps.
    pub(super) fn quiet(&self, turn: Color, m: Move, after: &[Step]) -> i32 {
        let Some(from) = m.from() else { return 0 };
        let to = m.to().to_usize();
        let own = i32::from(self.quiet[turn as usize][from.to_usize()][to]);
        after
            .iter()
            .fold(own, |sum, step| sum + i32::from(self.continuation[step.0][index(m.role())][to]))
    }

    /// Moves the scores of a quiet move towards a bonus.
    pub(super) fn update_quiet(&mut self, turn: Color, m: Move, after: &[Step], bonus: i32) {
        let Some(from) = m.from() else { return };
        let to = m.to().to_usize();
        update(&mut self.quiet[turn as usize][from.to_usize()][to], bonus);
        for step in after {
            update(&mut self.continuation[step.0][index(m.role())][to], bonus);
        }
    }

    /// The score of a capture or promotion.
    pub(super) fn capture(&self, turn: Color, m: Move) -> i32 {
        let victim = m.capture().map_or(0, index);
        i32::from(self.capture[turn as usize][index(m.role())][m.to().to_usize()][victim])
    }

    /// Moves the score of a capture or promotion towards a bonus.
    pub(super) fn update_capture(&mut self, turn: Color, m: Move, bonus: i32) {
        let victim = m.capture().map_or(0, index);
        let score = &mut self.capture[turn as usize][index(m.role())][m.to().to_usize()][victim];
        update(score, bonus);
    }
}

/// How promising a capture is: the most valuable victim first, and among equal victims what has done
/// well, by the least valuable man.
pub(super) fn capture_order(history: &History, turn: Color, m: Move) -> i32 {
    let victim = m.capture().map_or(0, exchange_value);
    let promoted = m.promotion().map_or(0, exchange_value);
    8 * (victim + promoted) - m.role() as i32 + history.capture(turn, m) / 8
}

const fn index(role: Role) -> usize {
    role as usize - 1
}

/// Moves a score towards the bonus, the less the nearer it is to the maximum.
fn update(score: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-MAX_HISTORY, MAX_HISTORY);
    let pull = i32::from(*score) * bonus.abs() / MAX_HISTORY;
    *score += (bonus - pull) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_approach_the_maximum_and_never_pass_it() {
        let mut score = 0;
        for _ in 0..1000 {
            update(&mut score, 1600);
            assert!(i32::from(score) <= MAX_HISTORY);
        }
        assert!(score > 15_000);
        for _ in 0..1000 {
            update(&mut score, -1600);
            assert!(i32::from(score) >= -MAX_HISTORY);
        }
        assert!(score < -15_000);
    }
}
