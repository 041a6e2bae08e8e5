//! The loss, its gradient, and the way down.

use super::{
    MIN_SUPPORT, Tuner,
    samples::{Sample, Samples},
};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tropism::random::SplitMix64;

/// Adam's memory of gradients and of their squares, and what keeps it from dividing by nothing.
const MEMORY: [f64; 2] = [0.9, 0.999];
const EPSILON: f64 = 1e-12;

/// Positions of one game have much in common: they tell as much as one in so many would alone.
const REDUNDANCY: f64 = 10.0;

/// Positions that one thread takes at a time.
const CHUNK: usize = 1024;

/// Mean cross-entropy of results and expectations, in natural units.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Loss {
    pub(super) training: f64,
    pub(super) validation: f64,
}

/// The state of the descent.
pub(super) struct Descent<'a> {
    tuner: &'a Tuner,
    samples: &'a Samples,
    start: Vec<[f64; 2]>,
    pub(super) weights: Vec<[f64; 2]>,
    /// Adam's means of the gradient and of its square.
    first: Vec<[f64; 2]>,
    second: Vec<[f64; 2]>,
    steps: i32,
    order: Vec<u32>,
    random: SplitMix64,
    scale: f64,
    penalty: f64,
}

/// White's value of a position, and how much of a change of the balance comes through.
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

/// The expected points at a value, where `scale` centipawns are odds of ten to one.
#[inline]
fn expected(value: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-std::f64::consts::LN_10 * value / scale).exp())
}

fn cross_entropy(target: f64, expected: f64) -> f64 {
    let expected = expected.clamp(1e-9, 1.0 - 1e-9);
    -(target * expected.ln() + (1.0 - target) * (1.0 - expected).ln())
}

/// The mean over some of the samples.
pub(super) fn mean_loss(
    samples: &Samples,
    some: &[Sample],
    weights: &[[f64; 2]],
    scale: f64,
    score_share: f64,
) -> f64 {
    let losses = some.par_chunks(CHUNK).map(|chunk| {
        let loss = |sample: &Sample| {
            let (value, _) = value(samples, sample, weights);
            cross_entropy(target(sample, scale, score_share), expected(value, scale))
        };
        chunk.iter().map(loss).sum::<f64>()
    });
    // In order, so that the sum is the same however many threads there are.
    losses.collect::<Vec<f64>>().into_iter().sum::<f64>() / some.len().max(1) as f64
}

#[inline]
fn target(sample: &Sample, scale: f64, score_share: f64) -> f64 {
    let by_score = expected(f64::from(sample.score), scale);
    f64::from(sample.points) * (1.0 - score_share) + by_score * score_share
}

/// The centipawns for odds of ten to one with which weights fit the results best: a golden-section
/// search. What the positions are worth does not depend on it and is summed up once.
pub(super) fn best_scale(samples: &Samples, weights: &[[f64; 2]]) -> f64 {
    let worth = |sample: &Sample| (value(samples, sample, weights).0, f64::from(sample.points));
    let positions: Vec<(f64, f64)> = samples.training.par_iter().map(worth).collect();
    let loss = |scale: f64| {
        let losses = positions.par_chunks(CHUNK).map(|chunk| {
            let each =
                chunk.iter().map(|&(value, points)| cross_entropy(points, expected(value, scale)));
            each.sum::<f64>()
        });
        // In order, so that the sum is the same however many threads there are.
        losses.collect::<Vec<f64>>().into_iter().sum::<f64>()
    };
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (50.0, 2000.0);
    let inner = |low: f64, high: f64| [high - ratio * (high - low), low + ratio * (high - low)];
    let [mut left, mut right] = inner(low, high).map(|scale| (scale, loss(scale)));
    while high - low > 1.0 {
        // One of the two inner points is an inner point of what is left.
        if left.1 < right.1 {
            (high, right) = (right.0, left);
            let [scale, _] = inner(low, high);
            left = (scale, loss(scale));
        } else {
            (low, left) = (left.0, right);
            let [_, scale] = inner(low, high);
            right = (scale, loss(scale));
        }
    }
    (low + high) / 2.0
}

