//! The one best move that every `go` must be answered with.

use super::output::lock;
use shakmaty::Move;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How long the search may take to answer after `stop`. When many threads share few cores, the
/// search may not get the processor for much longer than this.
const PATIENCE: Duration = Duration::from_millis(4);

/// The answer to a `go`. It is sent once: by the search or, if the search takes too long to react to
/// `stop`, by the thread that reads the input.
#[derive(Default, Debug)]
pub struct PendingBestMove {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default, Debug)]
struct State {
    is_sent: bool,
    /// Whether more lines of a report follow at once.
    is_open: bool,
    /// The best line reported so far.
    line: Vec<Move>,
}

impl PendingBestMove {
    /// Calls `write` to write a report, unless the best move is sent: nothing may follow it. Keeps
    /// the line if the report has a new best one. Until a line is the last of its report, only a search that has ended
    /// sends the best move.
    pub fn report(&self, best_line: Option<&[Move]>, is_last: bool, write: impl FnOnce()) {
        let mut state = lock(&self.state);
        if !state.is_sent {
            if let Some(line) = best_line {
                state.line = line.to_vec();
            }
            state.is_open = !is_last;
            write();
            self.changed.notify_all();
        }
    }

    /// Calls `write` to write the best move, unless it is sent already.
    pub fn send(&self, write: impl FnOnce()) {
        let mut state = lock(&self.state);
        if !state.is_sent {
            state.is_sent = true;
            write();
            self.changed.notify_all();
        }
    }

    /// Gives a stopped search a short time to answer. After that, calls `write` with the best move
    /// reported so far and the expected reply, if there is such a report.
    pub fn send_when_overdue(&self, write: impl FnOnce(Move, Option<Move>)) {
        let wait = self.changed.wait_timeout_while(lock(&self.state), PATIENCE, |it| !it.is_sent);
        let (state, _) = wait.unwrap_or_else(PoisonError::into_inner);
        let whole = self.changed.wait_while(state, |state| state.is_open && !state.is_sent);
        let mut state = whole.unwrap_or_else(PoisonError::into_inner);
        if !state.is_sent
            && let Some(&best) = state.line.first()
        {
            state.is_sent = true;
            write(best, state.line.get(1).copied());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};
    use std::thread;

    #[test]
    fn the_best_move_is_sent_once_and_nothing_follows_it() {
        let moves = Chess::default().legal_moves();
        let pending = PendingBestMove::default();
        let mut written = Vec::new();
        pending.send_when_overdue(|_, _| panic!("no move is reported yet"));
        pending.report(Some(&moves[..2]), true, || written.push("report"));
        pending.report(None, true, || written.push("another report"));
        pending.send_when_overdue(|best, ponder| {
            assert_eq!((best, ponder), (moves[0], Some(moves[1])));
            written.push("best move");
        });
        pending.report(Some(&moves[2..3]), true, || written.push("late report"));
        pending.send(|| written.push("second best move"));
        pending.send_when_overdue(|_, _| written.push("third best move"));
        assert_eq!(written, ["report", "another report", "best move"]);
    }

    /// Report: `stop` tore the lines of one iteration apart, so that some kept an older depth.
    #[test]
    fn a_report_that_has_begun_is_finished_before_the_best_move() {
        let moves = Chess::default().legal_moves();
        let (pending, written) = (PendingBestMove::default(), Mutex::new(Vec::new()));
        let write = |text| written.lock().unwrap().push(text);
        pending.report(Some(&moves[..1]), false, || write("line 1"));
        thread::scope(|scope| {
            let stopped = scope.spawn(|| pending.send_when_overdue(|_, _| write("best move")));
            let is_early = |state: &mut State| !state.is_sent;
            let early =
                pending.changed.wait_timeout_while(lock(&pending.state), 3 * PATIENCE, is_early);
            assert!(early.unwrap().1.timed_out());
            pending.report(None, true, || write("line 2"));
            stopped.join().unwrap();
        });
        assert_eq!(*written.lock().unwrap(), ["line 1", "line 2", "best move"]);
    }
}
