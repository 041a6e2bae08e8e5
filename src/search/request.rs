//! The request of a search and its answers. All modules that search import these types.

use super::evaluate::Evaluate;
use super::level::Level;
use super::limits::Limits;
use super::position::Game;
use super::score::Value;
use super::tablebases::Tablebases;
use super::transposition_table::{Bound, TranspositionTable};
use crate::endgame::Endgames;
use crate::search::root::time::Clock;
use shakmaty::{Move, Position};
use std::{
    fmt::Debug,
    sync::{OnceLock, atomic::AtomicBool},
    time::Duration,
};
use web_time::Instant;

/// Flags by which another thread controls a running search.
#[derive(Default, Debug)]
pub struct Control {
    /// The search must end.
    pub stop: AtomicBool,
    /// Whether the search began on the opponent's time.
    is_ponder: bool,
    /// When the opponent played the expected move.
    hit: OnceLock<Instant>,
}

impl Control {
    /// The control of a search on the opponent's time.
    pub fn ponder() -> Control {
        Control { is_ponder: true, ..Control::default() }
    }

    /// The opponent has played the expected move: the search goes on on the engine's own time.
    pub fn ponder_hit(&self) {
        self.hit.get_or_init(Instant::now);
    }

    /// Whether the search still runs on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.is_ponder && self.hit.get().is_none()
    }
}

/// The request of one search.
#[derive(Copy, Clone, Debug)]
pub struct SearchRequest<'a> {
    /// The position and the moves that led to it.
    pub game: &'a Game,
    /// The evaluation.
    pub evaluation: &'a dyn Evaluate,
    /// The transposition table, which keeps its entries from one search to the next.
    pub table: &'a TranspositionTable,
    /// When to stop and which moves to search.
    pub limits: &'a Limits,
    /// The time limits of this move.
    pub clock: Clock,
    /// Stops the search from another thread.
    pub control: &'a Control,
    /// Threads, tables and the watcher.
    pub resources: Resources<'a>,
    /// The playing strength.
    pub level: Level,
    /// Chooses among moves that are nearly best, below full strength. The same seed gives the same choice.
    pub seed: u64,
}

/// The control of a search that only its limits end.
static NEVER_STOPPED: Control =
    Control { stop: AtomicBool::new(false), is_ponder: false, hit: OnceLock::new() };

