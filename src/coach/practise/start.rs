//! Where a game of practice or a demonstration begins.

use crate::endgame::{Dtm, Squares, Table};
use crate::endings::{position, set_up};
use crate::random::SplitMix64;
use rayon::prelude::*;
use shakmaty::{Chess, Color, Position};

/// A position that White, to move, wins; none if there is no such position. A seed always gives the
/// same one.
pub(in crate::coach) fn start(table: &Table, seed: u64) -> Option<Chess> {
    drawn(table, seed, |_| true)
}

/// One of the positions in which White, to move, needs most moves to mate.
pub(in crate::coach) fn longest(table: &Table, seed: u64) -> Option<Chess> {
    let plies = |(_, value, _)| match value {
        Dtm::Win(plies) => Some(plies),
        Dtm::Draw | Dtm::Loss(_) => None,
    };
    let most = table.positions(Color::White).filter_map(plies).max()?;
    drawn(table, seed, |plies| plies == most)
}

/// A position that White, to move, wins in a number of plies that will do.
fn drawn(table: &Table, seed: u64, will_do: impl Fn(u8) -> bool + Sync) -> Option<Chess> {
    let won: Vec<Squares> = table
        .positions(Color::White)
        .filter(|(_, value, _)| matches!(value, Dtm::Win(plies) if will_do(*plies)))
        .map(|(squares, _, _)| squares)
        .collect();
    let mut random = SplitMix64(seed);
    let chosen = position(table, Color::White, won.get(random.below(won.len()))?)?;
    // A table has one of eight images that turns and mirrors make of a position.
    let mut board = chosen.board().clone();
    let image = random.below(8);
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
    use crate::endgame::Endgames;

    #[test]
    fn starts_are_won_and_differ() {
        let mut endgames = Endgames::default();
        let material = "KRK".parse().unwrap();
        endgames.build(material, |_| ());
        let table = endgames.table(&material).unwrap();
        let starts: Vec<Chess> = (0..20).map(|seed| start(table, seed).unwrap()).collect();
        for position in &starts {
            assert!(matches!(endgames.probe(position), Some(Dtm::Win(_))));
            assert_eq!(starts.iter().filter(|other| *other == position).count(), 1);
        }
        assert_eq!(start(table, 7), Some(starts[7].clone()));
        endgames.build("KBK".parse().unwrap(), |_| ());
        assert_eq!(start(endgames.table(&"KBK".parse().unwrap()).unwrap(), 1), None);
    }
}
