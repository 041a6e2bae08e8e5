//! What to draw, and what can be wrong with a request.

use shakmaty::Square;
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

/// Why nothing was drawn. The message says what would be right.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DiagramError {
    /// No system has that name.
    #[error("unknown name {name:?}; {hint}")]
    Name {
        /// What was given.
        name: String,
        /// Which names may have been meant, or how to list all names.
        hint: String,
    },
    /// A word that is not a square.
    #[error("{word:?} is not a square; {hint}")]
    Square {
        /// What was given.
        word: String,
        /// Which square may have been meant.
        hint: String,
    },
    /// Too few or too many squares for this system.
    #[error("{name} needs {wanted}")]
    Squares {
        /// The system.
        name: &'static str,
        /// How many squares it needs.
        wanted: &'static str,
    },
    /// No layout has that name.
    #[error("unknown layout {layout:?}; {hint}")]
    Layout {
        /// What was given.
        layout: String,
        /// Which layout may have been meant, or all of them.
        hint: String,
    },
    /// A layout for a system without layouts.
    #[error("{name} has no layouts; these have: {having}")]
    NoLayouts {
        /// The system.
        name: &'static str,
        /// The systems that have layouts.
        having: String,
    },
    /// A position for a system that measures an empty board.
    #[error("{name} measures an empty board; these take a FEN: {having}")]
    NoPosition {
        /// The system.
        name: &'static str,
        /// The systems that measure a position.
        having: String,
    },
    /// A position that cannot be read.
    #[error("{fen:?}: {error}")]
    Fen {
        /// What was given.
        fen: String,
        /// The error in it.
        error: String,
    },
    /// A square without the piece that the system needs.
    #[error("{name} needs a {wanted} on {square}")]
    Piece {
        /// The system.
        name: &'static str,
        /// The square.
        square: Square,
        /// The piece that it needs.
        wanted: &'static str,
    },
    /// A path that does not exist.
    #[error("there is no path from {from} to {to}")]
    NoPath {
        /// The start.
        from: Square,
        /// The end.
        to: Square,
    },
}
