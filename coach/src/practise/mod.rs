//! `tropism practise`: play an ending in the terminal against perfect play.
//!
//! `words` reads moves as players write them. `reasons` says what is good about a move, `lone_pawn` the same of king and
//! pawn against king, `rules` says what holds a draw, and `hint` chooses what explains the best move.

mod hint;
mod lone_pawn;
mod reasons;
mod rules;
#[cfg(test)]
mod tests;
mod words;

use super::exercise::{Exercise, ExerciseResult, hard_draw, holding, san, winner, won_position};
use crate::solve::{SolveError, ending_of};
pub use hint::Hint;
use hint::reasons;
pub(super) use reasons::flight;
use shakmaty::{Board, Chess, Color, Move, Position, Role};
use std::io::{self, BufRead, Write};
use thiserror::Error;
use tropism::endgame::{Dtm, Endgames, Material, set_up};
use tropism::eval::Engine;
use tropism::search::{Game, GameOutcome};
use tropism::text::{joined_by, side_name};
use words::moves;
pub(super) use words::{complaint, draw, king_of, next_line, read};

/// Which side the user plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side that has to mate.
    Strong,
    /// The side that has to hold a draw, or to hold out.
    Weak,
}

/// How to write to the user.
#[derive(Clone, Copy, Debug, Default)]
pub struct PracticeOptions {
    /// Whether the board has colours.
    pub coloured: bool,
    /// Whether the board is seen from Black's side.
    pub flipped: bool,
    /// Whether to print a prompt when it is the user's turn.
    pub prompt: bool,
}

/// Why there is nothing to practise.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PracticeError {
    /// No position of the ending is won, or for the weaker side each is lost at once.
    #[error("{0}: there is no position to practise; try KRK or KBNK")]
    NothingWon(Material),
    /// The position has no exact table.
    #[error("there is no exact table of this position: {0}; `tropism go FEN` searches it")]
    NoTable(SolveError),
    /// The game is over.
    #[error("there is nothing to practise in this position: {0}")]
    Over(GameOutcome),
}

/// One game of practice.
pub struct Practice<'a> {
    engine: &'a Engine,
    material: Material,
    /// Where the start position comes from, for the first line.
    origin: String,
    exercise: Exercise,
    taken_back: usize,
    /// The positions with hints, and the hints in this one.
    hints: usize,
    step: usize,
}

/// How many moves that would have held a draw are named.
const NAMED: usize = 4;

const HELP: &str = "Write a move as Nf3 or g1f3, a promotion as e8=Q or e7e8q. Signs such as x and + and capitals are optional.
hint   what the best move is for; then the piece that moves; then the move, and what another one would allow
undo   take your last move back
board  draw the board again
help   this list
quit   leave";

