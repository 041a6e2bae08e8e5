//! `tropism explain`: why the engine evaluates a position as it does.
//!
//! A position: `reasons` compares what both sides have of each weight, and `words` puts it into
//! sentences. `explanation` collects them, `table` prints them, `json` writes them for programs, and
//! `page` makes one page of HTML of them. `marks` and `races` find the arrows, rings and numbers on the
//! boards of the page.
//!
//! A game: `pgn` reads it, `swings` says what a move changed, `game_review` finds the moves that
//! changed a term most, and `curves` draws the values.

mod curves;
mod explanation;
mod format;
mod game_review;
mod json;
mod line;
mod marks;
mod page;
mod pgn;
mod races;
mod reasons;
mod swings;
mod table;
mod words;

pub use explanation::Explanation;
pub use game_review::GameReview;
pub use line::BestLine;
pub use pgn::{GameReader, PgnError, PlayedGame};
