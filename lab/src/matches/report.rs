//! What a match says of its games: the line while it runs, and the sentence at its end.

use crate::statistics::{MatchStats, Sprt, Verdict};
use indicatif::HumanCount;
use shakmaty::{Color, KnownOutcome};
use std::cmp::Ordering;

/// What counts of a game: its result, and the side that lost on time.
pub(super) type GameResult = (KnownOutcome, Option<Color>);

/// Both games of a finished pair. Engine B has White in the first of them.
pub(super) type PairResult = [GameResult; 2];

/// The pairs so far, from the point of view of engine B. They are added in the order of their numbers, so a pair with
/// short games has no advantage.
#[derive(Debug)]
pub(super) struct Standing {
    /// The most pairs, and the test that may end the match before.
    pairs: u64,
    test: Option<Sprt>,
    stats: MatchStats,
    /// Games that engine A and engine B lost on time.
    on_time: [u64; 2],
    /// What the test has decided.
    pub(super) verdict: Option<Verdict>,
}

impl Standing {
    /// Counts pairs to the end of the match.
    pub(super) fn new(pairs: u64, test: Option<Sprt>, played: &[PairResult]) -> Standing {
        let stats = MatchStats::default();
        let mut standing = Standing { pairs, test, stats, on_time: [0; 2], verdict: None };
        for pair in played {
            if !standing.is_over() {
                standing.add(pair);
            }
        }
        standing
    }

    /// Counts the next pair.
    pub(super) fn add(&mut self, pair: &PairResult) {
        self.stats.add(pair.map(|(result, _)| result));
        for ((_, loser), a) in pair.iter().zip([Color::Black, Color::White]) {
            if let Some(loser) = *loser {
                self.on_time[usize::from(loser != a)] += 1;
            }
        }
        self.verdict = self.test.and_then(|test| test.verdict(&self.stats));
    }

    /// Whether no more games are needed.
    pub(super) fn is_over(&self) -> bool {
        self.verdict.is_some() || self.games() >= self.pairs.saturating_mul(2)
    }

    /// The number of games.
    pub(super) fn games(&self) -> u64 {
        self.stats.count()
    }

    /// All numbers in one line.
    pub(super) fn line(&self) -> String {
        let MatchStats { games: [won, drawn, lost], pairs } = self.stats;
        let pairs = pairs.map(|count| count.to_string()).join(" ");
        let ratio = self.test.map_or(String::new(), |it| format!("; {}", ratio(&it, &self.stats)));
        format!(
            "{}: B won {won}, drew {drawn}, lost {lost}; pairs {pairs}; {} Elo{ratio}",
            self.count(),
            self.stats.elo()
        )
    }

    /// What else is known of the games.
    pub(super) fn details(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let odds = self.stats.superiority().zip(self.stats.normalized_elo());
        lines.extend(odds.map(|(superiority, elo)| {
            let percent = 100.0 * superiority;
            format!("likelihood that B is stronger {percent:.1} %; {elo} normalised Elo")
        }));
        if self.on_time != [0, 0] {
            let [a, b] = self.on_time;
            lines.push(format!("lost on time: {a} games by A, {b} by B"));
        }
        lines
    }

    /// The result in a sentence.
    pub(super) fn sentence(&self) -> String {
        let (elo, games) = (self.stats.elo(), self.count());
        if self.games() == 0 {
            return "no decision yet: no pair of games is finished".to_owned();
        }
        let found = |what: String, how: &str| format!("{what}: {elo} Elo, {how} after {games}");
        match (self.test, self.verdict) {
            (Some(test), Some(Verdict::Accepted)) if test.elo0 < 0.0 => {
                found(format!("B is not {} {} weaker", -test.elo0, test.unit()), "accepted")
            }
            (Some(_), Some(Verdict::Accepted)) => found("B is stronger".to_owned(), "accepted"),
            (Some(test), Some(Verdict::Rejected)) if test.elo1 > 0.0 => {
                found(format!("B is not {} {} stronger", test.elo1, test.unit()), "rejected")
            }
            (Some(_), Some(Verdict::Rejected)) => found("B is weaker".to_owned(), "rejected"),
            (Some(test), None) => {
                let ratio = ratio(&test, &self.stats);
                format!("no decision yet: {elo} Elo after {games}; {ratio}")
            }
            (None, _) => {
                let what = match self.stats.difference() {
                    Ordering::Greater => "B is stronger",
                    Ordering::Less => "B is weaker",
                    Ordering::Equal => "no difference is certain",
                };
                format!("{what}: {elo} Elo after {games}")
            }
        }
    }

