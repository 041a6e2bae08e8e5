//! `tropism explain`.

use super::practise::{Input, practice_options};
use super::shared::{
    Positions, check_outputs, cores, parse_game, progress_bar, read_moves, write_file,
};
use super::{Context, fitted, in_order};
use anyhow::Result;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use indicatif::ProgressBar;
use shakmaty::{Color, Position};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tropism::eval::Engine;
use tropism::search::{Limits, TranspositionTable};
use tropism_coach::{
    Assessment, Explanation, GameReview, PlayerReport, Retry, ReviewView, SearchedLine, Searcher,
    Thinking,
    motifs::LineReport,
    notation::{Games, PlayedGame, read_text_file},
};

/// Explain in words why the engine prefers a side, in a position or after each move of a game.
#[derive(Args)]
pub(super) struct Explain {
    /// The position: startpos or a FEN with four to six fields, quoted or not.
    #[arg(required_unless_present_any = ["games", "file"], conflicts_with_all = ["games", "file"],
          value_name = "FEN")]
    fen: Vec<String>,
    /// Explain the positions of this file instead, one FEN or EPD a line, each after its FEN.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "html", "line"])]
    file: Option<PathBuf>,
    /// Explain the games of these PGN files instead.
    #[arg(long, value_name = "FILE", num_args = 1.., group = "games")]
    game: Vec<PathBuf>,
    /// Find better moves than the mistakes of the games of these PGN files, with hints.
    #[arg(long, value_name = "FILE", num_args = 1.., group = "games",
          conflicts_with_all = ["html", "json", "pgn", "terms", "all"])]
    practise: Vec<PathBuf>,
    /// Name the tactical motifs of these moves instead, in UCI or SAN. They are seen from the side that moves last.
    #[arg(long, value_name = "MOVES", requires = "fen",
          conflicts_with_all = ["games", "html", "effort"])]
    line: Option<String>,
    /// Also write an HTML page with boards and pictures to this file.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write JSON instead of text.
    #[arg(long)]
    json: bool,
    /// Also write the games to this file, with values, marks, better lines and comments.
    #[arg(long, value_name = "FILE", requires = "games", conflicts_with = "fen")]
    pgn: Option<PathBuf>,
    /// Print the terms of the evaluation instead, with the distances behind them.
    #[arg(long, conflicts_with_all = ["games", "line"])]
    terms: bool,
    /// Show all moves of a game, not only those that lose something.
    #[arg(long, requires = "games", conflicts_with = "fen")]
    all: bool,
    /// Show the moves of one side only: white or black.
    #[arg(long, value_name = "SIDE", requires = "games", conflicts_with = "fen",
          value_parser = PossibleValuesParser::new(["white", "black"]).map(|side| Color::from_white(side == "white")))]
    side: Option<Color>,
    /// Follow one player over all games: where points are lost, and what to practise. A part of the name is enough.
    #[arg(long, value_name = "NAME", requires = "games", conflicts_with_all = ["fen", "side"])]
    player: Option<String>,
    /// Show the moves of a game from this number on.
    #[arg(long, value_name = "N", requires = "games", conflicts_with = "fen")]
    from: Option<u32>,
    /// Show the moves of a game up to this number.
    #[arg(long, value_name = "N", requires = "games", conflicts_with = "fen")]
    to: Option<u32>,
    /// Search to this depth, in plies.
    #[arg(long, value_name = "PLIES", group = "effort",
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Search so many nodes in each position. Without a limit a position takes about two seconds, one of a game 100000.
    #[arg(long, value_name = "N", group = "effort",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search so long in each position, in milliseconds.
    #[arg(long, value_name = "MS", group = "effort",
          value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
}

impl Explain {
    pub(super) fn run(self, context: Context) -> Result<()> {
        if let (Some(from), Some(to)) = (self.from, self.to) {
            anyhow::ensure!(from <= to, "--from {from} is after --to {to}; exchange them");
        }
        let inputs = self.game.iter().chain(&self.file).chain(&context.file);
        check_outputs(inputs, self.html.iter().chain(&self.pgn))?;
        match &self.line {
            Some(line) => self.explain_line(&context.engine, line),
            None if !self.practise.is_empty() => self.practise_games(&context.engine),
            None if self.game.is_empty() => self.explain_positions(&context.engine),
            None => self.explain_games(&context.engine),
        }
    }

