//! The knight: its jumps, the squares that a set of knights attacks, and the moves that it needs.

use super::layout::{Knight, SquarePairs};
use super::steps::{NOT_A, NOT_AB, NOT_GH, NOT_H, east_one, west_one};
use shakmaty::{Bitboard, Square};

/// One of the eight jumps of a knight, named by the compass, with the board seen from White's
/// side: `NoNoEa` is two ranks up and one file to the right.
///
/// Source: Chess Programming Wiki, *Knight Pattern*: a shift, and a mask against wrapping around
/// the board's edge. The text gives both orders, mask after the shift and mask before it.
///
/// ```text
///         noNoWe    noNoEa
///             +15  +17
///              |     |
/// noWeWe  +6 __|     |__+10  noEaEa
///               \   /
///                >0<
///            __ /   \ __
/// soWeWe -10   |     |   -6  soEaEa
///              |     |
///             -17  -15
///         soSoWe    soSoEa
/// ```
///
/// ```text
/// knight_jumps d4: the eight directions of a knight
///
/// 8     .    .    .    .    .    .    .    .
/// 7     .    .    .    .    .    .    .    .
/// 6     .    .  +15    .  +17    .    .    .
/// 5     .   +6    .    .    .  +10    .    .
/// 4     .    .    . [  .]   .    .    .    .
/// 3     .  -10    .    .    .   -6    .    .
/// 2     .    .  -17    .  -15    .    .    .
/// 1     .    .    .    .    .    .    .    .
///
///       a    b    c    d    e    f    g    h
/// ```
///
/// ```
/// use shakmaty::{Bitboard, Square};
/// use tropism::geometry::{KnightJump, knight_attacks};
/// let d4 = Bitboard::from_square(Square::D4);
/// let jumps = KnightJump::ALL.map(|jump| jump.shift_then_mask(d4));
/// assert_eq!(jumps.into_iter().fold(Bitboard::EMPTY, |a, b| a | b), knight_attacks(d4));
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum KnightJump {
    /// Two ranks up, one file right.
    NoNoEa,
    /// One rank up, two files right.
    NoEaEa,
    /// One rank down, two files right.
    SoEaEa,
    /// Two ranks down, one file right.
    SoSoEa,
    /// Two ranks down, one file left.
    SoSoWe,
    /// One rank down, two files left.
    SoWeWe,
    /// One rank up, two files left.
    NoWeWe,
    /// Two ranks up, one file left.
    NoNoWe,
}

impl KnightJump {
    /// All eight, clockwise from the north.
    pub const ALL: [KnightJump; 8] = {
        use KnightJump::{NoEaEa, NoNoEa, NoNoWe, NoWeWe, SoEaEa, SoSoEa, SoSoWe, SoWeWe};
        [NoNoEa, NoEaEa, SoEaEa, SoSoEa, SoSoWe, SoWeWe, NoWeWe, NoNoWe]
    };

    /// What the jump adds to the number of a square, a1 = 0 to h8 = 63.
    ///
    /// ```
    /// use shakmaty::Square;
    /// use tropism::geometry::KnightJump;
    /// assert_eq!(KnightJump::NoNoEa.offset(), 17);
    /// assert_eq!(Square::G1.offset(KnightJump::NoNoWe.offset()), Some(Square::F3));
    /// ```
    pub const fn offset(self) -> i32 {
        match self {
            KnightJump::NoNoEa => 17,
            KnightJump::NoEaEa => 10,
            KnightJump::SoEaEa => -6,
            KnightJump::SoSoEa => -15,
            KnightJump::SoSoWe => -17,
            KnightJump::SoWeWe => -10,
            KnightJump::NoWeWe => 6,
            KnightJump::NoNoWe => 15,
        }
    }

    /// The squares where the knights land: the set is shifted, then masked by the squares that this
    /// jump can reach.
    ///
    /// ```
    /// use shakmaty::{Bitboard, Square};
    /// use tropism::geometry::KnightJump;
    /// let knights = Bitboard::from_square(Square::D4).with(Square::H4);
    /// // From h4 there is no file to the right.
    /// assert_eq!(KnightJump::NoNoEa.shift_then_mask(knights), Bitboard::from_square(Square::E6));
    /// ```
    #[inline]
    pub const fn shift_then_mask(self, knights: Bitboard) -> Bitboard {
        let reached = match self {
            KnightJump::NoNoEa | KnightJump::SoSoEa => NOT_A,
            KnightJump::NoEaEa | KnightJump::SoEaEa => NOT_AB,
            KnightJump::NoNoWe | KnightJump::SoSoWe => NOT_H,
            KnightJump::NoWeWe | KnightJump::SoWeWe => NOT_GH,
        };
        Bitboard(knights.shift(self.offset()).0 & reached)
    }

