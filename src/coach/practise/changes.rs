//! Which distances a move changes, in the words of the engine's terms.

use crate::eval::{Row, Trace, WeightSpec};
use shakmaty::Color;

/// Everything that two traces of the same engine count differently, one line each, the term whose
/// judgement changes most first.
pub(super) fn changes(before: &Trace, after: &Trace) -> Vec<String> {
    let mut rows: Vec<(&Row, &Row)> = before.rows.iter().zip(&after.rows).collect();
    rows.sort_by_key(|(old, new)| {
        let change = new.total().taper(after.phase) - old.total().taper(before.phase);
        -change.abs()
    });
    let mut lines = Vec::new();
    for (old, new) in rows {
        for spec in old.specs {
            for color in Color::ALL {
                let [was, is] = [old, new].map(|row| counts(row, spec, color));
                if was != is {
                    let name = format!("{} {} ({color})", old.name, spec.name);
                    lines.push(format!("{name:<32} {}", sentence(spec, &was, &is)));
                }
            }
        }
    }
    lines
}

/// What a side has of a weight: the distances, if there is a weight for each, otherwise the sum.
fn counts(row: &Row, spec: &WeightSpec, color: Color) -> Vec<i32> {
    let contributions = color.fold_wb(&row.white_contributions, &row.black_contributions);
    let of_spec = contributions.iter().filter_map(|judgement| {
        let (known, place) = row.weight(judgement.weight)?;
        (known.name == spec.name).then_some((place as i32, judgement.count))
    });
    if spec.length.is_none() {
        return vec![of_spec.map(|(_, count)| count).sum::<i32>() / spec.per];
    }
    let mut distances: Vec<i32> = of_spec.map(|(place, _)| place).collect();
    distances.sort_unstable();
    distances
}

/// The weight's own words. Those of a weight for each distance name their range, `0 to 7`, and the
/// distances take its place.
fn sentence(spec: &WeightSpec, was: &[i32], is: &[i32]) -> String {
    let list = |counts: &[i32]| match counts {
        [] => "none".to_owned(),
        counts => counts.iter().map(i32::to_string).collect::<Vec<_>>().join(", "),
    };
    let change = format!("{} -> {}", list(was), list(is));
    let range = spec.length.map(|length| format!("0 to {}", length - 1));
    match range.filter(|range| spec.doc.contains(range.as_str())) {
        Some(range) => spec.doc.replace(&range, &change),
        None => format!("{}: {change}", spec.doc),
    }
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
    fn distances_are_told_in_the_words_of_the_weights() {
        // The king on h7 is a rook step from h8 and goes there; the other stays where it is.
        let lines = between("8/7k/8/4K3/8/8/8/1NB5 b - - 0 1", "7k/8/8/4K3/8/8/8/1NB5 b - - 0 1");
        let told = "on the edge, the bare king 1 -> 0 rook steps from the right corner";
        assert!(lines.contains(told), "{lines}");
        assert!(!lines.contains("king_corner"), "{lines}");
        // A rook steps from the centre, and a pair is a sum.
        let lines = between("8/6k1/8/8/3K4/8/8/R7 b - - 0 1", "7k/8/8/8/3K4/8/8/R7 b - - 0 1");
        let told = "each rook step of the losing king away from the centre: 4 -> 6";
        assert!(lines.contains(told), "{lines}");
        let lines = between("8/6k1/8/7p/3K4/8/8/R7 b - - 0 1", "8/6k1/8/7p/3K4/8/8/8 b - - 0 1");
        assert!(lines.contains("a rook: 1 -> 0"), "{lines}");
        assert!(lines.contains("a rook 6 -> none files from the enemy king"), "{lines}");
        assert_eq!(between("8/6k1/8/8/3K4/8/8/R7 b - - 0 1", "8/6k1/8/8/3K4/8/8/R7 w - - 0 1"), "");
    }

    #[test]
    fn every_weight_of_distances_names_its_range() {
        let engine = crate::default_engine().unwrap();
        let trace = engine.trace(&shakmaty::Chess::default());
        for spec in trace.rows.iter().flat_map(|row| row.specs) {
            if let Some(length) = spec.length {
                assert!(spec.doc.contains(&format!("0 to {}", length - 1)), "{}", spec.doc);
            }
        }
    }
}
