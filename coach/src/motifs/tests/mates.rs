//! Mates with a name.

use super::super::{Motif, motifs_of_move};
use super::{moves, position, rows};

fn names(fen: &str, word: &str) -> Vec<Motif> {
    let start = position(fen);
    let found = motifs_of_move(&start, moves(&start, word)[0]);
    let is_mate = |motif| Motif::Mate == motif || Motif::SmotheredMate <= motif;
    found.into_iter().map(|found| found.motif).filter(|&motif| is_mate(motif)).collect()
}

#[test]
fn mates_have_their_names() {
    for (motif, [fen, word]) in rows(include_str!("mates.txt")) {
        assert_eq!(names(fen, word), [Motif::Mate, motif], "{fen} {word}");
    }
}

#[test]
fn a_mate_may_have_no_name_and_a_check_is_no_mate() {
    assert_eq!(names("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "Ra8"), [Motif::Mate]);
    assert_eq!(names("6k1/5pp1/8/8/8/8/8/3R2K1 w - - 0 1", "Rd8"), []);
    // The pawn on g7 is missing: the bishop has to help, so it is no back-rank mate.
    assert!(!names("6k1/5p1p/7B/8/8/8/8/4R2K w - - 0 1", "Re8").contains(&Motif::BackRankMate));
}
