//! Who reads a measurement.

use super::{MOST_PAIRS, Score, Weight};
use shakmaty::{Bitboard, Square};

/// The reader of a term's measurement.
///
/// A term says *what it counted*; what that is worth, or that anybody asks, is the sink's affair.
pub trait Sink {
    /// `count` times `weight` for the side being measured, seen on `square`.
    fn add(&mut self, weight: Weight, count: i32, square: Square);

    /// One time `weight` on every square of `set`.
    #[inline]
    fn add_each(&mut self, weight: Weight, set: Bitboard) {
        for square in set {
            self.add(weight, 1, square);
        }
    }
}

/// The summing sink of the search: squares are thrown away, the rest is arithmetic.
#[derive(Debug)]
pub struct Sum<'a> {
    weights: &'a [Score; MOST_PAIRS],
    total: Score,
}

impl<'a> Sum<'a> {
    /// Starts at nothing, with one term's weights in the order it declares them; what stands behind them
    /// does not matter.
    #[inline]
    pub fn new(weights: &'a [Score; MOST_PAIRS]) -> Sum<'a> {
        Sum { weights, total: Score::ZERO }
    }

    /// What a weight is worth. A handle of the term is always within the array: the remainder says so to
    /// the compiler, which then leaves out the check and all that a panic in between would need.
    #[inline]
    fn worth(&self, weight: Weight) -> Score {
        debug_assert!(weight.index() < MOST_PAIRS, "{weight:?} is no handle of a term");
        self.weights[weight.index() % MOST_PAIRS]
    }

    /// The sum of everything added.
    #[inline]
    pub fn total(&self) -> Score {
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
        // Most sets are empty, and counting costs more than looking.
        if set.any() {
            self.total += self.worth(weight) * set.count() as i32;
        }
    }
}

/// One thing a term saw: this many times this weight, here.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Contribution {
    /// Which of the term's weights.
    pub weight: Weight,
    /// How many of its units were measured.
    pub count: i32,
    /// Where it was seen.
    pub square: Square,
}

/// The explaining sink: keeps every judgement.
#[derive(Clone, Default, Debug)]
pub struct Explain {
    /// In the order they were measured.
    pub contributions: Vec<Contribution>,
}

impl Sink for Explain {
    fn add(&mut self, weight: Weight, count: i32, square: Square) {
        self.contributions.push(Contribution { weight, count, square });
    }
}

/// The recording sink of the tuner: the net count of each weight, squares thrown away.
#[derive(Debug)]
pub struct Record<'a> {
    /// One place a weight pair of the term.
    pub counts: &'a mut [i32],
    /// 1 for White, -1 for Black.
    pub sign: i32,
}

impl Sink for Record<'_> {
    #[inline]
    fn add(&mut self, weight: Weight, count: i32, _: Square) {
        self.counts[weight.index()] += self.sign * count;
    }
}
