//! Motifs of moves, and pins of positions.

use super::super::{motifs_of_move, pins};
use super::{moves, position, rows, said};
use shakmaty::{Color, Position};

#[test]
fn a_move_creates_motifs() {
    for (motif, [fen, word, clause]) in rows(include_str!("moves.txt")) {
        let start = position(fen);
        let found = motifs_of_move(&start, moves(&start, word)[0]);
        assert_eq!(said(&found, motif).concat(), clause, "{motif:?}: {fen} {word}");
    }
}

#[test]
fn a_position_has_pins() {
    for (motif, [fen, clause]) in rows(include_str!("positions.txt")) {
        let position = position(fen);
        let pins = pins(position.board(), Color::Black).map(|pin| pin.found(position.board(), 0));
        assert_eq!(said(&pins.collect::<Vec<_>>(), motif).concat(), clause, "{motif:?}: {fen}");
    }
}
