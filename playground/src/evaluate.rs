//! The evaluation of a position: terms, and the drawing with its sentences of one term.

use crate::game::{GameRequest, MoveView, Played, fen, views};
use crate::{Playground, engine_file::EngineRequest, problem::Problem};
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Color, Position};
use std::collections::HashMap;
use tropism::eval::{Engine, EngineFileError};
use tropism::search::GameOutcome;
use tropism_coach::{Explanation, WhiteValue};

#[derive(Deserialize)]
pub(crate) struct EvaluateRequest {
    #[serde(flatten)]
    game: GameRequest,
    #[serde(flatten)]
    engine: EngineRequest,
    /// The term that is drawn on the board.
    #[serde(default)]
    picked: Option<String>,
    /// Whether the board is seen from Black's side.
    #[serde(default)]
    flipped: bool,
}

/// Everything that the page shows of a position.
pub(crate) fn evaluate(request: &EvaluateRequest, page: &mut Playground) -> Result<Value, Problem> {
    let played = request.game.play()?;
    let (evaluation, error) = match request.engine.engine(page) {
        Ok(engine) => (request.evaluation(&engine, &played), Value::Null),
        Err(Problem::Engine(error)) => (Value::Null, error_view(&error)),
        Err(problem) => return Err(problem),
    };
    Ok(json!({ "game": game_view(&played), "evaluation": evaluation, "error": error }))
}

impl EvaluateRequest {
    fn evaluation(&self, engine: &Engine, played: &Played) -> Value {
        let explanation = Explanation::without_tables(engine, &played.game);
        let picked = self.picked.as_deref();
        let reading = Color::ALL.into_iter().flat_map(|side| explanation.sentences(side));
        let reading = reading.filter(|&(term, ..)| Some(term) == picked);
        let reading = reading.map(|(_, value, text)| json!({ "value": value, "text": text }));
        let layers = picked.and_then(|term| explanation.layers(term, self.flipped));
        let layers = layers.map(
            |layers| json!({ "under": layers.under, "over": layers.over, "notes": layers.notes }),
        );
        json!({
            "terms": term_views(engine, &explanation),
            "value": explanation.value().map(|value| f64::from(value) / 100.0),
            "expected": expected(&explanation, played),
            "headline": explanation.headline(),
            "scaling": explanation.scaling(),
            "reading": reading.collect::<Vec<_>>(),
            "layers": layers,
        })
    }
}

/// White's points in a finished game, or those that the static evaluation expects.
fn expected(explanation: &Explanation, played: &Played) -> f64 {
    let value = WhiteValue::Centipawns(explanation.value().unwrap_or(0));
    match played.game.outcome() {
        Some(GameOutcome::Checkmate { winner }) => winner.fold_wb(1.0, 0.0),
        Some(_) => 0.5,
        None => value.expected_points(played.game.position().chess().board()),
    }
}

/// The terms in the order of the file. A finished game has no values.
fn term_views(engine: &Engine, explanation: &Explanation) -> Vec<Value> {
    let totals: HashMap<&str, i32> = explanation.shown_terms().collect();
    let views = engine.entries().map(|entry| {
        json!({
            "name": entry.name,
            "doc": entry.doc,
            "is_formula": entry.is_formula(),
            "percent": engine.percent(&entry.name),
            "total": totals.get(&*entry.name).map(|&total| f64::from(total) / 100.0),
        })
    });
    views.collect()
}

fn game_view(played: &Played) -> Value {
    let position = played.game.position().chess();
    let outcome = played.game.outcome();
    let legal: Vec<MoveView> = match outcome {
        Some(_) => Vec::new(),
        None => position.legal_moves().iter().map(|&m| MoveView::new(position, m)).collect(),
    };
    json!({
        "start": fen(&played.start),
        "fen": fen(position),
        "turn": position.turn().fold_wb("white", "black"),
        "check": position.is_check(),
        "chess960": position.castles().mode() == CastlingMode::Chess960,
        "outcome": outcome.map(|outcome| outcome.to_string()),
        "legal": legal,
        "history": views(&played.start, &played.moves),
        "result": outcome.map_or("*", |outcome| outcome.result()),
    })
}

/// An error of an engine file with its place, and the first error of each other section.
fn error_view(error: &EngineFileError) -> Value {
    json!({
        "message": error.message,
        "line": error.line,
        "column": error.column,
        "length": error.length.max(1),
        "excerpt": error.excerpt,
        "others": error.others.iter().map(error_view).collect::<Vec<_>>(),
    })
}
