//! The board turned so that positions that differ only by a symmetry look the same.

use super::{file_distance, king_attacks, rank_distance};
use shakmaty::{Bitboard, Square};

/// The symmetry of the board that brings a king and a bishop's corners to the same place.
///
/// The four symmetries that keep the colours of the squares, and for a bishop of the light squares those that swap
/// them, bring the corners that the bishop can attack to a1 and h8. Of the four positions that result, the frame is
/// the one with the lowest squares, compared in the order of the list.
///
/// The first square is then one of twenty, between the diagonals on White's side of the board. [`number`] numbers
/// them.
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::CornerFrame;
/// // The bishop runs on light squares: h1 and a8 are its corners. The king is next to a8.
/// let frame = CornerFrame::new(Square::F3, [Square::B8, Square::C6, Square::D5]);
/// assert_eq!(frame.square(Square::A8), Square::A1);
/// assert_eq!(frame.square(Square::B8), Square::B1);
/// ```
///
/// [`number`]: CornerFrame::number
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CornerFrame {
    is_mirrored: bool,
    turn: Turn,
}

/// A symmetry that keeps the colours of the squares.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Turn {
    None,
    Half,
    Diagonal,
    AntiDiagonal,
}

/// The number of the first of the king's squares on each of the first four ranks.
const RANK_STARTS: [u32; 4] = [0, 8, 14, 18];

impl CornerFrame {
    /// The number of squares that the king can have.
    pub const KING_SQUARES: u32 = 20;

    /// The number of sets of neighbours that the king can have, over all its squares: 8 in each of two corners, 32
    /// on each of six squares of the edge, 256 on each of twelve others.
    pub const NEIGHBOURHOODS: u32 = 2 * 8 + 6 * 32 + 12 * 256;

    /// The frame of a bishop and the squares of a king and two other men. The squares of the men are compared in this
    /// order, the bishop last.
    pub fn new(bishop: Square, men: [Square; 3]) -> CornerFrame {
        let is_mirrored = bishop.is_light();
        let frames = [Turn::None, Turn::Half, Turn::Diagonal, Turn::AntiDiagonal]
            .map(|turn| CornerFrame { is_mirrored, turn });
        let [first, others @ ..] = frames;
        let seen = |frame: CornerFrame| (men.map(|man| frame.square(man)), frame.square(bishop));
        others.into_iter().fold(
            first,
            |best, frame| {
                if seen(frame) < seen(best) { frame } else { best }
            },
        )
    }

    /// A square in the frame.
    pub fn square(self, square: Square) -> Square {
        let square = if self.is_mirrored { square.flip_horizontal() } else { square };
        match self.turn {
            Turn::None => square,
            Turn::Half => square.rotate_180(),
            Turn::Diagonal => square.flip_diagonal(),
            Turn::AntiDiagonal => square.flip_anti_diagonal(),
        }
    }

    /// A set of squares in the frame.
    pub fn set(self, set: Bitboard) -> Bitboard {
        let set = if self.is_mirrored { set.flip_horizontal() } else { set };
        match self.turn {
            Turn::None => set,
            Turn::Half => set.rotate_180(),
            Turn::Diagonal => set.flip_diagonal(),
            Turn::AntiDiagonal => set.flip_anti_diagonal(),
        }
    }

    /// The number of a king's square in its frame, below [`KING_SQUARES`](CornerFrame::KING_SQUARES).
    pub fn number(king: Square) -> u32 {
        let (file, rank) = (u32::from(king.file()), u32::from(king.rank()));
        RANK_STARTS.get(rank as usize).copied().unwrap_or_default() + file.saturating_sub(rank)
    }

    /// The square with a [`number`](CornerFrame::number).
    pub fn king_square(number: u32) -> Square {
        let squares = Square::ALL.into_iter().take(32).filter(|square| {
            let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
            rank <= file && file <= 7 - rank
        });
        squares.into_iter().nth(number as usize).unwrap_or(Square::A1)
    }

    /// The number of a set of neighbours of the king, below [`NEIGHBOURHOODS`](CornerFrame::NEIGHBOURHOODS). King
    /// and set are in the frame; squares of the set that are not next to the king do not count.
    pub fn neighbourhood(king: Square, set: Bitboard) -> u32 {
        let neighbours = king_attacks(king.into());
        let bits = neighbours
            .into_iter()
            .rev()
            .fold(0, |bits, square| 2 * bits + u32::from(set.contains(square)));
        first_neighbourhood(Self::number(king)) + bits
    }

    /// The king's square and the set with a [`neighbourhood`](CornerFrame::neighbourhood).
    pub fn neighbours(number: u32) -> (Square, Bitboard) {
        let kings = (0..Self::KING_SQUARES).rev();
        let king = kings.into_iter().find(|&king| first_neighbourhood(king) <= number);
        let king = king.unwrap_or_default();
        let bits = number - first_neighbourhood(king);
        let square = Self::king_square(king);
        let neighbours = (0..).zip(king_attacks(square.into()));
        let set = neighbours.filter(|(at, _)| bits >> at & 1 == 1).map(|(_, square)| square);
        (square, set.collect())
    }

