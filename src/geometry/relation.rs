//! Relations between two squares, whatever the direction: adjacent, in opposition, a knight's move
//! apart, on one line.
//!
//! Source of all: Gerd Isenberg, "unique distance relationship", CCC, 15 August 2002. A sum of the
//! king's distance D and the taxi's distance T gives a relation a number. Three sums, each better than
//! the one before:
//!
//! | sum | relations with a number of their own | lines |
//! |---|---|---|
//! | [`combined_distance`], D + T | those below 6 | not shown |
//! | [`combined71_distance`], 7D + T | all 36 | straight: divisible by 8; diagonal: by 9 |
//! | [`udr_distance`], 15D + T, corrected on diagonals | all 36 | straight: divisible by 16; straight or diagonal: by 8 |
//!
//! ```
//! use shakmaty::Square::*;
//! use tropism::geometry::*;
//! assert!(is_adjacent(E4, F5) && !is_adjacent(E4, E4) && !is_adjacent(H4, A5));
//! assert!(is_opposition(E4, E6) && is_diagonal_opposition(E4, G6));
//! assert!(is_distant_opposition(E1, E5) && is_distant_opposition(E1, E7));
//! assert!(is_knight_distance(G1, F3) && !is_knight_distance(G1, G3));
//! assert!(same_line(A1, A7) && same_line(A1, G7) && !same_line(A1, F7));
//! assert!(same_diagonal(A7, G1) && !same_diagonal(A7, A1));
//! assert!(same_rank_or_file(A7, A1) && !same_rank_or_file(A7, G1));
//! ```

use super::layout::{Combined, Combined71, SquarePairs, Udr};
use super::{chebyshev, manhattan};
use shakmaty::Square;

/// King's distance plus taxi distance, D + T, 0 to 21.
///
/// 0 is the same square, 2 a straight and 3 a diagonal neighbour, 4 the opposition, 5 a knight's
/// move. From 6 on two relations can share a value: (2, 2) and (3, 0) both have 6.
///
/// The table printed in the source has a misprint: 5 for the offset (4, 1). The formula gives 9, and 5
/// is a knight's move.
///
/// ```text
/// combined_distance a1: king's distance plus taxi distance, D + T
///
/// 8   14  15  16  17  18  19  20  21
/// 7   12  13  14  15  16  17  18  20
/// 6   10  11  12  13  14  15  17  19
/// 5    8   9  10  11  12  14  16  18
/// 4    6   7   8   9  11  13  15  17
/// 3    4   5   6   8  10  12  14  16
/// 2    2   3   5   7   9  11  13  15
/// 1  [ 0]  2   4   6   8  10  12  14
///
///      a   b   c   d   e   f   g   h
/// ```
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::combined_distance;
/// assert_eq!(combined_distance(Square::E4, Square::E6), 4);
/// assert_eq!(combined_distance(Square::E4, Square::F6), 5);
/// assert_eq!(combined_distance(Square::A1, Square::E2), 9);
/// ```
#[inline]
pub const fn combined_distance(a: Square, b: Square) -> u32 {
    SquarePairs::<Combined>::lookup(a, b)
}

/// The combination 7D + T, 0 to 63: a different value for each of the 36 unordered pairs of file
/// and rank distance.
///
/// ```text
/// combined71_distance a1: 7D + T, one value for each relation
///
/// 8   56  57  58  59  60  61  62  63
/// 7   48  49  50  51  52  53  54  62
/// 6   40  41  42  43  44  45  53  61
/// 5   32  33  34  35  36  44  52  60
/// 4   24  25  26  27  35  43  51  59
/// 3   16  17  18  26  34  42  50  58
/// 2    8   9  17  25  33  41  49  57
/// 1  [ 0]  8  16  24  32  40  48  56
///
///      a   b   c   d   e   f   g   h
/// ```
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::combined71_distance;
/// assert_eq!(combined71_distance(Square::A1, Square::A4), 24);
/// assert_eq!(combined71_distance(Square::A1, Square::D4), 27);
/// assert_eq!(combined71_distance(Square::A1, Square::H8), 63);
/// ```
#[inline]
pub const fn combined71_distance(a: Square, b: Square) -> u32 {
    SquarePairs::<Combined71>::lookup(a, b)
}

