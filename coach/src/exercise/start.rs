//! Start positions for practice.

use super::is_hard;
use rayon::prelude::*;
use shakmaty::{Board, Chess, Color, Position, Square};
use tropism::endgame::{Dtm, Endgames, Material, Squares, set_up};
use tropism::random::SplitMix64;

/// An ending with no more than so many draws that are hard to hold, in a sample of random positions, is practised
/// as lost by the weak side.
const FEW: usize = 5;
const SAMPLE: usize = 4000;

/// How many random positions are tried for such a draw.
const TRIES: usize = 100_000;

/// A random position that White, to move, wins in no fewer than so many moves. `None` if there is none, or no table
/// of the ending. The same seed gives the same position.
pub fn won_position(
    endgames: &Endgames,
    material: Material,
    seed: u64,
    least: u8,
) -> Option<Chess> {
    let table = endgames.table(&material)?;
    let is_accepted = |value| matches!(value, Dtm::Win(plies) if plies.div_ceil(2) >= least);
    let won: Vec<Squares> = table
        .positions(Color::White)
        .filter(|&(_, value, _)| is_accepted(value))
        .map(|(squares, _, _)| squares)
        .collect();
    let mut random = SplitMix64(seed);
    let chosen = table.position(Color::White, won.get(random.below(won.len()))?)?;
    // A table stores one of the eight rotations and reflections of a position, or of the two
    // reflections of one with pawns.
    let mut board = chosen.board().clone();
    let image = random.below(if board.pawns().any() { 2 } else { 8 });
    let flips: [fn(&mut Board); 3] =
        [Board::flip_horizontal, Board::flip_vertical, Board::flip_diagonal];
    for (bit, flip) in flips.into_iter().enumerate() {
        if image >> bit & 1 == 1 {
            flip(&mut board);
        }
    }
    set_up(board, Color::White)
}

/// A random drawn position, Black to move, that is hard to hold. `None` if the ending has hardly any. The same seed
/// gives the same position.
pub fn hard_draw(endgames: &Endgames, material: Material, seed: u64) -> Option<Chess> {
    let draws = |seed| {
        let mut random = SplitMix64(seed);
        move |_| {
            let position = set_up(random_board(material, &mut random)?, Color::Black)?;
            is_hard(endgames, &position).then_some(position)
        }
    };
    // Whether there are enough of them does not depend on the seed.
    (0..SAMPLE).filter_map(draws(0)).nth(FEW)?;
    (0..TRIES).find_map(draws(seed))
}

/// The pieces of an ending on random squares. `None` if two of them come to one square.
pub fn random_board(material: Material, random: &mut SplitMix64) -> Option<Board> {
    let mut board = Board::empty();
    for piece in material.pieces() {
        board.set_piece_at(*Square::ALL.get(random.below(64))?, piece);
    }
    (Material::on(&board) == Ok(material)).then_some(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn start_positions_are_won_and_differ() {
        let mut endgames = Endgames::default();
        let [rook, pawn, bishop] = ["KRK", "KPK", "KBK"].map(|ending| ending.parse().unwrap());
        [rook, pawn, bishop].into_iter().for_each(|material| endgames.build(material));
        let start = |material, seed| won_position(&endgames, material, seed, 1);
        let starts: Vec<Chess> = (0..20).map(|seed| start(rook, seed).unwrap()).collect();
        let with_pawn = (0..20).map(|seed| start(pawn, seed).unwrap());
        for position in starts.iter().cloned().chain(with_pawn) {
            assert!(matches!(endgames.probe(&position), Some(Dtm::Win(_))));
        }
        for position in &starts {
            assert_eq!(starts.iter().filter(|other| *other == position).count(), 1);
        }
        assert_eq!(start(rook, 7), Some(starts[7].clone()));
        assert_eq!(start(bishop, 1), None);
    }

    #[test]
    fn hard_draws_are_drawn_and_easily_lost() {
        let mut endgames = Endgames::default();
        for (ending, has_draws) in [("KPK", true), ("KRKN", true), ("KRK", false), ("KBNK", false)]
        {
            let material: Material = ending.parse().unwrap();
            endgames.build(material);
            let draws: Vec<Chess> =
                (0..3).filter_map(|seed| hard_draw(&endgames, material, seed)).collect();
            assert_eq!(draws.len(), if has_draws { 3 } else { 0 }, "{ending}");
            for position in draws {
                let moves = endgames.moves(&position).unwrap();
                let lost = moves.iter().filter(|(_, value)| matches!(value, Dtm::Loss(_))).count();
                assert!(position.turn().is_black() && 2 * lost >= moves.len());
                assert_eq!(endgames.probe(&position), Some(Dtm::Draw));
            }
        }
    }
}
