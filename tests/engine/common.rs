//! Helpers of several modules.

use shakmaty::{CastlingMode, Chess, fen::Fen};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::{collections::HashMap, path::Path};
use tropism::search::{Game, Limits, Outcome, Report, SearchRequest, TranspositionTable, search};
use tropism::{endgame::Endgames, eval::Engine, terms::registry};

/// An engine of the folder `engines`.
pub fn shipped(name: &str) -> Engine {
    let path = format!("{}/../engines/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    Engine::load(Path::new(&path), &registry()).unwrap()
}

pub fn chess(fen: &str) -> Chess {
    let fen: Fen = fen.parse().unwrap();
    let mode = CastlingMode::detect(fen.as_setup());
    fen.into_position(mode).unwrap()
}

/// A text of a file of cases, in which characters are escaped as in TOML.
pub fn unescaped(text: &str) -> String {
    let table: toml::Table = format!("text = \"\"\"{text}\"\"\"").parse().unwrap();
    table["text"].as_str().unwrap().to_owned()
}

/// The exact tables of an ending and of those it leads to. All tests share them: each set is built once.
pub fn solved(ending: &str) -> Arc<Endgames> {
    type Shared = Mutex<HashMap<String, Arc<OnceLock<Arc<Endgames>>>>>;
    static SOLVED: LazyLock<Shared> = LazyLock::new(Shared::default);
    let shared = {
        // The lock is not held during the building, so that other endings need not wait for it.
        let mut solved = SOLVED.lock().unwrap_or_else(PoisonError::into_inner);
        solved.entry(ending.to_owned()).or_default().clone()
    };
    let build = || {
        let mut endgames = Endgames::default();
        endgames.build(ending.parse().unwrap());
        Arc::new(endgames)
    };
    shared.get_or_init(build).clone()
}

/// Searches with a transposition table of its own and returns the outcome and the last report.
pub fn think(game: &Game, engine: &Engine, limits: &Limits) -> (Outcome, Option<Report>) {
    let table = TranspositionTable::new(8).unwrap();
    think_with(game, engine, limits, &table)
}

pub fn think_with(
    game: &Game,
    engine: &Engine,
    limits: &Limits,
    table: &TranspositionTable,
) -> (Outcome, Option<Report>) {
    let request = SearchRequest::new(game, engine, table, limits);
    let mut last = None;
    let outcome = search(&request, |report| last = Some(report.clone()));
    (outcome, last)
}
