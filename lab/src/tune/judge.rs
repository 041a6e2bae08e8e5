//! How well an engine's weights foresee results, with all terms and without one.

use super::descent::{best_scale, mean_loss};
use super::samples::Samples;
use super::{MIN_GAMES, TuneError, centipawns};
use std::{ops::Range, path::PathBuf};
use tropism::eval::Engine;

/// Recorded games, and the weights they are held against.
pub(in super::super) struct Judge {
    samples: Samples,
    weights: Vec<[f64; 2]>,
    /// The places of each term's weights.
    places: Vec<(&'static str, Range<usize>)>,
}

impl Judge {
    /// Reads and measures files of data.
    pub(in super::super) fn new(data: &[PathBuf], engine: &Engine) -> Result<Judge, TuneError> {
        let samples = Samples::read(data, engine, &[])?;
        if samples.games < MIN_GAMES {
            return Err(TuneError::TooFewGames(samples.games));
        }
        let mut start = 0;
        let places = engine.parts().map(|(name, pairs)| {
            start += pairs;
            (name, start - pairs..start)
        });
        let places = places.collect();
        Ok(Judge { samples, weights: engine.weights().map(centipawns).collect(), places })
    }

    /// The mean loss on the games kept for validation, the results alone being foreseen, without one
    /// term or with all. The centipawns for odds of ten to one are those that fit best each time: what
    /// the others could make up by being larger is no merit of the term. One fit for all terms would not
    /// do: without material, what is left speaks of odds in other centipawns.
    pub(in super::super) fn loss(&self, without: Option<&str>) -> f64 {
        let mut weights = self.weights.clone();
        for (name, places) in &self.places {
            if Some(*name) == without {
                weights[places.clone()].fill([0.0; 2]);
            }
        }
        let scale = best_scale(&self.samples, &weights);
        mean_loss(&self.samples, &self.samples.validation, &weights, scale, 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_term_that_decides_games_is_missed_and_one_that_does_not_is_not() {
        // Who has the knight wins; where it stands means nothing.
        let mut text = String::new();
        for game in 0..200 {
            let file = game % 7;
            let (men, ending) = if game % 2 == 0 { ('N', "1-0") } else { ('n', "0-1") };
            let rank = format!("{}{men}{}", "1".repeat(file), 7 - file).replace('0', "");
            text += &format!("4k3/p7/8/8/{rank}/8/P7/4K3 w - - 0\n= {game} {ending}\n");
        }
        let path = std::env::temp_dir().join(format!("tropism-judge-{}", std::process::id()));
        fs::write(&path, text).unwrap();
        let engine = Engine::parse(
            "name = 'x'\nterms = ['material', 'knight_forks']\n[material]\npawn = [100, 100]\n\
             knight = [300, 300]\nbishop = [300, 300]\nrook = [500, 500]\nqueen = [900, 900]\n\
             [knight_forks]\nfork = [0, 0]\nfamily = [0, 0]\n",
            "x.toml",
            &tropism::terms::registry(),
        )
        .unwrap();
        let judge = Judge::new(std::slice::from_ref(&path), &engine).unwrap();
        fs::remove_file(&path).unwrap();
        let whole = judge.loss(None);
        assert!(whole < 1e-3, "{whole}");
        assert_eq!(judge.loss(Some("knight_forks")), whole);
        // Nothing known is a coin tossed.
        assert!((judge.loss(Some("material")) - std::f64::consts::LN_2).abs() < 1e-9);
    }
}
