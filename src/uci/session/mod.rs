//! What the commands of a conversation with a GUI work with.
//!
//! `resources`: what options load or resize; `search`: the thread that searches; `lag`: what a move costs beyond its
//! search.

mod lag;
mod resources;
mod search;

use super::Setup;
use super::options::Settings;
use super::output::Output;
use crate::endgame::TableBuilder;
use crate::eval::{Engine, Entry, Registry};
use crate::search::{Evaluate, Game, Tablebases, TranspositionTable, exact_value};
use lag::Lag;
use search::Running;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen};
use std::collections::{BTreeMap, BTreeSet};
use std::{io, sync::Arc};

pub struct Session {
    pub output: Arc<Output>,
    pub registry: Registry,
    pub settings: Settings,
    /// Whether each option that is set is confirmed.
    pub debug: bool,
    /// Whether `quit` was received.
    pub is_over: bool,
    built_in: Arc<Engine>,
    engine: Arc<Engine>,
    /// What evaluates instead of the engine, if the program has that.
    own_evaluation: Option<Arc<dyn Evaluate>>,
    /// The percentages of terms that the user has set, for this and all later engine files.
    percents: BTreeMap<String, u32>,
    table: Arc<TranspositionTable>,
    /// The size of the transposition table in MiB.
    table_size: usize,
    free_memory: fn() -> Option<u64>,
    tablebases: Option<Tablebases>,
    /// Computes the exact tables of endings, if the user wants them.
    table_builder: Option<Arc<TableBuilder>>,
    game: Game,
    lag: Lag,
    running: Option<Running>,
}

impl Session {
    /// # Errors
    ///
    /// If there is no memory for the smallest transposition table.
    pub fn new(setup: Setup, output: Output, settings: Settings) -> io::Result<Session> {
        let mut table_size = TranspositionTable::DEFAULT_SIZE;
        let table = TranspositionTable::new(table_size).or_else(|_| {
            table_size = TranspositionTable::MIN_SIZE;
            TranspositionTable::new(table_size)
        })?;
        let engine = Arc::new(setup.engine);
        Ok(Session {
            output: Arc::new(output),
            registry: setup.registry,
            settings,
            debug: false,
            is_over: false,
            built_in: Arc::clone(&engine),
            engine,
            own_evaluation: setup.evaluation,
            percents: BTreeMap::new(),
            table: Arc::new(table),
            table_size,
            free_memory: setup.free_memory,
            tablebases: None,
            table_builder: TableBuilder::new().ok().map(Arc::new),
            game: Game::new(Chess::default()),
            lag: Lag::default(),
            running: None,
        })
    }

    /// What the search evaluates with.
    fn evaluation(&self) -> Arc<dyn Evaluate> {
        let own = self.own_evaluation.as_ref();
        own.map_or_else(|| Arc::clone(&self.engine) as Arc<dyn Evaluate>, Arc::clone)
    }

    /// Name and version of the engine.
    pub fn name(&self) -> String {
        format!("{} {}", self.engine.name(), env!("CARGO_PKG_VERSION"))
    }

    /// The terms that have an option: those of the registry and those that the engine file of the start
    /// writes.
    pub fn terms_with_option(&self) -> impl Iterator<Item = &Arc<Entry>> {
        let terms = self.registry.entries().iter().chain(formula_terms(&self.built_in));
        terms.filter(|_| self.own_evaluation.is_none())
    }

    /// The names of the terms whose percentage can be set: those with an option, those of the present
    /// engine file, and those of earlier files whose percentage is kept.
    pub fn known_terms(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let terms = self.terms_with_option().chain(formula_terms(&self.engine));
        let names = terms.map(|term| &*term.name).chain(self.percents.keys().map(String::as_str));
        names.filter(|&name| seen.insert(name)).collect()
    }

    pub fn quit(&mut self) {
        self.is_over = true;
    }

    pub fn new_game(&mut self) {
        self.clear_table();
        self.prepare_endgames();
        self.lag = Lag::default();
        self.set_game(Game::new(Chess::default()));
    }

    pub fn set_game(&mut self, game: Game) {
        self.game = game;
        self.build_tables();
    }

    /// Mirrors the position, so that the other side has it.
    pub fn flip(&mut self) {
        let chess = self.game.position().chess();
        let setup = chess.to_setup(EnPassantMode::Legal).into_mirrored();
        match setup.position(chess.castles().mode()) {
            Ok(chess) => self.game = Game::new(chess),
            Err(error) => self.output.info(format_args!("flip: {error}; the position stays")),
        }
    }

    /// The board, its FEN and its hash key.
    pub fn board(&self) -> String {
        let position = self.game.position();
        let chess = position.chess();
        format!(
            "{:?}\nfen {}\nkey {:016x}",
            chess.board(),
            Fen::from_position(chess, EnPassantMode::Legal),
            position.key()
        )
    }

    /// The evaluation of the position, term by term if it has terms, or how the game has ended.
    pub fn explanation(&self) -> String {
        if let Some(outcome) = self.game.outcome() {
            return format!("the game is over: {outcome}");
        }
        let chess = self.game.position().chess();
        let exact = self.table_builder.as_ref().and_then(|_| exact_value(&self.game));
        let exact = exact.map(|value| format!("\nexact: {value}"));
        let evaluation = match &self.own_evaluation {
            None => self.engine.trace(chess).to_string(),
            Some(own) => {
                let value = f64::from(own.evaluate(chess)) / 100.0;
                let white = chess.turn().fold_wb(value, -value);
                format!("{white:.2} pawns, White's view; engine {}", self.engine.name())
            }
        };
        evaluation + &exact.unwrap_or_default()
    }

    fn castling_mode(&self) -> CastlingMode {
        let mode = self.game.position().chess().castles().mode();
        CastlingMode::from_chess960(self.settings.chess960 || mode.is_chess960())
    }
}

/// The terms that the engine's file writes itself.
fn formula_terms(engine: &Engine) -> impl Iterator<Item = &Arc<Entry>> {
    engine.entries().filter(|term| term.is_formula())
}
