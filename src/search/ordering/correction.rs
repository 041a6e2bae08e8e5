//! Correction history: corrects the static evaluation by the results of searches of similar positions.

use super::history::PieceTo;
use crate::search::position::Position;
use shakmaty::{Bitboard, Position as _};

/// The number of entries of each table; a power of two.
const SIZE: usize = 1 << 14;

/// A stored correction is this many times the correction in centipawns.
const GRAIN: i32 = 64;

/// The largest correction by one table, in centipawns.
const MAX_CORRECTION: i32 = 96;

/// The number of piece groups, each with its own table: pawns, minor pieces, major pieces.
const GROUPS: usize = 3;

/// The mean error of the static evaluation in positions with the same pieces of one group, and in positions
/// after the same move. Positions are seen from the side to move, so that a position and its mirror image share
/// their corrections.
#[derive(Default, Debug)]
pub struct Corrections {
    groups: Vec<[i16; SIZE]>,
    moves: Vec<i16>,
}

/// The indices of the corrections of one position.
#[derive(Copy, Clone, Debug)]
pub struct CorrectionIndex {
    groups: [usize; GROUPS],
    last_move: PieceTo,
}

impl CorrectionIndex {
    pub fn new(position: &Position, last_move: PieceTo) -> CorrectionIndex {
        let chess = position.chess();
        let board = chess.board();
        let flip = chess.turn().is_black();
        let seen = |set: Bitboard| u64::from(if flip { set.flip_vertical() } else { set });
        let index = |pieces: Bitboard| hash(seen(pieces & chess.us()), seen(pieces & chess.them()));
        let groups = [
            index(board.pawns()),
            index(board.knights() | board.bishops() | board.kings()),
            index(board.rooks_and_queens() | board.kings()),
        ];
        CorrectionIndex { groups, last_move }
    }
}

impl Corrections {
    pub fn new() -> Corrections {
        Corrections { groups: vec![[0; SIZE]; GROUPS], moves: vec![0; PieceTo::COUNT] }
    }

    /// The correction to add to the static evaluation, in centipawns.
    pub fn get(&self, index: &CorrectionIndex) -> i32 {
        let groups = self.groups.iter().zip(index.groups).map(|(table, at)| i32::from(table[at]));
        (groups.sum::<i32>() + i32::from(self.moves[index.last_move.index()])) / (3 * GRAIN)
    }

    /// Records that a search to `depth` plies was `error` centipawns above the static evaluation.
    pub fn update(&mut self, index: &CorrectionIndex, error: i32, depth: i32) {
        let weight = (depth + 1).min(16);
        for (table, at) in self.groups.iter_mut().zip(index.groups) {
            update_mean(&mut table[at], error, weight);
        }
        update_mean(&mut self.moves[index.last_move.index()], error, weight);
    }
}

/// Updates a running mean. A deeper search has more weight.
fn update_mean(correction: &mut i16, error: i32, weight: i32) {
    let error = error.clamp(-2 * MAX_CORRECTION, 2 * MAX_CORRECTION) * GRAIN;
    let mean = (i32::from(*correction) * (256 - weight) + error * weight) / 256;
    *correction = mean.clamp(-MAX_CORRECTION * GRAIN, MAX_CORRECTION * GRAIN) as i16;
}

/// Hashes two sets to an index of a table. The factors are odd and mix all bits.
fn hash(ours: u64, theirs: u64) -> usize {
    let ours = ours.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let theirs = theirs.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    let mixed = (ours ^ theirs.rotate_left(32)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (mixed >> (64 - SIZE.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Game;

    fn index(fen: &str) -> CorrectionIndex {
        CorrectionIndex::new(Game::from_fen(fen, None).unwrap().position(), PieceTo::NONE)
    }

    #[test]
    fn constant_errors_become_the_correction() {
        let mut corrections = Corrections::new();
        let index = index("4k3/pp6/8/8/8/8/PPP5/4K3 w - - 0 1");
        for _ in 0..1000 {
            corrections.update(&index, 40, 8);
        }
        // Four tables that agree give four thirds of the error.
        assert!((48..=54).contains(&corrections.get(&index)));
        for _ in 0..10_000 {
            corrections.update(&index, -30_000, 8);
        }
        assert_eq!(corrections.get(&index), -4 * MAX_CORRECTION / 3);
    }

    #[test]
    fn a_mirrored_position_has_the_same_index() {
        let white = index("r3k3/pp6/5n2/8/8/8/PPP5/4KB2 w - - 0 1");
        let black = index("4kb2/ppp5/8/8/8/5N2/PP6/R3K3 b - - 0 1");
        assert_eq!(white.groups, black.groups);
    }
}
