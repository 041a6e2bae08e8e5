//! A fact about mates that a source of a distance states.

use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

/// The source of the corner distance says that bishop and knight mate in a corner that the bishop attacks.
/// Only there can mate be forced, but a mate in the other corners exists if the bare king cooperates.
#[test]
fn bishop_and_knight_can_mate_in_the_wrong_corner_if_the_bare_king_cooperates() {
    for (fen, mate) in [
        // a8 is a light square, which a dark-squared bishop cannot attack.
        ("k7/B1N5/1K6/8/8/8/8/8 b - - 0 1", true),
        ("k7/2N5/1K6/2B5/8/8/8/8 b - - 0 1", false),
    ] {
        let fen: Fen = fen.parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        assert_eq!(position.is_checkmate(), mate);
    }
}
