//! `tropism demo`: the shortest mate against the perfect defender.
//!
//! `game` plays the game, and `scene` is what there is to see after a move. `playback` shows the game
//! in a terminal or line by line.

mod game;
mod playback;
mod scene;

pub use game::{Demo, DemoError};
pub use playback::Playback;
