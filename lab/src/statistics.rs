//! What the results of a match say: the Elo difference, the likelihood of superiority and a sequential test.
//!
//! Games are played in pairs. Both games of a pair have the same opening, and each player has each colour once. The
//! results of a pair depend on each other, because an opening may favour a colour. So all errors are computed from
//! the points of pairs, of which there are five (*pentanomial* statistics).

use crate::data::half_points;
use shakmaty::KnownOutcome;
use std::f64::consts::{LN_10, SQRT_2};
use std::{cmp::Ordering, fmt};

/// The standard deviations on both sides that contain 95 percent of a normal distribution.
const DEVIATIONS: f64 = 1.959_963_984_540_054;

/// The points of a pair, divided by two.
const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Normalised Elo of a score that is one standard deviation of a pair above one half.
const NORMALISED_SCALE: f64 = 800.0 / LN_10 / SQRT_2;

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
        let is_clear = (mean - 0.5).abs() > deviation && shown.abs() > at_most;
        if is_clear { points.total_cmp(&0.0) } else { Ordering::Equal }
    }

    /// The difference in normalised Elo and its error: the score in standard deviations of a game, so that it does not
    /// depend on the number of draws. `None` if all pairs have the same points.
    ///
    /// Source: Michel Van den Bergh, "Normalized Elo", 2020.
    pub(crate) fn normalized_elo(&self) -> Option<Elo> {
        let (mean, variance) = moments(self.shares(0.0));
        let points = NORMALISED_SCALE * (mean - 0.5) / variance.sqrt();
        let error = NORMALISED_SCALE * DEVIATIONS / self.pair_count().sqrt();
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

/// What a sequential test says.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The larger difference is accepted.
    Accepted,
    /// The larger difference is rejected.
    Rejected,
}

/// A sequential probability ratio test of two Elo differences.
///
/// Its measure is the generalised log likelihood ratio of the pairs: how much likelier they are if the difference is
/// `elo1` than if it is `elo0`. Source: Michel Van den Bergh, "Comparing the approximations for the generalized log
/// likelihood ratio of a multinomial distribution", 2020, propositions 1.1 and 1.2, and for normalised Elo "Comments on
/// normalized Elo", section 4.1.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Sprt {
    /// The difference of the null hypothesis.
    pub(crate) elo0: f64,
    /// The larger difference, of the alternative.
    pub(crate) elo1: f64,
    /// Whether the differences are normalised Elo, and not logistic.
    pub(crate) is_normalised: bool,
    /// The probability that the larger difference is accepted although the smaller one is true.
    pub(crate) alpha: f64,
    /// The probability that it is rejected although it is true.
    pub(crate) beta: f64,
}

impl Sprt {
    /// The number of pairs that a kind counts as if it has not occurred, so that the ratio is finite.
    const NONE: f64 = 1e-3;

    /// What the differences are measured in.
    pub(crate) fn unit(&self) -> &'static str {
        if self.is_normalised { "normalised Elo" } else { "Elo" }
    }

    /// The ratios at which the larger difference is rejected and accepted (Wald 1945).
    pub(crate) fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The log likelihood ratio.
    pub(crate) fn ratio(&self, stats: &MatchStats) -> f64 {
        let shares = stats.shares(Sprt::NONE);
        let likeliest = |elo| match self.is_normalised {
            true => likeliest_with_deviations(&shares, elo / NORMALISED_SCALE),
            false => likeliest(&shares, POINTS.map(|points| points - expected_score(elo))),
        };
        let [p0, p1] = [self.elo0, self.elo1].map(likeliest);
        let count: f64 = stats.pairs.iter().map(|&pairs| (pairs as f64).max(Sprt::NONE)).sum();
        let terms = (0..5).map(|kind| shares[kind] * (p1[kind] / p0[kind]).ln());
        count * terms.sum::<f64>()
    }

    /// The verdict, once there is one.
    pub(crate) fn verdict(&self, stats: &MatchStats) -> Option<Verdict> {
        let (ratio, [rejected, accepted]) = (self.ratio(stats), self.bounds());
        if ratio >= accepted {
            return Some(Verdict::Accepted);
        }
        (ratio <= rejected).then_some(Verdict::Rejected)
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta, .. } = self;
        write!(f, "{} difference {elo0} or {elo1}", self.unit())?;
        if (*alpha, *beta) == (0.05, 0.05) {
            Ok(())
        } else {
            write!(f, ", errors {alpha} and {beta}")
        }
    }
}

