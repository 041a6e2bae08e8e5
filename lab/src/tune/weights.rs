//! The weights of an engine in centipawns.

use tropism::eval::{Engine, Score};

/// The share of each weight pair that counts: the percentage of its term.
pub(super) fn shares(engine: &Engine) -> Vec<f64> {
    let share = |term: &str| f64::from(engine.percent(term).unwrap_or(100)) / 100.0;
    engine.parts().flat_map(|(term, pairs)| vec![share(term); pairs]).collect()
}

/// All weight pairs at the percentages of their terms, in centipawns.
pub(super) fn in_force(engine: &Engine) -> Vec<[f64; 2]> {
    let weights = engine.weights().map(centipawns).zip(shares(engine));
    weights.map(|(pair, share)| pair.map(|weight| weight * share)).collect()
}

/// Middlegame and endgame in centipawns per count.
fn centipawns(score: Score) -> [f64; 2] {
    [score.middlegame(), score.endgame()].map(|grains| f64::from(grains) / f64::from(Score::GRAINS))
}
