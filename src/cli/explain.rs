//! What the engine thinks, and why.

use super::{Context, game, write_page};
use crate::{coach, eval::Engine};
use anyhow::Result;
use clap::Args;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Show the evaluation of a position term by term.
#[derive(Args)]
pub(super) struct Eval {
    /// The position, in four to six fields, quoted or not.
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
}

impl Eval {
    pub(super) fn run(self, context: &Context) -> Result<()> {
        let game = game(&self.fen)?;
        writeln!(io::stdout(), "{}", context.engine.trace(game.position().chess()))?;
        Ok(())
    }
}

/// Say why a position, or each move of a game, is worth what the engine thinks it is.
#[derive(Args)]
pub(super) struct Explain {
    /// The position, in four to six fields, quoted or not.
    #[arg(required_unless_present = "game", conflicts_with = "game", value_name = "FEN")]
    fen: Vec<String>,
    /// Explain the games of this PGN file instead.
    #[arg(long, value_name = "FILE")]
    game: Option<PathBuf>,
    /// Write one page with boards and pictures to this file as well.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write JSON, for programs.
    #[arg(long)]
    json: bool,
    /// Add the best line of a search so many plies deep.
    #[arg(long, value_name = "PLIES", conflicts_with = "game",
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
}

impl Explain {
    pub(super) fn run(self, context: &Context) -> Result<()> {
        match &self.game {
            Some(games) => self.games(&context.engine, games),
            None => self.position(&context.engine),
        }
    }

    fn position(&self, engine: &Engine) -> Result<()> {
        let game = game(&self.fen)?;
        let mut explained = coach::Explanation::new(engine, &game);
        if let Some(depth) = self.depth {
            explained = explained.with_line(coach::BestLine::new(engine, &game, depth)?);
        }
        if let Some(path) = &self.html {
            write_page(path, &explained.page()?)?;
        }
        let mut out = anstream::AutoStream::auto(io::stdout().lock());
        if self.json {
            writeln!(out, "{:#}", explained.json())?;
        } else {
            writeln!(out, "{}", explained.coloured())?;
        }
        Ok(())
    }

    /// Reviews all games of a file. A broken game does not stop the review of the others.
    fn games(&self, engine: &Engine, path: &Path) -> Result<()> {
        let mut out = anstream::AutoStream::auto(io::stdout().lock());
        let mut games = coach::GameReader::open(path)?;
        let bar = games.bar().clone();
        let mut reviews = Vec::new();
        let (mut count, mut faults) = (0, Vec::new());
        for game in &mut games {
            let game = coach::GameReview::new(engine, game?);
            count += 1;
            faults.extend(game.fault());
            if !self.json {
                bar.suspend(|| writeln!(out, "{}", game.coloured()))?;
            }
            if self.json || self.html.is_some() {
                reviews.push(game);
            }
        }
        bar.finish_and_clear();
        if self.json {
            let games: Vec<_> = reviews.iter().map(coach::GameReview::json).collect();
            writeln!(out, "{:#}", serde_json::Value::from(games))?;
        }
        if let Some(path) = &self.html {
            write_page(path, &coach::GameReview::page(engine.name(), &reviews)?)?;
        }
        let path = path.display();
        anyhow::ensure!(count > 0, "{path}: there is no game in it; give a file in PGN");
        let broken = faults.len();
        let list = faults.join("\n");
        anyhow::ensure!(faults.is_empty(), "{path}: {broken} of {count} games broken:\n{list}");
        Ok(())
    }
}
