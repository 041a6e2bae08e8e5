//! `tropism explain`.

use super::Context;
use super::shared::{check_outputs, parse_game, write_page};
use crate::{
    coach::{BestLine, Explanation, GameReader, GameReview},
    eval::Engine,
};
use anyhow::Result;
use clap::Args;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Explain in words why the engine prefers a side, in a position or after each move of a game.
#[derive(Args)]
pub(super) struct Explain {
    /// The position: startpos or a FEN with four to six fields, quoted or not.
    #[arg(required_unless_present = "game", conflicts_with = "game", value_name = "FEN")]
    fen: Vec<String>,
    /// Explain the games of this PGN file instead.
    #[arg(long, value_name = "FILE")]
    game: Option<PathBuf>,
    /// Also write an HTML page with boards and pictures to this file.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write JSON instead of text.
    #[arg(long)]
    json: bool,
    /// Add the best line of a search to this depth, in plies.
    #[arg(long, value_name = "PLIES", conflicts_with = "game",
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
}

impl Explain {
    pub(super) fn run(self, context: Context) -> Result<()> {
        check_outputs([self.html.as_deref()])?;
        match &self.game {
            Some(games) => self.explain_games(&context.engine, games),
            None => self.explain_position(&context.engine),
        }
    }

    fn explain_position(&self, engine: &Engine) -> Result<()> {
        let game = parse_game(&self.fen)?;
        let mut explanation = Explanation::new(engine, &game);
        if let Some(depth) = self.depth {
            explanation = explanation.with_line(BestLine::new(engine, &game, depth)?);
        }
        if let Some(path) = &self.html {
            write_page(path, &explanation.page()?)?;
        }
        let mut out = anstream::AutoStream::auto(io::stdout().lock());
        if self.json {
            writeln!(out, "{:#}", explanation.json())?;
        } else {
            writeln!(out, "{}", explanation.coloured())?;
        }
        Ok(())
    }

    /// Reviews all games of a file. A broken game does not stop the review of the others.
    fn explain_games(&self, engine: &Engine, path: &Path) -> Result<()> {
        let mut out = anstream::AutoStream::auto(io::stdout().lock());
        let mut games = GameReader::open(path)?;
        let bar = games.bar().clone();
        let mut reviews = Vec::new();
        let (mut count, mut faults) = (0, Vec::new());
        for game in &mut games {
            let game = GameReview::new(engine, game?);
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
            let games: Vec<_> = reviews.iter().map(GameReview::json).collect();
            writeln!(out, "{:#}", serde_json::Value::from(games))?;
        }
        if let Some(path) = &self.html {
            write_page(path, &GameReview::page(engine.name(), &reviews)?)?;
        }
        let path = path.display();
        anyhow::ensure!(count > 0, "{path}: there is no game in it; give a file in PGN");
        let broken = faults.len();
        let list = faults.join("\n");
        anyhow::ensure!(faults.is_empty(), "{path}: {broken} of {count} games broken:\n{list}");
        Ok(())
    }
}
