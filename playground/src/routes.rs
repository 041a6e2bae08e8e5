//! The addresses of the server.

use crate::{
    app::App, assets, engine_file, evaluate, guard::guard, lessons, pgn, problem::Problem, searches,
};
use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, FromRequest, Request, rejection::JsonRejection},
    http::StatusCode,
    middleware,
    routing::{get, post},
};
use serde::de::DeserializeOwned;
use std::{sync::Arc, time::Duration};

/// The longest request, in bytes: an engine file, a game, and room.
pub(crate) const MAX_BODY: usize = 256 << 10;

/// The longest time that a client may take to send a request.
const BODY_TIME: Duration = Duration::from_secs(20);

/// All addresses behind the guard.
pub(crate) fn routes(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/evaluate", post(evaluate::evaluate))
        .route("/api/examples", get(engine_file::examples))
        .route("/api/save", post(engine_file::save))
        .route("/api/pgn", post(pgn::read))
        .route("/api/search", post(searches::search))
        .route("/api/move", post(searches::engine_move))
        .route("/api/lesson", post(lessons::lesson))
        .route("/api/hint", post(lessons::hint))
        .fallback(assets::asset)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

/// The body of a request, read as JSON; an error has the form of every other error.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Problem> {
        let body = tokio::time::timeout(BODY_TIME, Json::from_request(request, state)).await;
        match body {
            Ok(Ok(Json(body))) => Ok(Body(body)),
            Ok(Err(error)) => Err(problem(&error)),
            Err(_) => Err(Problem::Busy("the request arrives too slowly")),
        }
    }
}

fn problem(error: &JsonRejection) -> Problem {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::TooLong,
        _ => Problem::Malformed(error.body_text()),
    }
}
