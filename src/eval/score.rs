//! A middlegame and an endgame value in one number.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A middlegame and an endgame value, added and multiplied together in one machine word.
///
/// The unit is the *grain*, 1/256 of a centipawn, so that weights with decimals stay exact enough, even
/// weights that are counted in hundredths. The endgame value is in the upper half of an `i64`, the
/// middlegame value in the lower half, each up to 8,388,607 centipawns. No position of a game comes near
/// that; beyond it, in positions with a board full of queens, values wrap around.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Hash)]
pub struct Score(i64);

impl Score {
    /// Zero for both phases.
    pub const ZERO: Score = Score(0);

    /// Grains in one centipawn.
    pub const GRAINS: i32 = 256;

    /// The largest game phase: all minor and major pieces on the board. See [`Score::taper`].
    pub const MAX_PHASE: i32 = 24;

    /// A pair from grains.
    #[inline]
    pub const fn new(middlegame: i32, endgame: i32) -> Score {
        Score(((endgame as i64) << 32) + middlegame as i64)
    }

    /// A pair from centipawns, rounded to the nearest grain.
    ///
    /// ```
    /// use tropism::eval::Score;
    /// assert_eq!(Score::from_centipawns(1.0, -0.5), Score::new(256, -128));
    /// ```
    pub fn from_centipawns(middlegame: f64, endgame: f64) -> Score {
        let grains = |centipawns: f64| (centipawns * f64::from(Self::GRAINS)).round() as i32;
        Score::new(grains(middlegame), grains(endgame))
    }

    /// A percentage of both values, truncated to whole grains.
    pub const fn percent(self, percent: u32) -> Score {
        Score::new(
            (self.middlegame() as i64 * percent as i64 / 100) as i32,
            (self.endgame() as i64 * percent as i64 / 100) as i32,
        )
    }

    /// The middlegame value in grains.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i32
    }

    /// The endgame value in grains.
    #[inline]
    pub const fn endgame(self) -> i32 {
        // A negative lower half has borrowed 1 from the upper half; adding half a word restores it.
        (self.0.wrapping_add(1 << 31) >> 32) as i32
    }

    /// The value in centipawns at a game phase: 24 (all pieces) is pure middlegame, 0 (none) is pure
    /// endgame, a phase between them a weighted mean. It rounds towards zero, so that the opposite score
    /// tapers to the opposite value.
    ///
    /// ```
    /// use tropism::eval::Score;
    /// let score = Score::from_centipawns(100.0, 40.0);
    /// assert_eq!((score.taper(24), score.taper(12), score.taper(0)), (100, 70, 40));
    /// assert_eq!((-score).taper(12), -70);
    /// ```
    #[inline]
    pub const fn taper(self, phase: i32) -> i32 {
        let mixed = self.middlegame() as i64 * phase as i64
            + self.endgame() as i64 * (Self::MAX_PHASE - phase) as i64;
        (mixed / (Self::MAX_PHASE * Self::GRAINS) as i64) as i32
    }
}

impl Score {
    /// The value of [`Score::taper`] in centipawns, not rounded, so that the values of parts add up to the
    /// value of the whole.
    ///
    /// ```
    /// use tropism::eval::Score;
    /// assert_eq!(Score::from_centipawns(1.0, 2.0).centipawns(18), 1.25);
    /// ```
    pub fn centipawns(self, phase: i32) -> f64 {
        let [middlegame, endgame] = [self.middlegame(), self.endgame()].map(f64::from);
        let mixed = middlegame * f64::from(phase) + endgame * f64::from(Self::MAX_PHASE - phase);
        mixed / f64::from(Self::MAX_PHASE * Self::GRAINS)
    }
}

impl fmt::Display for Score {
    /// Centipawns in the middlegame and in the endgame, as engine files write them: `[14.00, -10.50]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:.2}, {:.2}]", self.centipawns(Self::MAX_PHASE), self.centipawns(0))
    }
}

impl Add for Score {
    type Output = Score;
    #[inline]
    fn add(self, other: Score) -> Score {
        Score(self.0.wrapping_add(other.0))
    }
}

impl Sub for Score {
    type Output = Score;
    #[inline]
    fn sub(self, other: Score) -> Score {
        Score(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Score {
    type Output = Score;
    #[inline]
    fn mul(self, count: i32) -> Score {
        Score(self.0.wrapping_mul(i64::from(count)))
    }
}

impl AddAssign for Score {
    #[inline]
    fn add_assign(&mut self, other: Score) {
        *self = *self + other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_score_is_shown_in_centipawns() {
        assert_eq!(Score::from_centipawns(14.0, -10.5).to_string(), "[14.00, -10.50]");
    }

    proptest! {
        #[test]
        fn both_halves_add_and_multiply_as_if_alone(
            a in -1_000_000..1_000_000, b in -1_000_000..1_000_000,
            c in -1_000_000..1_000_000, d in -1_000_000..1_000_000, n in -100..100,
        ) {
            let (x, y) = (Score::new(a, b), Score::new(c, d));
            prop_assert_eq!(x + y, Score::new(a + c, b + d));
            prop_assert_eq!(x - y, Score::new(a - c, b - d));
            prop_assert_eq!(x * n, Score::new(a * n, b * n));
            prop_assert_eq!((-x).middlegame(), -a);
            prop_assert_eq!((-x).endgame(), -b);
        }

        #[test]
        fn the_opposite_score_tapers_to_the_opposite_value(
            a in -1_000_000..1_000_000, b in -1_000_000..1_000_000, phase in 0..=24,
        ) {
            prop_assert_eq!((-Score::new(a, b)).taper(phase), -Score::new(a, b).taper(phase));
        }
    }
}
