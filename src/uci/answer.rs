//! The one best move that every `go` is owed.

use shakmaty::Move;
use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// How long `stop` leaves the answer to the search. Where many threads share few cores, the search
/// may not get its turn for much longer.
const PATIENCE: Duration = Duration::from_millis(4);

/// The answer to a `go`: given once, by the search or, if that takes too long to notice a `stop`, by
/// the thread that heard it.
#[derive(Default, Debug)]
pub(super) struct Answer {
    state: Mutex<State>,
    given: Condvar,
}

#[derive(Default, Debug)]
struct State {
    is_given: bool,
    /// The best line told so far.
    line: Vec<Move>,
}

impl Answer {
    /// Has a report written, unless the answer is given: nothing may come after it. A best line is
    /// remembered.
    pub(super) fn report(&self, best: Option<&[Move]>, write: impl FnOnce()) {
        let mut state = self.state();
        if !state.is_given {
            if let Some(line) = best {
                state.line = line.to_vec();
            }
            write();
        }
    }

    /// Has the answer written, unless it is given.
    pub(super) fn give(&self, write: impl FnOnce()) {
        let mut state = self.state();
        if !state.is_given {
            state.is_given = true;
            write();
            self.given.notify_all();
        }
    }

    /// Waits a little for the search that was told to stop, then has its best move so far and the
    /// reply to it written. A search that has told nothing yet is left alone.
    pub(super) fn hasten(&self, write: impl FnOnce(Move, Option<Move>)) {
        let wait = self.given.wait_timeout_while(self.state(), PATIENCE, |state| !state.is_given);
        let (mut state, _) = wait.unwrap_or_else(PoisonError::into_inner);
        if !state.is_given
            && let Some(&best) = state.line.first()
        {
            state.is_given = true;
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
    fn an_answer_is_given_once_and_nothing_comes_after_it() {
        let moves = Chess::default().legal_moves();
        let answer = Answer::default();
        let mut told = Vec::new();
        answer.hasten(|_, _| panic!("there is nothing to tell"));
        answer.report(Some(&moves[..2]), || told.push("report"));
        answer.report(None, || told.push("another"));
        answer.hasten(|best, ponder| {
            assert_eq!((best, ponder), (moves[0], Some(moves[1])));
            told.push("answer");
        });
        answer.report(Some(&moves[2..3]), || told.push("late"));
        answer.give(|| told.push("too late"));
        answer.hasten(|_, _| told.push("again"));
        assert_eq!(told, ["report", "another", "answer"]);
    }
}
