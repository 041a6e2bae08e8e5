//! Games of a PGN file.

use crate::search::Game;
use crate::text::move_number;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen};
use std::{
    fs::File,
    io::{self, Read, Seek},
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
    /// The file is not a text file.
    #[error("{file} is not a text file; give the path of a PGN file")]
    Binary {
        /// The path of the file.
        file: String,
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
    /// The tags of the file in their order, with their values.
    pub tags: Vec<(String, String)>,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` if the result is not known.
    pub result: String,
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
        let mut position = self.position(plies.start);
        let mut names = Vec::new();
        for &m in &self.moves[plies] {
            let number = move_number(&position);
            let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
            names.push(format!("{number}{san}"));
        }
        names.reverse();
        (names.join(" in answer to "), position)
    }

    /// The error in the game, if there is one, with the number of the game and the players.
    pub fn numbered_fault(&self) -> Option<String> {
        let fault = self.fault.as_ref()?;
        Some(format!("game {} ({}), {fault}", self.number, self.heading))
    }

    /// The position after this many plies.
    pub(super) fn position(&self, plies: usize) -> Chess {
        after(&self.start, &self.moves[..plies])
    }
}

/// The position after some legal moves.
pub fn after(start: &Chess, moves: &[Move]) -> Chess {
    let mut position = start.clone();
    for &m in moves {
        position.play_unchecked(m);
    }
    position
}

/// Reads a file of games one by one.
pub struct GameReader {
    file: String,
    reader: Reader<Box<dyn Read>>,
    games: usize,
    /// Whether reading has failed.
    failed: bool,
}

impl GameReader {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened or is not a text file.
    pub fn open(path: &Path) -> Result<GameReader, PgnError> {
        let name = path.display().to_string();
        let open_error = |error| PgnError::Open { file: name.clone(), error };
        let mut file = File::open(path).map_err(open_error)?;
        if file.metadata().map_err(open_error)?.is_dir() {
            return Err(open_error(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        // A pipe cannot be read twice.
        if file.stream_position().is_ok() {
            let mut beginning = Vec::new();
            (&file).take(SAMPLE).read_to_end(&mut beginning).map_err(open_error)?;
            if beginning.iter().any(|&byte| is_binary(byte)) {
                return Err(PgnError::Binary { file: name });
            }
            file.rewind().map_err(open_error)?;
        }
        Ok(GameReader::new(&name, file))
    }

    /// Reads games in PGN from anywhere. `name` names the source in errors.
    ///
    /// ```
    /// use tropism::coach::GameReader;
    /// let game = GameReader::new("a text", "1. e4 e5 2. Ke3 *".as_bytes()).next().unwrap()?;
    /// assert_eq!(game.moves.len(), 2);
    /// assert!(game.fault.unwrap().starts_with("move 2.Ke3"));
    /// # Ok::<(), tropism::coach::PgnError>(())
    /// ```
    pub fn new(name: &str, input: impl Read + 'static) -> GameReader {
        let reader = Reader::new(Box::new(input) as Box<dyn Read>);
        GameReader { file: name.to_owned(), reader, games: 0, failed: false }
    }
}

/// The bytes of a file that are checked for text.
const SAMPLE: u64 = 8192;

/// Whether a byte is in no text file: a control character that neither ends a line nor indents.
fn is_binary(byte: u8) -> bool {
    matches!(byte, 0x00..=0x08 | 0x0e..=0x19 | 0x1c..=0x1f | 0x7f)
}

impl Iterator for GameReader {
    type Item = Result<PlayedGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
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

/// The tags that every game should have, in the order of the PGN standard, with the values that mean
/// "not known".
pub const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The results of the PGN standard.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The part of a game that has been read.
struct GameBuilder {
    number: usize,
    tags: Vec<(String, String)>,
    /// The result at the end of the moves.
    result: Option<String>,
    start: Chess,
    position: Chess,
    moves: Vec<Move>,
    fault: Option<String>,
}

impl GameBuilder {
    fn new(number: usize) -> GameBuilder {
        let [start, position] = [Chess::default(), Chess::default()];
        let (tags, moves, result, fault) = (Vec::new(), Vec::new(), None, None);
        GameBuilder { number, tags, result, start, position, moves, fault }
    }

    fn tag(&mut self, name: &[u8], value: RawTag<'_>) {
        // The PGN standard has Latin-1; most programs write UTF-8.
        let text = |bytes: &[u8]| -> String {
            let text = str::from_utf8(bytes).map_or_else(
                |_| bytes.iter().map(|&byte| char::from(byte)).collect(),
                str::to_owned,
            );
            text.chars().filter(|c| !c.is_control()).collect()
        };
        self.tags.push((text(name), text(&value.decode())));
    }

    /// The value of a tag, if it has one.
    fn value(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(known, _)| known == name);
        tag.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// Sets up the start position, which the tags `FEN` and `Variant` may change.
    fn set_up(&mut self) -> Result<(), String> {
        let mode = match self.value("Variant") {
            None => None,
            Some(variant) => match variant.to_lowercase().replace([' ', '-'], "").as_str() {
                "standard" | "chess" | "normal" | "fromposition" => None,
                "chess960" | "fischerandom" | "fischerrandom" => Some(CastlingMode::Chess960),
                _ => {
                    return Err(format!(
                        "the tag Variant {variant:?}: only chess and Chess960 are known"
                    ));
                }
            },
        };
        let fen = match (self.value("FEN"), mode) {
            (Some(fen), _) => fen.to_owned(),
            (None, None) => return Ok(()),
            (None, Some(_)) => {
                Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string()
            }
        };
        let game = Game::from_fen(&fen, mode)
            .map_err(|error| format!("the tag FEN {fen:?}: {error}; correct the tag"))?;
        self.start = game.position().chess().clone();
        self.position = self.start.clone();
        Ok(())
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
        let is_known = |(name, _): &(String, String)| {
            name == "FEN" || ROSTER.iter().any(|(known, _)| known == name)
        };
        if self.moves.is_empty() && !self.tags.iter().any(is_known) {
            self.fault.get_or_insert("no move can be read; give a file in PGN".to_owned());
        }
        let [white, black] =
            ["White", "Black"].map(|name| self.value(name).unwrap_or("?").to_owned());
        // The tag may know more than an open end of the moves.
        let of_moves = self.result.as_deref().filter(|&result| result != "*");
        let result = of_moves.or(self.value("Result")).filter(|result| RESULTS.contains(result));
        let result = result.unwrap_or("*").to_owned();
        let heading = format!("{white} - {black}, {result}");
        let GameBuilder { number, tags, start, moves, fault, .. } = self;
        PlayedGame { number, heading, tags, result, start, moves, fault }
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
        match self.game().set_up() {
            Ok(()) => ControlFlow::Continue(()),
            Err(fault) => {
                self.game().fault = Some(fault);
                ControlFlow::Break(self.take())
            }
        }
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<GameBuilder> {
        match self.game().play(&san) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(self.take()),
        }
    }

    fn outcome(&mut self, (): &mut (), outcome: pgn_reader::Outcome) -> ControlFlow<GameBuilder> {
        self.game().result = Some(outcome.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) -> GameBuilder {
        self.take()
    }
}

#[cfg(test)]
pub mod tests {
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
        assert!(fault("variant", "[Variant \"Atomic\"]\n\n1. e4 *\n").contains("Atomic"));
        assert!(fault("tags", "[Nothing \"x\"]\n\n*\n").starts_with("no move can be read"));
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
