//! Positions as the tuner sees them: sparse counts, and what came of the game.

use super::super::data::Line;
use super::TuneError;
use rayon::prelude::*;
use shakmaty::Color;
use std::{fmt, fs, path::PathBuf};
use tropism::random::SplitMix64;
use tropism::{
    eval::{Engine, Score},
    search::Game,
};

/// One game in so many is kept to check what the others taught.
const VALIDATION: usize = 10;

/// Bad lines that are shown; the others are counted.
const SHOWN: usize = 5;

/// One position.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// Where its counts begin and end in [`Samples::counts`].
    counts: std::ops::Range<u32>,
    /// The middlegame's share in its value, 0 to 1.
    pub(super) phase: f32,
    /// What is left of an advantage of White and of Black, 0 to 1.
    pub(super) shares: [f32; 2],
    /// White's value from weights that are not learnt, in centipawns.
    pub(super) fixed: f32,
    /// White's points in the game.
    pub(super) points: f32,
    /// White's score as the search of the game saw it, in centipawns.
    pub(super) score: f32,
}

/// All that is learnt from.
pub(super) struct Samples {
    pub(super) training: Vec<Sample>,
    pub(super) validation: Vec<Sample>,
    /// The pairs that a position counts, and how often.
    counts: Vec<(u16, i16)>,
    /// In how many positions each pair counts.
    pub(super) support: Vec<u32>,
    pub(super) games: usize,
    pub(super) bad: usize,
    pub(super) bad_lines: Vec<String>,
}

impl fmt::Display for Samples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions = self.training.len() + self.validation.len();
        write!(f, "{positions} positions of {} games", self.games)?;
        match self.bad {
            0 => Ok(()),
            bad => write!(f, ", {bad} bad lines left out"),
        }
    }
}

/// One game of a file: its lines, and what came of it.
struct Block<'a> {
    lines: Vec<(usize, &'a str, i32)>,
    points: f64,
}

/// What one game gives.
#[derive(Default)]
struct Measured {
    samples: Vec<Sample>,
    counts: Vec<(u16, i16)>,
    bad: Vec<String>,
}

impl Samples {
    /// Reads and measures files of data. Lines that cannot be read are left out and counted.
    pub(super) fn read(
        files: &[PathBuf],
        engine: &Engine,
        freeze: &[String],
    ) -> Result<Samples, TuneError> {
        let mut samples = Samples {
            training: Vec::new(),
            validation: Vec::new(),
            counts: Vec::new(),
            support: vec![0; engine.pairs()],
            games: 0,
            bad: 0,
            bad_lines: Vec::new(),
        };
        let is_frozen: Vec<bool> = engine
            .parts()
            .flat_map(|(name, pairs)| vec![freeze.iter().any(|frozen| frozen == name); pairs])
            .collect();
        let weights: Vec<Score> = engine.weights().collect();
        let meter = Meter { engine, is_frozen: &is_frozen, weights: &weights };
        for (file, path) in files.iter().enumerate() {
            let text = fs::read_to_string(path)
                .map_err(|error| TuneError::File { path: path.clone(), error })?;
            let mut bad = Vec::new();
            let blocks = blocks(&text, &mut bad);
            let measured: Vec<Measured> =
                blocks.par_iter().map(|block| meter.measure(block)).collect();
            for (game, measured) in measured.into_iter().enumerate() {
                bad.extend(measured.bad.iter().cloned());
                samples
                    .add(measured, SplitMix64::stream(file as u64, game as u64).below(VALIDATION));
            }
            samples.games += blocks.len();
            samples.bad += bad.len();
            let room = SHOWN.saturating_sub(samples.bad_lines.len());
            let named = bad.into_iter().take(room).map(|line| format!("{}:{line}", path.display()));
            samples.bad_lines.extend(named);
        }
        Ok(samples)
    }

    fn add(&mut self, measured: Measured, lot: usize) {
        let offset = self.counts.len() as u32;
        for &(pair, _) in &measured.counts {
            self.support[usize::from(pair)] += 1;
        }
        self.counts.extend(measured.counts);
        let samples = measured.samples.into_iter().map(|sample| Sample {
            counts: sample.counts.start + offset..sample.counts.end + offset,
            ..sample
        });
        match lot {
            0 => self.validation.extend(samples),
            _ => self.training.extend(samples),
        }
    }

    /// The pairs that a position counts, and how often.
    #[inline]
    pub(super) fn counts(&self, sample: &Sample) -> &[(u16, i16)] {
        &self.counts[sample.counts.start as usize..sample.counts.end as usize]
    }
}

/// The games of a text, and what is wrong with lines of it.
fn blocks<'a>(text: &'a str, bad: &mut Vec<String>) -> Vec<Block<'a>> {
    let mut blocks = Vec::new();
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        match Line::parse(line) {
            Ok(Line::Remark) => {}
            Ok(Line::Position { fen, score }) => lines.push((index + 1, fen, score)),
            Ok(Line::End { ending, .. }) => {
                blocks.push(Block { lines: std::mem::take(&mut lines), points: ending.points() });
            }
            Err(error) => bad.push(format!("{}: {error}", index + 1)),
        }
    }
    blocks
}

/// Measures positions.
struct Meter<'a> {
    engine: &'a Engine,
    is_frozen: &'a [bool],
    weights: &'a [Score],
}

impl Meter<'_> {
    fn measure(&self, block: &Block) -> Measured {
        let mut measured = Measured::default();
        let mut counts = vec![0; self.weights.len()];
        for &(line, fen, score) in &block.lines {
            match Game::from_fen(fen, None) {
                Ok(game) => {
                    let prospects = self.engine.record(game.position().chess(), &mut counts);
                    let start = measured.counts.len() as u32;
                    let mut fixed = Score::ZERO;
                    for (pair, &count) in
                        counts.iter().enumerate().filter(|(_, count)| **count != 0)
                    {
                        if self.is_frozen[pair] {
                            fixed += self.weights[pair] * count;
                        } else {
                            measured.counts.push((pair as u16, count as i16));
                        }
                    }
                    let share = |side| *prospects.shares.get(side) as f32 / 64.0;
                    measured.samples.push(Sample {
                        counts: start..measured.counts.len() as u32,
                        phase: prospects.phase as f32 / Score::MAX_PHASE as f32,
                        shares: [share(Color::White), share(Color::Black)],
                        fixed: fixed.taper(prospects.phase) as f32,
                        points: block.points as f32,
                        score: score as f32,
                    });
                }
                Err(error) => measured.bad.push(format!("{line}: {fen:?}: {error}")),
            }
        }
        measured
    }
}
