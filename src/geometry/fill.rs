//! Fills: breadth-first search on sets of squares, for one piece or several of one kind.
//!
//! Sources: Chess Programming Wiki, *Knight-Distance* and *Knight Pattern* (knight fill), *Distance*
//! ("determined by fill algorithms in bitboards"). The texts fill with knights on an empty board; this
//! module fills with every piece and around obstacles.

use super::steps::{NOT_A, NOT_H, east_one, west_one};
use super::{knight_attacks, pawn_attacks, step};
use shakmaty::{Bitboard, Color, Piece, Rank, Role};

/// How a piece moves. Only pawns have a colour.
///
/// ```
/// use shakmaty::Color;
/// use tropism::geometry::Mover;
/// assert_eq!(Mover::from(Color::White.knight()), Mover::Knight);
/// assert_eq!(Mover::from(Color::Black.pawn()), Mover::Pawn(Color::Black));
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Mover {
    /// One step in any direction.
    King,
    /// The jumps of [`KnightJump`](super::KnightJump).
    Knight,
    /// Any number of steps on diagonals.
    Bishop,
    /// Any number of steps on ranks and files.
    Rook,
    /// Any number of steps in any direction.
    Queen,
    /// Forward to empty squares, twice from its second rank, and diagonally to capture.
    Pawn(Color),
}

impl From<Piece> for Mover {
    fn from(piece: Piece) -> Mover {
        match piece.role {
            Role::King => Mover::King,
            Role::Knight => Mover::Knight,
            Role::Bishop => Mover::Bishop,
            Role::Rook => Mover::Rook,
            Role::Queen => Mover::Queen,
            Role::Pawn => Mover::Pawn(piece.color),
        }
    }
}

/// The obstacles to one piece that moves while nothing else does.
///
/// ```text
/// mobility_guarded a1: moves of the piece on a square to every other, without squares that enemy pawns guard
///
/// 8   3  3  2  2  3  4  4  4
/// 7   3  3  2  2  3  3  3  3
/// 6   4  3  2  2  3  3  4  4
/// 5   .  3  .  2  .  3  .  3
/// 4   3  3  2  2  3  3  3  3
/// 3   3  3  2  2  3  3  3  3
/// 2   P  P  2  2  3  3  P  4
/// 1  [0] 1  1  1  K  4  5  4
///
///     a  b  c  d  e  f  g  h
///
/// position 4k3/8/1p3p2/8/8/8/PP4P1/R3K3
/// ```
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::{Mover, Terrain, mobility};
/// let rook = |terrain| mobility(Mover::Rook, Square::A1, &terrain).get(Square::A8);
/// let a5 = Square::A5.into();
/// assert_eq!(rook(Terrain::EMPTY), Some(1));
/// assert_eq!(rook(Terrain { guarded: a5, ..Terrain::EMPTY }), Some(1));
/// assert_eq!(rook(Terrain { own: a5, ..Terrain::EMPTY }), Some(3));
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Terrain {
    /// Own pieces: the piece cannot move onto them or past them.
    pub own: Bitboard,
    /// Enemy pieces: the piece can capture them but not move past them. A captured piece stays in the
    /// terrain and blocks later moves, except those from its own square.
    pub enemy: Bitboard,
    /// Squares that the piece avoids, such as those that enemy pawns guard; sliders may pass them.
    pub guarded: Bitboard,
}

impl Terrain {
    /// An empty board.
    pub const EMPTY: Terrain =
        Terrain { own: Bitboard::EMPTY, enemy: Bitboard::EMPTY, guarded: Bitboard::EMPTY };
}

impl Mover {
    /// All squares that at least one of `set` attacks, up to and including the first occupied
    /// square of each line.
    ///
    /// ```
    /// use shakmaty::{Bitboard, Square};
    /// use tropism::geometry::Mover;
    /// let rook = Bitboard::from_square(Square::A1);
    /// let occupied = Bitboard::from_square(Square::A3).with(Square::C1);
    /// let attacked = [Square::A2, Square::A3, Square::B1, Square::C1].into_iter().collect();
    /// assert_eq!(Mover::Rook.attacks(rook, occupied), attacked);
    /// ```
    #[inline]
    pub const fn attacks(self, set: Bitboard, occupied: Bitboard) -> Bitboard {
        match self {
            Mover::King => king_attacks(set),
            Mover::Knight => knight_attacks(set),
            Mover::Bishop => rays(set, occupied, DIAGONAL),
            Mover::Rook => rays(set, occupied, STRAIGHT),
            Mover::Queen => rays(set, occupied, DIAGONAL).with_const(rays(set, occupied, STRAIGHT)),
            Mover::Pawn(side) => pawn_attacks(side, set),
        }
    }

