//! What other programs need of this one.

use super::Arguments;
use super::install;
use anyhow::{Context as _, Result};
use clap::{Args, CommandFactory};
use std::{
    io::{self, Write},
    path::PathBuf,
};

/// Write or show what another program needs to load this one, with this program's path.
#[derive(Args)]
pub(super) struct InstallConfig {
    /// The other program.
    #[arg(value_enum)]
    program: install::Program,
    /// Show it and write nothing.
    #[arg(long)]
    print: bool,
    /// Write it to this file; for Cute Chess, the engine list to add to.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl InstallConfig {
    pub(super) fn run(self) -> Result<()> {
        let place = install::Place::of_this_program()?;
        let installed = self.program.install(&place, self.print, self.file)?;
        writeln!(io::stdout(), "{installed}")?;
        Ok(())
    }
}

/// Print the completions of a shell, to be put where it looks for them.
#[derive(Args)]
pub(super) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

impl Completions {
    pub(super) fn run(self) -> Result<()> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "tropism", &mut text);
        io::stdout().write_all(&text)?;
        Ok(())
    }
}

/// Print the manual page, or write those of all commands.
#[derive(Args)]
pub(super) struct Manual {
    /// Write one page a command into this folder.
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

impl Manual {
    pub(super) fn run(self) -> Result<()> {
        let Some(folder) = self.dir else {
            clap_mangen::Man::new(Arguments::command()).render(&mut io::stdout())?;
            return Ok(());
        };
        let name = || folder.display().to_string();
        std::fs::create_dir_all(&folder).with_context(name)?;
        clap_mangen::generate_to(Arguments::command(), &folder).with_context(name)
    }
}
