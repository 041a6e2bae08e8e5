//! What a move costs beyond the time that the engine counts itself.

use crate::search::{Game, Limits};
use shakmaty::Position;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The way of `go` and `bestmove` between GUI and engine takes long on a busy machine. The clock of the next move shows
/// how long it was.
#[derive(Debug, Default)]
pub struct Lag {
    last: Option<LastMove>,
    /// The longest in the last moves; older ones count less and less.
    longest: Duration,
    /// The longest by which a move was late, in the way or because the search ended late. It is forgotten more slowly.
    late: Duration,
}

/// A search with a clock that may become a move of the game.
#[derive(Debug)]
struct LastMove {
    /// The keys of the game's positions up to the search.
    keys: Vec<u64>,
    /// The clock before the move.
    left: Duration,
    /// What was added to the clock after the move.
    increment: Duration,
    completed: Arc<OnceLock<CompletedMove>>,
}

/// A search that ended by itself, with a move.
#[derive(Debug)]
pub struct CompletedMove {
    /// The time that the engine took by its own count.
    pub taken: Duration,
    /// How much of it was beyond the hard limit.
    pub late: Duration,
    /// The key of the position after the move.
    pub key: u64,
}

impl Lag {
    /// A connection around the world takes less. More time is lost where the GUI paused or the user changed the clock.
    const MAX: Duration = Duration::from_millis(500);

    /// Learns from the last move, if the game went on with it, and begins the next one of a game with a clock. Returns
    /// where the search writes that it has completed the move. A search that is stopped writes nothing: its time
    /// depends on the user.
    pub fn begin(&mut self, game: &Game, limits: &Limits) -> Option<Arc<OnceLock<CompletedMove>>> {
        let turn = game.position().chess().turn();
        let left = (*limits.time.get(turn))?;
        let keys = game.keys();
        let last = self.last.take();
        if let Some((lag, late)) = last.and_then(|last| last.lag(&keys, left)) {
            let lag = if lag <= Lag::MAX { lag } else { Duration::ZERO };
            self.longest = lag.max(self.longest * 7 / 8);
            self.late = (lag + late).max(self.late * 31 / 32);
        }
        let completed = Arc::new(OnceLock::new());
        let increment = *limits.increment.get(turn);
        self.last = Some(LastMove { keys, left, increment, completed: Arc::clone(&completed) });
        Some(completed)
    }

    /// How late a move of this game may come.
    pub fn late(&self) -> Duration {
        self.late
    }

    /// Takes off the clock what a move costs beyond the overhead. A fixed time stays: no later move depends on it.
    pub fn shorten(&self, game: &Game, limits: &mut Limits, overhead: Duration) {
        let turn = game.position().chess().turn();
        if let Some(left) = limits.time.get_mut(turn) {
            *left = left.saturating_sub(self.longest.saturating_sub(overhead));
        }
    }
}