    /// The squares where the knights land: the set is masked by the squares from which this jump stays
    /// on the board, then shifted.
    ///
    /// ```
    /// use shakmaty::{Bitboard, Square};
    /// use tropism::geometry::KnightJump;
    /// let knights = Bitboard::from_square(Square::D4).with(Square::H4);
    /// assert_eq!(KnightJump::NoNoEa.mask_then_shift(knights), Bitboard::from_square(Square::E6));
    /// ```
    #[inline]
    pub const fn mask_then_shift(self, knights: Bitboard) -> Bitboard {
        let able = match self {
            KnightJump::NoNoEa | KnightJump::SoSoEa => NOT_H,
            KnightJump::NoEaEa | KnightJump::SoEaEa => NOT_GH,
            KnightJump::NoNoWe | KnightJump::SoSoWe => NOT_A,
            KnightJump::NoWeWe | KnightJump::SoWeWe => NOT_AB,
        };
        Bitboard(knights.0 & able).shift(self.offset())
    }
}

/// All squares attacked by at least one of `knights`.
///
/// Source: Chess Programming Wiki, *Knight Pattern* (multiple knight attacks), the routine with
/// "some more parallelism": steps of one and of two files, masked against wrapping around the
/// board's edge, each moved two ranks or one.
///
/// ```text
/// knight_attacks d4: what knights attack, four shifts at once
///
/// 8   .  .  .  .  .  .  .  .
/// 7   .  .  .  .  .  .  .  .
/// 6   .  .  1  .  1  .  .  .
/// 5   .  1  .  .  .  1  .  .
/// 4   .  .  . [.] .  .  .  .
/// 3   .  1  .  .  .  1  .  .
/// 2   .  .  1  .  1  .  .  .
/// 1   .  .  .  .  .  .  .  .
///
///     a  b  c  d  e  f  g  h
///
/// 8 squares
/// ```
///
/// ```
/// use shakmaty::{Bitboard, Square};
/// use tropism::geometry::knight_attacks;
/// let corners = Bitboard::from_square(Square::A1).with(Square::H8);
/// let reached = knight_attacks(corners);
/// assert_eq!(reached, [Square::B3, Square::C2, Square::G6, Square::F7].into_iter().collect());
/// ```
#[inline]
pub const fn knight_attacks(knights: Bitboard) -> Bitboard {
    let b = knights.0;
    let one = ((b >> 1) & NOT_H) | ((b << 1) & NOT_A);
    let two = ((b >> 2) & NOT_GH) | ((b << 2) & NOT_AB);
    Bitboard((one << 16) | (one >> 16) | (two << 8) | (two >> 8))
}

/// The same squares as [`knight_attacks`], by the first routine of the source: one step to the
/// side and two ranks out, then another step to the side and one rank out. It needs fewer masks, but
/// each step depends on the one before.
///
/// Source: Chess Programming Wiki, *Knight Pattern* (multiple knight attacks).
///
/// ```
/// use shakmaty::{Bitboard, Square};
/// use tropism::geometry::{knight_attacks, knight_attacks_stepwise};
/// let corners = Bitboard::from_square(Square::A1).with(Square::H8);
/// assert_eq!(knight_attacks_stepwise(corners), knight_attacks(corners));
/// ```
#[inline]
pub const fn knight_attacks_stepwise(knights: Bitboard) -> Bitboard {
    let (east, west) = (east_one(knights.0), west_one(knights.0));
    let mut attacks = (east | west) << 16;
    attacks |= (east | west) >> 16;
    let (east, west) = (east_one(east), west_one(west));
    attacks |= (east | west) << 8;
    attacks |= (east | west) >> 8;
    Bitboard(attacks)
}

