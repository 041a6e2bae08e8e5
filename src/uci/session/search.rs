//! The search and other long tasks, on a thread of their own.

use super::Session;
use super::lag::CompletedMove;
use crate::endgame::{Endgames, Material, TableBuilder};
use crate::search::{
    self, Clock, Control, Level, Limits, Report, Resources, STACK_SIZE, SearchRequest, WDL_MODEL,
};
use crate::uci::best_move::PendingBestMove;
use crate::uci::go::Go;
use crate::uci::messages::{best_move, info, root_move};
use crate::uci::output::Output;
use crate::uci::position::read_move;
use shakmaty::{Board, ByColor, CastlingMode, Position};
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, atomic::Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How often a search that has ended early checks whether it may answer.
const IDLE_STEP: Duration = Duration::from_millis(2);

/// How long a search takes whose limit could not be read.
const LOST_LIMIT: Duration = Duration::from_secs(1);

/// A task on a thread of its own.
pub struct Running {
    control: Arc<Control>,
    best_move: Arc<PendingBestMove>,
    /// How castling was written when the task started.
    mode: CastlingMode,
    thread: JoinHandle<()>,
}

/// The tables of a board. A search that may differ does not wait for those that only its captures lead to, and one with
/// a clock waits for half the time that the move is to take, so that it searches for the other half.
fn wait_for_tables(
    builder: &TableBuilder,
    board: &Board,
    clock: Clock,
    control: &Control,
    is_repeatable: bool,
) -> Endgames {
    let is_ending = Material::on(board).is_ok();
    builder.wait_for(board, || {
        let is_late = clock.soft.or(clock.hard).is_some_and(|limit| clock.elapsed() >= limit / 2);
        control.stop.load(Relaxed) || is_late || !is_ending && !is_repeatable
    })
}

impl Session {
    pub(crate) fn go(&mut self, go: &Go) {
        self.finish_search();
        for complaint in &go.complaints {
            self.output.info(complaint);
        }
        match go.perft {
            Some(depth) => self.perft(depth),
            None => self.start_search(go),
        }
    }

