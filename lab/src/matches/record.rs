//! The games of a match as a file in PGN, from which the match continues.
//!
//! Each pair of games is added in a single write, in the order of their numbers. The tags of every game say what it was
//! played with, so games that were played with something else cannot be counted with them.

use super::report::{GameResult, PairResult};
use crate::play::{FinishedGame, GameEnd};
use crate::{data::is_busy, pairing::FinishedPair};
use anyhow::{Result, anyhow, bail, ensure};
use shakmaty::{Chess, Color, EnPassantMode, KnownOutcome, Position, fen::Fen, san::SanPlus};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{collections::BTreeMap, fmt::Write as _};

/// The first line of each game.
const EVENT: &str = "[Event \"tropism-lab match\"]\n";

/// The longest line of moves.
const COLUMNS: usize = 100;

/// The value of the tag `Termination` of a game that was lost on time.
const ON_TIME: &str = "time forfeit";

/// Why a file with other games cannot be used.
const FOREIGN: &str =
    " has other games than those of `tropism-lab match`; name another file with --pgn";

/// Tags with their values, the same for all games of a match.
pub(super) type Settings = Vec<(&'static str, String)>;

/// The file of a match.
pub(super) struct Record {
    path: PathBuf,
    file: File,
    settings: Settings,
    /// The names of the engines A and B.
    names: [String; 2],
    /// The number of pairs in the file.
    pairs: usize,
}

impl Record {
    /// Opens a file, new or at the end of its last whole pair. Returns it with the pairs that it has. A file
    /// that has games of another match stays as it is.
    pub(super) fn open(
        path: &Path,
        settings: Settings,
        names: [String; 2],
    ) -> Result<(Record, Vec<PairResult>)> {
        let file = OpenOptions::new().create(true).read(true).append(true).open(path);
        let file = file.map_err(|error| file_error(path, error))?;
        ensure!(
            !is_busy(&file),
            "another match is writing to {}; wait for its end, or name another file with --pgn",
            path.display()
        );
        let text = fs::read_to_string(path).map_err(|error| file_error(path, error))?;
        let (pairs, whole) =
            read(&text, &settings).map_err(|error| anyhow!("{}{error}", path.display()))?;
        if whole < text.len() {
            file.set_len(whole as u64).map_err(|error| file_error(path, error))?;
        }
        let path = path.to_owned();
        Ok((Record { path, file, settings, names, pairs: pairs.len() }, pairs))
    }

    /// Adds a pair. Returns what counts of it.
    pub(super) fn write(&mut self, pair: &FinishedPair) -> Result<PairResult> {
        let [a, b] = &self.names;
        self.pairs += 1;
        let mut text = String::new();
        for (round, (players, game)) in (1..).zip([[b, a], [a, b]].into_iter().zip(&pair.games)) {
            let round = format!("{}.{round}", self.pairs);
            self.add_game(&mut text, &round, players, pair.start.position().chess(), game);
        }
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| file_error(&self.path, error))?;
        Ok(pair.games.each_ref().map(|game| match game.end {
            GameEnd::Time(loser) => (game.result, Some(loser)),
            _ => (game.result, None),
        }))
    }

    fn add_game(
        &self,
        text: &mut String,
        round: &str,
        [white, black]: [&String; 2],
        start: &Chess,
        game: &FinishedGame,
    ) {
        let result = game.result.to_string();
        let termination = match game.end {
            GameEnd::Rules(_) => "normal",
            GameEnd::Time(_) => ON_TIME,
            GameEnd::Scores | GameEnd::Table | GameEnd::Length => "adjudication",
        };
        let fen = Fen::from_position(start, EnPassantMode::Legal).to_string();
        let date = chrono::Local::now().format("%Y.%m.%d").to_string();
        let plies = game.moves.len().to_string();
        let own = [
            ("Site", "?"),
            ("Date", &date),
            ("Round", round),
            ("White", white),
            ("Black", black),
            ("Result", &result),
            ("FEN", &fen),
            ("SetUp", "1"),
            ("PlyCount", &plies),
            ("Termination", termination),
        ];
        text.push_str(EVENT);
        let settings = self.settings.iter().map(|(tag, value)| (*tag, value.as_str()));
        for (tag, value) in own.into_iter().chain(settings) {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{tag} \"{value}\"]");
        }
        let mut words = moves(start, game);
        words.push(format!("{{{}}}", game.end));
        words.push(result);
        let mut column = 0;
        for word in words {
            let is_new_line = column == 0 || column + word.len() >= COLUMNS;
            column = if is_new_line { word.len() } else { column + 1 + word.len() };
            text.push_str(if is_new_line { "\n" } else { " " });
            text.push_str(&word);
        }
        text.push_str("\n\n");
    }
}

