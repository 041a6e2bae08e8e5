//! Figures that have to be fitted anew when the engine has changed: the chances of win, draw and
//! loss, and the distances between levels.

use super::selfplay::{Player, play};
use crate::eval::Engine;
use crate::search::{Level, Value, WDL_MODEL, WdlModel, material};
use rayon::prelude::*;
use shakmaty::{Color, Position};
use std::{collections::TryReserveError, fmt};

/// Values beyond this are left out of the fit: such games are decided.
const DECIDED: i32 = 2000;

/// Positions of the first moves are left out: the opening was drawn by lot.
const FIRST_MOVE: u32 = 10;

/// A position of a game and how that game ended, both for the side to move.
#[derive(Copy, Clone, Debug)]
struct Sample {
    value: f64,
    material: f64,
    /// 1 for a win, 0 for a draw, -1 for a loss.
    result: i32,
}

/// A fit of [`WdlModel`] to games.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct WdlFit {
    /// The parameters found.
    pub model: WdlModel,
    /// Games played.
    pub games: u64,
    /// How many of them were drawn.
    pub draws: u64,
    /// Positions that count.
    pub positions: usize,
    /// Mean negative logarithm of the chance that the model gives to the results seen.
    pub loss: f64,
    /// The same for the model in use.
    pub loss_before: f64,
}

/// Plays games of the engine against itself, so many positions visited a move, and fits the chances
/// of win, draw and loss to them.
///
/// # Errors
///
/// If there is no memory for the tables.
pub fn fit_wdl(engine: &Engine, games: u64, nodes: u64) -> Result<WdlFit, TryReserveError> {
    let player = Player { level: Level::new(Level::FULL), nodes };
    let played = (0..games)
        .into_par_iter()
        .map(|seed| {
            let mut seen = Vec::new();
            let winner = play(engine, [player; 2], seed, |game, outcome| {
                let chess = game.position().chess();
                let is_quiet = !chess.is_check() && outcome.best.is_some_and(|m| !m.is_capture());
                if let Value::Centipawns(value) = outcome.value
                    && value.abs() <= DECIDED
                    && chess.fullmoves().get() >= FIRST_MOVE
                    && is_quiet
                {
                    seen.push((chess.turn(), value, material(chess.board())));
                }
            })?;
            Ok((winner, seen))
        })
        .collect::<Result<Vec<_>, TryReserveError>>()?;
    let draws = played.iter().filter(|(winner, _)| winner.is_none()).count() as u64;
    let samples: Vec<Sample> = played
        .iter()
        .flat_map(|(winner, seen)| {
            seen.iter().map(|&(turn, value, material)| {
                let result = winner.map_or(0, |winner| if winner == turn { 1 } else { -1 });
                Sample { value: f64::from(value), material, result }
            })
        })
        .collect();
    let model = fit(&samples);
    let positions = samples.len();
    let (loss, loss_before) = (loss(&model, &samples), loss(&WDL_MODEL, &samples));
    Ok(WdlFit { model, games, draws, positions, loss, loss_before })
}

/// The parameters that make the results most likely. Goes down one parameter at a time with steps
/// that are halved (Hooke and Jeeves 1961): there are only four.
fn fit(samples: &[Sample]) -> WdlModel {
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

fn loss(model: &WdlModel, samples: &[Sample]) -> f64 {
    const NEVER: f64 = 1e-6;
    let of_one = |sample: &Sample| {
        let win = model.chance(sample.value, sample.material);
        let loss = model.chance(-sample.value, sample.material);
        let chance = match sample.result {
            1 => win,
            0 => 1.0 - win - loss,
            _ => loss,
        };
        -chance.max(NEVER).ln()
    };
    // Parts of fixed size, so that the sum does not depend on the threads.
    let parts: Vec<f64> =
        samples.par_chunks(4096).map(|part| part.iter().map(of_one).sum()).collect();
    parts.iter().sum::<f64>() / samples.len().max(1) as f64
}

impl fmt::Display for WdlFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WdlFit { model: WdlModel { centre, spread }, games, draws, positions, .. } = self;
        writeln!(f, "{games} games, {draws} drawn, {positions} positions")?;
        writeln!(f, "mean loss {:.4}, with the model in use {:.4}", self.loss, self.loss_before)?;
        write!(f, "WdlModel {{ centre: {centre:?}, spread: {spread:?} }}")
    }
}

