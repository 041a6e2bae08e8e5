//! `tropism explain`: why the engine evaluates a position as it does.
//!
//! A position: `explanation` collects the contributions of all terms, and the assessment if there is one. `table` prints
//! the terms, `json` writes all for programs, and `page` makes one page of HTML. `marks` finds the arrows, rings and
//! numbers on the boards of the page.
//!
//! A game: `game_search` searches its positions, `mistakes` marks the moves that lose expected points and says why, and
//! `summary` says how well both sides played. `game_review` prints all of it, `curves` draws the values, and
//! `annotated_pgn` writes the game with comments. `player` follows one player over many games, and `retry` lets the user
//! find better moves.

mod annotated_pgn;
mod curves;
mod explanation;
mod game_review;
mod game_search;
mod json;
mod mistakes;
mod page;
mod player;
mod retry;
mod summary;
mod table;

pub use explanation::Explanation;
pub use game_review::{GameReview, ReviewView};
pub use page::TermLayers;
pub use player::PlayerReport;
pub use retry::Retry;
