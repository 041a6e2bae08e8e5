//! Errors as the page reads them: a sentence.

use serde_json::{Value, json};
use thiserror::Error;
use tropism::eval::EngineFileError;

/// Why a request has no answer.
#[derive(Debug, Error)]
pub(crate) enum Problem {
    /// What the user gave is wrong; the sentence says what, and how to fix it.
    #[error("{0}")]
    Input(String),
    /// The engine file is wrong.
    #[error("{0}")]
    Engine(#[from] EngineFileError),
    /// The request is not one that the page sends.
    #[error("this is a bug of the page, please report it: {0}")]
    Malformed(String),
}

impl Problem {
    /// The problem as the page reads it.
    pub(crate) fn view(&self) -> Value {
        json!({ "problem": self.to_string() })
    }
}
