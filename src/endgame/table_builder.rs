//! Making tables in the background.

use super::Endgames;
use shakmaty::Board;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::{thread, time::Duration};

/// How often a thread that waits for tables looks whether it still has to.
const STEP: Duration = Duration::from_millis(2);

/// Makes the tables of the latest board on a thread of its own. The tables are those of [`Endgames::of`].
///
/// ```
/// use shakmaty::Position;
/// use tropism::{endgame::{Dtm, TableBuilder}, search::Game};
/// let builder = TableBuilder::new()?;
/// let game = Game::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1", None)?;
/// let position = game.position().chess();
/// builder.request(position.board());
/// let endgames = builder.wait_for(position.board(), || false);
/// assert_eq!(endgames.probe(position), Some(Dtm::Win(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TableBuilder {
    shared: Arc<Shared>,
}

/// What the builder and its thread share.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The latest board, until its tables are finished.
    board: Option<Board>,
    closed: bool,
}

impl TableBuilder {
    /// A builder that makes nothing yet.
    ///
    /// # Errors
    ///
    /// If no thread can be started.
    pub fn new() -> std::io::Result<TableBuilder> {
        let shared = Arc::new(Shared::default());
        let for_thread = Arc::clone(&shared);
        let thread = thread::Builder::new().name("table builder".to_owned());
        thread.spawn(move || for_thread.build_all())?;
        Ok(TableBuilder { shared })
    }

    /// Starts to make the tables of a board, instead of those of any board before it.
    pub fn request(&self, board: &Board) {
        self.shared.state().board = Some(board.clone());
        self.shared.changed.notify_all();
    }

    /// The tables of a board that was requested, as soon as they are finished; or those that are finished when
    /// `is_over` says that there is no more time.
    pub fn wait_for(&self, board: &Board, is_over: impl Fn() -> bool) -> Endgames {
        loop {
            // Asked before the tables, because it is no longer so as soon as they are finished.
            let is_requested = self.shared.state().board.as_ref() == Some(board);
            let (endgames, is_complete) = Endgames::finished_of(board);
            if is_complete || !is_requested || is_over() {
                return endgames;
            }
            drop(self.shared.changed.wait_timeout(self.shared.state(), STEP));
        }
    }
}

impl Drop for TableBuilder {
    fn drop(&mut self) {
        self.shared.state().closed = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes tables until the builder is dropped.
    fn build_all(&self) {
        while let Some(board) = self.next() {
            let is_wanted = || {
                let state = self.state();
                !state.closed && state.board.as_ref() == Some(&board)
            };
            Endgames::of_while(&board, is_wanted);
            let mut state = self.state();
            if state.board.as_ref() == Some(&board) {
                state.board = None;
            }
            self.changed.notify_all();
        }
    }

    /// Waits for a board; none when the builder is dropped.
    fn next(&self) -> Option<Board> {
        let idle = |state: &mut State| state.board.is_none() && !state.closed;
        let state = self.changed.wait_while(self.state(), idle);
        let state = state.unwrap_or_else(PoisonError::into_inner);
        state.board.clone().filter(|_| !state.closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn only_the_latest_board_counts() {
        let board = |fen: &str| Board::from_ascii_board_fen(fen.as_bytes()).unwrap();
        let builder = TableBuilder::new().unwrap();
        let [queen, rook] = [board("8/8/8/8/8/k7/8/K5QR"), board("8/8/8/8/8/k7/8/K6R")];
        builder.request(&queen);
        builder.request(&rook);
        let is_there =
            |endgames: &Endgames, name: &str| endgames.table(&name.parse().unwrap()).is_some();
        assert!(is_there(&builder.wait_for(&rook, || false), "KRK"));
        // Nobody makes the tables of the other board, so nobody waits for them.
        builder.wait_for(&queen, || panic!("waits for tables that nobody makes"));
        // It waits as long as there is time, and no longer.
        let pawns = board("8/8/8/8/8/k7/PP6/K7");
        builder.request(&pawns);
        let asked = Cell::new(0);
        let endgames = builder.wait_for(&pawns, || asked.replace(asked.get() + 1) == 2);
        assert!(asked.get() == 3 || is_there(&endgames, "KPPK"), "asked {} times", asked.get());
    }
}
