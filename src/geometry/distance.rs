//! Distances between two squares, and from a square to a part of the board.

use super::layout::{Chebyshev, Manhattan, SquarePairs};
use shakmaty::{Color, Square};

/// The number of files between `a` and `b`, 0 to 7.
///
/// Source: Chess Programming Wiki, *Distance* (file distance).
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::file_distance;
/// assert_eq!(file_distance(Square::B2, Square::G3), 5);
/// ```
#[inline]
pub const fn file_distance(a: Square, b: Square) -> u32 {
    a.file().distance(b.file())
}

/// The number of ranks between `a` and `b`, 0 to 7.
///
/// Source: Chess Programming Wiki, *Distance* (rank distance).
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::rank_distance;
/// assert_eq!(rank_distance(Square::B2, Square::G3), 1);
/// ```
#[inline]
pub const fn rank_distance(a: Square, b: Square) -> u32 {
    a.rank().distance(b.rank())
}

/// The number of king moves from `a` to `b` on an empty board, 0 to 7.
///
/// Source: Chess Programming Wiki, *Distance*: the maximum of file and rank distance.
///
/// ```text
/// chebyshev c2: king moves between two squares
///
/// 8   6  6  6  6  6  6  6  6
/// 7   5  5  5  5  5  5  5  5
/// 6   4  4  4  4  4  4  4  5
/// 5   3  3  3  3  3  3  4  5
/// 4   2  2  2  2  2  3  4  5
/// 3   2  1  1  1  2  3  4  5
/// 2   2  1 [0] 1  2  3  4  5
/// 1   2  1  1  1  2  3  4  5
///
///     a  b  c  d  e  f  g  h
/// ```
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::chebyshev;
/// // A king on f6 needs five moves to reach h1.
/// assert_eq!(chebyshev(Square::F6, Square::H1), 5);
/// ```
#[inline]
pub const fn chebyshev(a: Square, b: Square) -> u32 {
    SquarePairs::<Chebyshev>::lookup(a, b)
}

/// The number of one-square rook steps from `a` to `b`, 0 to 14: the taxi distance.
///
/// Source: Chess Programming Wiki, *Distance*; Gerd Isenberg, "unique distance relationship",
/// CCC 2002.
///
/// ```text
/// manhattan c2: rook steps between two squares
///
/// 8    8   7   6   7   8   9  10  11
/// 7    7   6   5   6   7   8   9  10
/// 6    6   5   4   5   6   7   8   9
/// 5    5   4   3   4   5   6   7   8
/// 4    4   3   2   3   4   5   6   7
/// 3    3   2   1   2   3   4   5   6
/// 2    2   1 [ 0]  1   2   3   4   5
/// 1    3   2   1   2   3   4   5   6
///
///      a   b   c   d   e   f   g   h
/// ```
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::manhattan;
/// assert_eq!(manhattan(Square::A1, Square::H8), 14);
/// ```
#[inline]
pub const fn manhattan(a: Square, b: Square) -> u32 {
    SquarePairs::<Manhattan>::lookup(a, b)
}

/// The number of king moves from `square` to the nearest of d4, e4, d5 and e5, 0 to 3.
///
/// Source: Chess Programming Wiki, *Center Distance*, by way of *Distance*.
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::centre_distance;
/// assert_eq!(centre_distance(Square::C6), 1);
/// assert_eq!(centre_distance(Square::A8), 3);
/// ```
#[inline]
pub const fn centre_distance(square: Square) -> u32 {
    3 - edge_distance(square)
}

/// The number of rook steps from `square` to the nearest of d4, e4, d5 and e5, 0 to 6.
///
/// Source: Chess Programming Wiki, *Center Manhattan-Distance*, by way of *Distance*.
///
/// ```text
/// centre_manhattan: rook steps to the four centre squares
///
/// 8   6  5  4  3  3  4  5  6
/// 7   5  4  3  2  2  3  4  5
/// 6   4  3  2  1  1  2  3  4
/// 5   3  2  1  0  0  1  2  3
/// 4   3  2  1  0  0  1  2  3
/// 3   4  3  2  1  1  2  3  4
/// 2   5  4  3  2  2  3  4  5
/// 1   6  5  4  3  3  4  5  6
///
///     a  b  c  d  e  f  g  h
/// ```
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::centre_manhattan;
/// assert_eq!(centre_manhattan(Square::E4), 0);
/// assert_eq!(centre_manhattan(Square::A8), 6);
/// ```
#[inline]
pub const fn centre_manhattan(square: Square) -> u32 {
    from_centre_line(square.file().to_u32()) + from_centre_line(square.rank().to_u32())
}

/// The number of king moves from `square` to the nearest edge of the board, 0 to 3.
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::edge_distance;
/// assert_eq!(edge_distance(Square::A4), 0);
/// assert_eq!(edge_distance(Square::D5), 3);
/// ```
#[inline]
pub const fn edge_distance(square: Square) -> u32 {
    let file = 3 - from_centre_line(square.file().to_u32());
    let rank = 3 - from_centre_line(square.rank().to_u32());
    if file < rank { file } else { rank }
}

