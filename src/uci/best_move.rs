//! The one best move that every `go` must be answered with.

use shakmaty::Move;
use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// How long the search may take to answer after `stop`. When many threads share few cores, the
/// search may not get the processor for much longer than this.
const PATIENCE: Duration = Duration::from_millis(4);

/// The answer to a `go`. It is sent once: by the search or, if the search takes too long to react to
/// `stop`, by the thread that reads the input.
#[derive(Default, Debug)]
pub struct PendingBestMove {
    state: Mutex<State>,
    sent: Condvar,
}

#[derive(Default, Debug)]
struct State {
    is_sent: bool,
    /// The best line reported so far.
    line: Vec<Move>,
}

impl PendingBestMove {
    /// Calls `write` to write a report, unless the best move is sent: nothing may follow it. Keeps
    /// the line if the report has a new best one.
    pub fn report(&self, best_line: Option<&[Move]>, write: impl FnOnce()) {
        let mut state = self.state();
        if !state.is_sent {
            if let Some(line) = best_line {
                state.line = line.to_vec();
            }
            write();
        }
    }

    /// Calls `write` to write the best move, unless it is sent already.
    pub fn send(&self, write: impl FnOnce()) {
        let mut state = self.state();
        if !state.is_sent {
            state.is_sent = true;
            write();
            self.sent.notify_all();
        }
    }

    /// Gives a stopped search a short time to answer. After that, calls `write` with the best move
    /// reported so far and the expected reply, if there is such a report.
    pub fn send_when_overdue(&self, write: impl FnOnce(Move, Option<Move>)) {
        let wait = self.sent.wait_timeout_while(self.state(), PATIENCE, |state| !state.is_sent);
        let (mut state, _) = wait.unwrap_or_else(PoisonError::into_inner);
        if !state.is_sent
            && let Some(&best) = state.line.first()
        {
            state.is_sent = true;
            write(best, state.line.get(1).copied());
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    #[test]
    fn the_best_move_is_sent_once_and_nothing_follows_it() {
        let moves = Chess::default().legal_moves();
        let pending = PendingBestMove::default();
        let mut written = Vec::new();
        pending.send_when_overdue(|_, _| panic!("no move is reported yet"));
        pending.report(Some(&moves[..2]), || written.push("report"));
        pending.report(None, || written.push("another report"));
        pending.send_when_overdue(|best, ponder| {
            assert_eq!((best, ponder), (moves[0], Some(moves[1])));
            written.push("best move");
        });
        pending.report(Some(&moves[2..3]), || written.push("late report"));
        pending.send(|| written.push("second best move"));
        pending.send_when_overdue(|_, _| written.push("third best move"));
        assert_eq!(written, ["report", "another report", "best move"]);
    }
}