impl LastMove {
    /// The time that the clock lost and the engine did not count, and how late the search ended. `None` if the game did
    /// not go on with this move and one reply, or if the clock is too coarse to tell.
    fn lag(&self, keys: &[u64], left: Duration) -> Option<(Duration, Duration)> {
        /// Some GUIs count whole or tenths of seconds.
        const COARSE: u128 = 100;
        let completed = self.completed.get()?;
        let [before @ .., after_move, _] = keys else { return None };
        let is_next_move = before == self.keys && *after_move == completed.key;
        let is_coarse = [self.left, left].iter().all(|it| it.as_millis().is_multiple_of(COARSE));
        let expected = (self.left + self.increment).saturating_sub(completed.taken);
        (is_next_move && !is_coarse).then(|| (expected.saturating_sub(left), completed.late))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{ByColor, Chess};

    const MS: fn(u64) -> Duration = Duration::from_millis;

    /// The hard limit of the moves, in ms.
    const HARD: u64 = 200;

    /// Begins a move with this time on the clock and 10 ms a move.
    fn begin(lag: &mut Lag, game: &Game, left: u64) -> Arc<OnceLock<CompletedMove>> {
        let limits = Limits {
            time: ByColor { white: Some(MS(left)), black: None },
            increment: ByColor { white: MS(10), black: MS(0) },
            ..Limits::default()
        };
        lag.begin(game, &limits).unwrap()
    }

    fn play_any(game: &mut Game) {
        let moves = game.position().chess().legal_moves();
        game.play(moves[0]);
    }

    /// A move of White that the engine completes in this time, and a reply.
    fn complete(lag: &mut Lag, game: &mut Game, left: u64, taken: u64) {
        let completed = begin(lag, game, left);
        play_any(game);
        let (taken, late) = (MS(taken), MS(taken.saturating_sub(HARD)));
        completed.set(CompletedMove { taken, late, key: game.position().key() }).unwrap();
        play_any(game);
    }

    #[test]
    fn the_clock_shows_how_long_the_way_was() {
        let (mut lag, mut game) = (Lag::default(), Game::new(Chess::default()));
        complete(&mut lag, &mut game, 1000, 40);
        assert_eq!(lag.longest, MS(0));
        // 1000 + 10 - 40 = 970, and 15 ms are missing.
        complete(&mut lag, &mut game, 955, 30);
        assert_eq!((lag.longest, lag.late), (MS(15), MS(15)));
        // 955 + 10 - 30 = 935: nothing is missing. The next search ends 20 ms late.
        complete(&mut lag, &mut game, 935, HARD + 20);
        assert_eq!(lag.longest, MS(15) * 7 / 8);
        complete(&mut lag, &mut game, 725, 30);
        assert_eq!((lag.longest, lag.late), (MS(15) * 7 / 8 * 7 / 8, MS(20)));
        // A new time control, and a pause of the GUI.
        complete(&mut lag, &mut game, 5001, 30);
        complete(&mut lag, &mut game, 2001, 30);
        assert!(lag.longest < MS(12), "{:?}", lag.longest);
        // Without a clock there is nothing to learn.
        assert!(lag.begin(&game, &Limits::default()).is_none());
    }

    /// Report: two searches that were stopped taught 900 ms, and later ones ended at depth 1.
    #[test]
    fn only_completed_moves_of_the_game_teach() {
        let start = Game::new(Chess::default());
        let (mut lag, mut game) = (Lag::default(), start.clone());
        // A search that is stopped, though its move is played.
        begin(&mut lag, &game, 60_001);
        play_any(&mut game);
        play_any(&mut game);
        begin(&mut lag, &game, 59_801);
        assert_eq!(lag.longest, MS(0));
        // The same position again, as in an analysis; another game; another move than the engine's.
        let mut other_move = game.clone();
        other_move.play(other_move.position().chess().legal_moves()[1]);
        play_any(&mut other_move);
        for next in [game.clone(), start.clone(), other_move] {
            complete(&mut lag, &mut game.clone(), 59_801, 20);
            begin(&mut lag, &next, 59_601);
            assert_eq!(lag.longest, MS(0), "{:?}", next.position().chess());
        }
        // A clock in whole seconds loses up to one without any lag.
        complete(&mut lag, &mut game, 60_000, 600);
        begin(&mut lag, &game, 59_000);
        assert_eq!(lag.longest, MS(0));
    }

    /// Report: `go movetime 500` was answered at depth 1 in 0 ms after a game over a slow network.
    #[test]
    fn lag_is_bounded_and_shortens_clocks_only() {
        let (mut lag, mut game) = (Lag::default(), Game::new(Chess::default()));
        complete(&mut lag, &mut game, 10_001, 10);
        // 10001 + 10 - 10 = 10001, and 501 ms are missing.
        complete(&mut lag, &mut game, 9_500, 10);
        assert_eq!(lag.longest, MS(0));
        complete(&mut lag, &mut game, 9_001, 10);
        // 9500 - 9001 = 499.
        assert_eq!(lag.longest, MS(499));
        let time = ByColor { white: Some(MS(2000)), black: Some(MS(3000)) };
        let mut limits = Limits { time, move_time: Some(MS(500)), ..Limits::default() };
        lag.shorten(&game, &mut limits, MS(99));
        assert_eq!(limits.time, ByColor { white: Some(MS(1600)), black: Some(MS(3000)) });
        assert_eq!(limits.move_time, Some(MS(500)));
        lag.shorten(&game, &mut limits, MS(600));
        assert_eq!(limits.time.white, Some(MS(1600)));
    }
}