/// The expected score of a player that is so much stronger.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Of the distributions under which these values have the mean 0, the one under which pairs with these shares are
/// likeliest.
fn likeliest(shares: &[f64; 5], values: [f64; 5]) -> [f64; 5] {
    // The distribution has one parameter, at which the mean is right. The mean falls as the parameter grows.
    let with = |parameter: f64| -> [f64; 5] {
        std::array::from_fn(|kind| shares[kind] / (1.0 + parameter * values[kind]))
    };
    let mean = |parameter: f64| -> f64 {
        with(parameter).iter().zip(values).map(|(share, value)| share * value).sum()
    };
    let [least, most] = values
        .iter()
        .fold([0.0_f64; 2], |[least, most], &value| [least.min(value), most.max(value)]);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    // Each step halves the interval, down to the precision of the numbers.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if mean(middle) > 0.0 { low = middle } else { high = middle }
    }
    with((low + high) / 2.0)
}

/// Of the distributions whose mean is so many of their standard deviations above one half, the likeliest.
///
/// Mean minus deviations is not linear in the shares. It is replaced by its tangent at the last distribution, until that
/// stays the same.
fn likeliest_with_deviations(shares: &[f64; 5], deviations: f64) -> [f64; 5] {
    let mut likeliest_yet = [0.2; 5];
    for _ in 0..20 {
        let (mean, variance) = moments(likeliest_yet);
        let deviation = variance.sqrt();
        let tangent = |points: f64| {
            let relative = (points - mean) / deviation;
            points - 0.5 - deviations * deviation * (1.0 + relative * relative) / 2.0
        };
        likeliest_yet = likeliest(shares, POINTS.map(tangent));
    }
    likeliest_yet
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::results::{BLACK_WINS, WHITE_WINS};

    fn stats(pairs: [u64; 5]) -> MatchStats {
        // The games do not matter for the pairs; one kind of them has the right number.
        MatchStats { games: [0, 2 * pairs.iter().sum::<u64>(), 0], pairs }
    }

    const GAIN: Sprt = Sprt { elo0: 0.0, elo1: 5.0, is_normalised: false, alpha: 0.05, beta: 0.05 };

    fn near(found: f64, wanted: f64) -> bool {
        (found - wanted).abs() < 0.001
    }

    #[test]
    fn all_numbers_are_those_of_fastchess_and_of_the_definitions() {
        let table = include_str!("statistics.txt");
        let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines.clone() {
            let parts: Vec<&str> = line.split(" | ").collect();
            let pairs: Vec<u64> = parts[0].split(' ').map(|count| count.parse().unwrap()).collect();
            let stats = stats(pairs.try_into().unwrap());
            let (elo, normalised) = (stats.elo(), stats.normalized_elo());
            let ratio = |is_normalised, elo0, elo1| {
                Some(Sprt { elo0, elo1, is_normalised, ..GAIN }.ratio(&stats))
            };
            let found = [
                Some(elo.points),
                Some(elo.error),
                stats.superiority().map(|share| 100.0 * share),
                normalised.map(|elo| elo.points),
                normalised.map(|elo| elo.error),
                ratio(false, 0.0, 5.0),
                ratio(false, -5.0, 0.0),
                ratio(true, 0.0, 5.0),
                ratio(true, -3.0, 1.0),
            ];
            let wanted = parts[1].split(' ').chain(parts[2].split(' '));
            for (place, (found, wanted)) in found.into_iter().zip(wanted).enumerate() {
                // Where all pairs are equal, the error is that of a few others among them.
                let is_open = place == 1 && normalised.is_none();
                let is_near = match (found, wanted.parse()) {
                    (Some(found), Ok(wanted)) => near(found, wanted) || is_open,
                    (found, Err(_)) => found.is_none_or(|elo| place < 2 && elo.is_finite()),
                    _ => false,
                };
                assert!(is_near, "{line}: {found:?}, not {wanted} at {place}");
            }
        }
        assert_eq!(lines.count(), 20);
        assert!(GAIN.ratio(&MatchStats::default()).is_finite());
    }

    #[test]
    fn extreme_scores_have_a_finite_difference() {
        let all_won = stats([0, 0, 0, 0, 10]);
        assert!(all_won.elo().points > 400.0 && all_won.elo().points.is_finite());
        assert_eq!((all_won.normalized_elo(), all_won.superiority()), (None, None));
        let none = MatchStats::default();
        assert!(none.elo().points.is_finite() && none.elo().error.is_finite());
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
        let verdict = |pairs| GAIN.verdict(&stats(pairs));
        assert_eq!(verdict([120, 2040, 4100, 2210, 140]), Some(Verdict::Accepted));
        assert_eq!(verdict([140, 2210, 4100, 2040, 120]), Some(Verdict::Rejected));
        assert_eq!(verdict([16, 300, 1200, 350, 20]), None);
        // Wald 1945: the bounds are ln(beta / (1 - alpha)) and ln((1 - beta) / alpha).
        let [rejected, accepted] = Sprt { alpha: 0.05, beta: 0.2, ..GAIN }.bounds();
        assert!(near(rejected, -1.5581) && near(accepted, 2.7726), "{rejected} {accepted}");
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
