//! Why something is not done.

use thiserror::Error;

/// Why something is not done, and what would be right, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct Refusal(pub(crate) String);
