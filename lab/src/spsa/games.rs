//! The matches of a run.

use super::file::{State, StateError};
use super::schedule::{Schedule, TunedParameter};
use crate::{
    arguments::{parameter, positive},
    selfplay::{Player, play_match},
    terminal::{progress_bar, stop_on_ctrl_c},
};
use clap::Args;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use std::{
    collections::TryReserveError,
    io::{self, Write},
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use thiserror::Error;
use tropism::cli::Context;
use tropism::eval::Engine;
use tropism::search::{PARAMETERS, Parameter};

/// Tune the parameters of the search by games of the engine against itself (SPSA).
#[derive(Args, Clone, Debug)]
pub(crate) struct Spsa {
    /// The parameters to tune; by default all.
    #[arg(value_name = "PARAMETER", value_parser = parameter)]
    parameters: Vec<&'static Parameter>,
    /// The file to write after each iteration. If it exists, the run that made it is continued.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Iterations of the whole run.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    iterations: u32,
    /// Pairs of games per iteration: one opening, both colours.
    #[arg(long, value_name = "N", default_value_t = 8)]
    pairs: u64,
    /// Nodes per move.
    #[arg(long, value_name = "N", default_value_t = 5000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Learning rate: how far the last iteration moves a parameter per point of the match, as a share
    /// of the last perturbation, which is a twentieth of the parameter's range.
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = positive)]
    rate: f64,
    /// Seed of the perturbations and openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Why a run fails.
#[derive(Debug, Error)]
enum SpsaError {
    /// The file of the run cannot be used.
    #[error(transparent)]
    State(#[from] StateError),
    /// No memory for the transposition table.
    #[error("no memory for the search: {0}")]
    Memory(#[from] TryReserveError),
    /// No threads to play in.
    #[error("no threads to play in: {0}")]
    Threads(#[from] ThreadPoolBuildError),
}

impl Spsa {
    /// Tunes, and prints each parameter with its new and its old value.
    pub(crate) fn run(&self, context: &Context) -> anyhow::Result<()> {
        let stop = stop_on_ctrl_c()?;
        for (name, before, after) in self.tune(&context.engine, &stop)? {
            writeln!(io::stdout(), "{name} = {after} (was {before})")?;
        }
        Ok(())
    }

    /// Plays until all iterations are done or `stop` is set, which ends it after the current iteration.
    /// Returns the parameters with their default and their tuned values, rounded.
    ///
    /// # Errors
    ///
    /// If the file is of another run, or memory is short.
    fn tune(
        &self,
        engine: &Engine,
        stop: &AtomicBool,
    ) -> Result<Vec<(&'static str, i32, i32)>, SpsaError> {
        let tuned = &*self.tuned();
        let mut state = self.state(tuned);
        state.resume(&self.out)?;
        // Each thread has its own values of the parameters, and they end with the thread.
        let pool = ThreadPoolBuilder::new().build()?;
        let bar = self.bar(state.done);
        while state.done < self.iterations && !stop.load(Relaxed) {
            let mut perturbation = state.schedule.perturbation(state.done, &state.parameters);
            let candidates = perturbation.candidates(&state.parameters);
            let prepare = candidates.each_ref().map(|values| {
                move || tuned.iter().zip(values).for_each(|(p, &value)| p.set_here(value))
            });
            let [one, other] = [&prepare[0], &prepare[1]]
                .map(|prepare| Player { prepare, ..Player::new(engine, self.nodes) });
            let opening = self.seed.wrapping_add(u64::from(state.done) * self.pairs);
            let games = 2 * self.pairs;
            let [won, _, lost] =
                pool.install(|| play_match(engine, [one, other], games, opening, || bar.inc(1)))?;
            perturbation.apply(&mut state.parameters, won as f64 - lost as f64);
            state.done += 1;
            state.save(&self.out)?;
            bar.set_message(format!("{won} : {lost}"));
        }
        bar.finish_and_clear();
        let rounded = state.parameters.iter().map(|p| p.value.round() as i32);
        Ok(tuned.iter().zip(rounded).map(|(p, value)| (p.name, p.default, value)).collect())
    }

    /// The parameters that are tuned, in the order of the search.
    fn tuned(&self) -> Vec<&'static Parameter> {
        let is_tuned = |p: &&Parameter| {
            self.parameters.is_empty() || self.parameters.iter().any(|other| other.name == p.name)
        };
        PARAMETERS.iter().filter(is_tuned).collect()
    }

    fn state(&self, tuned: &[&Parameter]) -> State {
        let parameter = |p: &&Parameter| TunedParameter {
            name: p.name.to_owned(),
            low: p.low,
            high: p.high,
            value: f64::from(p.default),
        };
        let Spsa { iterations, rate, seed, .. } = *self;
        State {
            schedule: Schedule { iterations, rate, seed },
            pairs: self.pairs,
            nodes: self.nodes,
            done: 0,
            parameters: tuned.iter().map(parameter).collect(),
        }
    }

    fn bar(&self, done: u32) -> indicatif::ProgressBar {
        let games = 2 * self.pairs;
        let template = "{wide_bar} {human_pos} of {human_len} games, last {msg}, {eta}";
        progress_bar(template, games * u64::from(self.iterations), games * u64::from(done))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spsa(out: PathBuf) -> Spsa {
        Spsa {
            out,
            parameters: ["futility_margin", "late_moves"]
                .map(|name| parameter(name).unwrap())
                .into(),
            iterations: 3,
            pairs: 1,
            nodes: 60,
            rate: 2.0,
            seed: 5,
        }
    }

    #[test]
    fn a_run_can_be_repeated_and_a_finished_run_plays_no_more() {
        let engine = tropism::default_engine().unwrap();
        let stop = AtomicBool::new(false);
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one.toml", "other.toml"].map(|name| spsa(folder.path().join(name)));
        let values = one.tune(&engine, &stop).unwrap();
        assert_eq!(values.len(), 2);
        assert_eq!(other.tune(&engine, &stop).unwrap(), values);
        let text = std::fs::read_to_string(&one.out).unwrap();
        assert_eq!(text, std::fs::read_to_string(&other.out).unwrap());
        assert!(text.contains("done = 3\n"), "{text}");
        // All iterations are done.
        assert_eq!(one.tune(&engine, &stop).unwrap(), values);
    }

    #[test]
    fn each_thread_has_its_own_values() {
        let parameter = PARAMETERS.iter().find(|p| p.name == "razor_margin").unwrap();
        let shown = || format!("{parameter:?}");
        let before = shown();
        std::thread::spawn(move || {
            parameter.set_here(parameter.high + 1);
            assert!(format!("{parameter:?}").contains("value: 500"), "{parameter:?}");
        })
        .join()
        .unwrap();
        assert_eq!(shown(), before);
    }
}
