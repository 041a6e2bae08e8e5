//! Distances to corners, where bishop and knight mate a bare king.

use super::centre_manhattan;
use shakmaty::{Color, Square};

/// The number of rook steps from `square` to the nearest corner, 0 to 6.
///
/// On every file and rank the distances to the edge and to the middle add up to three. This distance and
/// [`centre_manhattan`] therefore add up to six.
///
/// ```text
/// corner_distance: rook steps to the nearest corner
///
/// 8   0  1  2  3  3  2  1  0
/// 7   1  2  3  4  4  3  2  1
/// 6   2  3  4  5  5  4  3  2
/// 5   3  4  5  6  6  5  4  3
/// 4   3  4  5  6  6  5  4  3
/// 3   2  3  4  5  5  4  3  2
/// 2   1  2  3  4  4  3  2  1
/// 1   0  1  2  3  3  2  1  0
///
///     a  b  c  d  e  f  g  h
/// ```
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::corner_distance;
/// assert_eq!(corner_distance(Square::H8), 0);
/// assert_eq!(corner_distance(Square::B3), 3);
/// assert_eq!(corner_distance(Square::E5), 6);
/// ```
#[inline]
pub const fn corner_distance(square: Square) -> u32 {
    6 - centre_manhattan(square)
}

/// The number of rook steps from `square` to the nearer of the two corners of one square colour,
/// 0 to 7: [`Color::White`] stands for the light corners a8 and h1, [`Color::Black`] for the dark
/// ones, a1 and h8.
///
/// Source: Chess Programming Wiki, *KBNK Endgame*.
///
/// ```
/// use shakmaty::{Color, Square};
/// use tropism::geometry::colour_corner_distance;
/// assert_eq!(colour_corner_distance(Color::White, Square::B8), 1);
/// assert_eq!(colour_corner_distance(Color::Black, Square::B8), 6);
/// ```
#[inline]
pub const fn colour_corner_distance(colour: Color, square: Square) -> u32 {
    mirrored_to_a1_or_h8(square, -(colour.is_white() as i32))
}

/// The number of rook steps from `king` to the nearer corner of the bishop's square colour, 0 to 7.
///
/// Bishop and knight can force mate only in a corner that the bishop can attack. The bare king tries to
/// keep this distance large, the other side to make it small.
///
/// Source: Chess Programming Wiki, *KBNK Endgame*, Gerd Isenberg's bit-twiddling, step by step. A
/// product puts the parity of the bishop's file and rank into the sign bit. The sign becomes a mask
/// that mirrors the king's file, so that the two corners are always a1 and h8.
///
/// ```text
/// bishop_corner_distance c4: rook steps to the nearer corner of the colour of a bishop's square
///
/// 8   0  1  2  3  4  5  6  7
/// 7   1  2  3  4  5  6  7  6
/// 6   2  3  4  5  6  7  6  5
/// 5   3  4  5  6  7  6  5  4
/// 4   4  5 [6] 7  6  5  4  3
/// 3   5  6  7  6  5  4  3  2
/// 2   6  7  6  5  4  3  2  1
/// 1   7  6  5  4  3  2  1  0
///
///     a  b  c  d  e  f  g  h
/// ```
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::bishop_corner_distance;
/// // A light-squared bishop mates on h1 or a8.
/// assert_eq!(bishop_corner_distance(Square::C4, Square::H1), 0);
/// assert_eq!(bishop_corner_distance(Square::C4, Square::A1), 7);
/// assert_eq!(bishop_corner_distance(Square::C4, Square::B8), 1);
/// ```
#[inline]
pub const fn bishop_corner_distance(bishop: Square, king: Square) -> u32 {
    /// 9 << 28: bit 31 of the product is bit 0 (file parity) plus bit 3 (rank parity) of the square.
    const PARITY_TO_SIGN: i32 = -1_879_048_192;
    let mirror = PARITY_TO_SIGN.wrapping_mul(bishop.to_u32() as i32) >> 31;
    mirrored_to_a1_or_h8(king, mirror)
}

/// The number of rook steps to the nearer of a1 and h8, from `square` (`mirror` 0) or from the square
/// with the file mirrored (`mirror` -1). File plus rank is the distance to a1; if it is above 7, 14
/// minus it is the distance to h8.
const fn mirrored_to_a1_or_h8(square: Square, mirror: i32) -> u32 {
    let k = square.to_u32() as i32;
    let steps = (k >> 3) + ((k ^ mirror) & 7);
    let distance = ((15 * (steps >> 3)) ^ steps) - (steps >> 3);
    distance as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{manhattan, reference::pairs};
    use shakmaty::Bitboard;

    fn nearest(corners: Bitboard, square: Square) -> Option<u32> {
        (corners & Bitboard::CORNERS).into_iter().map(|corner| manhattan(corner, square)).min()
    }

    #[test]
    fn corner_distance_is_the_least_manhattan_distance_to_a_corner() {
        for square in Square::ALL {
            assert_eq!(Some(corner_distance(square)), nearest(Bitboard::FULL, square), "{square}");
            let light = colour_corner_distance(Color::White, square);
            assert_eq!(Some(light), nearest(Bitboard::LIGHT_SQUARES, square), "{square}");
            let dark = colour_corner_distance(Color::Black, square);
            assert_eq!(Some(dark), nearest(Bitboard::DARK_SQUARES, square), "{square}");
        }
    }

    #[test]
    fn the_bit_trick_equals_the_nearest_corner_of_the_bishops_colour() {
        for (bishop, king) in pairs() {
            let colour =
                if bishop.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
            assert_eq!(
                Some(bishop_corner_distance(bishop, king)),
                nearest(colour, king),
                "bishop {bishop}, king {king}"
            );
        }
    }
}