fn file_error(path: &Path, error: io::Error) -> anyhow::Error {
    anyhow!("{}: {error}; name a file that can be read and written with --pgn", path.display())
}

/// The moves of a game with numbers, each with the score of the side that played it, in pawns.
fn moves(start: &Chess, game: &FinishedGame) -> Vec<String> {
    let mut position = start.clone();
    let mut words = Vec::new();
    for &(m, score) in &game.moves {
        let number = match position.turn() {
            Color::White => format!("{}. ", position.fullmoves()),
            Color::Black if words.is_empty() => format!("{}... ", position.fullmoves()),
            Color::Black => String::new(),
        };
        let score = f64::from(if position.turn().is_white() { score } else { -score }) / 100.0;
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
        words.push(format!("{number}{san} {{{score:+.2}}}"));
    }
    words
}

/// The pairs of a text, and the length of the part that consists of whole pairs. What follows it is the beginning of a
/// pair that was cut short. An error continues the name of the file.
fn read(text: &str, settings: &Settings) -> Result<(Vec<PairResult>, usize)> {
    ensure!(EVENT.starts_with(text.get(..EVENT.len()).unwrap_or(text)), FOREIGN);
    let (mut pairs, mut whole, mut at) = (Vec::new(), 0, 0);
    let mut first: Option<GameResult> = None;
    // A game ends with the second of two empty lines: one after the tags, one after the moves.
    while let Some(end) = end_of_game(&text[at..]) {
        let tags = tags(&text[at..at + end]);
        check(&tags, settings)?;
        at += end;
        let round = format!("{}.{}", pairs.len() + 1, if first.is_none() { 1 } else { 2 });
        let result: Option<KnownOutcome> = tags.get("Result").and_then(|it| it.parse().ok());
        let Some(result) = result.filter(|_| tags.get("Round") == Some(&round)) else {
            let line = text[..at].lines().count();
            bail!(
                ", line {line}: the game of round {round} should be here; name another file with --pgn"
            );
        };
        let is_on_time = tags.get("Termination").is_some_and(|how| how == ON_TIME);
        let loser = result.winner().filter(|_| is_on_time).map(Color::other);
        match first.take() {
            None => first = Some((result, loser)),
            Some(first) => {
                pairs.push([first, (result, loser)]);
                whole = at;
            }
        }
    }
    Ok((pairs, whole))
}

/// Where the first game of a text ends, if it is whole.
fn end_of_game(text: &str) -> Option<usize> {
    const EMPTY: &str = "\n\n";
    let tags = text.find(EMPTY)? + EMPTY.len();
    Some(tags + text[tags..].find(EMPTY)? + EMPTY.len())
}

/// The tags of a game.
fn tags(game: &str) -> BTreeMap<&str, String> {
    let lines = game.lines().take_while(|line| !line.is_empty());
    let tags = lines.filter_map(|line| {
        let (name, value) = line.strip_prefix('[')?.strip_suffix("\"]")?.split_once(" \"")?;
        Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
    });
    tags.collect()
}

