//! Correction of the static evaluation by what searches of like positions came to.

use super::history::Step;
use super::position::Position;
use shakmaty::{Bitboard, Position as _};

/// Entries of each table; a power of two.
const SIZE: usize = 1 << 14;

/// Corrections are kept in this fraction of a centipawn.
const GRAIN: i32 = 64;

/// The largest correction that one table may make, in centipawns.
const MAX_CORRECTION: i32 = 96;

/// The aspects of a position that are corrected by themselves: pawns, minor pieces, major pieces.
const ASPECTS: usize = 3;

/// How far the static evaluation was off, on average, in positions that look alike in one aspect, or
/// that came about by the same move. All are seen from the side to move, so that a position and its
/// mirror share their corrections.
#[derive(Default, Debug)]
pub(super) struct Corrections {
    aspects: Vec<[i16; SIZE]>,
    moves: Vec<i16>,
}

/// Where the corrections of one position are kept.
#[derive(Copy, Clone, Debug)]
pub(super) struct CorrectionIndex {
    aspects: [usize; ASPECTS],
    after: Step,
}

impl CorrectionIndex {
    pub(super) fn new(position: &Position, after: Step) -> CorrectionIndex {
        let chess = position.chess();
        let board = chess.board();
        let flip = chess.turn().is_black();
        let seen = |set: Bitboard| u64::from(if flip { set.flip_vertical() } else { set });
        let place = |men: Bitboard| mix(seen(men & chess.us()), seen(men & chess.them()));
        let aspects = [
            place(board.pawns()),
            place(board.knights() | board.bishops() | board.kings()),
            place(board.rooks_and_queens() | board.kings()),
        ];
        CorrectionIndex { aspects, after }
    }
}

impl Corrections {
    pub(super) fn new() -> Corrections {
        Corrections { aspects: vec![[0; SIZE]; ASPECTS], moves: vec![0; Step::COUNT] }
    }

    /// What to add to the static evaluation, in centipawns.
    pub(super) fn get(&self, place: &CorrectionIndex) -> i32 {
        let aspects =
            self.aspects.iter().zip(place.aspects).map(|(table, at)| i32::from(table[at]));
        (aspects.sum::<i32>() + i32::from(self.moves[place.after.index()])) / (3 * GRAIN)
    }

    /// A search of so many plies came out this much above the static evaluation.
    pub(super) fn update(&mut self, place: &CorrectionIndex, error: i32, depth: i32) {
        let weight = (depth + 1).min(16);
        for (table, at) in self.aspects.iter_mut().zip(place.aspects) {
            approach(&mut table[at], error, weight);
        }
        approach(&mut self.moves[place.after.index()], error, weight);
    }
}

/// A running mean: the deeper the search, the more it counts.
fn approach(correction: &mut i16, error: i32, weight: i32) {
    let error = error.clamp(-2 * MAX_CORRECTION, 2 * MAX_CORRECTION) * GRAIN;
    let mean = (i32::from(*correction) * (256 - weight) + error * weight) / 256;
    *correction = mean.clamp(-MAX_CORRECTION * GRAIN, MAX_CORRECTION * GRAIN) as i16;
}

/// Spreads two sets over a table. The factors are odd numbers with bits all over.
fn mix(ours: u64, theirs: u64) -> usize {
    let ours = ours.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let theirs = theirs.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    let mixed = (ours ^ theirs.rotate_left(32)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (mixed >> (64 - SIZE.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Game;

    fn place(fen: &str) -> CorrectionIndex {
        CorrectionIndex::new(Game::from_fen(fen, None).unwrap().position(), Step::NONE)
    }

    #[test]
    fn like_errors_become_the_correction() {
        let mut corrections = Corrections::new();
        let place = place("4k3/pp6/8/8/8/8/PPP5/4K3 w - - 0 1");
        for _ in 0..1000 {
            corrections.update(&place, 40, 8);
        }
        // Four tables that agree count four thirds.
        assert!((48..=54).contains(&corrections.get(&place)));
        for _ in 0..10_000 {
            corrections.update(&place, -30_000, 8);
        }
        assert_eq!(corrections.get(&place), -4 * MAX_CORRECTION / 3);
    }

    #[test]
    fn a_mirrored_position_has_the_same_place() {
        let white = place("r3k3/pp6/5n2/8/8/8/PPP5/4KB2 w - - 0 1");
        let black = place("4kb2/ppp5/8/8/8/5N2/PP6/R3K3 b - - 0 1");
        assert_eq!(white.aspects, black.aspects);
    }
}
