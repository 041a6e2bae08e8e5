//! What players and teachers use: explanations, practice and pictures.
//!
//! - [`Assessment`]: who is better and why, what to play and what not; [`Explanation`]: the same, term by term.
//! - [`GameReview`]: how the evaluation changed during a game; [`PlayerReport`]: one player over many games.
//! - [`motifs`]: forks, pins, mates with a name, and what else players call by name.
//! - [`Practice`]: play an ending against perfect play, with hints; [`Exercise`] and [`Hint`]: the same for programs.
//! - [`Retry`]: find the move that is better than a mistake.
//! - [`solved_ending`], [`solved_position`]: an ending or a position from the exact tables.
//! - [`diagram`]: a distance or a set of squares of [`tropism::geometry`], drawn on a board.
//! - [`Picture`]: a board with text on its squares, as text, in colour or as SVG.

mod assess;
mod board;
mod diagrams;
mod exercise;
mod explain;
mod format;
pub mod motifs;
pub mod notation;
mod picture;
mod practise;
mod refusal;
mod solve;

pub use assess::{AssessedMove, Assessment, SearchedLine, Searcher, Thinking, WhiteValue};
pub use board::piece_symbols;
pub use diagrams::{diagram, diagram_list};
pub use exercise::{Exercise, ExerciseResult, hard_draw, won_position};
pub use explain::{Explanation, GameReview, PlayerReport, Retry, ReviewView, TermLayers};
pub use picture::{Cell, Picture};
pub use practise::{Hint, Practice, PracticeOptions, Side};
pub use refusal::Refusal;
pub use solve::{solved_ending, solved_position};
