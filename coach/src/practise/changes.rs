//! Which distances a move changes, in sentences.

use shakmaty::Color;
use tropism::eval::Reading;
use tropism::eval::{Contribution, Row, Score, Trace, WeightSpec};

/// What a move changes of one weight.
#[derive(Clone, Debug)]
pub struct Change {
    /// The name of the term.
    pub term: String,
    /// The sentence.
    pub text: String,
    /// What it is worth, in centipawns for White.
    pub gain: f64,
}

/// Everything that two traces of the same engine count differently, the largest difference first.
pub fn changes(before: &Trace, after: &Trace) -> Vec<Change> {
    let mut changes = Vec::new();
    for (old, new) in before.rows.iter().zip(&after.rows) {
        for spec in old.entry.weights.iter() {
            for color in Color::ALL {
                let [was, is] = [old, new].map(|row| readings(row, spec, color));
                let worth = worth(new, spec, color).centipawns(after.context.phase)
                    - worth(old, spec, color).centipawns(before.context.phase);
                changes.extend(spec.change(color, &was, &is).map(|text| Change {
                    term: old.name().to_owned(),
                    text,
                    gain: color.fold_wb(worth, -worth),
                }));
            }
        }
    }
    changes.sort_by(|a, b| b.gain.abs().total_cmp(&a.gain.abs()));
    changes
}

/// The contributions of a side to a weight.
fn of_weight<'a>(
    row: &'a Row,
    spec: &'a WeightSpec,
    color: Color,
) -> impl Iterator<Item = (usize, &'a Contribution)> {
    let contributions = color.fold_wb(&row.white_contributions, &row.black_contributions);
    contributions.iter().filter_map(|contribution| {
        let (known, index) = row.weight(contribution.weight)?;
        (known.name == spec.name).then_some((index, contribution))
    })
}

/// What a weight is worth to a side.
fn worth(row: &Row, spec: &WeightSpec, color: Color) -> Score {
    let contributions = of_weight(row, spec, color);
    contributions.fold(Score::ZERO, |sum, (_, contribution)| sum + row.worth(contribution))
}

/// What a side has of a weight.
fn readings(row: &Row, spec: &WeightSpec, color: Color) -> Vec<Reading> {
    let contributions = of_weight(row, spec, color);
    contributions
        .map(|(index, contribution)| spec.reading(index, contribution.count, contribution.square))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism::search::Game;

    fn between(before: &str, after: &str) -> String {
        let engine = tropism::default_engine().unwrap();
        let trace = |fen: &str| engine.trace(Game::from_fen(fen, None).unwrap().position().chess());
        let changes = changes(&trace(before), &trace(after)).into_iter();
        changes.map(|change| change.text).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn changes_are_sentences() {
        // The king on h7 is a rook step from h8 and goes there.
        let lines = between("8/7k/8/4K3/8/8/8/1NB5 b - - 0 1", "7k/8/8/4K3/8/8/8/1NB5 b - - 0 1");
        let expected = "Black's king is 1 rook step closer to the mating corner (1 to 0)";
        assert!(lines.contains(expected), "{lines}");
        // White's king is as far from the corner as before.
        let is_still = |line: &str| line.contains("White's king") && line.contains("mating corner");
        assert!(!lines.lines().any(is_still), "{lines}");
        // A distance that is counted in a single pair.
        let lines = between("8/6k1/8/8/3K4/8/8/R7 b - - 0 1", "7k/8/8/8/3K4/8/8/R7 b - - 0 1");
        let expected = "Black's king is 2 rook steps farther from the centre (4 to 6)";
        assert!(lines.contains(expected), "{lines}");
        let lines = between("8/6k1/8/7p/3K4/8/8/R7 b - - 0 1", "8/6k1/8/7p/3K4/8/8/8 b - - 0 1");
        assert!(lines.contains("White has 1 fewer rook (1 to 0)"), "{lines}");
        assert!(lines.contains("Gone: white rook on a1: 6 files from the black king"), "{lines}");
        assert_eq!(between("8/6k1/8/8/3K4/8/8/R7 b - - 0 1", "8/6k1/8/8/3K4/8/8/R7 w - - 0 1"), "");
    }
}
