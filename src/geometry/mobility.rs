//! Mobility-graph distance: how many moves a piece needs to every square of this board.

use super::{Layers, Mover, Terrain};
use shakmaty::{Bitboard, Square};

/// For a `mover` on `from`, the number of its moves to every square over `terrain`, as if nothing
/// else moved: own men in the way, enemy men to be captured, guarded squares avoided.
///
/// Source: Levinson and Snyder 1993, "Distance: Toward the Unification of Chess Knowledge", as told
/// in Chess Programming Wiki, *Distance*: "exploring a piece's mobility graph to determine what is
/// close to it". All other distances are this one on an empty board.
///
/// ```text
/// mobility g1: moves of the piece on a square to every other, if no other piece moves
///
/// 8   5  4  5  4  5  4  5  4
/// 7   4  5  4  3  4  3  4  3
/// 6   5  4  3  4  3  4  3  4
/// 5   4  3  4  3  2  3  2  3
/// 4   5  4  3  2  3  2  3  2
/// 3   4  3  4  3  4  1  4  1
/// 2   P  P  P  P  P  P  P  P
/// 1   R  N  B  Q  K  B [0] R
///
///     a  b  c  d  e  f  g  h
/// ```
///
/// ```
/// use shakmaty::{Board, Color, Square};
/// use tropism::geometry::{Mover, Terrain, mobility};
/// let board = Board::default();
/// let terrain = Terrain { own: board.white(), enemy: board.black(), ..Terrain::EMPTY };
/// let knight = mobility(Mover::Knight, Square::G1, &terrain);
/// assert_eq!(knight.get(Square::F3), Some(1));
/// // Where an own man stands, there is no way.
/// assert_eq!(knight.get(Square::D4), Some(2));
/// assert_eq!(knight.get(Square::E2), None);
/// // The rook beside it cannot move at all.
/// assert_eq!(mobility(Mover::Rook, Square::H1, &terrain).reached().count(), 1);
/// ```
#[inline]
pub fn mobility(mover: Mover, from: Square, terrain: &Terrain) -> DistanceMap {
    Layers::new(mover, from.into(), terrain).collect()
}

/// A distance for every square of the board, 0 to 63, or none where there is no way.
///
/// The numbers are kept as six bit planes, a set of squares for each binary digit, so that a map
/// is made with a few operations a move, has no heap, and adds up the distances of any set of
/// squares without looking at one of them.
///
/// ```
/// use shakmaty::{Bitboard, Square};
/// use tropism::geometry::{DistanceMap, Mover, Terrain, Layers};
/// let waves = Layers::new(Mover::King, Square::A1.into(), &Terrain::EMPTY);
/// let map: DistanceMap = waves.collect();
/// assert_eq!(map.get(Square::C5), Some(4));
/// assert_eq!(map.sum(Bitboard::from_square(Square::C5).with(Square::B1)), 5);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct DistanceMap {
    planes: [Bitboard; PLANES],
    reached: Bitboard,
}

/// The longest way visits each of 64 squares once: 63 moves, six binary digits.
const PLANES: usize = 6;

impl DistanceMap {
    /// The distance of `square`.
    ///
    /// ```
    /// use shakmaty::Square;
    /// use tropism::geometry::{Mover, Terrain, mobility};
    /// let bishop = mobility(Mover::Bishop, Square::C1, &Terrain::EMPTY);
    /// assert_eq!(bishop.get(Square::B8), Some(2));
    /// // There is no way to the other colour.
    /// assert_eq!(bishop.get(Square::C2), None);
    /// ```
    #[inline]
    pub fn get(&self, square: Square) -> Option<u32> {
        self.reached.contains(square).then(|| self.sum(square.into()))
    }

    /// All squares that have a distance.
    ///
    /// ```
    /// use shakmaty::{Bitboard, Square};
    /// use tropism::geometry::{Mover, Terrain, mobility};
    /// let bishop = mobility(Mover::Bishop, Square::C1, &Terrain::EMPTY);
    /// assert_eq!(bishop.reached(), Bitboard::DARK_SQUARES);
    /// ```
    #[inline]
    pub const fn reached(&self) -> Bitboard {
        self.reached
    }

