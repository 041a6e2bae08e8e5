//! What is promised of the engine in endings against a bare king: the shares of won positions that it
//! mates from against any defence, within fifty moves, at the smallest search there is.
#![allow(missing_docs, clippy::unwrap_used)]

use tropism::tools::Proof;

fn proof(ending: &str, depth: u32) -> Proof {
    Proof::new(&tropism::default_engine().unwrap(), ending.parse().unwrap(), depth, None, 0)
        .unwrap()
}

#[test]
fn king_and_queen_mate_from_everywhere_at_depth_one() {
    let proof = proof("KQK", 1);
    assert!(proof.is_complete(), "{proof}");
}

#[test]
fn king_and_rook_mate_from_everywhere_at_depth_one() {
    let proof = proof("KRK", 1);
    assert!(proof.is_complete(), "{proof}");
}
