//! Games as text: reads the first game of a PGN text.

use crate::{
    app::App,
    body::Body,
    game::{fen, views},
    problem::Problem,
};
use axum::{Json, extract::State};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use tropism::notation::Games;

#[derive(Deserialize)]
pub(crate) struct PgnRequest {
    text: String,
}

/// The start, the moves and the fault of the first game.
pub(crate) async fn read(
    State(app): State<Arc<App>>,
    Body(request): Body<PgnRequest>,
) -> Result<Json<Value>, Problem> {
    app.calculate(move |_| first_game(&request.text)).await.map(Json)
}

fn first_game(text: &str) -> Result<Value, Problem> {
    let game = Games::new(text).next();
    let game = game.ok_or_else(|| Problem::Input("this text has no game".to_owned()))?;
    if game.moves.is_empty()
        && let Some(fault) = game.fault()
    {
        return Err(Problem::Input(fault));
    }
    let moves: Vec<String> =
        views(&game.start, &game.moves).into_iter().map(|view| view.uci).collect();
    Ok(json!({
        "start": fen(&game.start), "moves": moves, "heading": game.heading(), "fault": game.fault(),
    }))
}
