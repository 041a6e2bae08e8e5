//! Who reads a measurement.

use super::{MAX_PAIRS, Score, Weight};
use shakmaty::{Bitboard, Square};

/// The reader of a term's measurement.
///
/// A term says *what it counted*. The sink decides what that is worth.
pub trait Sink {
    /// `count` times `weight` for the side being measured, found on `square`.
    fn add(&mut self, weight: Weight, count: i32, square: Square);

    /// One time `weight` on every square of `set`.
    #[inline]
    fn add_each(&mut self, weight: Weight, set: Bitboard) {
        for square in set {
            self.add(weight, 1, square);
        }
    }
}

/// The summing sink of the search: it ignores squares, so it compiles to arithmetic.
#[derive(Debug)]
pub(super) struct Sum<'a> {
    weights: &'a [Score; MAX_PAIRS],
    total: Score,
}

impl<'a> Sum<'a> {
    /// Starts at zero. `weights` begins with the term's weights in declared order; the rest is not read.
    #[inline]
    pub(super) fn new(weights: &'a [Score; MAX_PAIRS]) -> Sum<'a> {
        Sum { weights, total: Score::ZERO }
    }

    /// What a weight is worth. A handle of the term is always within the array. The remainder proves that
    /// to the compiler, which then omits the bounds check and the panic.
    #[inline]
    fn worth(&self, weight: Weight) -> Score {
        debug_assert!(weight.index() < MAX_PAIRS, "{weight:?} is no handle of a term");
        self.weights[weight.index() % MAX_PAIRS]
    }

    /// The sum of everything added.
    #[inline]
    pub(super) fn total(&self) -> Score {
        self.total
    }
}

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, weight: Weight, count: i32, _: Square) {
        self.total += self.worth(weight) * count;
    }

    #[inline]
    fn add_each(&mut self, weight: Weight, set: Bitboard) {
        // Most sets are empty, so a test saves the count. With an instruction that counts bits, the count is cheaper than
        // a mispredicted branch.
        if cfg!(target_feature = "popcnt") || set.any() {
            self.total += self.worth(weight) * set.count() as i32;
        }
    }
}

/// One thing that a term counted: a weight, a count and a square.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Contribution {
    /// Which of the term's weights.
    pub weight: Weight,
    /// How many of its units were measured.
    pub count: i32,
    /// The square it belongs to.
    pub square: Square,
}

/// The explaining sink: it keeps every contribution in the order they were measured. The tuner adds them up.
impl Sink for Vec<Contribution> {
    fn add(&mut self, weight: Weight, count: i32, square: Square) {
        self.push(Contribution { weight, count, square });
    }
}
