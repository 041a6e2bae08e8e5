//! What is promised of the engines in endings against a bare king: the shares of won positions that they
//! mate from against any defence, within fifty moves, at the smallest search that is known to do it.

use crate::common::shipped;
use tropism::endings::{Proof, ProofOptions, Sample};

fn proof(engine: &str, ending: &str, options: &ProofOptions) -> Proof {
    Proof::new(&shipped(engine), ending.parse().unwrap(), options).unwrap()
}

/// From all positions with searches of one ply.
fn proof_at_depth_one(engine: &str, ending: &str) -> Proof {
    proof(engine, ending, &ProofOptions::default())
}

/// From a thousand positions with searches of one ply.
fn sampled_proof_at_depth_one(engine: &str, ending: &str) -> Proof {
    let sample = Some(Sample { positions: 1000, seed: 1 });
    proof(engine, ending, &ProofOptions { sample, ..ProofOptions::default() })
}

#[test]
fn king_and_queen_mate_from_everywhere_at_depth_one() {
    let proof = proof_at_depth_one("tropism", "KQK");
    assert!(proof.is_complete(), "{proof}");
}

#[test]
fn king_and_rook_mate_from_everywhere_at_depth_one() {
    let proof = proof_at_depth_one("tropism", "KRK");
    assert!(proof.is_complete(), "{proof}");
}

/// From everywhere: `tropism --engine engines/two-bishops-depth-5.toml prove KBBK --depth 5 --full-width`.
#[test]
fn two_bishops_mate_at_depth_five() {
    let sample = Some(Sample { positions: 8, seed: 1 });
    let options = ProofOptions { depth: 5, full_width: true, sample, ..ProofOptions::default() };
    let proof = proof("two-bishops-depth-5", "KBBK", &options);
    assert!(proof.is_complete(), "{proof}");
}

#[test]
fn two_bishops_mate_from_nearly_everywhere_at_depth_one() {
    let proof = sampled_proof_at_depth_one("two-bishops", "KBBK");
    assert!(proof.share() >= 0.986, "{proof}");
}

#[test]
fn bishop_and_knight_mate_from_a_tenth_at_depth_one() {
    let proof = sampled_proof_at_depth_one("bishop-and-knight", "KBNK");
    assert!(proof.share() >= 0.097, "{proof}");
}
