//! The two stages of the training.
//!
//! 1. *Fit*: the weights whose values are nearest to the moves to mate, by least squares.
//! 2. *Cuts*: for each position without a step the demand that the best position it can reach is worth more, by a
//!    level. Each demand is met by the change of the weights that moves the values of all positions least, while
//!    earlier demands stay met (cutting planes, by dual coordinate descent: Hsieh et al. 2008).

use super::model::Model;
use ndarray::{Array1, Array2, ArrayView2, Axis};
use rayon::prelude::*;
use std::{
    cmp::Reverse,
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use tropism::endings::Steps;

/// What the stages work with and aim at.
#[derive(Copy, Clone)]
pub(super) struct Stages<'a> {
    pub(super) model: &'a Model<'a>,
    /// The most moves of a step.
    pub(super) moves: usize,
    /// What one move nearer to mate is worth, in centipawns.
    pub(super) per_move: f64,
    /// The value of mate, in centipawns: from it the moves to mate are counted.
    pub(super) mate: f64,
    /// Ends the training early.
    pub(super) stop: &'a AtomicBool,
}

/// The result of the fit.
pub(super) struct Fitted {
    pub(super) weights: Array1<f64>,
    /// How much a change of each weight costs, and of each two together: the inverse of the sums of products of
    /// their counts.
    inverse: Array2<f64>,
}

/// How much the fit holds weights to zero: as much as so many positions in which they count.
const PRIOR: f64 = 10.0;

/// A step must clear its level by this many moves, so that other changes of the weights do not undo it.
const CLEARANCE: f64 = 1.0;

/// The most new positions without a step that a round attends to.
const NEW_POSITIONS: usize = 3000;

/// The most rounds of coordinate descent over all cuts, and the violation in moves that is small enough.
const DESCENTS: usize = 150;
const MET: f64 = 0.01;

/// After so many rounds without effect a cut is dropped.
const IDLE_ROUNDS: usize = 2;

/// From this round on, a cut is dropped whose goal has itself no step.
const FIRST_STRICT_ROUND: usize = 8;

/// From this round on, positions are attended to whose step surpasses its level by less than so many centipawns.
const FIRST_CAREFUL_ROUND: usize = 3;
const NARROW: i32 = 5;

/// A goal's value counts at most so many moves above that of its moves to mate.
const OVERVALUED: f64 = 14.0;

impl<'a> Stages<'a> {
    /// The value that the moves to mate ask for, in centipawns.
    fn target(self, index: u32) -> f64 {
        let moves = self.model.graph.moves_to_mate_after(index).map_or(0.0, f64::from);
        self.mate - self.per_move * moves
    }

    /// The root of the mean squared difference from the moves to mate, in moves.
    pub(super) fn mean_error(self, weights: &Array1<f64>) -> f64 {
        let counted = self.model.counted.iter();
        let error = |&index: &u32| self.model.value(weights, index) - self.target(index);
        let sum: f64 = counted.map(|index| error(index).powi(2)).sum();
        (sum / self.model.counted.len() as f64).sqrt() / self.per_move
    }

    /// The first stage.
    pub(super) fn fit(self) -> Fitted {
        let target = |index| self.target(index) - self.model.rest(index);
        let (mut products, targets) = self.model.products(target);
        products.diag_mut().iter_mut().for_each(|product| *product += PRIOR);
        let inverse = inverse(products.view());
        Fitted { weights: inverse.dot(&targets), inverse }
    }

