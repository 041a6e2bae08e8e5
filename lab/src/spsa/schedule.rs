//! Simultaneous perturbation stochastic approximation (James Spall 1992). Each iteration perturbs all
//! parameters at once, each up or down at random. The two opposite candidates play a match, and all
//! parameters move a little towards the winner. An iteration costs one match, however many parameters
//! there are.

use tropism::random::SplitMix64;

/// Exponents by which perturbations and learning rates shrink: gamma and alpha of Spall 1998,
/// Implementation of the Simultaneous Perturbation Algorithm.
const GAMMA: f64 = 0.101;
const ALPHA: f64 = 0.602;

/// The stability constant `A` of that paper, as a share of all iterations: it shortens the first steps.
const STABILITY: f64 = 0.1;

/// The last perturbation, as a share of a parameter's range.
const LAST_PERTURBATION: f64 = 0.05;
/// The smallest last perturbation: parameters are whole numbers, and must change.
const MIN_PERTURBATION: f64 = 0.5;

/// A parameter of the search that is tuned.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TunedParameter {
    pub(super) name: String,
    pub(super) low: i32,
    pub(super) high: i32,
    /// The current value, not necessarily a whole number.
    pub(super) value: f64,
}

impl TunedParameter {
    fn last_perturbation(&self) -> f64 {
        (LAST_PERTURBATION * f64::from(self.high - self.low)).max(MIN_PERTURBATION)
    }

    fn clamp(&self, value: f64) -> f64 {
        value.clamp(f64::from(self.low), f64::from(self.high))
    }
}

/// The step sizes of a run.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Schedule {
    /// Iterations in all.
    pub(super) iterations: u32,
    /// How far the last iteration moves a parameter for each point of lead in the match, as a share of
    /// the last perturbation.
    pub(super) rate: f64,
    /// Seed of the random signs.
    pub(super) seed: u64,
}

/// The random change of all parameters in one iteration.
pub(super) struct Perturbation {
    /// Added to each parameter for the first candidate, subtracted for the second.
    changes: Vec<f64>,
    /// How far a parameter moves for each point of lead, as a share of its change.
    rate: f64,
    random: SplitMix64,
}

impl Schedule {
    /// The perturbation of an iteration, counted from 0.
    pub(super) fn perturbation(
        &self,
        iteration: u32,
        parameters: &[TunedParameter],
    ) -> Perturbation {
        let mut random = SplitMix64::stream(self.seed, u64::from(iteration));
        let (now, all) = (f64::from(iteration) + 1.0, f64::from(self.iterations).max(1.0));
        let stability = STABILITY * all;
        // Both are 1 in the last iteration. The gradient divides by the perturbation and a change
        // contains it once, hence the square.
        let size = (all / now).powf(GAMMA);
        let rate = ((stability + all) / (stability + now)).powf(ALPHA) / (size * size);
        let sign = |random: &mut SplitMix64| if random.below(2) == 0 { -1.0 } else { 1.0 };
        let changes =
            parameters.iter().map(|p| sign(&mut random) * size * p.last_perturbation()).collect();
        Perturbation { changes, rate: self.rate * rate, random }
    }
}

impl Perturbation {
    /// The two candidates that play each other. A value between two whole numbers is rounded at random
    /// to either, the nearer one with the higher probability, so that small steps are not lost.
    pub(super) fn candidates(&mut self, parameters: &[TunedParameter]) -> [Vec<i32>; 2] {
        [1.0, -1.0].map(|side| {
            let values = parameters.iter().zip(&self.changes).map(|(p, change)| {
                p.clamp((p.value + side * change + self.random.fraction()).floor()) as i32
            });
            values.collect()
        })
    }

