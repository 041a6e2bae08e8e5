//! Motifs of moves and positions, and threats.

use super::super::{Motif, motifs_of_move, motifs_of_position};
use super::{moves, position, said};

fn of_move(motif: Motif, fen: &str, word: &str) -> Vec<String> {
    let start = position(fen);
    said(&motifs_of_move(&start, moves(&start, word)[0]), motif)
}

fn of_position(motif: Motif, fen: &str) -> Vec<String> {
    said(&motifs_of_position(&position(fen)), motif)
}

#[test]
fn a_move_creates_motifs() {
    for (motif, fen, word, clause) in [
        (Motif::Fork, "4k3/8/8/3N4/8/8/8/r5K1 w - - 0 1", "Kf2", ""),
        (
            Motif::Fork,
            "r3k3/8/8/3N4/8/8/8/6K1 w - - 0 1",
            "Nc7",
            "the knight on c7 forks the rook on a8 and the king on e8",
        ),
        (
            Motif::Pin,
            "4k3/4n3/8/8/8/8/8/R5K1 w - - 0 1",
            "Re1",
            "the rook on e1 pins the knight on e7 to the king on e8",
        ),
        (
            Motif::Skewer,
            "8/8/8/q3k3/8/8/8/6KR w - - 0 1",
            "Rh5",
            "the rook on h5 skewers the king on e5 and the queen on a5 behind it",
        ),
        (
            Motif::DiscoveredAttack,
            "4q1k1/8/8/8/4N3/8/8/4R1K1 w - - 0 1",
            "Nc5",
            "the knight on c5 opens the line on which the rook on e1 attacks the queen on e8",
        ),
        (
            Motif::TrappedPiece,
            "6k1/8/8/8/8/1P6/b4PPP/2K5 w - - 0 1",
            "Kb2",
            "the king on b2 attacks the bishop on a2, which has no safe square",
        ),
        (
            Motif::HangingPiece,
            "6k1/8/8/3n4/8/8/8/3R2K1 w - - 0 1",
            "Rxd5",
            "the rook captures the knight on d5, which nothing defends",
        ),
    ] {
        let expected: Vec<&str> = [clause].into_iter().filter(|it| !it.is_empty()).collect();
        assert_eq!(of_move(motif, fen, word), expected, "{motif}: {fen} {word}");
    }
}

#[test]
fn a_position_has_motifs_of_both_sides() {
    let pinned = "3qk3/4n3/5n2/6B1/8/8/8/4R1K1 w - - 0 1";
    let pins = ["the rook on e1 pins the knight on e7 to the king on e8"];
    assert_eq!(of_position(Motif::Pin, pinned), pins);
    assert_eq!(of_position(Motif::Pin, "4k3/4n3/4p3/8/8/8/8/4R1K1 w - - 0 1"), [""; 0]);
    let relative = "3q2k1/8/5n2/6B1/8/8/8/6K1 w - - 0 1";
    let pins = ["the bishop on g5 pins the knight on f6 to the queen on d8"];
    assert_eq!(of_position(Motif::RelativePin, relative), pins);

    let loose = "6k1/8/8/3n4/8/8/8/3R2K1 b - - 0 1";
    let hanging = ["the rook on d1 attacks the knight on d5, which nothing defends"];
    assert_eq!(of_position(Motif::HangingPiece, loose), hanging);
    let defended = "6k1/8/4p3/3n4/8/8/8/3R2K1 b - - 0 1";
    assert_eq!(of_position(Motif::HangingPiece, defended), [""; 0]);
    // The rook is pinned and cannot capture.
    let pinned = "3rk3/8/8/r2n4/8/8/8/3R3K b - - 0 1";
    assert_eq!(of_position(Motif::HangingPiece, pinned), [""; 0]);

    let trapped = "6k1/8/8/8/8/1P6/bK3PPP/8 w - - 0 1";
    let bishop = ["the king on b2 attacks the bishop on a2, which has no safe square"];
    assert_eq!(of_position(Motif::TrappedPiece, trapped), bishop);
    let free = "6k1/8/8/8/8/8/bK3PPP/8 w - - 0 1";
    assert_eq!(of_position(Motif::TrappedPiece, free), [""; 0]);

    let weak = ["the king on g8 has no flight square from its back rank"];
    assert_eq!(of_position(Motif::WeakBackRank, "6k1/5ppp/8/8/8/8/6K1/3R4 w - - 0 1"), weak);
    assert_eq!(of_position(Motif::WeakBackRank, "6k1/5pp1/7p/8/8/8/6K1/3R4 w - - 0 1"), [""; 0]);
    let exposed = ["no pawn shields the king on g8"];
    assert_eq!(of_position(Motif::ExposedKing, "6k1/8/8/8/8/8/5PPP/3Q2K1 w - - 0 1"), exposed);
    assert_eq!(of_position(Motif::ExposedKing, "6k1/6p1/8/8/8/8/5PPP/3Q2K1 w - - 0 1"), [""; 0]);
}
