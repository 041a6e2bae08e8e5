//! Openings from a file: positions from which games start.

use shakmaty::Position as _;
use std::{
    fmt,
    path::{Path, PathBuf},
};
use thiserror::Error;
use tropism::notation::{TextFileError, read_text_file};
use tropism::random::SplitMix64;
use tropism::search::{FenError, Game};

/// The fields of an EPD that are a position.
const POSITION_FIELDS: usize = 4;

/// Positions of a file in its order.
#[derive(Debug)]
pub(super) struct Openings {
    name: String,
    positions: Vec<Game>,
}

/// Why openings cannot be used.
#[derive(Debug, Error)]
pub(super) enum OpeningsError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] TextFileError),
    /// A line is no position.
    #[error("{path}, line {line}: {error}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        error: FenError,
    },
    /// The game is over in a position.
    #[error("{path}, line {line}: there is no legal move")]
    Over {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
    },
    /// There is no position.
    #[error("{0}: there is no position; write one FEN or EPD on each line")]
    Empty(PathBuf),
}

impl Openings {
    /// Reads a file with one FEN or EPD on each line. Empty lines and those that begin with `#` are skipped.
    pub(super) fn read(path: &Path) -> Result<Openings, OpeningsError> {
        let text = read_text_file(path)?;
        let mut positions = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (path, line_number) = (path.to_owned(), number + 1);
            let fields: Vec<&str> = line.split_whitespace().take(POSITION_FIELDS).collect();
            match Game::from_fen(&fields.join(" "), None) {
                Ok(game) if game.position().chess().legal_moves().is_empty() => {
                    return Err(OpeningsError::Over { path, line: line_number });
                }
                Ok(game) => positions.push(game),
                Err(error) => return Err(OpeningsError::Line { path, line: line_number, error }),
            }
        }
        if positions.is_empty() {
            return Err(OpeningsError::Empty(path.to_owned()));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Openings { name, positions })
    }

    /// Where the game of this number starts, and how many random moves follow: none before each position had its game.
    pub(super) fn start(&self, seed: u64, number: u64, random: &mut SplitMix64) -> (Game, usize) {
        let count = self.positions.len() as u64;
        let index = (seed % count + number % count) % count;
        let plies = if number < count { 0 } else { 1 + random.below(2) };
        (self.positions[index as usize].clone(), plies)
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} openings of {}", self.positions.len(), self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Openings, OpeningsError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.epd");
        std::fs::write(&path, text).unwrap();
        Openings::read(&path)
    }

    const LINES: [&str; 2] =
        ["4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 0;", "4k3/4p3/8/8/8/8/8/4K3 b - - 3 9"];

    #[test]
    fn each_position_has_a_game_before_random_moves_follow() {
        let openings = read(&format!("\u{feff}# two\n\n{}\n{}\n", LINES[0], LINES[1])).unwrap();
        assert_eq!(openings.to_string(), "2 openings of book.epd");
        let mut random = SplitMix64(1);
        let mut start = |number| {
            let (game, plies) = openings.start(4, number, &mut random);
            (game.position().chess().turn().is_white(), plies)
        };
        assert_eq!([start(0), start(1)], [(true, 0), (false, 0)]);
        let (is_white, plies) = start(2);
        assert!(is_white && (1..=2).contains(&plies));
    }

    #[test]
    fn a_line_that_is_no_opening_is_named() {
        let error = |text: &str| {
            let text = read(text).unwrap_err().to_string();
            text.split_once("book.epd").unwrap().1.to_owned()
        };
        assert!(error("4k3/8/8/8/8/8/4P3/4K3 w - -\nfoo").starts_with(", line 2: not a FEN: "));
        assert_eq!(error("7k/5Q2/6K1/8/8/8/8/8 b - -"), ", line 1: there is no legal move");
        assert_eq!(
            error("# nothing\n"),
            ": there is no position; write one FEN or EPD on each line"
        );
    }
}