    fn explain_line(&self, engine: &Engine, line: &str) -> Result<()> {
        let game = parse_game(&self.fen)?;
        let start = game.position().chess();
        let words = line.split_whitespace().map(without_number).filter(|word| !word.is_empty());
        let moves = read_moves(start, words)?;
        anyhow::ensure!(!moves.is_empty(), "--line: name at least one move");
        let report = LineReport::new(engine, start, &moves);
        let text = if self.json { format!("{:#}", report.json()) } else { report.to_string() };
        Ok(writeln!(io::stdout(), "{text}")?)
    }

    fn explain_positions(&self, engine: &Engine) -> Result<()> {
        // The table of terms needs no search.
        let is_searched = !self.terms || self.html.is_some() || self.has_limit();
        let table = is_searched.then(|| TranspositionTable::new(TranspositionTable::DEFAULT_SIZE));
        let table = table.transpose()?;
        let mut explanations = Vec::new();
        let positions = Positions::read(&self.fen, self.file.as_deref())?;
        for (_, game) in &positions.games {
            let mut explanation = Explanation::new(engine, game);
            if let Some(table) = &table {
                // What is said of a position does not depend on those before it.
                table.clear();
                let board = game.position().chess().board().clone();
                let bar = ProgressBar::new_spinner();
                let watch = |line: &SearchedLine| {
                    bar.set_message(format!("{}, depth {}", line.value.clause(&board), line.depth));
                    bar.tick();
                };
                // One thread, so that the same limits give the same answer, unless they are of time.
                let (threads, thinking) = match self.has_limit() {
                    true => (1, self.limits().into()),
                    false => (cores(), Thinking::two_seconds(&watch)),
                };
                let searcher = Searcher { threads, ..Searcher::new(engine, table) };
                explanation = explanation.with_assessment(&searcher, game, &thinking);
                bar.finish_and_clear();
            }
            if let Some(path) = &self.html {
                write_file(path, &explanation.page())?;
            }
            match self.json && self.file.is_some() {
                true => explanations.push(explanation.json()),
                false => self.print(&explanation)?,
            }
        }
        if self.json && self.file.is_some() {
            writeln!(io::stdout(), "{:#}", serde_json::Value::from(explanations))?;
        }
        positions.check()
    }

    /// Prints an explanation, which begins with its FEN.
    fn print(&self, explanation: &Explanation) -> Result<()> {
        let mut out = io::stdout().lock();
        match console::colors_enabled() {
            _ if self.json => writeln!(out, "{:#}", explanation.json())?,
            _ if !self.terms => writeln!(out, "{}", explanation.assessed().unwrap_or_default())?,
            true => writeln!(out, "{}", explanation.coloured())?,
            false => writeln!(out, "{explanation}")?,
        }
        Ok(())
    }

    /// Reviews all games of all files. A broken game does not stop the review of the others.
    fn explain_games(&self, engine: &Engine) -> Result<()> {
        let (games, faults) = self.read_files(&self.game)?;
        let limits = self.limits();
        let mut out = io::stdout().lock();
        let view = self.view();
        let mut is_read = true;
        let reviews = reviewed(engine, &games, &limits, |review| {
            if !self.json && self.player.is_none() && is_read {
                // The files are written even if nobody reads the text any more, as behind `head`.
                let text = review.text(view, console::colors_enabled());
                is_read = writeln!(out, "{text}").is_ok();
            }
        })?;
        if let Some(path) = &self.html {
            write_file(path, &GameReview::page(engine.name(), &reviews))?;
        }
        if let Some(path) = &self.pgn {
            let games: Vec<String> = reviews.iter().map(|it| it.pgn().to_string()).collect();
            write_file(path, &games.join("\n"))?;
        }
        if let Some(name) = self.player.as_ref().filter(|_| !self.json) {
            writeln!(out, "{}", PlayerReport::new(&reviews, name))?;
        }
        if self.json {
            let games: Vec<_> = reviews.iter().map(GameReview::json).collect();
            let json = match &self.player {
                Some(name) => PlayerReport::new(&reviews, name).json(games),
                None => games.into(),
            };
            writeln!(out, "{json:#}")?;
        }
        anyhow::ensure!(faults.is_empty(), "{}", faults.join("\n"));
        Ok(())
    }

    /// Asks for better moves than the mistakes of all games.
    fn practise_games(&self, engine: &Engine) -> Result<()> {
        let (games, faults) = self.read_files(&self.practise)?;
        let limits = self.limits();
        let table = TranspositionTable::new(TranspositionTable::DEFAULT_SIZE)?;
        let searcher = Searcher::new(engine, &table);
        let reviews = reviewed(engine, &games, &limits, |_| ())?;
        let mut out = fitted(io::stdout().lock());
        let retry = Retry::new(searcher, &limits, &reviews, self.view());
        retry.run(BufReader::new(Input::new()?), &mut out, practice_options(false))?;
        out.flush()?;
        anyhow::ensure!(faults.is_empty(), "{}", faults.join("\n"));
        Ok(())
    }

