//! `tropism-lab calibrate`: figures that must be fitted again when the engine has changed, that is, the
//! probabilities of win, draw and loss, and the Elo differences between levels.

use crate::data::{DECIDED, games, half_points, read_file, say_left_out};
use crate::pairing::{Pairing, TABLE_SIZE};
use crate::play::{MoveLimit, Player};
use crate::{arguments, curve::sum_in_order, opening_book::OpeningBook, terminal::print_line};
use anyhow::{Result, ensure};
use clap::{Args, Subcommand};
use shakmaty::{Board, KnownOutcome};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tropism::eval::Engine;
use tropism::search::{Level, WDL_MODEL, WdlModel, material};
use tropism_program::Context;

/// The fewest drawn games, and the fewest decided ones, that say something about the probabilities.
const MIN_GAMES: usize = 20;

/// Fit the figures that depend on the engine's strength, by games against itself.
#[derive(Args, Clone, Debug)]
pub(crate) struct Calibrate {
    #[command(subcommand)]
    what: Calibration,
}

#[derive(Subcommand, Clone, Debug)]
enum Calibration {
    /// Fit the probabilities of win, draw and loss that belong to a score.
    Wdl {
        /// A file that `tropism-lab datagen` wrote.
        #[arg(value_name = "DATA")]
        data: PathBuf,
    },
    /// Measure how much stronger each level is than the level below it.
    Levels {
        /// Games per match.
        #[arg(long, default_value_t = 100, value_name = "N", value_parser = arguments::games(2))]
        games: u64,
        /// The first level to measure. A level needs half as much time again as the level below it.
        #[arg(long, default_value_t = 1, value_name = "LEVEL", value_parser = level())]
        first: u32,
        /// The last level to measure.
        #[arg(long, default_value_t = Level::FULL - 1, value_name = "LEVEL", value_parser = level())]
        last: u32,
    },
}

/// Levels below full strength that have a level below them.
fn level() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..i64::from(Level::FULL))
}

impl Calibrate {
    /// Prints what was fitted.
    pub(crate) fn run(&self, context: &Context) -> Result<()> {
        match &self.what {
            Calibration::Wdl { data } => writeln!(io::stdout(), "{}", fit_wdl(data)?)?,
            &Calibration::Levels { games, first, last } => {
                ensure!(first <= last, "--first {first} is above --last {last}");
                compare_levels(&context.engine, games, first, last)?;
            }
        }
        Ok(())
    }
}

/// A position and the result of its game, both from the point of view of the side to move.
#[derive(Copy, Clone, Debug)]
struct WdlSample {
    /// The score of the search, in centipawns.
    value: f64,
    /// See [`material`].
    material: f64,
    /// 1 for a win, 0 for a draw, -1 for a loss.
    result: i32,
}

/// A fit of [`WdlModel`] to games.
#[derive(Copy, Clone, PartialEq, Debug)]
struct WdlFit {
    /// The parameters found.
    model: WdlModel,
    /// Games read.
    games: usize,
    /// How many of them were drawn.
    draws: usize,
    /// Positions used.
    positions: usize,
    /// Mean negative logarithm of the probability that the model gives to the results.
    loss: f64,
    /// The same for the model that the engine uses now.
    loss_before: f64,
}

/// Fits the probabilities of win, draw and loss to games that `tropism-lab datagen` has played: the
/// score of each quiet position against the result of its game.
fn fit_wdl(file: &Path) -> Result<WdlFit> {
    let text = read_file(file)?;
    let (games, bad) = games(&text);
    say_left_out(file, &bad);
    let draws = games.iter().filter(|game| game.result == KnownOutcome::Draw).count();
    ensure!(
        draws.min(games.len() - draws) >= MIN_GAMES,
        "{}: {} games, {draws} drawn; a fit needs {MIN_GAMES} drawn games or more, and as many decided ones: `tropism-lab \
         datagen --out FILE` makes games",
        file.display(),
        games.len()
    );
    let mut samples = Vec::new();
    for game in &games {
        let result = i32::from(half_points(game.result)) - 1;
        for position in game.positions.iter().filter(|it| it.score.abs() <= DECIDED) {
            let mut fields = position.fen.split(' ');
            let Some(Ok(board)) = fields.next().map(str::parse::<Board>) else { continue };
            // As in the search, the value is that of the side to move.
            let sign = if fields.next() == Some("w") { 1 } else { -1 };
            let value = f64::from(sign * position.score);
            samples.push(WdlSample { value, material: material(&board), result: sign * result });
        }
    }
    let model = fit(&samples);
    let positions = samples.len();
    let (loss, loss_before) = (loss(&model, &samples), loss(&WDL_MODEL, &samples));
    Ok(WdlFit { model, games: games.len(), draws, positions, loss, loss_before })
}

