//! The positions from which games start.

use crate::provenance::{file_name, sha256};
use anyhow::{Result, anyhow, bail, ensure};
use shakmaty::Position as _;
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tropism::{random::SplitMix64, search::Game};
use tropism_coach::notation::{Games, PlayedGame, read_text_file};

/// Balanced openings: random moves after each of which a search saw neither side far ahead.
const SHIPPED: &str = include_str!("../openings.epd");

/// The fields of an EPD that are a position.
const POSITION_FIELDS: usize = 4;

/// The most random moves after an opening.
const MAX_RANDOM_PLIES: u64 = 8;

/// What to do about a file without positions.
const ADVICE: &str = "write one FEN or EPD on each line, or give a file in PGN";

/// Positions in the order in which games start from them.
#[derive(Debug)]
pub(super) struct OpeningBook {
    path: PathBuf,
    sha256: String,
    /// Each with the number of its line.
    starts: Vec<(usize, Game)>,
}

impl OpeningBook {
    /// Reads a file with one FEN or EPD on each line, or in PGN. Empty lines and those that begin with `#` are skipped.
    /// The last positions of the games in a PGN are the openings.
    pub(super) fn read(path: &Path) -> Result<OpeningBook> {
        let book = OpeningBook::read_positions(path)?;
        let is_over = |(_, game): &&(usize, Game)| game.position().chess().legal_moves().is_empty();
        if let Some((line, _)) = book.starts.iter().find(is_over) {
            bail!("{}, line {line}: there is no legal move; remove this opening", path.display());
        }
        // Games from the same position are no independent games.
        let (mut book, mut seen) = (book, HashSet::new());
        let before = book.starts.len();
        book.starts.retain(|(_, game)| seen.insert(game.position().key()));
        let repeated = before - book.starts.len();
        if repeated > 0 {
            let path = path.display();
            eprintln!(
                "tropism-lab: {path}: {repeated} openings that are there already are left out"
            );
        }
        Ok(book)
    }

    /// The same, for those who do not play: the game may be over in a position.
    pub(super) fn read_positions(path: &Path) -> Result<OpeningBook> {
        OpeningBook::parse(path, &read_text_file(path)?)
    }

    /// The openings that the program has, in an order that belongs to the seed.
    pub(super) fn shipped(seed: u64) -> Result<OpeningBook> {
        Ok(OpeningBook::parse(Path::new("tropism-lab"), SHIPPED)?.shuffled(seed))
    }

    /// Prints the openings that the program has, without the header: other programs take each line for a position.
    pub(super) fn print_shipped() -> Result<()> {
        let mut out = io::stdout().lock();
        OpeningBook::shipped_lines().try_for_each(|line| writeln!(out, "{line}"))?;
        Ok(())
    }

    fn shipped_lines() -> impl Iterator<Item = &'static str> {
        SHIPPED.lines().filter(|line| !line.starts_with('#'))
    }

    fn parse(path: &Path, text: &str) -> Result<OpeningBook> {
        let is_pgn = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("pgn"))
            || text.trim_start().starts_with('[');
        let starts = if is_pgn { ends_of_games(path, text)? } else { positions(path, text)? };
        ensure!(!starts.is_empty(), "{}: there is no position; {ADVICE}", path.display());
        Ok(OpeningBook { sha256: sha256(text), path: path.to_owned(), starts })
    }

    /// The positions in their order.
    pub(super) fn positions(&self) -> impl Iterator<Item = &Game> {
        self.starts.iter().map(|(_, game)| game)
    }

    /// The same openings in another order.
    pub(super) fn shuffled(mut self, seed: u64) -> OpeningBook {
        SplitMix64(seed).shuffle(&mut self.starts);
        self
    }

    /// Where the game of this number starts, and how many random moves follow: none before each position had its game,
    /// and then one more each time, so that hardly any two games start alike.
    pub(super) fn start(&self, seed: u64, number: u64) -> (Game, usize) {
        let count = self.starts.len() as u64;
        let index = (seed % count + number % count) % count;
        (self.starts[index as usize].1.clone(), (number / count).min(MAX_RANDOM_PLIES) as usize)
    }

    /// Whether castling in an opening needs the rules of Chess960.
    pub(super) fn is_chess960(&self) -> bool {
        self.positions().any(|game| game.position().chess().castles().mode().is_chess960())
    }

    /// Their number, name and hash.
    pub(super) fn identity(&self) -> String {
        let (count, name) = (self.starts.len(), file_name(&self.path));
        format!("{count} openings of {name}, SHA-256 {}", self.sha256)
    }
}

