//! `tropism-lab judge`: how far the static evaluation is from the labels of another engine, and which counts of the terms
//! go with the difference.
//!
//! The curve between centipawns and expected points is logistic; its scale is fitted to the labels. The *residual* of a
//! position is White's expected points by its label minus those by the evaluation. A count that goes with the residual is
//! something that the evaluation misses or weighs wrongly.

use crate::counts::names;
use crate::curve::{best_scale, expected};
use crate::data::{Label, games, half_points, read_file};
use anyhow::{Result, ensure};
use clap::Args;
use rayon::prelude::*;
use shakmaty::{Color, Position};
use std::io::{self, Write};
use std::{f64::consts::LN_10, path::PathBuf};
use tropism::{eval::Engine, search::Game};
use tropism_program::Context;

/// Fewer positions say little.
const MIN_SUPPORT: usize = 20;

/// From this number of pieces on, kings and pawns included, a position counts as a middlegame.
const MIDDLEGAME_PIECES: usize = 20;

/// Measure how far the static evaluation is from the labels of another engine, and what goes with the difference.
#[derive(Args, Clone, Debug)]
pub(crate) struct Judge {
    /// Files that `tropism-lab label` wrote.
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
    /// An engine file whose terms are compared with the difference although the engine does not have them; may be given
    /// several times.
    #[arg(long, value_name = "FILE")]
    candidates: Vec<PathBuf>,
    /// The number of counts to show.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// The number of positions to show.
    #[arg(long, value_name = "N", default_value_t = 10)]
    worst: usize,
}

/// One position.
struct Measured {
    fen: String,
    pieces: usize,
    label: Label,
    /// White's static evaluation, in centipawns.
    value: f64,
    /// White's points in the game, and then its expected points by the label.
    target: f64,
    /// By how much the value changes with a weight of count 1: the share that the side ahead keeps of its advantage.
    share: f64,
    /// The number of its game.
    game: usize,
    /// The counts that are not zero, by feature.
    counts: Vec<(usize, i32)>,
}

/// A weight of a term.
struct Feature {
    name: String,
    /// Counts in one unit of the weight.
    per: f64,
    is_candidate: bool,
}

/// How a count goes with the residual. What is compared is by how much the expected points would grow with its weight: a
/// count in a position that is decided says little.
struct Correlation<'j> {
    feature: &'j Feature,
    /// Positions in which it is not zero.
    positions: usize,
    /// The covariance in standard errors. Positions of one game are alike, so each game counts as one observation.
    certainty: f64,
    /// What to add to both halves of the weight so that the squared error falls most, if nothing else changes: one step
    /// of Gauss and Newton.
    change: f64,
}

/// All labelled positions.
struct Judged {
    positions: Vec<Measured>,
    /// The evaluation's centipawns for odds of ten to one.
    scale: f64,
    features: Vec<Feature>,
    games: usize,
    /// Lines that cannot be read or have no label.
    left_out: usize,
}

impl Judge {
    /// Prints the tables.
    pub(crate) fn run(&self, context: &Context) -> Result<()> {
        let judged = Judged::new(&self.data, &self.candidates, context)?;
        Ok(self.write(&mut io::stdout().lock(), &judged)?)
    }

    fn write(&self, out: &mut impl Write, judged: &Judged) -> io::Result<()> {
        let Judged { positions, scale, games, left_out, .. } = judged;
        write!(out, "{} positions of {games} games, ", positions.len())?;
        if *left_out > 0 {
            write!(out, "{left_out} lines that have no label or cannot be read left out, ")?;
        }
        writeln!(out, "{scale:.0} centipawns for odds of 10 to 1\n")?;
        writeln!(out, "| positions | number | mean squared error |\n|---|---|---|")?;
        for (name, numbers) in [
            ("all", 0..=usize::MAX),
            ("20 pieces or more", MIDDLEGAME_PIECES..=usize::MAX),
            ("fewer pieces", 0..=MIDDLEGAME_PIECES - 1),
        ] {
            let class = positions.iter().filter(|one| numbers.contains(&one.pieces));
            let errors: Vec<f64> = class.map(|one| judged.residual(one).powi(2)).collect();
            let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
            writeln!(out, "| {name} | {} | {mean:.5} |", errors.len())?;
        }
        let (candidates, own): (Vec<_>, Vec<_>) =
            judged.correlations().into_iter().partition(|row| row.feature.is_candidate);
        write_correlations(out, "count", &own[..self.top.min(own.len())])?;
        if !candidates.is_empty() {
            write_correlations(out, "candidate", &candidates)?;
        }
        if self.worst > 0 {
            writeln!(out, "\n| position | label | evaluation | residual |\n|---|---|---|---|")?;
        }
        let mut order: Vec<(f64, &Measured)> =
            positions.iter().map(|one| (judged.residual(one), one)).collect();
        order.sort_by(|(one, _), (other, _)| other.abs().total_cmp(&one.abs()));
        for (residual, Measured { fen, label, value, .. }) in order.into_iter().take(self.worst) {
            writeln!(out, "| `{fen}` | {label} | {value:+.0} | {residual:+.3} |")?;
        }
        Ok(())
    }
}

