//! Mates with a name.

use super::super::{Motif, motifs_of_move};
use super::{moves, position, rows};

/// The mate, a position in which a move gives it, and the move.
const MATES: &str = "
smotheredMate | 6rk/6pp/8/6N1/8/8/8/6K1 w - - | Nf7
backRankMate | 6k1/5ppp/8/8/8/8/8/3R2K1 w - - | Rd8
anastasiaMate | 8/4N1pk/8/8/8/R7/8/6K1 w - - | Rh3
hookMate | R7/5kp1/4ppN1/7P/8/8/8/6K1 w - - | Rf8
arabianMate | 7k/R7/5N2/8/8/8/8/6K1 w - - | Rh7
bodenMate | 2kr4/3n4/2p5/8/5B2/8/4B3/6K1 w - - | Ba6
doubleBishopMate | 7k/7p/8/3B4/8/8/8/2B3K1 w - - | Bb2
dovetailMate | 8/4p3/3pk3/7Q/6P1/8/8/6K1 w - - | Qf5
epauletteMate | 3rkr2/8/Q7/8/8/8/8/6K1 w - - | Qe6
swallowstailMate | 3r1r2/4k3/Q7/5P2/8/8/8/6K1 w - - | Qe6
blindSwineMate | 5rk1/1R5R/8/8/8/8/8/6K1 w - - | Rbg7
killBoxMate | 6k1/6p1/6Q1/8/8/8/8/4R1K1 w - - | Re8
triangleMate | 8/5R2/6k1/6p1/8/8/8/6KQ w - - | Qh7
operaMate | 4k3/5p2/8/6B1/8/8/8/3R2K1 w - - | Rd8
cornerMate | 7k/7p/8/6N1/8/8/8/K5R1 w - - | Nf7
morphysMate | 7k/7p/8/8/8/8/8/2B3RK w - - | Bb2
vukovicMate | 4k3/R7/3PN3/8/8/8/8/6K1 w - - | Re7
pillsburysMate | 6k1/5p1p/7B/8/8/8/8/4R2K w - - | Re8
balestraMate | 6k1/7p/5Q2/8/8/7B/8/6K1 w - - | Be6
";

fn names(fen: &str, word: &str) -> Vec<Motif> {
    let start = position(fen);
    let found = motifs_of_move(&start, moves(&start, word)[0]);
    let is_mate = |motif| Motif::Mate == motif || Motif::SmotheredMate <= motif;
    found.into_iter().map(|found| found.motif).filter(|&motif| is_mate(motif)).collect()
}

#[test]
fn mates_have_their_names() {
    for (motif, [fen, word]) in rows(MATES) {
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
