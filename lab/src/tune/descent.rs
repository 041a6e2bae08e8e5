//! The loss, its gradient, and gradient descent.

use super::adam::Adam;
use super::samples::{Sample, Samples};
use crate::arguments::{at_least_1, positive};
use crate::curve::{CHUNK, best_scale, expected, sum_in_order};
use clap::Args;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tropism::random::SplitMix64;

/// Smaller than usual, because gradients of rare weights are tiny. The pull to the start is part of the gradient, so
/// there is no decay.
const EPSILON: f64 = 1e-12;

/// A weight that counts in fewer positions does not change.
const MIN_SUPPORT: u32 = 20;

/// Epochs without a better validation loss before the learning rate is reduced.
const PATIENCE: usize = 2;
/// The factor by which it is reduced.
const RATE_FACTOR: f64 = 0.4;
/// The share of the first learning rate below which the descent ends.
const MIN_RATE: f64 = 0.02;

/// Positions of one game are alike: this many are taken to carry the information of one.
const REDUNDANCY: f64 = 10.0;

/// Mean cross-entropy of targets and predictions, in nats.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Loss {
    pub(super) training: f64,
    pub(super) validation: f64,
}

/// How the weights are fitted.
#[derive(Args, Clone, Debug)]
pub(super) struct DescentSettings {
    /// Learning rate at the start: the largest step of a weight, in centipawns.
    #[arg(long, value_name = "CP", default_value_t = 1.0, value_parser = positive)]
    pub(super) step: f64,
    /// How far a weight is expected to move, in centipawns. A smaller value keeps weights nearer to
    /// their start (L2 regularisation).
    #[arg(long, value_name = "CP", default_value_t = 30.0, value_parser = positive)]
    pub(super) prior: f64,
    /// Positions per step.
    #[arg(long, value_name = "N", default_value_t = 8192, value_parser = at_least_1::<usize>())]
    pub(super) batch: usize,
    /// Seed of the order of positions.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
}

/// What a gradient descent has found.
pub(super) struct Descended {
    /// The weights of the least validation loss.
    pub(super) weights: Vec<[f64; 2]>,
    pub(super) before: Loss,
    pub(super) best: Loss,
    pub(super) epochs: usize,
}

/// The state of the gradient descent.
pub(super) struct Descent<'a> {
    settings: &'a DescentSettings,
    samples: &'a Samples,
    start: Vec<[f64; 2]>,
    /// Middlegame and endgame, in centipawns per count.
    weights: Vec<[f64; 2]>,
    adam: Adam,
    /// The order of the training positions in this epoch.
    order: Vec<u32>,
    random: SplitMix64,
    /// Centipawns for odds of ten to one.
    scale: f64,
    target: Target,
    /// Strength of the pull back to the start (L2 regularisation).
    penalty: f64,
}

/// White's value of a position in centipawns, and the factor that scales its balance.
#[inline]
fn value(samples: &Samples, sample: &Sample, weights: &[[f64; 2]]) -> (f64, f64) {
    let (mg, eg) = (f64::from(sample.phase), 1.0 - f64::from(sample.phase));
    let mut balance = f64::from(sample.fixed);
    for &(pair, count) in samples.counts(sample) {
        let [middlegame, endgame] = weights[usize::from(pair)];
        balance += f64::from(count) * (mg * middlegame + eg * endgame);
    }
    let share = f64::from(sample.shares[usize::from(balance <= 0.0)]);
    (balance * share, share)
}

fn cross_entropy(target: f64, expected: f64) -> f64 {
    let expected = expected.clamp(1e-9, 1.0 - 1e-9);
    -(target * expected.ln() + (1.0 - target) * (1.0 - expected).ln())
}

/// What a prediction is compared with: the result of the game, mixed with scores.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Target {
    /// The share of the search's score.
    pub(super) score_share: f64,
    /// The share of the label, and its centipawns for odds of ten to one.
    pub(super) label: Option<(f64, f64)>,
}

impl Target {
    /// White's expected points.
    #[inline]
    fn points(&self, sample: &Sample, scale: f64) -> f64 {
        let by_score = expected(f64::from(sample.score), scale);
        let points =
            f64::from(sample.points) * (1.0 - self.score_share) + by_score * self.score_share;
        match (self.label, sample.label) {
            (Some((share, scale)), Some(label)) => {
                points * (1.0 - share) + expected(f64::from(label), scale) * share
            }
            _ => points,
        }
    }
}

/// The mean loss over some of the samples.
pub(super) fn mean_loss(
    samples: &Samples,
    some: &[Sample],
    weights: &[[f64; 2]],
    scale: f64,
    target: &Target,
) -> f64 {
    let loss = |sample: &Sample| {
        let (value, _) = value(samples, sample, weights);
        cross_entropy(target.points(sample, scale), expected(value, scale))
    };
    sum_in_order(some, loss) / some.len().max(1) as f64
}

/// The scale with which the weights predict the results best, in centipawns for odds of ten to one. The values of the
/// positions do not depend on the scale and are computed once.
pub(super) fn best_scale_of_weights(samples: &Samples, weights: &[[f64; 2]]) -> f64 {
    let valued = |sample: &Sample| (value(samples, sample, weights).0, f64::from(sample.points));
    best_scale_of(&samples.training.par_iter().map(valued).collect::<Vec<_>>())
}

/// The scale with which the labels predict the results best; `None` without labels.
pub(super) fn best_scale_of_labels(samples: &Samples) -> Option<f64> {
    let labelled = |sample: &Sample| Some((f64::from(sample.label?), f64::from(sample.points)));
    let positions: Vec<_> = samples.training.par_iter().filter_map(labelled).collect();
    (!positions.is_empty()).then(|| best_scale_of(&positions))
}

