//! `tropism manual`.

use super::{Arguments, Context};
use anyhow::{Context as _, Result};
use clap::{Args, CommandFactory};
use std::{fs, io, path::PathBuf};

/// Print the manual page, or write a manual page for each command.
#[derive(Args)]
pub struct Manual {
    /// Write a page for each command to this folder.
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

impl Manual {
    pub fn run(self, _: Context) -> Result<()> {
        let Some(folder) = self.dir else {
            clap_mangen::Man::new(Arguments::command()).render(&mut io::stdout())?;
            return Ok(());
        };
        let name = || folder.display().to_string();
        fs::create_dir_all(&folder).with_context(name)?;
        clap_mangen::generate_to(Arguments::command(), &folder).with_context(name)
    }
}
