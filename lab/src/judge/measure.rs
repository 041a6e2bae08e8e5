//! Values, residuals and counts of labelled positions.

use crate::{
    counts::names,
    curve::{best_scale, expected},
    data::{Label, games, half_points, read_file},
};
use anyhow::{Result, ensure};
use rayon::prelude::*;
use shakmaty::{Board, Position};
use std::{f64::consts::LN_10, fmt, path::PathBuf};
use tropism::{eval::Engine, search::Game};
use tropism_program::Context;

/// Fewer positions say little.
pub(super) const MIN_SUPPORT: usize = 20;

/// One position.
pub(super) struct Measured {
    pub(super) fen: String,
    pub(super) board: Board,
    pub(super) label: Label,
    /// White's static evaluation, in centipawns.
    pub(super) value: f64,
    /// White's expected points by the label.
    target: f64,
    /// The target minus the points that the evaluation expects.
    pub(super) residual: f64,
    /// White's points in the game.
    result: f64,
    /// By how much the value changes with a weight of count 1: the share that the side ahead keeps of its advantage.
    share: f64,
    /// The number of its game.
    game: usize,
    /// The counts that are not zero, by feature.
    counts: Vec<(usize, i32)>,
}

impl Measured {
    /// White's expected points by the evaluation.
    fn predicted(&self, scale: f64) -> f64 {
        expected(self.value, scale)
    }
}

/// A weight of a term.
pub(super) struct Feature {
    pub(super) name: String,
    /// Counts in one unit of the weight.
    per: f64,
    pub(super) is_candidate: bool,
}

/// How a count goes with the residual. What is compared is by how much the expected points would grow with its weight: a
/// count in a position that is decided says little.
pub(super) struct Correlation<'j> {
    pub(super) feature: &'j Feature,
    /// Positions in which it is not zero.
    pub(super) positions: usize,
    /// Pearson's correlation of that growth with the residual over all positions.
    pub(super) correlation: f64,
    /// The covariance in standard errors. Positions of one game are alike, so each game counts as one observation.
    pub(super) certainty: f64,
    /// What to add to both halves of the weight so that the squared error falls most, if nothing else changes: one step
    /// of Gauss and Newton.
    pub(super) change: f64,
}

/// All labelled positions.
pub(super) struct Judged {
    pub(super) positions: Vec<Measured>,
    /// The evaluation's centipawns for odds of ten to one.
    pub(super) scale: f64,
    features: Vec<Feature>,
    games: usize,
    /// Lines that cannot be read or have no label.
    left_out: usize,
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Judged { positions, scale, games, left_out, .. } = self;
        write!(f, "{} positions of {games} games, ", positions.len())?;
        if *left_out > 0 {
            write!(f, "{left_out} lines that have no label or cannot be read left out, ")?;
        }
        write!(f, "{scale:.0} centipawns for odds of 10 to 1")
    }
}

/// An engine whose counts are features, and the ranges of its counts that are.
struct Source<'a> {
    engine: &'a Engine,
    /// For each of its weights its feature, if it is one.
    features: Vec<Option<usize>>,
}

impl Judged {
    /// Reads and measures labelled positions.
    pub(super) fn new(
        data: &[PathBuf],
        candidates: &[PathBuf],
        by_centipawns: bool,
        context: &Context,
    ) -> Result<Judged> {
        let mut features = Vec::new();
        let engine = &context.engine;
        let mut known: Vec<String> = Vec::new();
        let mut add = |engine: &Engine, is_candidate| {
            let mut own = Vec::new();
            let mut names = names(engine).into_iter();
            for entry in engine.entries() {
                let is_new = known.iter().all(|known| *known != entry.name);
                for weight in entry.weights.iter() {
                    let per = f64::from(weight.per);
                    for name in names.by_ref().take(weight.length.unwrap_or(1)) {
                        own.push(is_new.then_some(features.len()));
                        if is_new {
                            features.push(Feature { name, per, is_candidate });
                        }
                    }
                }
                known.push(entry.name.to_string());
            }
            own
        };
        let own = add(engine, false);
        let load = |path: &PathBuf| Engine::load(path, &context.registry);
        let engines = candidates.iter().map(load).collect::<Result<Vec<_>, _>>()?;
        let mut sources = vec![Source { engine, features: own }];
        for (path, engine) in candidates.iter().zip(&engines) {
            let features = add(engine, true);
            ensure!(
                features.iter().any(Option::is_some),
                "{}: the engine has all terms of this file, so none is a candidate",
                path.display()
            );
            sources.push(Source { engine, features });
        }

        let mut judged =
            Judged { positions: Vec::new(), scale: 0.0, features, games: 0, left_out: 0 };
        for path in data {
            let text = read_file(path)?;
            let mut bad = Vec::new();
            let games = games(&text, &mut bad);
            let all = games.par_iter().enumerate().flat_map_iter(|(number, game)| {
                let number = judged.games + number;
                let points = f64::from(half_points(game.result)) / 2.0;
                let sources = &sources;
                game.positions.iter().map(move |position| {
                    measure(sources, number, position.fen, position.label?, points)
                })
            });
            let all: Vec<Option<Measured>> = all.collect();
            judged.games += games.len();
            judged.left_out += bad.len() + all.iter().filter(|one| one.is_none()).count();
            judged.positions.extend(all.into_iter().flatten());
        }
        ensure!(
            !judged.positions.is_empty(),
            "the data files have no labels; `tropism-lab label` adds them"
        );
        judged.compare(by_centipawns);
        Ok(judged)
    }