/// The parameters that make the results most likely. Changes one parameter at a time by a step that is
/// halved when no change helps (pattern search, Hooke and Jeeves 1961), as there are only four.
fn fit(samples: &[WdlSample]) -> WdlModel {
    let mut model = WDL_MODEL;
    let mut least = loss(&model, samples);
    let mut step = 64.0;
    while step >= 0.5 {
        let mut is_better = false;
        for parameter in 0..4 {
            for change in [step, -step] {
                let mut other = model;
                let pair = if parameter < 2 { &mut other.centre } else { &mut other.spread };
                pair[parameter % 2] += change;
                let value = loss(&other, samples);
                if value < least {
                    (model, least, is_better) = (other, value, true);
                }
            }
        }
        if !is_better {
            step /= 2.0;
        }
    }
    model
}

fn loss(model: &WdlModel, samples: &[WdlSample]) -> f64 {
    const MIN_PROBABILITY: f64 = 1e-6;
    let loss_of = |sample: &WdlSample| {
        let win = model.chance(sample.value, sample.material);
        let loss = model.chance(-sample.value, sample.material);
        let chance = match sample.result {
            1 => win,
            0 => 1.0 - win - loss,
            _ => loss,
        };
        -chance.max(MIN_PROBABILITY).ln()
    };
    sum_in_order(samples, loss_of) / samples.len().max(1) as f64
}

impl fmt::Display for WdlFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WdlFit { model: WdlModel { centre, spread }, games, draws, positions, .. } = self;
        writeln!(f, "{games} games, {draws} drawn, {positions} positions")?;
        writeln!(f, "mean loss {:.4}, with the model in use {:.4}", self.loss, self.loss_before)?;
        write!(f, "WdlModel {{ centre: {centre:?}, spread: {spread:?} }}")
    }
}

/// Plays each level from `first` to `last` against the level below it, each opening with both colours, and prints each
/// match when it is over.
fn compare_levels(engine: &Engine, games: u64, first: u32, last: u32) -> Result<()> {
    let openings = &OpeningBook::shipped(0)?;
    let pairing = Pairing { openings, referee: engine, adjudication: None, seed: 0 };
    let player = |level| Player::own(engine, level, MoveLimit::Nodes(u64::MAX), TABLE_SIZE);
    for level in first..=last {
        let players = || Ok([player(level)?, player(level - 1)?]);
        let stats = pairing.count(players, games, || ())?;
        let ([won, drawn, lost], elo, below) = (stats.games, stats.elo(), level - 1);
        print_line(&format!(
            "level {level}: {won} won, {drawn} drawn, {lost} lost against level {below}, {elo:.0} Elo"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tropism::random::SplitMix64;

    #[test]
    fn a_fit_recovers_the_model_that_made_the_results() {
        let truth = WdlModel { centre: [200.0, -60.0], spread: [90.0, 30.0] };
        let mut random = SplitMix64(1);
        let samples: Vec<WdlSample> = (0..100_000)
            .map(|_| {
                let value = 1600.0 * random.fraction() - 800.0;
                let material = random.fraction();
                let drawn = random.fraction();
                let win = truth.chance(value, material);
                let loss = truth.chance(-value, material);
                let result = i32::from(drawn < win) - i32::from(drawn > 1.0 - loss);
                WdlSample { value, material, result }
            })
            .collect();
        let model = fit(&samples);
        let is_near = |found: [f64; 2], right: [f64; 2]| {
            (found[0] - right[0]).abs() < 6.0
                && (found[0] + found[1] - right[0] - right[1]).abs() < 6.0
        };
        assert!(is_near(model.centre, truth.centre), "{model:?}");
        assert!(is_near(model.spread, truth.spread), "{model:?}");
        assert!(loss(&model, &samples) < loss(&WDL_MODEL, &samples));
    }

    #[test]
    fn positions_count_for_the_side_to_move() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a fit.txt");
        // White is ahead and wins; Black to move is behind and loses. The last game is interrupted.
        let game = "4k3/8/8/8/8/8/8/R3K3 w - - 400\n4k3/8/8/8/8/8/8/R3K3 b - - 380\n= 1 1-0\n";
        let drawn = "4k3/8/8/8/8/8/8/4K3 w - - 0\n= 2 1/2-1/2\n";
        let fit = |[won, draws]: [usize; 2]| {
            let text = format!("# a comment\n{}{}", game.repeat(won), drawn.repeat(draws));
            fs::write(&path, text + "4k3/8/8/8/8/8/8/4K3 w - - 0\n").unwrap();
            fit_wdl(&path)
        };
        let fitted = fit([20, 20]).unwrap();
        assert_eq!((fitted.games, fitted.draws, fitted.positions), (40, 20, 60));
        assert!(fitted.loss < 0.1 && fitted.loss < fitted.loss_before, "{fitted}");
        // Without draws, and with draws only, the best model has no end.
        for games in [[40, 0], [40, 19], [0, 40]] {
            let error = fit(games).unwrap_err().to_string();
            assert!(error.contains(" drawn; a fit needs 20 drawn games or more"), "{error}");
        }
        fs::remove_file(&path).unwrap();
        assert!(fit_wdl(&path).unwrap_err().to_string().ends_with("a fit.txt"));
    }
}