    fn view(&self) -> ReviewView<'_> {
        ReviewView {
            all: self.all,
            side: self.side,
            player: self.player.as_deref(),
            numbers: (self.from, self.to),
        }
    }

    /// The games of some files, of one player if one is named, and what cannot be read of them.
    fn read_files(&self, paths: &[PathBuf]) -> Result<(Vec<PlayedGame>, Vec<String>)> {
        let (mut games, faults) = read_files(paths)?;
        if let Some(name) = &self.player {
            anyhow::ensure!(!name.trim().is_empty(), "--player: give a name, or a part of one");
            games.retain(|game| game.side_of(name).is_some());
            anyhow::ensure!(
                !games.is_empty(),
                "--player: no game has a tag White or Black with \"{name}\""
            );
        }
        Ok((games, faults))
    }

    fn has_limit(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some()
    }

    fn limits(&self) -> Limits {
        let move_time = self.movetime.map(Duration::from_millis);
        let nodes = match (self.depth, move_time) {
            (None, None) => Some(self.nodes.unwrap_or(Assessment::DEFAULT_NODES)),
            _ => None,
        };
        Limits { depth: self.depth, nodes, move_time, ..Limits::default() }
    }
}

/// A word without the number of its move: `Nf7` of `22.Nf7`, nothing of `22.`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.strip_prefix('.').map_or(word, |rest| rest.trim_start_matches('.'))
}

/// Reviews games, as many at a time as there are cores, and shows them in their order.
fn reviewed(
    engine: &Engine,
    games: &[PlayedGame],
    limits: &Limits,
    mut show: impl FnMut(&GameReview),
) -> Result<Vec<GameReview>> {
    let positions: usize = games.iter().map(|game| game.moves.len() + 1).sum();
    let bar = progress_bar("{wide_bar} {pos} of {len} positions, {eta}", positions as u64, 0);
    let worker = |table: TranspositionTable| {
        let bar = &bar;
        move |number| {
            let game = games.get(number as usize)?.clone();
            Some(Ok(GameReview::new(&Searcher::new(engine, &table), game, limits, || bar.inc(1))))
        }
    };
    let new_worker = |_| TranspositionTable::new(TranspositionTable::DEFAULT_SIZE).map(worker);
    let workers = (0..cores().min(games.len())).map(new_worker).collect::<Result<_, _>>()?;
    let mut reviews = Vec::with_capacity(games.len());
    in_order(workers, 0, &AtomicBool::new(false), |review| {
        bar.suspend(|| show(&review));
        reviews.push(review);
        Ok(true)
    })?;
    bar.finish_and_clear();
    Ok(reviews)
}

/// All games of some files, and what cannot be read of them, file by file.
fn read_files(paths: &[PathBuf]) -> Result<(Vec<PlayedGame>, Vec<String>)> {
    let mut games = Vec::new();
    let mut faults = Vec::new();
    for path in paths {
        let mut read = read_games(path)?;
        if paths.len() > 1 {
            let file = path.display().to_string();
            read.iter_mut().for_each(|game| game.file = Some(file.clone()));
        }
        let broken: Vec<_> = read.iter().filter_map(PlayedGame::numbered_fault).collect();
        if !broken.is_empty() {
            let (count, all, list) = (broken.len(), read.len(), broken.join("\n"));
            faults.push(format!("{}: {count} of {all} games broken:\n{list}", path.display()));
        }
        games.extend(read);
    }
    Ok((games, faults))
}

/// All games of a file.
fn read_games(path: &Path) -> Result<Vec<PlayedGame>> {
    let games: Vec<PlayedGame> = Games::new(&read_text_file(path)?).collect();
    let path = path.display();
    anyhow::ensure!(!games.is_empty(), "{path}: there is no game in it; give a file in PGN");
    if games.iter().all(|game| game.moves.is_empty()) {
        let faults: Vec<_> = games.iter().filter_map(PlayedGame::numbered_fault).collect();
        let faults =
            if faults.is_empty() { String::new() } else { format!(":\n{}", faults.join("\n")) };
        anyhow::bail!("{path}: there is no legal move in it; give a file in PGN{faults}");
    }
    Ok(games)
}
