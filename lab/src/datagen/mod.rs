//! `tropism datagen`: games against itself, as training data for `tropism tune`.
//!
//! - `play`: one game, from a random opening to its end.
//! - [`Datagen`]: many of them on all cores, written in the order of their numbers.
//!
//! A game depends on the seed, its number, the nodes a move and the engine, and on nothing else; so the same
//! settings make the same file, however many threads there are and however often it was killed.

mod play;

use super::data::{Ending, Line, whole_games};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use std::{
    collections::{BTreeMap, HashSet, TryReserveError},
    fmt::Write as _,
    fs::{self, File, OpenOptions},
    hash::{DefaultHasher, Hash, Hasher},
    io::{self, Write as _},
    path::PathBuf,
    sync::{
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc,
    },
    thread,
};
use thiserror::Error;
use tropism::{
    eval::Engine,
    search::{Control, TranspositionTable},
};

/// What games are made of, and how many.
#[derive(Clone, Debug)]
pub(crate) struct Datagen {
    /// The file, which is gone on with if it is there.
    pub(crate) out: PathBuf,
    /// Games that the file shall have.
    pub(crate) games: u64,
    /// Positions that are enough, whatever the games.
    pub(crate) positions: u64,
    /// Nodes searched a move.
    pub(crate) nodes: u64,
    /// Which games of all that could be.
    pub(crate) seed: u64,
    /// How many are played at a time.
    pub(crate) threads: usize,
}

/// Why data cannot be made.
#[derive(Debug, Error)]
pub(crate) enum DatagenError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// The file was made otherwise.
    #[error(
        "{path} begins {found:?}, not {wanted:?}: go on with the settings it was made with, or \
         write to another file"
    )]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// Its first line.
        found: String,
        /// What it should be.
        wanted: String,
    },
    /// No table for the search.
    #[error("no memory for the search: {0}")]
    Memory(#[from] TryReserveError),
}

/// What a file of data holds.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct DataCount {
    /// Whole games.
    pub(crate) games: u64,
    /// Positions in them.
    pub(crate) positions: u64,
}

/// A game that was played to its end: its quiet positions with White's scores.
struct Played {
    positions: Vec<(String, i32)>,
    ending: Ending,
}

/// The file while it grows.
struct Output {
    file: File,
    seen: HashSet<u64>,
    count: DataCount,
}

impl Datagen {
    /// Plays until there are games or positions enough, and says how many there are.
    ///
    /// What is in the file already stays. Of what is there when the program is killed, only the
    /// games that were not finished are lost.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or was made with other settings.
    pub(crate) fn run(&self, engine: &Engine) -> Result<DataCount, DatagenError> {
        let mut output = self.open(engine)?;
        let bar = ProgressBar::new(self.games).with_position(output.count.games);
        if let Ok(style) = ProgressStyle::with_template(
            "{wide_bar} {human_pos} of {human_len} games, {per_sec}, {msg}, {eta}",
        ) {
            bar.set_style(style);
        }
        bar.reset_eta();
        let before = output.count.positions;
        let next = AtomicU64::new(output.count.games);
        let control = Control::default();
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                let (sender, next, control) = (sender.clone(), &next, &control);
                scope.spawn(move || self.play_games(engine, next, control, &sender));
            }
            drop(sender);
            let mut write_games = || -> Result<(), DatagenError> {
                // Games that wait for one with a lower number.
                let mut waiting = BTreeMap::new();
                while !self.is_enough(output.count) {
                    let Ok((number, played)) = receiver.recv() else { break };
                    waiting.insert(number, played?);
                    while let Some(played) = waiting.remove(&output.count.games)
                        && !self.is_enough(output.count)
                    {
                        output.write(&played).map_err(|error| self.file_error(error))?;
                        bar.inc(1);
                        let rate = (output.count.positions - before) as f64
                            / bar.elapsed().as_secs_f64().max(1e-9);
                        let positions = HumanCount(output.count.positions);
                        bar.set_message(format!("{positions} positions, {rate:.0}/s"));
                    }
                }
                Ok(())
            };
            let written = write_games();
            control.stop.store(true, Relaxed);
            written
        })?;
        bar.finish();
        Ok(output.count)
    }

    /// Plays games until told to stop or nobody listens.
    fn play_games(
        &self,
        engine: &Engine,
        next: &AtomicU64,
        control: &Control,
        sender: &mpsc::Sender<(u64, Result<Played, DatagenError>)>,
    ) {
        let table = TranspositionTable::new(TranspositionTable::MIN_SIZE);
        loop {
            let number = next.fetch_add(1, Relaxed);
            let played = match &table {
                Ok(table) => {
                    let player = play::Player { engine, table, nodes: self.nodes, control };
                    Ok(player.game(self.seed, number))
                }
                Err(error) => Err(error.clone().into()),
            };
            if control.stop.load(Relaxed) || sender.send((number, played)).is_err() {
                break;
            }
        }
    }

    fn is_enough(&self, count: DataCount) -> bool {
        count.games >= self.games || count.positions >= self.positions
    }

    /// Opens the file, new or behind its last whole game.
    fn open(&self, engine: &Engine) -> Result<Output, DatagenError> {
        let wanted = format!(
            "# tropism data 1: seed {}, nodes {}, engine {}",
            self.seed,
            self.nodes,
            engine.name()
        );
        let text = match fs::read_to_string(&self.out) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            read => read,
        };
        let text = text.map_err(|error| self.file_error(error))?;
        let whole = whole_games(&text);
        let mut open = OpenOptions::new();
        let file = open.create(true).append(true).open(&self.out);
        let file = file.map_err(|error| self.file_error(error))?;
        let (count, seen) = (DataCount::default(), HashSet::new());
        let mut output = Output { file, seen, count };
        match whole.lines().next() {
            // An empty file, or a first line that was cut short.
            None if wanted.starts_with(text.trim_end()) => {
                output.file.set_len(0).map_err(|error| self.file_error(error))?;
                writeln!(output.file, "{wanted}").map_err(|error| self.file_error(error))?;
            }
            Some(found) if found == wanted => {
                let length = whole.len() as u64;
                output.file.set_len(length).map_err(|error| self.file_error(error))?;
                for line in whole.lines() {
                    match Line::parse(line) {
                        Ok(Line::Position { fen, .. }) => {
                            output.seen.insert(hash(fen));
                            output.count.positions += 1;
                        }
                        Ok(Line::End { .. }) => output.count.games += 1,
                        Ok(Line::Remark) | Err(_) => {}
                    }
                }
            }
            found => {
                let found = found.unwrap_or(&text).to_owned();
                return Err(DatagenError::OtherSettings { path: self.out.clone(), found, wanted });
            }
        }
        Ok(output)
    }

    fn file_error(&self, error: io::Error) -> DatagenError {
        DatagenError::File { path: self.out.clone(), error }
    }
}

