//! The three stages of the training.
//!
//! 1. *Fit*: the value of a position comes near its moves to mate.
//! 2. *Spread*: within a few moves the value must rise by a margin, against every reply. The best position that
//!    White can force is raised, and the position that it is forced from is lowered.
//! 3. *Cuts*: the few positions that still have no step. For each the smallest change of the weights is found
//!    that gives it one, while all positions of earlier rounds keep theirs (the cutting planes of support vector
//!    machines, solved by dual coordinate descent: Hsieh et al. 2008).

use super::model::Model;
use crate::adam::{Adam, AdamSettings};
use rayon::prelude::*;
use std::{
    collections::BTreeSet,
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
    /// Which weights change. The others count the same everywhere.
    pub(super) varying: &'a [bool],
    /// Ends a stage early.
    pub(super) stop: &'a AtomicBool,
}

/// The longest distance that the fit distinguishes, in moves. Drawn positions with a level count as this far.
const FARTHEST: f64 = 40.0;

/// The moves within which the value must rise in the second stage.
const SPREAD_MOVES: usize = 4;

/// The share of perfect progress, [`Stages::per_move`] in each move, that the second stage asks for.
const SPREAD_SHARE: f64 = 0.6;

/// How much the second stage holds values to the moves to mate.
const SPREAD_ANCHOR: f64 = 0.03;

/// The bounds of the second stage's gradient for a position, in moves.
const ANCHOR_BOUND: f64 = 3.0;
const SLACK_BOUND: f64 = 2.4;

/// A step must clear its level by this much, in centipawns, so that rounding does not undo it.
const CLEARANCE: f64 = 3.0;

/// The largest multiplier of a cut.
const MAX_MULTIPLIER: f64 = 500.0;

/// Rounds of coordinate descent over all cuts.
const DESCENTS: usize = 60;

const ADAM: AdamSettings = AdamSettings { beta: [0.8, 0.99], epsilon: 1e-8, decay: 0.0 };

/// The learning rate falls evenly to almost nothing.
fn rate(first: f64, iteration: usize, iterations: usize) -> f64 {
    first * (1.0 - iteration as f64 / iterations as f64) + first / 50.0
}

