//! The bodies of requests.

use crate::problem::Problem;
use axum::{
    Json,
    extract::{FromRequest, Request, rejection::JsonRejection},
    http::StatusCode,
};
use serde::de::DeserializeOwned;
use std::time::Duration;

/// The longest time that a client may take to send a request.
const BODY_TIME: Duration = Duration::from_secs(20);

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
