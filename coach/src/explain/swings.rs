//! What moves changed, in sentences.

use shakmaty::Color;
use tropism::eval::{Counted, Row, Score};

/// What one term counts differently: the weight that changed most in the direction of the whole.
pub fn words(rows: [(&Row, i32); 2]) -> String {
    let [(old, before), (new, after)] = rows;
    let whole = new.total().centipawns(after) - old.total().centipawns(before);
    let change = |reason: &[Counted; 2]| {
        (reason[1].score.centipawns(after) - reason[0].score.centipawns(before)) * whole.signum()
    };
    let specs = old.entry.weights.iter();
    let changes = specs.map(|spec| [Counted::new(old, spec), Counted::new(new, spec)]);
    match changes.max_by(|a, b| change(a).total_cmp(&change(b))) {
        None => "nothing is counted".to_owned(),
        Some(reasons) => of_weight(&reasons, [before, after]),
    }
}

fn of_weight(reasons: &[Counted; 2], phases: [i32; 2]) -> String {
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
    use tropism::search::Game;

    /// What a term counts differently between two positions.
    fn between(term: &str, before: &str, after: &str) -> String {
        let engine = tropism::default_engine().unwrap();
        let trace = |fen: &str| engine.trace(Game::from_fen(fen, None).unwrap().position().chess());
        let (before, after) = (trace(before), trace(after));
        let row = |trace: &tropism::eval::Trace| {
            trace.rows.iter().find(|row| row.name() == term).unwrap().clone()
        };
        words([(&row(&before), before.context.phase), (&row(&after), after.context.phase)])
    }

    #[test]
    fn a_king_that_comes_nearer() {
        let words = between(
            "king_pawn_tropism",
            "8/3k4/8/8/8/8/P7/7K b - - 0 1",
            "8/8/2k5/8/8/8/P7/7K w - - 0 1",
        );
        assert_eq!(words, "Black's king is 1 king move closer to the pawns on average (5 to 4)");
    }

    #[test]
    fn a_pawn_less() {
        let words = between(
            "material",
            "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3",
            "r1bqkbnr/pppp1ppp/2n5/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4",
        );
        assert_eq!(words, "White has 1 fewer pawn (8 to 7)");
    }
}
