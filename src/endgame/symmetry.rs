//! The eight ways to turn and mirror a board, and how two kings are numbered without them.
//!
//! Without pawns a position and its seven images are worth the same. The first king is brought into
//! the triangle a1-d1-d4; if it then stands on the long diagonal, the second is brought onto or below
//! it. That leaves 462 pairs of kings which do not touch.

use crate::geometry::chebyshev;
use shakmaty::Square;

/// The number of pairs of kings that differ by more than a turn or a mirror.
pub(super) const KING_PAIRS: usize = 462;

/// Turns and mirrors are numbered by three bits: mirror the files, mirror the ranks, then swap
/// files and ranks.
const IMAGES: u8 = 8;

/// One image of a square.
pub(super) const fn image(square: u8, turn: u8) -> u8 {
    let mut square = square;
    if turn & 1 != 0 {
        square ^= 7;
    }
    if turn & 2 != 0 {
        square ^= 56;
    }
    if turn & 4 != 0 {
        square = mirror(square);
    }
    square
}

/// The square mirrored in the diagonal from a1 to h8.
pub(super) const fn mirror(square: u8) -> u8 {
    (square >> 3) | ((square & 7) << 3)
}

/// Below 0, on 0, or above 0 the diagonal from a1 to h8.
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

/// Where a pair of kings is found.
#[derive(Clone, Copy)]
pub(super) struct Kings {
    /// The number of the pair, 0 to 461.
    pub(super) pair: u16,
    /// The image of the board on which the pair has that number.
    pub(super) turn: u8,
}

struct Tables {
    pairs: [(u8, u8); KING_PAIRS],
    numbers: [Option<Kings>; 64 * 64],
}

static TABLES: Tables = {
    let mut pairs = [(0, 0); KING_PAIRS];
    let mut numbers = [None; 64 * 64];
    let mut next = 0;
    let mut place = 0;
    while place < 64 * 64 {
        let (first, second) = ((place >> 6) as u8, (place & 63) as u8);
        if is_canonical(first, second) && !touch(first, second) {
            pairs[next] = (first, second);
            numbers[place] = Some(Kings { pair: next as u16, turn: 0 });
            next += 1;
        }
        place += 1;
    }
    let mut place = 0;
    while place < 64 * 64 {
        let (first, second) = ((place >> 6) as u8, (place & 63) as u8);
        let mut turn = 1;
        while turn < IMAGES && numbers[place].is_none() && !touch(first, second) {
            let (first, second) = (image(first, turn), image(second, turn));
            if is_canonical(first, second)
                && let Some(Kings { pair, .. }) = numbers[(first as usize) << 6 | second as usize]
            {
                numbers[place] = Some(Kings { pair, turn });
            }
            turn += 1;
        }
        place += 1;
    }
    Tables { pairs, numbers }
};

/// The number of a pair of kings, or none if they touch.
#[inline]
pub(super) fn kings(first: u8, second: u8) -> Option<Kings> {
    TABLES.numbers[usize::from(first) << 6 | usize::from(second)]
}

/// The kings that have this number as they stand, in 0..[`KING_PAIRS`].
#[inline]
pub(super) fn pair(number: usize) -> (u8, u8) {
    TABLES.pairs[number]
}

/// Whether both kings stand on the diagonal, so that mirroring in it gives another position with
/// the same kings.
#[inline]
pub(super) const fn is_its_own_mirror(first: u8, second: u8) -> bool {
    above_diagonal(first) == 0 && above_diagonal(second) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_pair_that_does_not_touch_has_the_number_of_its_smallest_image() {
        let mut numbers = BTreeSet::new();
        for first in 0..64 {
            for second in 0..64 {
                let Some(found) = kings(first, second) else {
                    assert!(touch(first, second), "{first} {second}");
                    continue;
                };
                assert!(!touch(first, second), "{first} {second}");
                let as_numbered = (image(first, found.turn), image(second, found.turn));
                assert_eq!(pair(usize::from(found.pair)), as_numbered);
                for turn in 0..IMAGES {
                    let other = kings(image(first, turn), image(second, turn)).unwrap();
                    assert_eq!(other.pair, found.pair, "{first} {second} image {turn}");
                }
                numbers.insert(found.pair);
            }
        }
        assert_eq!(numbers, (0..KING_PAIRS as u16).collect());
    }

    #[test]
    fn the_eight_images_differ() {
        let images: BTreeSet<u8> = (0..IMAGES).map(|turn| image(1, turn)).collect();
        // b1 can go to the eight squares next to the corners.
        assert_eq!(images, BTreeSet::from([1, 6, 8, 15, 48, 55, 57, 62]));
    }
}