/// Checks that the game of these tags was played with these settings.
fn check(tags: &BTreeMap<&str, String>, settings: &Settings) -> Result<()> {
    for (tag, wanted) in settings {
        let Some(found) = tags.get(tag) else { bail!(FOREIGN) };
        ensure!(
            found == wanted,
            " has games of another match: its {tag} is {found:?}, and now it would be {wanted:?}; use what it was, \
             or name another file with --pgn"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::results::{BLACK_WINS, WHITE_WINS};
    use tropism::search::Game;
    use tropism_coach::notation::Games;

    fn settings() -> Settings {
        vec![("EngineA", "a \"b\\.toml".to_owned()), ("Limit", "1 nodes a move".to_owned())]
    }

    /// Opens `games.pgn` in a folder, and writes so many pairs to it.
    fn opened(folder: &Path, settings: Settings, new: usize) -> Result<Vec<PairResult>> {
        let names = ["old".to_owned(), "new".to_owned()];
        let (mut record, pairs) = Record::open(&folder.join("games.pgn"), settings, names)?;
        (0..new).for_each(|_| _ = record.write(&pair()).unwrap());
        Ok(pairs)
    }

    /// A mate in one, and a loss on time.
    fn pair() -> FinishedPair {
        let start = Game::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1", None).unwrap();
        let chess = start.position().chess();
        let mate = tropism_coach::notation::read_move("Ra8", chess).unwrap();
        let mut mated = start.clone();
        mated.play(mate);
        let end = GameEnd::Rules(mated.outcome().unwrap());
        let won = FinishedGame { moves: vec![(mate, 31_999)], result: WHITE_WINS, end };
        let end = GameEnd::Time(Color::White);
        let lost = FinishedGame { moves: Vec::new(), result: BLACK_WINS, end };
        FinishedPair { start, games: [won, lost] }
    }

    #[test]
    fn pairs_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        assert!(opened(folder.path(), settings(), 2).unwrap().is_empty());
        // In the second game engine A had White.
        let pair = [(WHITE_WINS, None), (BLACK_WINS, Some(Color::White))];
        assert_eq!(opened(folder.path(), settings(), 0).unwrap(), [pair; 2]);
        let text = fs::read_to_string(folder.path().join("games.pgn")).unwrap();
        let games: Vec<_> = Games::new(&text).collect();
        let heads: Vec<_> = games.iter().map(|game| game.heading()).collect();
        assert_eq!(heads, ["new - old, 1-0", "old - new, 0-1"].repeat(2));
        assert!(games.iter().all(|game| game.faults.is_empty()));
        let moves = "\n1. Ra8# {+319.99} {White wins by checkmate} 1-0\n\n[Event ";
        assert!(text.contains(moves), "{text}");
        assert!(text.contains("[EngineA \"a \\\"b\\\\.toml\"]\n"), "{text}");
    }

    #[test]
    fn only_a_pair_that_was_cut_short_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        opened(folder.path(), settings(), 2).unwrap();
        let path = folder.path().join("games.pgn");
        let text = fs::read_to_string(&path).unwrap();
        let half = text.len() / 2;
        for (length, count) in
            [(0, 0), (9, 0), (half - 1, 0), (half, 1), (half + 99, 1), (text.len() - 1, 1)]
        {
            fs::write(&path, &text[..length]).unwrap();
            assert_eq!(opened(folder.path(), settings(), 0).unwrap().len(), count, "{length}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text[..count * half]);
        }
    }

    #[test]
    fn games_of_another_match_stay_and_what_differs_is_named() {
        let folder = tempfile::tempdir().unwrap();
        opened(folder.path(), settings(), 1).unwrap();
        let path = folder.path().join("games.pgn");
        let text = fs::read_to_string(&path).unwrap();
        let error = |settings| {
            let error = opened(folder.path(), settings, 0).unwrap_err().to_string();
            error.split_once("games.pgn").unwrap().1.to_owned()
        };
        let mut other = settings();
        other[1].1 = "2 nodes a move".to_owned();
        assert_eq!(
            error(other),
            " has games of another match: its Limit is \"1 nodes a move\", and now it would be \"2 \
             nodes a move\"; use what it was, or name another file with --pgn"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        let (first, _) = text.split_at(end_of_game(&text).unwrap());
        fs::write(&path, format!("{first}{text}")).unwrap();
        let lines = 2 * first.lines().count();
        assert!(error(settings()).starts_with(&format!(", line {lines}: the game of round 1.2 ")));
        for foreign in ["[Event \"mine\"]\n\n1. e4 *\n", "notes", &text.replace("Limit", "Limits")]
        {
            fs::write(&path, foreign).unwrap();
            assert!(error(settings()).starts_with(" has other games than those of "), "{foreign}");
            assert_eq!(fs::read_to_string(&path).unwrap(), foreign);
        }
    }

    #[test]
    fn two_matches_do_not_write_to_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let open = || Record::open(&path, settings(), Default::default());
        let first = open().unwrap();
        let error = open().err().unwrap().to_string();
        assert!(error.starts_with("another match is writing to "), "{error}");
        drop(first);
        assert!(open().is_ok());
        let nowhere = folder.path().join("none").join("games.pgn");
        let error =
            Record::open(&nowhere, settings(), Default::default()).err().unwrap().to_string();
        assert!(error.ends_with("name a file that can be read and written with --pgn"), "{error}");
    }
}