fn write_correlations(out: &mut impl Write, heading: &str, rows: &[Correlation]) -> io::Result<()> {
    writeln!(
        out,
        "\n| {heading} | positions | residual with it, in standard errors | centipawns to add |\n\
         |---|---|---|---|"
    )?;
    rows.iter().try_for_each(|Correlation { feature, positions, certainty, change }| {
        writeln!(out, "| {} | {positions} | {certainty:+.1} | {change:+.1} |", feature.name)
    })
}

/// An engine whose counts are features.
struct Source<'a> {
    engine: &'a Engine,
    /// For each of its weights its feature, if it is one.
    features: Vec<Option<usize>>,
}

impl Judged {
    /// Reads and measures labelled positions.
    fn new(data: &[PathBuf], candidates: &[PathBuf], context: &Context) -> Result<Judged> {
        let mut features = Vec::new();
        let engine = &context.engine;
        let load = |path: &PathBuf| Engine::load(path, &context.registry);
        let engines = candidates.iter().map(load).collect::<Result<Vec<_>, _>>()?;
        let mut sources = vec![source(engine, &[], false, &mut features)];
        for (path, candidate) in candidates.iter().zip(&engines) {
            let known: Vec<&Engine> = sources.iter().map(|source| source.engine).collect();
            let source = source(candidate, &known, true, &mut features);
            ensure!(
                source.features.iter().any(Option::is_some),
                "{}: the engine has all terms of this file, so none is a candidate",
                path.display()
            );
            sources.push(source);
        }

        let mut judged =
            Judged { positions: Vec::new(), scale: 0.0, features, games: 0, left_out: 0 };
        for path in data {
            let text = read_file(path)?;
            let (games, bad) = games(&text);
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
        judged.fit();
        Ok(judged)
    }

    /// Fits the curves.
    fn fit(&mut self) {
        // A label without points of its own gets those that its centipawns have brought in the games.
        let by_label = |one: &Measured, scale| expected(f64::from(one.label.centipawns()), scale);
        let positions = &mut self.positions;
        let label_scale = best_scale(|scale| {
            positions.iter().map(|one| (one.target - by_label(one, scale)).powi(2)).sum()
        });
        for position in positions.iter_mut() {
            let points = position.label.points();
            position.target = points.unwrap_or_else(|| by_label(position, label_scale));
        }
        self.scale = best_scale(|scale| {
            positions.iter().map(|one| (one.target - expected(one.value, scale)).powi(2)).sum()
        });
    }

    fn residual(&self, position: &Measured) -> f64 {
        position.target - expected(position.value, self.scale)
    }

    /// How each count goes with the residual, the most certain first. Rare counts are left out.
    fn correlations(&self) -> Vec<Correlation<'_>> {
        let mean = self.positions.iter().map(|position| self.residual(position)).sum::<f64>()
            / self.positions.len() as f64;
        let mut sums: Vec<Sums> = self.features.iter().map(|_| Sums::default()).collect();
        for position in &self.positions {
            let points = expected(position.value, self.scale);
            let slope = points * (1.0 - points) * LN_10 / self.scale * position.share;
            let residual = self.residual(position) - mean;
            for &(feature, count) in &position.counts {
                sums[feature].add(position.game, f64::from(count) * slope, residual);
            }
        }
        let rows = self.features.iter().zip(sums).filter(|(_, sums)| sums.positions >= MIN_SUPPORT);
        let mut rows: Vec<Correlation> =
            rows.map(|(feature, sums)| sums.correlation(feature)).collect();
        rows.sort_by(|one, other| other.certainty.abs().total_cmp(&one.certainty.abs()));
        rows
    }
}

