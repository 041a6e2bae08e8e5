//! The explanation for programs. All values are in pawns, positive if good for White, not rounded.

use super::explanation::{Explanation, TermExplanation};
use super::reasons::{Reason, Seen};
use crate::eval::{ScaleReason, Score};
use crate::search::Value as SearchValue;
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Position};

impl Explanation {
    /// Everything in JSON: `terms`, the largest first, each with the `weights` that it counted, and
    /// each weight with the squares it was counted on. Values are in pawns, positive if good for
    /// White. They are not rounded: `now` of the terms adds up to `sum`, and the squares of a weight
    /// add up to its total.
    ///
    /// Of a finished game it has `outcome` and `result`, which are null for a game that goes on, and no
    /// values.
    pub fn json(&self) -> Value {
        if let Some(outcome) = self.outcome {
            return json!({
                "engine": self.trace.engine,
                "fen": self.fen,
                "turn": self.position.turn().fold_wb("white", "black"),
                "outcome": outcome.to_string(),
                "result": outcome.result(),
                "value": null,
                "terms": [],
                "line": null,
            });
        }
        let line = self.line.as_ref().map(|line| {
            let mode = CastlingMode::Chess960;
            let mode =
                if self.position.castles().mode() == mode { mode } else { CastlingMode::Standard };
            let moves: Vec<String> =
                line.moves.iter().map(|m| m.to_uci(mode).to_string()).collect();
            let (kind, value) = match line.value {
                SearchValue::Centipawns(value) => ("pawns", json!(f64::from(value) / 100.0)),
                SearchValue::Mate(moves) => ("mate", json!(moves)),
            };
            json!({ "depth": line.depth, kind: value, "moves": moves, "san": line.san })
        });
        json!({
            "engine": self.trace.engine,
            "fen": self.fen,
            "turn": self.position.turn().fold_wb("white", "black"),
            "outcome": null,
            "result": null,
            "phase": self.trace.phase,
            "largest_phase": Score::MAX_PHASE,
            "value": f64::from(self.white_value()) / 100.0,
            "sum": self.score(self.trace.total),
            "share": f64::from(self.scale.share()) / f64::from(ScaleReason::Whole.share()),
            "terms": self.terms.iter().map(|term| self.term(term)).collect::<Vec<_>>(),
            "line": line,
        })
    }

    fn term(&self, term: &TermExplanation) -> Value {
        json!({
            "name": term.row.name,
            "doc": term.row.doc,
            "white": self.score(term.row.white),
            "black": self.score(term.row.black),
            "total": self.score(term.row.total()),
            "weights": term.reasons.iter().map(|reason| self.weight(reason)).collect::<Vec<_>>(),
        })
    }

    fn weight(&self, reason: &Reason) -> Value {
        let [white, black] = reason
            .seen
            .each_ref()
            .map(|seen| seen.iter().map(|seen| self.seen(reason, seen)).collect::<Vec<_>>());
        json!({
            "name": reason.spec.name,
            "doc": reason.label(),
            "total": self.score(reason.score),
            "white": white,
            "black": black,
        })
    }

    /// One contribution; `worth` is positive if good for the side that has it.
    fn seen(&self, reason: &Reason, seen: &Seen) -> Value {
        let distance = reason.spec.length.map(|_| seen.distance);
        json!({
            "square": seen.square.to_string(),
            "distance": distance,
            "count": f64::from(seen.count) / f64::from(reason.spec.per),
            "worth": self.score(seen.worth),
        })
    }

    fn score(&self, score: Score) -> Value {
        json!({
            "middlegame": score.centipawns(Score::MAX_PHASE) / 100.0,
            "endgame": score.centipawns(0) / 100.0,
            "now": self.now(score) / 100.0,
        })
    }
}
