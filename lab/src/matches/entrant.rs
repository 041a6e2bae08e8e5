//! The two engines of a match.

use crate::{
    arguments::no_such_term,
    provenance::{BUILT_IN, EngineFile, file_name},
};
use anyhow::{Result, bail};
use std::path::PathBuf;
use tropism::eval::Engine;
use tropism_program::Context;

/// An engine of a match.
#[derive(Clone, Debug)]
pub(super) struct Entrant {
    /// The name in the games.
    pub(super) name: String,
    /// The engine, with the percentages.
    pub(super) engine: Engine,
    /// Its file; none for the built-in engine.
    pub(super) file: Option<PathBuf>,
    /// The percentages of terms that differ from its file.
    pub(super) percents: Vec<(String, u32)>,
    sha256: String,
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
        let changed = percents.iter().filter(|(_, percent)| *percent != 100);
        Ok(Entrant {
            name,
            engine,
            file: context.file.clone(),
            percents: changed.cloned().collect(),
            sha256: EngineFile::of(context)?.sha256_of_engine(),
        })
    }

    /// Both engines, A first. A single file is B, and A the engine of the context; but if there are percentages, which
    /// belong to B, both are this file. Without a file both are the engine of the context.
    pub(super) fn both(
        files: &[PathBuf],
        percents: &[(String, u32)],
        context: &Context,
    ) -> Result<[Entrant; 2]> {
        let load = |file: &PathBuf| context.of_file(file.clone());
        let files = files.iter().map(load).collect::<Result<Vec<_>, _>>()?;
        let [a, b] = match &files[..] {
            [] => [context, context],
            [file] if percents.is_empty() => [context, file],
            [file] => [file, file],
            [a, b, ..] => [a, b],
        };
        let [a, mut b] = [Entrant::new(a, &[])?, Entrant::new(b, percents)?];
        if a.name == b.name {
            b.name = format!("{} {}", b.name, b.settings(" ")).trim_end().to_owned();
        }
        Ok([a, b])
    }

    /// Whether both always play the same.
    pub(super) fn is_same(&self, other: &Entrant) -> bool {
        self.sha256 == other.sha256 && self.percents == other.percents
    }

    /// The percentages, as in `knight_forks=0`.
    pub(super) fn settings(&self, separator: &str) -> String {
        let settings: Vec<String> =
            self.percents.iter().map(|(term, percent)| format!("{term}={percent}")).collect();
        settings.join(separator)
    }

    /// Its file with the hash of the text, and the percentages.
    pub(super) fn identity(&self) -> String {
        let file = self.file.as_deref().map_or_else(|| BUILT_IN.to_owned(), file_name);
        let settings = if self.percents.is_empty() { "" } else { ", " };
        format!("{file}, SHA-256 {}{settings}{}", self.sha256, self.settings(" "))
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
        Entrant::both(&files, &percents, &Context::new(tropism::terms::registry(), None)?)
    }

    #[test]
    fn files_and_percentages_name_two_engines() {
        let [a, b] = both(&[], &[("mobility", 50), ("material", 100)]).unwrap();
        assert_eq!((a.name.as_str(), b.name.as_str()), ("tropism", "tropism mobility=50"));
        assert!(b.identity().starts_with("built-in engine, SHA-256 "), "{}", b.identity());
        assert!(b.identity().ends_with(", mobility=50") && !a.is_same(&b));
        assert_eq!(
            (a.engine.percent("mobility"), b.engine.percent("mobility")),
            (Some(100), Some(50))
        );
        let [a, b] = both(&["minimal.toml"], &[("material", 100)]).unwrap();
        assert!(a.is_same(&b) && a.identity().starts_with("minimal.toml, SHA-256 "));
        let [a, b] = both(&["minimal.toml"], &[]).unwrap();
        assert_eq!((a.name.as_str(), b.name.as_str()), ("tropism", "minimal"));
        let [a, b] = both(&["minimal.toml", "tropism.toml"], &[]).unwrap();
        assert_eq!((a.name.as_str(), b.name.as_str()), ("minimal", "tropism"));
    }

    #[test]
    fn an_unknown_term_is_named() {
        let error = both(&[], &[("thrats", 0)]).unwrap_err().to_string();
        let start = "--set thrats=0: the engine has no term \"thrats\"; it has material, ";
        assert!(error.starts_with(start), "{error}");
        let error = both(&["nowhere.toml"], &[]).unwrap_err().to_string();
        assert!(error.contains("nowhere.toml"), "{error}");
    }
}
