//! The highest level above the [aim](super::aim) of a game that can be forced, by full search over whole moves.

use super::aim::{Aim, Levels, is_mate, strong_side_value};
use super::key_hash::KeyMap;
use super::movegen::MoveGenerator;
use super::position::Position;
use super::request::Search;
use shakmaty::Move;
use std::{sync::atomic::Ordering::Relaxed, time::Duration};

/// The most evaluations of a search that is limited by depth only. A step of few moves takes some thousands.
const MAX_NODES: u64 = 50_000;

/// The share of nodes and time that the search for a plan may use, as a divisor. Far from mate few plans are found in
/// time, and the nodes are better used by the search that plays then. With 16 instead of 4, bishop and knight mate a
/// quarter of a move faster at 10,000 nodes a move.
pub(crate) const SHARE_OF_PLANS: u32 = 16;

/// The same after a long wait for a higher level: the line that ends it must be found.
pub(crate) const SHARE_AFTER_PATIENCE: u32 = 4;

/// The number of visited positions between two checks of clock and stop flag.
const VISITS_BETWEEN_CHECKS: u64 = 64;

/// What is known of a position with the strong side to move.
#[derive(Copy, Clone)]
struct Known {
    /// Within this many moves no level above this target can be forced.
    refuted: (u8, Aim),
    /// Within this many moves a level above this target can be forced.
    proved: Option<(u8, Aim)>,
}

/// The search was stopped.
struct Stopped;

/// What a search for a step has found.
pub(crate) struct Step {
    /// The most moves until the level is reached.
    pub(crate) length: u8,
    /// The moves that begin such a line.
    pub(crate) first: Vec<Move>,
}

/// The search for a step of one game.
pub(crate) struct StepSearch<'a> {
    request: &'a Search<'a>,
    /// What the lines are to reach more than: the aim of the game at first, then higher and higher levels.
    target: Aim,
    /// The most moves of a line.
    max_moves: u8,
    max_nodes: u64,
    max_time: Option<Duration>,
    /// Evaluations so far.
    pub(super) nodes: u64,
    visits: u64,
    levels: Levels,
    /// Values of positions with the bare king to move, by key.
    values: KeyMap<u64, i32>,
    /// The smallest and the largest of them.
    smallest: i32,
    largest: i32,
    /// By key of positions with the strong side to move.
    steps: KeyMap<u64, Known>,
}