    /// Fits the curves and computes the residuals.
    fn compare(&mut self, by_centipawns: bool) {
        // A label without points of its own gets those that its centipawns have brought in the games.
        let label = |position: &Measured| f64::from(position.label.centipawns());
        let positions = &self.positions;
        let label_scale = best_scale(|scale| {
            let error = |one: &Measured| (one.result - expected(label(one), scale)).powi(2);
            positions.iter().map(error).sum()
        });
        for position in &mut self.positions {
            let points = position.label.points().filter(|_| !by_centipawns);
            position.target = points.unwrap_or_else(|| expected(label(position), label_scale));
        }
        self.scale = scale_of(&self.positions.iter().collect::<Vec<_>>());
        for position in &mut self.positions {
            position.residual = position.target - position.predicted(self.scale);
        }
    }

    /// The correlation of each count with the residual, the most certain first. Rare counts are left out.
    pub(super) fn correlations(&self) -> Vec<Correlation<'_>> {
        let n = self.positions.len() as f64;
        let mean = self.positions.iter().map(|position| position.residual).sum::<f64>() / n;
        let mut sums: Vec<Sums> = self.features.iter().map(|_| Sums::default()).collect();
        let mut variance = 0.0;
        for position in &self.positions {
            let points = position.predicted(self.scale);
            let slope = points * (1.0 - points) * LN_10 / self.scale * position.share;
            let residual = position.residual - mean;
            variance += residual * residual / n;
            for &(feature, count) in &position.counts {
                sums[feature].add(position.game, f64::from(count) * slope, residual);
            }
        }
        let rows = self.features.iter().zip(sums).filter(|(_, sums)| sums.positions >= MIN_SUPPORT);
        let mut rows: Vec<Correlation> =
            rows.map(|(feature, sums)| sums.correlation(feature, n, variance)).collect();
        rows.sort_by(|one, other| other.certainty.abs().total_cmp(&one.certainty.abs()));
        rows
    }
}

/// Sums over all positions in which a count is not zero. The slope is by how much the expected points grow with the
/// weight.
#[derive(Default)]
struct Sums {
    positions: usize,
    slope: f64,
    square: f64,
    /// Slope times residual: of all positions, of the present game, and the sum of the squares of the games before.
    product: f64,
    of_game: (usize, f64),
    squares_of_games: f64,
}

impl Sums {
    fn add(&mut self, game: usize, slope: f64, residual: f64) {
        self.positions += 1;
        self.slope += slope;
        self.square += slope * slope;
        self.product += slope * residual;
        if self.of_game.0 != game {
            self.squares_of_games += self.of_game.1 * self.of_game.1;
            self.of_game = (game, 0.0);
        }
        self.of_game.1 += slope * residual;
    }

    /// `variance` is that of the residual over all `n` positions.
    fn correlation<'j>(&self, feature: &'j Feature, n: f64, variance: f64) -> Correlation<'j> {
        let of_slopes = self.square / n - (self.slope / n).powi(2);
        let squares = self.squares_of_games + self.of_game.1 * self.of_game.1;
        // A constant slope has no correlation, and at certain points no weight changes anything.
        let ratio = |above: f64, below: f64| if below > 1e-12 { above / below } else { 0.0 };
        Correlation {
            feature,
            positions: self.positions,
            correlation: ratio(self.product / n, (of_slopes * variance).sqrt()),
            certainty: ratio(self.product, squares.sqrt()),
            change: ratio(self.product, self.square) * feature.per,
        }
    }
}

/// Measures one position; `None` if it is none.
fn measure(
    sources: &[Source],
    game: usize,
    fen: &str,
    label: Label,
    result: f64,
) -> Option<Measured> {
    let setup = Game::from_fen(fen, None).ok()?;
    let chess = setup.position().chess();
    let mut counts = Vec::new();
    let mut share = 0.0;
    let mut value = 0.0;
    for (place, Source { engine, features }) in sources.iter().enumerate() {
        let mut all = vec![0; engine.pairs()];
        let scale = engine.record(chess, &mut all);
        let own = features.iter().zip(&all).filter(|&(_, &count)| count != 0);
        counts.extend(own.filter_map(|(feature, &count)| Some(((*feature)?, count))));
        if place == 0 {
            let side_value = engine.evaluate(chess);
            value = f64::from(if chess.turn().is_white() { side_value } else { -side_value });
            let ahead = shakmaty::Color::from_white(value > 0.0);
            // See `ScaleFactor`: an advantage counts in 64ths.
            share = f64::from(*scale.shares.get(ahead)) / 64.0;
        }
    }
    let (fen, board) = (fen.to_owned(), chess.board().clone());
    Some(Measured {
        fen,
        board,
        label,
        value,
        target: 0.0,
        residual: 0.0,
        result,
        share,
        game,
        counts,
    })
}

