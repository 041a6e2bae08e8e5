//! Motifs along lines.

use super::super::{Motif, motifs_of_line};
use super::{clauses, moves, position, rows, said};
use shakmaty::Color;

#[test]
fn motifs_are_found_with_their_pieces() {
    for (motif, [fen, line, clause]) in rows(include_str!("found.txt")) {
        assert_eq!(clauses(motif, fen, line), [clause], "{motif:?}: {fen} {line}");
    }
}

#[test]
fn what_looks_like_a_motif_is_none() {
    for (motif, [fen, line]) in rows(include_str!("not_found.txt")) {
        assert_eq!(clauses(motif, fen, line), [""; 0], "{motif:?}: {fen} {line}");
    }
}

/// A draw is forced by the side that does not move last.
#[test]
fn stalemate_and_perpetual_check_save_the_side_that_is_behind() {
    let clauses = |motif, fen: &str, line: &str| {
        let start = position(fen);
        said(&motifs_of_line(&start, &moves(&start, line), Color::White), motif)
    };
    let (rook, queen) = ("8/8/8/8/8/7k/5q2/6RK w - - 0 1", "6k1/6p1/8/7Q/8/8/8/6K1 w - - 0 1");
    let stalemate = clauses(Motif::StalemateTrick, rook, "Rg3 Kxg3");
    assert_eq!(stalemate, ["White saves the game by stalemate"]);
    assert_eq!(clauses(Motif::StalemateTrick, rook, "Rg3"), [""; 0]);
    let perpetual = clauses(Motif::PerpetualCheck, queen, "Qe8 Kh7 Qh5 Kg8");
    assert_eq!(perpetual, ["White saves the game by perpetual check"]);
    assert_eq!(clauses(Motif::PerpetualCheck, queen, "Qe8 Kh7 Qe4 Kg8"), [""; 0]);
}

#[test]
fn plies_are_counted_from_one_and_a_line_ends_at_an_illegal_move() {
    let start = position("3q3r/8/8/k5N1/8/8/8/6K1 w - - 0 1");
    let line = moves(&start, "Nf7 Qd7 Nxh8");
    let found = motifs_of_line(&start, &line, Color::White);
    let plies: Vec<(Motif, usize)> = found.iter().map(|it| (it.motif, it.ply)).collect();
    assert!(plies.contains(&(Motif::Fork, 1)), "{plies:?}");
    assert_eq!(found[0].sentence(), "The knight on f7 forks the queen on d8 and the rook on h8.");
    let broken = [line[0], line[0]];
    assert_eq!(motifs_of_line(&start, &broken, Color::White).len(), 1);
    assert!(motifs_of_line(&start, &[], Color::White).is_empty());
}
