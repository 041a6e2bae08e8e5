//! `tropism bench`.

use super::Context;
use anyhow::Result;
use clap::Args;
use std::io::{self, Write};
use tropism::search::{BENCH_DEPTH, Control, bench, bench_positions};

/// Rounds in which the time of the terms is measured.
const ROUNDS: u32 = 2000;

/// Search fixed positions to a fixed depth and show the number of nodes and the speed.
#[derive(Args)]
pub struct Bench {
    /// Search to this depth, in plies. Only the nodes of the default depth are the signature of the program; a larger
    /// depth measures the speed better.
    #[arg(value_name = "DEPTH", default_value_t = BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=240))]
    depth: u32,
    /// Show instead how long each term takes in these positions, and its share of the evaluation.
    #[arg(long, conflicts_with = "depth")]
    terms: bool,
}

impl Bench {
    pub fn run(self, context: Context) -> Result<()> {
        let mut out = io::stdout().lock();
        if !self.terms {
            writeln!(out, "{}", bench(&context.engine, self.depth, &Control::default())?)?;
            return Ok(());
        }
        let cost = context.engine.cost(&bench_positions()?, ROUNDS);
        let sum = cost.sum();
        let mut row = |name: &str, time: f64, note: &str| {
            let line = format!("{name:24} {time:7.1} {:6.1}   {note}", 100.0 * time / sum);
            writeln!(out, "{}", line.trim_end())
        };
        row("context", cost.context, "what all terms read")?;
        for term in &cost.terms {
            let [steps, of_longest] = term.steps;
            let longest = term.longest.as_deref().map(|at| {
                format!("at most {steps} steps; longest expression: {at}, {of_longest} steps")
            });
            let cached =
                term.is_cached.then(|| "mostly from the pawn cache in a search".to_owned());
            let notes: Vec<String> = longest.into_iter().chain(cached).collect();
            row(&term.name, term.nanoseconds, &notes.join("; "))?;
        }
        row("sum", sum, "nanoseconds for a position, percent")?;
        Ok(())
    }
}
