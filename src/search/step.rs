//! The shortest step above the [aim](super::aim) of a game, by full search over whole moves.

use super::aim::{Aim, Levels, MAX_MOVES, is_mate, strong_side_value};
use super::position::Position;
use super::request::Search;
use shakmaty::{Move, Position as _};
use std::{collections::HashMap, sync::atomic::Ordering::Relaxed, time::Duration};

/// The most evaluations without another limit. A step of few moves takes some thousands.
const MAX_NODES: u64 = 250_000;

/// The share of nodes and time that the search for a step may use, as a divisor.
const SHARE: u32 = 4;

/// The number of visited positions between two checks of clock and stop flag.
const VISITS_BETWEEN_CHECKS: u64 = 64;

/// What is known of a position with the strong side to move.
#[derive(Copy, Clone, Default)]
struct Known {
    /// Within this many moves there is no step.
    refuted: u8,
    /// The number of moves of the shortest step.
    proved: Option<u8>,
}

/// The search was stopped.
struct Stopped;

/// The search for the shortest step of one game.
pub(crate) struct StepSearch<'a> {
    request: &'a Search<'a>,
    aim: Aim,
    max_nodes: u64,
    max_time: Option<Duration>,
    /// Evaluations so far.
    pub(super) nodes: u64,
    visits: u64,
    levels: Levels,
    /// Values of positions with the bare king to move, by key.
    values: HashMap<u64, i32>,
    /// By key of positions with the strong side to move.
    steps: HashMap<u64, Known>,
}

