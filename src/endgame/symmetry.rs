//! The rotations and reflections of the board that leave the value of a position as it is.
//!
//! Without pawns a position and its seven images have the same value. One of the eight brings the first king into the
//! triangle a1-d1-d4, which has 10 squares. With pawns only the reflection of the files is left. It brings the first
//! king to the files a to d, which have 32.

use shakmaty::{Bitboard, Square};

/// One of the eight rotations and reflections of the board: reflect the files, then the ranks, then the diagonal from
/// a1 to h8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Image {
    files: bool,
    ranks: bool,
    diagonal: bool,
}

/// The square of the first king on its image of the board.
#[derive(Clone, Copy, Debug)]
pub struct FoldedKing {
    /// The number of its square among those of the region, see [`king_squares`].
    pub number: usize,
    /// The image that brings it there.
    pub image: Image,
}

impl Image {
    /// The board as it is.
    pub const SAME: Image = Image { files: false, ranks: false, diagonal: false };

    /// The square that takes the place of `square`.
    #[inline]
    pub fn square(self, mut square: Square) -> Square {
        if self.files {
            square = square.flip_horizontal();
        }
        if self.ranks {
            square = square.flip_vertical();
        }
        if self.diagonal { square.flip_diagonal() } else { square }
    }

    /// The squares whose images make up this set.
    #[inline]
    pub fn origin(self, mut set: Bitboard) -> Bitboard {
        if self.diagonal {
            set = set.flip_diagonal();
        }
        if self.ranks {
            set = set.flip_vertical();
        }
        if self.files { set.flip_horizontal() } else { set }
    }
}

/// The squares of the first king by their number: without pawns the triangle a1-d1-d4, with pawns the files a to d.
pub fn king_squares(has_pawns: bool) -> impl ExactSizeIterator<Item = Square> + Clone {
    let numbers = 0..if has_pawns { 32_u32 } else { 10 };
    numbers.map(move |number| {
        const TRIANGLE: [u32; 10] = [0, 1, 2, 3, 9, 10, 11, 18, 19, 27];
        let index =
            if has_pawns { 8 * (number / 4) + number % 4 } else { TRIANGLE[number as usize] };
        Square::new(index)
    })
}

/// Brings the first king into its region.
#[inline]
pub fn fold(king: Square, has_pawns: bool) -> FoldedKing {
    let (mut file, mut rank) = (king.file() as usize, king.rank() as usize);
    let files = file > 3;
    if files {
        file = 7 - file;
    }
    if has_pawns {
        return FoldedKing { number: 4 * rank + file, image: Image { files, ..Image::SAME } };
    }
    let ranks = rank > 3;
    if ranks {
        rank = 7 - rank;
    }
    let diagonal = rank > file;
    if diagonal {
        (file, rank) = (rank, file);
    }
    // The triangle row by row: 4, 3, 2 and 1 squares.
    FoldedKing { number: [0, 3, 5, 6][rank] + file, image: Image { files, ranks, diagonal } }
}

/// Where a square lies: negative below the diagonal from a1 to h8, 0 on it, positive above it.
#[inline]
pub fn above_diagonal(square: Square) -> i32 {
    square.rank() as i32 - square.file() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_king_is_folded_into_the_region() {
        for has_pawns in [false, true] {
            let squares: Vec<Square> = king_squares(has_pawns).collect();
            for king in Square::ALL {
                let FoldedKing { number, image } = fold(king, has_pawns);
                assert_eq!(image.square(king), squares[number], "{king}");
                assert!(!has_pawns || !image.ranks && !image.diagonal);
            }
            for (number, &king) in squares.iter().enumerate() {
                let folded = fold(king, has_pawns);
                assert_eq!((folded.number, folded.image), (number, Image::SAME));
            }
        }
    }

    #[test]
    fn the_origin_of_a_set_is_made_of_the_squares_with_an_image_in_it() {
        let set = Bitboard(0x0123_4567_89ab_cdef);
        for number in 0..8 {
            let [files, ranks, diagonal] = [1, 2, 4].map(|bit| number & bit != 0);
            let image = Image { files, ranks, diagonal };
            let origin: Bitboard =
                Square::ALL.into_iter().filter(|&it| set.contains(image.square(it))).collect();
            assert_eq!(image.origin(set), origin, "{image:?}");
        }
    }

    #[test]
    fn squares_above_and_below_the_diagonal() {
        for (square, sign) in [(Square::A1, 0), (Square::H8, 0), (Square::A2, 1), (Square::H7, -1)]
        {
            assert_eq!(above_diagonal(square).signum(), sign, "{square}");
        }
    }
}
