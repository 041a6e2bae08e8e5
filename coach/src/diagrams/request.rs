//! What to draw, and what can be wrong with a request.

use thiserror::Error;

/// What to draw.
#[derive(Copy, Clone, Debug, Default)]
pub struct DiagramRequest<'a> {
    /// The name of the system, as in [`diagram_list`](super::diagram_list).
    pub name: &'a str,
    /// The squares that it measures, at most two.
    pub squares: &'a [String],
    /// The layout to look the distance up in; the public function without one.
    pub layout: Option<&'a str>,
    /// The position of the pieces; the start position without one.
    pub fen: Option<&'a str>,
}

/// Why nothing was drawn, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct DiagramError(pub(super) String);
