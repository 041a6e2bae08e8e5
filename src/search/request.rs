//! What a search is asked and what it answers. The threads of the search import these types.

use super::limits::{Clock, Limits};
use super::position::Game;
use super::score::Value;
use super::tablebases::Tablebases;
use super::transposition_table::{Bound, TranspositionTable};
use crate::eval::Engine;
use shakmaty::{Move, Position};
use std::{fmt::Debug, sync::atomic::AtomicBool, time::Duration};

/// How a search is told things while it runs.
#[derive(Default, Debug)]
pub struct Control {
    /// End the search.
    pub stop: AtomicBool,
    /// The opponent is still to move: clocks do not count yet.
    pub pondering: AtomicBool,
}

/// All that a search needs.
#[derive(Copy, Clone, Debug)]
pub struct Search<'a> {
    /// The position and how it came about.
    pub game: &'a Game,
    /// Who evaluates.
    pub engine: &'a Engine,
    /// What is remembered.
    pub table: &'a TranspositionTable,
    /// What was asked for.
    pub limits: &'a Limits,
    /// When the time runs out.
    pub clock: Clock,
    /// How to stop it.
    pub control: &'a Control,
    /// What else may be used.
    pub resources: Resources<'a>,
}

/// What a search heeds that nobody wants to tell anything.
static UNTOLD: Control =
    Control { stop: AtomicBool::new(false), pondering: AtomicBool::new(false) };

impl<'a> Search<'a> {
    /// A search that starts now, in one thread, and that nothing but its limits ends.
    ///
    /// ```
    /// use tropism::search::{Game, Limits, Search, TranspositionTable, Value, search};
    /// let game = Game::from_fen("7k/8/6K1/8/8/8/8/R7 w - -", None)?;
    /// let limits = Limits { depth: Some(3), ..Limits::default() };
    /// let (engine, table) = (tropism::default_engine()?, TranspositionTable::new(1)?);
    /// let outcome = search(&Search::new(&game, &engine, &table, &limits), |_| ());
    /// assert_eq!(outcome.value, Value::Mate(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        game: &'a Game,
        engine: &'a Engine,
        table: &'a TranspositionTable,
        limits: &'a Limits,
    ) -> Search<'a> {
        let turn = game.position().chess().turn();
        let clock = Clock::start(limits, turn, Duration::ZERO);
        let resources = Resources::default();
        Search { game, engine, table, limits, clock, control: &UNTOLD, resources }
    }

    /// The same search, told by `control` to stop.
    #[must_use]
    pub fn told_by(self, control: &'a Control) -> Search<'a> {
        Search { control, ..self }
    }

    /// The same search with more than one thread or with tables.
    #[must_use]
    pub fn with(self, resources: Resources<'a>) -> Search<'a> {
        Search { resources, ..self }
    }
}

/// News of a running search: one finished iteration, or a bound on one that takes long.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Which line this is, from 1, the best first.
    pub number: usize,
    /// Iteration, in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub selective_depth: u32,
    /// The value for the side to move.
    pub value: Value,
    /// Whether that is the value or only a bound.
    pub bound: Bound,
    /// Positions visited.
    pub nodes: u64,
    /// Answers from tablebases.
    pub tablebase_hits: u64,
    /// Time since the start.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub table_fullness: u32,
    /// The best line.
    pub line: Vec<Move>,
}

/// The end of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The move to play; none if there is no legal move.
    pub best: Option<Move>,
    /// The answer expected.
    pub ponder: Option<Move>,
    /// The value of the last finished iteration.
    pub value: Value,
    /// Positions visited.
    pub nodes: u64,
}

/// What a search may use; the default is one thread and nothing else.
#[derive(Copy, Clone, Default, Debug)]
pub struct Resources<'a> {
    /// Threads that search together; 0 and 1 are the same.
    pub threads: usize,
    /// Tables that know the result of positions of few men.
    pub tablebases: Option<&'a Tablebases>,
    /// Who is told which root move is being searched.
    pub watcher: Option<&'a dyn Watcher>,
}

/// Somebody who wants to see which root move is being searched.
pub trait Watcher: Sync + Debug {
    /// The first thread begins with this move, the `number`th (from 1) of the iteration.
    fn root_move(&self, depth: u32, m: Move, number: usize);
}
