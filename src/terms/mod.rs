//! The terms that ship, one file each, and the default engine.
//!
//! To add a term, copy the smallest file here (`knight_forks.rs`), declare its module, add its line to
//! [`registry`], and give it a section in an engine file. UCI option, trace and explanation need no
//! further edit. Add positions for it to `counts.txt`, which says what each term counts.

mod imbalance;
mod initiative;
mod kbnk;
pub(crate) mod king_pawn_tropism;
mod king_safety;
mod knight_forks;
mod kpk;
mod material;
mod mobility;
mod mop_up;
mod passed_pawns;
mod pawn_offsets;
mod pawns;
mod pieces;
mod placement;
mod scale;
mod shelter;
mod threats;

use crate::eval::{Engine, EngineFileError, Registry};
use shakmaty::{Bitboard, Color, Square};

/// The text of `engines/tropism.toml`, built into the program.
pub const DEFAULT_ENGINE_FILE: &str = include_str!("../../engines/tropism.toml");

/// The engine of [`DEFAULT_ENGINE_FILE`].
///
/// # Errors
///
/// If the file is wrong; the tests of the program rule that out.
pub fn default_engine() -> Result<Engine, EngineFileError> {
    registry().default_engine()
}

/// All terms that ship with the program, and the default engine as a base for other engine files.
pub fn registry() -> Registry {
    let mut registry = Registry::default();
    for scale in scale::all() {
        registry.add_scale(scale);
    }
    registry
        .add::<material::Material>()
        .add::<placement::Placement>()
        .add::<mop_up::MopUp>()
        .add::<kpk::Kpk>()
        .add::<kbnk::Kbnk>()
        .add::<king_pawn_tropism::KingPawnTropism>()
        .add::<knight_forks::KnightForks>()
        .add::<mobility::Mobility>()
        .add::<pawns::Pawns>()
        .add::<pawn_offsets::PawnOffsets>()
        .add::<passed_pawns::PassedPawns>()
        .add::<shelter::Shelter>()
        .add::<king_safety::KingSafety>()
        .add::<threats::Threats>()
        .add::<pieces::Pieces>()
        .add::<imbalance::Imbalance>()
        .add::<initiative::Initiative>()
        .add_base("tropism", DEFAULT_ENGINE_FILE)
        .set_default(DEFAULT_ENGINE_FILE);
    registry
}

/// The square of a set that is nearest to a side's back rank, for sets on one file or where only the rank
/// matters.
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
    use crate::documentation::{assert_file, assert_table};
    use crate::testing;
    use shakmaty::{Chess, Position, Setup};
    use std::fmt::Write;

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

    /// What a term counts for a side, or nothing.
    fn counted(engine: &Engine, term: &str, side: &str, fen: &str) -> String {
        let trace = engine.trace(&testing::position(fen));
        let row = trace.rows.iter().find(|row| row.name() == term).expect(term);
        let side = Color::from_white(side == "white");
        let counted = row.contributions(side).iter().filter(|seen| seen.count != 0).map(|seen| {
            let (spec, index) = row.weight(seen.weight).unwrap();
            let index = spec.length.map(|_| format!(" {index}")).unwrap_or_default();
            format!("{}{index}: {} {}", spec.name, seen.count, seen.square)
        });
        counted.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn terms_count_what_the_file_says() {
        let (engine, mut term) = (default_engine().unwrap(), "");
        let mut expected = String::new();
        for line in include_str!("counts.txt").lines() {
            let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
            if first == "term" {
                term = rest;
            }
            if first != "counts" {
                expected += &format!("{line}\n");
            }
            if ["white", "black"].contains(&first) {
                let counted = counted(&engine, term, first, rest);
                expected += format!("counts {counted}").trim_end();
                expected += "\n";
            }
        }
        assert_file("src/terms/counts.txt", &expected);
    }

    #[test]
    fn the_table_of_terms_is_up_to_date() {
        let mut table = "| term | what it measures |\n|---|---|\n".to_owned();
        for term in registry().entries() {
            writeln!(table, "| `{}` | {} |", term.name, term.doc).unwrap();
        }
        assert_table("docs/terms.md", "terms", &table);
    }

    #[test]
    fn terms_that_lead_to_mate_are_not_tuned_from_games() {
        let registry = registry();
        let entries = registry.entries().iter().filter(|entry| !entry.is_tuned_from_games);
        let names: Vec<&str> = entries.map(|entry| &*entry.name).collect();
        assert_eq!(names, ["mop_up", "kpk", "kbnk"]);
    }

    #[test]
    fn terms_declared_to_read_only_pawns_and_kings_read_nothing_else() {
        let registry = registry();
        let default = default_engine().unwrap();
        let declared: Vec<&str> = registry
            .entries()
            .iter()
            .filter(|entry| entry.pawns_and_kings)
            .map(|entry| &*entry.name)
            .collect();
        assert_eq!(declared, ["king_pawn_tropism", "pawns", "pawn_offsets", "shelter"]);
        let counts = |engine: &Engine, position: &Chess| {
            let mut counts = vec![0; engine.pairs()];
            engine.record(position, &mut counts);
            let mut rest = counts.as_slice();
            let mut of_declared = Vec::new();
            for (name, pairs) in engine.parts() {
                let (own, others) = rest.split_at(pairs);
                if declared.contains(&name) {
                    of_declared.extend_from_slice(own);
                }
                rest = others;
            }
            of_declared
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
