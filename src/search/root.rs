//! The root moves of a search, ranked by tablebases or by the aim of the game.

use super::aim::{self, History, MAX_MOVES, PATIENCE};
use super::exact;
use super::movegen::MoveGenerator;
use super::request::Search;
use super::score::{MATE_BOUND, TABLEBASE_WIN};
use super::shared_state::Counters;
use super::step::{SHARE_AFTER_PATIENCE, SHARE_OF_PLANS, Step, StepSearch};
use shakmaty::{Move, MoveList};

/// A root move.
#[derive(Copy, Clone, Debug)]
struct RootMove {
    m: Move,
    /// A move of higher rank is preferred, whatever value the search returns.
    rank: i32,
    /// The value from tables, in centipawns, if they give one.
    tablebase_value: Option<i32>,
}

/// The root moves with their ranks.
#[derive(Debug)]
pub(super) struct Root {
    moves: Vec<RootMove>,
    /// Whether tables say of each move whether it wins and how far, so that the search only has to find mates or
    /// to set traps.
    pub(super) is_solved: bool,
    /// The positions visited and the successful tablebase probes so far.
    pub(super) counters: Counters,
}

impl Root {
    pub(super) fn new(request: &Search) -> Root {
        let asked = &request.limits.search_moves;
        let legal = MoveGenerator::new(request.game.position()).all();
        let wanted = |m: &Move| asked.is_empty() || asked.contains(m);
        let ranked = exact::rank(request)
            .or_else(|| request.resources.tablebases.and_then(|tables| tables.rank(request.game)));
        let hits = ranked.as_ref().map_or(0, |ranked| ranked.moves.len() as u64);
        let is_solved = ranked.as_ref().is_some_and(|ranked| ranked.by_distance);
        let moves = match ranked {
            Some(ranked) => ranked
                .moves
                .into_iter()
                .map(|ranked| RootMove {
                    m: ranked.m,
                    rank: ranked.rank,
                    tablebase_value: ranked.value,
                })
                .collect(),
            None => {
                legal.into_iter().map(|m| RootMove { m, rank: 0, tablebase_value: None }).collect()
            }
        };
        let mut root = Root { moves, is_solved, counters: Counters { nodes: 0, hits } };
        root.moves.retain(|root_move| wanted(&root_move.m));
        root
    }

    /// Ranks the moves of the [plan](super::aim) above the others, or after a long wait those that begin a shortest
    /// line to a higher level, unless tablebases rank the moves. If nothing is found, all moves stay equal.
    pub(super) fn play_for_aim(&mut self, request: &Search) {
        let Search { game, engine, limits, .. } = *request;
        // A search for a mate in few moves needs all moves, and proofs of play without memory have no aim.
        let is_asked_for_more = limits.mate.is_some() || limits.full_width;
        if is_asked_for_more
            || self.counters.hits > 0
            || !aim::applies(engine, game.position().chess())
        {
            return;
        }
        let history = History::of_game(game, engine);
        let moves: Vec<Move> = self.moves.iter().map(|root_move| root_move.m).collect();
        let is_patient = history.wait < PATIENCE;
        let aim = if is_patient { history.aim } else { history.late_aim };
        let share = if is_patient { SHARE_OF_PLANS } else { SHARE_AFTER_PATIENCE };
        let mut search = StepSearch::new(request, aim, MAX_MOVES, share);
        let step = if is_patient { search.plan(&moves) } else { search.shortest(&moves) };
        let nodes = search.nodes;
        self.counters.nodes += nodes;
        let Some(Step { length, first }) = step else {
            log::debug!("{history:?}: all moves are tried, after {nodes} evaluations");
            return;
        };
        log::debug!(
            "{history:?}: {} moves begin a line of {length} moves to a higher level, found with {nodes} evaluations",
            first.len()
        );
        for root_move in &mut self.moves {
            root_move.rank = i32::from(first.contains(&root_move.m));
        }
    }

    /// The rank of a move.
    pub(super) fn rank(&self, m: Option<Move>) -> Option<i32> {
        self.moves.iter().find(|root_move| Some(root_move.m) == m).map(|root_move| root_move.rank)
    }

    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The moves of the highest rank among those that are not excluded.
    pub(super) fn best_except(&self, is_excluded: impl Fn(Move) -> bool) -> MoveList {
        let allowed = self.moves.iter().filter(|root_move| !is_excluded(root_move.m));
        let highest = allowed.clone().map(|root_move| root_move.rank).max();
        allowed
            .filter(|root_move| Some(root_move.rank) == highest)
            .map(|root_move| root_move.m)
            .collect()
    }

