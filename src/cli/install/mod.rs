//! `tropism install-config`: what other programs need to know of this one.
//!
//! The templates are the files of `config/`; in them stand `TROPISM_PROGRAM` for the program's path,
//! `TROPISM_FOLDER` and `TROPISM_NAME` for its two parts, and `TROPISM_DIR` for the folder to run in.
//! `cutechess` adds entries to an engine list, `file` writes it.

mod cutechess;
mod file;

use clap::ValueEnum;
use std::{
    fmt, io,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// A program that loads or tests chess engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Program {
    /// Cute Chess and cutechess-cli: entries in `engines.json`.
    Cutechess,
    /// Arena: the steps, with this program's path.
    Arena,
    /// lichess-bot: the `engine:` section of `config.yml`.
    LichessBot,
    /// En Croissant: the steps, with this program's path.
    EnCroissant,
    /// OpenBench: the server's JSON file of an engine.
    Openbench,
}

/// Why nothing was installed.
#[derive(Debug, Error)]
pub(crate) enum InstallError {
    /// A file cannot be read or written.
    #[error("{path}: {error}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The engine list is not what Cute Chess writes.
    #[error("{path}: {message}; nothing is changed", path = path.display())]
    List {
        /// The list.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// There is a file already, and it is not ours to change.
    #[error("{0} is there already; give another --file, or --print and put the lines into it")]
    Exists(PathBuf),
    /// The place of the engine list is not known.
    #[error("no home folder is known, so --file must say where engines.json is")]
    NoHome,
    /// The program does not know where it is itself.
    #[error("the place of this program is not known: {0}")]
    NoProgram(String),
}

/// Where the program is and where it is to run.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    program: String,
    folder: String,
    name: String,
    run_in: PathBuf,
}

impl Place {
    /// The place of the running program.
    ///
    /// # Errors
    ///
    /// If the system does not tell, or the path is no Unicode.
    pub(crate) fn of_this_program() -> Result<Place, InstallError> {
        let program =
            std::env::current_exe().map_err(|error| InstallError::NoProgram(error.to_string()))?;
        Place::new(&program)
    }

    /// The place of a program.
    ///
    /// # Errors
    ///
    /// If its path is no Unicode, or not that of a file.
    pub(crate) fn new(program: &Path) -> Result<Place, InstallError> {
        let complaint = || InstallError::NoProgram(format!("{} is no Unicode", program.display()));
        let (Some(path), Some(folder)) = (program.to_str(), program.parent()) else {
            return Err(complaint());
        };
        let (Some(folder_name), Some(name)) =
            (folder.to_str(), program.file_name().and_then(|name| name.to_str()))
        else {
            return Err(complaint());
        };
        // In a clone the engine files are some folders above the program.
        let has_engines = |folder: &&Path| folder.join("engines/minimal.toml").is_file();
        let run_in = folder.ancestors().find(has_engines).unwrap_or(folder);
        Ok(Place {
            program: path.to_owned(),
            folder: folder_name.to_owned(),
            name: name.to_owned(),
            run_in: run_in.to_owned(),
        })
    }

    /// A template's text with the place put in; `quoted` makes a path fit for where it stands.
    fn fill(&self, template: &str, quoted: impl Fn(&str) -> String) -> String {
        template
            .replace("TROPISM_PROGRAM", &quoted(&self.program))
            .replace("TROPISM_FOLDER", &quoted(&self.folder))
            .replace("TROPISM_NAME", &quoted(&self.name))
            .replace("TROPISM_DIR", &quoted(&self.run_in.display().to_string()))
    }
}

/// What was done, or is to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Installed {
    /// The configuration itself.
    Shown(String),
    /// It was written.
    Written {
        /// The file.
        path: PathBuf,
        /// Where what stood there before is kept.
        backup: Option<PathBuf>,
    },
    /// The file says so already.
    Unchanged(PathBuf),
}

impl fmt::Display for Installed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Installed::Shown(text) => write!(f, "{}", text.trim_end()),
            Installed::Written { path, backup: None } => write!(f, "{} is written", path.display()),
            Installed::Written { path, backup: Some(backup) } => {
                let (path, backup) = (path.display(), backup.display());
                write!(f, "{path} is written; what it was is kept in {backup}")
            }
            Installed::Unchanged(path) => write!(f, "{} says so already", path.display()),
        }
    }
}

impl Program {
    /// Shows the configuration or writes it: to `file`, or where the program looks for it if that is
    /// known. Without a file and such a place it is shown.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written, or is not to be changed.
    pub(crate) fn install(
        self,
        place: &Place,
        print: bool,
        file: Option<PathBuf>,
    ) -> Result<Installed, InstallError> {
        if self == Program::Cutechess {
            return match (print, file) {
                (true, _) => Ok(Installed::Shown(cutechess::entries_alone(place))),
                (false, Some(path)) => cutechess::install(place, path),
                (false, None) => {
                    cutechess::install(place, cutechess::list().ok_or(InstallError::NoHome)?)
                }
            };
        }
        let text = self.text(place);
        match file.filter(|_| !print) {
            None => Ok(Installed::Shown(text)),
            Some(path) if path.exists() => Err(InstallError::Exists(path)),
            Some(path) => file::write(path, &text),
        }
    }

    fn text(self, place: &Place) -> String {
        let plain = str::to_owned;
        // In YAML between single quotes nothing is special but these.
        let yaml = |path: &str| path.replace('\'', "''");
        match self {
            Program::Cutechess => cutechess::entries_alone(place),
            Program::Arena => place.fill(include_str!("../../../config/arena/steps.txt"), plain),
            Program::EnCroissant => {
                place.fill(include_str!("../../../config/en-croissant/steps.txt"), plain)
            }
            Program::LichessBot => {
                place.fill(include_str!("../../../config/lichess-bot/config.yml"), yaml)
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
        let place = Place::new(Path::new("/opt/Bob's engines/tropism")).unwrap();
        let shown = |program: Program| match program.install(&place, true, None).unwrap() {
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
    fn the_openbench_file_is_json_with_what_its_server_asks_for() {
        let place = Place::new(Path::new("/opt/tropism")).unwrap();
        let json: serde_json::Value =
            serde_json::from_str(&Program::Openbench.text(&place)).unwrap();
        assert!(json["nps"].as_u64().unwrap() > 0 && json["private"] == false);
        assert_eq!(json["build"]["path"], "");
        assert!(json["build"]["compilers"][0].as_str().unwrap().starts_with("cargo>="));
        for presets in ["test_presets", "tune_presets", "datagen_presets"] {
            assert!(json[presets]["default"].is_object(), "{presets}");
        }
    }

    #[test]
    fn a_file_of_the_users_is_not_written_over() {
        let place = Place::new(Path::new("/opt/tropism")).unwrap();
        let file = Some(PathBuf::from("Cargo.toml"));
        let error = Program::LichessBot.install(&place, false, file).unwrap_err();
        assert!(error.to_string().starts_with("Cargo.toml is there already"), "{error}");
    }
}
