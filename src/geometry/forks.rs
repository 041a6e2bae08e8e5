//! Knight forks: squares from which one knight attacks two targets.

use super::knight_attacks;
use super::steps::{east_one, west_one};
use shakmaty::Bitboard;

/// All squares from which a knight would attack two or more of `targets`.
///
/// Source: Chess Programming Wiki, *Knight Pattern* (knight forks): the union of the
/// intersections of all eight jump directions, without loop or branch. Each direction is
/// intersected with the squares that the directions before it cover.
///
/// ```text
/// fork_squares a8 e8: squares from which a knight attacks two of several squares
///
/// 8  [.] .  .  . [.] .  .  .
/// 7   .  .  1  .  .  .  .  .
/// 6   .  .  .  .  .  .  .  .
/// 5   .  .  .  .  .  .  .  .
/// 4   .  .  .  .  .  .  .  .
/// 3   .  .  .  .  .  .  .  .
/// 2   .  .  .  .  .  .  .  .
/// 1   .  .  .  .  .  .  .  .
///
///     a  b  c  d  e  f  g  h
///
/// 1 square
/// ```
///
/// ```
/// use shakmaty::{Bitboard, Square};
/// use tropism::geometry::fork_squares;
/// // King e8 and rook a8 are forked only from c7.
/// let targets = Bitboard::from_square(Square::E8).with(Square::A8);
/// assert_eq!(fork_squares(targets), Bitboard::from_square(Square::C7));
/// ```
#[inline]
pub const fn fork_squares(targets: Bitboard) -> Bitboard {
    let (east, west) = (east_one(targets.0), west_one(targets.0));
    let mut attacked = east << 16;
    let mut forks = (west << 16) & attacked;
    attacked |= west << 16;
    forks |= (east >> 16) & attacked;
    attacked |= east >> 16;
    forks |= (west >> 16) & attacked;
    attacked |= west >> 16;
    let (east, west) = (east_one(east), west_one(west));
    forks |= (east << 8) & attacked;
    attacked |= east << 8;
    forks |= (west << 8) & attacked;
    attacked |= west << 8;
    forks |= (east >> 8) & attacked;
    attacked |= east >> 8;
    forks |= (west >> 8) & attacked;
    Bitboard(forks)
}

/// The fork squares of `targets` that one of `knights` can safely jump to now: not on `own`
/// pieces, not attacked by enemy pawns or knights (`guarded`), attacked by an own knight.
///
/// Source: Chess Programming Wiki, *Knight Pattern*: "the intersection of those targets with
/// squares not occupied by own pieces or attacked by opponent pawns and knights, but attacked by
/// own knight(s)".
///
/// ```text
/// fork_targets d5: squares where the knight on a square would safely fork king, queen and rooks
///
/// 8   r  .  .  .  k  .  .  .
/// 7   .  .  1  .  .  .  .  .
/// 6   .  .  .  .  .  .  .  .
/// 5   .  .  . [N] .  .  .  .
/// 4   .  .  .  .  .  .  .  .
/// 3   .  .  .  .  .  .  .  .
/// 2   .  .  .  .  .  .  .  .
/// 1   .  .  .  .  K  .  .  .
///
///     a  b  c  d  e  f  g  h
///
/// 1 square
///
/// position r3k3/8/8/3N4/8/8/8/4K3
/// ```
///
/// ```
/// use shakmaty::{Bitboard, Square};
/// use tropism::geometry::fork_targets;
/// let targets = Bitboard::from_square(Square::E8).with(Square::A8);
/// let knight = Bitboard::from_square(Square::D5);
/// let c7 = Bitboard::from_square(Square::C7);
/// assert_eq!(fork_targets(targets, knight, knight, Bitboard::EMPTY), c7);
/// // A pawn or knight that guards c7 prevents the fork.
/// assert_eq!(fork_targets(targets, knight, knight, c7), Bitboard::EMPTY);
/// ```
#[inline]
pub fn fork_targets(
    targets: Bitboard,
    knights: Bitboard,
    own: Bitboard,
    guarded: Bitboard,
) -> Bitboard {
    fork_squares(targets) & knight_attacks(knights) & !own & !guarded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::reference::{knight_jumps, pairs};
    use proptest::prelude::*;
    use shakmaty::Square;

    fn forks_one_by_one(targets: Bitboard) -> Bitboard {
        Square::ALL
            .into_iter()
            .filter(|&square| (knight_jumps(square) & targets).more_than_one())
            .collect()
    }

    #[test]
    fn no_squares_fork_nothing_and_all_squares_are_forked_from_everywhere() {
        assert_eq!(fork_squares(Bitboard::EMPTY), Bitboard::EMPTY);
        assert_eq!(fork_squares(Bitboard::FULL), Bitboard::FULL);
    }

    #[test]
    fn fork_squares_of_every_set_of_one_and_two_targets() {
        for (a, b) in pairs() {
            let targets = Bitboard::from_square(a).with(b);
            assert_eq!(fork_squares(targets), forks_one_by_one(targets), "{a} {b}");
        }
    }

    proptest! {
        #[test]
        fn forks_of_any_set_and_what_the_filter_allows_of_them(
            targets: u64, knights: u64, own: u64, guarded: u64
        ) {
            let [targets, knights, own, guarded] = [targets, knights, own, guarded].map(Bitboard);
            prop_assert_eq!(fork_squares(targets), forks_one_by_one(targets));
            let found = fork_targets(targets, knights, own, guarded);
            for square in Square::ALL {
                let jumps = knight_jumps(square);
                let expected = (jumps & targets).more_than_one()
                    && (jumps & knights).any()
                    && !own.contains(square)
                    && !guarded.contains(square);
                prop_assert_eq!(found.contains(square), expected);
            }
        }
    }
}
