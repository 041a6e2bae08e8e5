//! The files of the page, built into the program.

use axum::{
    http::{Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use std::sync::LazyLock;

/// The styles of the pieces, the same as in the pages of `tropism explain`.
const PIECES_CSS: &str = include_str!("../../coach/templates/pieces.css");

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// The scripts, each with its path.
macro_rules! scripts {
    ($($name:literal)*) => {
        [$((concat!("/", $name, ".js"), SCRIPT, include_str!(concat!("../static/", $name, ".js")))),*]
    };
}
const SCRIPTS: [(&str, &str, &str); 17] = scripts!(
    "api" "board" "coach" "earlier" "editor" "lessons" "link" "main" "moves"
    "panels" "review" "search" "setup" "state" "terms" "tree" "words"
);

/// The other files by their paths.
const FILES: &[(&str, &str, &str)] = &[
    ("/", "text/html; charset=utf-8", include_str!("../static/index.html")),
    ("/style.css", CSS, include_str!("../static/style.css")),
    ("/pieces.css", CSS, PIECES_CSS),
    ("/icon.svg", PICTURE, include_str!("../static/icon.svg")),
    ("/guides.json", "application/json", include_str!("../static/guides.json")),
];

/// The pieces as the coach draws them.
static PIECES: LazyLock<String> = LazyLock::new(tropism_coach::piece_symbols);

/// A file of the page.
pub(crate) async fn asset(method: Method, uri: Uri) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    if uri.path() == "/pieces.svg" {
        return ([(header::CONTENT_TYPE, PICTURE)], PIECES.as_str()).into_response();
    }
    match FILES.iter().chain(&SCRIPTS).find(|(path, ..)| *path == uri.path()) {
        Some((_, kind, text)) => ([(header::CONTENT_TYPE, *kind)], *text).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
