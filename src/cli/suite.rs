//! `tropism suite`.

use super::Context;
use crate::search::{parse_suite, suite};
use anyhow::{Context as _, Result};
use clap::Args;
use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

/// Search the positions of a test suite and count how many are solved.
#[derive(Args)]
pub(super) struct Suite {
    /// An EPD file with the operations bm (best move), am (move to avoid) or dm (mate in N).
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Number of nodes to search in each position.
    #[arg(long, value_name = "N", default_value_t = 100_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

impl Suite {
    pub(super) fn run(self, context: Context) -> Result<()> {
        let name = || self.file.display().to_string();
        let text = fs::read_to_string(&self.file).with_context(name)?;
        let (mut tests, mut faults) = (Vec::new(), Vec::new());
        for test in parse_suite(&text) {
            match test {
                Ok(test) => tests.push(test),
                Err(fault) => faults.push(fault.to_string()),
            }
        }
        let lines = tests.len() + faults.len();
        anyhow::ensure!(lines > 0, "{}: there is no test in it; give a file in EPD", name());
        if !tests.is_empty() {
            writeln!(io::stdout(), "{}", suite(&context.engine, &tests, self.nodes)?)?;
        }
        let (broken, list) = (faults.len(), faults.join("\n"));
        anyhow::ensure!(broken == 0, "{}: {broken} of {lines} tests broken:\n{list}", name());
        Ok(())
    }
}
