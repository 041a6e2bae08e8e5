//! `go` in a session.

use super::Session;
use crate::endgame::TableBuilder;
use crate::search::{
    Clock, Level, Limits, Report, Resources, Search, WDL_MODEL, Watcher, search_at_level,
    search_exactly,
};
use crate::uci::Go;
use crate::uci::answer::Answer;
use crate::uci::message::{best_move, info, root_move};
use crate::uci::output::Output;
use crate::uci::position::read_move;
use shakmaty::{ByColor, CastlingMode, Move, Position};
use std::{
    hash::{BuildHasher, RandomState},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::Ordering::Relaxed},
    thread,
    time::Duration,
};

/// How often a search that has nothing left to do looks whether it may answer.
const IDLE_STEP: Duration = Duration::from_millis(2);

/// Reports the root move that is being searched to the GUI.
#[derive(Debug)]
struct RootMoveReporter<'a> {
    output: &'a Output,
    answer: &'a Answer,
    mode: CastlingMode,
}

impl Watcher for RootMoveReporter<'_> {
    fn root_move(&self, depth: u32, m: Move, number: usize) {
        let message = root_move(depth, m, number, self.mode);
        self.answer.report(None, || self.output.message(&message));
    }
}

impl Session {
    pub(super) fn go(&mut self, go: &Go) {
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
        let limits = self.limits(go);
        let chess = self.game.position().chess();
        let clock = Clock::start(&limits, chess.turn(), self.settings.overhead);
        let mode = self.castling_mode();
        let has_limit =
            go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() || clock.hard.is_some();
        let waits = go.infinite || !has_limit;
        let (game, engine) = (self.game.clone(), Arc::clone(&self.engine));
        let table = Arc::clone(&self.table);
        let level = if waits { Level::new(Level::FULL) } else { self.settings.level() };
        // What is not there yet, the search plays without.
        let library = self.library.as_ref().filter(|_| level.is_full());
        let endgames = library.map(TableBuilder::endgames).unwrap_or_default();
        let tablebases = self.tablebases.clone().map(|mut tablebases| {
            tablebases.limit = self.settings.probe_limit;
            tablebases.depth = self.settings.probe_depth;
            tablebases.fifty_moves = self.settings.fifty_moves;
            tablebases
        });
        let (threads, shows_odds) = (self.settings.threads, self.settings.shows_odds);
        let ponder = go.ponder;
        self.start(ponder, move |output, control, answer| {
            let root_moves = RootMoveReporter { output, answer, mode };
            let resources =
                Resources { threads, tablebases: tablebases.as_ref(), watcher: Some(&root_moves) };
            let request = Search {
                clock,
                ..Search::new(&game, &engine, &table, &limits)
                    .with_control(control)
                    .with_resources(resources)
            };
            let board = game.position().chess().board();
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let report = |report: &Report| {
                    let odds = shows_odds.then(|| WDL_MODEL.odds(report.value, board));
                    let best = (report.number == 1).then_some(report.line.as_slice());
                    answer.report(best, || output.message(&info(report, odds, mode)));
                };
                if level.is_full() {
                    search_exactly(&request, &endgames, report)
                } else {
                    let seed = RandomState::new().hash_one(game.position().key());
                    search_at_level(&request, level, seed, report)
                }
            }));
            while !control.stop.load(Relaxed) && (waits || control.pondering.load(Relaxed)) {
                thread::park_timeout(IDLE_STEP);
            }
            let (best, ponder) = match outcome {
                Ok(outcome) => (outcome.best, outcome.ponder),
                Err(_) => {
                    output.info("the search broke down; this is a bug, please report it");
                    (game.position().chess().legal_moves().first().copied(), None)
                }
            };
            answer.give(|| match best_move(best, ponder, mode) {
                Some(message) => output.message(&message),
                None => output.text("bestmove (none)"),
            });
        });
    }

    fn limits(&self, go: &Go) -> Limits {
        let chess = self.game.position().chess();
        let mut search_moves = Vec::new();
        for word in &go.search_moves {
            match read_move(word, chess) {
                Some(m) => search_moves.push(m),
                None => self.output.info(format_args!("go: {word:?} is not a legal move here")),
            }
        }
        Limits {
            depth: go.depth,
            nodes: go.nodes,
            move_time: go.move_time,
            mate: go.mate,
            time: ByColor { white: go.white_time, black: go.black_time },
            increment: ByColor { white: go.white_increment, black: go.black_increment },
            moves_to_go: go.moves_to_go,
            search_moves,
            lines: self.settings.lines,
            full_width: false,
        }
    }
}
