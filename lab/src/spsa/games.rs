//! The matches of a run.

use super::file::{State, StateError};
use super::rule::{Number, Schedule};
use crate::selfplay::{Player, play_match};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use std::{
    collections::TryReserveError,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use thiserror::Error;
use tropism::eval::Engine;
use tropism::search::{PARAMETERS, Parameter};

/// A run: which numbers are moved, and by how many games.
#[derive(Clone, Debug)]
pub(crate) struct Spsa {
    /// The file that the values are written to after each iteration, and gone on with if it is there.
    pub(crate) out: PathBuf,
    /// The numbers to move; all if none is named.
    pub(crate) names: Vec<String>,
    /// Iterations in all.
    pub(crate) iterations: u32,
    /// Pairs of games in an iteration: one opening, both colours.
    pub(crate) pairs: u64,
    /// Nodes searched a move.
    pub(crate) nodes: u64,
    /// How many of the last perturbations, a twentieth of its range, a number goes in the last iteration
    /// for a point by which its side wins.
    pub(crate) rate: f64,
    /// Which signs and openings are drawn.
    pub(crate) seed: u64,
}

/// Why a run ends early.
#[derive(Debug, Error)]
pub(crate) enum SpsaError {
    /// No such number.
    #[error("no number of the search is called {0:?}; they are {1}")]
    NoSuchNumber(String, String),
    /// The file of the run.
    #[error(transparent)]
    State(#[from] StateError),
    /// No table for the search.
    #[error("no memory for the search: {0}")]
    Memory(#[from] TryReserveError),
    /// No threads to play in.
    #[error("no threads to play in: {0}")]
    Threads(#[from] ThreadPoolBuildError),
}

impl Spsa {
    /// Plays until all iterations are done or `stop` is set, which ends it after the games in hand. Gives
    /// the numbers with the values they had and have, rounded.
    ///
    /// # Errors
    ///
    /// If a name is unknown, the file does not fit, or memory is short.
    pub(crate) fn run(
        &self,
        engine: &Engine,
        stop: &AtomicBool,
    ) -> Result<Vec<(&'static str, i32, i32)>, SpsaError> {
        let moved = &*self.chosen()?;
        let mut state = self.state(moved);
        state.resume(&self.out)?;
        // Numbers of a thread's own end with it: no other game shall have them.
        let pool = ThreadPoolBuilder::new().build()?;
        let bar = self.bar(state.done);
        while state.done < self.iterations && !stop.load(Relaxed) {
            let mut trial = state.schedule.trial(state.done, &state.numbers);
            let sets = trial.sets(&state.numbers);
            let prepare = sets.each_ref().map(|set| {
                move || moved.iter().zip(set).for_each(|(number, &value)| number.set_here(value))
            });
            let [one, other] = [&prepare[0], &prepare[1]]
                .map(|prepare| Player { prepare, ..Player::new(engine, self.nodes) });
            let opening = self.seed.wrapping_add(u64::from(state.done) * self.pairs);
            let games = 2 * self.pairs;
            let [won, _, lost] =
                pool.install(|| play_match(engine, [one, other], games, opening, || bar.inc(1)))?;
            trial.apply(&mut state.numbers, won as f64 - lost as f64);
            state.done += 1;
            state.save(&self.out)?;
            bar.set_message(format!("{won} : {lost}"));
        }
        bar.finish_and_clear();
        let rounded = state.numbers.iter().map(|number| number.value.round() as i32);
        Ok(moved.iter().zip(rounded).map(|(p, value)| (p.name, p.default, value)).collect())
    }

    fn chosen(&self) -> Result<Vec<&'static Parameter>, SpsaError> {
        let all = || PARAMETERS.iter().map(|parameter| parameter.name);
        if let Some(unknown) = self.names.iter().find(|name| all().all(|known| known != *name)) {
            let known = all().collect::<Vec<_>>().join(", ");
            return Err(SpsaError::NoSuchNumber(unknown.clone(), known));
        }
        let is_chosen =
            |p: &&Parameter| self.names.is_empty() || self.names.iter().any(|name| p.name == name);
        Ok(PARAMETERS.iter().filter(is_chosen).collect())
    }

    fn state(&self, moved: &[&Parameter]) -> State {
        let number = |p: &&Parameter| Number {
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
            numbers: moved.iter().map(number).collect(),
        }
    }

    fn bar(&self, done: u32) -> ProgressBar {
        let games = 2 * self.pairs;
        let bar = ProgressBar::new(games * u64::from(self.iterations))
            .with_position(games * u64::from(done));
        let template = "{wide_bar} {human_pos} of {human_len} games, last {msg}, {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.reset_eta();
        bar
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str) -> Spsa {
        let file = format!("tropism-spsa-{}-{name}.toml", std::process::id());
        Spsa {
            out: std::env::temp_dir().join(file),
            names: vec!["futility_margin".to_owned(), "late_moves".to_owned()],
            iterations: 3,
            pairs: 1,
            nodes: 60,
            rate: 2.0,
            seed: 5,
        }
    }

    #[test]
    fn a_run_can_be_had_again_and_ends_where_its_file_says() {
        let engine = tropism::default_engine().unwrap();
        let stop = AtomicBool::new(false);
        let (one, other) = (run("one"), run("other"));
        let values = one.run(&engine, &stop).unwrap();
        assert_eq!(values.len(), 2);
        assert_eq!(other.run(&engine, &stop).unwrap(), values);
        let text = std::fs::read_to_string(&one.out).unwrap();
        assert_eq!(text, std::fs::read_to_string(&other.out).unwrap());
        assert!(text.contains("done = 3\n"), "{text}");
        // Nothing is left to do.
        assert_eq!(one.run(&engine, &stop).unwrap(), values);
        for path in [&one.out, &other.out] {
            std::fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn a_thread_has_numbers_of_its_own() {
        let number = PARAMETERS.iter().find(|number| number.name == "razor_margin").unwrap();
        let shown = || format!("{number:?}");
        let before = shown();
        std::thread::spawn(move || {
            number.set_here(number.high + 1);
            assert!(format!("{number:?}").contains("value: 500"), "{number:?}");
        })
        .join()
        .unwrap();
        assert_eq!(shown(), before);
    }

    #[test]
    fn an_unknown_number_is_refused() {
        let engine = tropism::default_engine().unwrap();
        let stop = AtomicBool::new(false);
        let wrong = Spsa { names: vec!["late_mov".to_owned()], ..run("wrong") };
        let error = wrong.run(&engine, &stop).unwrap_err().to_string();
        assert!(error.starts_with("no number of the search is called \"late_mov\"; they are "));
    }
}
