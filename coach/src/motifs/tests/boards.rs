//! Motifs of moves, and pins of positions.

use super::super::{motifs_of_move, pins};
use super::{moves, position, rows, said};
use shakmaty::{Color, Position};

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
        assert_eq!(said(&found, motif).concat(), clause, "{motif:?}: {fen} {word}");
    }
}

/// Motif, position, and what is said, if anything.
const OF_POSITIONS: &str = "
pin | 3qk3/4n3/5n2/6B1/8/8/8/4R1K1 w - - | the rook on e1 pins the knight on e7 to the king on e8
pin | 4k3/4n3/4p3/8/8/8/8/4R1K1 w - - |
relativePin | 3q2k1/8/5n2/6B1/8/8/8/6K1 w - - | the bishop on g5 pins the knight on f6 to the queen on d8
";

#[test]
fn a_position_has_pins() {
    for (motif, [fen, clause]) in rows(OF_POSITIONS) {
        let position = position(fen);
        let pins = pins(position.board(), Color::Black).map(|pin| pin.found(position.board(), 0));
        assert_eq!(said(&pins.collect::<Vec<_>>(), motif).concat(), clause, "{motif:?}: {fen}");
    }
}
