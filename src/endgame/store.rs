//! The tables that the whole program shares.

use super::{Dtm, Endgames, Material};
use shakmaty::{Board, Chess, Position, Role};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The tables that have been made. Whoever needs one takes it from here.
static STORE: Mutex<Option<Endgames>> = Mutex::new(None);

/// When the tables of the store are larger than this, in bytes, those that were not just asked for are dropped. To make
/// them again takes a moment.
const MAX_SIZE: usize = 160 << 20;

/// A thread that panics leaves the store intact, because only finished tables are added to it.
fn store() -> MutexGuard<'static, Option<Endgames>> {
    STORE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Endgames {
    /// The tables for a board: that of its pieces, and if they are one too many, those of the endings that a capture
    /// leads to; and all tables that these lead to. Any other board has none. The whole program shares them, and what
    /// is missing is made now.
    pub fn of(board: &Board) -> Endgames {
        Endgames::of_while(board, || true)
    }

    /// The table of an ending and those that it leads to, from the same store.
    pub fn of_ending(material: Material) -> Endgames {
        let mut endgames = Endgames::default();
        endgames.missing(material).into_iter().for_each(|material| endgames.take(material));
        endgames
    }

    /// Makes the tables of the common mates that take longer than a fast move: two bishops, and bishop and knight.
    pub fn prepare() {
        for material in ["KBBK", "KBNK"].into_iter().flat_map(str::parse) {
            Endgames::of_ending(material);
        }
    }

    /// The tables for a board, as long as they are wanted. That is asked before each of them.
    pub(super) fn of_while(board: &Board, is_wanted: impl Fn() -> bool) -> Endgames {
        let mut endgames = Endgames::default();
        for material in needed_for(board) {
            for material in endgames.missing(material) {
                if !is_wanted() {
                    return endgames;
                }
                endgames.take(material);
            }
        }
        endgames
    }

    /// The same without the tables that are missing. Returns whether none is.
    pub fn finished_of(board: &Board) -> (Endgames, bool) {
        let mut endgames = Endgames::default();
        let store = store();
        let mut is_complete = true;
        for material in needed_for(board).into_iter().flat_map(|it| Endgames::default().missing(it))
        {
            match store.as_ref().and_then(|store| store.tables.get(&material)) {
                Some(table) => drop(endgames.tables.insert(material, table.clone())),
                None => is_complete = false,
            }
        }
        (endgames, is_complete)
    }

    /// Adds a table from the store. If it is not there, it is made first, from the tables that are here; the store is
    /// not locked meanwhile, because the threads of a pool may all wait for it.
    pub(super) fn take(&mut self, material: Material) {
        let known = store().as_ref().and_then(|store| store.tables.get(&material).cloned());
        if let Some(table) = known {
            self.tables.insert(material, table);
            return;
        }
        self.build_one(material);
        let mut store = store();
        let shared = store.get_or_insert_default();
        shared
            .tables
            .extend(self.tables.iter().map(|(&material, table)| (material, table.clone())));
        if shared.size() > MAX_SIZE {
            *shared = self.clone();
        }
    }
}

/// The exact value of a position for the side to move, from the tables that the whole program shares.
///
/// None if it has more than [`Material::MAX_PIECES`] pieces, pawns of both sides, or castling rights, or if the
/// fifty-move rule may come before the mate.
pub fn probe(position: &Chess) -> Option<Dtm> {
    let board = position.board();
    Material::on(board).ok()?;
    Endgames::of(board).probe(position).filter(|value| value.is_in_time(position.halfmoves()))
}

/// The endings whose tables a board needs.
fn needed_for(board: &Board) -> Vec<Material> {
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

    fn board(board: &str) -> Board {
        Board::from_ascii_board_fen(board.as_bytes()).unwrap()
    }

    fn names(fen: &str) -> Vec<String> {
        needed_for(&board(fen)).iter().map(Material::to_string).collect()
    }

    #[test]
    fn the_tables_that_a_board_needs() {
        assert_eq!(names("8/8/8/8/8/k7/8/K5BN"), ["KBNK"]);
        assert_eq!(names("8/8/8/8/7r/k7/8/K5BN"), ["KRKN", "KRKB", "KBNK"]);
        // Two equal rooks lead to one ending. Pawns of both sides have no table.
        assert_eq!(names("8/8/8/7r/7r/k7/8/K6N"), ["KRRK", "KRKN"]);
        assert_eq!(names("8/8/8/8/7p/k7/8/K5BN"), ["KNKP", "KBKP", "KBNK"]);
        assert_eq!(names("8/8/8/8/6pP/k7/8/K6N"), ["KNPK", "KNKP"]);
        assert_eq!(names("8/8/8/8/6qr/k7/8/K4QBN"), Vec::<String>::new());
    }

    #[test]
    fn the_tables_of_a_board_come_with_those_they_lead_to() {
        let pawn = board("8/8/8/8/8/k7/7P/K7");
        let endgames = Endgames::of(&pawn);
        let mut names: Vec<String> = endgames.tables.keys().map(Material::to_string).collect();
        names.sort();
        assert_eq!(names, ["KBK", "KK", "KNK", "KPK", "KQK", "KRK"]);
        let (finished, is_complete) = Endgames::finished_of(&pawn);
        assert!(is_complete && finished.tables.len() == 6);
    }
}
