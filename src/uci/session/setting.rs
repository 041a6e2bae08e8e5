//! `setoption` in a session.

use super::Session;
use crate::endgame::TableBuilder;
use crate::eval::{Engine, Entry};
use crate::search::{Tablebases, TranspositionTable};
use crate::uci::memory;
use crate::uci::options::OptionSpec;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Memory left to everybody else, in MiB.
const SPARED: u64 = 64;

impl Session {
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) {
        #[cfg(feature = "tune")]
        if crate::uci::options::tune(name, value) {
            return;
        }
        let is_meant = |entry: &&Entry| entry.option_name().eq_ignore_ascii_case(name);
        let term = self.registry.entries().iter().find(is_meant).cloned();
        let (name, outcome) = match (OptionSpec::find(name), term) {
            (Some(option), _) => (option.name.to_owned(), self.apply(option, value)),
            (None, Some(entry)) => {
                (entry.option_name(), self.weigh(&entry, value.unwrap_or_default()))
            }
            (None, None) => {
                self.output.info(format_args!("no option is called {name:?}; `uci` lists them"));
                return;
            }
        };
        if let Err(complaint) = outcome {
            self.output.info(format_args!("{complaint}; nothing is changed"));
        } else if self.debug {
            self.output.info(format_args!("{name} is {}", value.unwrap_or("set")));
        }
    }

    /// Weighs a term. GUIs set options in any order and set them again to what they are, so this
    /// outlasts a change of the engine file, and what is not new ends no search.
    fn weigh(&mut self, entry: &Entry, text: &str) -> Result<(), String> {
        let name = entry.option_name();
        let percent = OptionSpec::of_term(&name, entry.doc).number(text)? as u32;
        if self.percents.insert(entry.name, percent).unwrap_or(100) == percent {
            return Ok(());
        }
        if self.engine.percent(entry.name).is_none() {
            self.output.info(format_args!(
                "{name} is kept for an engine file that lists {}; the engine {} does not",
                entry.name,
                self.engine.name()
            ));
            return Ok(());
        }
        self.finish_search();
        Arc::make_mut(&mut self.engine).set_percent(entry.name, percent);
        // Values of another evaluation mean nothing now.
        self.table.clear();
        Ok(())
    }

    /// Sets an option. One that the running search uses ends that search first.
    fn apply(&mut self, option: &OptionSpec, value: Option<&str>) -> Result<(), String> {
        let text = value.unwrap_or_default();
        if self.settings.set(option, text)? {
            return Ok(());
        }
        match option.name {
            "Hash" => self.resize(option.number(text)? as usize)?,
            "Clear Hash" => {
                self.finish_search();
                self.table.clear();
            }
            "SyzygyPath" => self.open_tablebases(value)?,
            "ExactEndgames" => match (option.check(text)?, &self.library) {
                (true, None) => {
                    let complaint = |error| format!("no thread can be started: {error}");
                    self.library = Some(TableBuilder::new().map_err(complaint)?);
                    self.want_tables();
                }
                (true, Some(_)) => {}
                (false, _) => self.library = None,
            },
            "EngineFile" => {
                let mut engine = match value {
                    Some(path) => Engine::load(&locate(Path::new(path)), &self.registry)
                        .map_err(|error| error.to_string())?,
                    None => Engine::clone(&self.built_in),
                };
                for (term, &percent) in &self.percents {
                    engine.set_percent(term, percent);
                }
                self.finish_search();
                self.engine = Arc::new(engine);
                // Values of another evaluation mean nothing now.
                self.table.clear();
            }
            "Debug Log File" => {
                self.output
                    .log_to(value.map(Path::new))
                    .map_err(|error| format!("{text:?} cannot be written: {error}"))?;
            }
            other => return Err(format!("{other} cannot be set")),
        }
        Ok(())
    }

    /// Makes a table of another size. The old one stays if there is no memory for the new one; it
    /// is given up first only where both do not fit.
    fn resize(&mut self, size: usize) -> Result<(), String> {
        let free = memory::available().map_or(u64::MAX, |free| free.saturating_sub(SPARED));
        let needed = size as u64;
        if needed > free.saturating_add(self.table_size as u64) {
            let most = free + self.table_size as u64;
            return Err(format!("no memory for {size} MiB, {most} MiB are left"));
        }
        self.finish_search();
        if needed > free {
            self.table =
                Arc::new(TranspositionTable::with_entries(1).map_err(|error| error.to_string())?);
        }
        let old = self.table_size;
        let (table, size) = match TranspositionTable::new(size) {
            Ok(table) => (table, size),
            Err(_) if needed > free => {
                (TranspositionTable::new(old).map_err(|error| error.to_string())?, old)
            }
            Err(error) => return Err(format!("no memory for {size} MiB: {error}")),
        };
        (self.table, self.table_size) = (Arc::new(table), size);
        if size as u64 == needed { Ok(()) } else { Err(format!("no memory for {needed} MiB")) }
    }

    fn open_tablebases(&mut self, paths: Option<&str>) -> Result<(), String> {
        self.finish_search();
        let Some(paths) = paths else {
            self.tablebases = None;
            return Ok(());
        };
        let (tablebases, files) = Tablebases::open(paths).map_err(|error| error.to_string())?;
        let men = tablebases.max_pieces();
        self.output.info(format_args!("{files} Syzygy files of up to {men} men"));
        self.tablebases = Some(tablebases);
        Ok(())
    }
}

/// A relative path that leads nowhere from the current folder is looked for beside the program:
/// GUIs start programs in folders of their own.
fn locate(path: &Path) -> PathBuf {
    if !path.exists()
        && let Ok(program) = std::env::current_exe()
        && let Some(folder) = program.parent()
        && folder.join(path).exists()
    {
        return folder.join(path);
    }
    path.to_owned()
}
