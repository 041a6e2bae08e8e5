//! Requests in JSON, and errors as the page reads them: a status and a sentence.

use axum::{
    Json,
    extract::{FromRequest, rejection::JsonRejection},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};
use thiserror::Error;
use tropism::eval::EngineFileError;

/// The longest request, in bytes: an engine file, a game, and room.
pub(crate) const MAX_BODY: usize = 1 << 20;

/// Why a request has no answer.
#[derive(Debug, Error)]
pub(crate) enum Problem {
    /// What the user gave is wrong; the sentence says what, and how to fix it. This is an ordinary answer:
    /// the console of a browser lists every other status as an error.
    #[error("{0}")]
    Input(String),
    /// The engine file is wrong.
    #[error("{0}")]
    Engine(#[from] EngineFileError),
    /// The request is not one that the page sends. The page shows the first sentence, and the rest is for programs.
    #[error("The page and the server do not understand each other; reload the page.")]
    Malformed(String),
    /// The request comes from another site, or under another name of this computer.
    #[error("{0}")]
    Refused(&'static str),
    /// The request is longer than the server reads.
    #[error("this is too long: at most {} MiB can be read", MAX_BODY >> 20)]
    TooLong,
    /// Too much is going on.
    #[error("{0}")]
    Busy(&'static str),
    /// The server failed.
    #[error("{0}; this is a bug")]
    Bug(&'static str),
}

/// The body of a request, read as JSON; an error has the form of every other error.
#[derive(FromRequest)]
#[from_request(via(Json), rejection(Problem))]
pub(crate) struct Body<T>(pub(crate) T);

impl From<JsonRejection> for Problem {
    fn from(error: JsonRejection) -> Problem {
        match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Problem::TooLong,
            _ => Problem::Malformed(error.body_text()),
        }
    }
}

impl Problem {
    fn status(&self) -> StatusCode {
        match self {
            Problem::Input(_) | Problem::Engine(_) => StatusCode::OK,
            Problem::Malformed(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Problem::Refused(_) => StatusCode::FORBIDDEN,
            Problem::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            Problem::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
            Problem::Bug(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The problem as the page reads it.
    pub(crate) fn view(&self) -> Value {
        let detail = match self {
            Problem::Malformed(detail) => Some(detail),
            _ => None,
        };
        json!({ "problem": self.to_string(), "detail": detail })
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status(), Json(self.view())).into_response()
    }
}
