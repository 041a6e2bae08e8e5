//! The knight: what a set of knights attacks, and how many moves a knight needs.

use shakmaty::{Bitboard, Square};

/// All squares attacked by at least one of `knights`.
///
/// Source: Chess Programming Wiki, *Knight Pattern* (multiple knight attacks): steps of one and of
/// two files, masked against wrapping around the board's edge, each moved two ranks or one.
///
/// ```
/// use shakmaty::{Bitboard, Square};
/// use tropism::geometry::knight_attacks;
/// let corners = Bitboard::from_square(Square::A1).with(Square::H8);
/// let reached = knight_attacks(corners);
/// assert_eq!(reached, [Square::B3, Square::C2, Square::G6, Square::F7].into_iter().collect());
/// ```
#[inline]
pub const fn knight_attacks(knights: Bitboard) -> Bitboard {
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
    let b = knights.0;
    let one = ((b >> 1) & NOT_H) | ((b << 1) & NOT_A);
    let two = ((b >> 2) & NOT_GH) | ((b << 2) & NOT_AB);
    Bitboard((one << 16) | (one >> 16) | (two << 8) | (two >> 8))
}

/// The number of knight moves from `a` to `b` on an empty board, 0 to 6.
///
/// Source: Chess Programming Wiki, *Knight-Distance*: the 64 x 64 lookup, filled by knight fills
/// when the program is compiled.
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::knight_distance;
/// assert_eq!(knight_distance(Square::D4, Square::E5), 2);
/// // The same diagonal step costs four moves from a corner.
/// assert_eq!(knight_distance(Square::A1, Square::B2), 4);
/// assert_eq!(knight_distance(Square::A1, Square::H8), 6);
/// ```
#[inline]
pub const fn knight_distance(a: Square, b: Square) -> u32 {
    DISTANCES[a.to_usize()][b.to_usize()] as u32
}

static DISTANCES: [[u8; 64]; 64] = fill_distances();

/// For every origin, expands the set of reached squares until the board is full.
const fn fill_distances() -> [[u8; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut reached = 1u64 << from;
        let mut moves = 0;
        while reached != u64::MAX {
            moves += 1;
            let next = reached | knight_attacks(Bitboard(reached)).0;
            let mut to = 0;
            while to < 64 {
                if (next & !reached) >> to & 1 == 1 {
                    table[from][to] = moves;
                }
                to += 1;
            }
            reached = next;
        }
        from += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::reference::{knight_jumps, pairs};

    #[test]
    fn attacks_of_every_set_of_one_and_two_knights_are_the_jumps_of_each() {
        for (a, b) in pairs() {
            let set = Bitboard::from_square(a).with(b);
            assert_eq!(knight_attacks(set), knight_jumps(a) | knight_jumps(b), "{a} {b}");
        }
        assert_eq!(knight_attacks(Bitboard::EMPTY), Bitboard::EMPTY);
        assert_eq!(knight_attacks(Bitboard::FULL), Bitboard::FULL);
    }

    #[test]
    fn distances_are_those_of_a_breadth_first_walk() {
        for from in Square::ALL {
            let mut moves = [None; 64];
            moves[from.to_usize()] = Some(0);
            let mut queue = std::collections::VecDeque::from([from]);
            while let Some(square) = queue.pop_front() {
                let here = moves[square.to_usize()].unwrap();
                for next in knight_jumps(square) {
                    if moves[next.to_usize()].is_none() {
                        moves[next.to_usize()] = Some(here + 1);
                        queue.push_back(next);
                    }
                }
            }
            for to in Square::ALL {
                assert_eq!(Some(knight_distance(from, to)), moves[to.to_usize()], "{from} {to}");
            }
        }
        assert_eq!(pairs().map(|(a, b)| knight_distance(a, b)).max(), Some(6));
    }
}
