//! Search values: centipawns in the middle, mates at both ends.

/// The value of being checkmated at the root, negated. Mate in `n` plies is `MATE - n`.
pub const MATE: i32 = 32_000;

/// The deepest a line can go, in plies from the root.
pub const MAX_PLY: usize = 240;

/// Above every other value.
pub const INFINITY: i32 = MATE + 1;

/// Values from here up, or below its negation, are mates.
pub const MATE_BOUND: i32 = MATE - MAX_PLY as i32;

/// The largest value an evaluation may have, well away from the mates.
pub const MAX_EVALUATION: i32 = 30_000;

/// The value of a win that tablebases know, at the root: above every evaluation and below every mate.
pub const TABLEBASE_WIN: i32 = 31_000;

const _: () =
    assert!(MAX_EVALUATION < TABLEBASE_WIN - MAX_PLY as i32 && TABLEBASE_WIN < MATE_BOUND);

/// A draw is worth nothing.
pub const DRAW: i32 = 0;

/// The value of being mated after `ply` plies, for the side to move.
pub const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// A value as people and GUIs read it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Hundredths of a pawn for the side to move.
    Centipawns(i32),
    /// Mate in so many moves (not plies); negative if the side to move is mated; 0 if it is mated
    /// already.
    Mate(i32),
}

impl From<i32> for Value {
    fn from(value: i32) -> Value {
        if value >= MATE_BOUND {
            Value::Mate((MATE - value + 1) / 2)
        } else if value <= -MATE_BOUND {
            Value::Mate((-MATE - value) / 2)
        } else {
            Value::Centipawns(value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_become_moves() {
        assert_eq!(Value::from(MATE - 1), Value::Mate(1));
        assert_eq!(Value::from(MATE - 3), Value::Mate(2));
        assert_eq!(Value::from(mated_in(0)), Value::Mate(0));
        assert_eq!(Value::from(mated_in(2)), Value::Mate(-1));
        assert_eq!(Value::from(mated_in(4)), Value::Mate(-2));
        assert_eq!(Value::from(-123), Value::Centipawns(-123));
    }
}
