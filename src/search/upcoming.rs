//! Upcoming repetitions: whether the side to move can bring an earlier position back with one move.
//!
//! The keys of two positions between which a piece has made one move, and nothing else has changed,
//! differ by the piece on its one square, the piece on its other square, and the side to move: by one
//! of 3668 numbers, whatever else stands on the board. Whether an earlier position can be had again
//! is therefore asked of a hash table, without making a move (Marcel van Kervinck 2013). The table
//! is a cuckoo hash table (Pagh and Rodler 2001), in which a number has two places and no third.

use super::position::Position;
use shakmaty::{
    Bitboard, Color, Position as _, Role, Square, attacks,
    zobrist::{Zobrist64, ZobristValue},
};
use std::sync::LazyLock;

/// Places of the table: more than twice the numbers, or some of them would find none.
const PLACES: usize = 1 << 13;

static REVERSIBLE: LazyLock<Reversible> = LazyLock::new(Reversible::new);

/// Whether the side to move can go back to a position that had this key, by a move of a piece.
/// Such a move is legal: it leads to what has been on the board.
pub(super) fn leads_to(position: &Position, earlier: u64) -> bool {
    let Some([one, other]) = REVERSIBLE.find(position.key() ^ earlier) else { return false };
    let chess = position.chess();
    let occupied = chess.board().occupied();
    (attacks::between(one, other) & occupied).is_empty()
        && (chess.us().contains(one) || chess.us().contains(other))
}

/// A move there and back, and what it changes of a key; nothing in an empty place.
#[derive(Copy, Clone)]
struct Step {
    difference: u64,
    squares: [Square; 2],
}

struct Reversible {
    places: Vec<Step>,
}

impl Reversible {
    fn new() -> Reversible {
        let empty = Step { difference: 0, squares: [Square::A1; 2] };
        let mut table = Reversible { places: vec![empty; PLACES] };
        for color in Color::ALL {
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
                for one in Square::ALL {
                    let reached = attacks::attacks(one, role.of(color), Bitboard::EMPTY);
                    for other in reached.into_iter().filter(|&other| one < other) {
                        let key = |square| Zobrist64::zobrist_for_piece(square, role.of(color));
                        let turn = Zobrist64::zobrist_for_white_turn();
                        let difference = (key(one) ^ key(other) ^ turn).0;
                        table.insert(Step { difference, squares: [one, other] });
                    }
                }
            }
        }
        table
    }

    /// Whoever comes takes a place; who stood there goes to its other one.
    fn insert(&mut self, mut step: Step) {
        let [mut place, _] = places(step.difference);
        loop {
            std::mem::swap(&mut step, &mut self.places[place]);
            if step.difference == 0 {
                return;
            }
            let [first, second] = places(step.difference);
            place = if place == first { second } else { first };
        }
    }

    fn find(&self, difference: u64) -> Option<[Square; 2]> {
        let is_meant = |step: &&Step| step.difference == difference && difference != 0;
        places(difference)
            .iter()
            .map(|&place| &self.places[place])
            .find(is_meant)
            .map(|s| s.squares)
    }
}

/// The two places of a number.
fn places(difference: u64) -> [usize; 2] {
    [difference as usize % PLACES, (difference >> 16) as usize % PLACES]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_of_a_piece_on_an_empty_board_has_its_place() {
        let table = Reversible::new();
        let full = table.places.iter().filter(|step| step.difference != 0).count();
        // Both ways are one: 336 / 2 knight moves, 560 / 2, 896 / 2, 1456 / 2 and 420 / 2, twice.
        assert_eq!(full, 2 * (168 + 280 + 448 + 728 + 210));
        for step in table.places.iter().filter(|step| step.difference != 0) {
            assert_eq!(table.find(step.difference), Some(step.squares));
        }
        assert_eq!(table.find(0), None);
        assert_eq!(table.find(1), None);
    }
}
