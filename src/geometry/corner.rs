//! Corners: where a lone king is mated by bishop and knight.

use shakmaty::Square;

/// The number of rook steps from `king` to the nearer corner of the colour `bishop` runs on,
/// 0 to 7.
///
/// Bishop and knight mate only in a corner the bishop can attack, so this is what a lone king
/// wants large and its hunter small.
///
/// Source: Chess Programming Wiki, *KBNK Endgame*, Gerd Isenberg's bit-twiddling, kept step by
/// step: a product puts the parity of the bishop's file and rank into the sign bit, the sign makes
/// a mask that mirrors the king's file, so that a1 and h8 become the corners that count; file plus
/// rank is then the distance to a1, and above 7 the complement to 14 is the distance to h8.
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
    let k = king.to_u32() as i32;
    let steps = (k >> 3) + ((k ^ mirror) & 7);
    let distance = ((15 * (steps >> 3)) ^ steps) - (steps >> 3);
    distance as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{manhattan, reference::pairs};

    #[test]
    fn the_bit_trick_equals_the_nearest_corner_of_the_bishops_colour() {
        let corners = [Square::A1, Square::H1, Square::A8, Square::H8];
        for (bishop, king) in pairs() {
            let nearest = corners
                .into_iter()
                .filter(|corner| corner.is_light() == bishop.is_light())
                .map(|corner| manhattan(corner, king))
                .min();
            assert_eq!(
                Some(bishop_corner_distance(bishop, king)),
                nearest,
                "bishop {bishop}, king {king}"
            );
        }
    }
}
