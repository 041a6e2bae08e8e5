//! Where a game of practice begins.

use super::super::solve::{position, set_up};
use crate::endgame::{Dtm, Squares, Table};
use rayon::prelude::*;
use shakmaty::{Chess, Color, Position};

/// Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators (2014), in Sebastiano
/// Vigna's version SplitMix64: every seed is as good as any other.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`; 0 if that is 0.
    fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}

/// A position that White, to move, wins; none if there is no such position. A seed always gives the
/// same one.
pub(super) fn start(table: &Table, seed: u64) -> Option<Chess> {
    let won: Vec<Squares> = table
        .positions(Color::White)
        .filter(|(_, value, _)| matches!(value, Dtm::Win(_)))
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

    /// The first numbers that Vigna's program gives for the seed 1234567.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut random = SplitMix64(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
        assert_eq!(random.below(0), 0);
        assert!((0..100).all(|_| random.below(3) < 3));
    }

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
