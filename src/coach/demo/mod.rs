//! `tropism demo`: the engine mates with bishop and knight against the perfect defender.
//!
//! `scene` is what there is to see after a move, `stage` shows scenes in a terminal or line by line,
//! and `strip` draws the game as a film strip.

mod scene;
mod stage;
mod strip;

use super::practise::exercise::{Ending, Exercise};
use super::practise::start::longest;
use crate::endgame::{Endgames, Material};
use crate::endings::build_tables;
use crate::eval::Engine;
use crate::search::{Game, Limits, Search, TranspositionTable, search};
use scene::Scene;
use shakmaty::{Color, Move, Position};
pub use stage::Show;
use std::collections::TryReserveError;
use thiserror::Error;

/// Nodes the engine searches a move: enough to mate, and too few to be waited for.
const NODES: u64 = 100_000;

/// The size of its table in MiB.
const TABLE_SIZE: usize = 8;

/// Why there is nothing to show.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DemoError {
    /// Nobody can mate.
    #[error("{0}: no position is won, so there is nothing to show; try KBNK or KRK")]
    NothingWon(Material),
    /// The table's memory cannot be had.
    #[error("no memory for the transposition table: {0}")]
    Memory(#[from] TryReserveError),
}

/// A game from a longest position of an ending: the engine is White, the exact tables defend.
pub struct Demo<'a> {
    engine: &'a Engine,
    material: Material,
    seed: u64,
    exercise: Exercise,
    game: Game,
    table: TranspositionTable,
    scenes: Vec<Scene>,
}

impl<'a> Demo<'a> {
    /// Makes the tables and draws by lot one of the positions in which mate takes longest. The same
    /// `seed` gives the same position, and the same engine the same game.
    ///
    /// # Errors
    ///
    /// If no position of the ending is won, or there is no memory.
    pub fn new(engine: &'a Engine, material: Material, seed: u64) -> Result<Demo<'a>, DemoError> {
        let mut endgames = Endgames::default();
        build_tables(&mut endgames, material);
        let start = endgames.table(&material).and_then(|table| longest(table, seed));
        let start = start.ok_or(DemoError::NothingWon(material))?;
        let game = Game::new(start.clone());
        let exercise = Exercise::new(endgames, start, Color::White);
        let table = TranspositionTable::new(TABLE_SIZE)?;
        let scenes = Vec::new();
        let mut demo = Demo { engine, material, seed, exercise, game, table, scenes };
        demo.scenes.push(demo.scene(String::new(), Vec::new()));
        Ok(demo)
    }

    /// Plays one move; whether there was one to play.
    fn step(&mut self) -> bool {
        // A win that is gone is played on for one reply, which shows why.
        let black_answers = self.exercise.position().turn().is_black();
        let goes_on = match self.exercise.ending() {
            None => true,
            Some(Ending::NotWon) => black_answers,
            Some(_) => false,
        };
        let m = match (goes_on, black_answers) {
            (false, _) => None,
            (true, true) => self.exercise.reply(),
            (true, false) => self.engines_move(),
        };
        let Some(m) = m else { return false };
        let played = self.exercise.play(m);
        // The reply stands beside the move it answers.
        let (words, moves) = match (played.split_once(' '), self.scenes.last()) {
            (Some((_, reply)), Some(before)) if black_answers => {
                (format!("{} {reply}", before.words), [&before.played[..], &[m]].concat())
            }
            _ => (played, vec![m]),
        };
        self.game.play(m);
        self.scenes.push(self.scene(words, moves));
        true
    }

    fn engines_move(&self) -> Option<Move> {
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let request = Search::new(&self.game, self.engine, &self.table, &limits);
        search(&request, |_| ()).best
    }

    fn scene(&self, words: String, played: Vec<Move>) -> Scene {
        let trace = self.engine.trace(self.exercise.position());
        Scene::new(self.material, words, played, &self.exercise, &trace, self.seed)
    }

    /// How the game ended, in moves used and moves needed.
    fn result(&self) -> String {
        let (used, least) = (self.exercise.used(), self.exercise.minimum());
        match self.exercise.ending() {
            Some(Ending::Mate) if used == least => {
                format!("Mate in {used} moves, the least against the best defence.")
            }
            Some(Ending::Mate) => format!(
                "Mate in {used} moves; the least against the best defence is {least}, {} fewer.",
                used - least
            ),
            Some(Ending::NotWon) => {
                format!("The win is gone after {used} moves; mate was possible in {least}.")
            }
            ending => {
                let why = match ending {
                    Some(Ending::Stalemate) => "stalemate",
                    Some(Ending::Repetition) => "the third repetition",
                    Some(Ending::FiftyMoves) => "the fifty-move rule",
                    _ => "too few men",
                };
                format!("A draw by {why} after {used} moves; mate was possible in {least}.")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    fn played(ending: &str, seed: u64) -> (usize, usize, String) {
        let engine = crate::default_engine().unwrap();
        let mut demo = Demo::new(&engine, Material::from_str(ending).unwrap(), seed).unwrap();
        while demo.step() {}
        (demo.exercise.minimum(), demo.exercise.used(), demo.result())
    }

    #[test]
    fn a_game_starts_from_a_longest_position_and_ends_with_mate() {
        for (ending, least) in [("KQK", 10), ("KRK", 16)] {
            let (minimum, used, result) = played(ending, 3);
            assert_eq!(minimum, least);
            assert!(result.starts_with(&format!("Mate in {used} moves")), "{result}");
        }
    }

    #[test]
    fn a_seed_is_a_game() {
        let engine = crate::default_engine().unwrap();
        let start = |seed| {
            let demo = Demo::new(&engine, "KRK".parse().unwrap(), seed).unwrap();
            demo.exercise.position().clone()
        };
        assert_eq!(start(4), start(4));
        assert!((0..8).any(|seed| start(seed) != start(4)));
    }

    #[test]
    fn nothing_won_is_nothing_to_show() {
        let engine = crate::default_engine().unwrap();
        let bishop = Material::from_str("KBK").unwrap();
        assert_eq!(
            Demo::new(&engine, bishop, 1).err().map(|error| error.to_string()).as_deref(),
            Some("KBK: no position is won, so there is nothing to show; try KBNK or KRK")
        );
    }
}
