//! `tropism-lab ablate`: the value of each term, measured by leaving it out.
//!
//! There are three measures, because they can disagree: Elo in games, the loss of predicting recorded
//! results, and time. A term that costs much and gains nothing should be removed.

use crate::{
    arguments::{self, at_least_1, no_such_term},
    data::{self, read_file},
    pairing::play_match,
    play::{MoveLimit, Player},
    provenance::{EngineFile, Provenance, file_name, sha256},
    statistics::MatchStats,
    terminal::{print_line, progress_bar},
    tune::Validation,
};
use anyhow::{Result, bail};
use clap::Args;
use std::{
    fmt,
    io::{self, Write},
    path::PathBuf,
};
use tropism::{eval::Engine, search::bench_positions};
use tropism_program::Context;

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
    /// A file for the table, too. If it has rows of the same settings, only the other terms are measured.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
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
        let (mut file, mut known) = (None, HEAD.to_owned());
        if let Some(path) = &self.out {
            let header = format!("<!-- {} -->", self.settings(context)?);
            let (mut out, text) = data::open(path, &header, whole_lines)?;
            match text.split_once('\n') {
                Some((_, rows)) if rows.starts_with(HEAD) => known = rows.trim_end().to_owned(),
                _ => writeln!(out, "{HEAD}")?,
            }
            file = Some(out);
        }
        writeln!(io::stdout(), "{known}")?;
        let report = |worth: &Worth| {
            print_line(worth);
            file.as_mut().map_or(Ok(()), |file| writeln!(file, "{worth}"))
        };
        self.measure(&context.engine, &known, report).map(|_| ())
    }

    /// What the rows of a table depend on.
    fn settings(&self, context: &Context) -> Result<String> {
        let Ablate { games, nodes, seed, .. } = self;
        let (engine, program) =
            (EngineFile::of(context)?.identity(), Provenance::play(&context.registry)?);
        let data = self
            .data
            .iter()
            .map(|path| Ok(format!(", {} SHA-256 {}", file_name(path), sha256(&read_file(path)?))));
        let data = data.collect::<Result<String>>()?;
        Ok(format!("{engine}, {games} games, {nodes} nodes, seed {seed}{data}, {program}"))
    }

    /// Measures one term after the other, but those that have a row in the table `known`, and reports each when it is
    /// done.
    fn measure<'e>(
        &self,
        engine: &'e Engine,
        known: &str,
        mut report: impl FnMut(&Worth) -> io::Result<()>,
    ) -> Result<Vec<Worth<'e>>> {
        let mut terms = self.chosen(engine)?;
        terms.retain(|term| !known.lines().any(|row| row.starts_with(&format!("| {term} |"))));
        let validation = match self.data.as_slice() {
            [] => None,
            data => Some(Validation::new(data, engine)?),
        };
        let whole_loss = validation.as_ref().map(|validation| validation.loss(None));
        let cost = engine.cost(&bench_positions()?, ROUNDS);
        let mut rows = Vec::new();
        for term in terms {
            let mut without = engine.clone();
            without.set_percent(term, 0);
            let of_term = cost.terms.iter().find(|of_term| of_term.name == term);
            let nanoseconds = of_term.map_or(0.0, |of_term| of_term.nanoseconds);
            let loss = validation.as_ref().zip(whole_loss);
            let worth = Worth {
                term,
                result: self.play([engine, &without], term)?,
                loss: loss.map(|(validation, whole)| validation.loss(Some(term)) - whole),
                nanoseconds,
                share: nanoseconds / cost.sum(),
            };
            report(&worth)?;
            rows.push(worth);
        }
        Ok(rows)
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
        let template = "{msg:18} {wide_bar} {pos} of {len}, {eta}";
        let bar = progress_bar(template, self.games.next_multiple_of(2), 0);
        bar.set_message(term.to_owned());
        let players = engines.map(|engine| Player::new(engine, MoveLimit::Nodes(self.nodes)));
        let result = play_match(engines[0], players, self.games, self.seed, || bar.inc(2));
        bar.finish_and_clear();
        Ok(Some(result?))
    }
}

/// The part of a text that has the ends of its lines.
fn whole_lines(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(0, |end| end + 1)]
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
        Ablate {
            terms: terms.iter().map(|&term| term.to_owned()).collect(),
            data: Vec::new(),
            games,
            nodes: 100,
            seed: 1,
            out: None,
        }
    }

    #[test]
    fn the_engine_without_material_loses() {
        let engine = tropism::default_engine().unwrap();
        let rows = ablation(&["material"], 6).measure(&engine, HEAD, |_| Ok(())).unwrap();
        let [Worth { term: "material", result: Some(result), loss: None, .. }] = rows[..] else {
            panic!("{rows:?}");
        };
        assert_eq!(result.count(), 6);
        assert!(result.games[0] >= 5, "{rows:?}");
    }

    #[test]
    fn all_or_the_named_terms_are_measured_in_the_order_of_the_engine() {
        let engine = tropism::default_engine().unwrap();
        let measured = |terms: &[&str], known: &str| {
            let rows = ablation(terms, 0).measure(&engine, known, |_| Ok(()));
            rows.map(|rows| rows.iter().map(|worth| worth.term).collect::<Vec<_>>())
        };
        assert_eq!(measured(&["threats", "material"], HEAD).unwrap(), ["material", "threats"]);
        let known = format!("{HEAD}\n| material | - | - | - | 42 | 12.3 % |");
        assert_eq!(measured(&["threats", "material"], &known).unwrap(), ["threats"]);
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
