//! Time management: the time limits of one move, and how the iterations so far change them.

use crate::search::request::Limits;
use shakmaty::{Color, Move};
use std::time::Duration;
use web_time::Instant;

/// Default time kept for the communication between engine and GUI.
pub const DEFAULT_MOVE_OVERHEAD: Duration = Duration::from_millis(20);

/// The number of moves that the game is assumed to last.
const MOVES_LEFT: u32 = 24;

/// Time kept in reserve when nothing is added to the clock, at most a fifth of it. Even moves that are played at once
/// take some time, and a game may be long.
const RESERVE: Duration = Duration::from_millis(50);

/// A clock below this is low, if something is added to it and no move has been late. A third of what is missing to it is
/// kept in reserve, at most four fifths of the clock: it settles at about 40 ms.
const LOW_CLOCK: Duration = Duration::from_millis(100);

/// For each millisecond that a move has been late, a clock is low this many milliseconds earlier.
const LOW_CLOCK_PER_LATE: u32 = 8;

/// A clock above this is never low. Where moves come late it settles at about 90 ms.
const MAX_LOW_CLOCK: Duration = Duration::from_millis(300);

/// The time limits of one move, measured from the start of the search.
#[derive(Copy, Clone, Debug)]
pub struct Clock {
    start: Instant,
    /// No new iteration starts after about this time. There is none without the clock of a game: a fixed time
    /// for the move is spent to its end.
    pub soft: Option<Duration>,
    /// The search is aborted at this time.
    pub hard: Option<Duration>,
}

impl Clock {
    /// A clock that starts now. `turn` is the side to move; `overhead` is subtracted from its time. `late` is how late
    /// moves of this game have come: the reserve of a low clock grows with it.
    pub fn start(limits: &Limits, turn: Color, overhead: Duration, late: Duration) -> Clock {
        let (soft, hard) = budget(limits, turn, overhead, late);
        Clock { start: Instant::now(), soft, hard }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether `factor` times the soft limit is over, so that no new iteration should start.
    fn is_late(&self, factor: f64) -> bool {
        self.soft.is_some_and(|soft| self.elapsed() >= soft.mul_f64(factor))
    }
}

/// Scales the soft limit by the results of the iterations. A best move that is stable, or that takes nearly
/// all nodes because the others are refuted quickly, needs less time. A new one, or one whose value falls,
/// needs more.
#[derive(Debug)]
pub(crate) struct TimeManager {
    clock: Clock,
    best: Option<Move>,
    /// The number of iterations for which the best move has been the same.
    stability: u32,
    value: i32,
    /// How much the value fell in the last iteration, in centipawns; negative if it rose.
    value_drop: i32,
    /// The share of the last iteration's nodes that the best move took, 0 to 1.
    node_share: f64,
}

impl TimeManager {
    pub(crate) fn new(clock: Clock) -> TimeManager {
        TimeManager { clock, best: None, stability: 0, value: 0, value_drop: 0, node_share: 0.0 }
    }

    /// Records the result of an iteration and the share of its nodes that the best move took, 0 to 1.
    pub(crate) fn update(&mut self, best: Option<Move>, value: i32, node_share: f64) {
        self.stability = if best == self.best { self.stability + 1 } else { 0 };
        self.value_drop = if self.best.is_some() { self.value - value } else { 0 };
        (self.best, self.value, self.node_share) = (best, value, node_share);
    }

    /// Whether it is too late to start another iteration.
    pub(crate) fn is_late(&self) -> bool {
        self.clock.is_late(self.factor())
    }