    /// Moves the parameters towards the winner. `lead` is the lead of the first candidate, in points.
    pub(super) fn apply(&self, parameters: &mut [TunedParameter], lead: f64) {
        for (p, change) in parameters.iter_mut().zip(&self.changes) {
            p.value = p.clamp(p.value + self.rate * lead * change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEDULE: Schedule = Schedule { iterations: 4000, rate: 0.03, seed: 1 };

    fn parameter(low: i32, high: i32, value: f64) -> TunedParameter {
        TunedParameter { name: format!("from {low} to {high}"), low, high, value }
    }

    /// A random game: 1 if the first candidate wins, -1 if it loses. A candidate wins more often the nearer
    /// it is to the best values, compared with the other, in shares of the ranges.
    fn play(
        parameters: &[TunedParameter],
        best: &[f64],
        candidates: &[Vec<i32>; 2],
        random: &mut SplitMix64,
    ) -> f64 {
        let loss = |values: &Vec<i32>| {
            let parts = values.iter().zip(best).zip(parameters).map(|((&value, best), p)| {
                ((f64::from(value) - best) / f64::from(p.high - p.low)).powi(2)
            });
            parts.sum::<f64>()
        };
        let expected = 1.0 / (1.0 + (8.0 * (loss(&candidates[0]) - loss(&candidates[1]))).exp());
        if random.fraction() < expected { 1.0 } else { -1.0 }
    }

    #[test]
    fn noisy_games_lead_to_the_best_values() {
        let mut parameters =
            vec![parameter(0, 200, 20.0), parameter(2, 12, 10.0), parameter(-1000, 1000, 800.0)];
        let best = [140.0, 5.0, -300.0];
        let mut random = SplitMix64(9);
        for iteration in 0..SCHEDULE.iterations {
            let mut perturbation = SCHEDULE.perturbation(iteration, &parameters);
            let candidates = perturbation.candidates(&parameters);
            let lead = (0..8).map(|_| play(&parameters, &best, &candidates, &mut random)).sum();
            perturbation.apply(&mut parameters, lead);
        }
        for (p, best) in parameters.iter().zip(best) {
            let off = (p.value - best).abs() / f64::from(p.high - p.low);
            assert!(off < 0.1, "{p:?}, best {best}");
        }
    }

    #[test]
    fn candidates_lie_on_both_sides_and_in_range() {
        let parameters = [parameter(0, 200, 100.0), parameter(1, 6, 3.5), parameter(0, 100, 100.0)];
        let mut sums = [0; 3];
        for iteration in 0..1000 {
            let [one, other] =
                SCHEDULE.perturbation(iteration, &parameters).candidates(&parameters);
            for (at, (p, pair)) in parameters.iter().zip(one.iter().zip(&other)).enumerate() {
                assert!((p.low..=p.high).contains(pair.0), "{p:?} {pair:?}");
                assert!((p.low..=p.high).contains(pair.1), "{p:?} {pair:?}");
                sums[at] += pair.0 + pair.1;
            }
            assert!((one[0] - other[0]).abs() >= 18, "{one:?} {other:?}");
        }
        // Random rounding has no bias.
        assert!((sums[0] - 200_000).abs() < 300 && (sums[1] - 7000).abs() < 150, "{sums:?}");
    }

    #[test]
    fn steps_become_smaller_and_a_draw_moves_nothing() {
        let mut parameters = vec![parameter(0, 200, 100.0)];
        let step = |iteration| {
            let mut moved = parameters.clone();
            SCHEDULE.perturbation(iteration, &parameters).apply(&mut moved, 2.0);
            (moved[0].value - 100.0).abs()
        };
        assert!(step(0) > step(1000) && step(1000) > step(3999));
        // The last step: two points, each three hundredths of a perturbation of ten.
        assert!((step(3999) - 0.6).abs() < 1e-9, "{}", step(3999));
        SCHEDULE.perturbation(5, &parameters.clone()).apply(&mut parameters, 0.0);
        assert_eq!(parameters[0].value, 100.0);
        SCHEDULE.perturbation(5, &parameters.clone()).apply(&mut parameters, 1e6);
        assert!(parameters[0].value == 0.0 || parameters[0].value == 200.0);
    }
}
