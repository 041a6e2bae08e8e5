//! `tropism ablate`: what each term is worth, measured by doing without it.
//!
//! Three measures, because they can disagree: points in games, foresight of results that were recorded,
//! and time. A term that costs much and gains nothing should leave.

use super::selfplay::{Player, elo, play_match};
use super::tune::{Judge, TuneError};
use indicatif::{ProgressBar, ProgressStyle};
use shakmaty::Chess;
use std::{collections::TryReserveError, fmt, hint::black_box, path::PathBuf, time::Instant};
use thiserror::Error;
use tropism::eval::Engine;
use tropism::search::FenError;
use tropism::search::bench_positions;

/// Measurements of time, of which the middle one counts.
const ROUNDS: usize = 201;
/// Evaluations of each position in one measurement.
const EVALUATIONS: usize = 20;

/// What is measured, and how.
#[derive(Clone, Debug)]
pub(crate) struct Ablation {
    /// The terms; all of the engine if none is named.
    pub(crate) terms: Vec<String>,
    /// Files that `tropism datagen` wrote; without any, no loss is measured.
    pub(crate) data: Vec<PathBuf>,
    /// Games with each term against the engine without it; 0 for none.
    pub(crate) games: u64,
    /// Nodes searched a move.
    pub(crate) nodes: u64,
    /// Which openings.
    pub(crate) seed: u64,
}

