//! What is promised of the engines in endings against a bare king: the shares of won positions that they
//! mate from against any defence, within fifty moves, at the smallest search that is known to do it.

use crate::common::shipped;
use tropism::endings::{Proof, ProofOptions};

/// From all positions with searches of so many plies.
fn proof_at_depth(ending: &str, depth: u32) -> Proof {
    let options = ProofOptions { depth, ..ProofOptions::default() };
    Proof::new(&shipped("tropism"), ending.parse().unwrap(), &options).unwrap()
}

#[test]
fn king_and_queen_mate_from_everywhere_at_depth_three() {
    let proof = proof_at_depth("KQK", 3);
    assert!(proof.is_complete(), "{proof}");
}

#[test]
fn king_and_rook_mate_from_everywhere_at_depth_five() {
    let proof = proof_at_depth("KRK", 5);
    assert!(proof.is_complete(), "{proof}");
}
