//! The proof that the page on endings shows.

use crate::common::shipped;
use tropism::endings::{Proof, ProofOptions};

#[test]
fn the_page_on_endings_shows_the_proof_of_the_rook() {
    let options = ProofOptions { depth: 5, ..ProofOptions::default() };
    let proof = Proof::new(&shipped("tropism"), "KRK".parse().unwrap(), &options).unwrap();
    let page = include_str!("../../docs/endings.md");
    let shown = format!("$ tropism prove KRK --depth 5 --refutations 0\n{proof}\n```");
    assert!(page.contains(&shown), "{proof}");
}
