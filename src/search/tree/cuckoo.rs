//! Upcoming repetitions: whether the side to move can repeat an earlier position with one move.
//!
//! The keys of two positions between which a piece has made one move, and nothing else has changed,
//! differ by the piece on its one square, the piece on its other square, and the side to move: by one
//! of 3668 numbers, whatever else stands on the board. A hash table of these numbers finds the move
//! without generating any (Marcel van Kervinck 2013). It is a cuckoo hash table (Pagh and Rodler 2001): a
//! number is in one of two slots.

use crate::search::position::Position;
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Bitboard, Color, Position as _, Role, Square, attacks};
use std::sync::LazyLock;

/// The number of slots: more than twice the numbers, so that each finds a free one.
const SLOTS: usize = 1 << 13;

static CUCKOO: LazyLock<CuckooTable> = LazyLock::new(CuckooTable::new);

/// Whether the side to move can reach the position with the key `earlier` by one move of a piece. The move is
/// legal because it leads to a position that has been on the board.
pub fn can_move_back_to(position: &Position, earlier: u64) -> bool {
    let Some([one, other]) = CUCKOO.find(position.key() ^ earlier) else { return false };
    let chess = position.chess();
    let occupied = chess.board().occupied();
    (attacks::between(one, other) & occupied).is_empty()
        && (chess.us().contains(one) || chess.us().contains(other))
}

/// A reversible move between two squares, and the difference of the keys before and after it; 0 in an empty
/// slot.
#[derive(Copy, Clone)]
struct ReversibleMove {
    difference: u64,
    squares: [Square; 2],
}

struct CuckooTable {
    slots: Vec<ReversibleMove>,
}

impl CuckooTable {
    fn new() -> CuckooTable {
        let empty = ReversibleMove { difference: 0, squares: [Square::A1; 2] };
        let mut table = CuckooTable { slots: vec![empty; SLOTS] };
        for color in Color::ALL {
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
                for one in Square::ALL {
                    let reached = attacks::attacks(one, role.of(color), Bitboard::EMPTY);
                    for other in reached.into_iter().filter(|&other| one < other) {
                        let key = |square| Zobrist64::zobrist_for_piece(square, role.of(color));
                        let turn = Zobrist64::zobrist_for_white_turn();
                        let difference = (key(one) ^ key(other) ^ turn).0;
                        table.insert(ReversibleMove { difference, squares: [one, other] });
                    }
                }
            }
        }
        table
    }

    /// Puts a move into its first slot. A move that was there goes to its other slot, and so on.
    fn insert(&mut self, mut entry: ReversibleMove) {
        let [mut slot, _] = slots(entry.difference);
        loop {
            std::mem::swap(&mut entry, &mut self.slots[slot]);
            if entry.difference == 0 {
                return;
            }
            let [first, second] = slots(entry.difference);
            slot = if slot == first { second } else { first };
        }
    }

    fn find(&self, difference: u64) -> Option<[Square; 2]> {
        let matches = |entry: &&ReversibleMove| entry.difference == difference && difference != 0;
        slots(difference)
            .iter()
            .map(|&slot| &self.slots[slot])
            .find(matches)
            .map(|entry| entry.squares)
    }
}

/// The two slots of a number.
fn slots(difference: u64) -> [usize; 2] {
    [difference as usize % SLOTS, (difference >> 16) as usize % SLOTS]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_of_a_piece_on_an_empty_board_is_in_the_table() {
        let table = CuckooTable::new();
        let full = table.slots.iter().filter(|reversible| reversible.difference != 0).count();
        // A move and its return are one number: 336 / 2 knight moves, 560 / 2, 896 / 2, 1456 / 2 and 420 / 2, twice.
        assert_eq!(full, 2 * (168 + 280 + 448 + 728 + 210));
        for reversible in table.slots.iter().filter(|reversible| reversible.difference != 0) {
            assert_eq!(table.find(reversible.difference), Some(reversible.squares));
        }
        assert_eq!(table.find(0), None);
        assert_eq!(table.find(1), None);
    }
}