/// The mean squared error of a curve with this scale.
pub(super) fn mean_squared_error(positions: &[&Measured], scale: f64) -> f64 {
    let squares = positions.iter().map(|one| (one.target - one.predicted(scale)).powi(2));
    squares.sum::<f64>() / positions.len().max(1) as f64
}

/// The scale of the least error.
pub(super) fn scale_of(positions: &[&Measured]) -> f64 {
    best_scale(|scale| mean_squared_error(positions, scale))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const ENGINE: &str = "name = 'x'\nterms = ['material']\n[material]\npawn = [100, 100]\n\
        knight = [300, 300]\nbishop = [300, 300]\nrook = [500, 500]\nqueen = [900, 900]\n";

    /// Knights are worth 500 by the labels, and rooks what the engine says.
    fn judged(candidates: &[&str]) -> Result<Judged> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("labels.txt");
        let mut text = String::from("# labels\n4k3/8/8/8/8/8/P7/4K3 w - - 0\n");
        for (piece, value) in [('N', 500), ('n', -500), ('R', 500), ('r', -500), ('P', 100)] {
            for column in 1..6 {
                for rooks in ["8", "r1R5"] {
                    let rank = format!("{column}{piece}{}", 7 - column);
                    let fen = format!("7k/p7/{rooks}/{rank}/8/8/P7/7K w - -");
                    text += &format!("{fen} 0 | cp {value}\n= 1 1/2-1/2\n");
                }
            }
        }
        fs::write(&file, text).unwrap();
        let registry = tropism::terms::registry();
        let engine = Engine::parse(ENGINE, "x.toml", &registry).unwrap();
        let context = Context { engine, registry, file: None };
        let files: Vec<PathBuf> = candidates
            .iter()
            .enumerate()
            .map(|(number, text)| {
                let path = folder.path().join(format!("{number}.toml"));
                fs::write(&path, text).unwrap();
                path
            })
            .collect();
        Judged::new(&[file], &files, false, &context)
    }

    #[test]
    fn the_weight_that_is_too_small_stands_out() {
        let judged = judged(&[]).unwrap();
        assert_eq!((judged.positions.len(), judged.left_out), (50, 1));
        let rows = judged.correlations();
        assert_eq!(rows[0].feature.name, "material.knight");
        assert!(rows[0].correlation > 0.5 && rows[0].positions == 20);
        assert!(rows[0].change > 20.0 && rows[0].certainty > 2.0);
    }

    /// A count with a large residual in many decided positions, and a small one of the other sign in few even ones: it was
    /// shown with a correlation of one sign and a correction of the other.
    #[test]
    fn correlation_and_correction_have_one_sign() {
        let position = |value, residual, count, game| Measured {
            fen: String::new(),
            board: Board::default(),
            label: Label { value: tropism::search::Value::Centipawns(0), odds: None },
            value,
            target: 0.0,
            residual,
            result: 0.5,
            share: 1.0,
            game,
            counts: vec![(0, count)],
        };
        let decided = (0..100).map(|game| position(1500.0, 0.02, 1, game));
        let even = (100..130).map(|game| position(0.0, -0.04, 1, game));
        let others = (130..400).map(|game| position(0.0, 0.0, 0, game));
        let judged = Judged {
            positions: decided.chain(even).chain(others).collect(),
            scale: 400.0,
            features: vec![Feature { name: "x.y".to_owned(), per: 1.0, is_candidate: false }],
            games: 400,
            left_out: 0,
        };
        let Correlation { correlation, certainty, change, .. } = judged.correlations()[0];
        assert!(change < -1.0 && correlation < 0.0 && certainty < 0.0, "{correlation} {certainty}");
    }

    #[test]
    fn a_candidate_is_a_term_that_the_engine_lacks() {
        let engine = ENGINE.replace("['material']", "['material', 'knights']");
        let knights = format!(
            "{engine}[knights]\ndoc = 'Knights.'\n[knights.more]\ncount = 'count(own.knights)'\n\
             unit = 'knights'\nworth = [0, 0]\n"
        );
        let judged_knights = judged(&[&knights]).unwrap();
        let rows = judged_knights.correlations();
        let candidates: Vec<_> = rows.iter().filter(|row| row.feature.is_candidate).collect();
        assert_eq!(candidates.len(), 1);
        assert!(
            candidates[0].feature.name.starts_with("knights.") && candidates[0].correlation > 0.5
        );
        let error = judged(&[ENGINE]).err().unwrap().to_string();
        assert!(error.ends_with("so none is a candidate"), "{error}");
    }
}
