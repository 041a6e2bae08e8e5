//! Simultaneous perturbation stochastic approximation (James Spall 1992): all numbers are moved at
//! once, each up or down by lot, the two opposite sets play each other, and all numbers go a little
//! way towards the winner. However many there are, a step costs one match.

use tropism::random::SplitMix64;

/// By which power perturbations and steps shrink (Spall 1998, Implementation of the Simultaneous
/// Perturbation Algorithm).
const SHRINKS: f64 = 0.101;
const SLOWS: f64 = 0.602;

/// The part of all iterations by which the first steps are held back.
const HELD_BACK: f64 = 0.1;

/// The last perturbation is this part of a number's range, but never less than `LEAST`: a whole number
/// must change at all.
const LAST: f64 = 0.05;
const LEAST: f64 = 0.5;

/// A number that is moved.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Number {
    pub(super) name: String,
    pub(super) low: i32,
    pub(super) high: i32,
    /// Where it is now.
    pub(super) value: f64,
}

impl Number {
    fn last_perturbation(&self) -> f64 {
        (LAST * f64::from(self.high - self.low)).max(LEAST)
    }

    fn within(&self, value: f64) -> f64 {
        value.clamp(f64::from(self.low), f64::from(self.high))
    }
}

/// How far each iteration goes.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Schedule {
    /// Iterations in all.
    pub(super) iterations: u32,
    /// How many of the last perturbations a number goes in the last iteration, for each point by which one
    /// side wins the match.
    pub(super) rate: f64,
    /// Which signs are drawn.
    pub(super) seed: u64,
}

/// One iteration: which way each number is moved, and how far.
pub(super) struct Trial {
    /// What each number is moved by in the first set; in the second it is moved the other way.
    moves: Vec<f64>,
    /// How much of that a number goes for a point.
    rate: f64,
    random: SplitMix64,
}

impl Schedule {
    /// The trial of an iteration, counted from 0. It depends on nothing else.
    pub(super) fn trial(&self, iteration: u32, numbers: &[Number]) -> Trial {
        let mut random = SplitMix64::stream(self.seed, u64::from(iteration));
        let (now, all) = (f64::from(iteration) + 1.0, f64::from(self.iterations).max(1.0));
        let held_back = HELD_BACK * all;
        // Both are what is wanted at the end, and more before it.
        let size = (all / now).powf(SHRINKS);
        let rate = ((held_back + all) / (held_back + now)).powf(SLOWS) / (size * size);
        let sign = |random: &mut SplitMix64| if random.below(2) == 0 { -1.0 } else { 1.0 };
        let moves =
            numbers.iter().map(|n| sign(&mut random) * size * n.last_perturbation()).collect();
        Trial { moves, rate: self.rate * rate, random }
    }
}

impl Trial {
    /// The two sets that play each other. A number between two whole ones becomes either, the nearer
    /// the likelier, so that small steps are not lost.
    pub(super) fn sets(&mut self, numbers: &[Number]) -> [Vec<i32>; 2] {
        [1.0, -1.0].map(|side| {
            let moved = numbers.iter().zip(&self.moves).map(|(number, by)| {
                number.within((number.value + side * by + self.random.fraction()).floor()) as i32
            });
            moved.collect()
        })
    }

    /// Moves the numbers towards the set that has won: `lead` is by how many points the first set is ahead.
    pub(super) fn apply(&self, numbers: &mut [Number], lead: f64) {
        for (number, by) in numbers.iter_mut().zip(&self.moves) {
            number.value = number.within(number.value + self.rate * lead * by);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEDULE: Schedule = Schedule { iterations: 4000, rate: 0.03, seed: 1 };

    fn number(low: i32, high: i32, value: f64) -> Number {
        Number { name: format!("from {low} to {high}"), low, high, value }
    }

    /// A game whose chances depend on how much farther from the best place the other is, in parts of
    /// the range: 1 for a win of the first, -1 for a loss.
    fn play(
        numbers: &[Number],
        best: &[f64],
        sets: &[Vec<i32>; 2],
        random: &mut SplitMix64,
    ) -> f64 {
        let loss = |set: &Vec<i32>| {
            let parts = set.iter().zip(best).zip(numbers).map(|((&value, best), number)| {
                ((f64::from(value) - best) / f64::from(number.high - number.low)).powi(2)
            });
            parts.sum::<f64>()
        };
        let expected = 1.0 / (1.0 + (8.0 * (loss(&sets[0]) - loss(&sets[1]))).exp());
        if random.fraction() < expected { 1.0 } else { -1.0 }
    }

    #[test]
    fn noisy_games_lead_to_the_best_place() {
        let mut numbers =
            vec![number(0, 200, 20.0), number(2, 12, 10.0), number(-1000, 1000, 800.0)];
        let best = [140.0, 5.0, -300.0];
        let mut random = SplitMix64(9);
        for iteration in 0..SCHEDULE.iterations {
            let mut trial = SCHEDULE.trial(iteration, &numbers);
            let sets = trial.sets(&numbers);
            let lead = (0..8).map(|_| play(&numbers, &best, &sets, &mut random)).sum();
            trial.apply(&mut numbers, lead);
        }
        for (number, best) in numbers.iter().zip(best) {
            let off = (number.value - best).abs() / f64::from(number.high - number.low);
            assert!(off < 0.1, "{number:?}, best {best}");
        }
    }

    #[test]
    fn the_sets_lie_on_both_sides_and_within_the_range() {
        let numbers = [number(0, 200, 100.0), number(1, 6, 3.5), number(0, 100, 100.0)];
        let mut sums = [0; 3];
        for iteration in 0..1000 {
            let [one, other] = SCHEDULE.trial(iteration, &numbers).sets(&numbers);
            for (at, (number, pair)) in numbers.iter().zip(one.iter().zip(&other)).enumerate() {
                assert!((number.low..=number.high).contains(pair.0), "{number:?} {pair:?}");
                assert!((number.low..=number.high).contains(pair.1), "{number:?} {pair:?}");
                sums[at] += pair.0 + pair.1;
            }
            assert!((one[0] - other[0]).abs() >= 18, "{one:?} {other:?}");
        }
        // Rounding by lot leans to neither side.
        assert!((sums[0] - 200_000).abs() < 300 && (sums[1] - 7000).abs() < 150, "{sums:?}");
    }

    #[test]
    fn steps_grow_smaller_and_a_draw_moves_nothing() {
        let mut numbers = vec![number(0, 200, 100.0)];
        let step = |iteration| {
            let mut moved = numbers.clone();
            SCHEDULE.trial(iteration, &numbers).apply(&mut moved, 2.0);
            (moved[0].value - 100.0).abs()
        };
        assert!(step(0) > step(1000) && step(1000) > step(3999));
        // The last one: two points, three hundredths of a perturbation of ten each.
        assert!((step(3999) - 0.6).abs() < 1e-9, "{}", step(3999));
        SCHEDULE.trial(5, &numbers.clone()).apply(&mut numbers, 0.0);
        assert_eq!(numbers[0].value, 100.0);
        SCHEDULE.trial(5, &numbers.clone()).apply(&mut numbers, 1e6);
        assert!(numbers[0].value == 0.0 || numbers[0].value == 200.0);
    }
}
