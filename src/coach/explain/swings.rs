//! What moves changed, in words.

use super::format::{NEGLIGIBLE, signed};
use super::reasons::{Reason, Seen, side_name};
use crate::eval::{Row, Score, Trace};
use shakmaty::Color;

/// How the judgement of one term changed from one position to another.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Swing {
    pub(super) term: &'static str,
    /// In centipawns, White's point of view.
    pub(super) change: f64,
    /// What changed most.
    pub(super) words: String,
}

impl Swing {
    /// The term, what it came to, and why.
    pub(super) fn told(&self) -> String {
        format!("{} {}: {}", self.term, signed(self.change), self.words)
    }
}

/// The changes of all terms between two traces of one engine, the largest first.
pub(super) fn swings(before: &Trace, after: &Trace) -> Vec<Swing> {
    let rows = before.rows.iter().zip(&after.rows);
    let mut swings: Vec<Swing> = rows
        .map(|(old, new)| Swing {
            term: old.name,
            change: new.total().centipawns(after.phase) - old.total().centipawns(before.phase),
            words: words([(old, before.phase), (new, after.phase)]),
        })
        .filter(|swing| swing.change.abs() >= NEGLIGIBLE)
        .collect();
    swings.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
    swings
}

/// What one term says differently: the weight that changed most in the direction of the whole.
pub(super) fn words(rows: [(&Row, i32); 2]) -> String {
    let [(old, before), (new, after)] = rows;
    let whole = new.total().centipawns(after) - old.total().centipawns(before);
    let change = |reason: &[Reason; 2]| {
        (reason[1].score.centipawns(after) - reason[0].score.centipawns(before)) * whole.signum()
    };
    let specs = old.specs.iter();
    let changes = specs.map(|spec| [Reason::new(old, spec), Reason::new(new, spec)]);
    match changes.max_by(|a, b| change(a).total_cmp(&change(b))) {
        None => "nothing is counted".to_owned(),
        Some(reasons) => of_weight(&reasons, [before, after]),
    }
}

fn of_weight(reasons: &[Reason; 2], phases: [i32; 2]) -> String {
    let worth = |side: usize, time: usize| {
        let seen = reasons[time].seen[side].iter();
        seen.fold(Score::ZERO, |sum, seen| sum + seen.worth).centipawns(phases[time])
    };
    let change = |side: usize| (worth(side, 1) - worth(side, 0)).abs();
    // Whoever it changed more for; with equal changes the one whose men were counted anew.
    let differs = |side: usize| reasons[0].seen[side] != reasons[1].seen[side];
    let side = usize::from((differs(1), change(1)) > (differs(0), change(0)));
    let color = side_name(Color::ALL[side]);
    let [old, new] = [0, 1].map(|time: usize| &reasons[time].seen[side][..]);
    let label = reasons[1].label();
    if reasons[0].spec.length.is_none() {
        let [was, is] = [reasons[0].amount_of(old), reasons[1].amount_of(new)];
        return match is - was {
            0.0 => format!("{label}, counted otherwise as the phase is {} of 24", phases[1]),
            step => {
                let verb = if step > 0.0 { "rose" } else { "fell" };
                let by = shortly(step.abs());
                format!("{label}, {color}'s {verb} by {by} ({} to {})", shortly(was), shortly(is))
            }
        };
    }
    let [gone, come] = [without(old, new), without(new, old)];
    let number = |seen: &Seen| reasons[1].number(seen);
    let list = |seen: &[Seen]| seen.iter().map(number).collect::<Vec<_>>().join(", ");
    match (&gone[..], &come[..]) {
        ([], []) => format!("{label}, counted otherwise as the phase is {} of 24", phases[1]),
        ([was], [is]) => match (number(was).parse::<i32>(), number(is).parse::<i32>()) {
            (Ok(was), Ok(is)) if was != is => {
                let verb = if is > was { "rose" } else { "fell" };
                format!("{label}, {color}'s {verb} by {} ({was} to {is})", was.abs_diff(is))
            }
            _ => format!("{label}, {color}'s {} to {}", number(was), number(is)),
        },
        ([], come) => format!("{label}, {color}'s now {}", list(come)),
        (gone, []) => format!("{label}, {color}'s no longer {}", list(gone)),
        (gone, come) => format!("{label}, {color}'s {} to {}", list(gone), list(come)),
    }
}

/// What is in one list and, distance by distance, not in the other.
fn without(list: &[Seen], other: &[Seen]) -> Vec<Seen> {
    let mut rest: Vec<u32> = other.iter().map(|seen| seen.distance).collect();
    let mut left = list.to_vec();
    left.retain(|seen| match rest.iter().position(|&distance| distance == seen.distance) {
        Some(at) => {
            rest.swap_remove(at);
            false
        }
        None => true,
    });
    left
}

fn shortly(number: f64) -> String {
    let tenths = (number * 10.0).round() / 10.0;
    format!("{tenths}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Game;

    fn between(before: &str, after: &str) -> Vec<Swing> {
        let engine = crate::default_engine().unwrap();
        let trace = |fen: &str| engine.trace(Game::from_fen(fen, None).unwrap().position().chess());
        swings(&trace(before), &trace(after))
    }

    #[test]
    fn a_king_that_comes_nearer() {
        let swings = between("8/3k4/8/8/8/8/P7/7K b - - 0 1", "8/8/2k5/8/8/8/P7/7K w - - 0 1");
        let tropism = swings.iter().find(|swing| swing.term == "king_pawn_tropism").unwrap();
        assert!(tropism.change < 0.0, "{tropism:?}");
        let words =
            "each square of mean distance from the king to all pawns, Black's fell by 1 (5 to 4)";
        assert_eq!(tropism.words, words);
        assert!(tropism.told().starts_with("king_pawn_tropism -0."), "{}", tropism.told());
    }

    #[test]
    fn the_parts_come_to_the_whole() {
        let fens = [
            "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3",
            "r1bqkbnr/pppp1ppp/2n5/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4",
        ];
        let engine = crate::default_engine().unwrap();
        let [a, b] =
            fens.map(|fen| engine.trace(Game::from_fen(fen, None).unwrap().position().chess()));
        let sum: f64 = swings(&a, &b).iter().map(|swing| swing.change).sum();
        let whole = b.total.centipawns(b.phase) - a.total.centipawns(a.phase);
        // Swings that print as nothing are left out.
        assert!((sum - whole).abs() < NEGLIGIBLE * a.rows.len() as f64, "{sum} {whole}");
        let swings = swings(&a, &b);
        assert_eq!(swings[0].words, "a pawn, White's fell by 1 (8 to 7)");
    }
}
