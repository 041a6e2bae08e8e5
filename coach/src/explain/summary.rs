//! A game in a few sentences: how well both sides played, and where it turned.

use super::mistakes::{Mark, ReviewedMove};
use crate::assess::WhiteValue;
use shakmaty::Color;
use tropism::text::{counted, joined, side_name};

/// The most turning points.
const MOST: usize = 3;
/// The expected points that a turning point loses.
const TURN: f64 = 0.2;

/// The sentences of the summary.
pub fn summary(moves: &[ReviewedMove]) -> Vec<String> {
    let mut sentences = Vec::new();
    for side in Color::ALL {
        let of_side = || moves.iter().filter(|reviewed| reviewed.side == side);
        let accuracies: Vec<f64> = of_side().map(accuracy).collect();
        if accuracies.is_empty() {
            continue;
        }
        let mean = accuracies.iter().sum::<f64>() / accuracies.len() as f64;
        let marks = [Mark::Blunder, Mark::Mistake, Mark::Inaccuracy].map(|mark| {
            let count = of_side().filter(|reviewed| reviewed.mark == Some(mark)).count();
            (count > 0).then(|| plural(count, &format!("{mark:?}")))
        });
        let marks: Vec<String> = marks.into_iter().flatten().collect();
        let marks = if marks.is_empty() { "no mistakes".to_owned() } else { joined(&marks) };
        sentences.push(format!("{}: accuracy {mean:.0} %, {marks}.", side_name(side)));
    }
    let mut turns: Vec<&ReviewedMove> =
        moves.iter().filter(|reviewed| reviewed.mark.is_some() && reviewed.loss >= TURN).collect();
    turns.sort_by(|a, b| b.loss.total_cmp(&a.loss));
    turns.truncate(MOST);
    turns.sort_by_key(|reviewed| (reviewed.number, reviewed.side.is_black()));
    let turns: Vec<String> = turns
        .iter()
        .map(|reviewed| {
            let (was, is) = (reviewed.best.value.figure(), reviewed.played.value.figure());
            format!("{} ({was} to {is})", reviewed.marked_name())
        })
        .collect();
    if !turns.is_empty() {
        sentences.push(format!("The game turned with {}.", joined(&turns)));
    }
    sentences
}

/// `2 blunders`, `1 inaccuracy`.
fn plural(count: usize, name: &str) -> String {
    let name = name.to_lowercase();
    match name.strip_suffix('y') {
        Some(stem) if count != 1 => format!("{count} {stem}ies"),
        _ => counted(count as u64, &name),
    }
}

/// The accuracy of a move in percent, by the formulas of Lichess (lichess.org/page/accuracy): 100 for the best move, less
/// the more its chances to win fall.
fn accuracy(reviewed: &ReviewedMove) -> f64 {
    let chance = |value: WhiteValue| {
        // Lichess takes ten pawns for a mate.
        let white = value.clamped(1000.0);
        let own = reviewed.side.fold_wb(white, -white);
        50.0 + 50.0 * (2.0 / (1.0 + (-0.003_682_08 * own).exp()) - 1.0)
    };
    let lost = (chance(reviewed.best.value) - chance(reviewed.played.value)).max(0.0);
    (103.1668 * (-0.043_544 * lost).exp() - 3.1669).clamp(0.0, 100.0)
}
