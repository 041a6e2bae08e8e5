//! The terms: one file a plug-in, nothing else in it.
//!
//! What the mating terms share is in `reach`.
//!
//! To add one, copy the smallest file here ([`KnightForks`]), add its line to [`registry`], and
//! give it a section in an engine file. Options, trace and documentation follow by themselves.

mod basic_mates;
mod initiative;
mod kbnk;
mod king_pawn_tropism;
mod king_safety;
mod knight_forks;
mod kpk;
mod material;
mod mobility;
mod mop_up;
mod passed_pawns;
mod pawns;
mod pieces;
mod placement;
mod reach;
mod shelter;
mod threats;
mod ways_out;

pub use basic_mates::{BasicMate, Ending, Kbbk, Kqk, Krk};
pub use initiative::Initiative;
pub use kbnk::Kbnk;
pub use king_pawn_tropism::KingPawnTropism;
pub use king_safety::KingSafety;
pub use knight_forks::KnightForks;
pub use kpk::Kpk;
pub use material::Material;
pub use mobility::Mobility;
pub use mop_up::MopUp;
pub use passed_pawns::PassedPawns;
pub use pawns::Pawns;
pub use pieces::Pieces;
pub use placement::Placement;
pub use shelter::Shelter;
pub use threats::Threats;
pub use ways_out::WaysOut;

use crate::eval::Registry;
use shakmaty::{Bitboard, Color, Square};

/// All terms that ship with the program, and the default engine as a base for other files.
pub fn registry() -> Registry {
    let mut registry = Registry::default();
    registry
        .add::<Material>()
        .add::<Placement>()
        .add::<MopUp>()
        .add::<Kpk>()
        .add::<BasicMate<Kqk>>()
        .add::<BasicMate<Krk>>()
        .add::<BasicMate<Kbbk>>()
        .add::<Kbnk>()
        .add::<WaysOut>()
        .add::<KingPawnTropism>()
        .add::<KnightForks>()
        .add::<Mobility>()
        .add::<Pawns>()
        .add::<PassedPawns>()
        .add::<Shelter>()
        .add::<KingSafety>()
        .add::<Threats>()
        .add::<Pieces>()
        .add::<Initiative>()
        .add_base("tropism", crate::DEFAULT_ENGINE_FILE);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Engine, EvalContext, Term};
    use shakmaty::{Chess, Position, Setup};

    /// The same pawns and kings, all else taken off the board.
    fn without_pieces(position: &Chess) -> Option<Chess> {
        let mut setup = position.to_setup(shakmaty::EnPassantMode::Legal);
        let others = setup.board.occupied() & !setup.board.pawns() & !setup.board.kings();
        for square in others {
            setup.board.discard_piece_at(square);
        }
        let setup = Setup { castling_rights: Bitboard::EMPTY, ep_square: None, ..setup };
        setup.position(shakmaty::CastlingMode::Standard).ok()
    }

    #[test]
    fn mating_terms_have_nothing_to_say_elsewhere() {
        // Other men, a pawn besides, or men that cannot mate.
        for rank in
            ["Q3p3", "R3p3", "BB2p3", "BN2p3", "B1B5", "NN6", "B7", "N7", "P7", "8", "R3q3", "N3b3"]
        {
            let fen = &format!("7k/8/8/8/{rank}/8/8/4K3 w - - 0 1");
            assert!(!EvalContext::new(&testing::position(fen)).mating, "{fen}");
            for side in Color::ALL {
                let said = [
                    testing::measured(&BasicMate::<Kqk>::new(&[]), fen, side),
                    testing::measured(&BasicMate::<Krk>::new(&[]), fen, side),
                    testing::measured(&BasicMate::<Kbbk>::new(&[]), fen, side),
                    testing::measured(&Kbnk, fen, side),
                ];
                assert_eq!(said, [const { Vec::new() }; 4], "{fen}");
            }
        }
    }

    #[test]
    fn what_is_said_to_depend_on_pawns_and_kings_does() {
        let registry = registry();
        let default = crate::default_engine().unwrap();
        let said: Vec<&str> = registry
            .entries()
            .iter()
            .filter(|entry| entry.pawns_and_kings)
            .map(|entry| entry.name)
            .collect();
        assert_eq!(said, ["king_pawn_tropism", "pawns", "shelter"]);
        let counts = |engine: &Engine, position: &Chess| {
            let mut counts = vec![0; engine.pairs()];
            engine.record(position, &mut counts);
            let mut rest = counts.as_slice();
            let mut of_said = Vec::new();
            for (name, pairs) in engine.parts() {
                let (own, others) = rest.split_at(pairs);
                if said.contains(&name) {
                    of_said.extend_from_slice(own);
                }
                rest = others;
            }
            of_said
        };
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            "5rk1/5ppp/8/2q5/8/2N1Q3/5PPP/4R1K1 w - - 0 1",
            "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
        ] {
            let position = testing::position(fen);
            let bare = without_pieces(&position).unwrap();
            assert_eq!(counts(&default, &position), counts(&default, &bare), "{fen}");
        }
    }
}

/// Positions, views and counts for the tests of the terms.
#[cfg(test)]
pub(crate) mod testing;