    /// All squares that at least one of `set` can move to over `terrain`. A pawn does not move on after
    /// promotion. Castling and en passant are left out.
    ///
    /// ```
    /// use shakmaty::{Bitboard, Color, Square};
    /// use tropism::geometry::{Mover, Terrain};
    /// let terrain = Terrain { enemy: Square::F3.into(), ..Terrain::EMPTY };
    /// let moves = Mover::Pawn(Color::White).moves(Square::E2.into(), &terrain);
    /// assert_eq!(moves, [Square::E3, Square::E4, Square::F3].into_iter().collect());
    /// ```
    #[inline]
    pub const fn moves(self, set: Bitboard, terrain: &Terrain) -> Bitboard {
        let occupied = terrain.own.with_const(terrain.enemy);
        let attacks = self.attacks(set, occupied);
        let targets = match self {
            Mover::Pawn(side) => {
                let single = step(side, set).without_const(occupied);
                let third =
                    Bitboard::from_rank(if side.is_white() { Rank::Third } else { Rank::Sixth });
                // Only a pawn from the second rank reaches the third by a single step.
                let double = step(side, single.intersect_const(third)).without_const(occupied);
                attacks.intersect_const(terrain.enemy).with_const(single).with_const(double)
            }
            _ => attacks.without_const(terrain.own),
        };
        targets.without_const(terrain.guarded)
    }
}

/// All squares that at least one king of `kings` attacks: their neighbours.
///
/// ```
/// use shakmaty::{Bitboard, Square};
/// use tropism::geometry::king_attacks;
/// let around = [Square::A2, Square::B2, Square::B1].into_iter().collect();
/// assert_eq!(king_attacks(Square::A1.into()), around);
/// // A set attacks its own squares where they are neighbours.
/// assert!(king_attacks(Bitboard::FULL) == Bitboard::FULL);
/// ```
#[inline]
pub const fn king_attacks(kings: Bitboard) -> Bitboard {
    let row = kings.0 | east_one(kings.0) | west_one(kings.0);
    Bitboard((row << 8) | (row >> 8) | east_one(kings.0) | west_one(kings.0))
}

/// A direction: the rotation of a set for one step, and the squares that such a step can reach.
/// Rotating left by 56 is a step to the south. The mask removes squares that wrap around the board.
type Direction = (u32, u64);

const NOT_FIRST: u64 = !0xff;
const NOT_EIGHTH: u64 = !(0xff << 56);

const STRAIGHT: [Direction; 4] = [(8, NOT_FIRST), (56, NOT_EIGHTH), (1, NOT_A), (63, NOT_H)];
const DIAGONAL: [Direction; 4] = [
    (9, NOT_FIRST & NOT_A),
    (7, NOT_FIRST & NOT_H),
    (64 - 7, NOT_EIGHTH & NOT_A),
    (64 - 9, NOT_EIGHTH & NOT_H),
];

/// The squares that sliders on `set` attack in four directions. Steps of one, two and four over empty
/// squares add up to seven; one more step gives the attacks.
///
/// Source: Chess Programming Wiki, *Fill Algorithms*, by way of *Distance* (Kogge-Stone occluded
/// fill).
#[inline]
const fn rays(set: Bitboard, occupied: Bitboard, directions: [Direction; 4]) -> Bitboard {
    let (mut attacks, mut i) = (0, 0);
    while i < 4 {
        let (rotation, mask) = directions[i];
        let (mut slid, mut free) = (set.0, !occupied.0 & mask);
        slid |= free & slid.rotate_left(rotation);
        free &= free.rotate_left(rotation);
        slid |= free & slid.rotate_left(2 * rotation % 64);
        free &= free.rotate_left(2 * rotation % 64);
        slid |= free & slid.rotate_left(4 * rotation % 64);
        attacks |= slid.rotate_left(rotation) & mask;
        i += 1;
    }
    Bitboard(attacks)
}

/// A breadth-first search: an iterator over the layers, the sets of squares that are exactly 0, 1, 2,
/// ... moves away. It ends when no new square can be reached, and allocates nothing.
///
/// ```
/// use shakmaty::{Bitboard, Square};
/// use tropism::geometry::{Mover, Terrain, Layers};
/// // Six knight moves fill the board from a1; a king needs seven.
/// let sizes = |mover| {
///     let layers = Layers::new(mover, Square::A1.into(), &Terrain::EMPTY);
///     layers.map(|layer| layer.count()).collect::<Vec<_>>()
/// };
/// assert_eq!(sizes(Mover::Knight), [1, 2, 9, 20, 21, 10, 1]);
/// assert_eq!(sizes(Mover::King), [1, 3, 5, 7, 9, 11, 13, 15]);
/// ```
#[derive(Clone, Debug)]
pub struct Layers {
    mover: Mover,
    terrain: Terrain,
    frontier: Bitboard,
    visited: Bitboard,
}

