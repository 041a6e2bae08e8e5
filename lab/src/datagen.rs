//! `tropism-lab datagen`: games of the engine against itself, as training data for `tropism-lab tune`.
//!
//! A game depends only on its number, the engine and the options. So the same settings make the same file, with any
//! number of threads and after any number of interruptions.

use crate::data::{self, DECIDED, games, white_score};
use crate::play::{Adjudication, LastScores, MAX_PLIES};
use crate::random_moves::{RandomMoves, four_fields};
use crate::{arguments::at_least_1, opening_book::OpeningBook};
use anyhow::{Context as _, Result};
use clap::Args;
use indicatif::HumanCount;
use shakmaty::{Chess, KnownOutcome, Position};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::{collections::HashSet, fmt::Write as _, fs::File, path::PathBuf};
use tropism::search::{BENCH_DEPTH, Control, Game, TranspositionTable, bench};
use tropism::{eval::Engine, random::SplitMix64};
use tropism_program::{Context, cores, in_order, progress_bar};

/// Random plies at the start of a game, and one more in about every second game.
const OPENING_PLIES: usize = 8;

/// When a game is adjudicated. No ply of the opening counts.
const DATA_ADJUDICATION: Adjudication = Adjudication {
    lead: 1000,
    lead_searches: 6,
    drawn_score: 5,
    drawn_searches: 12,
    drawn_from_ply: 80,
};

/// Play games of the engine against itself and keep their quiet positions as training data.
#[derive(Args, Clone, Debug)]
pub(crate) struct Datagen {
    /// The file to write. If it exists, the run that made it is continued.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Stop when the file has this many games.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    games: u64,
    /// Nodes per move.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = at_least_1::<u64>())]
    nodes: u64,
    /// Start the games from the positions of this file, one FEN or EPD a line or the games of a PGN, instead of random
    /// moves. Games beyond the number of positions begin with one or two random moves, so that they differ.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of the random numbers; the same seed makes the same file.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games played at a time; by default one per core.
    #[arg(long, value_name = "N", value_parser = at_least_1::<usize>())]
    threads: Option<usize>,
}

/// A finished game: its quiet positions with White's scores in centipawns.
struct SelfPlayed {
    positions: Vec<(String, i32)>,
    result: KnownOutcome,
}

/// The file that is being written.
struct Output {
    file: File,
    /// Hashes of its positions, because each position is written once.
    seen: HashSet<u64>,
    /// Whole games, and the positions in them.
    games: u64,
    positions: u64,
}

impl Datagen {
    /// Plays the games and prints what the file contains.
    pub(crate) fn run(&self, context: &Context) -> Result<()> {
        let signature = bench(&context.engine, BENCH_DEPTH, &Control::default())?.nodes;
        let Output { games, positions, .. } = self.play(&context.engine, signature)?;
        Ok(writeln!(io::stdout(), "{games} games, {positions} positions")?)
    }

    /// Plays until there are enough games in the file. `signature` is the bench of the engine: the
    /// same settings and the same signature make the same games.
    ///
    /// The games that are in the file already stay. If the program is killed, only unfinished games
    /// are lost.
    fn play(&self, engine: &Engine, signature: u64) -> Result<Output> {
        let openings = self.openings.as_deref().map(OpeningBook::read).transpose()?;
        let openings = openings.as_ref();
        let (file, text) = data::open(&self.out, &self.header(engine, signature, openings))?;
        let mut output = Output::new(file, &text);
        if output.games >= self.games {
            return Ok(output);
        }
        let template = "{wide_bar} {human_pos} of {human_len} games, {per_sec}, {msg}, {eta}";
        let bar = progress_bar(template, self.games, output.games);
        let (first, before) = (output.games, output.positions);
        let stop = &AtomicBool::new(false);
        let worker = || {
            let table = TranspositionTable::new(TranspositionTable::MIN_SIZE)
                .context("no memory for the search")?;
            let nodes = self.nodes;
            Ok(move |number| {
                let player = RandomMoves { engine, table: &table, nodes, stop };
                self.game(&player, openings, number).map(Ok)
            })
        };
        let threads = self.threads.unwrap_or_else(cores);
        let workers = (0..threads).map(|_| worker()).collect::<Result<Vec<_>>>()?;
        in_order(workers, first, stop, |game: SelfPlayed| {
            output.write(&game).with_context(|| self.out.display().to_string())?;
            bar.inc(1);
            let new = (output.positions - before) as f64;
            let rate = new / bar.elapsed().as_secs_f64().max(1e-9);
            let positions = HumanCount(output.positions);
            bar.set_message(format!("{positions} positions, {rate:.0}/s"));
            Ok(output.games < self.games)
        })?;
        bar.finish();
        Ok(output)
    }