    fn start_search(&mut self, go: &Go) {
        let mut limits = self.limits(go);
        // A pondered move begins at an unknown time before the GUI's clock runs.
        let completed = if go.ponder { None } else { self.lag.begin(&self.game, &limits) };
        let is_limited = limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_some();
        let clock = self.start_clock(go, &mut limits, is_limited);
        let mode = self.castling_mode();
        let waits_for_stop = go.infinite || !is_limited && clock.hard.is_none();
        let (game, evaluation) = (self.game.clone(), self.evaluation());
        let table = Arc::clone(&self.table);
        let level = if waits_for_stop { Level::new(Level::FULL) } else { self.settings.level() };
        self.build_tables();
        let table_builder = self.table_builder.clone().filter(|_| level.is_full());
        // Depth and nodes must always lead to the same search, so it always has the same tables.
        let is_repeatable = !waits_for_stop && clock.hard.is_none();
        let tablebases = self.tablebases.clone().map(|mut tablebases| {
            tablebases.fifty_moves = self.settings.fifty_move_rule;
            tablebases
        });
        let (threads, show_wdl) = (self.settings.threads, self.settings.show_wdl);
        let control = if go.ponder { Control::ponder() } else { Control::default() };
        self.start(control, move |output, control, pending| {
            let on_root_move = |depth, m, number| {
                let message = root_move(depth, m, number, mode);
                pending.report(None, true, || output.text(message));
            };
            let chess = game.position().chess();
            let endgames = table_builder.map(|builder| {
                wait_for_tables(&builder, chess.board(), clock, control, is_repeatable)
            });
            let exact = endgames.as_ref().and_then(|it| it.probe(chess));
            if let Some(value) = exact.filter(|&it| search::holds_in_game(it, &game))
                && game.outcome().is_none()
            {
                output.info(format_args!("exact: {value}"));
            }
            let resources = Resources {
                threads,
                endgames: endgames.as_ref(),
                tablebases: tablebases.as_ref(),
                on_root_move: Some(&on_root_move),
            };
            let request = SearchRequest {
                clock,
                control,
                resources,
                level,
                seed: RandomState::new().hash_one(game.position().key()),
                ..SearchRequest::new(&game, &*evaluation, &table, &limits)
            };
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let report = |report: &Report| {
                    let odds = show_wdl.then(|| WDL_MODEL.odds_in_game(report.value, &game));
                    let best_line = (report.number == 1).then_some(report.line.as_slice());
                    let write = || output.text(info(report, odds, mode));
                    pending.report(best_line, report.is_last, write);
                };
                search::search(&request, report)
            }));
            while !control.stop.load(Relaxed) && (waits_for_stop || control.is_pondering()) {
                thread::park_timeout(IDLE_STEP);
            }
            let (best, ponder) = match outcome {
                Ok(outcome) => (outcome.best, outcome.ponder),
                Err(_) => {
                    output.info("the search crashed; this is a bug, please report it");
                    (game.position().chess().legal_moves().first().copied(), None)
                }
            };
            let was_stopped = control.stop.load(Relaxed);
            pending.send(|| output.text(best_move(best, ponder, mode)));
            if let (Some(completed), Some(best)) = (completed, best)
                && !was_stopped
            {
                let key = game.position().play(best).key();
                // It is set once, here.
                let taken = clock.elapsed();
                let late = clock.hard.map_or(Duration::ZERO, |hard| taken.saturating_sub(hard));
                let _ = completed.set(CompletedMove { taken, late, key });
            }
        });
    }

    /// Starts the clock. The limits become those that the search has then.
    fn start_clock(&self, go: &Go, limits: &mut Limits, is_limited: bool) -> Clock {
        let turn = self.game.position().chess().turn();
        let overhead = self.settings.move_overhead;
        self.lag.shorten(&self.game, limits, overhead);
        let clock = Clock::start(limits, turn, overhead, self.lag.late());
        // A limit was meant and not understood: without one a GUI would wait for ever.
        let is_meant = go.is_timed || !go.complaints.is_empty();
        if is_limited || clock.hard.is_some() || !is_meant || go.infinite {
            return clock;
        }
        limits.move_time = Some(LOST_LIMIT);
        self.output.info("go: no limit could be read; the search takes one second");
        Clock::start(limits, turn, overhead, self.lag.late())
    }

    fn limits(&self, go: &Go) -> Limits {
        let chess = self.game.position().chess();
        let mut limits = Limits { lines: self.settings.lines, ..go.limits.clone() };
        for word in &go.search_moves {
            match read_move(word, chess) {
                Some(m) => limits.search_moves.push(m),
                None => self.output.info(format_args!("go: {word:?} is not a legal move here")),
            }
        }
        // A clock of one side alone is better than none.
        let ByColor { white, black } = limits.time;
        limits.time = ByColor { white: white.or(black), black: black.or(white) };
        limits
    }

    fn perft(&mut self, depth: u32) {
        let chess = self.game.position().chess().clone();
        let mode = self.castling_mode();
        self.start(Control::default(), move |output, control, _| {
            let division = search::divide(&chess, depth, mode, control);
            if control.stop.load(Relaxed) {
                output.info("perft was stopped before it was finished");
            } else {
                output.text(division);
            }
        });
    }

    pub(crate) fn bench(&mut self, depth: u32) {
        self.finish_search();
        let evaluation = self.evaluation();
        self.start(Control::default(), move |output, control, _| {
            match search::bench(&*evaluation, depth, control) {
                Ok(result) => output.text(result),
                Err(error) => output.info(error),
            }
        });
    }

    /// Runs a task on a thread of its own, so that the input is read meanwhile.
    fn start(
        &mut self,
        control: Control,
        task: impl FnOnce(&Output, &Control, &PendingBestMove) + Send + 'static,
    ) {
        let control = Arc::new(control);
        let best_move = Arc::new(PendingBestMove::default());
        let output = Arc::clone(&self.output);
        let (its_control, its_best_move) = (Arc::clone(&control), Arc::clone(&best_move));
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_SIZE)
            .spawn(move || task(&output, &its_control, &its_best_move));
        match thread {
            Ok(thread) => {
                let mode = self.castling_mode();
                self.running = Some(Running { control, best_move, mode, thread });
            }
            Err(error) => self.output.info(format_args!("no thread can be started: {error}")),
        }
    }

    /// Stops a running search and makes sure that its best move is sent soon.
    pub(crate) fn stop_search(&self) {
        self.signal(|control| control.stop.store(true, Relaxed));
        if let Some(running) = &self.running {
            running.best_move.send_when_overdue(|best, ponder| {
                self.output.text(best_move(Some(best), ponder, running.mode));
            });
        }
    }

    /// The expected move was played.
    pub(crate) fn end_pondering(&self) {
        self.signal(Control::ponder_hit);
    }

    /// Stops what is running, if anything is, and waits until it has ended.
    pub(crate) fn finish_search(&mut self) {
        self.signal(|control| control.stop.store(true, Relaxed));
        if let Some(running) = self.running.take()
            && running.thread.join().is_err()
        {
            self.output.info("a search thread crashed; this is a bug, please report it");
        }
    }

    fn signal(&self, change: impl FnOnce(&Control)) {
        if let Some(running) = &self.running {
            change(&running.control);
            running.thread.thread().unpark();
        }
    }
}
