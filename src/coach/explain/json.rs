//! The explanation for programs. All values are pawns, White's point of view, not rounded.

use super::reasons::{Reason, Seen};
use super::{Explanation, Said};
use crate::eval::{ScaleReason, Score};
use crate::search::Value as SearchValue;
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Position};

impl Explanation {
    /// Everything in JSON: `terms` in the order of their weight, each with the `weights` it counted,
    /// each of those with what was seen on which square. Values are pawns and not rounded, so that
    /// `now` of the terms adds up to `sum`, and what was seen to its weight.
    pub fn json(&self) -> Value {
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
            "phase": self.trace.phase,
            "largest_phase": Score::MAX_PHASE,
            "value": f64::from(self.white_value()) / 100.0,
            "sum": self.score(self.trace.total),
            "share": f64::from(self.outlook.share()) / f64::from(ScaleReason::Whole.share()),
            "terms": self.terms.iter().map(|said| self.term(said)).collect::<Vec<_>>(),
            "line": line,
        })
    }

    fn term(&self, said: &Said) -> Value {
        json!({
            "name": said.row.name,
            "doc": said.row.doc,
            "white": self.score(said.row.white),
            "black": self.score(said.row.black),
            "total": self.score(said.row.total()),
            "weights": said.reasons.iter().map(|reason| self.weight(reason)).collect::<Vec<_>>(),
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

    /// What a side has of it, to that side's credit.
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
