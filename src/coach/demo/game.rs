//! A demonstration game: the engine against the exact tables.

use super::scene::Scene;
use crate::coach::exercise::{Exercise, ExerciseResult, longest_win};
use crate::endgame::{Endgames, Material};
use crate::endings::build_tables;
use crate::eval::Engine;
use crate::search::{Game, Limits, Search, TranspositionTable, search};
use shakmaty::{Color, Move, Position};
use std::collections::TryReserveError;
use thiserror::Error;

/// Nodes that the engine searches for each move: enough to mate, and fast.
const NODES: u64 = 100_000;

/// The size of its transposition table in MiB.
const TABLE_SIZE: usize = 8;

/// Why there is no game to show.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DemoError {
    /// No position of the ending is won.
    #[error("{0}: no position is won, so there is nothing to show; try KBNK or KRK")]
    NothingWon(Material),
    /// There is no memory for the transposition table.
    #[error("no memory for the transposition table: {0}")]
    Memory(#[from] TryReserveError),
}

/// A game from a position of an ending in which mate takes longest. The engine plays White, and the
/// exact tables defend.
pub struct Demo<'a> {
    pub(super) engine: &'a Engine,
    pub(super) material: Material,
    pub(super) seed: u64,
    pub(super) exercise: Exercise,
    game: Game,
    table: TranspositionTable,
    /// One for each position so far.
    pub(super) scenes: Vec<Scene>,
}

impl<'a> Demo<'a> {
    /// Builds the tables and chooses a random one of the positions in which mate takes longest. The
    /// same `seed` gives the same position, and with the same engine the same game.
    ///
    /// # Errors
    ///
    /// If no position of the ending is won, or there is no memory.
    pub fn new(engine: &'a Engine, material: Material, seed: u64) -> Result<Demo<'a>, DemoError> {
        let mut endgames = Endgames::default();
        build_tables(&mut endgames, material);
        let start = endgames.table(&material).and_then(|table| longest_win(table, seed));
        let start = start.ok_or(DemoError::NothingWon(material))?;
        let game = Game::new(start.clone());
        let exercise = Exercise::new(endgames, start, Color::White);
        let table = TranspositionTable::new(TABLE_SIZE)?;
        let scenes = Vec::new();
        let mut demo = Demo { engine, material, seed, exercise, game, table, scenes };
        demo.scenes.push(demo.scene(String::new(), Vec::new()));
        Ok(demo)
    }

    /// Plays one move. Returns whether the game was still going on.
    pub(super) fn step(&mut self) -> bool {
        // If White's move gives the win away, Black still replies: the reply shows why.
        let black_answers = self.exercise.position().turn().is_black();
        let continues = match self.exercise.result() {
            None => true,
            Some(ExerciseResult::NotWon) => black_answers,
            Some(_) => false,
        };
        let m = match (continues, black_answers) {
            (false, _) => None,
            (true, true) => self.exercise.reply(),
            (true, false) => self.engines_move(),
        };
        let Some(m) = m else { return false };
        let played = self.exercise.play(m);
        // White's move and the reply form one line.
        let (words, moves) = match (played.rsplit_once('.'), self.scenes.last()) {
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

    /// How the game ended, in one sentence.
    pub(super) fn result(&self) -> String {
        let (used, least) = (self.exercise.used(), self.exercise.minimum());
        let draw = match self.exercise.result() {
            Some(ExerciseResult::Mate) => {
                let more = used - least;
                return format!("Mate in {used} moves, {more} above the minimum of {least}.");
            }
            Some(ExerciseResult::NotWon) => {
                return format!("The win is gone after {used} moves; the minimum is {least}.");
            }
            Some(ExerciseResult::Stalemate) => "stalemate",
            Some(ExerciseResult::Repetition) => "threefold repetition",
            Some(ExerciseResult::FiftyMoves) => "the fifty-move rule",
            Some(ExerciseResult::InsufficientMaterial) => "insufficient material",
            None => return format!("{used} moves so far; the minimum is {least}."),
        };
        format!("A draw by {draw} after {used} moves; mate was possible in {least}.")
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
    fn a_game_starts_from_a_longest_win_and_ends_with_mate() {
        for (ending, least) in [("KQK", 10), ("KRK", 16)] {
            let (minimum, used, result) = played(ending, 3);
            assert_eq!(minimum, least);
            assert!(result.starts_with(&format!("Mate in {used} moves")), "{result}");
        }
    }

    #[test]
    fn a_seed_determines_the_start_position() {
        let engine = crate::default_engine().unwrap();
        let start = |seed| {
            let demo = Demo::new(&engine, "KRK".parse().unwrap(), seed).unwrap();
            demo.exercise.position().clone()
        };
        assert_eq!(start(4), start(4));
        assert!((0..8).any(|seed| start(seed) != start(4)));
    }

    #[test]
    fn an_ending_without_a_win_is_refused() {
        let engine = crate::default_engine().unwrap();
        let bishop = Material::from_str("KBK").unwrap();
        assert_eq!(
            Demo::new(&engine, bishop, 1).err().map(|error| error.to_string()).as_deref(),
            Some("KBK: no position is won, so there is nothing to show; try KBNK or KRK")
        );
    }
}