/// The number of the relation, 0 to 35: the unordered pairs of file and rank distance in the order
/// of their king's distance, then of their taxi distance.
///
/// The order is that of [`combined71_distance`], without its gaps: an array of 36 holds a weight for
/// every relation.
///
/// ```text
/// relation_number a1: the relations in order, D(D + 1)/2 + T - D
///
/// 8   28  29  30  31  32  33  34  35
/// 7   21  22  23  24  25  26  27  34
/// 6   15  16  17  18  19  20  26  33
/// 5   10  11  12  13  14  19  25  32
/// 4    6   7   8   9  13  18  24  31
/// 3    3   4   5   8  12  17  23  30
/// 2    1   2   4   7  11  16  22  29
/// 1  [ 0]  1   3   6  10  15  21  28
///
///      a   b   c   d   e   f   g   h
/// ```
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::relation_number;
/// assert_eq!(relation_number(Square::A1, Square::C1), 3);
/// assert_eq!(relation_number(Square::E4, Square::F6), 4);
/// assert_eq!(relation_number(Square::A1, Square::H8), 35);
/// ```
#[inline]
pub const fn relation_number(a: Square, b: Square) -> u32 {
    let (king, taxi) = (chebyshev(a, b), manhattan(a, b));
    king * (king + 1) / 2 + taxi - king
}

/// Isenberg's `UDRDist`, 8 to 120: 15D + T, and on diagonals the low three bits cleared and bit 3
/// set. A different value for each of the 36 relations; divisible by 8 on a common rank, file or
/// diagonal; divisible by 16 on a common rank or file of two different squares.
///
/// A square and itself count as a diagonal of length zero and have 8.
///
/// ```text
/// udr_distance a1: UDRDist, one value for each relation, lines divisible by 8
///
/// 8   112  113  114  115  116  117  118  120
/// 7    96   97   98   99  100  101  104  118
/// 6    80   81   82   83   84   88  101  117
/// 5    64   65   66   67   72   84  100  116
/// 4    48   49   50   56   67   83   99  115
/// 3    32   33   40   50   66   82   98  114
/// 2    16   24   33   49   65   81   97  113
/// 1  [  8]  16   32   48   64   80   96  112
///
///       a    b    c    d    e    f    g    h
/// ```
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::udr_distance;
/// assert_eq!(udr_distance(Square::A1, Square::A4), 0x30);
/// assert_eq!(udr_distance(Square::A1, Square::D4), 0x38);
/// assert_eq!(udr_distance(Square::A1, Square::B4), 0x31);
/// assert_eq!(udr_distance(Square::A1, Square::A1), 0x08);
/// ```
#[inline]
pub const fn udr_distance(a: Square, b: Square) -> u32 {
    SquarePairs::<Udr>::lookup(a, b)
}

/// Whether a king on `a` attacks `b`.
#[inline]
pub const fn is_adjacent(a: Square, b: Square) -> bool {
    matches!(combined_distance(a, b), 2 | 3)
}

/// Whether kings on `a` and `b` stand in direct opposition: on one rank or file with one square
/// between them.
#[inline]
pub const fn is_opposition(a: Square, b: Square) -> bool {
    combined_distance(a, b) == 4
}

/// Whether kings on `a` and `b` stand in diagonal opposition: on one diagonal with one square
/// between them.
#[inline]
pub const fn is_diagonal_opposition(a: Square, b: Square) -> bool {
    udr_distance(a, b) == 0x28
}

/// Whether kings on `a` and `b` stand in distant opposition: on one rank or file with three or
/// five squares between them.
#[inline]
pub const fn is_distant_opposition(a: Square, b: Square) -> bool {
    matches!(udr_distance(a, b), 0x40 | 0x60)
}

/// Whether a knight on `a` attacks `b`.
#[inline]
pub const fn is_knight_distance(a: Square, b: Square) -> bool {
    combined_distance(a, b) == 5
}

/// Whether `a` and `b` are on a common rank, file or diagonal, as a queen moves. A square is on a line
/// with itself.
#[inline]
pub const fn same_line(a: Square, b: Square) -> bool {
    udr_distance(a, b).is_multiple_of(8)
}

/// Whether `a` and `b` are on a common diagonal.
#[inline]
pub const fn same_diagonal(a: Square, b: Square) -> bool {
    udr_distance(a, b) % 16 == 8
}

