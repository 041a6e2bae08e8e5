use shakmaty::{Bitboard, Square, attacks};

/// The men that stand alone between a square and a man that would attack it along a rank or file
/// (`straight`) or a diagonal (`slanted`).
#[inline]
pub(crate) fn alone_before(
    square: Square,
    straight: Bitboard,
    slanted: Bitboard,
    occupied: Bitboard,
) -> Bitboard {
    let on_lines = attacks::rook_attacks(square, Bitboard::EMPTY) & straight
        | attacks::bishop_attacks(square, Bitboard::EMPTY) & slanted;
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

    /// Walks from the square in each direction: of the first two men the farther one must attack.
    fn walked(square: Square, straight: Bitboard, slanted: Bitboard, men: Bitboard) -> Bitboard {
        let steps = (-1..=1).flat_map(|file| (-1..=1).map(move |rank| (file, rank)));
        let mut alone = Bitboard::EMPTY;
        for (file, rank) in steps.filter(|&step| step != (0, 0)) {
            let line = if file == 0 || rank == 0 { straight } else { slanted };
            let way = std::iter::successors(Some(square), |from| {
                let file = from.file().offset(file)?;
                Some(Square::from_coords(file, from.rank().offset(rank)?))
            });
            let met: Vec<Square> = way.skip(1).filter(|&at| men.contains(at)).take(2).collect();
            if let [first, second] = met[..]
                && line.contains(second)
            {
                alone.add(first);
            }
        }
        alone
    }

    #[test]
    fn one_man_alone_and_two_that_are_not() {
        let men =
            [Square::E1, Square::E4, Square::A4, Square::B5, Square::C6].into_iter().collect();
        let (rook, bishop) = (Square::E1.into(), Square::A4.into());
        assert_eq!(alone_before(Square::E8, rook, bishop, men), Square::E4.into());
    }

    proptest! {
        #[test]
        fn the_first_of_two_men_where_the_second_attacks(
            men: [u64; 2], straight: u64, slanted: u64, sparse: bool,
        ) {
            let men = Bitboard(men[0] & if sparse { men[1] } else { u64::MAX });
            let (straight, slanted) = (men & Bitboard(straight), men & Bitboard(slanted));
            for square in Square::ALL {
                prop_assert_eq!(
                    alone_before(square, straight, slanted, men),
                    walked(square, straight, slanted, men)
                );
            }
        }
    }
}
