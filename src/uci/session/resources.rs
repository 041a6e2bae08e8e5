//! What options load, resize or switch on. The errors are texts for the user.

use super::{Session, formula_terms};
use crate::endgame::{Endgames, TableBuilder};
use crate::eval::Engine;
use crate::search::{TablebaseFiles, Tablebases, TranspositionTable, quick_cost};
use shakmaty::Position;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most names of terms or files that a message lists.
const MAX_NAMES: usize = 20;

/// Memory that is left to other programs, in MiB.
const RESERVED: u64 = 64;

impl Session {
    pub(crate) fn clear_table(&mut self) {
        self.finish_search();
        self.table.clear();
    }

    /// Sets the percentages of terms, for this and all later engine files, because GUIs set options in
    /// any order. GUIs also set options to the value they have: that does not end a search.
    pub(crate) fn set_percents<'n>(&mut self, percents: impl IntoIterator<Item = (&'n str, u32)>) {
        let mut changed = Vec::new();
        for (term, percent) in percents {
            if self.percents.insert(term.to_owned(), percent).unwrap_or(100) == percent {
                continue;
            }
            if self.engine.percent(term).is_some() {
                changed.push((term, percent));
            } else {
                self.output.info(format_args!(
                    "the engine {} has no term {term}; {term} percent takes effect with an engine file \
                     that lists it",
                    self.engine.name(),
                ));
            }
        }
        if changed.is_empty() {
            return;
        }
        self.finish_search();
        let engine = Arc::make_mut(&mut self.engine);
        for (term, percent) in changed {
            engine.set_percent(term, percent);
        }
        // The table holds scores of the old evaluation.
        self.table.clear();
    }

    /// Replaces the transposition table by one of this size in MiB. The old table stays if there is
    /// no memory for the new one. It is freed first only if there is no memory for both.
    pub(crate) fn resize_table(&mut self, size: usize) -> Result<(), String> {
        let free = (self.free_memory)().map_or(u64::MAX, |free| free.saturating_sub(RESERVED));
        let needed = size as u64;
        let available = free.saturating_add(self.table_size as u64);
        if needed > available {
            return Err(format!("no memory for {size} MiB: {available} MiB are available"));
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

    /// Opens the Syzygy tables in these folders. `None` closes them.
    pub(crate) fn open_tablebases(&mut self, folders: Option<&str>) -> Result<(), String> {
        self.finish_search();
        let Some(folders) = folders else {
            self.tablebases = None;
            return Ok(());
        };
        let (tablebases, TablebaseFiles { tables, with_distances, complaints }) =
            Tablebases::open(folders).map_err(|error| error.to_string())?;
        let pieces = tablebases.max_pieces();
        let without = match tables - with_distances {
            0 => String::new(),
            missing => format!(", {missing} of them without distances (.rtbz)"),
        };
        self.output.info(format_args!("{tables} Syzygy tables for up to {pieces} pieces{without}"));
        for complaint in complaints.iter().take(MAX_NAMES) {
            self.output.info(format_args!("{complaint}; it is not used"));
        }
        if let Some(more) = complaints.len().checked_sub(MAX_NAMES + 1) {
            self.output.info(format_args!("{} more files are not used", more + 1));
        }
        self.tablebases = Some(tablebases);
        Ok(())
    }

    /// Switches the exact tables of endings on or off.
    pub(crate) fn use_exact_endgames(&mut self, on: bool) -> Result<(), String> {
        if !on {
            self.table_builder = None;
        } else if self.table_builder.is_none() {
            let complaint = |error| format!("no thread can be started: {error}");
            self.table_builder = Some(Arc::new(TableBuilder::new().map_err(complaint)?));
            self.build_tables();
        }
        Ok(())
    }

    /// Makes the tables of the common mates that take longer than a fast move, while no clock runs. The GUI waits for
    /// `readyok`.
    pub fn prepare_endgames(&self) {
        if self.table_builder.is_some() {
            Endgames::prepare();
        }
    }

    /// Starts to compute the exact tables for the position, if they are switched on.
    pub fn build_tables(&self) {
        if let Some(builder) = &self.table_builder {
            builder.request(self.game.position().chess().board());
        }
    }

    /// Loads an engine file. `None` restores the engine of the start.
    pub(crate) fn load_engine(&mut self, path: Option<&str>) -> Result<(), String> {
        if self.own_evaluation.is_some() && path.is_some() {
            return Err("this program evaluates without terms and reads no engine file".to_owned());
        }
        let mut engine = match path {
            Some(path) => Engine::load(&locate(Path::new(path)), &self.registry)
                .map_err(|error| error.to_string())?,
            None => Engine::clone(&self.built_in),
        };
        for (term, &percent) in &self.percents {
            engine.set_percent(term, percent);
        }
        self.finish_search();
        self.engine = Arc::new(engine);
        // The table holds scores of the old evaluation.
        self.table.clear();
        if path.is_some() {
            self.list_formula_terms();
            let complaint = quick_cost(&self.engine).complaint();
            for warning in self.engine.warnings().iter().chain(&complaint) {
                self.output.info(warning);
            }
        }
        Ok(())
    }

    /// Names the terms that the engine file writes: they have no options of their own, because a GUI
    /// asks for the options before it sets `EngineFile`.
    fn list_formula_terms(&self) {
        let names: Vec<&str> = formula_terms(&self.engine).map(|term| &*term.name).collect();
        let Some(first) = names.first() else { return };
        let more = names.len().saturating_sub(MAX_NAMES);
        let listed = names[..names.len() - more].join(", ");
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        self.output.info(format_args!(
            "terms written in the file: {listed}{rest}; set their percentages with TermPercent, as in: \
             setoption name TermPercent value {first}=50"
        ));
    }

    /// Logs all traffic to this file. `None` stops logging.
    pub(crate) fn log_to(&mut self, path: Option<&str>) -> Result<(), String> {
        let complaint =
            |error| format!("{:?} cannot be written: {error}", path.unwrap_or_default());
        self.output.log_to(path.map(Path::new)).map_err(complaint)
    }
}

/// A relative path that does not exist in the current folder is looked up in the folder of the
/// program: GUIs start programs in folders of their own.
fn locate(path: &Path) -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let beside = program.with_file_name(path);
    if !path.exists() && beside.exists() { beside } else { path.to_owned() }
}
