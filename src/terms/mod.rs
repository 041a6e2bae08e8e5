//! The terms: one file a plug-in, nothing else in it.
//!
//! To add one, copy the smallest file here ([`KnightForks`]), add its line to [`registry`], and
//! give it a section in an engine file. Options, trace and documentation follow by themselves.

mod kbnk;
mod king_pawn_tropism;
mod knight_forks;
mod material;
mod mop_up;
mod placement;

pub use kbnk::Kbnk;
pub use king_pawn_tropism::KingPawnTropism;
pub use knight_forks::KnightForks;
pub use material::Material;
pub use mop_up::MopUp;
pub use placement::Placement;

use crate::eval::Registry;

/// All terms that ship with the program.
pub fn registry() -> Registry {
    let mut registry = Registry::default();
    registry
        .add::<Material>()
        .add::<Placement>()
        .add::<MopUp>()
        .add::<Kbnk>()
        .add::<KingPawnTropism>()
        .add::<KnightForks>();
    registry
}

/// Positions, views and counts for the tests of the terms.
#[cfg(test)]
pub(crate) mod testing;
