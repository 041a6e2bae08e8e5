//! The addresses of the server.

use crate::{
    app::App,
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
    Router::new()
        .route("/api/evaluate", calculated(EvaluateRequest::answer))
        .route("/api/examples", get(engine_file::examples))
        .route("/api/cost", calculated(cost))
        .route("/api/save", calculated(save))
        .route("/api/pgn", calculated(pgn::read))
        .route("/api/search", post(searches::search))
        .route("/api/move", post(searches::engine_move))
        .route("/api/assess", post(coach::assess))
        .route("/api/review", post(coach::review))
        .route("/api/words", get(engine_file::words))
        .route("/api/lesson", calculated(LessonRequest::state))
        .route("/api/hint", calculated(LessonRequest::hint))
        .fallback(assets::asset)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

/// An address that answers with a calculation.
fn calculated<R: DeserializeOwned + Send + 'static>(
    calculation: fn(&R, &App) -> Result<Value, Problem>,
) -> MethodRouter<Arc<App>> {
    post(move |State(app): State<Arc<App>>, Body(request): Body<R>| async move {
        let own = Arc::clone(&app);
        app.calculations.run(move || calculation(&request, &own)).await.map(Json)
    })
}
