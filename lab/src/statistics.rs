//! What the results of a match say: the Elo difference, the likelihood of superiority and a sequential test.
//!
//! Games are played in pairs. Both games of a pair have the same opening, and each player has each colour once. The
//! results of a pair depend on each other, because an opening may favour a colour. So all errors are computed from
//! the points of pairs, of which there are five (*pentanomial* statistics).

use crate::data::half_points;
use shakmaty::KnownOutcome;
use std::{
    cmp::Ordering,
    f64::consts::{LN_10, SQRT_2},
    fmt,
};

/// The standard deviations on both sides that contain 95 percent of a normal distribution.
const DEVIATIONS: f64 = 1.959_963_984_540_054;

/// The points of a pair, divided by two.
const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The results of a match, from the point of view of one player.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct MatchStats {
    /// Games won, drawn and lost.
    pub(crate) games: [u64; 3],
    /// Pairs of games with 0, 0.5, 1, 1.5 and 2 points.
    pub(crate) pairs: [u64; 5],
}

impl MatchStats {
    /// Adds a pair. The player has White in the first of its games.
    pub(crate) fn add(&mut self, [as_white, as_black]: [KnownOutcome; 2]) {
        let lost = [2 - half_points(as_white), half_points(as_black)].map(usize::from);
        lost.into_iter().for_each(|lost| self.games[lost] += 1);
        self.pairs[4 - lost[0] - lost[1]] += 1;
    }

    /// The number of games.
    pub(crate) fn count(&self) -> u64 {
        self.games.iter().sum()
    }

    /// The Elo difference and its error. Where a score or the end of its interval would be 0 or 100 percent, it counts
    /// half a point less extreme, so that the difference is finite.
    pub(crate) fn elo(&self) -> Elo {
        let [mean, error] = self.score();
        let edge = 0.5 / self.count().max(1) as f64;
        let points = |score: f64| {
            let score = score.clamp(edge, 1.0 - edge);
            400.0 * (score / (1.0 - score)).log10()
        };
        Elo { points: points(mean), error: (points(mean + error) - points(mean - error)) / 2.0 }
    }

    /// The score, 0 to 1, and its error.
    fn score(&self) -> [f64; 2] {
        let (mean, mut variance) = moments(self.shares(0.0));
        if variance == 0.0 {
            // A few equal pairs make nothing certain.
            (_, variance) = moments(self.shares(0.5));
        }
        [mean, DEVIATIONS * (variance / self.pair_count()).sqrt()]
    }

    /// Whether the player is stronger ([`Ordering::Greater`]) or weaker with a certainty of 95 percent. The Elo
    /// difference that is shown is then larger than its error, too.
    pub(crate) fn difference(&self) -> Ordering {
        let [mean, deviation] = self.score();
        let Elo { points, error } = self.elo();
        let [shown, at_most] = [points, error].map(|elo| (10.0 * elo).round());
        match (mean - 0.5).abs() > deviation && shown.abs() > at_most {
            true => points.total_cmp(&0.0),
            false => Ordering::Equal,
        }
    }

    /// The difference in normalised Elo and its error: the score in standard deviations of a game, so that it does not
    /// depend on the number of draws. `None` if all pairs have the same points.
    ///
    /// Source: Michel Van den Bergh, "Normalized Elo", 2020.
    pub(crate) fn normalized_elo(&self) -> Option<Elo> {
        let (mean, variance) = moments(self.shares(0.0));
        let scale = 800.0 / LN_10 / SQRT_2;
        let (points, error) =
            (scale * (mean - 0.5) / variance.sqrt(), scale * DEVIATIONS / self.pair_count().sqrt());
        (variance > 0.0).then_some(Elo { points, error })
    }

    /// The likelihood of superiority, 0 to 1: how sure it is that the player is stronger at all. `None` if all pairs have
    /// the same points.
    pub(crate) fn superiority(&self) -> Option<f64> {
        let (mean, variance) = moments(self.shares(0.0));
        let deviations = (mean - 0.5) / (variance / self.pair_count()).sqrt();
        (variance > 0.0).then(|| (1.0 + libm::erf(deviations / SQRT_2)) / 2.0)
    }

    fn pair_count(&self) -> f64 {
        self.pairs.iter().sum::<u64>().max(1) as f64
    }

    /// The shares of the five kinds of pairs. `none` stands for the number of pairs of a kind that did not occur.
    fn shares(&self, none: f64) -> [f64; 5] {
        let counts = self.pairs.map(|count| if count == 0 { none } else { count as f64 });
        let all = counts.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        counts.map(|count| count / all)
    }
}