    /// Plays the game of this number, one player for both sides; `None` if it is stopped.
    fn game(
        &self,
        player: &RandomMoves,
        openings: Option<&OpeningBook>,
        number: u64,
    ) -> Option<SelfPlayed> {
        let mut random = SplitMix64::stream(self.seed, number);
        player.table.clear();
        let (start, plies) = match openings {
            Some(openings) => openings.start(self.seed, number),
            None => (Game::new(Chess::default()), OPENING_PLIES + random.below(2)),
        };
        let mut game = player.play(start, plies, &mut random);
        let mut positions = Vec::new();
        let mut last = LastScores::default();
        for ply in 0..MAX_PLIES {
            if let Some(outcome) = game.outcome() {
                let result = KnownOutcome::from_winner(outcome.winner());
                return Some(SelfPlayed { positions, result });
            }
            let outcome = player.search(&game);
            let best = outcome.best.filter(|_| !player.stop.load(Relaxed))?;
            let chess = game.position().chess();
            let score = white_score(&outcome.value, chess.turn());
            if let Some(result) = last.decide(&DATA_ADJUDICATION, ply, score) {
                return Some(SelfPlayed { positions, result });
            }
            let is_quiet = !chess.is_check() && !best.is_capture() && !best.is_promotion();
            if is_quiet && score.abs() < DECIDED {
                positions.push((four_fields(chess), score));
            }
            game.play(best);
        }
        Some(SelfPlayed { positions, result: KnownOutcome::Draw })
    }

    /// The first line of the file.
    fn header(&self, engine: &Engine, signature: u64, openings: Option<&OpeningBook>) -> String {
        let openings = openings.map_or(String::new(), |book| format!("{}, ", book.identity()));
        let Datagen { seed, nodes, .. } = self;
        let engine = engine.name();
        format!(
            "# tropism data 1: seed {seed}, nodes {nodes}, {openings}engine {engine}, bench {signature}"
        )
    }
}

impl Output {
    /// Continues a file with this text.
    fn new(file: File, text: &str) -> Output {
        let (games, _) = games(text);
        let positions = games.iter().flat_map(|game| &game.positions);
        let seen = positions.clone().map(|position| hash_of_fen(position.fen)).collect();
        let positions = positions.count() as u64;
        Output { file, seen, games: games.len() as u64, positions }
    }

    /// Appends the new positions of a game in a single write.
    fn write(&mut self, game: &SelfPlayed) -> io::Result<()> {
        let mut lines = String::new();
        for (fen, score) in &game.positions {
            if self.seen.insert(hash_of_fen(fen)) {
                let _ = writeln!(lines, "{fen} {score}");
                self.positions += 1;
            }
        }
        let _ = writeln!(lines, "= {} {}", self.games, game.result);
        self.games += 1;
        self.file.write_all(lines.as_bytes())
    }
}

fn hash_of_fen(fen: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    fen.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn datagen(out: PathBuf, threads: usize, games: u64) -> Datagen {
        Datagen { out, games, nodes: 100, openings: None, seed: 7, threads: Some(threads) }
    }

    #[test]
    fn the_file_does_not_depend_on_threads_or_interruptions() {
        let folder = tempfile::tempdir().unwrap();
        let engine = tropism::default_engine().unwrap();
        let whole = datagen(folder.path().join("whole"), 1, 6);
        let Output { games, positions, .. } = whole.play(&engine, 1).unwrap();
        let text = fs::read_to_string(&whole.out).unwrap();
        assert_eq!(games, 6);
        assert_eq!(text.lines().filter(|line| line.starts_with("= ")).count(), 6);
        let is_position = |line: &&str| !line.starts_with(['=', '#']);
        assert_eq!(text.lines().filter(is_position).count() as u64, positions);

        let killed = datagen(folder.path().join("killed"), 2, 6);
        for length in [0, 10, 60, 1000, text.len() - 3] {
            fs::write(&killed.out, &text[..length]).unwrap();
            let again = killed.play(&engine, 1).unwrap();
            assert_eq!((again.games, again.positions), (games, positions));
            assert_eq!(fs::read_to_string(&killed.out).unwrap(), text, "cut at {length}");
        }
    }

    #[test]
    fn a_file_with_other_settings_is_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let engine = tropism::default_engine().unwrap();
        let here = datagen(folder.path().join("other"), 1, 1);
        for text in [
            "my own notes",
            "# tropism data 1: seed 8, nodes 100, engine tropism, bench 1\n",
            "# tropism data 1: seed 7, nodes 100, engine tropism, bench 2\n",
        ] {
            fs::write(&here.out, text).unwrap();
            let error = here.play(&engine, 1).err().unwrap().to_string();
            assert!(error.contains(": use the settings, the engine and the version "), "{error}");
            assert_eq!(fs::read_to_string(&here.out).unwrap(), text);
        }
    }
}
