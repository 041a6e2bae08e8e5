//! What moves changed, in sentences.

use crate::coach::format::{NEGLIGIBLE, signed};
use super::reasons::Reason;
use crate::eval::{Row, Score, Trace};
use crate::text::side_name;
use shakmaty::Color;

/// How the value of one term changed from one position to another.
#[derive(Clone, PartialEq, Debug)]
pub struct Swing {
    pub term: String,
    /// In centipawns, White's point of view.
    pub change: f64,
    /// The largest part of the change, in a sentence.
    pub words: String,
}

impl Swing {
    /// The term, the change, for whom it is good, and the reason.
    pub fn sentence(&self) -> String {
        let side = side_name(Color::from_white(self.change > 0.0));
        format!("{} {}, good for {side}: {}", self.term, signed(self.change), self.words)
    }
}

/// The changes of all terms between two traces of one engine, the largest first.
pub fn swings(before: &Trace, after: &Trace) -> Vec<Swing> {
    let rows = before.rows.iter().zip(&after.rows);
    let mut swings: Vec<Swing> = rows
        .map(|(old, new)| Swing {
            term: old.name().to_owned(),
            change: new.total().centipawns(after.phase) - old.total().centipawns(before.phase),
            words: words([(old, before.phase), (new, after.phase)]),
        })
        .filter(|swing| swing.change.abs() >= NEGLIGIBLE)
        .collect();
    swings.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
    swings
}

/// What one term counts differently: the weight that changed most in the direction of the whole.
pub fn words(rows: [(&Row, i32); 2]) -> String {
    let [(old, before), (new, after)] = rows;
    let whole = new.total().centipawns(after) - old.total().centipawns(before);
    let change = |reason: &[Reason; 2]| {
        (reason[1].score.centipawns(after) - reason[0].score.centipawns(before)) * whole.signum()
    };
    let specs = old.entry.weights.iter();
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
    // The side whose value changed more; of equal changes, the side with other contributions.
    let differs = |side: usize| reasons[0].seen[side] != reasons[1].seen[side];
    let side = usize::from((differs(1), change(1)) > (differs(0), change(0)));
    let [was, is] = [0, 1].map(|time: usize| reasons[time].readings(&reasons[time].seen[side]));
    reasons[1].spec.change(Color::ALL[side], &was, &is).unwrap_or_else(|| {
        format!("{}: the same, but the phase is now {} of 24", reasons[1].label(), phases[1])
    })
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
        let words = "Black's king is 1 king move closer to the pawns on average (5 to 4)";
        assert_eq!(tropism.words, words);
        assert!(tropism.sentence().starts_with("king_pawn_tropism -0."), "{}", tropism.sentence());
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
        assert_eq!(swings[0].words, "White has 1 fewer pawn (8 to 7)");
    }
}