impl<'a> SearchRequest<'a> {
    /// A search at full strength with one thread that only its limits end. Its clock starts now.
    ///
    /// ```
    /// use tropism::search::{Game, Limits, SearchRequest, TranspositionTable, Value, search};
    /// let game = Game::from_fen("7k/8/6K1/8/8/8/8/R7 w - -", None)?;
    /// let limits = Limits { depth: Some(3), ..Limits::default() };
    /// let (engine, table) = (tropism::default_engine()?, TranspositionTable::new(1)?);
    /// let outcome = search(&SearchRequest::new(&game, &engine, &table, &limits), |_| ());
    /// assert_eq!(outcome.value, Value::Mate(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        game: &'a Game,
        evaluation: &'a dyn Evaluate,
        table: &'a TranspositionTable,
        limits: &'a Limits,
    ) -> SearchRequest<'a> {
        let turn = game.position().chess().turn();
        let clock = Clock::start(limits, turn, Duration::ZERO);
        let resources = Resources::default();
        SearchRequest {
            game,
            evaluation,
            table,
            limits,
            clock,
            control: &NEVER_STOPPED,
            resources,
            level: Level::new(Level::FULL),
            seed: 0,
        }
    }

    /// The same search, with `control` to stop it.
    #[must_use]
    pub fn with_control(self, control: &'a Control) -> SearchRequest<'a> {
        SearchRequest { control, ..self }
    }

    /// The same search with exact tables, usually those of its board: [`Endgames::of`].
    #[must_use]
    pub fn with_endgames(mut self, endgames: &'a Endgames) -> SearchRequest<'a> {
        self.resources.endgames = Some(endgames);
        self
    }

    /// The same search at another playing strength.
    #[must_use]
    pub fn at_level(self, level: Level, seed: u64) -> SearchRequest<'a> {
        SearchRequest { level, seed, ..self }
    }

    /// Whether the time for this move is over. It never is while the engine ponders.
    ///
    /// With a clock the time before the hit counts too: a search that has pondered long enough answers at once, and the
    /// clock keeps its time. A fixed time begins at the hit.
    pub(crate) fn is_out_of_time(&self) -> bool {
        let Some(hard) = self.clock.hard else { return false };
        let hit = self.control.hit.get().filter(|_| self.clock.soft.is_none());
        let elapsed = hit.map_or_else(|| self.clock.elapsed(), Instant::elapsed);
        elapsed >= hard && !self.control.is_pondering()
    }

    /// The same search with other resources.
    #[must_use]
    pub fn with_resources(self, resources: Resources<'a>) -> SearchRequest<'a> {
        SearchRequest { resources, ..self }
    }
}

/// A report of a running search: a finished iteration, or a bound in an iteration that takes long.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The rank of this line, from 1 for the best.
    pub number: usize,
    /// Whether no other line of the same iteration follows at once.
    pub is_last: bool,
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The longest line searched, in plies.
    pub selective_depth: u32,
    /// The value for the side to move.
    pub value: Value,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// Positions visited.
    pub nodes: u64,
    /// Successful tablebase probes.
    pub tablebase_hits: u64,
    /// Time since the start.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub table_fullness: u32,
    /// The best line.
    pub line: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The move to play; none if there is no legal move.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The value of the last finished iteration, for the side to move.
    pub value: Value,
    /// Positions visited.
    pub nodes: u64,
}

/// What a search may use. The default is one thread, no tables and no watcher.
#[derive(Copy, Clone, Default, Debug)]
pub struct Resources<'a> {
    /// The number of threads; 0 means 1.
    pub threads: usize,
    /// Exact tables of endings. The value of a position that they have is not searched.
    pub endgames: Option<&'a Endgames>,
    /// Syzygy tablebases.
    pub tablebases: Option<&'a Tablebases>,
    /// Receives the root moves as they are searched.
    pub watcher: Option<&'a dyn Watcher>,
}

/// Receives the root moves that are being searched.
pub trait Watcher: Sync + Debug {
    /// The first thread begins to search this move, the `number`th (from 1) of the iteration.
    fn root_move(&self, depth: u32, m: Move, number: usize);
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Color;

    /// Report: `ponderhit` was said to start the clock, and a fixed time was counted from `go ponder`.
    #[test]
    fn a_fixed_time_begins_at_the_ponder_hit_and_a_clock_before_it() {
        let game = Game::new(shakmaty::Chess::default());
        let (engine, table) =
            (crate::default_engine().unwrap(), TranspositionTable::new(1).unwrap());
        let limits = Limits::default();
        let unlimited = Clock::start(&limits, Color::White, Duration::ZERO);
        let (mut fixed, mut of_game) = (unlimited, unlimited);
        fixed.hard = Some(Duration::from_nanos(1));
        (of_game.soft, of_game.hard) = (fixed.hard, fixed.hard);
        let later = Instant::now() + Duration::from_secs(3600);
        for (clock, is_over_at_hit) in [(fixed, false), (of_game, true), (unlimited, false)] {
            let control = Control::ponder();
            let request =
                SearchRequest::new(&game, &engine, &table, &limits).with_control(&control);
            let request = SearchRequest { clock, ..request };
            while clock.elapsed().is_zero() {}
            assert!(control.is_pondering() && !request.is_out_of_time());
            // A hit that lies ahead: no time has passed since, however slow the test is.
            control.hit.set(later).unwrap();
            control.ponder_hit();
            assert!(!control.is_pondering());
            assert_eq!(request.is_out_of_time(), is_over_at_hit, "{clock:?}");
        }
    }
}