impl Layers {
    /// The layers of `mover` from all squares of `from` at once. `terrain` may or may not contain the
    /// moving piece itself: a slider reaches all squares behind its first square from there in one move.
    ///
    /// ```
    /// use shakmaty::{Bitboard, Square};
    /// use tropism::geometry::{Mover, Terrain, Layers};
    /// // Both rooks reach g3 and c6 in one move.
    /// let rooks = Bitboard::from_square(Square::C3).with(Square::G6);
    /// let first = Layers::new(Mover::Rook, rooks, &Terrain::EMPTY).nth(1);
    /// assert_eq!(first.map(Bitboard::count), Some(14 + 14 - 2));
    /// ```
    pub const fn new(mover: Mover, from: Bitboard, terrain: &Terrain) -> Layers {
        Layers { mover, terrain: *terrain, frontier: from, visited: Bitboard::EMPTY }
    }
}

impl Iterator for Layers {
    type Item = Bitboard;

    #[inline]
    fn next(&mut self) -> Option<Bitboard> {
        if self.visited.any() {
            self.frontier = self.mover.moves(self.frontier, &self.terrain) & !self.visited;
        }
        self.visited |= self.frontier;
        self.frontier.any().then_some(self.frontier)
    }
}

/// The least number of moves from any square of `from` to any square of `to` over `terrain`, or
/// `None` if there is no path.
///
/// ```text
/// moves_between g1 e5: moves of the piece on a square to another
///
/// 8   5  4  5  4  5  4  5  4
/// 7   4  5  4  3  4  3  4  3
/// 6   5  4  3  4  3  4  3  4
/// 5   4  3  4  3 [2] 3  2  3
/// 4   5  4  3  2  3  2  3  2
/// 3   4  3  4  3  4  1  4  1
/// 2   P  P  P  P  P  P  P  P
/// 1   R  N  B  Q  K  B [0] R
///
///     a  b  c  d  e  f  g  h
///
/// g1 to e5: 2
/// ```
///
/// ```
/// use shakmaty::{Bitboard, File, Square};
/// use tropism::geometry::{Mover, Terrain, moves_between};
/// let (e1, e8) = (Square::E1.into(), Square::E8.into());
/// assert_eq!(moves_between(Mover::King, e1, e8, &Terrain::EMPTY), Some(7));
/// // A wall on the fourth rank with one gap at the edge.
/// let wall = Bitboard(0x0000_0000_7f00_0000);
/// let walled = Terrain { own: wall, ..Terrain::EMPTY };
/// assert_eq!(moves_between(Mover::King, e1, e8, &walled), Some(7));
/// assert_eq!(moves_between(Mover::Bishop, e1, e8, &Terrain::EMPTY), None);
/// ```
pub fn moves_between(mover: Mover, from: Bitboard, to: Bitboard, terrain: &Terrain) -> Option<u32> {
    let found = Layers::new(mover, from, terrain).position(|layer| (layer & to).any())?;
    u32::try_from(found).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::reference::{breadth_first, coordinates, pairs};
    use proptest::prelude::*;
    use shakmaty::{Square, attacks};

    /// The attacks of one piece by shakmaty's tables.
    fn attacks_of(mover: Mover, from: Square, occupied: Bitboard) -> Bitboard {
        match mover {
            Mover::King => attacks::king_attacks(from),
            Mover::Knight => attacks::knight_attacks(from),
            Mover::Bishop => attacks::bishop_attacks(from, occupied),
            Mover::Rook => attacks::rook_attacks(from, occupied),
            Mover::Queen => attacks::queen_attacks(from, occupied),
            Mover::Pawn(side) => attacks::pawn_attacks(side, from),
        }
    }

    #[test]
    fn king_attacks_of_every_set_of_one_and_two_squares() {
        for (a, b) in pairs() {
            let set = Bitboard::from_square(a).with(b);
            let around: Bitboard = Square::ALL
                .into_iter()
                .filter(|&square| {
                    set.into_iter().any(|king| {
                        let ((kf, kr), (f, r)) = (coordinates(king), coordinates(square));
                        (kf - f).abs().max((kr - r).abs()) == 1
                    })
                })
                .collect();
            assert_eq!(king_attacks(set), around, "{a} {b}");
        }
    }

    /// Every square, with every set of blockers on its lines.
    #[test]
    fn one_slider_with_all_blockers_that_matter() {
        for mover in [Mover::Bishop, Mover::Rook] {
            for from in Square::ALL {
                for blockers in attacks_of(mover, from, Bitboard::EMPTY).carry_rippler() {
                    let expected = attacks_of(mover, from, blockers);
                    assert_eq!(mover.attacks(from.into(), blockers), expected, "{mover:?} {from}");
                }
            }
        }
    }

    /// The moves of one piece, rule by rule.
    fn plain_moves(mover: Mover, from: Square, terrain: &Terrain) -> Bitboard {
        let occupied = terrain.own | terrain.enemy;
        let mut targets = attacks_of(mover, from, occupied);
        if let Mover::Pawn(side) = mover {
            targets &= terrain.enemy;
            let (forward, second) = side.fold_wb((8, Rank::Second), (-8, Rank::Seventh));
            let empty = |square: &Square| !occupied.contains(*square);
            if let Some(single) = from.offset(forward).filter(empty) {
                targets.add(single);
                if from.rank() == second {
                    targets.extend(single.offset(forward).filter(empty));
                }
            }
        }
        targets & !terrain.own & !terrain.guarded
    }

    const ALL_MOVERS: [Mover; 7] = [
        Mover::King,
        Mover::Knight,
        Mover::Bishop,
        Mover::Rook,
        Mover::Queen,
        Mover::Pawn(Color::White),
        Mover::Pawn(Color::Black),
    ];

    /// Any terrain: a square is empty half of the time, else own, enemy or guarded.
    fn terrain() -> impl Strategy<Value = Terrain> {
        any::<[u64; 4]>().prop_map(|[a, b, c, d]| Terrain {
            own: Bitboard(a & b & !c),
            enemy: Bitboard(a & c & !b),
            guarded: Bitboard(b & c & d),
        })
    }

    proptest! {
        #[test]
        fn attacks_of_any_set_of_sliders_are_the_attacks_of_each(set: u64, a: u64, b: u64) {
            let (set, occupied) = (Bitboard(set), Bitboard(a & b));
            for mover in [Mover::Bishop, Mover::Rook, Mover::Queen] {
                let each = set.into_iter().flat_map(|from| attacks_of(mover, from, occupied)).collect();
                prop_assert_eq!(mover.attacks(set, occupied), each);
            }
        }

        #[test]
        fn moves_of_any_set_are_the_moves_of_each(a: u64, b: u64, terrain in terrain()) {
            let set = Bitboard(a & b);
            for mover in ALL_MOVERS {
                let each =
                    set.into_iter().flat_map(|from| plain_moves(mover, from, &terrain)).collect();
                prop_assert_eq!(mover.moves(set, &terrain), each, "{:?}", mover);
            }
        }

        #[test]
        fn layers_are_those_of_a_breadth_first_search(
            from in 0u32..64, to: u64, terrain in terrain()
        ) {
            let from = Square::new(from);
            // The reference removes the moving piece from the terrain; the layers need not.
            let left = Terrain {
                own: terrain.own.without(from),
                enemy: terrain.enemy.without(from),
                ..terrain
            };
            for mover in ALL_MOVERS {
                let moves = breadth_first(from, |square| plain_moves(mover, square, &left));
                let layers: Vec<_> = Layers::new(mover, from.into(), &terrain).collect();
                for square in Square::ALL {
                    let layer = layers.iter().position(|layer| layer.contains(square));
                    prop_assert_eq!(layer, moves[square.to_usize()].map(|n| n as usize));
                }
                let squares = layers.iter().map(|layer| layer.count()).sum::<usize>();
                prop_assert_eq!(squares, moves.iter().flatten().count());
                let least = Bitboard(to).into_iter().filter_map(|to| moves[to.to_usize()]).min();
                let found = moves_between(mover, from.into(), Bitboard(to), &terrain);
                prop_assert_eq!(found, least);
            }
        }
    }

    #[test]
    fn no_squares_have_no_layers() {
        assert_eq!(Layers::new(Mover::Queen, Bitboard::EMPTY, &Terrain::EMPTY).count(), 0);
    }

    /// The largest distance of any square, for each piece.
    #[test]
    fn the_largest_distances_on_an_empty_board() {
        for (mover, longest) in [
            (Mover::King, 7),
            (Mover::Knight, 6),
            (Mover::Bishop, 2),
            (Mover::Rook, 2),
            (Mover::Queen, 2),
        ] {
            let moves = |from: Square| Layers::new(mover, from.into(), &Terrain::EMPTY).count() - 1;
            assert_eq!(Square::ALL.into_iter().map(moves).max(), Some(longest), "{mover:?}");
        }
    }
}