impl<'a> StepSearch<'a> {
    pub(crate) fn new(request: &'a Search<'a>, aim: Aim) -> StepSearch<'a> {
        let share = request.limits.nodes.map(|nodes| nodes / u64::from(SHARE));
        let clock = request.clock;
        StepSearch {
            request,
            aim,
            max_nodes: share.unwrap_or(MAX_NODES).min(MAX_NODES),
            max_time: [clock.soft, clock.hard].into_iter().flatten().min().map(|time| time / SHARE),
            nodes: 0,
            visits: 0,
            levels: Levels::default(),
            values: HashMap::new(),
            steps: HashMap::new(),
        }
    }

    /// The number of moves of the shortest step that begins with one of these moves, and the moves that begin
    /// such a step. `None` if there is none within [`MAX_MOVES`], or a limit is reached before it is found.
    pub(crate) fn shortest(&mut self, moves: &[Move]) -> Option<(u8, Vec<Move>)> {
        let root = self.request.game.position();
        let children: Vec<Position> = moves.iter().map(|&m| root.play(m)).collect();
        for within in 1..=MAX_MOVES {
            let mut first = Vec::new();
            let mut is_stopped = false;
            for (&m, child) in moves.iter().zip(&children) {
                match self.is_reached(child, within) {
                    Ok(true) => first.push(m),
                    Ok(false) => (),
                    Err(Stopped) => {
                        is_stopped = true;
                        break;
                    }
                }
            }
            if !first.is_empty() || is_stopped {
                // If the search was stopped, these are not all moves of such a step, but no step is shorter.
                return Some((within, first)).filter(|(_, first)| !first.is_empty());
            }
        }
        None
    }

    /// Whether the move that led here begins a step of at most this many moves.
    fn is_reached(&mut self, after: &Position, within: u8) -> Result<bool, Stopped> {
        if is_mate(after) {
            return Ok(true);
        }
        let is_higher = self.aim.is_below(self.value(after)?);
        if !is_higher && within == 1 || !self.levels.counts(after) {
            return Ok(false);
        }
        if is_higher {
            return Ok(true);
        }
        for reply in after.chess().legal_moves() {
            if !self.exists(&after.play(reply), within - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a step of at most this many moves exists.
    fn exists(&mut self, position: &Position, within: u8) -> Result<bool, Stopped> {
        let key = position.key();
        let known = self.steps.get(&key).copied().unwrap_or_default();
        if known.proved.is_some() || known.refuted >= within {
            return Ok(known.proved.is_some_and(|proved| proved <= within));
        }
        self.check_limits()?;
        let moves = position.chess().legal_moves();
        let mut children: Vec<Position> = moves.into_iter().map(|m| position.play(m)).collect();
        if known.refuted > 0 {
            // Their values are known. A high value promises a higher one.
            children.sort_by_key(|child| std::cmp::Reverse(self.values.get(&child.key()).copied()));
        }
        for moves in known.refuted + 1..=within {
            for child in &children {
                if self.is_reached(child, moves)? {
                    self.steps.insert(key, Known { proved: Some(moves), ..known });
                    return Ok(true);
                }
            }
        }
        self.steps.insert(key, Known { refuted: within, proved: None });
        Ok(false)
    }

    fn value(&mut self, after: &Position) -> Result<i32, Stopped> {
        if let Some(&known) = self.values.get(&after.key()) {
            return Ok(known);
        }
        if self.nodes >= self.max_nodes {
            return Err(Stopped);
        }
        self.nodes += 1;
        let value = strong_side_value(self.request.engine, after.chess());
        self.values.insert(after.key(), value);
        Ok(value)
    }

    /// Checks clock and stop flag from time to time.
    fn check_limits(&mut self) -> Result<(), Stopped> {
        self.visits += 1;
        let control = self.request.control;
        let is_late = || {
            !control.pondering.load(Relaxed)
                && self.max_time.is_some_and(|most| self.request.clock.elapsed() >= most)
        };
        let is_checked = self.visits % VISITS_BETWEEN_CHECKS == 1;
        if is_checked && (control.stop.load(Relaxed) || is_late()) {
            return Err(Stopped);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        endgame::Endgames,
        search::{
            Control, Game, Limits, Resources, TranspositionTable, aim::tests::engine, search,
        },
    };

    /// Plays a game against the longest defence at depth 3. Returns its moves, half of them the defender's.
    fn play(fen: &str, ending: &str, resources: Resources) -> usize {
        let engine = engine();
        let mut endgames = Endgames::default();
        endgames.build(ending.parse().unwrap(), |_| ());
        let table = TranspositionTable::new(1).unwrap();
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let mut game = Game::from_fen(fen, None).unwrap();
        let strong = game.position().chess().turn();
        let mut aim = Aim::NONE;
        for ply in 0..60 {
            if game.outcome().is_some() {
                assert!(game.position().chess().is_checkmate());
                return ply;
            }
            let m = if game.position().chess().turn() == strong {
                let now = Aim::of_game(&game, &engine);
                assert!(now >= aim, "move {ply}");
                aim = now;
                let request = Search::new(&game, &engine, &table, &limits);
                search(&request.with_resources(resources), |_| ()).best.unwrap()
            } else {
                endgames.moves(game.position().chess()).unwrap()[0].0
            };
            game.play(m);
        }
        panic!("no mate")
    }

    #[test]
    fn the_aim_never_falls_and_mate_comes() {
        let one = Resources::default();
        for fen in ["8/8/8/5k2/8/8/8/Q3K3 w - - 0 1", "8/8/8/5K2/8/8/8/q3k3 b - - 0 1"] {
            assert!(play(fen, "KQK", one) < 30);
        }
        assert!(play("8/8/8/4k3/8/8/8/R3K3 w - - 0 1", "KRK", one) < 60);
        assert!(play("7k/8/8/8/8/8/Q7/K7 w - - 0 1", "KQK", Resources { threads: 3, ..one }) < 30);
    }

    /// A search for a step in a position where only mate is above the aim: its moves and its evaluations.
    fn mate(fen: &str, limits: &Limits, control: &Control) -> (Option<u8>, u64) {
        let engine = crate::default_engine().unwrap();
        let table = TranspositionTable::new(1).unwrap();
        let game = Game::from_fen(fen, None).unwrap();
        let request = Search::new(&game, &engine, &table, limits).with_control(control);
        let mut search = StepSearch::new(&request, Aim::new(1_000_000));
        let found = search.shortest(&game.position().chess().legal_moves());
        (found.map(|(length, _)| length), search.nodes)
    }

    #[test]
    fn above_all_levels_only_mate_is_a_step() {
        let mate = |fen| mate(fen, &Limits::default(), &Control::default()).0;
        assert_eq!(mate("7k/8/6K1/8/8/8/8/R7 w - - 0 1"), Some(1));
        assert_eq!(mate("8/8/8/8/3R4/3K4/8/k7 w - - 0 1"), Some(2));
        assert_eq!(mate("8/3R4/6R1/8/k7/8/8/K7 w - - 0 1"), Some(3));
        assert_eq!(mate("8/8/r7/1K6/8/8/6k1/2r5 b - - 0 1"), Some(4));
    }

    #[test]
    fn limits_end_the_search_for_a_step() {
        const FEN: &str = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1";
        let control = Control::default();
        for nodes in [0, 3, 40, 4000] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            assert_eq!(mate(FEN, &limits, &control), (None, nodes / 4));
        }
        let limits = Limits { move_time: Some(Duration::ZERO), ..Limits::default() };
        assert!(mate(FEN, &limits, &control).1 < 100);
        // A clock that does not run yet is no limit.
        let control = Control { pondering: true.into(), ..control };
        let limits = Limits { nodes: Some(4000), ..limits };
        assert_eq!(mate(FEN, &limits, &control), (None, 1000));
        let control = Control { stop: true.into(), ..control };
        assert!(mate(FEN, &Limits::default(), &control).1 < 100);
    }
}
