//! The eight rotations and reflections of the board, and the number of a pair of kings up to them.
//!
//! Without pawns a position and its seven images have the same value. One of the eight brings the
//! first king into the triangle a1-d1-d4. If that king then stands on the long diagonal, a reflection
//! brings the second king onto or below the diagonal. That leaves 462 pairs of kings that do not
//! touch.
//!
//! With pawns only the reflection of the files is left. It brings the first king to the files a to d.

use crate::geometry::chebyshev;
use shakmaty::Square;

/// The number of pairs of kings, rotated and reflected ones counted once.
pub(super) const KING_PAIRS: usize = 462;

/// The images of the board are numbered by three bits: reflect the files, reflect the ranks, then
/// swap files and ranks.
const IMAGES: u8 = 8;

/// The square that takes the place of `square` on an image of the board.
pub(super) const fn transform(square: u8, image: u8) -> u8 {
    let mut square = square;
    if image & 1 != 0 {
        square ^= 7;
    }
    if image & 2 != 0 {
        square ^= 56;
    }
    if image & 4 != 0 {
        square = mirror(square);
    }
    square
}

/// The square reflected in the diagonal from a1 to h8.
pub(super) const fn mirror(square: u8) -> u8 {
    (square >> 3) | ((square & 7) << 3)
}

/// Negative below the diagonal from a1 to h8, 0 on it, positive above it.
const fn above_diagonal(square: u8) -> i8 {
    (square >> 3) as i8 - (square & 7) as i8
}

const fn touch(a: u8, b: u8) -> bool {
    chebyshev(Square::new(a as u32), Square::new(b as u32)) <= 1
}

const fn is_canonical(first: u8, second: u8) -> bool {
    let in_triangle = first & 7 < 4 && above_diagonal(first) <= 0;
    in_triangle && (above_diagonal(first) < 0 || above_diagonal(second) <= 0)
}

/// The number of a pair of kings, and the image that has it.
#[derive(Clone, Copy)]
pub(super) struct Kings {
    /// The number of the pair, 0 to 461.
    pub(super) pair: u16,
    /// The image of the board on which the pair has that number.
    pub(super) image: u8,
}

struct Tables {
    pairs: [(u8, u8); KING_PAIRS],
    numbers: [Option<Kings>; 64 * 64],
}

static TABLES: Tables = {
    let mut pairs = [(0, 0); KING_PAIRS];
    let mut numbers = [None; 64 * 64];
    let mut next = 0;
    let mut i = 0;
    while i < 64 * 64 {
        let (first, second) = ((i >> 6) as u8, (i & 63) as u8);
        if is_canonical(first, second) && !touch(first, second) {
            pairs[next] = (first, second);
            numbers[i] = Some(Kings { pair: next as u16, image: 0 });
            next += 1;
        }
        i += 1;
    }
    let mut i = 0;
    while i < 64 * 64 {
        let (first, second) = ((i >> 6) as u8, (i & 63) as u8);
        let mut image = 1;
        while image < IMAGES && numbers[i].is_none() && !touch(first, second) {
            let (first, second) = (transform(first, image), transform(second, image));
            if is_canonical(first, second)
                && let Some(Kings { pair, .. }) = numbers[(first as usize) << 6 | second as usize]
            {
                numbers[i] = Some(Kings { pair, image });
            }
            image += 1;
        }
        i += 1;
    }
    Tables { pairs, numbers }
};

/// The number of a pair of kings, or none if they touch.
#[inline]
pub(super) fn kings(first: u8, second: u8) -> Option<Kings> {
    TABLES.numbers[usize::from(first) << 6 | usize::from(second)]
}

/// The squares of the pair of kings with this number, which is below [`KING_PAIRS`].
#[inline]
pub(super) fn pair(number: usize) -> (u8, u8) {
    TABLES.pairs[number]
}

/// The number of pairs of kings of an ending with pawns: 32 squares of the first king and 64 of the
/// second. Some of these pairs touch.
pub(super) const KING_PAIRS_WITH_PAWNS: usize = 32 * 64;

/// The number of a pair of kings of an ending with pawns, 0 to 2047, or none if they touch.
#[inline]
pub(super) fn kings_with_pawns(first: u8, second: u8) -> Option<Kings> {
    if touch(first, second) {
        return None;
    }
    let image = u8::from(first & 7 > 3);
    let (first, second) = (transform(first, image), transform(second, image));
    let first = (first >> 3) << 2 | first & 3;
    Some(Kings { pair: u16::from(first) << 6 | u16::from(second), image })
}

/// The squares of the pair of kings with this number, which is below [`KING_PAIRS_WITH_PAWNS`].
#[inline]
pub(super) fn pair_with_pawns(number: usize) -> (u8, u8) {
    let first = (number >> 6) as u8;
    ((first >> 2) << 3 | first & 3, (number & 63) as u8)
}

/// Whether both kings stand on the diagonal. Reflection in it then moves the other pieces and not the
/// kings.
#[inline]
pub(super) const fn is_its_own_mirror(first: u8, second: u8) -> bool {
    above_diagonal(first) == 0 && above_diagonal(second) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_images_of_a_pair_of_kings_have_one_number() {
        let mut numbers = BTreeSet::new();
        for first in 0..64 {
            for second in 0..64 {
                let Some(found) = kings(first, second) else {
                    assert!(touch(first, second), "{first} {second}");
                    continue;
                };
                assert!(!touch(first, second), "{first} {second}");
                let as_numbered = (transform(first, found.image), transform(second, found.image));
                assert_eq!(pair(usize::from(found.pair)), as_numbered);
                for image in 0..IMAGES {
                    let other = kings(transform(first, image), transform(second, image)).unwrap();
                    assert_eq!(other.pair, found.pair, "{first} {second} image {image}");
                }
                numbers.insert(found.pair);
            }
        }
        assert_eq!(numbers, (0..KING_PAIRS as u16).collect());
    }

    #[test]
    fn with_pawns_both_reflections_of_a_pair_of_kings_have_one_number() {
        for (first, second) in (0..64).flat_map(|first| (0..64).map(move |second| (first, second)))
        {
            let Some(found) = kings_with_pawns(first, second) else {
                assert!(kings(first, second).is_none());
                continue;
            };
            let as_numbered = (transform(first, found.image), transform(second, found.image));
            assert_eq!(pair_with_pawns(usize::from(found.pair)), as_numbered);
            let other = kings_with_pawns(transform(first, 1), transform(second, 1)).unwrap();
            assert_eq!((other.pair, other.image), (found.pair, 1 - found.image));
        }
    }

    #[test]
    fn the_eight_images_differ() {
        let images: BTreeSet<u8> = (0..IMAGES).map(|image| transform(1, image)).collect();
        // The images of b1 are the eight squares next to the corners.
        assert_eq!(images, BTreeSet::from([1, 6, 8, 15, 48, 55, 57, 62]));
    }
}