/// Mean and variance of a pair's points, divided by two.
fn moments(shares: [f64; 5]) -> (f64, f64) {
    let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
        POINTS.iter().zip(shares).map(|(&points, share)| share * value(points)).sum()
    };
    let mean = sum(&|points| points);
    (mean, sum(&|points| (points - mean).powi(2)))
}

/// An Elo difference. Printed as `+6.2 ± 4.1`, with another number of decimals as `{:.0}`.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Elo {
    /// The difference.
    pub(crate) points: f64,
    /// Half of the interval that contains the true difference with 95 percent.
    pub(crate) error: f64,
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(1);
        write!(f, "{:+.decimals$} ± {:.decimals$}", self.points, self.error)
    }
}

/// A sequential probability ratio test of two Elo differences, with errors of 5 percent.
///
/// Its measure is the generalised log likelihood ratio of the pairs: how much likelier they are if the difference is
/// `elo1` than if it is `elo0`. Source: Michel Van den Bergh, "Comparing the approximations for the generalized log
/// likelihood ratio of a multinomial distribution", 2020, propositions 1.1 and 1.2.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Sprt {
    /// The difference of the null hypothesis.
    pub(crate) elo0: f64,
    /// The larger difference, of the alternative.
    pub(crate) elo1: f64,
}

/// What a sequential test says.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The larger difference is accepted.
    Accepted,
    /// The larger difference is rejected.
    Rejected,
}

impl Sprt {
    /// The probability of each of the two wrong verdicts.
    pub(crate) const ERROR: f64 = 0.05;

    /// The number of pairs that a kind counts as if it has not occurred, so that the ratio is finite.
    const NONE: f64 = 1e-3;

    /// The ratio at which the larger difference is accepted. It is rejected at the negative of it.
    pub(crate) fn bound() -> f64 {
        ((1.0 - Sprt::ERROR) / Sprt::ERROR).ln()
    }

    /// The log likelihood ratio.
    pub(crate) fn ratio(&self, stats: &MatchStats) -> f64 {
        let shares = stats.shares(Sprt::NONE);
        let [p0, p1] = [self.elo0, self.elo1].map(|elo| likeliest(&shares, expected_score(elo)));
        let count: f64 = stats.pairs.iter().map(|&pairs| (pairs as f64).max(Sprt::NONE)).sum();
        let terms = (0..5).map(|kind| shares[kind] * (p1[kind] / p0[kind]).ln());
        count * terms.sum::<f64>()
    }

    /// The verdict, once there is one.
    pub(crate) fn verdict(&self, stats: &MatchStats) -> Option<Verdict> {
        match self.ratio(stats) {
            ratio if ratio >= Sprt::bound() => Some(Verdict::Accepted),
            ratio if ratio <= -Sprt::bound() => Some(Verdict::Rejected),
            _ => None,
        }
    }
}

