//! When to stop: what `go` asks for, and how it becomes a clock.

use shakmaty::{ByColor, Color, Move};
use std::time::{Duration, Instant};

/// What a search is asked to respect. All that are set hold together; none set means: until told
/// to stop.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Find a mate in at most so many moves, searching all moves.
    pub mate: Option<u32>,
    /// Search every move to the full depth and use the engine's own evaluation: no pruning, no reductions,
    /// no correction of evaluations. Slow; for proofs.
    pub full_width: bool,
    /// Time left on each side's clock.
    pub time: ByColor<Option<Duration>>,
    /// Time added after each move.
    pub increment: ByColor<Duration>,
    /// Moves until the clock is set anew.
    pub moves_to_go: Option<u32>,
    /// Only these moves at the root, if any are given.
    pub search_moves: Vec<Move>,
    /// How many best lines are wanted; 0 and 1 are the same.
    pub lines: usize,
}

/// Kept back for the way from engine to GUI, in milliseconds, where the user sets nothing else.
pub const DEFAULT_MOVE_OVERHEAD: Duration = Duration::from_millis(20);

/// A guess at how many more moves a game lasts.
const MOVES_LEFT: u32 = 30;

/// Without an increment this much is kept for moves that are made at once, at most a fifth of the
/// clock: even they cost something, and a game may be long.
const RESERVE: Duration = Duration::from_millis(50);

/// Limits of time for one move, counted from the start of the search.
#[derive(Copy, Clone, Debug)]
pub struct Clock {
    start: Instant,
    /// No new iteration is begun after this.
    pub soft: Option<Duration>,
    /// The search is broken off at this.
    pub hard: Option<Duration>,
}