/// The positions of lines, each with its number from 1.
fn positions(path: &Path, text: &str) -> Result<Vec<(usize, Game)>> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let read = |(number, line): (usize, &str)| {
        let fields: Vec<&str> = line.split_whitespace().take(POSITION_FIELDS).collect();
        let game = Game::from_fen(&fields.join(" "), None)
            .map_err(|error| anyhow!("{}, line {number}: {error}; {ADVICE}", path.display()))?;
        Ok((number, game))
    };
    lines.map(read).collect()
}

/// The last positions of games, each with the line where its game begins.
fn ends_of_games(path: &Path, text: &str) -> Result<Vec<(usize, Game)>> {
    let read = |played: PlayedGame| {
        if let Some(fault) = played.numbered_fault() {
            bail!("{}, line {}: {fault}; correct or remove this game", path.display(), played.line);
        }
        let mut game = Game::new(played.start);
        played.moves.into_iter().for_each(|m| game.play(m));
        Ok((played.line, game))
    };
    Games::new(text).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_moves::four_fields;

    fn read(text: &str) -> Result<OpeningBook> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.epd");
        std::fs::write(&path, text).unwrap();
        OpeningBook::read(&path)
    }

    const LINES: [&str; 2] =
        ["4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 0;", "4k3/4p3/8/8/8/8/8/4K3 b - - 3 9"];

    #[test]
    fn each_position_has_a_game_before_random_moves_follow() {
        let openings = read(&format!("\u{feff}# two\n\n{}\n{}\n", LINES[0], LINES[1])).unwrap();
        assert!(openings.identity().starts_with("2 openings of book.epd, SHA-256 "));
        let start = |number| {
            let (game, plies) = openings.start(4, number);
            (game.position().chess().turn().is_white(), plies)
        };
        let starts = [0, 1, 2, 5, 99].map(start);
        assert_eq!(starts, [(true, 0), (false, 0), (true, 1), (false, 2), (false, 8)]);
    }

    /// The same opening in two lines was played as two independent pairs of games.
    #[test]
    fn an_opening_counts_once() {
        let again = "4k3/8/8/8/8/8/4P3/4K3 w - - 7 7";
        let openings = read(&format!("{}\n{}\n{again}\n", LINES[0], LINES[1])).unwrap();
        assert!(openings.identity().starts_with("2 openings of book.epd, SHA-256 "));
        assert!(!openings.is_chess960());
        let shuffled = "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w FDfd - 0 1";
        assert!(read(shuffled).unwrap().is_chess960());
    }

    #[test]
    fn a_line_that_is_no_opening_is_named() {
        let error = |text: &str| {
            let text = read(text).unwrap_err().to_string();
            text.split_once("book.epd").unwrap().1.to_owned()
        };
        assert!(error("4k3/8/8/8/8/8/4P3/4K3 w - -\nfoo").starts_with(", line 2: not a FEN: "));
        let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - -";
        assert_eq!(error(stalemate), ", line 1: there is no legal move; remove this opening");
        let advice = "write one FEN or EPD on each line, or give a file in PGN";
        assert_eq!(error("# nothing\n"), format!(": there is no position; {advice}"));
        assert!(error("\nfoo").ends_with(advice));
        let fault = error("[Event \"?\"]\n\n1. e4 e5 2. Ke3 *\n");
        assert!(fault.starts_with(", line 1: game 1 (? - ?, *), "), "{fault}");
        assert!(fault.ends_with("; correct or remove this game"), "{fault}");
    }

    #[test]
    fn games_start_after_the_moves_of_a_pgn() {
        let openings = read("[Event \"?\"]\n\n1. e4 e5 *\n\n[Event \"?\"]\n\n1. d4 *\n").unwrap();
        let fens = openings.positions().map(|game| four_fields(game.position().chess()));
        let turns: Vec<bool> = fens.map(|fen| fen.contains(" w ")).collect();
        assert_eq!(turns, [true, false]);
        assert_eq!(openings.starts[0].1.keys().len(), 3);
    }

    #[test]
    fn the_shipped_openings_are_many_and_all_different() {
        let lines: Vec<&str> = OpeningBook::shipped_lines().collect();
        assert!(lines.len() >= 500, "{}", lines.len());
        assert_eq!(lines.iter().collect::<HashSet<_>>().len(), lines.len());
        let engine = tropism::default_engine().unwrap();
        for line in lines {
            let game = Game::from_fen(line, None).unwrap();
            let chess = game.position().chess();
            // Eight plies were played. Without a search the evaluation is only roughly even.
            assert!(chess.turn().is_white() && chess.board().occupied().count() >= 26, "{line}");
            assert_eq!(four_fields(chess), line);
            assert!(engine.evaluate(chess).abs() < 500, "{line}");
        }
    }
}