    /// The second stage. Returns the fewest positions without a step, and the weights that have so few, rounded as
    /// they are written. `report` gets the number of rounds so far and of positions without a step.
    pub(super) fn cut(
        self,
        fitted: Fitted,
        rounds: usize,
        mut report: impl FnMut(usize, usize),
    ) -> (usize, Array1<f64>) {
        let Fitted { mut weights, inverse } = fitted;
        let mut best = (usize::MAX, weights.clone());
        // By the position without a step and the one that it shall step to.
        let mut cuts: BTreeMap<(u32, u32), Cut> = BTreeMap::new();
        let mut watched: Vec<u32> = Vec::new();
        for round in 0..=rounds {
            let written = weights.mapv(f64::round);
            let values = self.model.values(&written);
            let steps = Steps::new(self.model.graph, values.clone(), self.moves);
            let without = self.lacking(&steps, 0);
            report(round, without.len());
            if without.len() < best.0 {
                best = (without.len(), written);
            }
            if without.is_empty() || round == rounds || self.stop.load(Relaxed) {
                break;
            }
            let goals = self.goals(values, &without);
            if round >= FIRST_STRICT_ROUND {
                cuts.retain(|(_, goal), cut| {
                    let has_step = without.binary_search(goal).is_err();
                    if !has_step {
                        cut.take_back(&mut weights);
                    }
                    has_step
                });
            }
            cuts.retain(|_, cut| {
                cut.idle = if cut.multiplier > 0.0 { 0 } else { cut.idle + 1 };
                cut.idle <= IDLE_ROUNDS
            });
            let mut new = match round < FIRST_CAREFUL_ROUND {
                true => without,
                false => self.lacking(&steps, NARROW),
            };
            new.retain(|index| watched.binary_search(index).is_err());
            new.sort_by_key(|&index| (Reverse(self.missing(&steps, index)), index));
            watched.extend(new.into_iter().take(NEW_POSITIONS));
            watched.sort_unstable();
            for &index in &watched {
                let Some(goal) = goals.leaf(index, self.moves) else { continue };
                let [value, reached] = [index, goal].map(|at| f64::from(steps.value(at)));
                let level = f64::from(Steps::higher_level(steps.value(index)));
                let gap = level - value + CLEARANCE * self.per_move;
                if reached - value < gap + self.per_move {
                    let cut = cuts.entry((index, goal));
                    let cut = cut.or_insert_with(|| Cut::new(self.model, index, goal, &inverse));
                    cut.gap = gap - self.model.rest(goal) + self.model.rest(index);
                }
            }
            cuts.retain(|_, cut| cut.square > 0.0);
            for _ in 0..DESCENTS {
                let largest = cuts
                    .values_mut()
                    .fold(0.0_f64, |largest, cut| largest.max(cut.satisfy(&mut weights, &inverse)));
                if largest < MET * self.per_move {
                    break;
                }
            }
        }
        best
    }

    /// The positions whose best line surpasses the next level by less than `margin` centipawns, or does not reach it,
    /// in ascending order.
    fn lacking(self, steps: &Steps, margin: i32) -> Vec<u32> {
        let counted = self.model.counted.par_iter().copied();
        counted.filter(|&index| self.missing(steps, index) > -margin).collect()
    }

    /// The steps from which goals are chosen. A position that itself has no step is none, and one is not valued much
    /// above its moves to mate: it would be raised again and again.
    fn goals(self, mut values: Vec<i32>, without: &[u32]) -> Steps<'a> {
        for &index in &self.model.counted {
            let most = self.target(index) + OVERVALUED * self.per_move;
            let value = &mut values[index as usize];
            *value = (*value).min(most as i32);
        }
        for &index in without {
            values[index as usize] -= LOWERED;
        }
        Steps::new(self.model.graph, values, self.moves)
    }

    /// By how much a position lacks a step, in centipawns.
    fn missing(self, steps: &Steps, index: u32) -> i32 {
        let value = steps.value(index);
        let forced = steps.forced(index, self.moves).max(value - LOWERED);
        Steps::higher_level(value) - forced
    }
}

/// Below the value of any position, in centipawns.
const LOWERED: i32 = 100_000_000;

/// The demand that one position is worth more than another.
struct Cut {
    /// The weights in which they differ, and by how much.
    difference: Vec<(u16, f64)>,
    /// The change of all weights that the multiplier scales, once it is needed.
    direction: Option<Array1<f32>>,
    /// By how much that change meets the demand.
    square: f64,
    /// By how much the trained weights must make the position worth more, in centipawns.
    gap: f64,
    multiplier: f64,
    /// Rounds without effect.
    idle: usize,
}

