//! `tropism install-config`.
//!
//! The templates are the files in `config/`. In them, `TROPISM_PROGRAM` stands for the path of this
//! program, `TROPISM_FOLDER` and `TROPISM_NAME` for its folder and file name, and `TROPISM_DIR` for the
//! working directory. `cutechess` adds entries to the engine list of Cute Chess; `file` writes files.

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

/// Write or show the configuration with which another program loads this engine.
#[derive(Args)]
pub struct InstallConfig {
    /// The other program.
    #[arg(value_enum)]
    program: Program,
    /// Show the configuration and write nothing.
    #[arg(long)]
    print: bool,
    /// Write to this file; for Cute Chess, the engine list.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl InstallConfig {
    pub fn run(self, context: Context) -> Result<()> {
        let program = env::current_exe().context("the path of this program is unknown")?;
        let location = Location::new(&program, context.file.as_deref())?;
        writeln!(io::stdout(), "{}", self.program.install(&location, self.print, self.file)?)?;
        Ok(())
    }
}

/// A program that loads or tests chess engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Program {
    /// Cute Chess and cutechess-cli: entries in `engines.json`.
    Cutechess,
    /// Arena: the steps to take.
    Arena,
    /// lichess-bot: the `engine:` section of `config.yml`.
    LichessBot,
    /// En Croissant: the steps to take.
    EnCroissant,
    /// OpenBench: the JSON file for an engine on the server.
    Openbench,
}

/// Where the program is, and in which folder it runs.
#[derive(Clone, Debug)]
struct Location {
    program: String,
    folder: String,
    name: String,
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
            folder: text(folder)?,
            name: text(Path::new(program.file_name().unwrap_or_default()))?,
            run_in: run_in.to_owned(),
            engine_file: engine_file.map(full).transpose()?,
        })
    }

    /// Fills in a template. `quoted` escapes a path for the format of the template.
    fn fill(&self, template: &str, quoted: impl Fn(&str) -> String) -> String {
        template
            .replace("TROPISM_PROGRAM", &quoted(&self.program))
            .replace("TROPISM_FOLDER", &quoted(&self.folder))
            .replace("TROPISM_NAME", &quoted(&self.name))
            .replace("TROPISM_DIR", &quoted(&self.run_in.display().to_string()))
    }
}

impl Program {
    /// Writes the configuration to `file`, or returns it if there is no file or `print` is set. Without a file, the
    /// configuration for Cute Chess is written to its engine list. Returns what the user should read.
    fn install(self, location: &Location, print: bool, file: Option<PathBuf>) -> Result<String> {
        if let (Program::Openbench, Some(file)) = (self, &location.engine_file) {
            bail!(
                "OpenBench runs the engine on other machines, which do not have {file}; leave --engine out and set the \
                 option EngineFile in the test"
            );
        }
        match (self, file.filter(|_| !print)) {
            (Program::Cutechess, Some(path)) => cutechess::install(location, &path),
            (Program::Cutechess, None) if !print => {
                cutechess::install(location, &cutechess::list()?)
            }
            (_, None) => Ok(self.text(location).trim_end().to_owned()),
            (_, Some(path)) if path.exists() => bail!(
                "{} exists already; choose another --file, or use --print and copy the lines into it",
                path.display()
            ),
            (_, Some(path)) => file::write(&path, &self.text(location)),
        }
    }

    fn text(self, location: &Location) -> String {
        let plain = str::to_owned;
        // Within single quotes, YAML escapes only the quote.
        let yaml = |path: &str| path.replace('\'', "''");
        let steps = |template| {
            let steps = location.fill(template, plain);
            match &location.engine_file {
                Some(file) => format!("{steps}\nSet the option EngineFile to\n\n    {file}\n"),
                None => steps,
            }
        };
        match self {
            Program::Cutechess => cutechess::entries_alone(location),
            Program::Arena => steps(include_str!("../../../config/arena/steps.txt")),
            Program::EnCroissant => steps(include_str!("../../../config/en-croissant/steps.txt")),
            Program::LichessBot => {
                const OPTIONS: &str = "  uci_options:\n";
                let section =
                    location.fill(include_str!("../../../config/lichess-bot/config.yml"), yaml);
                match &location.engine_file {
                    Some(file) => {
                        let option = format!("{OPTIONS}    EngineFile: '{}'\n", yaml(file));
                        section.replace(OPTIONS, &option)
                    }
                    None => section,
                }
            }
            Program::Openbench => include_str!("../../../config/openbench/tropism.json").to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_gets_the_place() {
        let location = Location::new(Path::new("/opt/Bob's engines/tropism"), None).unwrap();
        let shown = |program: Program| program.install(&location, true, None).unwrap();
        for program in Program::value_variants() {
            let text = shown(*program);
            assert!(!text.contains("TROPISM_"), "{program:?}: {text}");
        }
        for program in [Program::Arena, Program::EnCroissant] {
            assert!((shown(program) + "\n").contains("\n    /opt/Bob's engines/tropism\n"));
        }
        let section = shown(Program::LichessBot);
        assert!(section.contains("  dir: '/opt/Bob''s engines'\n  name: 'tropism'\n"), "{section}");
    }

    #[test]
    fn an_engine_file_is_written_with_its_full_path() {
        let file = Some(Path::new("Bob's.toml"));
        let location = Location::new(Path::new("/opt/tropism"), file).unwrap();
        let full = env::current_dir().unwrap().join("Bob's.toml").display().to_string();
        for program in [Program::Arena, Program::EnCroissant] {
            let text = program.text(&location);
            assert!(text.ends_with(&format!("EngineFile to\n\n    {full}\n")), "{text}");
        }
        let section = Program::LichessBot.text(&location);
        let option = format!("  uci_options:\n    EngineFile: '{}'\n", full.replace('\'', "''"));
        assert!(section.contains(&option), "{section}");
        let list: serde_json::Value =
            serde_json::from_str(&Program::Cutechess.text(&location)).unwrap();
        assert_eq!(
            (list.as_array().unwrap().len(), &list[0]["name"]),
            (1, &"tropism Bob's".into())
        );
        assert_eq!(list[0]["options"][0]["value"], full.as_str());
        let error = Program::Openbench.install(&location, true, None).unwrap_err().to_string();
        assert!(error.starts_with("OpenBench runs the engine on other machines"), "{error}");
    }

    #[test]
    fn the_openbench_file_is_json_with_the_keys_that_its_server_needs() {
        let location = Location::new(Path::new("/opt/tropism"), None).unwrap();
        let json: serde_json::Value =
            serde_json::from_str(&Program::Openbench.text(&location)).unwrap();
        assert!(json["nps"].as_u64().unwrap() > 0 && json["private"] == false);
        assert_eq!(json["build"]["path"], "");
        assert!(json["build"]["compilers"][0].as_str().unwrap().starts_with("cargo>="));
        for presets in ["test_presets", "tune_presets", "datagen_presets"] {
            assert!(json[presets]["default"].is_object(), "{presets}");
        }
    }

    #[test]
    fn a_file_of_the_user_is_not_overwritten() {
        let location = Location::new(Path::new("/opt/tropism"), None).unwrap();
        let file = Some(PathBuf::from("Cargo.toml"));
        let error = Program::LichessBot.install(&location, false, file).unwrap_err();
        assert!(error.to_string().starts_with("Cargo.toml exists already"), "{error}");
    }
}