impl<'a> StepSearch<'a> {
    /// A search for steps of at most `max_moves` above the aim. `share` divides the nodes and the time of the move.
    pub(crate) fn new(
        request: &'a Search<'a>,
        aim: Aim,
        max_moves: u8,
        share: u32,
    ) -> StepSearch<'a> {
        let max_nodes = request.limits.nodes.map(|nodes| nodes / u64::from(share));
        let most = if request.limits.depth.is_some() { MAX_NODES } else { u64::MAX };
        let clock = request.clock;
        StepSearch {
            request,
            target: aim,
            max_moves,
            max_nodes: max_nodes.unwrap_or(most),
            max_time: [clock.soft, clock.hard].into_iter().flatten().min().map(|time| time / share),
            nodes: 0,
            visits: 0,
            levels: Levels::default(),
            values: KeyMap::default(),
            smallest: i32::MAX,
            largest: i32::MIN,
            steps: KeyMap::default(),
        }
    }

    /// The shortest line above the aim that begins with one of these moves. `None` if there is none, or a limit is
    /// reached before it is found.
    pub(crate) fn shortest(&mut self, moves: &[Move]) -> Option<Step> {
        for length in 1..=self.max_moves {
            // If a limit is reached, these are not all moves of such a line, but no line is shorter.
            let (first, is_stopped) = self.reached(moves, length);
            if !first.is_empty() {
                return Some(Step { length, first });
            }
            if is_stopped {
                break;
            }
        }
        None
    }

    /// The shortest line to the highest level that can be forced, and of its moves those that force the highest value.
    /// `None` if no level above the aim can be forced, or a limit is reached before all is known.
    pub(crate) fn plan(&mut self, moves: &[Move]) -> Option<Step> {
        let mut best = None;
        let mut surpassed = self.target;
        let mut length = 1;
        while length <= self.max_moves {
            let (first, is_stopped) = self.reached(moves, length);
            if is_stopped {
                return None;
            }
            if first.is_empty() {
                length += 1;
                continue;
            }
            let step = Step { length, first };
            if !self.target.is_below(self.largest) {
                // More than any value: mate.
                return Some(step);
            }
            best = Some(step);
            surpassed = self.target;
            self.target = Aim::new(self.target.least_above().max(self.smallest));
        }
        self.highest(best?, surpassed)
    }

    /// The moves of a step that force the highest value. `None` if a limit is reached before it is known.
    fn highest(&mut self, mut step: Step, surpassed: Aim) -> Option<Step> {
        let mut low = surpassed.least_above();
        let mut high = self.target.least_above();
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            self.target = Aim::below(middle);
            let (first, is_stopped) = self.reached(&step.first, step.length);
            if is_stopped {
                return None;
            }
            match first.is_empty() {
                true => high = middle,
                false => (low, step.first) = (middle, first),
            }
        }
        Some(step)
    }

    /// Which of these moves force more than the target within so many moves, and whether a limit was reached before all
    /// were tried.
    fn reached(&mut self, moves: &[Move], length: u8) -> (Vec<Move>, bool) {
        let root = self.request.game.position();
        let mut first = Vec::new();
        for &m in moves {
            match self.is_reached(&root.play(m), length) {
                Ok(true) => first.push(m),
                Ok(false) => (),
                Err(Stopped) => return (first, true),
            }
        }
        (first, false)
    }

    /// Whether the move that led here begins a step of at most this many moves.
    fn is_reached(&mut self, after: &Position, within: u8) -> Result<bool, Stopped> {
        if is_mate(after) {
            return Ok(true);
        }
        let is_higher = self.target.is_below(self.value(after)?);
        if !is_higher && within == 1 || !self.levels.counts(after) {
            return Ok(false);
        }
        if is_higher {
            return Ok(true);
        }
        for reply in MoveGenerator::new(after).all() {
            if !self.exists(&after.play(reply), within - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a step of at most this many moves exists.
    fn exists(&mut self, position: &Position, within: u8) -> Result<bool, Stopped> {
        let key = position.key();
        let known = self.steps.get(&key).copied();
        let proved = known.and_then(|known| known.proved);
        let is_proved = |&(moves, target): &(u8, Aim)| moves <= within && target >= self.target;
        if proved.is_some_and(|proved| is_proved(&proved)) {
            return Ok(true);
        }
        let refuted = known.map(|known| known.refuted).filter(|(_, target)| *target <= self.target);
        let refuted = refuted.map_or(0, |(moves, _)| moves);
        if refuted >= within {
            return Ok(false);
        }
        self.check_limits()?;
        let moves = MoveGenerator::new(position).all();
        let mut children: Vec<Position> = moves.into_iter().map(|m| position.play(m)).collect();
        if known.is_some() {
            // Their values are known. A high value promises a higher one.
            children.sort_by_key(|child| std::cmp::Reverse(self.values.get(&child.key()).copied()));
        }
        for moves in refuted + 1..=within {
            for child in &children {
                if self.is_reached(child, moves)? {
                    let proved = Some((moves, self.target));
                    self.steps.insert(key, Known { refuted: (moves - 1, self.target), proved });
                    return Ok(true);
                }
            }
        }
        self.steps.insert(key, Known { refuted: (within, self.target), proved });
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
        self.smallest = self.smallest.min(value);
        self.largest = self.largest.max(value);
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
            Control, Game, Limits, Resources, TranspositionTable,
            aim::{History, MAX_MOVES, tests::engine},
            search,
        },
    };
    use shakmaty::Position as _;

    /// Plays a game against the longest defence at depth 3. Returns its moves, half of them the defender's.
    fn play(fen: &str, ending: &str, resources: Resources) -> usize {
        let engine = engine();
        let mut endgames = Endgames::default();
        endgames.build(ending.parse().unwrap());
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
                let now = History::of_game(&game, &engine).aim;
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
        let mut search =
            StepSearch::new(&request, Aim::new(1_000_000), MAX_MOVES, SHARE_AFTER_PATIENCE);
        let found = search.shortest(&game.position().chess().legal_moves());
        (found.map(|step| step.length), search.nodes)
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
