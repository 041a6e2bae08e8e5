//! `tropism flatten`.

use super::Context;
use anyhow::{Context as _, Result};
use clap::Args;
use std::io::{self, Write};
use std::{fs, path::PathBuf};
use tropism::eval::Engine;

/// Print an engine file whole, with its base written out, for a program without that base.
#[derive(Args)]
pub struct Flatten {
    /// The engine file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Flatten {
    pub fn run(self, context: Context) -> Result<()> {
        // Its errors name the place, for any file.
        let Context { registry, .. } = context.of_file(self.file.clone())?;
        let name = self.file.display().to_string();
        let text = fs::read_to_string(&self.file).with_context(|| name.clone())?;
        let whole = Engine::flatten(&text, &name, &registry)?;
        Ok(io::stdout().lock().write_all(whole.as_bytes())?)
    }
}
