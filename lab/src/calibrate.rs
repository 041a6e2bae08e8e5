//! Figures that have to be fitted anew when the engine has changed: the chances of win, draw and
//! loss, and the distances between levels.

use super::data::{Ending, Line, whole_games};
use super::selfplay::{Player, elo, play_match};
use rayon::prelude::*;
use shakmaty::Board;
use std::{collections::TryReserveError, fmt, fs, io, path::Path};
use thiserror::Error;
use tropism::eval::Engine;
use tropism::search::{Level, WDL_MODEL, WdlModel, material};

/// Values beyond this are left out of the fit: such games are decided.
const DECIDED: i32 = 2000;

/// Why no model can be fitted.
#[derive(Debug, Error)]
pub(crate) enum FitError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    File(String, io::Error),
    /// There is not one whole game in it.
    #[error("{0}: no whole game; `tropism datagen --out FILE` makes them")]
    NoGames(String),
}

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
pub(crate) struct WdlFit {
    /// The parameters found.
    pub(crate) model: WdlModel,
    /// Games read.
    pub(crate) games: usize,
    /// How many of them were drawn.
    pub(crate) draws: usize,
    /// Positions that count.
    pub(crate) positions: usize,
    /// Mean negative logarithm of the chance that the model gives to the results seen.
    pub(crate) loss: f64,
    /// The same for the model in use.
    pub(crate) loss_before: f64,
}

/// Fits the chances of win, draw and loss to games that `tropism datagen` has played: the score of
/// each quiet position against the result of its game.
///
/// # Errors
///
/// If the file cannot be read or has no whole game.
pub(crate) fn fit_wdl(file: &Path) -> Result<WdlFit, FitError> {
    let name = file.display().to_string();
    let text = fs::read_to_string(file).map_err(|error| FitError::File(name.clone(), error))?;
    let mut samples = Vec::new();
    let (mut games, mut draws) = (0, 0);
    let mut open = Vec::new();
    for line in whole_games(&text).lines() {
        match Line::parse(line) {
            Ok(Line::Position { fen, score }) if score.abs() <= DECIDED => {
                let mut fields = fen.split(' ');
                let board = fields.next().and_then(|board| board.parse::<Board>().ok());
                // The value is that of the side to move, as everywhere in a search.
                let is_white = fields.next() == Some("w");
                open.extend(board.map(|board| (score, is_white, material(&board))));
            }
            Ok(Line::End { ending, .. }) => {
                let result = match ending {
                    Ending::WhiteWins => 1,
                    Ending::Draw => 0,
                    Ending::BlackWins => -1,
                };
                games += 1;
                draws += usize::from(result == 0);
                samples.extend(open.drain(..).map(|(score, is_white, material)| {
                    let sign = if is_white { 1 } else { -1 };
                    Sample { value: f64::from(sign * score), material, result: sign * result }
                }));
            }
            _ => {}
        }
    }
    if games == 0 {
        return Err(FitError::NoGames(name));
    }
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

/// What the match of a level against the next lower one came to. Prints as a row of a table.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct LevelMatch {
    /// The higher level.
    pub(crate) level: u32,
    /// Games that it won, drew and lost.
    pub(crate) result: [u64; 3],
}

/// Plays levels below full strength against the next lower one, with colours and openings in pairs,
/// and tells of each match when it is over.
///
/// # Errors
///
/// If there is no memory for the tables.
pub(crate) fn compare_levels(
    engine: &Engine,
    games: u64,
    first: u32,
    last: u32,
    mut report: impl FnMut(&LevelMatch),
) -> Result<(), TryReserveError> {
    for level in first.max(1)..=last.min(Level::FULL - 1) {
        let higher = Player { level: Level::new(level), ..Player::new(engine, u64::MAX) };
        let lower = Player { level: Level::new(level - 1), ..higher };
        let result = play_match(engine, [higher, lower], games, 0, || ())?;
        report(&LevelMatch { level, result });
    }
    Ok(())
}

impl fmt::Display for LevelMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LevelMatch { level, result } = *self;
        let [wins, draws, losses] = result;
        let (points, error) = elo(result);
        write!(
            f,
            "level {level}: {wins} won, {draws} drawn, {losses} lost against level {}, ",
            level - 1
        )?;
        write!(f, "{points:+.0} Elo, error {error:.0}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism::random::SplitMix64;

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
    fn games_are_read_from_both_sides() {
        let path = std::env::temp_dir().join(format!("tropism fit {}.txt", std::process::id()));
        // White is ahead and wins; Black to move is behind and loses. The last game is broken off.
        let game = "4k3/8/8/8/8/8/8/R3K3 w - - 400\n4k3/8/8/8/8/8/8/R3K3 b - - 380\n= 1 1-0\n";
        let drawn = "4k3/8/8/8/8/8/8/4K3 w - - 0\n= 2 1/2-1/2\n";
        fs::write(&path, format!("# a remark\n{game}{drawn}4k3/8/8/8/8/8/8/4K3 w - - 0\n"))
            .unwrap();
        let fitted = fit_wdl(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!((fitted.games, fitted.draws, fitted.positions), (2, 1, 3));
        assert!(fitted.loss < 0.1 && fitted.loss < fitted.loss_before, "{fitted}");
        assert!(matches!(fit_wdl(&path), Err(FitError::File(..))));
    }
}
