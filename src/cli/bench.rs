//! `tropism bench`.

use super::Context;
use crate::search::{BENCH_DEPTH, Control, bench};
use anyhow::Result;
use clap::Args;
use std::io::{self, Write};

/// Search fixed positions to a fixed depth and show the number of nodes and the speed.
#[derive(Args)]
pub struct Bench {
    /// Search to this depth, in plies. Only the nodes of the default depth are the signature of the program; a larger
    /// depth measures the speed better.
    #[arg(value_name = "DEPTH", default_value_t = BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=240))]
    depth: u32,
}

impl Bench {
    pub fn run(self, context: Context) -> Result<()> {
        writeln!(io::stdout(), "{}", bench(&context.engine, self.depth, &Control::default())?)?;
        Ok(())
    }
}
