//! Motifs of moves and positions, and threats.

use super::super::{motifs_of_move, motifs_of_position};
use super::{moves, position, rows, said};

/// Motif, position, move, and what is said, if anything.
const OF_MOVES: &str = "
fork | 4k3/8/8/3N4/8/8/8/r5K1 w - - | Kf2 | 
fork | r3k3/8/8/3N4/8/8/8/6K1 w - - | Nc7 | the knight on c7 forks the rook on a8 and the king on e8
pin | 4k3/4n3/8/8/8/8/8/R5K1 w - - | Re1 | the rook on e1 pins the knight on e7 to the king on e8
skewer | 8/8/8/q3k3/8/8/8/6KR w - - | Rh5 | the rook on h5 skewers the king on e5 and the queen on a5 behind it
discoveredAttack | 4q1k1/8/8/8/4N3/8/8/4R1K1 w - - | Nc5 | the knight on c5 opens the line on which the rook on e1 attacks the queen on e8
trappedPiece | 6k1/8/8/8/8/1P6/b4PPP/2K5 w - - | Kb2 | the king on b2 attacks the bishop on a2, which has no safe square
hangingPiece | 6k1/8/8/3n4/8/8/8/3R2K1 w - - | Rxd5 | the rook captures the knight on d5, which nothing defends
";

#[test]
fn a_move_creates_motifs() {
    for (motif, [fen, word, clause]) in rows(OF_MOVES) {
        let start = position(fen);
        let found = motifs_of_move(&start, moves(&start, word)[0]);
        assert_eq!(said(&found, motif).concat(), clause, "{motif}: {fen} {word}");
    }
}

/// Motif, position, and what is said, if anything.
const OF_POSITIONS: &str = "
pin | 3qk3/4n3/5n2/6B1/8/8/8/4R1K1 w - - | the rook on e1 pins the knight on e7 to the king on e8
pin | 4k3/4n3/4p3/8/8/8/8/4R1K1 w - - |
relativePin | 3q2k1/8/5n2/6B1/8/8/8/6K1 w - - | the bishop on g5 pins the knight on f6 to the queen on d8
hangingPiece | 6k1/8/8/3n4/8/8/8/3R2K1 b - - | the rook on d1 attacks the knight on d5, which nothing defends
hangingPiece | 6k1/8/4p3/3n4/8/8/8/3R2K1 b - - |
# The rook is pinned and cannot capture.
hangingPiece | 3rk3/8/8/r2n4/8/8/8/3R3K b - - |
trappedPiece | 6k1/8/8/8/8/1P6/bK3PPP/8 w - - | the king on b2 attacks the bishop on a2, which has no safe square
trappedPiece | 6k1/8/8/8/8/8/bK3PPP/8 w - - |
weakBackRank | 6k1/5ppp/8/8/8/8/6K1/3R4 w - - | the king on g8 has no flight square from its back rank
weakBackRank | 6k1/5pp1/7p/8/8/8/6K1/3R4 w - - |
exposedKing | 6k1/8/8/8/8/8/5PPP/3Q2K1 w - - | no pawn shields the king on g8
exposedKing | 6k1/6p1/8/8/8/8/5PPP/3Q2K1 w - - |
";

#[test]
fn a_position_has_motifs_of_both_sides() {
    for (motif, [fen, clause]) in rows(OF_POSITIONS) {
        let found = motifs_of_position(&position(fen));
        assert_eq!(said(&found, motif).concat(), clause, "{motif}: {fen}");
    }
}
