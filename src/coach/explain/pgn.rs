//! Games of a PGN file.

use crate::search::Game;
use indicatif::{ProgressBar, ProgressStyle};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, EnPassantMode, Move, Position, fen::Fen};
use std::{
    fs::File,
    io,
    ops::{ControlFlow, Range},
    path::Path,
};
use thiserror::Error;

/// Why a PGN file cannot be read.
#[derive(Debug, Error)]
pub enum PgnError {
    /// The file cannot be opened.
    #[error("cannot open {file}: {error}; give the path of a PGN file")]
    Open {
        /// The path of the file.
        file: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The file cannot be read to its end.
    #[error("cannot read {file} after game {games}: {error}")]
    Read {
        /// The path of the file.
        file: String,
        /// How many games were read before.
        games: usize,
        /// The error of the operating system.
        error: io::Error,
    },
}

/// A game of a PGN file.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The names of the players, and the result.
    pub heading: String,
    /// The start position.
    pub start: Chess,
    /// The moves, up to the first that is not legal.
    pub moves: Vec<Move>,
    /// The error in the game, with the move where it is.
    pub fault: Option<String>,
}

impl PlayedGame {
    /// One move as players write it, `22.Nd5`, or two, `22.Nd5 in answer to 21...d4`. Returns the
    /// position after them as well.
    pub(super) fn name(&self, plies: Range<usize>) -> (String, Chess) {
        let mut position = self.start.clone();
        for &m in &self.moves[..plies.start] {
            position.play_unchecked(m);
        }
        let mut names = Vec::new();
        for &m in &self.moves[plies] {
            let number = move_number(&position);
            let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
            names.push(format!("{number}{san}"));
        }
        names.reverse();
        (names.join(" in answer to "), position)
    }
}

/// The number of the next move, `23.` for White and `23...` for Black.
fn move_number(position: &Chess) -> String {
    let dots = position.turn().fold_wb(".", "...");
    format!("{}{dots}", position.fullmoves())
}

/// Reads a file of games one by one, with a progress bar on standard error if that is a terminal.
pub struct GameReader {
    file: String,
    reader: Reader<indicatif::ProgressBarIter<File>>,
    bar: ProgressBar,
    games: usize,
    /// Whether reading has failed.
    failed: bool,
}

impl GameReader {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened.
    pub fn open(path: &Path) -> Result<GameReader, PgnError> {
        let name = path.display().to_string();
        let open_error = |error| PgnError::Open { file: name.clone(), error };
        let file = File::open(path).map_err(open_error)?;
        let metadata = file.metadata().map_err(open_error)?;
        if metadata.is_dir() {
            return Err(open_error(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        let bar = ProgressBar::new(metadata.len());
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent} %, {msg}, {eta}") {
            bar.set_style(style);
        }
        let reader = Reader::new(bar.wrap_read(file));
        Ok(GameReader { file: name, reader, bar, games: 0, failed: false })
    }

    /// The progress bar. Suspend it while you write to the terminal.
    pub fn bar(&self) -> &ProgressBar {
        &self.bar
    }
}

impl Iterator for GameReader {
    type Item = Result<PlayedGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        self.bar.set_message(format!("game {}", self.games + 1));
        let mut recorder = GameVisitor { number: self.games + 1, read: None };
        let read = self.reader.read_game(&mut recorder);
        let game = match read {
            Ok(game) => game?,
            // The reader stops at a bracket or brace that is never closed. The moves before it are kept.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                let mut game =
                    recorder.read.take().unwrap_or_else(|| GameBuilder::new(self.games + 1));
                let place = format!("after {} moves", game.moves.len().div_ceil(2));
                game.fault
                    .get_or_insert(format!("{error} {place}; close it with its bracket or brace"));
                game
            }
            Err(error) => {
                self.failed = true;
                let (file, games) = (self.file.clone(), self.games);
                return Some(Err(PgnError::Read { file, games, error }));
            }
        };
        self.games += 1;
        Some(Ok(game.finish()))
    }
}

/// Collects a game while the reader reads it.
struct GameVisitor {
    number: usize,
    read: Option<GameBuilder>,
}

/// The part of a game that has been read.
struct GameBuilder {
    number: usize,
    white: String,
    black: String,
    result: String,
    has_tags: bool,
    start: Chess,
    position: Chess,
    moves: Vec<Move>,
    fault: Option<String>,
}

impl GameBuilder {
    fn new(number: usize) -> GameBuilder {
        let [white, black, result] = [const { String::new() }; 3];
        let [start, position] = [Chess::default(), Chess::default()];
        let (moves, fault, has_tags) = (Vec::new(), None, false);
        GameBuilder { number, white, black, result, has_tags, start, position, moves, fault }
    }

