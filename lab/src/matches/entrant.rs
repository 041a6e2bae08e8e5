//! The two engines of a match.

use crate::arguments::no_such_term;
use crate::play::{MoveLimit, Player};
use crate::provenance::{BUILT_IN, EngineFile, file_name, program_sha256};
use crate::uci::{UciArguments, UciEngine};
use anyhow::{Result, bail, ensure};
use std::path::{Path, PathBuf};
use tropism::{eval::Engine, search::Level};
use tropism_program::Context;

/// An engine of a match.
#[derive(Clone, Debug)]
pub(super) struct Entrant {
    /// The name in the games.
    pub(super) name: String,
    pub(super) kind: Kind,
    sha256: String,
}

/// Who plays.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Own {
        /// The engine, with the percentages.
        engine: Engine,
        /// Its file; none for the built-in engine.
        file: Option<PathBuf>,
        /// The percentages of terms that differ from its file.
        percents: Vec<(String, u32)>,
    },
    Program {
        path: PathBuf,
        arguments: UciArguments,
    },
}

impl Entrant {
    /// The engine of a context, with percentages of terms.
    fn new(context: &Context, percents: &[(String, u32)]) -> Result<Entrant> {
        let mut engine = context.engine.clone();
        for (term, percent) in percents {
            if !engine.set_percent(term, *percent) {
                bail!("--set {term}={percent}: {}", no_such_term(&engine, term));
            }
        }
        let name = match &context.file {
            Some(path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            None => engine.name().to_owned(),
        };
        let percents = percents.iter().filter(|(_, percent)| *percent != 100).cloned().collect();
        let sha256 = EngineFile::of(context)?.sha256_of_engine();
        let kind = Kind::Own { engine, file: context.file.clone(), percents };
        Ok(Entrant { name, kind, sha256 })
    }

    /// Another program.
    pub(super) fn program(
        path: &Path,
        arguments: &UciArguments,
        limit: MoveLimit,
    ) -> Result<Entrant> {
        let mut engine = UciEngine::start(path, arguments)?;
        if matches!(limit, MoveLimit::Nodes(_)) {
            engine.check_nodes()?;
        }
        let name = engine.name.clone();
        let kind = Kind::Program { path: path.to_owned(), arguments: arguments.clone() };
        Ok(Entrant { name, kind, sha256: program_sha256(path) })
    }

    /// Both engines, A first. A single file is B, and A the program or the engine of the context; but if there are
    /// percentages, which belong to B, and no program, both are this file. Without a file both are the engine of the context.
    pub(super) fn both(
        program: Option<Entrant>,
        files: &[PathBuf],
        percents: &[(String, u32)],
        context: &Context,
    ) -> Result<[Entrant; 2]> {
        ensure!(
            program.is_none() || files.len() < 2,
            "--against is engine A, so give one engine file, that of B"
        );
        let load = |file: &PathBuf| context.of_file(file.clone());
        let files = files.iter().map(load).collect::<Result<Vec<_>, _>>()?;
        let [a, b] = match &files[..] {
            [] => [context, context],
            [file] if percents.is_empty() => [context, file],
            [file] => [file, file],
            [a, b, ..] => [a, b],
        };
        let (a, mut b) =
            (program.map_or_else(|| Entrant::new(a, &[]), Ok)?, Entrant::new(b, percents)?);
        if a.name == b.name {
            b.name = format!("{} {}", b.name, b.settings(" ")).trim_end().to_owned();
        }
        Ok([a, b])
    }

    /// Who plays for it, with a table of so many MiB unless the user has set another size.
    pub(super) fn player(&self, limit: MoveLimit, mebibytes: usize) -> Result<Player<'_>> {
        let (path, arguments) = match &self.kind {
            Kind::Own { engine, .. } => return Player::own(engine, Level::FULL, limit, mebibytes),
            Kind::Program { path, arguments } => (path, arguments),
        };
        let mut engine = UciEngine::start(path, arguments)?;
        if !arguments.option.iter().any(|(name, _)| name.eq_ignore_ascii_case("Hash")) {
            engine.set_if_known("Hash", &mebibytes.to_string())?;
        }
        Ok(Player::other(engine, limit))
    }

    /// Whether both always play the same.
    pub(super) fn is_same(&self, other: &Entrant) -> bool {
        self.sha256 == other.sha256 && self.settings(" ") == other.settings(" ")
    }

    /// The percentages, as in `knight_forks=0`.
    pub(super) fn settings(&self, separator: &str) -> String {
        let Kind::Own { percents, .. } = &self.kind else { return String::new() };
        let settings: Vec<String> =
            percents.iter().map(|(term, percent)| format!("{term}={percent}")).collect();
        settings.join(separator)
    }

    /// Its file or program with the hash of it, and what was set.
    pub(super) fn identity(&self) -> String {
        let sha256 = &self.sha256;
        match &self.kind {
            Kind::Own { file, percents, .. } => {
                let file = file.as_deref().map_or_else(|| BUILT_IN.to_owned(), file_name);
                let comma = if percents.is_empty() { "" } else { ", " };
                format!("{file}, SHA-256 {sha256}{comma}{}", self.settings(" "))
            }
            Kind::Program { path, arguments } => {
                let words = arguments.described(&file_name(path));
                format!("{}, program {words}, SHA-256 {sha256}", self.name)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(files: &[&str], percents: &[(&str, u32)]) -> Result<[Entrant; 2]> {
        let engines = concat!(env!("CARGO_MANIFEST_DIR"), "/../engines/");
        let files: Vec<_> = files.iter().map(|name| PathBuf::from(engines).join(name)).collect();
        let percents: Vec<_> =
            percents.iter().map(|&(term, percent)| (term.to_owned(), percent)).collect();
        Entrant::both(None, &files, &percents, &Context::new(tropism::terms::registry(), None)?)
    }

    #[test]
    fn files_and_percentages_name_two_engines() {
        let [a, b] = both(&[], &[("mobility", 50), ("material", 100)]).unwrap();
        assert_eq!((a.name.as_str(), b.name.as_str()), ("tropism", "tropism mobility=50"));
        assert!(b.identity().starts_with("built-in engine, SHA-256 "), "{}", b.identity());
        assert!(b.identity().ends_with(", mobility=50") && !a.is_same(&b));
        let mobility = [a, b].map(|entrant| match entrant.kind {
            Kind::Own { engine, .. } => engine.percent("mobility"),
            Kind::Program { .. } => None,
        });
        assert_eq!(mobility, [Some(100), Some(50)]);
        let [a, b] = both(&["minimal.toml"], &[("material", 100)]).unwrap();
        assert!(a.is_same(&b) && a.identity().starts_with("minimal.toml, SHA-256 "));
        let [a, b] = both(&["minimal.toml"], &[]).unwrap();
        assert_eq!((a.name.as_str(), b.name.as_str()), ("tropism", "minimal"));
        let [a, b] = both(&["minimal.toml", "tropism.toml"], &[]).unwrap();
        assert_eq!((a.name.as_str(), b.name.as_str()), ("minimal", "tropism"));
    }
}
