//! What a move costs beyond the time that the engine counts itself.

use shakmaty::Color;
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

/// The way of `go` and `bestmove` between GUI and engine takes long on a busy machine. The clock of the next move shows
/// how long it was.
#[derive(Debug, Default)]
pub struct Lag {
    last: Option<LastMove>,
    /// The longest in the last moves; older ones count less and less.
    longest: Duration,
}

#[derive(Debug)]
struct LastMove {
    turn: Color,
    /// The clock before the move, and what was added after it.
    clock: Duration,
    /// The time that the engine took by its own count, in microseconds.
    taken: Arc<AtomicU64>,
}

impl Lag {
    /// More is not the way to the GUI: the GUI paused, or the user changed the clock.
    const MOST: Duration = Duration::from_secs(1);

    /// Begins a move of a side that has this time on its clock. Returns where the search writes how many microseconds it
    /// took.
    pub fn begin(&mut self, turn: Color, left: Duration, increment: Duration) -> Arc<AtomicU64> {
        if let Some(last) = self.last.take().filter(|last| last.turn == turn) {
            let taken = Duration::from_micros(last.taken.load(Relaxed));
            let lag = last.clock.saturating_sub(taken).saturating_sub(left);
            let is_usual = !taken.is_zero() && lag <= Lag::MOST;
            self.longest = (self.longest * 7 / 8).max(if is_usual { lag } else { Duration::ZERO });
        }
        let taken = Arc::new(AtomicU64::new(0));
        self.last = Some(LastMove { turn, clock: left + increment, taken: Arc::clone(&taken) });
        taken
    }

    /// The longest of the last moves.
    pub fn longest(&self) -> Duration {
        self.longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_shows_how_long_the_way_was() {
        const MS: fn(u64) -> Duration = Duration::from_millis;
        let mut lag = Lag::default();
        let move_of = |lag: &mut Lag, left: u64, taken: u64| {
            lag.begin(Color::White, MS(left), MS(10)).store(taken * 1000, Relaxed);
        };
        move_of(&mut lag, 1000, 40);
        assert_eq!(lag.longest(), MS(0));
        // 1000 + 10 - 40 = 970, and 15 ms are missing.
        move_of(&mut lag, 955, 30);
        assert_eq!(lag.longest(), MS(15));
        // 955 + 10 - 30 = 935: nothing is missing.
        move_of(&mut lag, 935, 30);
        assert_eq!(lag.longest(), MS(15) * 7 / 8);
        // A new time control, and a pause of the GUI.
        move_of(&mut lag, 5000, 30);
        move_of(&mut lag, 2000, 30);
        assert!(lag.longest() < MS(12), "{:?}", lag.longest());
        // The other side's clock says nothing.
        lag.begin(Color::Black, MS(100), MS(0));
        assert!(lag.longest() < MS(12));
    }
}
