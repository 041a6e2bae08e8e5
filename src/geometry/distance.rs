//! Distances between two squares, and from a square to fixed parts of the board.

use shakmaty::{Color, Square};

/// The number of king moves from `a` to `b` on an empty board, 0 to 7.
///
/// Source: Chess Programming Wiki, *Distance*: the maximum of file and rank distance.
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::chebyshev;
/// // A king on f6 needs five moves to reach h1.
/// assert_eq!(chebyshev(Square::F6, Square::H1), 5);
/// ```
#[inline]
pub const fn chebyshev(a: Square, b: Square) -> u32 {
    a.distance(b)
}

/// The number of one-square rook steps from `a` to `b`, 0 to 14: the taxi distance.
///
/// Source: Chess Programming Wiki, *Distance*; Gerd Isenberg, "unique distance relationship",
/// CCC 2002.
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::manhattan;
/// assert_eq!(manhattan(Square::A1, Square::H8), 14);
/// ```
#[inline]
pub const fn manhattan(a: Square, b: Square) -> u32 {
    a.file().distance(b.file()) + a.rank().distance(b.rank())
}

/// The number of rook steps from `square` to the nearest of d4, e4, d5 and e5, 0 to 6.
///
/// Source: Chess Programming Wiki, *Center Manhattan-Distance*, by way of *Distance*.
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

/// How many lines 0..=7 lie between `line` and the nearer of the two middle ones: 3 2 1 0 0 1 2 3.
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
    match side {
        Color::White => rank,
        Color::Black => 7 - rank,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::reference::{coordinates, pairs};

    #[test]
    fn chebyshev_counts_king_moves() {
        for a in Square::ALL {
            let mut seen = shakmaty::Bitboard::from_square(a);
            for moves in 0..=7 {
                for b in Square::ALL {
                    assert_eq!(chebyshev(a, b) <= moves, seen.contains(b), "{a} {b}");
                }
                for square in seen {
                    seen |= shakmaty::attacks::king_attacks(square);
                }
            }
        }
    }

    #[test]
    fn manhattan_adds_file_and_rank_distance() {
        for (a, b) in pairs() {
            let ((af, ar), (bf, br)) = (coordinates(a), coordinates(b));
            let expected = (af - bf).abs() + (ar - br).abs();
            assert_eq!(manhattan(a, b) as i32, expected, "{a} {b}");
        }
        assert_eq!(pairs().map(|(a, b)| manhattan(a, b)).max(), Some(14));
    }

    #[test]
    fn centre_manhattan_is_the_least_manhattan_distance_to_a_centre_square() {
        let centre = [Square::D4, Square::E4, Square::D5, Square::E5];
        for square in Square::ALL {
            let nearest = centre.map(|c| manhattan(square, c)).into_iter().min();
            assert_eq!(Some(centre_manhattan(square)), nearest, "{square}");
        }
    }

    #[test]
    fn edge_distance_is_the_least_distance_to_an_edge_square() {
        let edges = shakmaty::Bitboard(0xff81_8181_8181_81ff);
        for square in Square::ALL {
            let nearest = edges.into_iter().map(|edge| chebyshev(square, edge)).min();
            assert_eq!(Some(edge_distance(square)), nearest, "{square}");
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
}
