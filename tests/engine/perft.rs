//! Move generation agrees with published counts.

use crate::common::chess;
use tropism::search::{Control, perft};

fn assert_counts(fen: &str, counts: &[u64]) {
    for (i, &count) in counts.iter().enumerate() {
        let depth = i as u32 + 1;
        assert_eq!(perft(&chess(fen), depth, &Control::default()), count, "{fen} depth {depth}");
    }
}

// The numbered positions are those of the Chess Programming Wiki's "Perft Results".

#[test]
fn start_position() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_counts(start, &[20, 400, 8_902, 197_281, 4_865_609]);
}

#[test]
fn kiwipete() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_counts(kiwipete, &[48, 2_039, 97_862, 4_085_603]);
}

#[test]
fn position_3() {
    assert_counts("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624]);
}

#[test]
fn position_4_and_its_mirror() {
    let counts = [6, 264, 9_467, 422_333];
    assert_counts("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &counts);
    assert_counts("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", &counts);
}

#[test]
fn position_5() {
    let counts = [44, 1_486, 62_379, 2_103_487];
    assert_counts("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &counts);
}

#[test]
fn position_6() {
    let position = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    assert_counts(position, &[46, 2_079, 89_890, 3_894_594]);
}

#[test]
fn chess960_castling() {
    // "Chess960 Perft Results", positions 1 and 3.
    let first = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    assert_counts(first, &[21, 528, 12_189, 326_672]);
    let third = "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9";
    assert_counts(third, &[20, 479, 10_471, 273_318]);
}
