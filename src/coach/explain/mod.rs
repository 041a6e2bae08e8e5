//! `tropism explain`: why the engine evaluates a position as it does.
//!
//! A position: `reasons` compares what both sides have of each weight, in sentences. `explanation` collects
//! them, `table` prints them, `json` writes them for programs, and `page` makes one page of HTML of them.
//! `marks` and `races` find the arrows, rings and numbers on the boards of the page.
//!
//! A game: `game_search` searches its positions, and `mistakes` marks the moves that
//! lose expected points. `swings` says what a move changed, `game_review` finds the moves that
//! changed a term most, `curves` draws the values, and `annotated_pgn` writes the game with comments.

mod annotated_pgn;
mod curves;
mod explanation;
mod game_review;
mod game_search;
mod json;
mod marks;
mod mistakes;
mod page;
mod races;
mod reasons;
mod summary;
mod swings;
mod table;

pub use explanation::Explanation;
pub use game_review::{GameReview, ReviewView};
pub use page::TermLayers;
pub(super) use races::lateness;
pub(super) use reasons::{Reason, reasons};
