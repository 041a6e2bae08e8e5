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
    /// Time left on each side's clock.
    pub time: ByColor<Option<Duration>>,
    /// Time added after each move.
    pub increment: ByColor<Duration>,
    /// Moves until the clock is set anew.
    pub moves_to_go: Option<u32>,
    /// Only these moves at the root, if any are given.
    pub search_moves: Vec<Move>,
}

/// Kept back for the way from engine to GUI, in milliseconds, where the user sets nothing else.
pub const DEFAULT_MOVE_OVERHEAD: Duration = Duration::from_millis(20);

/// A guess at how many more moves a game lasts.
const MOVES_LEFT: u32 = 30;

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

    /// Whether it is too late to begin another iteration.
    pub fn is_late(&self) -> bool {
        self.soft.is_some_and(|soft| self.elapsed() >= soft)
    }
}

/// The soft and the hard limit of time for one move.
fn budget(limits: &Limits, turn: Color, overhead: Duration) -> Option<(Duration, Duration)> {
    let fixed = limits.move_time.map(|time| time.saturating_sub(overhead));
    let from_clock = limits.time.get(turn).map(|left| {
        let left = left.saturating_sub(overhead);
        let increment = *limits.increment.get(turn);
        let moves = limits.moves_to_go.unwrap_or(MOVES_LEFT).clamp(1, MOVES_LEFT);
        let share = left / moves + increment * 3 / 4;
        // With moves to go the whole clock may be spent on the last of them.
        let most = if moves == 1 { left * 9 / 10 } else { left * 2 / 5 };
        ((share * 3 / 5).min(most), (share * 3).min(most))
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
        // 59980 / 30 = 1999.33 ms a move: soft three fifths of it, hard three times.
        let (soft, hard) = white(60_000, 0, None);
        assert_eq!((soft.as_millis(), hard.as_millis()), (1199, 5997));
        // Ten moves to go: 5998 ms a move.
        let (soft, hard) = white(60_000, 0, Some(10));
        assert_eq!((soft.as_millis(), hard.as_millis()), (3598, 17994));
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