    /// The factor of the soft limit: from 0.5 to 3.8.
    fn factor(&self) -> f64 {
        let stability = 1.4 - 0.1 * f64::from(self.stability.min(7));
        let falling = 1.0 + f64::from(self.value_drop.clamp(0, 50)) / 100.0;
        let contested = 1.8 - 1.1 * self.node_share;
        stability * falling * contested
    }
}

/// The soft and the hard time limit of one move, each `None` where there is no such limit.
fn budget(
    limits: &Limits,
    turn: Color,
    overhead: Duration,
    late: Duration,
) -> (Option<Duration>, Option<Duration>) {
    // A fixed time asks for a search, so at least half of it is spent.
    let fixed = limits.move_time.map(|time| time - overhead.min(time / 2));
    let from_clock = limits.time.get(turn).map(|left| {
        let increment = *limits.increment.get(turn);
        let reserve = match (increment.is_zero(), limits.moves_to_go) {
            (_, Some(1)) => Duration::ZERO,
            // Nothing is added to the clock before the next move.
            (true, _) => RESERVE.min(left / 5),
            (false, _) => {
                let low = (LOW_CLOCK + late * LOW_CLOCK_PER_LATE).min(MAX_LOW_CLOCK);
                (low.saturating_sub(left) / 3).min(left * 4 / 5)
            }
        };
        let left = left.saturating_sub(overhead + reserve);
        let moves = limits.moves_to_go.unwrap_or(MOVES_LEFT).clamp(1, MOVES_LEFT);
        let share = left / moves + increment * 19 / 20;
        // The last move before the next time control may take nearly the whole clock.
        let max = if moves == 1 { left * 9 / 10 } else { left * 2 / 5 };
        ((share * 9 / 10).min(max), (share * 3).min(max))
    });
    let (soft, max) = from_clock.unzip();
    (soft, [fixed, max].into_iter().flatten().min())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::ByColor;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    /// Clock and increment in ms, and the moves to the next time control.
    type Control = (u64, u64, Option<u32>);

    fn white((time, increment, moves_to_go): Control, late: u64) -> (Duration, Duration) {
        let limits = Limits {
            time: ByColor { white: Some(MS(time)), black: None },
            increment: ByColor { white: MS(increment), black: MS(0) },
            moves_to_go,
            ..Limits::default()
        };
        let (soft, hard) = budget(&limits, Color::White, MS(20), MS(late));
        (soft.unwrap(), hard.unwrap())
    }

    #[test]
    fn without_a_clock_there_is_no_limit() {
        let limits = Limits::default();
        assert_eq!(budget(&limits, Color::White, MS(20), MS(0)), (None, None));
        // Only the opponent's clock is known.
        let limits = Limits { time: ByColor { white: Some(MS(5)), black: None }, ..limits };
        assert_eq!(budget(&limits, Color::Black, MS(20), MS(0)), (None, None));
    }

    #[test]
    fn a_fixed_time_is_spent_but_for_the_overhead() {
        let fixed = |ms| Limits { move_time: Some(MS(ms)), ..Limits::default() };
        let of = |limits: &Limits| budget(limits, Color::White, MS(20), MS(0));
        assert_eq!(of(&fixed(500)), (None, Some(MS(480))));
        // Beside a clock it is an upper limit.
        let time = ByColor { white: Some(MS(60_000)), black: None };
        let (soft, hard) = of(&Limits { time, ..fixed(500) });
        assert_eq!((soft.unwrap().as_millis(), hard), (2247, Some(MS(480))));
        // No result of an iteration makes it shorter.
        let mut manager =
            TimeManager::new(Clock::start(&fixed(3_600_000), Color::White, MS(20), MS(0)));
        for _ in 0..20 {
            manager.update(None, 900, 1.0);
        }
        assert!(!manager.is_late());
    }

    /// Report: with `Move Overhead 1000`, `go movetime 1000` was answered at depth 1.
    #[test]
    fn a_large_overhead_leaves_half_of_a_fixed_time() {
        for (fixed, overhead, hard) in
            [(1000, 1000, 500), (1000, 10_000, 500), (5, 20, 2), (0, 20, 0)]
        {
            let limits = Limits { move_time: Some(MS(fixed)), ..Limits::default() };
            let (soft, read) = budget(&limits, Color::White, MS(overhead), MS(0));
            assert_eq!((soft, read.unwrap().as_millis()), (None, hard), "{fixed} ms");
        }
    }

    /// In milliseconds.
    #[test]
    fn limits_of_a_clock() {
        for (time, increment, moves_to_go, soft, hard) in [
            // 59930 / 24 = 2497.08 ms a move: soft nine tenths of it, hard three times.
            (60_000, 0, None, 2247.375, 7491.25),
            // Ten moves to go: 5993 ms a move.
            (60_000, 0, Some(10), 5393.7, 17_979.0),
            // 100 minus the overhead of 20 and the reserve of 20: 60 / 24 = 2.5 ms a move.
            (100, 0, None, 2.25, 7.5),
            (25, 0, None, 0.0, 0.0),
            // With 30 ms and 10 more a move, the overhead and the reserve leave nothing.
            (30, 10, None, 0.0, 0.0),
            // A clock that is not low has no reserve: 2980 / 24 + 28.5 = 152.67 ms a move.
            (3_000, 30, None, 137.4, 458.0),
        ] {
            let found = white((time, increment, moves_to_go), 0);
            for (found, wanted) in [(found.0, soft), (found.1, hard)] {
                let found = 1000.0 * found.as_secs_f64();
                assert!((found - wanted).abs() < 0.01, "{time}+{increment}: {found}, not {wanted}");
            }
        }
    }

    #[test]
    fn a_low_clock_grows_again() {
        // It keeps more where moves have been 25 ms late.
        for (late, floor) in [(0, 30), (25, 80)] {
            for factor in [USUAL, 1e6] {
                let lowest = clock((1_000, 10, None), factor, late).into_iter().min();
                assert!(lowest > Some(floor), "{lowest:?}");
            }
        }
    }

    /// A stable move takes less time, a falling value more, and a move that takes most nodes less.
    #[test]
    fn the_soft_limit_follows_the_search() {
        let moves = shakmaty::Position::legal_moves(&shakmaty::Chess::default());
        // Updates with a move, its value and its share of the nodes, so many times. Half the nodes make a factor of 1.25.
        for updates in [
            &[
                (0, 30, 0.5, 1, 1.4 * 1.25),
                (0, 30, 0.5, 3, 1.1 * 1.25),
                (1, 5, 0.5, 1, 1.4 * 1.25 * 1.25),
                (1, 900, 0.5, 20, 0.7 * 1.25),
            ][..],
            &[(0, 0, 1.0, 1, 1.4 * 0.7), (0, 0, 0.0, 1, 1.3 * 1.8)],
        ] {
            let limits = Limits::default();
            let mut manager = TimeManager::new(Clock::start(&limits, Color::White, MS(0), MS(0)));
            for &(m, value, share, times, factor) in updates {
                (0..times).for_each(|_| manager.update(Some(moves[m]), value, share));
                assert!((manager.factor() - factor).abs() < 1e-9, "{}", manager.factor());
            }
        }
    }

    /// The part of the soft limit that a move takes on average.
    const USUAL: f64 = 1.05;

    /// What is left of a clock, in ms, after each move of a game in which a move takes `soft` times the factor, at
    /// most the hard limit, and 3 ms more. 0 is a loss on time. The control is repeated after `period` moves.
    fn clock((time, increment, period): Control, factor: f64, late: u64) -> Vec<u64> {
        let mut left = MS(time);
        let mut history = Vec::new();
        for number in 0..200 {
            let to_go = period.map(|period| period - number % period);
            let now = left.as_millis() as u64;
            let (soft, hard) = white((now, increment, to_go), late);
            let taken = soft.mul_f64(factor).min(hard) + MS(3);
            left = left.saturating_sub(taken);
            history.push(left.as_millis() as u64);
            if history.last() == Some(&0) {
                break;
            }
            left += MS(increment);
            if to_go == Some(1) {
                left += MS(time);
            }
        }
        history
    }

    #[test]
    fn no_game_is_lost_on_time() {
        // The moves that a game may last: if moves take the usual time, and if each takes all that it may.
        for (time, increment, period, usual, longest) in [
            (180_000, 2_000, None, 200, 200),
            (3_000, 30, None, 200, 200),
            (1_000, 10, None, 200, 200),
            (100, 5, None, 200, 200),
            (60_000, 0, Some(40), 200, 200),
            (5_000, 50, Some(10), 200, 200),
            (1_000, 0, Some(40), 200, 35),
            (200, 0, Some(1), 200, 200),
            (60_000, 0, None, 150, 60),
            (10_000, 0, None, 120, 50),
            (1_000, 0, None, 70, 40),
        ] {
            for (factor, moves) in [(USUAL, usual), (1e6, longest)] {
                let history = clock((time, increment, period), factor, 0);
                let played = history.iter().take_while(|&&left| left > 0).count();
                assert!(
                    played >= moves,
                    "{time}+{increment} {period:?}: {played} of {moves} moves"
                );
            }
        }
    }

    #[test]
    fn the_clock_is_used() {
        // Three seconds and 30 ms a move: the first moves take about 150 ms, and a tenth of the clock is left.
        let history = clock((3_000, 30, None), USUAL, 0);
        let first = 3_000 - history[0];
        assert!((145..=175).contains(&first), "{first}");
        assert!((200..=350).contains(&history[60]), "{}", history[60]);
        // Sudden death: little is left after sixty moves, and still something after a hundred.
        let history = clock((60_000, 0, None), USUAL, 0);
        assert!((3_000..=8_000).contains(&history[60]), "{}", history[60]);
        assert!(history[100] > 500, "{}", history[100]);
        // Before a time control nearly all is spent.
        let history = clock((60_000, 0, Some(40)), USUAL, 0);
        assert!(history[39] < 6_000, "{}", history[39]);
    }

    proptest! {
        #[test]
        fn limits_never_exceed_the_clock(
            time in 0u64..10_000_000, increment in 0u64..100_000, moves in proptest::option::of(0u32..100),
        ) {
            let (soft, hard) = white((time, increment, moves), 0);
            prop_assert!(soft <= hard);
            prop_assert!(hard <= MS(time.saturating_sub(20)));
        }
    }
}
