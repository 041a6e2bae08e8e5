//! The explanation for programs. All values are in pawns, positive if good for White, not rounded.

use super::explanation::{Explanation, TermExplanation};
use crate::Assessment;
use serde_json::{Value, json};
use shakmaty::{Color, Position};
use tropism::eval::{Counted, Score, Seen};

impl Explanation {
    /// Everything in JSON: `terms`, the largest first, each with the `weights` that it counted, and
    /// each weight with the squares it was counted on. Values are in pawns, positive if good for
    /// White. They are not rounded: `now` of the terms adds up to `sum`, and the squares of a weight
    /// add up to its total. `shown` is `now` as the text has it, in hundredths that add up as well: weights
    /// to their term, terms to the sum.
    ///
    /// Of a finished game it has `outcome` and `result`, which are null for a game that goes on, and no
    /// values.
    pub fn json(&self) -> Value {
        let mut json = json!({
            "engine": self.trace.engine,
            "fen": self.fen,
            "turn": self.trace.position.turn().fold_wb("white", "black"),
            "outcome": self.outcome.map(|outcome| outcome.to_string()),
            "result": self.outcome.map(|outcome| outcome.result()),
            "value": null,
            "terms": [],
            "assessment": null,
        });
        if self.outcome.is_none() {
            json["exact"] = json!(self.exact.map(|value| value.to_string()));
            json["phase"] = json!(self.trace.context.phase);
            json["largest_phase"] = json!(Score::MAX_PHASE);
            json["value"] = json!(f64::from(self.trace.white_value()) / 100.0);
            json["sum"] = self.shown(self.trace.total, self.trace.shown().1[2]);
            json["share"] = json!(self.trace.scale.as_ref().map_or(1.0, |(_, share)| *share));
            json["terms"] = self.terms.iter().map(|term| self.term(term)).collect();
            json["assessment"] = json!(self.assessment.as_ref().map(Assessment::json));
        }
        json
    }

    fn term(&self, term: &TermExplanation) -> Value {
        let weights = term.reasons.iter().map(|(reason, shown)| self.weight(reason, *shown));
        json!({
            "name": term.row.name(),
            "doc": term.row.entry.doc,
            "white": self.shown(term.row.white, term.shown.white[2]),
            "black": self.shown(term.row.black, term.shown.black[2]),
            "total": self.shown(term.row.total(), term.value()),
            "weights": weights.collect::<Vec<_>>(),
        })
    }

    fn weight(&self, reason: &Counted, shown: i32) -> Value {
        let [white, black] = [0, 1].map(|side: usize| -> Value {
            let seen = reason.seen[side].iter();
            seen.map(|seen| self.seen(reason, Color::ALL[side], seen)).collect()
        });
        json!({
            "name": reason.spec.name,
            "doc": reason.label(),
            "total": self.shown(reason.score, shown),
            "white": white,
            "black": black,
        })
    }

    /// One contribution; `worth` is positive if good for the side that has it.
    fn seen(&self, reason: &Counted, side: Color, seen: &Seen) -> Value {
        // The figure that is written on a board; a single weight has none.
        let figure = reason.spec.length.map(|_| reason.number(seen));
        json!({
            "square": seen.square.to_string(),
            "figure": figure,
            "sentence": reason.sentence_of(side, seen),
            "count": f64::from(seen.count) / f64::from(reason.spec.per),
            "worth": self.score(seen.worth),
        })
    }

    /// A score with its value now as it is shown.
    fn shown(&self, score: Score, shown: i32) -> Value {
        let mut value = self.score(score);
        value["shown"] = json!(f64::from(shown) / 100.0);
        value
    }

    fn score(&self, score: Score) -> Value {
        json!({
            "middlegame": score.centipawns(Score::MAX_PHASE) / 100.0,
            "endgame": score.centipawns(0) / 100.0,
            "now": self.now(score) / 100.0,
        })
    }
}
