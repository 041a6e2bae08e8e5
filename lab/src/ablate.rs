//! `tropism-lab ablate`: the value of each term, measured by leaving it out.
//!
//! There are three measures, because they can disagree: Elo in games, the loss of predicting recorded
//! results, and time. A term that costs much and gains nothing should be removed.

use crate::arguments::{self, at_least_1, no_such_term};
use crate::pairing::{Pairing, TABLE_SIZE};
use crate::play::{MATCH_ADJUDICATION, MoveLimit, Player};
use crate::{
    opening_book::OpeningBook, statistics::MatchStats, terminal::print_line, tune::losses,
};
use anyhow::{Result, bail};
use clap::Args;
use std::{fmt, path::PathBuf};
use tropism::eval::Engine;
use tropism::search::{Level, bench_positions};
use tropism_program::{Context, progress_bar};

/// Rounds in which the time of the terms is measured.
const ROUNDS: u32 = 200;

/// Measure the value of each term by leaving it out: a table in Markdown.
#[derive(Args, Clone, Debug)]
pub(crate) struct Ablate {
    /// The terms to measure; by default all terms of the engine.
    #[arg(value_name = "TERM")]
    terms: Vec<String>,
    /// Games per term, the engine with the term against the engine without it; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = arguments::games(0))]
    games: u64,
    /// Nodes per move.
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = at_least_1::<u64>())]
    nodes: u64,
    /// A file that `tropism-lab datagen` wrote, to measure how much worse its results are predicted
    /// without the term; may be given several times.
    #[arg(long, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Seed of the order of the openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// The value of one term. Prints as a row of a Markdown table.
#[derive(Copy, Clone, PartialEq, Debug)]
struct Worth<'e> {
    /// The term.
    term: &'e str,
    /// The games of the engine with the term against the engine without it.
    result: Option<MatchStats>,
    /// By how much the mean cross-entropy on recorded games grows without it, in nats.
    loss: Option<f64>,
    /// Time that it takes in each evaluation, without the pawn cache, in nanoseconds.
    nanoseconds: f64,
    /// Its share of the time of an evaluation, 0 to 1.
    share: f64,
}

/// The head of the table.
const HEAD: &str =
    "| term | Elo | won, drawn, lost | loss added | ns | time |\n|---|---|---|---|---|---|";

impl Ablate {
    /// Prints the table, one row as soon as it is measured.
    pub(crate) fn run(&self, context: &Context) -> Result<()> {
        let terms = self.chosen(&context.engine)?;
        print_line(&HEAD);
        self.measure(&context.engine, &terms, |worth| print_line(worth))
    }

    /// Measures one term after the other.
    fn measure<'e>(
        &self,
        engine: &'e Engine,
        terms: &[&'e str],
        mut report: impl FnMut(&Worth),
    ) -> Result<()> {
        let loss = match self.data.as_slice() {
            [] => None,
            data => Some(losses(data, engine)?),
        };
        let whole = loss.as_ref().map(|loss| loss(None));
        let cost = engine.cost(&bench_positions()?, ROUNDS);
        for &term in terms {
            let mut without = engine.clone();
            without.set_percent(term, 0);
            let of_term = cost.terms.iter().find(|of_term| of_term.name == term);
            let nanoseconds = of_term.map_or(0.0, |of_term| of_term.nanoseconds);
            report(&Worth {
                term,
                result: self.play([engine, &without], term)?,
                loss: loss.as_ref().zip(whole).map(|(loss, whole)| loss(Some(term)) - whole),
                nanoseconds,
                share: nanoseconds / cost.sum(),
            });
        }
        Ok(())
    }

    fn chosen<'e>(&self, engine: &'e Engine) -> Result<Vec<&'e str>> {
        let known: Vec<&str> = engine.terms().collect();
        if let Some(unknown) = self.terms.iter().find(|name| !known.contains(&name.as_str())) {
            bail!(no_such_term(engine, unknown));
        }
        let is_chosen = |term: &&str| self.terms.is_empty() || self.terms.iter().any(|t| t == term);
        Ok(known.into_iter().filter(is_chosen).collect())
    }

    fn play(&self, engines: [&Engine; 2], term: &str) -> Result<Option<MatchStats>> {
        if self.games == 0 {
            return Ok(None);
        }
        let bar = progress_bar("{msg:18} {wide_bar} {pos} of {len}, {eta}", self.games, 0);
        bar.set_message(term.to_owned());
        let pairing = Pairing {
            openings: &OpeningBook::shipped(self.seed)?,
            referee: engines[0],
            adjudication: Some(&MATCH_ADJUDICATION),
            seed: self.seed,
        };
        let player =
            |engine| Player::own(engine, Level::FULL, MoveLimit::Nodes(self.nodes), TABLE_SIZE);
        let players = || Ok([player(engines[0])?, player(engines[1])?]);
        let result = pairing.count(players, self.games, || bar.inc(2));
        bar.finish_and_clear();
        Ok(Some(result?))
    }
}

impl fmt::Display for Worth<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| {} | ", self.term)?;
        match self.result {
            Some(result) => {
                let [won, drawn, lost] = result.games;
                write!(f, "{:.0} | {won}, {drawn}, {lost} | ", result.elo())?;
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

    fn ablation(terms: &[&str], games: u64) -> Ablate {
        let terms = terms.iter().map(|&term| term.to_owned()).collect();
        Ablate { terms, data: Vec::new(), games, nodes: 100, seed: 1 }
    }

    #[test]
    fn the_engine_without_material_loses() {
        let engine = tropism::default_engine().unwrap();
        let mut results = Vec::new();
        let report = |worth: &Worth| results.push((worth.result, worth.loss));
        ablation(&[], 6).measure(&engine, &["material"], report).unwrap();
        let [(Some(result), None)] = results[..] else { panic!("{results:?}") };
        assert!(result.count() == 6 && result.games[0] >= 5, "{results:?}");
    }

    #[test]
    fn all_or_the_named_terms_are_measured_in_the_order_of_the_engine() {
        let engine = tropism::default_engine().unwrap();
        let chosen = |terms| ablation(terms, 0).chosen(&engine).unwrap();
        assert_eq!(chosen(&["threats", "material"]), ["material", "threats"]);
        assert!(chosen(&[]).into_iter().eq(engine.terms()));
    }

    #[test]
    fn a_row_leaves_out_what_was_not_measured() {
        let worth = Worth {
            term: "threats",
            result: Some(MatchStats { games: [75, 0, 25], pairs: [5, 0, 15, 0, 30] }),
            loss: Some(0.00123),
            nanoseconds: 41.6,
            share: 0.123,
        };
        assert_eq!(
            worth.to_string(),
            "| threats | +191 ± 89 | 75, 0, 25 | +0.00123 | 42 | 12.3 % |"
        );
        let bare = Worth { result: None, loss: None, ..worth };
        assert_eq!(bare.to_string(), "| threats | - | - | - | 42 | 12.3 % |");
        assert_eq!(HEAD.lines().map(|line| line.matches('|').count()).max(), Some(7));
    }
}