/// Why nothing is measured.
#[derive(Debug, Error)]
pub(crate) enum AblateError {
    /// No such term.
    #[error("the engine has no term {0:?}; it has {1}")]
    NoSuchTerm(String, String),
    /// The data cannot be used.
    #[error(transparent)]
    Data(#[from] TuneError),
    /// No table for the search.
    #[error("no memory for the search: {0}")]
    Memory(#[from] TryReserveError),
    /// The positions of the bench are not legal.
    #[error(transparent)]
    Position(#[from] FenError),
}

/// What one term is worth. Prints as a row of a Markdown table.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Worth {
    /// The term.
    pub(crate) term: &'static str,
    /// Games won, drawn and lost by the engine with the term against the engine without it.
    pub(crate) result: Option<[u64; 3]>,
    /// By how much the mean loss on recorded games grows without it, in natural units.
    pub(crate) loss: Option<f64>,
    /// Nanoseconds of each evaluation that it takes.
    pub(crate) nanoseconds: f64,
    /// Its share in the time of an evaluation.
    pub(crate) share: f64,
}

impl Worth {
    /// The head of the table.
    pub(crate) const HEAD: &'static str = "| term | Elo | won, drawn, lost | loss added | ns | time |\n\
                                    |---|---|---|---|---|---|";
}

impl Ablation {
    /// Measures one term after the other and tells of each when it is done.
    ///
    /// # Errors
    ///
    /// If a term or a file of data is not there, or memory is short.
    pub(crate) fn run(
        &self,
        engine: &Engine,
        mut report: impl FnMut(&Worth),
    ) -> Result<(), AblateError> {
        let terms = self.chosen(engine)?;
        let judge = match self.data.as_slice() {
            [] => None,
            data => Some(Judge::new(data, engine)?),
        };
        let whole_loss = judge.as_ref().map(|judge| judge.loss(None));
        let positions = bench_positions()?;
        for term in terms {
            let mut without = engine.clone();
            without.set_percent(term, 0);
            let [whole, part] = times([engine, &without], &positions);
            let loss = judge.as_ref().zip(whole_loss);
            let worth = Worth {
                term,
                result: self.play(engine, &without, term)?,
                loss: loss.map(|(judge, whole)| judge.loss(Some(term)) - whole),
                nanoseconds: part,
                share: part / whole,
            };
            report(&worth);
        }
        Ok(())
    }

    fn chosen(&self, engine: &Engine) -> Result<Vec<&'static str>, AblateError> {
        let known: Vec<&'static str> = engine.terms().collect();
        let unknown = self.terms.iter().find(|name| !known.contains(&name.as_str()));
        if let Some(unknown) = unknown {
            return Err(AblateError::NoSuchTerm(unknown.clone(), known.join(", ")));
        }
        let is_chosen = |term: &&str| self.terms.is_empty() || self.terms.iter().any(|t| t == term);
        Ok(known.into_iter().filter(is_chosen).collect())
    }

    fn play(
        &self,
        engine: &Engine,
        without: &Engine,
        term: &str,
    ) -> Result<Option<[u64; 3]>, AblateError> {
        if self.games == 0 {
            return Ok(None);
        }
        let bar = ProgressBar::new(self.games.next_multiple_of(2));
        if let Ok(style) = ProgressStyle::with_template("{msg:18} {wide_bar} {pos} of {len}, {eta}")
        {
            bar.set_style(style);
        }
        bar.set_message(term.to_owned());
        let players = [engine, without].map(|engine| Player::new(engine, self.nodes));
        let result = play_match(engine, players, self.games, self.seed, || bar.inc(1));
        bar.finish_and_clear();
        Ok(Some(result?))
    }
}

/// Nanoseconds an evaluation takes with the one engine, and how many fewer with the other: medians of many
/// rounds. Both are measured in each round, so that a machine that is slow for a while is so for both. As in
/// play, sums of terms that look at pawns and kings alone are remembered.
fn times(engines: [&Engine; 2], positions: &[Chess]) -> [f64; 2] {
    let count = (EVALUATIONS * positions.len()) as f64;
    let time = |engine: &Engine| {
        let start = Instant::now();
        for position in positions {
            for _ in 0..EVALUATIONS {
                black_box(engine.evaluate(black_box(position)));
            }
        }
        start.elapsed().as_secs_f64() * 1e9 / count
    };
    let rounds: Vec<_> = (0..ROUNDS).map(|_| engines.map(time)).collect();
    [
        median(rounds.iter().map(|[with, _]| *with)),
        median(rounds.iter().map(|[with, less]| with - less)),
    ]
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| {} | ", self.term)?;
        match self.result {
            Some(result @ [won, drawn, lost]) => {
                let (points, error) = elo(result);
                write!(f, "{points:+.0} ± {error:.0} | {won}, {drawn}, {lost} | ")?;
            }
            None => f.write_str("- | - | ")?,
        }
        match self.loss {
            Some(loss) => write!(f, "{loss:+.5} | ")?,
            None => f.write_str("- | ")?,
        }
        write!(f, "{:.0} | {:.1} % |", self.nanoseconds, 100.0 * self.share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ablation(terms: &[&str], games: u64) -> Ablation {
        Ablation {
            terms: terms.iter().map(|&term| term.to_owned()).collect(),
            data: Vec::new(),
            games,
            nodes: 100,
            seed: 1,
        }
    }

    #[test]
    fn without_material_games_are_lost() {
        let engine = tropism::default_engine().unwrap();
        let mut rows = Vec::new();
        ablation(&["material"], 6).run(&engine, |worth| rows.push(*worth)).unwrap();
        let [Worth { term: "material", result: Some([won, drawn, lost]), loss: None, .. }] =
            rows[..]
        else {
            panic!("{rows:?}");
        };
        assert_eq!(won + drawn + lost, 6);
        assert!(won >= 5, "{rows:?}");
    }

    #[test]
    fn all_terms_are_measured_in_their_order_or_those_that_are_named() {
        let engine = tropism::default_engine().unwrap();
        let measured = |terms: &[&str]| {
            let mut names = Vec::new();
            ablation(terms, 0).run(&engine, |worth| names.push(worth.term)).map(|()| names)
        };
        assert_eq!(measured(&["threats", "material"]).unwrap(), ["material", "threats"]);
        let error = measured(&["thrats"]).unwrap_err().to_string();
        assert!(
            error.starts_with("the engine has no term \"thrats\"; it has material, "),
            "{error}"
        );
    }

    #[test]
    fn a_row_says_what_was_measured() {
        let worth = Worth {
            term: "threats",
            result: Some([75, 0, 25]),
            loss: Some(0.00123),
            nanoseconds: 41.6,
            share: 0.123,
        };
        assert_eq!(
            worth.to_string(),
            "| threats | +191 ± 81 | 75, 0, 25 | +0.00123 | 42 | 12.3 % |"
        );
        let bare = Worth { result: None, loss: None, ..worth };
        assert_eq!(bare.to_string(), "| threats | - | - | - | 42 | 12.3 % |");
        assert_eq!(Worth::HEAD.lines().map(|line| line.matches('|').count()).max(), Some(7));
    }
}