impl<'a> Descent<'a> {
    pub(super) fn new(
        tuner: &'a Tuner,
        samples: &'a Samples,
        start: Vec<[f64; 2]>,
        scale: f64,
    ) -> Descent<'a> {
        let zeros = vec![[0.0; 2]; start.len()];
        let independent = samples.training.len() as f64 / REDUNDANCY;
        Descent {
            tuner,
            samples,
            weights: start.clone(),
            start,
            first: zeros.clone(),
            second: zeros,
            steps: 0,
            order: (0..samples.training.len() as u32).collect(),
            random: SplitMix64(tuner.seed),
            scale,
            penalty: 1.0 / (tuner.prior * tuner.prior * independent.max(1.0)),
        }
    }

    pub(super) fn loss(&self) -> Loss {
        let mean =
            |some| mean_loss(self.samples, some, &self.weights, self.scale, self.tuner.score_share);
        Loss { training: mean(&self.samples.training), validation: mean(&self.samples.validation) }
    }

    /// Looks at all positions once, in random order.
    pub(super) fn epoch(&mut self, step: f64, stop: &AtomicBool) {
        let mut order = std::mem::take(&mut self.order);
        self.random.shuffle(&mut order);
        for batch in order.chunks(self.tuner.batch.max(1)) {
            if stop.load(Relaxed) {
                break;
            }
            let gradient = self.gradient(batch);
            self.step(&gradient, step);
        }
        self.order = order;
    }

    /// Goes on from other weights, without the momentum that led away from them.
    pub(super) fn restart_from(&mut self, weights: &[[f64; 2]]) {
        self.weights.copy_from_slice(weights);
        self.first.fill([0.0; 2]);
    }

    /// The gradient of the mean loss of a batch.
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
                sum[0] += part[0] / batch.len() as f64;
                sum[1] += part[1] / batch.len() as f64;
            }
        }
        sum
    }

    fn add_gradient(&self, sample: &Sample, gradient: &mut [[f64; 2]]) {
        let (value, share) = value(self.samples, sample, &self.weights);
        let error =
            expected(value, self.scale) - target(sample, self.scale, self.tuner.score_share);
        let slope = error * share * std::f64::consts::LN_10 / self.scale;
        let (mg, eg) = (f64::from(sample.phase), 1.0 - f64::from(sample.phase));
        for &(pair, count) in self.samples.counts(sample) {
            let [middlegame, endgame] = &mut gradient[usize::from(pair)];
            *middlegame += slope * f64::from(count) * mg;
            *endgame += slope * f64::from(count) * eg;
        }
    }

    /// One step of Adam, with the pull back to the start.
    fn step(&mut self, gradient: &[[f64; 2]], step: f64) {
        self.steps += 1;
        let unbias = MEMORY.map(|memory| 1.0 - memory.powi(self.steps));
        for (pair, gradient) in gradient.iter().enumerate() {
            if self.samples.support[pair] < MIN_SUPPORT {
                continue;
            }
            for (half, gradient) in gradient.iter().enumerate() {
                let pull = self.penalty * (self.weights[pair][half] - self.start[pair][half]);
                let slope = gradient + pull;
                let (first, second) = (&mut self.first[pair][half], &mut self.second[pair][half]);
                *first += (1.0 - MEMORY[0]) * (slope - *first);
                *second += (1.0 - MEMORY[1]) * (slope * slope - *second);
                let mean_square = (*second / unbias[1]).sqrt() + EPSILON;
                self.weights[pair][half] -= step * (*first / unbias[0]) / mean_square;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_of_ten_to_one_at_the_scale() {
        assert!((expected(300.0, 300.0) - 10.0 / 11.0).abs() < 1e-12);
        assert!((expected(-300.0, 300.0) - 1.0 / 11.0).abs() < 1e-12);
        assert_eq!(expected(0.0, 300.0), 0.5);
    }

    #[test]
    fn cross_entropy_is_least_at_the_truth() {
        for target in [0.0, 0.25, 0.5, 1.0] {
            let least = cross_entropy(target, target);
            for other in [0.01, 0.2, 0.3, 0.6, 0.99] {
                assert!(cross_entropy(target, other) >= least, "{target} {other}");
            }
        }
        assert!((cross_entropy(0.5, 0.5) - std::f64::consts::LN_2).abs() < 1e-12);
    }
}
