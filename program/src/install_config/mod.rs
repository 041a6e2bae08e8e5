//! `tropism install-config`.
//!
//! The template is `config/cutechess/engines.json`. In it, `TROPISM_PROGRAM` stands for the path of this program, and
//! `TROPISM_DIR` for the working directory. `cutechess` adds entries to the engine list of Cute Chess; `file` writes
//! files. `config/README.md` says how other programs load the engine.

mod cutechess;
mod file;

use super::Context;
use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use std::{
    env,
    io::{self, Write},
    path::{self, Path, PathBuf},
};

/// Write or show the configuration with which Cute Chess loads this engine.
#[derive(Args)]
pub struct InstallConfig {
    /// The other program.
    #[arg(value_enum)]
    program: Program,
    /// Show the configuration and write nothing.
    #[arg(long)]
    print: bool,
    /// Write to this engine list.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl InstallConfig {
    pub fn run(self, context: Context) -> Result<()> {
        let Program::Cutechess = self.program;
        let program = env::current_exe().context("the path of this program is unknown")?;
        let location = Location::new(&program, context.file.as_deref())?;
        let done = match self.file {
            _ if self.print => cutechess::entries_alone(&location).trim_end().to_owned(),
            Some(path) => cutechess::install(&location, &path)?,
            None => cutechess::install(&location, &cutechess::list()?)?,
        };
        writeln!(io::stdout(), "{done}")?;
        Ok(())
    }
}

/// A program that loads chess engines.
#[derive(Clone, Copy, ValueEnum)]
enum Program {
    /// Cute Chess and cutechess-cli: entries in `engines.json`.
    Cutechess,
}

/// Where the program is, and in which folder it runs.
#[derive(Clone, Debug)]
struct Location {
    program: String,
    run_in: PathBuf,
    /// The full path of the engine file, if one was given.
    engine_file: Option<String>,
}

impl Location {
    /// The location of a program, with the engine file that it shall load.
    fn new(program: &Path, engine_file: Option<&Path>) -> Result<Location> {
        let text = |path: &Path| match path.to_str() {
            Some(text) => Ok(text.to_owned()),
            None => {
                bail!("the path {} is not Unicode, so no configuration can name it", path.display())
            }
        };
        let folder = program.parent().unwrap_or(Path::new("."));
        // In a clone of the repository the engine files are some folders above the program.
        let has_engines = |folder: &&Path| folder.join("engines/minimal.toml").is_file();
        let run_in = folder.ancestors().find(has_engines).unwrap_or(folder);
        let full = |file: &Path| text(&path::absolute(file)?);
        Ok(Location {
            program: text(program)?,
            run_in: run_in.to_owned(),
            engine_file: engine_file.map(full).transpose()?,
        })
    }

    /// Fills in a text of the template.
    fn fill(&self, text: &str) -> String {
        text.replace("TROPISM_PROGRAM", &self.program)
            .replace("TROPISM_DIR", &self.run_in.display().to_string())
    }
}
