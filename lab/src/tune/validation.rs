//! How well an engine's weights predict results, with all terms and without one.

use super::{
    descent::{Target, best_scale_of_weights, mean_loss},
    samples::Samples,
    weights::in_force,
};
use anyhow::Result;
use std::{ops::Range, path::PathBuf};
use tropism::eval::Engine;

/// Recorded games, and the weights that predict their results.
pub(crate) struct Validation {
    samples: Samples,
    weights: Vec<[f64; 2]>,
    /// The indices of each term's weights.
    ranges: Vec<(String, Range<usize>)>,
}

impl Validation {
    /// Reads data files and measures their positions.
    pub(crate) fn new(data: &[PathBuf], engine: &Engine) -> Result<Validation> {
        let samples = Samples::read(data, engine, &vec![false; engine.pairs()])?;
        let mut start = 0;
        let ranges = engine.parts().map(|(name, pairs)| {
            start += pairs;
            (name.to_owned(), start - pairs..start)
        });
        Ok(Validation { samples, weights: in_force(engine), ranges: ranges.collect() })
    }

    /// The mean loss on the validation games, with all terms or without one. Only results are predicted.
    ///
    /// The scale is fitted again for each set of terms: a term gets no credit for a loss that the other
    /// terms could make good by being larger.
    pub(crate) fn loss(&self, without: Option<&str>) -> f64 {
        let mut weights = self.weights.clone();
        for (name, range) in &self.ranges {
            if Some(name.as_str()) == without {
                weights[range.clone()].fill([0.0; 2]);
            }
        }
        let scale = best_scale_of_weights(&self.samples, &weights);
        mean_loss(&self.samples, &self.samples.validation, &weights, scale, &Target::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_a_term_that_decides_games_lowers_the_loss() {
        // The side with the knight wins, wherever the knight stands.
        let mut text = String::new();
        for game in 0..200 {
            let file = game % 7;
            let (knight, result) = if game % 2 == 0 { ('N', "1-0") } else { ('n', "0-1") };
            let rank = format!("{}{knight}{}", "1".repeat(file), 7 - file).replace('0', "");
            text += &format!("4k3/p7/8/8/{rank}/8/P7/4K3 w - - 0\n= {game} {result}\n");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.txt");
        fs::write(&path, text).unwrap();
        let engine = Engine::parse(
            "name = 'x'\nterms = ['material', 'knight_forks']\n[material]\npawn = [100, 100]\n\
             knight = [300, 300]\nbishop = [300, 300]\nrook = [500, 500]\nqueen = [900, 900]\n\
             [knight_forks]\nfork = [0, 0]\nfamily = [0, 0]\n",
            "x.toml",
            &tropism::terms::registry(),
        )
        .unwrap();
        let validation = Validation::new(std::slice::from_ref(&path), &engine).unwrap();
        let whole = validation.loss(None);
        assert!(whole < 1e-3, "{whole}");
        assert_eq!(validation.loss(Some("knight_forks")), whole);
        // Without any term a prediction is the toss of a coin.
        assert!((validation.loss(Some("material")) - std::f64::consts::LN_2).abs() < 1e-9);
    }
}