    fn count(&self) -> String {
        format!("{} games", HumanCount(self.games()))
    }
}

/// The ratio of a test with its bounds.
fn ratio(test: &Sprt, stats: &MatchStats) -> String {
    let (ratio, [rejected, accepted]) = (test.ratio(stats), test.bounds());
    format!("log likelihood ratio {ratio:.2} ({rejected:.2} to {accepted:.2})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::results::{BLACK_WINS, WHITE_WINS};

    const WON: PairResult = [(WHITE_WINS, Some(Color::Black)), (BLACK_WINS, None)];
    const DRAWN: PairResult = [(KnownOutcome::Draw, None); 2];
    const LOST: PairResult = [(BLACK_WINS, Some(Color::White)), (WHITE_WINS, None)];

    fn standing(pairs: u64, bounds: Option<[f64; 2]>, kinds: &[(PairResult, usize)]) -> Standing {
        let (is_normalised, alpha, beta) = (false, 0.05, 0.05);
        let test = bounds.map(|[elo0, elo1]| Sprt { elo0, elo1, is_normalised, alpha, beta });
        let results = kinds.iter().flat_map(|&(pair, count)| vec![pair; count]);
        Standing::new(pairs, test, &results.collect::<Vec<_>>())
    }

    #[test]
    fn pairs_beyond_the_end_do_not_count() {
        let standing = standing(3, None, &[(DRAWN, 1), (LOST, 1), (WON, 2)]);
        assert!(standing.is_over());
        let line = "6 games: B won 2, drew 2, lost 2; pairs 1 0 1 0 1; +0.0 ± 416.6 Elo";
        assert_eq!(standing.line(), line);
        assert_eq!(standing.details()[1], "lost on time: 1 games by A, 1 by B");
    }

    #[test]
    fn a_test_ends_the_match_at_the_same_pair() {
        let standing = standing(9999, Some([0.0, 5.0]), &[(DRAWN, 10), (WON, 5000)]);
        let games = standing.games();
        assert!(standing.is_over() && games > 20 && games < 10_000, "{games}");
        let line = standing.line();
        assert!(line.contains("; log likelihood ratio ") && line.ends_with(" (-2.94 to 2.94)"));
    }

    #[test]
    fn the_sentence_says_what_is_decided() {
        let sentence =
            |bounds, kinds: &[(PairResult, usize)]| standing(9999, bounds, kinds).sentence();
        let (better, worse) = ([(DRAWN, 20), (WON, 300)], [(DRAWN, 20), (LOST, 300)]);
        for (bounds, kinds, start, how) in [
            (Some([0.0, 5.0]), better, "B is stronger: +", " Elo, accepted after "),
            (Some([0.0, 5.0]), worse, "B is not 5 Elo stronger: -", " Elo, rejected after "),
            (Some([-5.0, 0.0]), better, "B is not 5 Elo weaker: +", " Elo, accepted after "),
            (Some([-5.0, 0.0]), worse, "B is weaker: -", " Elo, rejected after "),
            (None, better, "B is stronger: +", " Elo after 640 games"),
            (None, worse, "B is weaker: -", " Elo after 640 games"),
        ] {
            let sentence = sentence(bounds, &kinds);
            assert!(sentence.starts_with(start) && sentence.contains(how), "{sentence}");
        }
        assert_eq!(
            sentence(Some([0.0, 5.0]), &[(DRAWN, 10)]),
            "no decision yet: +0.0 ± 70.5 Elo after 20 games; log likelihood ratio -0.14 (-2.94 to 2.94)"
        );
        assert!(sentence(None, &[]).starts_with("no decision yet: no pair "));
        let none = "no difference is certain: +0.0 ± 70.5 Elo after 20 games";
        assert_eq!(sentence(None, &[(DRAWN, 10)]), none);
        let one = sentence(None, &[(WON, 1)]);
        assert!(one.starts_with("no difference is certain: +"), "{one}");
    }
}
