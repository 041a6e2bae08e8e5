//! Mobility-graph distance: the number of moves that a piece needs to every square in a position.

use super::{Layers, Mover, Terrain};
use shakmaty::{Bitboard, Square};

/// The number of moves that a `mover` on `from` needs to every square over `terrain`, if no other piece
/// moves. Own pieces block it, enemy pieces can be captured, guarded squares are avoided.
///
/// Source: Levinson and Snyder 1993, "Distance: Toward the Unification of Chess Knowledge", quoted
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
/// // There is no path to a square with an own piece.
/// assert_eq!(knight.get(Square::D4), Some(2));
/// assert_eq!(knight.get(Square::E2), None);
/// // The rook next to it cannot move.
/// assert_eq!(mobility(Mover::Rook, Square::H1, &terrain).reached().count(), 1);
/// ```
#[inline]
pub fn mobility(mover: Mover, from: Square, terrain: &Terrain) -> DistanceMap {
    Layers::new(mover, from.into(), terrain).collect()
}

/// A distance for every square of the board, 0 to 63, or none where there is no path.
///
/// The numbers are stored as six bit planes: a set of squares for each binary digit. A map therefore
/// takes a few operations a move, allocates nothing, and sums the distances of a set of squares without
/// a loop over the squares.
///
/// ```
/// use shakmaty::{Bitboard, Square};
/// use tropism::geometry::{DistanceMap, Mover, Terrain, Layers};
/// let layers = Layers::new(Mover::King, Square::A1.into(), &Terrain::EMPTY);
/// let map: DistanceMap = layers.collect();
/// assert_eq!(map.get(Square::C5), Some(4));
/// assert_eq!(map.sum(Bitboard::from_square(Square::C5).with(Square::B1)), 5);
/// assert_eq!(map.reached(), Bitboard::FULL);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct DistanceMap {
    planes: [Bitboard; PLANES],
    reached: Bitboard,
}

/// The longest path visits each of 64 squares once: 63 moves, six binary digits.
const PLANES: usize = 6;

impl DistanceMap {
    /// The distance of `square`.
    #[inline]
    pub fn get(&self, square: Square) -> Option<u32> {
        self.reached.contains(square).then(|| self.sum(square.into()))
    }

    /// All squares that have a distance.
    #[inline]
    pub const fn reached(&self) -> Bitboard {
        self.reached
    }

    /// The sum of the distances of all squares of `set` that have one.
    #[inline]
    pub fn sum(&self, set: Bitboard) -> u32 {
        let planes = self.planes.into_iter().enumerate();
        planes.map(|(i, plane)| ((plane & set).count() as u32) << i).sum()
    }
}

/// The n-th set has distance n. The sets must be disjoint, as [`Layers`] are, and at most 64: a square
/// in two sets gets a wrong distance.
impl FromIterator<Bitboard> for DistanceMap {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Bitboard>>(layers: I) -> DistanceMap {
        let mut map = DistanceMap { planes: [Bitboard::EMPTY; PLANES], reached: Bitboard::EMPTY };
        for (moves, layer) in layers.into_iter().enumerate() {
            map.reached |= layer;
            for (i, plane) in map.planes.iter_mut().enumerate() {
                if moves >> i & 1 == 1 {
                    *plane |= layer;
                }
            }
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen};

    #[test]
    fn own_pieces_block_enemy_pieces_are_captured_and_guarded_squares_are_avoided() {
        let fen: Fen = "4k3/8/1p6/8/8/8/PP6/R3K3 w - - 0 1".parse().unwrap();
        let chess: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let board = chess.board();
        let open = Terrain { own: board.white(), enemy: board.black(), ..Terrain::EMPTY };
        let guarded = Terrain {
            guarded: crate::geometry::pawn_attacks(Color::Black, board.pawns() & board.black()),
            ..open
        };
        let map = mobility(Mover::Rook, Square::A1, &open);
        // White's pawn stands on a2, White's king blocks the first rank at e1, and the rook captures on
        // e8 over the d-file.
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
    fn a_piece_does_not_block_itself() {
        // A rook on the first rank: its own square b1 does not block it.
        let own = !Bitboard::from_rank(shakmaty::Rank::First) | Square::B1;
        let map = mobility(Mover::Rook, Square::B1, &Terrain { own, ..Terrain::EMPTY });
        assert_eq!(map.reached(), Bitboard(0xff));
        assert_eq!(map.sum(Bitboard(0xff)), 7);
    }

    #[test]
    fn a_board_with_one_long_corridor() {
        // Ranks 2, 4, 6 and 8 are walls with one gap each, at alternating ends.
        let gaps = [(Square::H2, 1), (Square::A4, 3), (Square::H6, 5), (Square::A8, 7)];
        let own = gaps.into_iter().fold(Bitboard::EMPTY, |wall, (gap, rank)| {
            wall | (Bitboard::from_rank(shakmaty::Rank::new(rank)).without(gap))
        });
        let map = mobility(Mover::Rook, Square::A1, &Terrain { own, ..Terrain::EMPTY });
        assert_eq!(map.get(Square::A8), Some(8));
        // A king cuts the corners: seven moves for each of four ranks, the last of them diagonal.
        let king = mobility(Mover::King, Square::A1, &Terrain { own, ..Terrain::EMPTY });
        assert_eq!(king.get(Square::A8), Some(28));
    }

    proptest! {
        #[test]
        fn a_map_stores_any_distances(
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
            let sum = Bitboard(set).into_iter().filter_map(|s| distances[s.to_usize()]).sum::<u32>();
            prop_assert_eq!(map.sum(Bitboard(set)), sum);
        }
    }
}