impl Cut {
    fn new(model: &Model, from: u32, to: u32, inverse: &Array2<f64>) -> Cut {
        let mut sum: BTreeMap<u16, f64> = BTreeMap::new();
        for (index, sign) in [(from, -1.0), (to, 1.0)] {
            for &(weight, count) in model.counts(index) {
                *sum.entry(weight).or_default() += sign * f64::from(count);
            }
        }
        let difference: Vec<(u16, f64)> = sum.into_iter().filter(|&(_, by)| by != 0.0).collect();
        let entry = |a: u16, b: u16| inverse[[usize::from(a), usize::from(b)]];
        let square = difference
            .iter()
            .map(|&(a, one)| {
                difference.iter().map(|&(b, other)| one * other * entry(a, b)).sum::<f64>()
            })
            .sum();
        Cut { difference, direction: None, square, gap: 0.0, multiplier: 0.0, idle: 0 }
    }

    /// One step of coordinate descent: the smallest change that meets the demand, or takes an earlier change back as
    /// far as it is no longer needed. Returns the size of the step, in centipawns.
    fn satisfy(&mut self, weights: &mut Array1<f64>, inverse: &Array2<f64>) -> f64 {
        let gained: f64 =
            self.difference.iter().map(|&(weight, by)| weights[usize::from(weight)] * by).sum();
        let wanted = (self.multiplier + (self.gap - gained) / self.square).max(0.0);
        let step = wanted - self.multiplier;
        if step != 0.0 {
            self.multiplier = wanted;
            let difference = &self.difference;
            let direction = self.direction.get_or_insert_with(|| {
                let mut sum = Array1::<f64>::zeros(inverse.nrows());
                for &(weight, by) in difference {
                    sum.scaled_add(by, &inverse.row(usize::from(weight)));
                }
                sum.mapv(|change| change as f32)
            });
            weights.zip_mut_with(direction, |weight, &by| *weight += step * f64::from(by));
        }
        (step * self.square).abs()
    }

    /// Undoes its whole effect.
    fn take_back(&self, weights: &mut Array1<f64>) {
        if let Some(direction) = &self.direction {
            weights
                .zip_mut_with(direction, |weight, &by| *weight -= self.multiplier * f64::from(by));
        }
    }
}

/// The inverse of a symmetric, positive definite matrix, by halves: those of a corner and of what is left of the
/// opposite corner (its Schur complement).
fn inverse(matrix: ArrayView2<f64>) -> Array2<f64> {
    let size = matrix.nrows();
    let half = size / 2;
    if half == 0 {
        return matrix.mapv(f64::recip);
    }
    let (upper, lower) = matrix.split_at(Axis(0), half);
    let (first, mixed) = upper.split_at(Axis(1), half);
    let (_, last) = lower.split_at(Axis(1), half);
    let first = inverse(first);
    let across = first.dot(&mixed);
    let last = inverse((&last - &mixed.t().dot(&across)).view());
    let corner = -across.dot(&last);
    let first = first - corner.dot(&across.t());
    let mut whole = Array2::zeros((size, size));
    let (mut upper, mut lower) = whole.view_mut().split_at(Axis(0), half);
    for (row, [left, right]) in
        [(&mut upper, [first.view(), corner.view()]), (&mut lower, [corner.t(), last.view()])]
    {
        let (mut place, mut other) = row.view_mut().split_at(Axis(1), half);
        place.assign(&left);
        other.assign(&right);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        for size in [0, 1, 2, 3, 7, 20] {
            // Positive definite: a square of a matrix plus a multiple of one.
            let some = Array2::from_shape_fn((size, size), |(i, j)| ((3 * i + 7 * j) % 11) as f64);
            let matrix = some.dot(&some.t()) + Array2::<f64>::eye(size) * 5.0;
            let one = matrix.dot(&inverse(matrix.view()));
            let error = (one - Array2::<f64>::eye(size)).mapv(f64::abs).sum();
            assert!(error < 1e-6, "{size}: {error}");
        }
    }
}