    /// The squares at a distance of exactly `moves`.
    ///
    /// ```
    /// use shakmaty::Square;
    /// use tropism::geometry::{Mover, Terrain, knight_attacks, mobility};
    /// let map = mobility(Mover::Knight, Square::D4, &Terrain::EMPTY);
    /// assert_eq!(map.at(1), knight_attacks(Square::D4.into()));
    /// ```
    pub fn at(&self, moves: u32) -> Bitboard {
        if moves >> PLANES != 0 {
            return Bitboard::EMPTY;
        }
        let digit = |i: usize| if moves >> i & 1 == 1 { Bitboard::FULL } else { Bitboard::EMPTY };
        let planes = self.planes.into_iter().enumerate();
        planes.fold(self.reached, |squares, (i, plane)| squares & !(plane ^ digit(i)))
    }

    /// The least distance of a square of `set`, or `None` if no square of it has one.
    ///
    /// ```
    /// use shakmaty::{Bitboard, Square};
    /// use tropism::geometry::{Mover, Terrain, mobility};
    /// let king = mobility(Mover::King, Square::B1, &Terrain::EMPTY);
    /// assert_eq!(king.nearest(Bitboard::CENTER), Some(3));
    /// assert_eq!(king.nearest(Bitboard::EMPTY), None);
    /// ```
    pub fn nearest(&self, set: Bitboard) -> Option<u32> {
        // Digit by digit from the highest, keeping the squares that lack it if there are any.
        let mut nearest = self.reached & set;
        for plane in self.planes.into_iter().rev() {
            if (nearest & !plane).any() {
                nearest &= !plane;
            }
        }
        nearest.first().and_then(|square| self.get(square))
    }

    /// The sum of the distances of all squares of `set` that have one.
    ///
    /// ```
    /// use shakmaty::{Bitboard, Square};
    /// use tropism::geometry::{Mover, Terrain, mobility};
    /// let rook = mobility(Mover::Rook, Square::A1, &Terrain::EMPTY);
    /// // 14 squares at one move, 49 at two.
    /// assert_eq!(rook.sum(Bitboard::FULL), 14 + 2 * 49);
    /// ```
    #[inline]
    pub fn sum(&self, set: Bitboard) -> u32 {
        let planes = self.planes.into_iter().enumerate();
        planes.map(|(i, plane)| ((plane & set).count() as u32) << i).sum()
    }

    /// The largest distance, or `None` if no square has one.
    ///
    /// ```
    /// use shakmaty::Square;
    /// use tropism::geometry::{Mover, Terrain, mobility};
    /// let knight = |from| mobility(Mover::Knight, from, &Terrain::EMPTY).longest();
    /// assert_eq!((knight(Square::A1), knight(Square::D4)), (Some(6), Some(4)));
    /// ```
    pub fn longest(&self) -> Option<u32> {
        // Digit by digit from the highest, keeping the squares that have it if there are any.
        let mut farthest = self.reached;
        for plane in self.planes.into_iter().rev() {
            if (farthest & plane).any() {
                farthest &= plane;
            }
        }
        farthest.first().and_then(|square| self.get(square))
    }
}

/// The n-th set has distance n. A square that comes twice keeps neither number, so the sets must
/// be disjoint, as the [`Layers`] of a fill are, and at most 64.
impl FromIterator<Bitboard> for DistanceMap {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Bitboard>>(waves: I) -> DistanceMap {
        let mut map = DistanceMap { planes: [Bitboard::EMPTY; PLANES], reached: Bitboard::EMPTY };
        for (moves, wave) in waves.into_iter().enumerate() {
            map.reached |= wave;
            for (i, plane) in map.planes.iter_mut().enumerate() {
                if moves >> i & 1 == 1 {
                    *plane |= wave;
                }
            }
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{chebyshev, knight_distance};
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen};

    #[test]
    fn on_an_empty_board_it_is_the_distance_of_the_piece() {
        for from in Square::ALL {
            let king = mobility(Mover::King, from, &Terrain::EMPTY);
            let knight = mobility(Mover::Knight, from, &Terrain::EMPTY);
            for to in Square::ALL {
                assert_eq!(king.get(to), Some(chebyshev(from, to)), "{from} {to}");
                assert_eq!(knight.get(to), Some(knight_distance(from, to)), "{from} {to}");
            }
        }
    }

