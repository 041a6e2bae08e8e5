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
    use shakmaty::{Chess, Color, Position};
    use std::fmt::Write;

    /// What is left of an advantage of a side, in 64ths, and the name of the reason.
    fn scale(chess: &Chess, side: Color) -> (i32, String) {
        let engine = crate::default_engine().unwrap();
        let found = engine.scale(&EvalContext::new(chess), side);
        found.map_or((64, String::new()), |(entry, share)| (share, entry.name.to_string()))
    }

    /// It must be the same for Black with colours swapped.
    #[test]
    fn what_is_left_of_an_advantage_is_what_the_file_says() {
        let (engine, mut name) = (crate::default_engine().unwrap(), "");
        for line in include_str!("shares.txt").lines() {
            match line.split_once(' ') {
                Some(("draw", draw)) => name = draw,
                Some((sign @ ("+" | "-"), fen)) => {
                    let chess = position(fen);
                    let found = scale(&chess, Color::White);
                    assert_eq!(found, scale(&mirrored(&chess), Color::Black), "{fen}");
                    assert_eq!(found.0 == 0, sign == "+", "{fen}");
                    assert!(sign == "-" || found.1 == name, "{fen}: {}", found.1);
                    let value = engine.evaluate(&chess);
                    let white = chess.turn().fold_wb(value, -value);
                    assert!(sign == "-" || white <= 0, "{fen}: {white}");
                }
                Some(("keeps", rest)) => {
                    let (shares, fen) = rest.split_once(": ").unwrap();
                    let [white, black] = Color::ALL.map(|side| scale(&position(fen), side).0);
                    assert_eq!(format!("{white} {black}"), shares, "{fen}");
                }
                _ => {}
            }
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
