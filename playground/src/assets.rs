//! The files of the page, built into the program.

use axum::{
    http::{Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use std::sync::LazyLock;

/// The styles of the pieces, the same as in the pages of `tropism explain`.
const PIECES_CSS: &str = include_str!("../../templates/pieces.css");

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";
const JSON: &str = "application/json";

/// The files by their paths.
const FILES: &[(&str, &str, &str)] = &[
    ("/", HTML, include_str!("../static/index.html")),
    ("/style.css", CSS, include_str!("../static/style.css")),
    ("/pieces.css", CSS, PIECES_CSS),
    ("/icon.svg", PICTURE, include_str!("../static/icon.svg")),
    ("/guides.json", JSON, include_str!("../static/guides.json")),
    ("/main.js", SCRIPT, include_str!("../static/main.js")),
    ("/api.js", SCRIPT, include_str!("../static/api.js")),
    ("/board.js", SCRIPT, include_str!("../static/board.js")),
    ("/earlier.js", SCRIPT, include_str!("../static/earlier.js")),
    ("/coach.js", SCRIPT, include_str!("../static/coach.js")),
    ("/editor.js", SCRIPT, include_str!("../static/editor.js")),
    ("/link.js", SCRIPT, include_str!("../static/link.js")),
    ("/moves.js", SCRIPT, include_str!("../static/moves.js")),
    ("/panels.js", SCRIPT, include_str!("../static/panels.js")),
    ("/promotion.js", SCRIPT, include_str!("../static/promotion.js")),
    ("/review.js", SCRIPT, include_str!("../static/review.js")),
    ("/tree.js", SCRIPT, include_str!("../static/tree.js")),
    ("/words.js", SCRIPT, include_str!("../static/words.js")),
    ("/lessons.js", SCRIPT, include_str!("../static/lessons.js")),
    ("/search.js", SCRIPT, include_str!("../static/search.js")),
    ("/setup.js", SCRIPT, include_str!("../static/setup.js")),
    ("/state.js", SCRIPT, include_str!("../static/state.js")),
    ("/terms.js", SCRIPT, include_str!("../static/terms.js")),
];

/// The pieces as the coach draws them.
static PIECES: LazyLock<String> = LazyLock::new(tropism::coach::piece_symbols);

/// A file of the page.
pub(crate) async fn asset(method: Method, uri: Uri) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    if uri.path() == "/pieces.svg" {
        return ([(header::CONTENT_TYPE, PICTURE)], PIECES.as_str()).into_response();
    }
    match FILES.iter().find(|(path, ..)| *path == uri.path()) {
        Some((_, kind, text)) => ([(header::CONTENT_TYPE, *kind)], *text).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