/// Whether `a` and `b` are on a common rank or file.
#[inline]
pub const fn same_rank_or_file(a: Square, b: Square) -> bool {
    let udr = udr_distance(a, b);
    udr.is_multiple_of(16) || udr == 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::reference::{coordinates, numbers, pairs};
    use shakmaty::attacks;
    use std::collections::{BTreeMap, BTreeSet};

    /// File and rank distance, the larger first.
    fn offset(a: Square, b: Square) -> (u32, u32) {
        let ((af, ar), (bf, br)) = (coordinates(a), coordinates(b));
        let (files, ranks) = (af.abs_diff(bf), ar.abs_diff(br));
        (files.max(ranks), files.min(ranks))
    }

    /// The offsets of each value.
    fn offsets_by_value(
        value: impl Fn(Square, Square) -> u32,
    ) -> BTreeMap<u32, BTreeSet<(u32, u32)>> {
        let mut map = BTreeMap::<_, BTreeSet<_>>::new();
        for (a, b) in pairs() {
            map.entry(value(a, b)).or_default().insert(offset(a, b));
        }
        map
    }

    /// The squares for which the printed table differs from the function, measured from a1.
    fn misprints(table: &str, value: impl Fn(Square, Square) -> u32) -> Vec<(Square, u32)> {
        let printed = numbers(table, 10);
        assert_eq!(printed.len(), 64);
        let printed = Square::ALL.into_iter().zip(printed);
        printed.filter(|&(square, number)| value(Square::A1, square) != number).collect()
    }

    /// One cell of the source's table contradicts its formula, and its claim that the values below six
    /// are unique.
    #[test]
    fn the_printed_table_of_combined_distance_has_one_misprint() {
        assert_eq!(misprints("combined distance", combined_distance), [(Square::E2, 5)]);
        assert_eq!(combined_distance(Square::A1, Square::E2), 9);
        assert!(!is_knight_distance(Square::A1, Square::E2));
    }

    #[test]
    fn the_printed_table_of_7d_plus_t() {
        assert_eq!(misprints("7d + t", combined71_distance), []);
    }

    #[test]
    fn the_printed_tables_of_udrdist_decimal_and_hexadecimal() {
        assert_eq!(misprints("udr distance", udr_distance), []);
        assert_eq!(numbers("udr distance", 10), numbers("udr distance, hexadecimal", 16));
    }

    #[test]
    fn combined71_and_udr_give_each_of_the_36_offsets_its_own_value() {
        for map in [offsets_by_value(combined71_distance), offsets_by_value(udr_distance)] {
            assert_eq!(map.len(), 36);
            assert!(map.values().all(|offsets| offsets.len() == 1));
        }
    }

    #[test]
    fn relation_numbers_are_0_to_35_in_the_order_of_7d_plus_t() {
        let values = offsets_by_value(combined71_distance);
        for (a, b) in pairs() {
            let below = values.keys().filter(|&&value| value < combined71_distance(a, b)).count();
            assert_eq!(relation_number(a, b), below as u32, "{a} {b}");
        }
        assert_eq!(values.len(), 36);
    }

    /// "To get divisibility of 16 on ranks and files": a square and itself are on one rank and file and
    /// have 8.
    #[test]
    fn udr_is_divisible_by_16_on_ranks_and_files_but_not_on_the_square_itself() {
        for (a, b) in pairs() {
            let (_, smaller) = offset(a, b);
            assert_eq!(udr_distance(a, b).is_multiple_of(16), smaller == 0 && a != b, "{a} {b}");
        }
        assert_eq!(udr_distance(Square::E4, Square::E4), 8);
    }

    #[test]
    fn every_relation_holds_exactly_where_it_should() {
        for (a, b) in pairs() {
            let (larger, smaller) = offset(a, b);
            assert_eq!(is_adjacent(a, b), attacks::king_attacks(a).contains(b), "{a} {b}");
            assert_eq!(is_knight_distance(a, b), attacks::knight_attacks(a).contains(b), "{a} {b}");
            assert_eq!(is_opposition(a, b), (larger, smaller) == (2, 0), "{a} {b}");
            assert_eq!(is_diagonal_opposition(a, b), (larger, smaller) == (2, 2), "{a} {b}");
            let distant = smaller == 0 && (larger == 4 || larger == 6);
            assert_eq!(is_distant_opposition(a, b), distant, "{a} {b}");
            assert_eq!(same_rank_or_file(a, b), a.file() == b.file() || a.rank() == b.rank());
            assert_eq!(same_diagonal(a, b), larger == smaller, "{a} {b}");
            assert_eq!(same_line(a, b), same_rank_or_file(a, b) || same_diagonal(a, b));
        }
    }
}