impl Stages<'_> {
    /// By how much the value of a position is above that of its moves to mate, in centipawns.
    fn error(self, weights: &[f64], index: u32) -> f64 {
        let moves = self.model.graph.moves_to_mate_after(index).map_or(FARTHEST, f64::from);
        self.model.value(weights, index) - self.mate + self.per_move * moves.min(FARTHEST)
    }

    /// The root of the mean squared error, in moves.
    pub(super) fn mean_error(self, weights: &[f64]) -> f64 {
        let counted = self.model.counted.iter();
        let sum: f64 = counted.map(|&index| self.error(weights, index).powi(2)).sum();
        (sum / self.model.counted.len() as f64).sqrt() / self.per_move
    }

    /// The first stage.
    pub(super) fn fit(self, weights: &mut [f64], iterations: usize) {
        let model = self.model;
        let mut adam = Adam::new(ADAM, self.varying.to_vec());
        for iteration in (0..iterations).take_while(|_| !self.stop.load(Relaxed)) {
            let counted = model.counted.par_iter();
            let errors: Vec<(u32, f64)> =
                counted.map(|&index| (index, self.error(weights, index))).collect();
            let gradient = model.weighted_counts(&errors);
            adam.step(weights, &gradient, rate(0.5 * self.per_move, iteration, iterations));
        }
    }

    /// The second stage. `report` gets the number of iterations so far and the steps.
    pub(super) fn spread(
        self,
        weights: &mut [f64],
        iterations: usize,
        mut report: impl FnMut(usize, &Steps),
    ) {
        let model = self.model;
        let mut adam = Adam::new(ADAM, self.varying.to_vec());
        let margin = SPREAD_SHARE * SPREAD_MOVES as f64 * self.per_move;
        for iteration in (0..iterations).take_while(|_| !self.stop.load(Relaxed)) {
            let steps = Steps::new(model.graph, model.values(weights), SPREAD_MOVES);
            report(iteration, &steps);
            let forces: Vec<(u32, f64)> = (model.counted.par_iter())
                .flat_map_iter(|&index| {
                    let value = f64::from(steps.value(index));
                    let bound = ANCHOR_BOUND * self.per_move;
                    let anchor = SPREAD_ANCHOR * self.error(weights, index).clamp(-bound, bound);
                    let forced = f64::from(steps.forced(index, SPREAD_MOVES));
                    let slack = (margin - (forced - value)).clamp(0.0, SLACK_BOUND * self.per_move);
                    let leaf = (slack > 0.0).then(|| steps.leaf(index, SPREAD_MOVES)).flatten();
                    [(index, anchor + slack)].into_iter().chain(leaf.map(|leaf| (leaf, -slack)))
                })
                .collect();
            let gradient = model.weighted_counts(&forces);
            adam.step(weights, &gradient, rate(0.1 * self.per_move, iteration, iterations));
        }
    }

    /// The third stage. Returns the fewest positions without a step, and the weights that have so few, rounded as
    /// they are written. `report` gets the number of rounds so far and of positions without a step.
    pub(super) fn cut(
        self,
        mut weights: Vec<f64>,
        rounds: usize,
        mut report: impl FnMut(usize, usize),
    ) -> (usize, Vec<f64>) {
        let model = self.model;
        let mut best = (usize::MAX, Vec::new());
        let mut cuts: Vec<Cut> = Vec::new();
        let mut watched = BTreeSet::new();
        for round in 0..=rounds {
            let written = rounded(&weights);
            let values = model.values(&written);
            let steps = Steps::new(model.graph, values.clone(), self.moves);
            let without = without_step(model, &steps);
            report(round, without.len());
            if without.len() < best.0 {
                best = (without.len(), written);
            }
            if without.is_empty() || round == rounds || self.stop.load(Relaxed) {
                break;
            }
            // Positions without a step must not count as the goal of another one's step.
            let mut lowered = values;
            for &index in &without {
                lowered[index as usize] -= LOWERED;
            }
            let steps_elsewhere = Steps::new(model.graph, lowered, self.moves);
            watched.extend(without);
            cuts.retain(|cut| cut.multiplier > 0.0);
            cuts.extend(watched.iter().filter_map(|&index| {
                let leaf = steps_elsewhere.leaf(index, self.moves)?;
                let value = f64::from(steps.value(index));
                let gap = f64::from(Steps::higher_level(steps.value(index))) - value + CLEARANCE;
                let gained = model.value(&weights, leaf) - model.value(&weights, index);
                let is_near = gained < gap + self.per_move;
                let gap = gap - model.rest_gained(index, leaf);
                is_near.then(|| Cut::new(model.difference(index, leaf), gap)).flatten()
            }));
            for _ in 0..DESCENTS {
                cuts.iter_mut().for_each(|cut| cut.satisfy(&mut weights));
            }
        }
        best
    }
}

/// Weights as they are written, in tenths of a centipawn.
fn rounded(weights: &[f64]) -> Vec<f64> {
    weights.iter().map(|weight| (10.0 * weight).round() / 10.0).collect()
}

/// Below the value of any position, in centipawns.
const LOWERED: i32 = 1_000_000;

/// The positions from which no higher level can be forced.
fn without_step(model: &Model, steps: &Steps) -> Vec<u32> {
    let counted = model.counted.par_iter().copied();
    counted.filter(|&index| steps.longest_step(index).is_none()).collect()
}

/// The demand that one position is worth more than another.
struct Cut {
    /// The weights in which they differ, and by how much.
    difference: Vec<(usize, f64)>,
    square: f64,
    /// By how much it must be worth more by these weights, in centipawns.
    gap: f64,
    /// The multiplier of the demand: how much of the difference is added to the weights.
    multiplier: f64,
}

impl Cut {
    /// None if the positions do not differ.
    fn new(difference: Vec<(usize, f64)>, gap: f64) -> Option<Cut> {
        let square: f64 = difference.iter().map(|(_, count)| count * count).sum();
        (square > 0.0).then_some(Cut { difference, square, gap, multiplier: 0.0 })
    }

    /// One step of coordinate descent: the smallest change of the weights that meets the demand, or takes an
    /// earlier change back as far as it is no longer needed.
    fn satisfy(&mut self, weights: &mut [f64]) {
        let gained: f64 = self.difference.iter().map(|&(weight, by)| weights[weight] * by).sum();
        let wanted = self.multiplier + (self.gap - gained) / self.square;
        let step = wanted.clamp(0.0, MAX_MULTIPLIER) - self.multiplier;
        self.multiplier += step;
        for &(weight, by) in &self.difference {
            weights[weight] += step * by;
        }
    }
}