/// The weights of the terms that no known engine has are new features.
fn source<'a>(
    engine: &'a Engine,
    known: &[&Engine],
    is_candidate: bool,
    features: &mut Vec<Feature>,
) -> Source<'a> {
    let mut own = Vec::new();
    let mut names = names(engine).into_iter();
    for entry in engine.entries() {
        let is_new = !known.iter().any(|known| known.terms().any(|term| term == entry.name));
        for weight in entry.weights.iter() {
            let per = f64::from(weight.per);
            for name in names.by_ref().take(weight.length.unwrap_or(1)) {
                own.push(is_new.then_some(features.len()));
                features.extend(is_new.then_some(Feature { name, per, is_candidate }));
            }
        }
    }
    Source { engine, features: own }
}

/// Sums over all positions in which a count is not zero. The slope is by how much the expected points grow with the
/// weight.
#[derive(Default)]
struct Sums {
    positions: usize,
    square: f64,
    /// Slope times residual: of all positions, of the present game, and the sum of the squares of the games before.
    product: f64,
    of_game: (usize, f64),
    squares_of_games: f64,
}

impl Sums {
    fn add(&mut self, game: usize, slope: f64, residual: f64) {
        self.positions += 1;
        self.square += slope * slope;
        self.product += slope * residual;
        if self.of_game.0 != game {
            self.squares_of_games += self.of_game.1 * self.of_game.1;
            self.of_game = (game, 0.0);
        }
        self.of_game.1 += slope * residual;
    }

    fn correlation<'j>(&self, feature: &'j Feature) -> Correlation<'j> {
        let squares = self.squares_of_games + self.of_game.1 * self.of_game.1;
        // At certain points no weight changes anything.
        let ratio = |below: f64| if below > 1e-12 { self.product / below } else { 0.0 };
        Correlation {
            feature,
            positions: self.positions,
            certainty: ratio(squares.sqrt()),
            change: ratio(self.square) * feature.per,
        }
    }
}

/// Measures one position; `None` if it is none.
fn measure(
    sources: &[Source],
    game: usize,
    fen: &str,
    label: Label,
    points: f64,
) -> Option<Measured> {
    let setup = Game::from_fen(fen, None).ok()?;
    let chess = setup.position().chess();
    let (mut counts, mut shares) = (Vec::new(), Vec::new());
    for Source { engine, features } in sources {
        let mut all = vec![0; engine.pairs()];
        shares.push(engine.record(chess, &mut all).shares);
        let own = features.iter().zip(&all).filter(|&(_, &count)| count != 0);
        counts.extend(own.filter_map(|(feature, &count)| Some(((*feature)?, count))));
    }
    let value = f64::from(chess.turn().fold_wb(1, -1) * sources.first()?.engine.evaluate(chess));
    // See `ScaleFactor`: an advantage counts in 64ths.
    let share = f64::from(*shares.first()?.get(Color::from_white(value > 0.0))) / 64.0;
    let (fen, pieces) = (fen.to_owned(), chess.board().occupied().count());
    Some(Measured { fen, pieces, label, value, target: points, share, game, counts })
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
        let files = candidates.iter().enumerate().map(|(number, text)| {
            let path = folder.path().join(format!("{number}.toml"));
            fs::write(&path, text).unwrap();
            path
        });
        Judged::new(&[file], &files.collect::<Vec<_>>(), &context)
    }

    #[test]
    fn the_weight_that_is_too_small_stands_out() {
        let judged = judged(&[]).unwrap();
        assert_eq!((judged.positions.len(), judged.left_out), (50, 1));
        let rows = judged.correlations();
        assert_eq!((rows[0].feature.name.as_str(), rows[0].positions), ("material.knight", 20));
        assert!(rows[0].change > 20.0 && rows[0].certainty > 2.0);
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
        let [candidate] = candidates[..] else { panic!("{}", candidates.len()) };
        assert!(candidate.feature.name.starts_with("knights.") && candidate.certainty > 2.0);
        let error = judged(&[ENGINE]).err().unwrap().to_string();
        assert!(error.ends_with("so none is a candidate"), "{error}");
    }
}
