//! The addresses of the server.

use crate::{
    app::App, assets, coach, engine_file, evaluate, guard::guard, lessons, pgn, problem::MAX_BODY,
    searches,
};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{get, post},
};
use std::sync::Arc;

/// All addresses behind the guard.
pub(crate) fn routes(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/evaluate", post(evaluate::evaluate))
        .route("/api/examples", get(engine_file::examples))
        .route("/api/cost", post(engine_file::cost))
        .route("/api/save", post(engine_file::save))
        .route("/api/pgn", post(pgn::read))
        .route("/api/search", post(searches::search))
        .route("/api/move", post(searches::engine_move))
        .route("/api/assess", post(coach::assess))
        .route("/api/review", post(coach::review))
        .route("/api/words", get(engine_file::words))
        .route("/api/lesson", post(lessons::lesson))
        .route("/api/hint", post(lessons::hint))
        .fallback(assets::asset)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}