impl Output {
    /// Appends a game without the positions that are known already, all at once.
    fn write(&mut self, played: &Played) -> io::Result<()> {
        let mut lines = String::new();
        for (fen, score) in &played.positions {
            if self.seen.insert(hash(fen)) {
                let _ = writeln!(lines, "{fen} {score}");
                self.count.positions += 1;
            }
        }
        let _ = writeln!(lines, "= {} {}", self.count.games, played.ending);
        self.count.games += 1;
        self.file.write_all(lines.as_bytes())
    }
}

fn hash(fen: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    fen.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn datagen(name: &str, threads: usize, games: u64) -> Datagen {
        let folder = std::env::temp_dir().join(format!("tropism-datagen-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let out = folder.join(name);
        let _ = fs::remove_file(&out);
        Datagen { out, games, positions: u64::MAX, nodes: 100, seed: 7, threads }
    }

    #[test]
    fn the_same_file_whatever_the_threads_and_however_often_it_was_killed() {
        let engine = tropism::default_engine().unwrap();
        let whole = datagen("whole", 1, 6);
        let count = whole.run(&engine).unwrap();
        let text = fs::read_to_string(&whole.out).unwrap();
        assert_eq!(count.games, 6);
        assert_eq!(text.lines().filter(|line| line.starts_with("= ")).count(), 6);
        let is_position = |line: &&str| !line.starts_with(['=', '#']);
        assert_eq!(text.lines().filter(is_position).count() as u64, count.positions);

        let killed = datagen("killed", 2, 6);
        for length in [0, 10, 60, 1000, text.len() - 3] {
            fs::write(&killed.out, &text[..length]).unwrap();
            assert_eq!(killed.run(&engine).unwrap(), count);
            assert_eq!(fs::read_to_string(&killed.out).unwrap(), text, "cut at {length}");
        }
        let _ = fs::remove_dir_all(whole.out.parent().unwrap());
    }

    #[test]
    fn a_file_made_otherwise_is_left_alone() {
        let engine = tropism::default_engine().unwrap();
        let here = datagen("other", 1, 1);
        for text in ["my own notes", "# tropism data 1: seed 8, nodes 100, engine tropism\n"] {
            fs::write(&here.out, text).unwrap();
            let error = here.run(&engine).unwrap_err();
            assert!(matches!(error, DatagenError::OtherSettings { .. }), "{error}");
            assert_eq!(fs::read_to_string(&here.out).unwrap(), text);
        }
        let _ = fs::remove_file(here.out);
    }
}
