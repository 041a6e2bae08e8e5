//! Pieces on the lines of sliders.

use shakmaty::{Bitboard, Square, attacks};

/// The pieces that stand alone between `square` and a slider that would attack it along a rank or file
/// (`straight`) or a diagonal (`diagonal`): pinned pieces, or those that can discover a check.
#[inline]
pub fn alone_before(
    square: Square,
    straight: Bitboard,
    diagonal: Bitboard,
    occupied: Bitboard,
) -> Bitboard {
    let on_lines = attacks::rook_attacks(square, Bitboard::EMPTY) & straight
        | attacks::bishop_attacks(square, Bitboard::EMPTY) & diagonal;
    let mut alone = Bitboard::EMPTY;
    for from in on_lines {
        let between = attacks::between(square, from) & occupied;
        if !between.more_than_one() {
            alone |= between;
        }
    }
    alone
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Goes from the square in each direction: the second piece there must be a slider of that line.
    fn reference(
        square: Square,
        straight: Bitboard,
        diagonal: Bitboard,
        occupied: Bitboard,
    ) -> Bitboard {
        let steps = (-1..=1).flat_map(|file| (-1..=1).map(move |rank| (file, rank)));
        let mut alone = Bitboard::EMPTY;
        for (file, rank) in steps.filter(|&step| step != (0, 0)) {
            let line = if file == 0 || rank == 0 { straight } else { diagonal };
            let squares = std::iter::successors(Some(square), |from| {
                let file = from.file().offset(file)?;
                Some(Square::from_coords(file, from.rank().offset(rank)?))
            });
            let met: Vec<Square> =
                squares.skip(1).filter(|&at| occupied.contains(at)).take(2).collect();
            if let [first, second] = met[..]
                && line.contains(second)
            {
                alone.add(first);
            }
        }
        alone
    }

    #[test]
    fn one_piece_alone_and_two_on_one_line() {
        let occupied =
            [Square::E1, Square::E4, Square::A4, Square::B5, Square::C6].into_iter().collect();
        let (rook, bishop) = (Square::E1.into(), Square::A4.into());
        assert_eq!(alone_before(Square::E8, rook, bishop, occupied), Square::E4.into());
    }

    proptest! {
        #[test]
        fn the_first_of_two_pieces_where_the_second_attacks(
            occupied: [u64; 2], straight: u64, diagonal: u64, sparse: bool,
        ) {
            let occupied = Bitboard(occupied[0] & if sparse { occupied[1] } else { u64::MAX });
            let (straight, diagonal) = (occupied & Bitboard(straight), occupied & Bitboard(diagonal));
            for square in Square::ALL {
                prop_assert_eq!(
                    alone_before(square, straight, diagonal, occupied),
                    reference(square, straight, diagonal, occupied)
                );
            }
        }
    }
}
