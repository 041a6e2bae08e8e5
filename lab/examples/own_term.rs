//! The whole laboratory with a term of its own: that of `examples/rook_tropism.rs`.
//!
//! `cargo run --release -p tropism-lab --example own_term counts FILE --terms rook_tropism` prints its counts. All
//! commands know the term, and every engine file may name it.

#[path = "../../examples/rook_tropism.rs"]
#[expect(dead_code, reason = "it is the main function of another program")]
mod rook_tropism;

use rook_tropism::{ENGINE, RookTropism};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut registry = tropism::terms::registry();
    registry.add::<RookTropism>().set_default(ENGINE);
    tropism_lab::main(registry)
}
