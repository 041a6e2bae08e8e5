//! What several commands use.

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use same_file::Handle;
use shakmaty::{Chess, Move, Position};
use std::path::{Path, PathBuf};
use std::{fs, thread, time::SystemTime};
use tropism::search::Game;
use tropism_coach::notation::{read_move, read_text_file};

/// A game that starts with a FEN or `startpos`. The fields of the FEN may be words of their own. After the
/// word `moves`, moves can follow.
pub fn parse_game(words: &[String]) -> Result<Game> {
    let text = words.join(" ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let mut game = match words[..end].join(" ").as_str() {
        "startpos" => Game::new(Chess::default()),
        fen => Game::from_fen(fen, None).with_context(|| format!("{fen:?}"))?,
    };
    let moves = words.iter().skip(end + 1).copied();
    for m in read_moves(game.position().chess(), moves)? {
        game.play(m);
    }
    Ok(game)
}

/// Positions, each with what is printed before it, and the lines that cannot be read.
pub struct Positions {
    pub games: Vec<(String, Game)>,
    faults: Vec<String>,
}

impl Positions {
    /// The game of a FEN, or the positions of a file with one FEN or EPD on each line. Nothing is printed before a single
    /// FEN, otherwise the line of the file. Empty lines and those that begin with `#` are skipped.
    pub fn read(fen: &[String], file: Option<&Path>) -> Result<Positions> {
        let Some(path) = file else {
            let games = vec![(String::new(), parse_game(fen)?)];
            return Ok(Positions { games, faults: Vec::new() });
        };
        let text = read_text_file(path)?;
        let lines = (1..).zip(text.lines().map(str::trim));
        let mut positions = Positions { games: Vec::new(), faults: Vec::new() };
        for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            // The counters of a FEN may follow the four fields of an EPD, or its operations.
            let is_fen = fields.get(4).is_some_and(|field| field.parse::<u32>().is_ok());
            let fen = fields[..fields.len().min(if is_fen { 6 } else { 4 })].join(" ");
            match Game::from_fen(&fen, None) {
                Ok(game) => positions.games.push((format!("{fen}\n"), game)),
                Err(error) => positions.faults.push(format!(
                    "{}, line {number}: write one FEN or EPD on each line: {error}",
                    path.display()
                )),
            }
        }
        if positions.games.is_empty() {
            positions.check()?;
            bail!("{}: there is no position; write one FEN or EPD on each line", path.display());
        }
        Ok(positions)
    }

    /// An error for the lines that cannot be read, after the others were shown.
    pub fn check(&self) -> Result<()> {
        anyhow::ensure!(self.faults.is_empty(), "{}", self.faults.join("\n"));
        Ok(())
    }
}

/// The moves of a line, one for each word.
pub fn read_moves<'a>(start: &Chess, words: impl Iterator<Item = &'a str>) -> Result<Vec<Move>> {
    let mut chess = start.clone();
    let mut moves = Vec::new();
    for (number, word) in (1..).zip(words) {
        let m = read_move(word, &chess).map_err(|misread| {
            anyhow!("move {number} ({word:?}) is not legal: {}", misread.reason(&chess))
        })?;
        chess.play_unchecked(m);
        moves.push(m);
    }
    Ok(moves)
}

/// Checks that an ending or a position is named.
pub fn check_named(words: &[String]) -> Result<()> {
    let is_named = words.iter().any(|word| !word.trim().is_empty());
    anyhow::ensure!(is_named, "name an ending such as KBNK, or give a position as FEN");
    Ok(())
}

/// Checks that the files of the output can be written and that none of them is read or named twice, under any
/// name, before the work for them begins. Files that exist stay as they are.
///
/// # Errors
///
/// If it is not so.
pub fn check_outputs<'a>(
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    outputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<()> {
    let handle = |path: &PathBuf| Handle::from_path(path).ok();
    let inputs: Vec<Handle> = inputs.into_iter().filter_map(handle).collect();
    let (mut known, mut new) = (Vec::new(), Vec::new());
    let mut check = |path: &'a PathBuf| {
        let is_new = !path.exists();
        let file = fs::OpenOptions::new().append(true).create(true).open(path);
        new.extend(is_new.then_some(path));
        let handle = file.and_then(Handle::from_file).with_context(|| cannot_write(path))?;
        let name = path.display();
        ensure!(!inputs.contains(&handle), "{name} is read, too; name another file to write to");
        ensure!(!known.contains(&handle), "{name} would be written twice; name another file");
        known.push(handle);
        Ok(())
    };
    let checked = outputs.into_iter().try_for_each(&mut check);
    // The work may fail, and then empty files would be left.
    for path in new.into_iter().filter(|path| path.exists()) {
        fs::remove_file(path).with_context(|| cannot_write(path))?;
    }
    checked
}

/// Writes a file.
pub fn write_file(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}; name a file in a folder that you may write to", path.display())
}

/// A seed that differs from game to game, and is short enough to type again.
pub fn seed_from_clock() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_micros())
}

/// A progress bar on standard error, shown only if that is a terminal. `template` is in the language of indicatif; `done`
/// of `length` steps were made in an earlier run and do not count for the estimate of the time left.
pub fn progress_bar(template: &str, length: u64, done: u64) -> ProgressBar {
    let bar = ProgressBar::new(length).with_position(done);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.reset_eta();
    bar
}

/// The threads that this machine runs at once.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