/// The expected score of a player that is so much stronger.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Of the distributions with the mean `score`, the one under which pairs with these shares are likeliest.
fn likeliest(shares: &[f64; 5], score: f64) -> [f64; 5] {
    // The distribution has one parameter, at which the mean is right. The mean falls as the parameter grows.
    let with = |parameter: f64| -> [f64; 5] {
        std::array::from_fn(|kind| shares[kind] / (1.0 + parameter * (POINTS[kind] - score)))
    };
    let excess = |parameter: f64| -> f64 {
        with(parameter).iter().zip(POINTS).map(|(share, points)| share * (points - score)).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    // Each step halves the interval, down to the precision of the numbers.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    with((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::results::{BLACK_WINS, WHITE_WINS};

    fn stats(pairs: [u64; 5]) -> MatchStats {
        // The games do not matter for the pairs; one kind of them has the right number.
        MatchStats { games: [0, 2 * pairs.iter().sum::<u64>(), 0], pairs }
    }

    fn near(found: f64, wanted: f64) -> bool {
        (found - wanted).abs() < 0.005
    }

    /// What fastchess 1.8.2 computes for these pairs: Elo, error, likelihood of superiority in percent, normalised Elo, its
    /// error, and the ratios for [0, 5] and [-5, 0].
    const FASTCHESS: [([u64; 5], [f64; 7]); 6] = [
        ([10, 40, 90, 45, 15], [13.0349, 23.1515, 86.57, 19.2165, 34.0481, 0.37862, 0.55653]),
        ([34, 54, 63, 64, 75], [55.5798, 27.6534, 100.00, 57.9356, 28.2754, 1.33737, 1.46006]),
        ([332, 433, 498, 333, 334], [-8.6427, 10.3342, 5.05, -9.1729, 10.9605, -1.99867, -1.10364]),
        ([0, 3, 20, 9, 0], [32.6680, 35.5256, 96.56, 79.0171, 85.1202, 0.42761, 0.46135]),
        ([16, 300, 1200, 350, 20], [5.3427, 5.0828, 98.03, 11.6572, 11.0876, 2.11158, 5.78851]),
        ([120, 2040, 4100, 2210, 140], [4.2372, 2.8753, 99.81, 7.6482, 5.1893, 4.03473, 15.61910]),
    ];

    #[test]
    fn all_numbers_are_those_of_fastchess() {
        for (pairs, wanted) in FASTCHESS {
            let stats = stats(pairs);
            let (elo, normalized) = (stats.elo(), stats.normalized_elo().unwrap());
            let [gain, simplification] =
                [(0.0, 5.0), (-5.0, 0.0)].map(|(elo0, elo1)| Sprt { elo0, elo1 }.ratio(&stats));
            let found = [
                elo.points,
                elo.error,
                100.0 * stats.superiority().unwrap(),
                normalized.points,
                normalized.error,
                gain,
                simplification,
            ];
            let is_near = found.iter().zip(wanted).all(|(found, wanted)| near(*found, wanted));
            assert!(is_near, "{pairs:?}: {found:?}, not {wanted:?}");
        }
    }

    #[test]
    fn kinds_of_pairs_that_are_missing_leave_the_ratio_finite() {
        let gain = Sprt { elo0: 0.0, elo1: 5.0 };
        // From fastchess, as above.
        for (pairs, wanted) in [
            ([0, 0, 0, 0, 5550], 79.29625),
            ([0, 0, 7, 0, 0], -0.09630),
            ([1, 0, 0, 0, 2], 0.01409),
            ([5, 1, 1, 0, 0], -0.10145),
        ] {
            let found = gain.ratio(&stats(pairs));
            assert!(near(found, wanted), "{pairs:?}: {found}, not {wanted}");
        }
        assert!(gain.ratio(&stats([0; 5])).is_finite());
    }

    #[test]
    fn extreme_scores_have_a_finite_difference() {
        let all_won = stats([0, 0, 0, 0, 10]);
        assert!(all_won.elo().points > 400.0 && all_won.elo().points.is_finite());
        assert_eq!((all_won.normalized_elo(), all_won.superiority()), (None, None));
        let none = MatchStats::default();
        assert!(none.elo().points.is_finite() && none.elo().error.is_finite());
        // fastchess has no error for this, because the interval ends beyond 100 percent.
        let few = stats([1, 0, 0, 0, 2]).elo();
        assert!(near(few.points, 120.4120) && few.error.is_finite(), "{few}");
    }

    /// Report: "+147.2 ± 148.0" was called stronger.
    #[test]
    fn only_a_difference_beyond_the_error_that_is_shown_is_one() {
        for count in 0..12_u64 {
            for pairs in
                [[0, 0, 0, 0, count], [0, 0, 0, count, 0], [1, 1, 2, count, 3], [0, 0, 9, count, 0]]
            {
                let stats = stats(pairs);
                let shown = stats.elo().to_string();
                let (points, error) = shown.split_once(" ± ").unwrap();
                let [points, error] = [points, error].map(|part| part.parse::<f64>().unwrap());
                assert!(stats.difference().is_le() || points > error, "{pairs:?}: {shown}");
            }
        }
    }

    #[test]
    fn a_test_is_decided_at_its_bounds() {
        assert!(near(Sprt::bound(), 2.944));
        let test = Sprt { elo0: 0.0, elo1: 5.0 };
        let verdict = |pairs| test.verdict(&stats(pairs));
        assert_eq!(verdict([120, 2040, 4100, 2210, 140]), Some(Verdict::Accepted));
        assert_eq!(verdict([140, 2210, 4100, 2040, 120]), Some(Verdict::Rejected));
        assert_eq!(verdict([16, 300, 1200, 350, 20]), None);
    }

    #[test]
    fn pairs_are_counted_for_one_player() {
        use KnownOutcome::Draw;
        let mut stats = MatchStats::default();
        for pair in [
            [WHITE_WINS, BLACK_WINS],
            [WHITE_WINS, Draw],
            [WHITE_WINS, WHITE_WINS],
            [Draw, Draw],
            [Draw, WHITE_WINS],
            [BLACK_WINS, WHITE_WINS],
        ] {
            stats.add(pair);
        }
        assert_eq!(stats, MatchStats { games: [4, 4, 4], pairs: [1, 1, 2, 1, 1] });
        assert_eq!(format!("{} {:.0}", stats.elo(), stats.elo()), "+0.0 ± 198.6 +0 ± 199");
    }
}
