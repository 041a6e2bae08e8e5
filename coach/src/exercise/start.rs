//! Start positions for practice and demonstrations.

use super::is_hard;
use rayon::prelude::*;
use shakmaty::{Board, Chess, Color, Position, Square};
use tropism::endgame::{Dtm, Endgames, Material, Squares, Table, set_up};
use tropism::random::SplitMix64;

/// An ending with no more than so many draws that are hard to hold, in a sample of random positions, is practised
/// as lost by the weak side.
const FEW: usize = 5;
const SAMPLE: usize = 4000;

/// How many random positions are tried for such a draw.
const TRIES: usize = 100_000;

/// A random position that White, to move, wins in no fewer than so many moves. `None` if there is none. The same seed
/// gives the same position.
pub fn won_position(table: &Table, seed: u64, least: u8) -> Option<Chess> {
    choose(table, seed, |plies| plies.div_ceil(2) >= least)
}

/// A random drawn position, Black to move, that is hard to hold. `None` if the ending has hardly any. The same seed
/// gives the same position.
pub fn hard_draw(endgames: &Endgames, material: Material, seed: u64) -> Option<Chess> {
    let draws = |seed| {
        let mut random = SplitMix64(seed);
        move |_| {
            let mut board = Board::empty();
            for piece in material.pieces() {
                board.set_piece_at(*Square::ALL.get(random.below(64))?, piece);
            }
            let is_whole = Material::on(&board) == Ok(material);
            let position = is_whole.then(|| set_up(board, Color::Black)).flatten()?;
            is_hard(endgames, &position).then_some(position)
        }
    };
    // Whether there are enough of them does not depend on the seed.
    (0..SAMPLE).filter_map(draws(0)).nth(FEW)?;
    (0..TRIES).find_map(draws(seed))
}

/// A random one of the positions in which White, to move, needs the most moves to mate.
pub fn longest_win(table: &Table, seed: u64) -> Option<Chess> {
    let plies = |(_, value, _)| match value {
        Dtm::Win(plies) => Some(plies),
        Dtm::Draw | Dtm::Loss(_) => None,
    };
    let most = table.positions(Color::White).filter_map(plies).max()?;
    choose(table, seed, |plies| plies == most)
}

/// A random position that White, to move, wins in an accepted number of plies.
fn choose(table: &Table, seed: u64, accepts: impl Fn(u8) -> bool + Sync) -> Option<Chess> {
    let won: Vec<Squares> = table
        .positions(Color::White)
        .filter(|(_, value, _)| matches!(value, Dtm::Win(plies) if accepts(*plies)))
        .map(|(squares, _, _)| squares)
        .collect();
    let mut random = SplitMix64(seed);
    let chosen = table.position(Color::White, won.get(random.below(won.len()))?)?;
    // A table stores one of the eight rotations and reflections of a position, or of the two
    // reflections of one with pawns.
    let mut board = chosen.board().clone();
    let image = random.below(if board.pawns().any() { 2 } else { 8 });
    if image & 1 != 0 {
        board.flip_horizontal();
    }
    if image & 2 != 0 {
        board.flip_vertical();
    }
    if image & 4 != 0 {
        board.flip_diagonal();
    }
    set_up(board, Color::White)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism::endgame::Endgames;

    #[test]
    fn start_positions_are_won_and_differ() {
        let mut endgames = Endgames::default();
        let material = "KRK".parse().unwrap();
        endgames.build(material);
        endgames.build("KPK".parse().unwrap());
        let table = endgames.table(&material).unwrap();
        let starts: Vec<Chess> =
            (0..20).map(|seed| won_position(table, seed, 1).unwrap()).collect();
        let pawn = endgames.table(&"KPK".parse().unwrap()).unwrap();
        let with_pawn = (0..20).map(|seed| won_position(pawn, seed, 1).unwrap());
        for position in starts.iter().cloned().chain(with_pawn) {
            assert!(matches!(endgames.probe(&position), Some(Dtm::Win(_))));
        }
        for position in &starts {
            assert_eq!(starts.iter().filter(|other| *other == position).count(), 1);
        }
        assert_eq!(won_position(table, 7, 1), Some(starts[7].clone()));
        endgames.build("KBK".parse().unwrap());
        assert_eq!(won_position(endgames.table(&"KBK".parse().unwrap()).unwrap(), 1, 1), None);
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
