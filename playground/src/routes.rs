//! The addresses of the server.

use crate::{
    app::{App, Limit},
    assets, coach,
    engine_file::{self, cost, save},
    evaluate::EvaluateRequest,
    guard::guard,
    lessons::LessonRequest,
    pgn,
    problem::{Body, MAX_BODY, Problem},
    searches,
};
use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, State},
    middleware,
    routing::{MethodRouter, get, post},
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;

/// All addresses behind the guard.
pub(crate) fn routes(app: Arc<App>) -> Router {
    let App { calculations, studies, .. } = &*app;
    Router::new()
        .route("/api/evaluate", answered(calculations, EvaluateRequest::answer))
        .route("/api/examples", get(engine_file::examples))
        .route("/api/cost", answered(calculations, cost))
        .route("/api/save", answered(calculations, save))
        .route("/api/pgn", answered(calculations, pgn::read))
        .route("/api/search", post(searches::search))
        .route("/api/move", post(searches::engine_move))
        .route("/api/assess", answered(studies, coach::assess))
        .route("/api/review", answered(studies, coach::review))
        .route("/api/words", get(engine_file::words))
        .route("/api/lesson", answered(calculations, LessonRequest::state))
        .route("/api/hint", answered(calculations, LessonRequest::hint))
        .fallback(assets::asset)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

/// An address whose answer is work of a kind.
fn answered<R: DeserializeOwned + Send + 'static>(
    limit: &Limit,
    work: fn(&R, &App) -> Result<Value, Problem>,
) -> MethodRouter<Arc<App>> {
    let limit = limit.clone();
    post(move |State(app): State<Arc<App>>, Body(request): Body<R>| async move {
        limit.run(move || work(&request, &app)).await.map(Json)
    })
}