    /// The number of the offset from one square to another, 0 to 224: 15 (files + 7) + ranks + 7.
    ///
    /// Unlike [`relation_number`](super::relation_number) it knows the direction. The square itself has 112.
    ///
    /// ```
    /// use shakmaty::Square;
    /// use tropism::geometry::CornerFrame;
    /// assert_eq!(CornerFrame::offset(Square::E4, Square::E4), 112);
    /// assert_eq!(CornerFrame::offset(Square::E4, Square::E5), 113);
    /// assert_eq!(CornerFrame::offset(Square::E4, Square::F4), 127);
    /// assert_eq!(CornerFrame::offset(Square::H8, Square::A1), 0);
    /// ```
    pub fn offset(from: Square, to: Square) -> u32 {
        let signed = |distance: u32, is_up: bool| if is_up { 7 + distance } else { 7 - distance };
        15 * signed(file_distance(from, to), to.file() >= from.file())
            + signed(rank_distance(from, to), to.rank() >= from.rank())
    }

    /// The number of an offset of at most two files and two ranks, 0 to 24: 5 (files + 2) + ranks + 2. None for a longer
    /// one.
    ///
    /// ```
    /// use shakmaty::Square;
    /// use tropism::geometry::CornerFrame;
    /// assert_eq!(CornerFrame::near_offset(Square::E4, Square::E4), Some(12));
    /// assert_eq!(CornerFrame::near_offset(Square::E4, Square::E5), Some(13));
    /// assert_eq!(CornerFrame::near_offset(Square::E4, Square::F4), Some(17));
    /// assert_eq!(CornerFrame::near_offset(Square::E4, Square::H4), None);
    /// ```
    pub fn near_offset(from: Square, to: Square) -> Option<u32> {
        let number = Self::offset(from, to);
        let [files, ranks] =
            [number / 15, number % 15].map(|offset| offset.checked_sub(5).filter(|&it| it < 5));
        Some(5 * files? + ranks?)
    }
}

/// The lowest number of a neighbourhood of the king's square with this number.
fn first_neighbourhood(king: u32) -> u32 {
    // Numbers 0 and 7 are corners, the others up to 6 on the edge.
    match king {
        0 => 0,
        1..=7 => 8 + 32 * (king - 1),
        _ => 208 + 256 * (king - 8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn frames_of_all_symmetries_are_the_same() {
        let symmetries: [fn(Square) -> Square; 4] =
            [|it| it, Square::rotate_180, Square::flip_diagonal, Square::flip_anti_diagonal];
        let men = [Square::G7, Square::E6, Square::C2];
        for bishop in Square::ALL {
            let seen = |men: [Square; 3], bishop| {
                let frame = CornerFrame::new(bishop, men);
                (men.map(|man| frame.square(man)), frame.square(bishop))
            };
            let expected = seen(men, bishop);
            assert!(expected.1.is_dark());
            for turn in symmetries {
                assert_eq!(seen(men.map(turn), turn(bishop)), expected);
                let mirror = |square: Square| turn(square).flip_horizontal();
                assert_eq!(seen(men.map(mirror), mirror(bishop)), expected);
            }
        }
    }

    #[test]
    fn the_king_has_twenty_squares_and_each_neighbourhood_a_number() {
        let mut squares = BTreeSet::new();
        for king in Square::ALL {
            let frame = CornerFrame::new(Square::A1, [king, Square::B7, Square::C4]);
            let seen = frame.square(king);
            assert_eq!(CornerFrame::king_square(CornerFrame::number(seen)), seen);
            squares.insert(CornerFrame::number(seen));
            let set = Bitboard::from_iter([king, Square::C4]);
            let expected = set.into_iter().map(|square| frame.square(square)).collect();
            assert_eq!(frame.set(set), expected);
        }
        assert!(squares.into_iter().eq(0..CornerFrame::KING_SQUARES));
        for number in 0..CornerFrame::NEIGHBOURHOODS {
            let (king, open) = CornerFrame::neighbours(number);
            assert!(open.is_subset(king_attacks(king.into())));
            assert_eq!(CornerFrame::neighbourhood(king, open), number);
        }
    }

    #[test]
    fn every_offset_has_its_number() {
        let mut numbers = BTreeSet::new();
        for from in Square::ALL {
            for to in Square::ALL {
                let files = i32::from(to.file()) - i32::from(from.file());
                let ranks = i32::from(to.rank()) - i32::from(from.rank());
                let number = CornerFrame::offset(from, to);
                assert_eq!(number as i32, 15 * (files + 7) + ranks + 7);
                numbers.insert(number);
                let near = (files.abs() <= 2 && ranks.abs() <= 2)
                    .then_some((5 * (files + 2) + ranks + 2) as u32);
                assert_eq!(CornerFrame::near_offset(from, to), near);
            }
        }
        assert_eq!(numbers.len(), 225);
    }
}
