//! Sets of squares for pawns: ahead, beside, attacked.

use super::steps::{east_one, west_one};
use shakmaty::{Bitboard, Color};

/// All squares that `set` attacks as pawns of `side`.
///
/// ```
/// use shakmaty::{Bitboard, Color, Square};
/// use tropism::geometry::pawn_attacks;
/// let e4 = Bitboard::from_square(Square::E4);
/// assert_eq!(pawn_attacks(Color::White, e4), [Square::D5, Square::F5].into_iter().collect());
/// ```
#[inline]
pub const fn pawn_attacks(side: Color, set: Bitboard) -> Bitboard {
    step(side, beside(set))
}

/// The set moved one rank towards the other side's back rank, without squares beyond the board.
///
/// ```
/// use shakmaty::{Bitboard, Color, Square};
/// use tropism::geometry::step;
/// let e2 = Bitboard::from_square(Square::E2);
/// assert_eq!(step(Color::White, e2), Bitboard::from_square(Square::E3));
/// ```
#[inline]
pub const fn step(side: Color, set: Bitboard) -> Bitboard {
    Bitboard(if side.is_white() { set.0 << 8 } else { set.0 >> 8 })
}

/// The squares directly left and right of `set`.
///
/// ```
/// use shakmaty::{Bitboard, Square};
/// use tropism::geometry::beside;
/// assert_eq!(beside(Bitboard::from_square(Square::A4)), Bitboard::from_square(Square::B4));
/// ```
#[inline]
pub const fn beside(set: Bitboard) -> Bitboard {
    Bitboard(east_one(set.0) | west_one(set.0))
}

/// All squares in front of `set` on the same files, seen by `side`. A square of the set is included if
/// another square of the set is behind it.
///
/// ```
/// use shakmaty::{Bitboard, Color, Square};
/// use tropism::geometry::ahead;
/// let e6 = Bitboard::from_square(Square::E6);
/// assert_eq!(ahead(Color::White, e6), [Square::E7, Square::E8].into_iter().collect());
/// ```
#[inline]
pub const fn ahead(side: Color, set: Bitboard) -> Bitboard {
    let mut fill = step(side, set).0;
    match side {
        Color::White => {
            fill |= fill << 8;
            fill |= fill << 16;
            fill |= fill << 32;
        }
        Color::Black => {
            fill |= fill >> 8;
            fill |= fill >> 16;
            fill |= fill >> 32;
        }
    }
    Bitboard(fill)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::reference::{coordinates, pairs};
    use shakmaty::Square;

    /// The squares whose offset from some square of `set` satisfies `rule(files, ranks)`; ranks count
    /// towards the other side.
    fn offsets(side: Color, set: Bitboard, rule: impl Fn(i32, i32) -> bool) -> Bitboard {
        let forward = if side.is_white() { 1 } else { -1 };
        pairs()
            .filter(|&(from, to)| {
                let ((ff, fr), (tf, tr)) = (coordinates(from), coordinates(to));
                set.contains(from) && rule(tf - ff, (tr - fr) * forward)
            })
            .map(|(_, to)| to)
            .collect()
    }

    #[test]
    fn every_set_of_one_and_two_squares() {
        for side in Color::ALL {
            for (a, b) in pairs() {
                let set = Bitboard::from_square(a).with(b);
                assert_eq!(step(side, set), offsets(side, set, |f, r| (f, r) == (0, 1)));
                assert_eq!(beside(set), offsets(side, set, |f, r| f.abs() == 1 && r == 0));
                assert_eq!(ahead(side, set), offsets(side, set, |f, r| f == 0 && r > 0));
                assert_eq!(
                    pawn_attacks(side, set),
                    offsets(side, set, |f, r| f.abs() == 1 && r == 1)
                );
            }
        }
        assert_eq!(ahead(Color::White, Bitboard::EMPTY), Bitboard(0));
        assert_eq!(beside(Bitboard::from_square(Square::H1)), Square::G1.into());
    }
}
