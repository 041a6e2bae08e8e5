//! What several commands use.

use crate::search::Game;
use anyhow::{Context as _, Result};
use std::{fs, path::Path, time::SystemTime};

/// A game that starts with a FEN. The fields of the FEN may be words of their own.
pub(super) fn parse_game(words: &[String]) -> Result<Game> {
    let fen = words.join(" ");
    Game::from_fen(fen.trim(), None).with_context(|| format!("{fen:?}"))
}

/// Writes a picture, if a path is given.
pub(super) fn save_svg(path: Option<&Path>, picture: impl FnOnce() -> svg::Document) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    svg::save(path, &picture()).with_context(|| path.display().to_string())
}

/// Writes an HTML page.
pub(super) fn write_page(path: &Path, page: &str) -> Result<()> {
    fs::write(path, page).with_context(|| {
        format!("cannot write {}; name a file in a folder that you may write to", path.display())
    })
}

/// A seed that differs from game to game, and is short enough to type again.
pub(super) fn seed_from_clock() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_micros())
}
