//! Tables that are made in the background.

use super::{Endgames, Material};
use rayon::ThreadPoolBuilder;
use shakmaty::{Board, Role};
use std::{
    ops::ControlFlow,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// Makes the tables that a board calls for, on threads of its own, and gives out those that are
/// there.
///
/// Nobody ever waits for it. A table that the latest board does not call for is given up, and so is
/// all work when the library is dropped.
///
/// ```
/// use shakmaty::Position;
/// use std::thread;
/// use tropism::{endgame::{Dtm, TableBuilder}, search::Game};
/// let library = TableBuilder::new()?;
/// let game = Game::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1", None)?;
/// library.want(game.position().chess().board());
/// let value = loop {
///     match library.endgames().probe(game.position().chess()) {
///         Some(value) => break value,
///         None => thread::yield_now(),
///     }
/// };
/// assert_eq!(value, Dtm::Win(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TableBuilder {
    desk: Arc<Queue>,
}

/// Where wishes are left and tables are laid out.
#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    endgames: Endgames,
    /// What the latest board calls for and is not there, in the order of making.
    wanted: Vec<Material>,
    closed: bool,
}

impl TableBuilder {
    /// An empty library.
    ///
    /// # Errors
    ///
    /// If no thread can be started.
    pub fn new() -> std::io::Result<TableBuilder> {
        let desk = Arc::new(Queue::default());
        let theirs = Arc::clone(&desk);
        thread::Builder::new().name("library".to_owned()).spawn(move || theirs.serve())?;
        Ok(TableBuilder { desk })
    }

    /// Calls for the tables of the men on a board, or, with one man more than tables are made for
    /// or a single pawn left, of all that may be left when one is taken. Other boards call for
    /// nothing.
    pub fn want(&self, board: &Board) {
        let mut state = self.desk.state();
        let mut wanted = Vec::new();
        for material in called_for(board) {
            state.endgames.add_missing(material, &mut wanted);
        }
        if wanted != state.wanted {
            state.wanted = wanted;
            self.desk.changed.notify_one();
        }
    }

    /// The tables that are there now.
    pub fn endgames(&self) -> Endgames {
        self.desk.state().endgames.clone()
    }
}

impl Drop for TableBuilder {
    fn drop(&mut self) {
        self.desk.state().closed = true;
        self.desk.changed.notify_one();
    }
}

impl Queue {
    /// A thread that panicked leaves the state whole: tables are put into it when they are done.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes what is wanted until the library is closed.
    fn serve(&self) {
        // One core is left to the search.
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.saturating_sub(1).max(1);
        let Ok(pool) = ThreadPoolBuilder::new().num_threads(threads).build() else {
            return log::warn!("no threads for tables of endings: the search plays them");
        };
        while let Some((material, mut endgames)) = self.next() {
            let built = pool.install(|| endgames.build_one(material, |_| self.go_on(material)));
            if built.is_continue() {
                let mut state = self.state();
                state.endgames = endgames;
                state.wanted.retain(|&wanted| wanted != material);
            }
        }
    }

    /// Waits for the next table to be made; none when the library is closed.
    fn next(&self) -> Option<(Material, Endgames)> {
        let idle = |state: &mut State| state.wanted.is_empty() && !state.closed;
        let state = self.changed.wait_while(self.state(), idle);
        let state = state.unwrap_or_else(PoisonError::into_inner);
        let material = *state.wanted.first().filter(|_| !state.closed)?;
        Some((material, state.endgames.clone()))
    }

    /// Whether a table that is being made is still wanted.
    fn go_on(&self, material: Material) -> ControlFlow<()> {
        let state = self.state();
        if state.wanted.contains(&material) && !state.closed {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

fn called_for(board: &Board) -> Vec<Material> {
    if let Ok(material) = Material::on(board) {
        return vec![material];
    }
    let mut materials = Vec::new();
    for square in board.occupied() & !board.by_role(Role::King) {
        let mut left = board.clone();
        left.discard_piece_at(square);
        if let Ok(material) = Material::on(&left)
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
        called_for(&board).iter().map(Material::to_string).collect()
    }

    #[test]
    fn what_a_board_calls_for() {
        assert_eq!(names("8/8/8/8/8/k7/8/K5BN"), ["KBNK"]);
        assert_eq!(names("8/8/8/8/7r/k7/8/K5BN"), ["KRKN", "KRKB", "KBNK"]);
        // Two rooks alike are one wish; of one pawn only its loss is thought of.
        assert_eq!(names("8/8/8/7r/7r/k7/8/K6N"), ["KRRK", "KRKN"]);
        assert_eq!(names("8/8/8/8/7p/k7/8/K5BN"), ["KBNK"]);
        assert_eq!(names("8/8/8/8/6pp/k7/8/K5BN"), Vec::<String>::new());
        assert_eq!(names("8/8/8/8/6qr/k7/8/K4QBN"), Vec::<String>::new());
    }

    #[test]
    fn the_latest_board_is_what_counts() {
        let board = |fen: &str| Board::from_ascii_board_fen(fen.as_bytes()).unwrap();
        let library = TableBuilder::new().unwrap();
        library.want(&board("8/8/8/8/8/k7/8/K5QR"));
        library.want(&board("8/8/8/8/8/k7/8/K6R"));
        let rook: Material = "KRK".parse().unwrap();
        while library.endgames().table(&rook).is_none() {
            thread::yield_now();
        }
        assert!(library.desk.state().wanted.is_empty());
        assert!(library.endgames().table(&"KQRK".parse().unwrap()).is_none());
    }
}
