//! The scale factors and known draws that ship. The first that applies decides.

mod draws;
mod factors;

use crate::eval::ScaleEntry;

/// All of them, known draws first.
pub(super) fn all() -> impl Iterator<Item = ScaleEntry> {
    draws::all().into_iter().chain(factors::all())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documentation::assert_table;
    use crate::eval::EvalContext;
    use crate::testing::{mirrored, position};
    use shakmaty::{Chess, Color};
    use std::fmt::Write;

    /// What is left of an advantage of a side, in 64ths, and the name of the reason.
    fn scale(chess: &Chess, side: Color) -> (i32, String) {
        let engine = crate::default_engine().unwrap();
        let found = engine.scale(&EvalContext::new(chess), side);
        found.map_or((64, String::new()), |(entry, share)| (share, entry.name.to_string()))
    }

    /// It must be the same for Black with colours swapped.
    #[test]
    fn known_draws_are_those_of_the_file() {
        let mut name = "";
        for line in include_str!("known_draws.txt").lines() {
            match line.split_once(' ') {
                Some(("draw", draw)) => name = draw,
                Some((sign @ ("+" | "-"), fen)) => {
                    let chess = position(fen);
                    let found = scale(&chess, Color::White);
                    assert_eq!(found, scale(&mirrored(&chess), Color::Black), "{fen}");
                    assert_eq!(found.0 == 0, sign == "+", "{fen}");
                    assert!(sign == "-" || found.1 == name, "{fen}: {}", found.1);
                }
                _ => {}
            }
        }
    }

    #[test]
    fn what_is_left_of_an_advantage() {
        for (fen, expected) in [
            // Neither side can mate; a bare king is mated; a lead of a queen.
            ("4k3/8/8/8/8/8/8/B3K3 w - - 0 1", (0, 0)),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", (64, 0)),
            ("4k3/8/8/8/8/8/8/BN2K3 w - - 0 1", (64, 0)),
            ("4k2r/8/8/8/8/8/8/Q3K3 w - - 0 1", (40, 8)),
            // Rook against bishop, two minor pieces against one.
            ("4k3/8/8/8/8/8/8/R2bK3 w - - 0 1", (8, 0)),
            ("4k3/8/8/8/8/8/8/BBn1K3 w - - 0 1", (8, 0)),
            ("4k3/1p6/8/8/8/8/8/R2bK3 w - - 0 1", (8, 50)),
            // Bishops on one colour, on both, and with rooks.
            ("4k1b1/pp6/8/8/8/8/PP6/B3K3 w - - 0 1", (34, 34)),
            ("4kb2/p7/8/8/8/8/P7/B3K3 w - - 0 1", (50, 50)),
            ("r3k1b1/p7/8/8/8/8/P7/B3K2R w - - 0 1", (56, 56)),
            // The dark-squared bishop does not guard a8, the light-squared one does; a king far away comes too
            // late.
            ("1k6/8/8/8/8/8/P7/B3K3 w - - 0 1", (0, 0)),
            ("1k6/8/8/8/8/8/P7/1B2K3 w - - 0 1", (50, 0)),
            ("4k3/8/8/8/8/8/P7/B3K3 w - - 0 1", (50, 0)),
            ("1k6/8/8/8/8/8/PP6/B3K3 w - - 0 1", (60, 0)),
            ("1k6/8/8/8/8/8/PPP5/B3K3 w - - 0 1", (64, 0)),
            // A pawn alone: the opposition, and a king in the corner.
            ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", (64, 0)),
            ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", (0, 0)),
            ("8/8/8/8/p7/1k6/8/K7 b - - 0 1", (0, 0)),
            ("8/8/8/8/p7/1k6/7P/K7 b - - 0 1", (50, 0)),
        ] {
            let shares = Color::ALL.map(|side| scale(&position(fen), side).0);
            assert_eq!(<(i32, i32)>::from(shares), expected, "{fen}");
        }
    }

    #[test]
    fn the_table_of_scale_factors_is_up_to_date() {
        let mut table = "| scale factor | keeps | why |\n|---|---|---|\n".to_owned();
        for ScaleEntry { name, doc, keeps, .. } in all() {
            writeln!(table, "| `{name}` | {} % | {doc} |", keeps.unwrap_or(0)).unwrap();
        }
        assert_table("docs/terms.md", "scale factors", &table);
    }
}
