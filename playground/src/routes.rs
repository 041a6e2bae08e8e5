//! The addresses of the server.

use crate::{
    app::App, assets, engine_file, evaluate, guard::guard, lessons, pgn, problem::Problem, searches,
};
use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, FromRequest, Request, rejection::JsonRejection},
    http::StatusCode,
    middleware,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// The longest request, in bytes: an engine file, a game, and room.
const MAX_BODY: usize = 256 << 10;

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
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Response> {
        match Json::from_request(request, state).await {
            Ok(Json(body)) => Ok(Body(body)),
            Err(error) => Err(rejection(&error)),
        }
    }
}

fn rejection(error: &JsonRejection) -> Response {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let text = format!("the request has more than {} KiB", MAX_BODY >> 10);
            let mut answer = Problem::Input(text).into_response();
            *answer.status_mut() = StatusCode::PAYLOAD_TOO_LARGE;
            answer
        }
        _ => Problem::Input(error.body_text()).into_response(),
    }
}
