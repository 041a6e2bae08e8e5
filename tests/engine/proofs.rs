//! What is promised of the engines in endings against a bare king: the shares of won positions that they
//! mate from against any defence, within fifty moves, at the smallest search that is known to do it.

use crate::common::shipped;
use tropism::endings::{Proof, Sample};

fn proof(engine: &str, ending: &str, depth: u32, positions: Option<usize>) -> Proof {
    let sample = positions.map(|positions| Sample { positions, seed: 1 });
    Proof::new(&shipped(engine), ending.parse().unwrap(), depth, sample, 0).unwrap()
}

#[test]
fn king_and_queen_mate_from_everywhere_at_depth_one() {
    let proof = proof("tropism", "KQK", 1, None);
    assert!(proof.is_complete(), "{proof}");
}

#[test]
fn king_and_rook_mate_from_everywhere_at_depth_one() {
    let proof = proof("tropism", "KRK", 1, None);
    assert!(proof.is_complete(), "{proof}");
}

/// From everywhere: `tropism --engine engines/two-bishops-depth-5.toml prove KBBK --depth 5`.
#[test]
fn two_bishops_mate_at_depth_five() {
    let proof = proof("two-bishops-depth-5", "KBBK", 5, Some(8));
    assert!(proof.is_complete(), "{proof}");
}

#[test]
fn two_bishops_mate_from_nearly_everywhere_at_depth_one() {
    let proof = proof("two-bishops", "KBBK", 1, Some(1000));
    assert_eq!(proof.share(), 0.986, "{proof}");
}

#[test]
fn bishop_and_knight_mate_from_a_tenth_at_depth_one() {
    let proof = proof("bishop-and-knight", "KBNK", 1, Some(1000));
    assert_eq!(proof.share(), 0.097, "{proof}");
}