    fn tag(&mut self, name: &[u8], value: RawTag<'_>) {
        self.has_tags = true;
        let value: String =
            String::from_utf8_lossy(&value.decode()).chars().filter(|c| !c.is_control()).collect();
        match name {
            b"White" => self.white = value,
            b"Black" => self.black = value,
            b"Result" => self.result = value,
            b"FEN" => match Game::from_fen(&value, None) {
                Ok(game) => {
                    self.start = game.position().chess().clone();
                    self.position = self.start.clone();
                }
                Err(error) => {
                    self.fault = Some(format!("the tag FEN {value:?}: {error}; correct the tag"));
                }
            },
            _ => {}
        }
    }

    /// Plays a move. Returns whether it is legal; if not, the fault is noted.
    fn play(&mut self, san: &SanPlus) -> bool {
        match san.san.to_move(&self.position) {
            Ok(m) => {
                self.moves.push(m);
                self.position.play_unchecked(m);
                true
            }
            Err(error) => {
                let number = move_number(&self.position);
                let fen = Fen::from_position(&self.position, EnPassantMode::Legal);
                self.fault = Some(format!(
                    "move {number}{san}: {error} in {fen}; correct this move or an earlier one"
                ));
                false
            }
        }
    }

    fn finish(mut self) -> PlayedGame {
        if !self.has_tags && self.moves.is_empty() && self.result.is_empty() {
            self.fault.get_or_insert("no move can be read; give a file in PGN".to_owned());
        }
        let or = |text: &str, default: &str| {
            if text.is_empty() { default.to_owned() } else { text.to_owned() }
        };
        let [white, black] = [&self.white, &self.black].map(|name| or(name, "?"));
        let heading = format!("{white} - {black}, {}", or(&self.result, "*"));
        let GameBuilder { number, start, moves, fault, .. } = self;
        PlayedGame { number, heading, start, moves, fault }
    }
}

impl GameVisitor {
    fn game(&mut self) -> &mut GameBuilder {
        let number = self.number;
        self.read.get_or_insert_with(|| GameBuilder::new(number))
    }

    fn take(&mut self) -> GameBuilder {
        let number = self.number;
        self.read.take().unwrap_or_else(|| GameBuilder::new(number))
    }
}

impl Visitor for GameVisitor {
    type Tags = ();
    type Movetext = ();
    type Output = GameBuilder;

    fn begin_tags(&mut self) -> ControlFlow<GameBuilder> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<GameBuilder> {
        self.game().tag(name, value);
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<GameBuilder> {
        // Without a valid start position no move can be played.
        match self.game().fault {
            Some(_) => ControlFlow::Break(self.take()),
            None => ControlFlow::Continue(()),
        }
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<GameBuilder> {
        match self.game().play(&san) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(self.take()),
        }
    }

    fn outcome(&mut self, (): &mut (), outcome: pgn_reader::Outcome) -> ControlFlow<GameBuilder> {
        self.game().result = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) -> GameBuilder {
        self.take()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Reads a text as a PGN file.
    pub(in crate::coach::explain) fn games(name: &str, text: &str) -> Vec<PlayedGame> {
        let path = std::env::temp_dir().join(format!("tropism-{}-{name}.pgn", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let games = GameReader::open(&path).unwrap().map(Result::unwrap).collect();
        std::fs::remove_file(&path).unwrap();
        games
    }

    const TWO: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 Nf6 1-0\n\n\
                       [White \"C\"]\n[Black \"D\"]\n[Result \"0-1\"]\n\n\
                       1. f3 {weak} e5 2. g4 (2. e4) Qh4# 0-1\n";

    #[test]
    fn a_broken_game_is_reported_and_the_next_is_read() {
        let games = games("two", TWO);
        assert_eq!(games.len(), 2);
        assert_eq!((games[0].heading.as_str(), games[0].moves.len()), ("A - B, 1-0", 2));
        assert!(games[0].fault.as_ref().unwrap().starts_with("move 2.Ke3: illegal"), "{games:?}");
        assert_eq!((games[1].heading.as_str(), games[1].moves.len()), ("C - D, 0-1", 4));
        assert_eq!(games[1].fault, None);
        assert_eq!(games[1].name(3..4).0, "2...Qh4#");
    }

    #[test]
    fn errors_of_a_file_are_reported() {
        let fault = |name: &str, text: &str| games(name, text)[0].fault.clone().unwrap_or_default();
        assert!(fault("fen", "[FEN \"8/8 w\"]\n\n1. e4 *\n").starts_with("the tag FEN"));
        assert!(fault("open", "1. e4 { never closed").starts_with("unterminated comment after 1"));
        assert!(fault("none", "once upon a time\n").starts_with("no move can be read"));
        assert!(games("empty", "").is_empty());
        let error = GameReader::open(Path::new("no/such.pgn")).err().unwrap().to_string();
        assert!(error.starts_with("cannot open no/such.pgn: "), "{error}");
        // A game may start from any position with any move number.
        let from = games("from", "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... Kd7 8. e4 *\n");
        assert_eq!(
            (from[0].name(0..1).0, from[0].name(0..2).0),
            ("7...Kd7".into(), "8.e4 in answer to 7...Kd7".into())
        );
    }
}
