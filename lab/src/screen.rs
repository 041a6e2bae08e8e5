//! `tropism-lab screen`, in a build with the feature `tune`: many changes of search parameters measured in the same
//! games.
//!
//! In each pair of games, chance gives each change to one of the two players. The result is explained by the sum of
//! the changes that a player has, so all games count for every change (a factorial design: Fisher 1935, The Design of
//! Experiments). Changes that only work together are not found in this way.

use crate::{
    arguments::parameter,
    selfplay::{Player, play_match},
    terminal::{progress_bar, stop_on_ctrl_c},
};
use clap::Args;
use rayon::prelude::*;
use std::{
    collections::TryReserveError,
    f64::consts::LN_10,
    io::{self, Write},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use tropism::cli::Context;
use tropism::eval::Engine;
use tropism::random::SplitMix64;
use tropism::search::Parameter;

/// Elo points for one point of a match, at equality: the slope of the logistic curve.
const ELO_PER_POINT: f64 = 1600.0 / LN_10;

/// Measure many changes of search parameters in the same games of the engine against itself.
#[derive(Args, Clone, Debug)]
pub(crate) struct Screen {
    /// A parameter of the search with another value; several changes share all games.
    #[arg(value_name = "PARAMETER=VALUE", required = true, value_parser = change)]
    changes: Vec<Change>,
    /// Pairs of games: one opening, both colours.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pairs: u64,
    /// Nodes per move.
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of the openings and of the shares of the players.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// A parameter with another value than its default.
#[derive(Copy, Clone, Debug)]
struct Change {
    parameter: &'static Parameter,
    value: i32,
}

/// Reads a change as PARAMETER=VALUE.
fn change(text: &str) -> Result<Change, String> {
    let (name, value) = text.split_once('=').ok_or("not PARAMETER=VALUE")?;
    let parameter = parameter(name)?;
    let value = value.parse().map_err(|error| format!("{value:?}: {error}"))?;
    let (low, high) = (parameter.low, parameter.high);
    if !(low..=high).contains(&value) {
        return Err(format!("{name} is {low} to {high}, not {value}"));
    }
    if value == parameter.default {
        return Err(format!("{name} is {value} by default: nothing to measure"));
    }
    Ok(Change { parameter, value })
}

/// The result of one pair of games.
struct PairResult {
    /// For each change, whether the first player had it. The second player had the others.
    first_has: Vec<bool>,
    /// Points of the first player above one half, per game.
    lead: f64,
}

impl Screen {
    /// Prints the effect of each change.
    pub(crate) fn run(&self, context: &Context) -> anyhow::Result<()> {
        let stop = stop_on_ctrl_c()?;
        let results = self.play(&context.engine, &stop)?;
        let mut out = io::stdout();
        writeln!(out, "{} games, {} nodes a move", 2 * results.len(), self.nodes)?;
        for (number, Change { parameter, value }) in self.changes.iter().enumerate() {
            let (elo, error) = effect(&results, number);
            let Parameter { name, default, .. } = parameter;
            writeln!(out, "{name} = {value} instead of {default}: {elo:+.1} ± {error:.1} Elo")?;
        }
        Ok(())
    }

    /// Plays all games, or fewer if `stop` is set.
    fn play(&self, engine: &Engine, stop: &AtomicBool) -> Result<Vec<PairResult>, TryReserveError> {
        let template = "{wide_bar} {human_pos} of {human_len} games, {eta}";
        let bar = progress_bar(template, 2 * self.pairs, 0);
        let results = (0..self.pairs)
            .into_par_iter()
            .filter(|_| !stop.load(Relaxed))
            .map(|number| self.play_pair(engine, number, || bar.inc(1)))
            .collect();
        bar.finish_and_clear();
        results
    }

    fn play_pair(
        &self,
        engine: &Engine,
        number: u64,
        on_game: impl Fn() + Sync,
    ) -> Result<PairResult, TryReserveError> {
        let seed = self.seed.wrapping_add(number);
        let mut random = SplitMix64(seed);
        let first_has: Vec<bool> = self.changes.iter().map(|_| random.next() >> 63 == 1).collect();
        let set = |is_first: bool| {
            for (change, &has) in self.changes.iter().zip(&first_has) {
                let value = if has == is_first { change.value } else { change.parameter.default };
                change.parameter.set_here(value);
            }
        };
        let (first, second) = (|| set(true), || set(false));
        let player = Player::new(engine, self.nodes);
        let players = [Player { prepare: &first, ..player }, Player { prepare: &second, ..player }];
        let [won, drawn, _] = play_match(engine, players, 2, seed, on_game)?;
        Ok(PairResult { lead: (won as f64 + drawn as f64 / 2.0) / 2.0 - 0.5, first_has })
    }
}

/// The Elo difference between having a change and not having it, and its error (95 %).
fn effect(results: &[PairResult], number: usize) -> (f64, f64) {
    let count = results.len().max(1) as f64;
    let sign = |result: &PairResult| if result.first_has[number] { 1.0 } else { -1.0 };
    let mean = results.iter().map(|result| sign(result) * result.lead).sum::<f64>() / count;
    let squares = results.iter().map(|result| (sign(result) * result.lead - mean).powi(2));
    let error = 1.96 * (squares.sum::<f64>() / count / count).sqrt();
    (mean * ELO_PER_POINT, error * ELO_PER_POINT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_read_or_refused_with_a_reason() {
        let read = change("iir_depth=4").unwrap();
        assert_eq!((read.parameter.name, read.value), ("iir_depth", 4));
        for (text, reason) in [
            ("iir_depth", "not PARAMETER=VALUE"),
            ("iir=4", "the search has no parameter \"iir\"; it has "),
            ("iir_depth=four", "\"four\": invalid digit"),
            ("iir_depth=99", "iir_depth is 2 to 10, not 99"),
            ("iir_depth=5", "iir_depth is 5 by default"),
        ] {
            let error = change(text).unwrap_err();
            assert!(error.starts_with(reason), "{error}");
        }
    }

    #[test]
    fn the_effect_of_each_change_is_found_among_others() {
        // The first change is worth a quarter of a point, the second costs an eighth, the third does nothing.
        let worth = [0.25, -0.125, 0.0];
        let result = |number: u32| {
            let first_has: Vec<bool> = (0..3).map(|bit| number >> bit & 1 == 1).collect();
            let side = |&has: &bool| if has { 1.0 } else { -1.0 };
            let lead =
                first_has.iter().map(side).zip(worth).map(|(side, worth)| side * worth).sum();
            PairResult { first_has, lead }
        };
        let results: Vec<PairResult> = (0..8).map(result).collect();
        for (number, worth) in worth.into_iter().enumerate() {
            let (elo, error) = effect(&results, number);
            assert!((elo - worth * ELO_PER_POINT).abs() < 1e-9, "{elo}");
            assert!(error > 0.0);
        }
    }

    #[test]
    fn a_run_can_be_repeated() {
        let engine = tropism::default_engine().unwrap();
        let changes = ["late_moves=1", "iir_depth=2"].map(|text| change(text).unwrap());
        let screen = Screen { changes: changes.to_vec(), pairs: 3, nodes: 60, seed: 5 };
        let run = |stop| {
            let results = screen.play(&engine, &AtomicBool::new(stop)).unwrap();
            results.into_iter().map(|result| (result.first_has, result.lead)).collect::<Vec<_>>()
        };
        assert_eq!(run(false).len(), 3);
        assert_eq!(run(false), run(false));
        assert!(run(true).is_empty());
    }
}