/// What matches between neighbouring levels came to.
#[derive(Clone, PartialEq, Debug)]
pub struct LevelTable {
    /// Games of each match.
    pub games: u64,
    /// Won, drawn and lost by the higher level against the next lower one, from level 1 on.
    pub matches: Vec<[u64; 3]>,
}

/// Plays each level below full strength against the next lower one, with colours and openings in
/// pairs.
///
/// # Errors
///
/// If there is no memory for the tables.
pub fn compare_levels(engine: &Engine, games: u64) -> Result<LevelTable, TryReserveError> {
    let games = games.next_multiple_of(2);
    let matches = (1..Level::FULL)
        .map(|level| {
            let higher = Player { level: Level::new(level), nodes: u64::MAX };
            let lower = Player { level: Level::new(level - 1), ..higher };
            (0..games)
                .into_par_iter()
                .map(|number| {
                    let color = Color::from_white(number % 2 == 0);
                    let players = if color.is_white() { [higher, lower] } else { [lower, higher] };
                    let winner = play(engine, players, number / 2, |_, _| ())?;
                    let result = winner.map_or(1, |winner| if winner == color { 0 } else { 2 });
                    Ok(result)
                })
                .collect::<Result<Vec<usize>, TryReserveError>>()
                .map(|results| {
                    [0, 1, 2].map(|r| results.iter().filter(|&&x| x == r).count() as u64)
                })
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(LevelTable { games, matches })
}

/// By how many Elo points a result is better than even, and the error of that (95 %). A clean
/// score counts as one half point less.
fn elo([wins, draws, losses]: [u64; 3]) -> (f64, f64) {
    let games = (wins + draws + losses).max(1) as f64;
    let (wins, draws) = (wins as f64 / games, draws as f64 / games);
    let edge = 0.5 / games;
    let score = (wins + draws / 2.0).clamp(edge, 1.0 - edge);
    let losses = 1.0 - wins - draws;
    let variance =
        wins * (1.0 - score).powi(2) + draws * (0.5 - score).powi(2) + losses * score.powi(2);
    let points = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
    let error = 1.96 * (variance / games).sqrt();
    let (low, high) = ((score - error).max(edge), (score + error).min(1.0 - edge));
    (points(score), (points(high) - points(low)) / 2.0)
}

impl fmt::Display for LevelTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lowest = f64::from(Level::LOWEST_ELO);
        write!(f, "level |  won drawn  lost | Elo above the last | sum\n    0 |")?;
        write!(f, "{:18}|{:20}| {lowest:.0}", "", "")?;
        let mut sum = lowest;
        for (level, &result) in (1..).zip(&self.matches) {
            let [wins, draws, losses] = result;
            let (points, error) = elo(result);
            sum += points;
            write!(
                f,
                "\n{level:5} |{wins:5} {draws:5} {losses:5} | {points:9.0} +- {error:4.0}  | {sum:.0}"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    #[test]
    fn a_fit_finds_the_model_that_made_the_results() {
        let truth = WdlModel { centre: [200.0, -60.0], spread: [90.0, 30.0] };
        let mut random = SplitMix64(1);
        let samples: Vec<Sample> = (0..100_000)
            .map(|_| {
                let value = 1600.0 * random.fraction() - 800.0;
                let material = random.fraction();
                let drawn = random.fraction();
                let win = truth.chance(value, material);
                let loss = truth.chance(-value, material);
                let result = i32::from(drawn < win) - i32::from(drawn > 1.0 - loss);
                Sample { value, material, result }
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
    fn elo_of_results() {
        assert_eq!(elo([10, 5, 10]).0, 0.0);
        // Three quarters of the points are 190.8 Elo points.
        assert!((elo([75, 0, 25]).0 - 190.85).abs() < 0.01);
        assert!(elo([20, 0, 0]).0.is_finite());
        assert!(elo([750, 0, 250]).1 < elo([75, 0, 25]).1);
    }

    #[test]
    fn games_can_be_fitted() {
        let engine = crate::default_engine().unwrap();
        let fitted = fit_wdl(&engine, 2, 100).unwrap();
        assert_eq!(fitted.games, 2);
        assert!(fitted.positions > 20 && fitted.draws <= 2, "{fitted}");
        assert_eq!(fit_wdl(&engine, 2, 100).unwrap(), fitted);
    }
}
