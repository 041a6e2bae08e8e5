//! Building tables in the background.

use super::{Endgames, Material};
use rayon::ThreadPoolBuilder;
use shakmaty::{Board, Role};
use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// Builds the tables that a board needs on its own threads, and gives access to the finished ones.
///
/// No method waits for a table. Building stops when the latest board no longer needs the table, or
/// when the builder is dropped.
///
/// ```
/// use shakmaty::Position;
/// use std::thread;
/// use tropism::{endgame::{Dtm, TableBuilder}, search::Game};
/// let builder = TableBuilder::new()?;
/// let game = Game::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1", None)?;
/// builder.request(game.position().chess().board());
/// let value = loop {
///     match builder.endgames().probe(game.position().chess()) {
///         Some(value) => break value,
///         None => thread::yield_now(),
///     }
/// };
/// assert_eq!(value, Dtm::Win(3));
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
    endgames: Endgames,
    /// The missing tables that the latest board needs, in the order in which they must be made.
    queue: Vec<Material>,
    closed: bool,
}

impl TableBuilder {
    /// A builder without tables.
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

    /// Requests the table of a board's ending without pawns: tables with pawns take too long to build
    /// during a game. If the board has one piece too many, or a single pawn, it requests the tables of
    /// the endings that one capture leads to. Any other board requests nothing.
    pub fn request(&self, board: &Board) {
        let mut state = self.shared.state();
        let mut queue = Vec::new();
        for material in needed_for(board) {
            state.endgames.add_missing(material, &mut queue);
        }
        if queue != state.queue {
            state.queue = queue;
            self.shared.changed.notify_one();
        }
    }

    /// The tables that are finished.
    pub fn endgames(&self) -> Endgames {
        self.shared.state().endgames.clone()
    }
}

impl Drop for TableBuilder {
    fn drop(&mut self) {
        self.shared.state().closed = true;
        self.shared.changed.notify_one();
    }
}

impl Shared {
    /// A thread that panics leaves the state intact, because only finished tables are added to it.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Builds the requested tables until the builder is dropped.
    fn build_all(&self) {
        // One core is left to the search.
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.saturating_sub(1).max(1);
        let Ok(pool) = ThreadPoolBuilder::new().num_threads(threads).build() else {
            return log::warn!(
                "no threads to build endgame tables: the search plays these endings without them"
            );
        };
        while let Some((material, mut endgames)) = self.next() {
            pool.install(|| endgames.build_one(material));
            let mut state = self.state();
            state.endgames = endgames;
            state.queue.retain(|&queued| queued != material);
        }
    }

    /// Waits for the next requested table; none when the builder is dropped.
    fn next(&self) -> Option<(Material, Endgames)> {
        let idle = |state: &mut State| state.queue.is_empty() && !state.closed;
        let state = self.changed.wait_while(self.state(), idle);
        let state = state.unwrap_or_else(PoisonError::into_inner);
        let material = *state.queue.first().filter(|_| !state.closed)?;
        Some((material, state.endgames.clone()))
    }
}

/// The endings whose tables a board needs.
fn needed_for(board: &Board) -> Vec<Material> {
    let without_pawns = |board: &Board| Material::on(board).ok().filter(|it| !it.has_pawns());
    if let Some(material) = without_pawns(board) {
        return vec![material];
    }
    let mut materials = Vec::new();
    for square in board.occupied() & !board.by_role(Role::King) {
        let mut left = board.clone();
        left.discard_piece_at(square);
        if let Some(material) = without_pawns(&left)
            && !materials.contains(&material)
        {
            materials.push(material);
        }
    }
    materials
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(board: &str) -> Vec<String> {
        let board = Board::from_ascii_board_fen(board.as_bytes()).unwrap();
        needed_for(&board).iter().map(Material::to_string).collect()
    }

    #[test]
    fn the_tables_that_a_board_needs() {
        assert_eq!(names("8/8/8/8/8/k7/8/K5BN"), ["KBNK"]);
        assert_eq!(names("8/8/8/8/7r/k7/8/K5BN"), ["KRKN", "KRKB", "KBNK"]);
        // Two equal rooks lead to one ending. A single pawn counts only as a piece to be captured.
        assert_eq!(names("8/8/8/7r/7r/k7/8/K6N"), ["KRRK", "KRKN"]);
        assert_eq!(names("8/8/8/8/7p/k7/8/K5BN"), ["KBNK"]);
        assert_eq!(names("8/8/8/8/6pp/k7/8/K5BN"), Vec::<String>::new());
        assert_eq!(names("8/8/8/8/6qr/k7/8/K4QBN"), Vec::<String>::new());
    }

    #[test]
    fn only_the_latest_board_counts() {
        let board = |fen: &str| Board::from_ascii_board_fen(fen.as_bytes()).unwrap();
        let builder = TableBuilder::new().unwrap();
        builder.request(&board("8/8/8/8/8/k7/8/K5QR"));
        builder.request(&board("8/8/8/8/8/k7/8/K6R"));
        let rook: Material = "KRK".parse().unwrap();
        while builder.endgames().table(&rook).is_none() {
            thread::yield_now();
        }
        assert!(builder.shared.state().queue.is_empty());
        assert!(builder.endgames().table(&"KQRK".parse().unwrap()).is_none());
    }
}
