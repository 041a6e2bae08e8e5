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
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    nodes: u64,
}

impl Suite {
    pub(super) fn run(self, context: Context) -> Result<()> {
        let name = || self.file.display().to_string();
        let text = fs::read_to_string(&self.file).with_context(name)?;
        let tests = parse_suite(&text).with_context(name)?;
        writeln!(io::stdout(), "{}", suite(&context.engine, &tests, self.nodes)?)?;
        Ok(())
    }
}