impl<'a> Practice<'a> {
    /// Builds the tables and chooses a random position, the same one for the same `seed`. White has the
    /// stronger side. The strong side gets a won position; the weak side a drawn one that is hard to hold, or a
    /// lost one if the ending has hardly any such draws.
    ///
    /// # Errors
    ///
    /// If no position of the ending is won.
    pub fn new(
        engine: &'a Engine,
        material: Material,
        side: Side,
        seed: u64,
    ) -> Result<Practice<'a>, PracticeError> {
        let endgames = Endgames::of_ending(material);
        let won = |least| won_position(&endgames, material, seed, least);
        let (start, user) = match side {
            Side::Strong => (won(1), Color::White),
            // The defender must have a move.
            Side::Weak => (hard_draw(&endgames, material, seed).or_else(|| won(2)), Color::Black),
        };
        let start = start.ok_or(PracticeError::NothingWon(material))?;
        Ok(Practice::with(engine, material, endgames, start, user, format!("Seed {seed}")))
    }

    /// Starts from a position. If a side wins it, that is the strong side. If it is a draw, the user holds it: with
    /// the side to move if that is the weaker side or can make a mistake, and otherwise, or for
    /// [`Side::Weak`], with the weaker side.
    ///
    /// # Errors
    ///
    /// If the position has no exact table, or if the game is over.
    pub fn from_position(
        engine: &'a Engine,
        position: &Chess,
        side: Side,
    ) -> Result<Practice<'a>, PracticeError> {
        let material = ending_of(position).map_err(PracticeError::NoTable)?;
        if let Some(outcome) = Game::new(position.clone()).outcome() {
            return Err(PracticeError::Over(outcome));
        }
        let endgames = Endgames::of_ending(material);
        let turn = position.turn();
        let winner = endgames.probe(position).and_then(|value| winner(value, turn));
        let user = match (winner, side) {
            (Some(winner), Side::Strong) => winner,
            (Some(winner), Side::Weak) => !winner,
            (None, _) => {
                let moves = endgames.moves(position).unwrap_or_default();
                let can_lose = side == Side::Strong && holding(&moves).count() < moves.len();
                let [own, other] = [turn, !turn].map(|side| strength(position.board(), side));
                if own <= other || can_lose { turn } else { !turn }
            }
        };
        // The tables do not count moves without a capture or pawn move, and a lesson begins with this position.
        let (start, origin) = match set_up(position.board().clone(), turn) {
            Some(start) if position.halfmoves() > 0 => {
                (start, "Your position, with 50 moves left for a capture or pawn move")
            }
            _ => (position.clone(), "Your position"),
        };
        Ok(Practice::with(engine, material, endgames, start, user, origin.to_owned()))
    }

    fn with(
        engine: &'a Engine,
        material: Material,
        endgames: Endgames,
        start: Chess,
        user: Color,
        origin: String,
    ) -> Practice<'a> {
        let exercise = Exercise::new(endgames, start, user);
        Practice { engine, material, origin, exercise, taken_back: 0, hints: 0, step: 0 }
    }

    /// Plays until mate or the end of a draw, `quit` or the end of input.
    ///
    /// # Errors
    ///
    /// If input or output fail.
    pub fn run(
        mut self,
        mut input: impl BufRead,
        out: &mut impl Write,
        options: PracticeOptions,
    ) -> io::Result<()> {
        let task = match self.exercise.user == self.exercise.attacker {
            true => "mate".to_owned(),
            false if self.exercise.is_drawn => {
                format!("hold the draw for {} moves", Exercise::HELD)
            }
            false => "hold out".to_owned(),
        };
        let user = side_name(self.exercise.user);
        writeln!(out, "You are {user}: {task}. {}; `help` lists the commands.", self.origin)?;
        self.answer(out)?;
        self.draw(out, options)?;
        while !self.exercise.is_finished() {
            let Some(word) = next_line(&mut input, out, options)? else {
                if options.prompt {
                    writeln!(out)?;
                }
                return self.leave(out);
            };
            match word.to_lowercase().as_str() {
                "" => {}
                "hint" => self.hint(out)?,
                "undo" if self.exercise.take_back() => {
                    self.taken_back += 1;
                    self.step = 0;
                    self.draw(out, options)?;
                }
                "undo" => writeln!(out, "You have not moved yet.")?,
                "board" => self.draw(out, options)?,
                "help" => writeln!(out, "{HELP}")?,
                "quit" | "exit" | "resign" => return self.leave(out),
                _ if self.exercise.result().is_some() => self.say_over(out)?,
                _ => match read(&word, self.exercise.position()) {
                    Ok(m) => self.play(m, out, options)?,
                    Err(misread) => {
                        writeln!(out, "{}", complaint(self.exercise.position(), &word, misread))?
                    }
                },
            }
        }
        self.print_result(out)
    }

    /// Plays the user's move, says what it costs, and replies.
    fn play(&mut self, m: Move, out: &mut impl Write, options: PracticeOptions) -> io::Result<()> {
        let values = self.exercise.moves();
        let (Some(&(best, best_value)), Some(cost)) = (values.first(), self.exercise.cost(m))
        else {
            return Ok(());
        };
        let name = |m| san(self.exercise.position(), m);
        let held: Vec<String> = holding(&values).map(name).collect();
        let best_move = match held.len() {
            _ if !self.exercise.is_drawn => format!("Best was {} ({best_value})", name(best)),
            0..=NAMED => format!("{} would have held", joined_by("or", &held)),
            count => format!("{count} moves would have held, such as {}", held[0]),
        };
        // A good move needs no word.
        let is_best = values.contains(&(m, best_value));
        let cost = if is_best { String::new() } else { format!(": {cost}.") };
        writeln!(out, "{}{cost}", self.exercise.play(m))?;
        self.step = 0;
        self.answer(out)?;
        self.draw(out, options)?;
        let Some(result) = self.exercise.result().filter(|_| !self.exercise.is_finished()) else {
            return Ok(());
        };
        let turn = self.exercise.position().turn();
        let attacker = side_name(self.exercise.attacker);
        let why = match (result, self.exercise.value()) {
            (ExerciseResult::Lost, _) => format!("{attacker} wins now."),
            (ExerciseResult::NotWon, Dtm::Draw) => "With best play it is now a draw.".to_owned(),
            (ExerciseResult::NotWon, value) => {
                format!("{attacker} no longer wins. With best play, {turn} to move: {value}.")
            }
            (result, _) => result.to_string(),
        };
        writeln!(out, "{why} {best_move}.")?;
        self.say_over(out)
    }

    /// Plays the program's move, if it is its turn. It also answers the move that gives the win or the draw
    /// away: the answer shows why.
    fn answer(&mut self, out: &mut impl Write) -> io::Result<()> {
        let result = self.exercise.result();
        let is_lost = result == Some(ExerciseResult::Lost);
        let continues = matches!(result, None | Some(ExerciseResult::NotWon)) || is_lost;
        if continues
            && !self.exercise.is_users_turn()
            && let Some(reply) = self.exercise.reply()
        {
            let reasons = reasons(self.exercise.position(), reply);
            let played = self.exercise.play(reply);
            match reasons.first().filter(|_| is_lost) {
                Some(reason) => writeln!(out, "{played}: {reason}.")?,
                None => writeln!(out, "{played}")?,
            }
        }
        Ok(())
    }

    fn say_over(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "The game is over: `undo` takes your last move back, `quit` leaves.")
    }

    /// Prints what the best move is for, and in the end the move.
    fn hint(&mut self, out: &mut impl Write) -> io::Result<()> {
        if self.exercise.result().is_some() {
            return self.say_over(out);
        }
        self.step += 1;
        self.hints += usize::from(self.step == 1);
        writeln!(out, "{}", Hint::new(self.engine, &self.exercise).step(self.step))
    }

    fn draw(&self, out: &mut impl Write, options: PracticeOptions) -> io::Result<()> {
        let title = format!("{} after {}", self.material, moves(self.exercise.used() as u64));
        let about =
            format!("{} to move, {}", self.exercise.position().turn(), self.exercise.value());
        let mut picture = self.exercise.picture(title, about);
        if options.flipped {
            picture.flip();
        }
        draw(&picture, out, options)
    }

    /// Prints how long the mate took, and how long it takes with perfect play; or how the draw was held.
    fn print_result(&self, out: &mut impl Write) -> io::Result<()> {
        let (used, least) = (self.exercise.used(), self.exercise.minimum());
        let (used_moves, off) = (moves(used as u64), used.abs_diff(least));
        match (self.exercise.result(), self.exercise.user == self.exercise.attacker) {
            (Some(ExerciseResult::Mate), true) => match off {
                0 => write!(out, "Mate in {used_moves}, as fast as possible")?,
                _ => write!(out, "Mate in {used_moves}, {off} more than necessary")?,
            },
            (Some(ExerciseResult::Mate), false) => match off {
                0 => write!(out, "Mated in {used_moves}, the longest defence")?,
                _ => write!(out, "Mated in {used_moves}, {off} sooner than necessary")?,
            },
            (result, _) => {
                let how = match result {
                    Some(ExerciseResult::Stalemate) => ": stalemate",
                    Some(ExerciseResult::InsufficientMaterial) => ": nothing is left to mate with",
                    Some(ExerciseResult::Repetition) => ": threefold repetition",
                    Some(ExerciseResult::FiftyMoves) => ": the fifty-move rule",
                    _ => "",
                };
                write!(out, "You held the draw for {used_moves}{how}")?;
            }
        }
        self.print_help_used(out)
    }

    fn leave(&self, out: &mut impl Write) -> io::Result<()> {
        let (position, value) = (self.exercise.position(), self.exercise.value());
        write!(out, "Left after {}", moves(self.exercise.used() as u64))?;
        write!(out, ", {} to move: {value}", position.turn())?;
        self.print_help_used(out)
    }

    /// Prints how many hints and moves back the user took, and ends the line.
    fn print_help_used(&self, out: &mut impl Write) -> io::Result<()> {
        if self.taken_back + self.hints > 0 {
            write!(out, " (hints: {}, taken back: {})", self.hints, self.taken_back)?;
        }
        writeln!(out, ".")
    }
}

/// The pieces of a side other than the king, the strongest first: more is stronger.
fn strength(board: &Board, side: Color) -> [usize; 5] {
    let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    roles.map(|role| board.by_piece(role.of(side)).count())
}
