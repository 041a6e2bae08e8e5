//! The request of a search, with its evaluation and its limits, and the answers. All modules that search import these types.

use super::level::Level;
use super::position::Game;
use super::score::Value;
use super::tablebases::Tablebases;
use super::transposition_table::{Bound, TranspositionTable};
use crate::endgame::Endgames;
use crate::eval::Engine;
use crate::search::root::time::Clock;
use shakmaty::{ByColor, Chess, Move, Position};
use std::sync::{OnceLock, atomic::AtomicBool};
use std::{fmt::Debug, time::Duration};
use web_time::Instant;

/// An evaluation that the search plays by: an [`Engine`] made of terms, a network, or some lines of an author.
///
/// All threads of a search ask it at the same time. A position must always have the same value, because the
/// transposition table keeps it. Mate, stalemate and draws by the rules are found by the search.
pub trait Evaluate: Send + Sync + Debug {
    /// The value of a position in centipawns, from the side to move's point of view. A value beyond
    /// [`MAX_EVALUATION`](super::MAX_EVALUATION) counts as that.
    fn evaluate(&self, chess: &Chess) -> i32;
}

impl Evaluate for Engine {
    fn evaluate(&self, chess: &Chess) -> i32 {
        Engine::evaluate(self, chess)
    }
}

/// The limits of a search, as the UCI command `go` gives them. The first one that is reached ends it. Without any, the
/// search runs until it is stopped.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// Maximum depth, in plies.
    pub depth: Option<u32>,
    /// Maximum number of positions visited.
    pub nodes: Option<u64>,
    /// Maximum time for this move.
    pub move_time: Option<Duration>,
    /// Find a mate in at most this many moves, without pruning.
    pub mate: Option<u32>,
    /// Time left on each side's clock.
    pub time: ByColor<Option<Duration>>,
    /// Time added after each move.
    pub increment: ByColor<Duration>,
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Search only these root moves; empty means all.
    pub search_moves: Vec<Move>,
    /// The number of best lines to report (MultiPV); 0 means 1.
    pub lines: usize,
}

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
#[derive(Copy, Clone)]
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
    /// Threads and tables.
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
        SearchRequest {
            game,
            evaluation,
            table,
            limits,
            clock: Clock::start(limits, turn, Duration::ZERO, Duration::ZERO),
            control: &NEVER_STOPPED,
            resources: Resources::default(),
            level: Level::new(Level::FULL),
            seed: 0,
        }
    }

    /// The same search with exact tables, usually those of its board: [`Endgames::of`].
    #[must_use]
    pub fn with_endgames(mut self, endgames: &'a Endgames) -> SearchRequest<'a> {
        self.resources.endgames = Some(endgames);
        self
    }

    /// The same search with other resources.
    #[must_use]
    pub fn with_resources(self, resources: Resources<'a>) -> SearchRequest<'a> {
        SearchRequest { resources, ..self }
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

impl Report {
    /// The report of a line whose value is known without a search.
    pub(super) fn known(request: &SearchRequest, value: Value, line: Vec<Move>) -> Report {
        Report {
            number: 1,
            is_last: true,
            depth: line.len() as u32,
            selective_depth: line.len() as u32,
            value,
            bound: Bound::Exact,
            nodes: 0,
            tablebase_hits: 0,
            time: request.clock.elapsed(),
            table_fullness: request.table.fullness(),
            line,
        }
    }
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

/// What a search may use. The default is one thread and no tables.
#[derive(Copy, Clone, Default)]
pub struct Resources<'a> {
    /// The number of threads; 0 means 1.
    pub threads: usize,
    /// Exact tables of endings. The value of a position that they have is not searched.
    pub endgames: Option<&'a Endgames>,
    /// Syzygy tablebases.
    pub tablebases: Option<&'a Tablebases>,
    /// Receives the root moves as they are searched.
    pub on_root_move: Option<OnRootMove<'a>>,
}

/// Receives a depth, the root move that the first thread begins to search to it, and the number of this move from 1.
pub type OnRootMove<'a> = &'a (dyn Fn(u32, Move, usize) + Sync);

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
        let unlimited = Clock::start(&limits, Color::White, Duration::ZERO, Duration::ZERO);
        let (mut fixed, mut of_game) = (unlimited, unlimited);
        fixed.hard = Some(Duration::from_nanos(1));
        (of_game.soft, of_game.hard) = (fixed.hard, fixed.hard);
        let later = Instant::now() + Duration::from_secs(3600);
        for (clock, is_over_at_hit) in [(fixed, false), (of_game, true), (unlimited, false)] {
            let control = Control::ponder();
            let request = SearchRequest::new(&game, &engine, &table, &limits);
            let request = SearchRequest { clock, control: &control, ..request };
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
