//! A demonstration game: both sides play by the exact tables.

use super::scene::Scene;
use crate::exercise::{Exercise, longest_win};
use shakmaty::{Color, Move, Position};
use thiserror::Error;
use tropism::endgame::{Endgames, Material};
use tropism::text::counted;

/// Why there is no game to show.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DemoError {
    /// No position of the ending is won.
    #[error("{0}: no position is won, so there is nothing to show; try KBNK or KRK")]
    NothingWon(Material),
}

/// A game from a position of an ending in which mate takes longest. White mates in the fewest moves, and Black
/// holds out as long as possible.
pub struct Demo {
    pub(super) material: Material,
    pub(super) seed: u64,
    pub(super) exercise: Exercise,
    /// One for each position so far.
    pub(super) scenes: Vec<Scene>,
}

impl Demo {
    /// Builds the tables and chooses a random one of the positions in which mate takes longest. The
    /// same `seed` gives the same game.
    ///
    /// # Errors
    ///
    /// If no position of the ending is won.
    pub fn new(material: Material, seed: u64) -> Result<Demo, DemoError> {
        let endgames = Endgames::of_ending(material);
        let start =
            longest_win(&endgames, material, seed).ok_or(DemoError::NothingWon(material))?;
        let exercise = Exercise::new(endgames, start, Color::White);
        let mut demo = Demo { material, seed, exercise, scenes: Vec::new() };
        demo.show(String::new(), Vec::new());
        Ok(demo)
    }

    /// Plays one move. Returns whether the game was still going on.
    pub(super) fn step(&mut self) -> bool {
        let black_answers = self.exercise.position().turn().is_black();
        let Some(m) = self.exercise.reply() else { return false };
        let played = self.exercise.play(m);
        // White's move and the reply form one line.
        let (words, moves) = match (played.rsplit_once('.'), self.scenes.last()) {
            (Some((_, reply)), Some(before)) if black_answers => {
                (format!("{} {reply}", before.words), [&before.played[..], &[m]].concat())
            }
            _ => (played, vec![m]),
        };
        self.show(words, moves);
        true
    }

    fn show(&mut self, words: String, played: Vec<Move>) {
        let scene = Scene::new(self.material, words, played, &self.exercise, self.seed);
        self.scenes.push(scene);
    }

    /// How the game ended, in one sentence.
    pub(super) fn result(&self) -> String {
        let (used, least) = (self.exercise.used(), self.exercise.minimum());
        match self.exercise.is_finished() {
            true => {
                let moves = counted(used as u64, "move");
                format!("Mate in {moves}, {} above the minimum of {least}.", used - least)
            }
            false => format!("{used} moves so far; the minimum is {least}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_starts_from_a_longest_win_and_ends_with_the_shortest_mate() {
        for (ending, least) in [("KQK", 10), ("KRK", 16), ("KPK", 28)] {
            let mut demo = Demo::new(ending.parse().unwrap(), 3).unwrap();
            assert_eq!(demo.result(), format!("0 moves so far; the minimum is {least}."));
            while demo.step() {}
            let expected = format!("Mate in {least} moves, 0 above the minimum of {least}.");
            assert_eq!(demo.result(), expected);
        }
    }

    #[test]
    fn a_seed_determines_the_start_position() {
        let start = |seed| {
            let demo = Demo::new("KRK".parse().unwrap(), seed).unwrap();
            demo.exercise.position().clone()
        };
        assert_eq!(start(4), start(4));
        assert!((0..8).any(|seed| start(seed) != start(4)));
    }

    #[test]
    fn an_ending_without_a_win_is_refused() {
        assert_eq!(
            Demo::new("KBK".parse().unwrap(), 1).err().map(|error| error.to_string()).as_deref(),
            Some("KBK: no position is won, so there is nothing to show; try KBNK or KRK")
        );
    }
}
