//! An ending against perfect play, for a program that shows it.

use super::hint::Hint;
use crate::exercise::{Exercise, ExerciseResult, HELD, hard_draw, won_position};
use shakmaty::{Chess, Color, Move};
use tropism::endgame::{Dtm, Endgames, Material};
use tropism::eval::Engine;

/// A game of practice: White has to mate, and the other side defends perfectly, or Black has to hold a draw.
///
/// ```
/// use tropism::{coach::Lesson, endgame::{Dtm, Endgames}, search::Game};
/// let mut endgames = Endgames::default();
/// endgames.build("KRK".parse()?);
/// let start = Game::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1", None)?;
/// let lesson = Lesson::new(endgames, start.position().chess().clone(), &[]);
/// assert_eq!((lesson.value(), lesson.minimum()), (Dtm::Win(3), 2));
/// assert!(lesson.hint(&tropism::default_engine()?).contains("mate in 2."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Lesson(Exercise);

impl Lesson {
    /// Whoever holds a draw for so many moves has shown how.
    pub const HELD: usize = HELD;

    /// A random won position, the same one for the same `seed`; `None` if no position is won or the
    /// table is missing.
    pub fn start(endgames: &Endgames, material: Material, seed: u64) -> Option<Chess> {
        won_position(endgames.table(&material)?, seed, 1)
    }

    /// The game after some legal moves of both sides. `endgames` must have the table of the start
    /// position; without it every position counts as drawn.
    pub fn new(endgames: Endgames, start: Chess, moves: &[Move]) -> Lesson {
        let mut exercise = Exercise::new(endgames, start, Color::White);
        for &m in moves {
            exercise.play(m);
        }
        Lesson(exercise)
    }

    /// A random drawn position, Black to move, that is hard to hold; `None` if the ending has hardly any or the table is
    /// missing.
    pub fn hard_draw(endgames: &Endgames, material: Material, seed: u64) -> Option<Chess> {
        hard_draw(endgames, material, seed)
    }

    /// The game after some legal moves from a drawn position that Black has to hold for [`Lesson::HELD`] moves.
    pub fn defending(endgames: Endgames, start: Chess, moves: &[Move]) -> Lesson {
        let mut exercise = Exercise::new(endgames, start, Color::Black);
        for &m in moves {
            exercise.play(m);
        }
        Lesson(exercise)
    }

    /// The move that a hint recommends; `None` if there is no legal move.
    pub fn best(&self) -> Option<Move> {
        self.0.moves().first().map(|&(m, _)| m)
    }

    /// The current position.
    pub fn position(&self) -> &Chess {
        self.0.position()
    }

    /// The exact value for the side to move.
    pub fn value(&self) -> Dtm {
        self.0.value()
    }

    /// The number of moves so far of the side that has to mate, or to hold.
    pub fn used(&self) -> usize {
        self.0.used()
    }

    /// The number of White's moves from the start to mate with perfect play of both sides.
    pub fn minimum(&self) -> usize {
        self.0.minimum()
    }

    /// How the game ended; `None` if it goes on.
    pub fn result(&self) -> Option<ExerciseResult> {
        self.0.result()
    }

    /// What a legal move costs, in words without a full stop; `None` if the table is missing.
    pub fn cost(&self, m: Move) -> Option<String> {
        self.0.cost(m)
    }

    /// The other side's best move; `None` if there is no legal move.
    pub fn reply(&self) -> Option<Move> {
        self.0.reply()
    }

    /// The best move, reasons for it, and what a wrong move would cost, in lines. Empty without a legal
    /// move.
    pub fn hint(&self, engine: &Engine) -> String {
        Hint::new(engine, &self.0).to_string()
    }
}
