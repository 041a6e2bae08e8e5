//! What is promised of the engines in endings against a bare king: the shares of won positions that they
//! mate from against any defence, within fifty moves, at the smallest search that is known to do it.

use crate::common::shipped;
use tropism::endings::{ProgressProof, Proof, ProofOptions};

/// From all positions with searches of one ply.
fn proof_at_depth_one(engine: &str, ending: &str) -> Proof {
    Proof::new(&shipped(engine), ending.parse().unwrap(), &ProofOptions::default()).unwrap()
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

/// The smallest number of moves within which the default engine can force a higher level from everywhere.
#[test]
fn a_higher_level_leads_to_mate_from_everywhere() {
    for (ending, smallest) in [("KQK", 4), ("KRK", 3), ("KBBK", 4)] {
        let proof = |moves| {
            ProgressProof::new(&shipped("tropism"), ending.parse().unwrap(), moves).unwrap()
        };
        assert!(proof(smallest).is_complete(), "{}", proof(smallest));
        assert!(!proof(smallest - 1).is_complete(), "{ending}");
    }
}