/// One cycle of a knight fill: `knights` and all squares they attack.
///
/// Source: Chess Programming Wiki, *Knight Pattern* (knight fill). On an empty board six cycles
/// fill the board from any square. [`Layers`](super::Layers) does this for any piece and around
/// obstacles.
///
/// ```
/// use shakmaty::{Bitboard, Square};
/// use tropism::geometry::knight_fill;
/// let mut filled = Bitboard::from_square(Square::A1);
/// let sizes = [(); 6].map(|()| {
///     filled = knight_fill(filled);
///     filled.count()
/// });
/// assert_eq!(sizes, [3, 12, 32, 53, 63, 64]);
/// ```
#[inline]
pub const fn knight_fill(knights: Bitboard) -> Bitboard {
    Bitboard(knights.0 | knight_attacks(knights).0)
}

/// The least number of knight moves from any square of `a` to any square of `b` on an empty board,
/// 0 to 6, or `None` if either is empty.
///
/// Source: Chess Programming Wiki, *Knight-Distance* (knight fill): attacks of attacks, until the
/// sets meet. The text says "until a target set becomes subset"; its program, like this one, stops at
/// the first common square.
///
/// ```text
/// knight_distance_between b1 g1: knight moves from the nearest of several squares, by fill
///
/// 8   4  4  4  4  4  4  4  4
/// 7   3  4  3  3  3  3  4  3
/// 6   4  3  3  3  3  3  3  4
/// 5   3  2  3  2  2  3  2  3
/// 4   2  3  2  2  2  2  3  2
/// 3   1  2  1  3  3  1  2  1
/// 2   2  3  2  1  1  2  3  2
/// 1   3 [0] 2  2  2  2 [0] 3
///
///     a  b  c  d  e  f  g  h
/// ```
///
/// ```
/// use shakmaty::{Bitboard, Square};
/// use tropism::geometry::knight_distance_between;
/// let knights = Bitboard::from_square(Square::B1).with(Square::G1);
/// let target = Bitboard::from_square(Square::G5);
/// assert_eq!(knight_distance_between(knights, target), Some(2));
/// assert_eq!(knight_distance_between(knights, Bitboard::EMPTY), None);
/// ```
pub const fn knight_distance_between(a: Bitboard, b: Bitboard) -> Option<u32> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let (mut reached, mut moves) = (a, 0);
    while reached.0 & b.0 == 0 {
        reached = knight_attacks(reached);
        moves += 1;
    }
    Some(moves)
}