/// The scale with which values predict points best.
fn best_scale_of(positions: &[(f64, f64)]) -> f64 {
    let loss = |&(value, points): &(f64, f64), scale| cross_entropy(points, expected(value, scale));
    best_scale(|scale| sum_in_order(positions, |position| loss(position, scale)))
}

impl<'a> Descent<'a> {
    pub(super) fn new(
        settings: &'a DescentSettings,
        samples: &'a Samples,
        start: Vec<[f64; 2]>,
        scale: f64,
        target: Target,
    ) -> Descent<'a> {
        // Few positions say little about a weight.
        let is_trained = samples.support.iter().flat_map(|&count| [count >= MIN_SUPPORT; 2]);
        let independent = samples.training.len() as f64 / REDUNDANCY;
        Descent {
            settings,
            samples,
            weights: start.clone(),
            start,
            adam: Adam::new(EPSILON, is_trained.collect()),
            order: (0..samples.training.len() as u32).collect(),
            random: SplitMix64(settings.seed),
            scale,
            target,
            penalty: 1.0 / (settings.prior * settings.prior * independent.max(1.0)),
        }
    }

    /// Descends in at most so many epochs, and reports each.
    pub(super) fn run(
        mut self,
        epochs: usize,
        stop: &AtomicBool,
        report: &mut impl FnMut(&str),
    ) -> Descended {
        let before = self.loss();
        let mut step = self.settings.step;
        let mut report_loss = |epoch: usize, Loss { training, validation }: Loss, step: f64| {
            report(&format!(
                "epoch {epoch:>3}  training {training:.5}  validation {validation:.5}  step {step:.3}"
            ));
        };
        report_loss(0, before, step);
        let (mut best, mut weights) = (before, self.weights.clone());
        let (mut idle, mut epoch) = (0, 0);
        while epoch < epochs && step >= self.settings.step * MIN_RATE && !stop.load(Relaxed) {
            epoch += 1;
            self.epoch(step, stop);
            let loss = self.loss();
            report_loss(epoch, loss, step);
            if loss.validation < best.validation {
                (best, weights, idle) = (loss, self.weights.clone(), 0);
                continue;
            }
            idle += 1;
            if idle >= PATIENCE {
                idle = 0;
                step *= RATE_FACTOR;
                // The momentum led away from the best weights.
                self.weights.clone_from(&weights);
                self.adam.reset_momentum();
            }
        }
        if best.validation >= before.validation {
            report(
                "no epoch lowered the validation loss: the new file has the weights of the old one",
            );
        }
        Descended { weights, before, best, epochs: epoch }
    }

    fn loss(&self) -> Loss {
        let mean = |some| mean_loss(self.samples, some, &self.weights, self.scale, &self.target);
        Loss { training: mean(&self.samples.training), validation: mean(&self.samples.validation) }
    }

    /// One epoch: all training positions once, in random order.
    fn epoch(&mut self, step: f64, stop: &AtomicBool) {
        let mut order = std::mem::take(&mut self.order);
        self.random.shuffle(&mut order);
        for batch in order.chunks(self.settings.batch) {
            if stop.load(Relaxed) {
                break;
            }
            let gradient = self.gradient(batch);
            self.adam.step(self.weights.as_flattened_mut(), gradient.as_flattened(), step);
        }
        self.order = order;
    }

    /// The gradient of the mean loss of a batch, with the pull back to the start.
    fn gradient(&self, batch: &[u32]) -> Vec<[f64; 2]> {
        let parts: Vec<Vec<[f64; 2]>> = batch
            .par_chunks(CHUNK.max(batch.len() / 16))
            .map(|chunk| {
                let mut gradient = vec![[0.0; 2]; self.weights.len()];
                for &index in chunk {
                    self.add_gradient(&self.samples.training[index as usize], &mut gradient);
                }
                gradient
            })
            .collect();
        let mut sum = vec![[0.0; 2]; self.weights.len()];
        for part in parts {
            for (sum, part) in sum.iter_mut().zip(part) {
                *sum = [0, 1].map(|half| sum[half] + part[half] / batch.len() as f64);
            }
        }
        for ((sum, weight), start) in sum.iter_mut().zip(&self.weights).zip(&self.start) {
            *sum = [0, 1].map(|it| sum[it] + self.penalty * (weight[it] - start[it]));
        }
        sum
    }

    fn add_gradient(&self, sample: &Sample, gradient: &mut [[f64; 2]]) {
        let (value, share) = value(self.samples, sample, &self.weights);
        let error = expected(value, self.scale) - self.target.points(sample, self.scale);
        let slope = error * share * std::f64::consts::LN_10 / self.scale;
        let (mg, eg) = (f64::from(sample.phase), 1.0 - f64::from(sample.phase));
        for &(pair, count) in self.samples.counts(sample) {
            let [middlegame, endgame] = &mut gradient[usize::from(pair)];
            *middlegame += slope * f64::from(count) * mg;
            *endgame += slope * f64::from(count) * eg;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cross_entropy_is_least_for_the_true_probability() {
        for target in [0.0, 0.25, 0.5, 1.0] {
            let least = cross_entropy(target, target);
            for other in [0.01, 0.2, 0.3, 0.6, 0.99] {
                assert!(cross_entropy(target, other) >= least, "{target} {other}");
            }
        }
        assert!((cross_entropy(0.5, 0.5) - std::f64::consts::LN_2).abs() < 1e-12);
    }
}