    /// The value of a line as it is reported: the value from tablebases, unless the search has found a mate
    /// that agrees with it.
    pub(super) fn adjusted_value(&self, value: i32, first: Option<Move>) -> i32 {
        let root_move = self.moves.iter().find(|root_move| Some(root_move.m) == first);
        match root_move.and_then(|root_move| root_move.tablebase_value) {
            Some(known) if known >= TABLEBASE_WIN && value >= MATE_BOUND => value,
            Some(known) if known <= -TABLEBASE_WIN && value <= -MATE_BOUND => value,
            Some(known) => known,
            None => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{
        Game, Level, Limits, TranspositionTable, aim::tests::engine, search, search_at_level,
    };
    use shakmaty::uci::UciMove;

    /// A rook's ending in which the rook has just gone back.
    const FEN: &str = "8/8/8/8/3k4/7R/8/4K3 w - - 0 1";
    const MOVES: [&str; 4] = ["h3a3", "d4e4", "a3h3", "e4d4"];

    fn game() -> Game {
        let mut game = Game::from_fen(FEN, None).unwrap();
        for word in MOVES {
            let m = word.parse::<UciMove>().unwrap().to_move(game.position().chess()).unwrap();
            game.play(m);
        }
        game
    }

    /// Calls a function with the request of a search.
    fn with_request<T>(limits: &Limits, read: impl FnOnce(&Search) -> T) -> T {
        let (game, engine) = (game(), engine());
        let table = TranspositionTable::new(1).unwrap();
        read(&Search::new(&game, &engine, &table, limits))
    }

    /// The moves of each rank: without and with a step.
    fn ranks(limits: &Limits) -> [MoveList; 2] {
        with_request(limits, |request| {
            let mut root = Root::new(request);
            root.play_for_aim(request);
            [0, 1].map(|rank| {
                root.moves
                    .iter()
                    .filter(|it| it.rank == rank)
                    .map(|root_move| root_move.m)
                    .collect()
            })
        })
    }

    /// Nodes enough to find the plan, and then a short search.
    fn enough() -> Limits {
        Limits { nodes: Some(3_200_000), depth: Some(3), ..Limits::default() }
    }

    #[test]
    fn moves_that_begin_a_step_come_first() {
        let [others, first] = ranks(&Limits::default());
        assert!(!first.is_empty() && others.len() > 5, "{first:?}");
        // A search for a mate, or one that leaves out nothing, chooses among all moves.
        for limits in [
            Limits { mate: Some(3), ..Limits::default() },
            Limits { full_width: true, ..Limits::default() },
            Limits { nodes: Some(1), ..Limits::default() },
        ] {
            assert!(ranks(&limits)[1].is_empty(), "{limits:?}");
        }
        let lines = first.len() + 3;
        let limits = Limits { lines, ..enough() };
        let mut last = vec![None; lines];
        let outcome = with_request(&limits, |request| {
            search(request, |report| last[report.number - 1] = report.line.first().copied())
        });
        assert_eq!(outcome.best, last[0]);
        let (before, after) = last.split_at(first.len());
        assert!(before.iter().all(|m| m.is_some_and(|m| first.contains(&m))), "{before:?}");
        assert!(after.iter().all(|m| m.is_some_and(|m| others.contains(&m))), "{after:?}");
    }

    #[test]
    fn only_the_moves_that_the_user_allows_are_ranked() {
        let [others, first] = ranks(&Limits::default());
        let search_moves: Vec<Move> = others.iter().chain(&first[..1]).copied().collect();
        let limits = Limits { search_moves, ..enough() };
        assert_eq!(ranks(&limits)[1][..], first[..1]);
        let best = with_request(&limits, |request| search(request, |_| ()).best);
        assert_eq!(best, first.first().copied());
        // Without the best moves, the plan is another.
        let search_moves: Vec<Move> = others.iter().copied().collect();
        let limits = Limits { search_moves, ..limits };
        let best = with_request(&limits, |request| search(request, |_| ()).best);
        assert!(best.is_some_and(|m| others.contains(&m)));
    }

    #[test]
    fn weaker_levels_play_without_an_aim() {
        let [_, first] = ranks(&Limits::default());
        let limits = Limits::default();
        let played = |seed| {
            with_request(&limits, |request| {
                search_at_level(request, Level::new(0), seed, |_| ()).best
            })
        };
        assert!((0..50).filter_map(played).any(|m| !first.contains(&m)));
    }
}
