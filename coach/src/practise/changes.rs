//! Which distances a move changes, in sentences.

use shakmaty::Color;
use tropism::eval::{Counted, Score, Trace};

/// Everything that two traces of the same engine count differently: the terms with the sentences about them, the
/// largest difference first.
pub fn changes<'a>(before: &'a Trace, after: &Trace) -> Vec<(&'a str, Vec<String>)> {
    let mut changes = Vec::new();
    for (old, new) in before.rows.iter().zip(&after.rows) {
        for spec in old.entry.weights.iter() {
            let counted = [Counted::new(old, spec), Counted::new(new, spec)];
            for (side, color) in Color::ALL.into_iter().enumerate() {
                let [was, is] = counted.each_ref().map(|it| it.readings(&it.seen[side]));
                let worth = |counted: &Counted, trace: &Trace| {
                    let seen = counted.seen[side].iter();
                    let sum = seen.fold(Score::ZERO, |sum, seen| sum + seen.worth);
                    sum.centipawns(trace.context.phase)
                };
                let gain = worth(&counted[1], after) - worth(&counted[0], before);
                let text = spec.change(color, &was, &is);
                changes.extend(text.map(|text| (gain.abs(), old.name(), text)));
            }
        }
    }
    changes.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    let mut terms: Vec<(&str, Vec<String>)> = Vec::new();
    for (_, term, text) in changes {
        match terms.iter_mut().find(|(name, _)| *name == term) {
            Some((_, texts)) => texts.push(text),
            None => terms.push((term, vec![text])),
        }
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism::search::Game;

    fn between(before: &str, after: &str) -> String {
        let engine = tropism::default_engine().unwrap();
        let trace = |fen: &str| engine.trace(Game::from_fen(fen, None).unwrap().position().chess());
        let (before, after) = (trace(before), trace(after));
        changes(&before, &after)
            .into_iter()
            .flat_map(|(_, texts)| texts)
            .collect::<Vec<_>>()
            .join("\n")
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
