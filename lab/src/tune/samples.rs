//! Positions as the tuner uses them: sparse counts of the weights, and the result of the game.

use crate::data::{RecordedGame, RecordedPosition, games, half_points, read_file};
use crate::provenance::{file_name, sha256};
use anyhow::{Result, bail};
use rayon::prelude::*;
use shakmaty::Color;
use std::{fmt, ops::Range, path::PathBuf};
use tropism::eval::{Engine, Score};
use tropism::{random::SplitMix64, search::Game};

/// The fewest games of which about a tenth can be kept for validation.
const MIN_GAMES: usize = 20;

/// One game in this many is kept for validation.
const VALIDATION: usize = 10;

/// One position.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// Its range of [`Samples::counts`].
    counts: Range<u32>,
    /// The share of the middlegame weights in its value, 0 to 1.
    pub(super) phase: f32,
    /// The factors that scale an advantage of White and of Black, 0 to 1.
    pub(super) shares: [f32; 2],
    /// White's value from frozen weights, in centipawns.
    pub(super) fixed: f32,
    /// White's points in the game: 0, 0.5 or 1.
    pub(super) points: f32,
    /// White's score by the search during the game, in centipawns.
    pub(super) score: f32,
    /// White's score by the judge, in centipawns.
    pub(super) label: Option<f32>,
}

/// The positions of all data files.
#[derive(Default)]
pub(super) struct Samples {
    pub(super) training: Vec<Sample>,
    pub(super) validation: Vec<Sample>,
    /// Weight pairs and their counts, position after position.
    counts: Vec<(u16, i16)>,
    /// By weight pair, the number of positions in which it counts.
    pub(super) support: Vec<u32>,
    pub(super) games: usize,
    /// Lines that cannot be read, with their reasons.
    pub(super) bad: Vec<String>,
    /// What was read, one sentence per file.
    pub(super) files: Vec<String>,
}

impl fmt::Display for Samples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} positions of {} games", self.counted(), self.games)?;
        match self.bad.len() {
            0 => Ok(()),
            bad => write!(f, ", {bad} bad lines left out"),
        }
    }
}

/// The samples of one game.
#[derive(Default)]
struct GameSamples {
    samples: Vec<Sample>,
    counts: Vec<(u16, i16)>,
    bad: Vec<String>,
}

impl Samples {
    /// Reads data files and measures their positions. Bad lines are left out and counted. `is_frozen`
    /// says of each weight pair whether it stays.
    pub(super) fn read(files: &[PathBuf], engine: &Engine, is_frozen: &[bool]) -> Result<Samples> {
        let mut samples = Samples { support: vec![0; engine.pairs()], ..Samples::default() };
        let weights = in_force(engine).into_iter();
        let weights: Vec<Score> = weights.map(|[mg, eg]| Score::from_centipawns(mg, eg)).collect();
        for (file, path) in files.iter().enumerate() {
            let text = read_file(path)?;
            let (games, mut bad) = games(&text);
            let before = samples.counted();
            let measure = |game| measure(engine, is_frozen, &weights, game);
            let measured: Vec<GameSamples> = games.par_iter().map(measure).collect();
            for (game, measured) in measured.into_iter().enumerate() {
                bad.extend_from_slice(&measured.bad);
                let fold = SplitMix64::stream(file as u64, game as u64).below(VALIDATION);
                samples.add(measured, fold);
            }
            samples.games += games.len();
            samples.files.push(format!(
                "{}: {} positions of {} games, SHA-256 {}",
                file_name(path),
                samples.counted() - before,
                games.len(),
                sha256(&text)
            ));
            samples.bad.extend(bad.iter().map(|line| format!("{}:{line}", path.display())));
        }
        let has_both = !samples.training.is_empty() && !samples.validation.is_empty();
        if samples.games < MIN_GAMES || !has_both {
            bail!(
                "the data files have {} games, which is too few for training and validation; use {MIN_GAMES} or more \
                 games that `tropism-lab datagen` or `label` wrote",
                samples.games
            );
        }
        Ok(samples)
    }

    /// The number of positions.
    fn counted(&self) -> usize {
        self.training.len() + self.validation.len()
    }

    /// Adds a game: to the validation set if `fold` is 0, otherwise to the training set.
    fn add(&mut self, measured: GameSamples, fold: usize) {
        let offset = self.counts.len() as u32;
        for &(pair, _) in &measured.counts {
            self.support[usize::from(pair)] += 1;
        }
        self.counts.extend(measured.counts);
        let samples = measured.samples.into_iter().map(|sample| Sample {
            counts: sample.counts.start + offset..sample.counts.end + offset,
            ..sample
        });
        match fold {
            0 => self.validation.extend(samples),
            _ => self.training.extend(samples),
        }
    }

    /// The weight pairs that count in a position, and their counts.
    #[inline]
    pub(super) fn counts(&self, sample: &Sample) -> &[(u16, i16)] {
        &self.counts[sample.counts.start as usize..sample.counts.end as usize]
    }
}

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

/// Measures the positions of a game with [`Engine::record`]. `weights` are those in force.
fn measure(
    engine: &Engine,
    is_frozen: &[bool],
    weights: &[Score],
    game: &RecordedGame,
) -> GameSamples {
    let (mut measured, mut bad) = (GameSamples::default(), Vec::new());
    let mut counts = vec![0; weights.len()];
    let points = f32::from(half_points(game.result)) / 2.0;
    let mut add = |&RecordedPosition { fen, score, label, .. }: &RecordedPosition| -> Result<()> {
        let start = Game::from_fen(fen, None)?;
        let scale = engine.record(start.position().chess(), &mut counts);
        let mut fixed = Score::ZERO;
        let mut own = Vec::new();
        for (pair, &count) in counts.iter().enumerate().filter(|(_, count)| **count != 0) {
            if is_frozen[pair] {
                fixed += weights[pair] * count;
            } else if let (Ok(pair), Ok(small)) = (pair.try_into(), count.try_into()) {
                own.push((pair, small));
            } else {
                bail!(
                    "a weight counts {count} times, and the tuner takes {} at most; make its `per` smaller",
                    i16::MAX
                );
            }
        }
        let first = measured.counts.len() as u32;
        measured.counts.extend(own);
        let share = |side| *scale.shares.get(side) as f32 / 64.0;
        measured.samples.push(Sample {
            counts: first..measured.counts.len() as u32,
            phase: scale.phase as f32 / Score::MAX_PHASE as f32,
            shares: [share(Color::White), share(Color::Black)],
            fixed: fixed.taper(scale.phase) as f32,
            points,
            score: score as f32,
            label: label.map(|label| label.centipawns() as f32),
        });
        Ok(())
    };
    for position in &game.positions {
        if let Err(error) = add(position) {
            bad.push(position.complaint(&error));
        }
    }
    GameSamples { bad, ..measured }
}