impl Clock {
    /// Starts now, for the side to move. Without a time limit for that side there is none at all.
    pub fn start(limits: &Limits, turn: Color, overhead: Duration) -> Clock {
        let (soft, hard) = budget(limits, turn, overhead).unzip();
        Clock { start: Instant::now(), soft, hard }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search must end at once.
    pub fn is_over(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether it is too late to begin another iteration, `factor` times the soft limit being
    /// thought worth spending.
    pub fn is_late(&self, factor: f64) -> bool {
        self.soft.is_some_and(|soft| self.elapsed() >= soft.mul_f64(factor))
    }
}

/// How the iterations of one search go: a best move that stays, or that took nearly all nodes because the
/// others were soon refuted, asks for less time, one that is new or gets worse for more.
#[derive(Default, Debug)]
pub(super) struct Pace {
    best: Option<Move>,
    /// For how many iterations the best move has been the same.
    steady: u32,
    value: i32,
    /// How much the value fell in the last iteration, in centipawns.
    fall: i32,
    /// The part of the last iteration's nodes that the best move took, 0 to 1.
    share: f64,
}

impl Pace {
    /// Notes the result of an iteration, and the part of its nodes that the best move took.
    pub(super) fn note(&mut self, best: Option<Move>, value: i32, share: f64) {
        self.steady = if best == self.best { self.steady + 1 } else { 0 };
        self.fall = if self.best.is_some() { self.value - value } else { 0 };
        (self.best, self.value, self.share) = (best, value, share);
    }

    /// What part of the usual time this position is worth: from 0.5 to 3.8.
    pub(super) fn factor(&self) -> f64 {
        let steady = 1.4 - 0.1 * f64::from(self.steady.min(7));
        let falling = 1.0 + f64::from(self.fall.clamp(0, 50)) / 100.0;
        let contested = 1.8 - 1.1 * self.share;
        steady * falling * contested
    }
}

/// The soft and the hard limit of time for one move.
fn budget(limits: &Limits, turn: Color, overhead: Duration) -> Option<(Duration, Duration)> {
    let fixed = limits.move_time.map(|time| time.saturating_sub(overhead));
    let from_clock = limits.time.get(turn).map(|left| {
        let increment = *limits.increment.get(turn);
        let is_all = increment.is_zero() && limits.moves_to_go.is_none();
        let reserve = if is_all { RESERVE.min(left / 5) } else { Duration::ZERO };
        let left = left.saturating_sub(overhead + reserve);
        let moves = limits.moves_to_go.unwrap_or(MOVES_LEFT).clamp(1, MOVES_LEFT);
        let share = left / moves + increment * 3 / 4;
        // With moves to go the whole clock may be spent on the last of them.
        let most = if moves == 1 { left * 9 / 10 } else { left * 2 / 5 };
        ((share * 3 / 4).min(most), (share * 3).min(most))
    });
    match (fixed, from_clock) {
        (Some(fixed), Some((soft, hard))) => Some((fixed.min(soft), fixed.min(hard))),
        (Some(fixed), None) => Some((fixed, fixed)),
        (None, from_clock) => from_clock,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn white(time: u64, increment: u64, moves_to_go: Option<u32>) -> (Duration, Duration) {
        let limits = Limits {
            time: ByColor { white: Some(MS(time)), black: None },
            increment: ByColor { white: MS(increment), black: MS(0) },
            moves_to_go,
            ..Limits::default()
        };
        budget(&limits, Color::White, MS(20)).unwrap()
    }

    #[test]
    fn no_clock_no_limit() {
        let limits = Limits::default();
        assert_eq!(budget(&limits, Color::White, MS(20)), None);
        // Only the other side's clock is known.
        let limits = Limits { time: ByColor { white: Some(MS(5)), black: None }, ..limits };
        assert_eq!(budget(&limits, Color::Black, MS(20)), None);
    }

    #[test]
    fn a_fixed_time_is_kept_less_the_overhead() {
        let limits = Limits { move_time: Some(MS(100)), ..Limits::default() };
        assert_eq!(budget(&limits, Color::White, MS(20)), Some((MS(80), MS(80))));
        let limits = Limits { move_time: Some(MS(5)), ..Limits::default() };
        assert_eq!(budget(&limits, Color::White, MS(20)), Some((MS(0), MS(0))));
    }

    #[test]
    fn a_minute_on_the_clock() {
        // 59930 / 30 = 1997.67 ms a move: soft three quarters of it, hard three times.
        let (soft, hard) = white(60_000, 0, None);
        assert_eq!((soft.as_millis(), hard.as_millis()), (1498, 5992));
        // Ten moves to go: 5998 ms a move.
        let (soft, hard) = white(60_000, 0, Some(10));
        assert_eq!((soft.as_millis(), hard.as_millis()), (4498, 17994));
    }

    #[test]
    fn a_tenth_of_a_second_for_the_whole_game() {
        // 100 less the overhead of 20 and a fifth: 60 / 30 = 2 ms a move.
        let (soft, hard) = white(100, 0, None);
        assert_eq!((soft.as_micros(), hard.as_micros()), (1500, 6000));
        assert_eq!(white(25, 0, None), (Duration::ZERO, Duration::ZERO));
    }

    #[test]
    fn a_steady_move_takes_less_time_and_a_falling_one_more() {
        // Half the nodes make a factor of 1.25.
        const HALF: f64 = 0.5;
        let moves = shakmaty::Position::legal_moves(&shakmaty::Chess::default());
        let mut pace = Pace::default();
        pace.note(Some(moves[0]), 30, HALF);
        assert!((pace.factor() - 1.4 * 1.25).abs() < 1e-9);
        for _ in 0..3 {
            pace.note(Some(moves[0]), 30, HALF);
        }
        assert!((pace.factor() - 1.1 * 1.25).abs() < 1e-9);
        pace.note(Some(moves[1]), 5, HALF);
        assert!((pace.factor() - 1.4 * 1.25 * 1.25).abs() < 1e-9);
        for _ in 0..20 {
            pace.note(Some(moves[1]), 900, HALF);
        }
        assert!((pace.factor() - 0.7 * 1.25).abs() < 1e-9);
    }

    #[test]
    fn a_move_without_rivals_takes_less_time() {
        let moves = shakmaty::Position::legal_moves(&shakmaty::Chess::default());
        let mut pace = Pace::default();
        pace.note(Some(moves[0]), 0, 1.0);
        assert!((pace.factor() - 1.4 * 0.7).abs() < 1e-9);
        pace.note(Some(moves[0]), 0, 0.0);
        assert!((pace.factor() - 1.3 * 1.8).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn the_clock_is_never_overdrawn(
            time in 0u64..10_000_000, increment in 0u64..100_000, moves in proptest::option::of(0u32..100),
        ) {
            let (soft, hard) = white(time, increment, moves);
            prop_assert!(soft <= hard);
            prop_assert!(hard <= MS(time.saturating_sub(20)));
        }
    }
}
