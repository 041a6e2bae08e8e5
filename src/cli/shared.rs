//! What several commands use.

use crate::search::Game;
use anyhow::{Context as _, Result};
use std::{
    fs::{self, OpenOptions},
    path::Path,
    time::SystemTime,
};

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

/// Writes a file.
pub(super) fn write_file(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| not_writable(path))
}

/// Checks before long work that a file can be written. A file that exists is not changed.
pub(super) fn check_writable(path: &Path) -> Result<()> {
    let is_new = !path.exists();
    OpenOptions::new().append(true).create(true).open(path).with_context(|| not_writable(path))?;
    if is_new {
        fs::remove_file(path).with_context(|| not_writable(path))?;
    }
    Ok(())
}

fn not_writable(path: &Path) -> String {
    format!("cannot write {}; name a file in a folder that you may write to", path.display())
}

/// A seed that differs from game to game, and is short enough to type again.
pub(super) fn seed_from_clock() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_micros())
}
