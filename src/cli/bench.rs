//! `tropism bench`.

use super::Context;
use crate::search::{Control, bench};
use anyhow::Result;
use clap::Args;
use std::io::{self, Write};

/// Search fixed positions to a fixed depth and show the number of nodes and the speed.
#[derive(Args)]
pub struct Bench {}

impl Bench {
    pub fn run(self, context: Context) -> Result<()> {
        writeln!(io::stdout(), "{}", bench(&context.engine, &Control::default())?)?;
        Ok(())
    }
}
