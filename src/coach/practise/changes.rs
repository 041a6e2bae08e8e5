//! Which distances a move changes, in sentences.

use crate::eval::{Reading, Row, Trace, WeightSpec};
use shakmaty::Color;

/// Everything that two traces of the same engine count differently, one line each, the term whose
/// value changes most first.
pub(super) fn changes(before: &Trace, after: &Trace) -> Vec<String> {
    let mut rows: Vec<(&Row, &Row)> = before.rows.iter().zip(&after.rows).collect();
    rows.sort_by_key(|(old, new)| {
        let change = new.total().taper(after.phase) - old.total().taper(before.phase);
        -change.abs()
    });
    let mut lines = Vec::new();
    for (old, new) in rows {
        for spec in old.specs.iter() {
            for color in Color::ALL {
                let [was, is] = [old, new].map(|row| readings(row, spec, color));
                let change = spec.change(color, &was, &is);
                lines.extend(change.map(|change| format!("{:<17} {change}", old.name)));
            }
        }
    }
    lines
}

/// What a side has of a weight.
fn readings(row: &Row, spec: &WeightSpec, color: Color) -> Vec<Reading> {
    let contributions = color.fold_wb(&row.white_contributions, &row.black_contributions);
    let of_spec = contributions.iter().filter_map(|contribution| {
        let (known, index) = row.weight(contribution.weight)?;
        let reading = spec.reading(index, contribution.count, contribution.square);
        (known.name == spec.name).then_some(reading)
    });
    of_spec.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Game;

    fn between(before: &str, after: &str) -> String {
        let engine = crate::default_engine().unwrap();
        let trace = |fen: &str| engine.trace(Game::from_fen(fen, None).unwrap().position().chess());
        changes(&trace(before), &trace(after)).join("\n")
    }

    #[test]
    fn changes_are_sentences() {
        // The king on h7 is a rook step from h8 and goes there.
        let lines = between("8/7k/8/4K3/8/8/8/1NB5 b - - 0 1", "7k/8/8/4K3/8/8/8/1NB5 b - - 0 1");
        let told = "Black's king is 1 rook step closer to the mating corner, on the edge (1 to 0)";
        assert!(lines.contains(told), "{lines}");
        // White's king is as far from the corner as before.
        let is_still = |line: &str| line.contains("White's king") && line.contains("corner");
        assert!(!lines.lines().any(is_still), "{lines}");
        // A distance that is counted in a single pair.
        let lines = between("8/6k1/8/8/3K4/8/8/R7 b - - 0 1", "7k/8/8/8/3K4/8/8/R7 b - - 0 1");
        let told = "Black's king is 2 rook steps farther from the centre (4 to 6)";
        assert!(lines.contains(told), "{lines}");
        let lines = between("8/6k1/8/7p/3K4/8/8/R7 b - - 0 1", "8/6k1/8/7p/3K4/8/8/8 b - - 0 1");
        assert!(lines.contains("White has 1 fewer rook (1 to 0)"), "{lines}");
        assert!(lines.contains("gone: white rook on a1: 6 files from the black king"), "{lines}");
        assert_eq!(between("8/6k1/8/8/3K4/8/8/R7 b - - 0 1", "8/6k1/8/8/3K4/8/8/R7 w - - 0 1"), "");
    }
}
