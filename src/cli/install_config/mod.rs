//! `tropism install-config`.
//!
//! The templates are the files in `config/`. In them, `TROPISM_PROGRAM` stands for the path of this
//! program, `TROPISM_FOLDER` and `TROPISM_NAME` for its folder and file name, and `TROPISM_DIR` for the
//! working directory. `cutechess` adds entries to the engine list of Cute Chess; `file` writes files.

mod cutechess;
mod file;

use super::Context;
use anyhow::Result;
use clap::{Args, ValueEnum};
use std::{
    fmt,
    io::{self, Write},
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Write or show the configuration with which another program loads this engine.
#[derive(Args)]
pub(super) struct InstallConfig {
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
    pub(super) fn run(self, context: Context) -> Result<()> {
        let location = Location::of_this_program()?.with_engine(context.file.as_deref())?;
        let installed = self.program.install(&location, self.print, self.file)?;
        writeln!(io::stdout(), "{installed}")?;
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

/// Why nothing was installed.
#[derive(Debug, Error)]
enum InstallError {
    /// A file cannot be read or written.
    #[error("{path}: {error}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The engine list is not in the format of Cute Chess.
    #[error("{path}: {message}; nothing is changed", path = path.display())]
    List {
        /// The list.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// The file exists and belongs to the user.
    #[error("{0} exists already; choose another --file, or use --print and copy the lines into it")]
    Exists(PathBuf),
    /// The folder of the engine list is unknown.
    #[error("the home folder is unknown; give the path of engines.json with --file")]
    NoHome,
    /// The path of the engine file is unknown or not Unicode.
    #[error("the full path of {path} cannot be written: {reason}", path = path.display())]
    EngineFile {
        /// The engine file, as it was given.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// OpenBench runs the engine on other machines.
    #[error(
        "OpenBench runs the engine on other machines, which do not have {0}; \
         leave --engine out and set the option EngineFile in the test"
    )]
    OtherMachines(String),
    /// The path of this program is unknown.
    #[error("the path of this program is unknown: {0}")]
    NoProgram(String),
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
    /// The location of the running program.
    ///
    /// # Errors
    ///
    /// If the system does not report it, or the path is not Unicode.
    fn of_this_program() -> Result<Location, InstallError> {
        let program =
            std::env::current_exe().map_err(|error| InstallError::NoProgram(error.to_string()))?;
        Location::new(&program)
    }

    /// The location of a program.
    ///
    /// # Errors
    ///
    /// If the path is not Unicode, or is not the path of a file.
    fn new(program: &Path) -> Result<Location, InstallError> {
        let complaint = || InstallError::NoProgram(format!("{} is not Unicode", program.display()));
        let (Some(path), Some(folder)) = (program.to_str(), program.parent()) else {
            return Err(complaint());
        };
        let (Some(folder_name), Some(name)) =
            (folder.to_str(), program.file_name().and_then(|name| name.to_str()))
        else {
            return Err(complaint());
        };
        // In a clone of the repository the engine files are some folders above the program.
        let has_engines = |folder: &&Path| folder.join("engines/minimal.toml").is_file();
        let run_in = folder.ancestors().find(has_engines).unwrap_or(folder);
        Ok(Location {
            program: path.to_owned(),
            folder: folder_name.to_owned(),
            name: name.to_owned(),
            run_in: run_in.to_owned(),
            engine_file: None,
        })
    }

    /// The same location with an engine file.
    ///
    /// # Errors
    ///
    /// If its full path is unknown or not Unicode.
    fn with_engine(self, file: Option<&Path>) -> Result<Location, InstallError> {
        let Some(file) = file else { return Ok(self) };
        let failed = |reason| InstallError::EngineFile { path: file.to_owned(), reason };
        let full = std::path::absolute(file).map_err(|error| failed(error.to_string()))?;
        let full = full.into_os_string().into_string();
        let full = full.map_err(|_| failed("it is not Unicode".to_owned()))?;
        Ok(Location { engine_file: Some(full), ..self })
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

/// What was written or shown.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Installed {
    /// The configuration, for the user to read.
    Shown(String),
    /// The configuration was written to a file.
    Written {
        /// The file.
        path: PathBuf,
        /// The copy of the file as it was before.
        backup: Option<PathBuf>,
    },
    /// The file has this configuration already.
    Unchanged(PathBuf),
}

impl fmt::Display for Installed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Installed::Shown(text) => write!(f, "{}", text.trim_end()),
            Installed::Written { path, backup: None } => write!(f, "{} is written", path.display()),
            Installed::Written { path, backup: Some(backup) } => {
                let (path, backup) = (path.display(), backup.display());
                write!(f, "{path} is written; the old version is kept in {backup}")
            }
            Installed::Unchanged(path) => write!(f, "{} is up to date", path.display()),
        }
    }
}

impl Program {
    /// Writes the configuration to `file`, or shows it if there is no file or `print` is set. Without a
    /// file, the configuration for Cute Chess is written to its engine list.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written, or exists and belongs to the user.
    fn install(
        self,
        location: &Location,
        print: bool,
        file: Option<PathBuf>,
    ) -> Result<Installed, InstallError> {
        if let (Program::Openbench, Some(file)) = (self, &location.engine_file) {
            return Err(InstallError::OtherMachines(file.clone()));
        }
        if self == Program::Cutechess {
            return match (print, file) {
                (true, _) => Ok(Installed::Shown(cutechess::entries_alone(location))),
                (false, Some(path)) => cutechess::install(location, path),
                (false, None) => {
                    cutechess::install(location, cutechess::list().ok_or(InstallError::NoHome)?)
                }
            };
        }
        let text = self.text(location);
        match file.filter(|_| !print) {
            None => Ok(Installed::Shown(text)),
            Some(path) if path.exists() => Err(InstallError::Exists(path)),
            Some(path) => file::write(path, &text),
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
        let location = Location::new(Path::new("/opt/Bob's engines/tropism")).unwrap();
        let shown = |program: Program| match program.install(&location, true, None).unwrap() {
            Installed::Shown(text) => text,
            other => panic!("{other}"),
        };
        for program in Program::value_variants() {
            let text = shown(*program);
            assert!(!text.contains("TROPISM_"), "{program:?}: {text}");
        }
        for program in [Program::Arena, Program::EnCroissant] {
            assert!(shown(program).contains("\n    /opt/Bob's engines/tropism\n"));
        }
        let section = shown(Program::LichessBot);
        assert!(section.contains("  dir: '/opt/Bob''s engines'\n  name: 'tropism'\n"), "{section}");
    }

    #[test]
    fn an_engine_file_is_written_with_its_full_path() {
        let location = Location::new(Path::new("/opt/tropism")).unwrap();
        let location = location.with_engine(Some(Path::new("Bob's.toml"))).unwrap();
        let full = std::env::current_dir().unwrap().join("Bob's.toml").display().to_string();
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
        let location = Location::new(Path::new("/opt/tropism")).unwrap();
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
        let location = Location::new(Path::new("/opt/tropism")).unwrap();
        let file = Some(PathBuf::from("Cargo.toml"));
        let error = Program::LichessBot.install(&location, false, file).unwrap_err();
        assert!(error.to_string().starts_with("Cargo.toml exists already"), "{error}");
    }
}
