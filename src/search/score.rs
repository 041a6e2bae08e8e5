//! Search values: centipawns in the middle, mates at both ends.

/// The value of checkmate at the root for the winner. Mate in `n` plies is `MATE - n`.
pub const MATE: i32 = 32_000;

/// The deepest a line can go, in plies from the root.
pub(crate) const MAX_PLY: usize = 240;

/// Above every other value.
pub(crate) const INFINITY: i32 = MATE + 1;

/// Values of at least this, or at most its negation, are mates.
pub(crate) const MATE_BOUND: i32 = MATE - MAX_PLY as i32;

/// The largest value of an evaluation, in centipawns, below all tablebase wins and mates.
pub const MAX_EVALUATION: i32 = 30_000;

/// The value of a tablebase win at the root: above every evaluation and below every mate.
pub const TABLEBASE_WIN: i32 = 31_000;

const _: () =
    assert!(MAX_EVALUATION < TABLEBASE_WIN - MAX_PLY as i32 && TABLEBASE_WIN < MATE_BOUND);

/// The value of a draw.
pub(crate) const DRAW: i32 = 0;

/// The value for a side to move that is checkmated `ply` plies from the root.
pub(crate) const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// A value as GUIs show it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Hundredths of a pawn for the side to move.
    Centipawns(i32),
    /// Mate in this many moves (not plies). Negative if the side to move is mated, 0 if it is checkmated now.
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