/// The distance of a file or rank, 0 to 7, from the nearer of the two middle ones: 3 2 1 0 0 1 2 3.
const fn from_centre_line(line: u32) -> u32 {
    if line < 4 { 3 - line } else { line - 4 }
}

/// The number of ranks between `square` and `side`'s own back rank, 0 to 7.
///
/// ```
/// use shakmaty::{Color, Square};
/// use tropism::geometry::back_rank_distance;
/// assert_eq!(back_rank_distance(Color::White, Square::E4), 3);
/// assert_eq!(back_rank_distance(Color::Black, Square::E4), 4);
/// ```
#[inline]
pub const fn back_rank_distance(side: Color, square: Square) -> u32 {
    let rank = square.rank().to_u32();
    if side.is_white() { rank } else { 7 - rank }
}

/// The number of moves that a pawn of `side` on `square` needs to its last rank, 0 to 6, if nothing
/// blocks it and it uses the double step.
///
/// No pawn stands on its own back rank; the value there, six, counts one step to the second rank.
///
/// ```
/// use shakmaty::{Color, Square};
/// use tropism::geometry::promotion_distance;
/// assert_eq!(promotion_distance(Color::White, Square::E3), 5);
/// // The double step makes the second rank as near as the third.
/// assert_eq!(promotion_distance(Color::White, Square::E2), 5);
/// assert_eq!(promotion_distance(Color::Black, Square::E2), 1);
/// ```
#[inline]
pub const fn promotion_distance(side: Color, square: Square) -> u32 {
    let rank = back_rank_distance(side, square);
    7 - rank - (rank < 2) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::reference::{breadth_first, coordinates, pairs};
    use shakmaty::attacks::{king_attacks, rook_attacks};
    use shakmaty::{Bitboard, Rank};

    #[test]
    fn distances_count_the_moves_of_a_king_and_of_one_that_goes_straight() {
        let straight = |square| king_attacks(square) & rook_attacks(square, Bitboard::EMPTY);
        for from in Square::ALL {
            let (king, straight) =
                (breadth_first(from, king_attacks), breadth_first(from, straight));
            for to in Square::ALL {
                assert_eq!(Some(chebyshev(from, to)), king[to.to_usize()], "{from} {to}");
                assert_eq!(Some(manhattan(from, to)), straight[to.to_usize()], "{from} {to}");
                let ((af, ar), (bf, br)) = (coordinates(from), coordinates(to));
                assert_eq!(file_distance(from, to), af.abs_diff(bf), "{from} {to}");
                assert_eq!(rank_distance(from, to), ar.abs_diff(br), "{from} {to}");
            }
        }
        // "Between the endpoints of the main-diagonals" only.
        let farthest: Vec<_> = pairs().filter(|&(a, b)| manhattan(a, b) >= 14).collect();
        let (a1, h1, a8, h8) = (Square::A1, Square::H1, Square::A8, Square::H8);
        assert_eq!(farthest, [(a1, h8), (h1, a8), (a8, h1), (h8, a1)]);
    }

    #[test]
    fn distances_to_parts_of_the_board_are_the_least_to_their_squares() {
        type Part = (fn(Square) -> u32, Bitboard, fn(Square, Square) -> u32);
        let parts: [Part; 3] = [
            (centre_distance, Bitboard::CENTER, chebyshev),
            (centre_manhattan, Bitboard::CENTER, manhattan),
            (edge_distance, Bitboard::EDGES, chebyshev),
        ];
        for square in Square::ALL {
            for (distance, part, metric) in parts {
                let nearest = part.into_iter().map(|other| metric(square, other)).min();
                assert_eq!(Some(distance(square)), nearest, "{square}");
            }
        }
    }

    #[test]
    fn back_rank_distance_counts_ranks() {
        for square in Square::ALL {
            let (_, rank) = coordinates(square);
            assert_eq!(back_rank_distance(Color::White, square) as i32, rank);
            assert_eq!(back_rank_distance(Color::Black, square) as i32, 7 - rank);
        }
    }

    #[test]
    fn promotion_distance_counts_the_moves_of_a_pawn() {
        for (side, forward, second) in [(Color::White, 8, 1), (Color::Black, -8, 6)] {
            for from in Square::ALL {
                let moves = breadth_first(from, |square| {
                    let single = square.offset(forward);
                    let double = single.filter(|_| coordinates(square).1 == second);
                    single.into_iter().chain(double.and_then(|s| s.offset(forward))).collect()
                });
                let last = Bitboard::from_rank(side.fold_wb(Rank::Eighth, Rank::First));
                let least = last.into_iter().filter_map(|to| moves[to.to_usize()]).min();
                assert_eq!(Some(promotion_distance(side, from)), least, "{side} {from}");
            }
        }
    }
}
