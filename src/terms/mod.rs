//! The terms: one file a plug-in, nothing else in it.
//!
//! To add one, copy the smallest file here ([`KnightForks`]), add its line to [`registry`], and
//! give it a section in an engine file. Options, trace and documentation follow by themselves.

mod initiative;
mod kbnk;
mod king_pawn_tropism;
mod king_safety;
mod knight_forks;
mod material;
mod mobility;
mod mop_up;
mod passed_pawns;
mod pawns;
mod pieces;
mod placement;
mod shelter;
mod threats;

pub use initiative::Initiative;
pub use kbnk::Kbnk;
pub use king_pawn_tropism::KingPawnTropism;
pub use king_safety::KingSafety;
pub use knight_forks::KnightForks;
pub use material::Material;
pub use mobility::Mobility;
pub use mop_up::MopUp;
pub use passed_pawns::PassedPawns;
pub use pawns::Pawns;
pub use pieces::Pieces;
pub use placement::Placement;
pub use shelter::Shelter;
pub use threats::Threats;

use crate::eval::Registry;
use shakmaty::{Bitboard, Color, Square};

/// All terms that ship with the program.
pub fn registry() -> Registry {
    let mut registry = Registry::default();
    registry
        .add::<Material>()
        .add::<Placement>()
        .add::<MopUp>()
        .add::<Kbnk>()
        .add::<KingPawnTropism>()
        .add::<KnightForks>()
        .add::<Mobility>()
        .add::<Pawns>()
        .add::<PassedPawns>()
        .add::<Shelter>()
        .add::<KingSafety>()
        .add::<Threats>()
        .add::<Pieces>()
        .add::<Initiative>();
    registry
}

/// The square of a set that is nearest to a side's own back rank, for sets on one file or whose ranks
/// alone matter.
#[inline]
fn nearest(side: Color, set: Bitboard) -> Option<Square> {
    match side {
        Color::White => set.first(),
        Color::Black => set.last(),
    }
}

/// Positions, views and counts for the tests of the terms.
#[cfg(test)]
pub(crate) mod testing;
