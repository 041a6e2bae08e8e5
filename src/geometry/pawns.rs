//! Sets of squares for pawns: ahead, beside, attacked.

use super::steps::{east_one, west_one};
use shakmaty::{Bitboard, Color};

/// All squares that `set` attacks as pawns of `side`.
///
/// ```text
/// pawn_attacks a2 e4: what white pawns attack
///
/// 8   .  .  .  .  .  .  .  .
/// 7   .  .  .  .  .  .  .  .
/// 6   .  .  .  .  .  .  .  .
/// 5   .  .  .  1  .  1  .  .
/// 4   .  .  .  . [.] .  .  .
/// 3   .  1  .  .  .  .  .  .
/// 2  [.] .  .  .  .  .  .  .
/// 1   .  .  .  .  .  .  .  .
///
///     a  b  c  d  e  f  g  h
///
/// 3 squares
/// ```
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
/// ```text
/// step a2 e4: one rank ahead of white pawns
///
/// 8   .  .  .  .  .  .  .  .
/// 7   .  .  .  .  .  .  .  .
/// 6   .  .  .  .  .  .  .  .
/// 5   .  .  .  .  1  .  .  .
/// 4   .  .  .  . [.] .  .  .
/// 3   1  .  .  .  .  .  .  .
/// 2  [.] .  .  .  .  .  .  .
/// 1   .  .  .  .  .  .  .  .
///
///     a  b  c  d  e  f  g  h
///
/// 2 squares
/// ```
///
/// ```
/// use shakmaty::{Bitboard, Color, Square};
/// use tropism::geometry::step;
/// let e2 = Bitboard::from_square(Square::E2);
/// assert_eq!(step(Color::White, e2), Bitboard::from_square(Square::E3));
/// ```
#[inline]
pub const fn step(side: Color, set: Bitboard) -> Bitboard {
    match side {
        Color::White => Bitboard(set.0 << 8),
        Color::Black => Bitboard(set.0 >> 8),
    }
}

/// The squares directly left and right of `set`.
///
/// ```text
/// beside a2 e4: the squares left and right
///
/// 8   .  .  .  .  .  .  .  .
/// 7   .  .  .  .  .  .  .  .
/// 6   .  .  .  .  .  .  .  .
/// 5   .  .  .  .  .  .  .  .
/// 4   .  .  .  1 [.] 1  .  .
/// 3   .  .  .  .  .  .  .  .
/// 2  [.] 1  .  .  .  .  .  .
/// 1   .  .  .  .  .  .  .  .
///
///     a  b  c  d  e  f  g  h
///
/// 3 squares
/// ```
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
/// ```text
/// ahead a2 e4: all squares in front of white pawns
///
/// 8   1  .  .  .  1  .  .  .
/// 7   1  .  .  .  1  .  .  .
/// 6   1  .  .  .  1  .  .  .
/// 5   1  .  .  .  1  .  .  .
/// 4   1  .  .  . [.] .  .  .
/// 3   1  .  .  .  .  .  .  .
/// 2  [.] .  .  .  .  .  .  .
/// 1   .  .  .  .  .  .  .  .
///
///     a  b  c  d  e  f  g  h
///
/// 10 squares
/// ```
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