/// The number of knight moves from `a` to `b` on an empty board, 0 to 6.
///
/// Source: Chess Programming Wiki, *Knight-Distance*: the 64 x 64 lookup, filled by
/// [`knight_distance_between`] at compile time. [`layout`](super::layout) has the smaller tables.
///
/// ```text
/// knight_distance a1: knight moves between two squares
///
/// 8   5  4  5  4  5  4  5  6
/// 7   4  3  4  3  4  5  4  5
/// 6   3  4  3  4  3  4  5  4
/// 5   2  3  2  3  4  3  4  5
/// 4   3  2  3  2  3  4  3  4
/// 3   2  1  4  3  2  3  4  5
/// 2   3  4  1  2  3  4  3  4
/// 1  [0] 3  2  3  2  3  4  5
///
///     a  b  c  d  e  f  g  h
/// ```
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::knight_distance;
/// assert_eq!(knight_distance(Square::D4, Square::E5), 2);
/// // The same diagonal step costs four moves from a corner.
/// assert_eq!(knight_distance(Square::A1, Square::B2), 4);
/// assert_eq!(knight_distance(Square::A1, Square::H8), 6);
/// ```
#[inline]
pub const fn knight_distance(a: Square, b: Square) -> u32 {
    SquarePairs::<Knight>::lookup(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::reference::{breadth_first, coordinates, knight_jumps, pairs, pictures};
    use proptest::prelude::*;
    use shakmaty::attacks;

    #[test]
    fn the_compass_rose_is_the_eight_jumps_and_both_mask_orders_agree() {
        let steps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
        for (jump, (files, ranks)) in KnightJump::ALL.into_iter().zip(steps) {
            assert_eq!(jump.offset(), 8 * ranks + files, "{jump:?}");
            let land = |from| {
                let (file, rank) = coordinates(from);
                let to = pairs().map(|(to, _)| to);
                to.filter(|&to| coordinates(to) == (file + files, rank + ranks)).collect()
            };
            let lands: [Bitboard; 64] = Square::ALL.map(land);
            for (a, b) in pairs() {
                let set = Bitboard::from_square(a).with(b);
                let landed = lands[a.to_usize()] | lands[b.to_usize()];
                assert_eq!(jump.shift_then_mask(set), landed, "{jump:?} {a} {b}");
                assert_eq!(jump.mask_then_shift(set), landed, "{jump:?} {a} {b}");
            }
        }
    }

    #[test]
    fn attacks_of_every_set_of_one_and_two_knights_are_the_jumps_of_each() {
        for (a, b) in pairs() {
            let set = Bitboard::from_square(a).with(b);
            let jumps = knight_jumps(a) | knight_jumps(b);
            assert_eq!(knight_attacks(set), jumps, "{a} {b}");
            assert_eq!(knight_attacks_stepwise(set), jumps, "{a} {b}");
        }
        for attacks in [knight_attacks, knight_attacks_stepwise] {
            assert_eq!(attacks(Bitboard::EMPTY), Bitboard::EMPTY);
            assert_eq!(attacks(Bitboard::FULL), Bitboard::FULL);
        }
    }

    proptest! {
        #[test]
        fn attacks_of_any_set_are_the_jumps_of_each(knights: u64) {
            let knights = Bitboard(knights);
            let one_by_one: Bitboard = knights.into_iter().flat_map(knight_jumps).collect();
            prop_assert_eq!(knight_attacks(knights), one_by_one);
            prop_assert_eq!(knight_attacks_stepwise(knights), one_by_one);
            prop_assert_eq!(knight_fill(knights), knights | one_by_one);
        }

        #[test]
        fn the_distance_between_sets_is_the_least_between_their_squares(a: u64, b: u64, c: u64) {
            // A random number has half its bits set; the intersection of three is sparse enough.
            let (a, b) = (Bitboard(a & b & c), Bitboard(a & !b & c));
            let least = a.into_iter().flat_map(|x| {
                let moves = breadth_first(x, knight_jumps);
                b.into_iter().filter_map(move |y| moves[y.to_usize()])
            }).min();
            prop_assert_eq!(knight_distance_between(a, b), least);
        }
    }

    #[test]
    fn the_printed_attacks_of_d4() {
        let printed = pictures("knight attacks of d4");
        assert_eq!(printed, [knight_attacks(Square::D4.into())]);
        assert_eq!(printed, [attacks::knight_attacks(Square::D4)]);
        // shakmaty has the table of all squares.
        assert_eq!(Square::ALL.map(attacks::knight_attacks), Square::ALL.map(knight_jumps));
    }

    #[test]
    fn the_six_printed_fills_of_a1() {
        let printed = pictures("six knight fills of a1");
        let mut filled = Bitboard::from_square(Square::A1);
        let fills = [(); 6].map(|()| {
            filled = knight_fill(filled);
            filled
        });
        assert_eq!(printed, fills);
    }

    /// The source says that the fill runs until the target set is a *subset* of the attacks. From a1
    /// the attacks alternate between the square colours, so a target of both colours never becomes a
    /// subset. The source's program stops at once.
    #[test]
    fn the_fill_stops_when_the_sets_meet_and_not_when_the_target_is_a_subset() {
        let target = Bitboard::from_square(Square::B3).with(Square::B4);
        let mut attacked = Bitboard::from_square(Square::A1);
        assert_eq!(knight_distance_between(attacked, target), Some(1));
        for _ in 0..64 {
            attacked = knight_attacks(attacked);
            assert!(!target.is_subset(attacked));
        }
    }

    #[test]
    fn a_diagonal_neighbour_is_two_moves_away_and_four_from_a_corner() {
        let mut from_corners = 0;
        for (a, b) in pairs() {
            if (coordinates(a).0 - coordinates(b).0).abs() == 1
                && (coordinates(a).1 - coordinates(b).1).abs() == 1
            {
                let corner = (Bitboard::CORNERS.contains(a)) != (Bitboard::CORNERS.contains(b));
                assert_eq!(knight_distance(a, b), if corner { 4 } else { 2 }, "{a} {b}");
                from_corners += u32::from(corner);
            }
        }
        assert_eq!(from_corners, 8);
    }
}
