//! `tropism schema`.

use super::Context;
use crate::eval::schema;
use anyhow::Result;
use clap::Args;
use std::io::{self, Write};

/// Print the JSON Schema of engine files, with which editors check and complete them.
#[derive(Args)]
pub struct Schema {}

impl Schema {
    pub fn run(self, context: Context) -> Result<()> {
        writeln!(io::stdout(), "{:#}", schema(&context.registry))?;
        Ok(())
    }
}