    #[test]
    fn own_men_block_enemy_men_are_captured_and_guarded_squares_are_avoided() {
        let fen: Fen = "4k3/8/1p6/8/8/8/PP6/R3K3 w - - 0 1".parse().unwrap();
        let chess: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let board = chess.board();
        let open = Terrain { own: board.white(), enemy: board.black(), ..Terrain::EMPTY };
        let guarded = Terrain {
            guarded: crate::geometry::pawn_attacks(Color::Black, board.pawns() & board.black()),
            ..open
        };
        let map = mobility(Mover::Rook, Square::A1, &open);
        // a2 is an own man, the e-file is behind the own king, e8 is captured over the d-file.
        assert_eq!(map.get(Square::A2), None);
        assert_eq!(map.get(Square::A1), Some(0));
        assert_eq!(map.get(Square::D1), Some(1));
        assert_eq!(map.get(Square::D5), Some(2));
        assert_eq!(map.get(Square::E8), Some(3));
        assert_eq!(map.get(Square::B6), Some(3));
        assert_eq!(map.get(Square::A5), Some(3));
        let avoiding = mobility(Mover::Rook, Square::A1, &guarded);
        // b6 guards a5 and c5; the rook passes over c5 but does not stop there.
        assert_eq!(avoiding.get(Square::A5), None);
        assert_eq!(avoiding.get(Square::C5), None);
        assert_eq!(avoiding.get(Square::C8), Some(2));
        assert_eq!(avoiding.get(Square::B6), Some(3));
    }

    #[test]
    fn a_piece_that_has_left_is_not_in_its_own_way() {
        // A rook in a corridor a1-c1: from b1 it must pass b1 again to change sides.
        let own = !Bitboard::from_rank(shakmaty::Rank::First) | Square::B1;
        let map = mobility(Mover::Rook, Square::B1, &Terrain { own, ..Terrain::EMPTY });
        assert_eq!(map.at(1), Bitboard(0b1111_1101));
        assert_eq!(map.longest(), Some(1));
    }

    #[test]
    fn a_board_wound_up_to_one_corridor() {
        // Ranks 2, 4, 6 and 8 are walls but for a gap at alternating ends.
        let gaps = [(Square::H2, 1), (Square::A4, 3), (Square::H6, 5), (Square::A8, 7)];
        let own = gaps.into_iter().fold(Bitboard::EMPTY, |wall, (gap, rank)| {
            wall | (Bitboard::from_rank(shakmaty::Rank::new(rank)).without(gap))
        });
        let map = mobility(Mover::Rook, Square::A1, &Terrain { own, ..Terrain::EMPTY });
        assert_eq!((map.longest(), map.get(Square::A8)), (Some(8), Some(8)));
        // A king cuts the corners: seven moves for each of four ranks, the
        // last of them diagonal.
        let king = mobility(Mover::King, Square::A1, &Terrain { own, ..Terrain::EMPTY });
        assert_eq!((king.longest(), king.get(Square::A8)), (Some(28), Some(28)));
    }

    proptest! {
        #[test]
        fn a_map_keeps_what_it_is_given(
            distances in proptest::collection::vec(proptest::option::of(0u32..64), 64), set: u64
        ) {
            let at = |moves: u32| -> Bitboard {
                let here = Square::ALL.into_iter().zip(&distances);
                here.filter(|&(_, &d)| d == Some(moves)).map(|(square, _)| square).collect()
            };
            let map: DistanceMap = (0..64).map(at).collect();
            for square in Square::ALL {
                prop_assert_eq!(map.get(square), distances[square.to_usize()]);
            }
            for moves in 0..70 {
                prop_assert_eq!(map.at(moves), at(moves));
            }
            let sum = Bitboard(set).into_iter().filter_map(|s| distances[s.to_usize()]).sum::<u32>();
            prop_assert_eq!(map.sum(Bitboard(set)), sum);
            prop_assert_eq!(map.longest(), distances.iter().copied().flatten().max());
            let of_set = Bitboard(set).into_iter().filter_map(|s| distances[s.to_usize()]);
            prop_assert_eq!(map.nearest(Bitboard(set)), of_set.min());
        }
    }

    #[test]
    fn an_empty_map() {
        let map: DistanceMap = std::iter::empty().collect();
        assert_eq!((map.longest(), map.reached()), (None, Bitboard::EMPTY));
        assert_eq!(map.at(0), Bitboard::EMPTY);
    }
}
