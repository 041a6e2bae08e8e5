//! `tropism practise`: play an ending in the terminal against perfect play.
//!
//! `words` reads moves as players write them. `changes` says which distances a move changes, in the
//! words of the engine's terms, `lone_pawn` speaks of king and pawn against king in the words of
//! players, and `hint` chooses what explains the best move. `lesson` is the same game for programs.

mod changes;
mod hint;
mod lesson;
mod lone_pawn;
mod reasons;
mod words;

use super::exercise::{Exercise, ExerciseResult, won_position};
use crate::endgame::{Dtm, Endgames, Material};
use crate::endings::{SolveError, ending_of};
use crate::eval::Engine;
use crate::text::counted;
use clap::ValueEnum;
use hint::Hint;
pub use lesson::Lesson;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, san::SanPlus};
use std::io::{self, BufRead, Write};
use thiserror::Error;
use words::{Misread, read};

/// Which side the user plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// White, who has to mate.
    Strong,
    /// Black, who has to hold out.
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
    /// No position of the ending is won.
    #[error("{0}: no position is won, so there is nothing to practise; try KRK or KBNK")]
    NothingWon(Material),
    /// The position has no exact table.
    #[error("there is no exact table of this position: {0}; `tropism go FEN` searches it")]
    NoTable(SolveError),
    /// Neither side wins the position.
    #[error(
        "this position is a draw with best play, and only a won position can be practised; `tropism solve FEN` shows what each move is worth"
    )]
    Drawn,
    /// The side to move loses.
    #[error(
        "{turn} is to move and does not win: {value}; give a position in which the winner is to move"
    )]
    NotWon {
        /// The side to move.
        turn: &'static str,
        /// The value for it.
        value: Dtm,
    },
}

/// One game of practice.
pub struct Practice<'a> {
    engine: &'a Engine,
    material: Material,
    /// Where the start position comes from, for the first line.
    origin: String,
    exercise: Exercise,
    taken_back: usize,
    hints: usize,
}

const HELP: &str = "Write a move as Nf3 or g1f3, a promotion as e8=Q or e7e8q. Signs such as x and + and capitals are optional.
hint   the best move, why it is good, and what another move would allow
all    the best move, and everything that it and the reply change
undo   take your last move back
board  draw the board again
help   this list
quit   leave";

impl<'a> Practice<'a> {
    /// Builds the tables and chooses a random won position, the same one for the same `seed`. White
    /// has the stronger side and is to move.
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
        let mut endgames = Endgames::default();
        endgames.build(material);
        let start = endgames.table(&material).and_then(|table| won_position(table, seed));
        let start = start.ok_or(PracticeError::NothingWon(material))?;
        Ok(Practice::with(engine, material, endgames, start, side, format!("Seed {seed}")))
    }

    /// Starts from a position that the side to move wins. If that is Black, the colours are exchanged.
    ///
    /// # Errors
    ///
    /// If the position has no exact table, or if the side to move does not win.
    pub fn from_position(
        engine: &'a Engine,
        position: &Chess,
        side: Side,
    ) -> Result<Practice<'a>, PracticeError> {
        let material = ending_of(position).map_err(PracticeError::NoTable)?;
        let mut endgames = Endgames::default();
        endgames.build(material);
        let turn = position.turn();
        match endgames.probe(position).unwrap_or(Dtm::Draw) {
            Dtm::Win(_) => {}
            Dtm::Draw => return Err(PracticeError::Drawn),
            value => {
                return Err(PracticeError::NotWon { turn: turn.fold_wb("White", "Black"), value });
            }
        }
        let mirrored = || {
            let setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
            setup.position(CastlingMode::Standard).ok()
        };
        // The mirror of a legal position is legal.
        let (start, origin) = match turn {
            Color::White => (position.clone(), "Your position"),
            Color::Black => (
                mirrored().unwrap_or_else(|| position.clone()),
                "Your position, the colours exchanged",
            ),
        };
        Ok(Practice::with(engine, material, endgames, start, side, origin.to_owned()))
    }

    fn with(
        engine: &'a Engine,
        material: Material,
        endgames: Endgames,
        start: Chess,
        side: Side,
        origin: String,
    ) -> Practice<'a> {
        let user = match side {
            Side::Strong => Color::White,
            Side::Weak => Color::Black,
        };
        let exercise = Exercise::new(endgames, start, user);
        Practice { engine, material, origin, exercise, taken_back: 0, hints: 0 }
    }

    /// Plays until mate, `quit` or the end of input.
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
        let task = self.exercise.user().fold_wb("You are White: mate", "You are Black: hold out");
        writeln!(out, "{task}. {}; `help` lists the commands.", self.origin)?;
        self.answer(out)?;
        self.draw(out, options)?;
        let mut bytes = Vec::new();
        loop {
            if options.prompt {
                write!(out, "> ")?;
            }
            out.flush()?;
            bytes.clear();
            if input.read_until(b'\n', &mut bytes)? == 0 {
                if options.prompt {
                    writeln!(out)?;
                }
                return self.leave(out);
            }
            let line = String::from_utf8_lossy(&bytes);
            let word = line.trim();
            match word.to_lowercase().as_str() {
                "" => {}
                "hint" => self.hint(out, false)?,
                "all" => self.hint(out, true)?,
                "undo" if self.exercise.take_back() => {
                    self.taken_back += 1;
                    self.draw(out, options)?;
                }
                "undo" => writeln!(out, "You have not moved yet.")?,
                "board" => self.draw(out, options)?,
                "help" => writeln!(out, "{HELP}")?,
                "quit" | "exit" => return self.leave(out),
                _ if self.exercise.result().is_some() => self.say_over(out)?,
                _ => match read(word, self.exercise.position()) {
                    Ok(m) => self.play(m, out, options)?,
                    Err(misread) => self.complain(word, misread, out)?,
                },
            }
            if self.exercise.result() == Some(ExerciseResult::Mate) {
                return self.print_result(out);
            }
        }
    }

    /// A move in SAN.
    fn san(&self, m: Move) -> String {
        SanPlus::from_move(self.exercise.position().clone(), m).to_string()
    }

    /// Plays the user's move, says what it costs, and replies.
    fn play(&mut self, m: Move, out: &mut impl Write, options: PracticeOptions) -> io::Result<()> {
        let values = self.exercise.moves();
        let (Some(&(best, best_value)), Some(cost)) = (values.first(), self.exercise.cost(m))
        else {
            return Ok(());
        };
        let best_move = format!("{} ({best_value})", self.san(best));
        writeln!(out, "{}: {cost}.", self.exercise.play(m))?;
        self.answer(out)?;
        self.draw(out, options)?;
        let why = match self.exercise.result() {
            None | Some(ExerciseResult::Mate) => return Ok(()),
            Some(ExerciseResult::Stalemate) => "Stalemate, a draw.".to_owned(),
            Some(ExerciseResult::InsufficientMaterial) => {
                "Insufficient material, a draw.".to_owned()
            }
            Some(ExerciseResult::NotWon) => match self.exercise.value() {
                Dtm::Draw => "With best play it is now a draw.".to_owned(),
                value => {
                    let turn = self.exercise.position().turn();
                    format!("White no longer wins. With best play, {turn} to move: {value}.")
                }
            },
            Some(ExerciseResult::Repetition) => "Threefold repetition, a draw.".to_owned(),
            Some(ExerciseResult::FiftyMoves) => "Fifty-move rule, a draw.".to_owned(),
        };
        writeln!(out, "{why} Best was {best_move}.")?;
        self.say_over(out)
    }

    /// Plays the program's move, if it is its turn. It also answers the move that gives the win
    /// away: the answer shows why.
    fn answer(&mut self, out: &mut impl Write) -> io::Result<()> {
        let continues = matches!(self.exercise.result(), None | Some(ExerciseResult::NotWon));
        if continues
            && !self.exercise.is_users_turn()
            && let Some(reply) = self.exercise.reply()
        {
            writeln!(out, "{}", self.exercise.play(reply))?;
        }
        Ok(())
    }

    fn say_over(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "The game is over: `undo` takes your last move back, `quit` leaves.")
    }

    fn complain(&self, word: &str, misread: Misread, out: &mut impl Write) -> io::Result<()> {
        let word: String =
            word.chars().take(40).map(|c| if c.is_control() { '?' } else { c }).collect();
        let list = |moves: &[Move]| moves.iter().map(|&m| self.san(m)).collect::<Vec<_>>();
        match misread {
            Misread::Ambiguous(moves) => {
                writeln!(out, "{word} is ambiguous: {}?", list(&moves).join(" or "))
            }
            Misread::NoMove => {
                let legal = self.exercise.position().legal_moves();
                let first = word.chars().next().map(|c| c.to_ascii_uppercase());
                let mut same_piece = legal.clone();
                same_piece.retain(|m| first == Some(m.role().upper_char()));
                let shown = if same_piece.is_empty() { legal } else { same_piece };
                writeln!(
                    out,
                    "{word} is neither a legal move nor a command. Possible moves: {}",
                    list(&shown).join(" ")
                )
            }
        }
    }

    /// Prints the best move and why it is good, or else everything that it changes.
    fn hint(&mut self, out: &mut impl Write, all: bool) -> io::Result<()> {
        if self.exercise.result().is_some() {
            return self.say_over(out);
        }
        self.hints += 1;
        let hint = Hint::new(self.engine, &self.exercise);
        if all { write!(out, "{}", hint.all()) } else { write!(out, "{hint}") }
    }

    fn draw(&self, out: &mut impl Write, options: PracticeOptions) -> io::Result<()> {
        let title = format!("{} after {}", self.material, moves(self.exercise.used()));
        let about =
            format!("{} to move, {}", self.exercise.position().turn(), self.exercise.value());
        let mut picture = self.exercise.picture(title, about);
        if options.flipped {
            picture.flip();
        }
        match options.coloured {
            true => writeln!(out, "\n{}\n", picture.coloured()),
            false => writeln!(out, "\n{picture}\n"),
        }
    }

    /// Prints how long the mate took, and how long it takes with perfect play.
    fn print_result(&self, out: &mut impl Write) -> io::Result<()> {
        let (used, least) = (self.exercise.used(), self.exercise.minimum());
        let used_moves = moves(used);
        match self.exercise.user() {
            Color::White => {
                write!(out, "Mate in {used_moves}, {} above the minimum", used.abs_diff(least))?;
            }
            Color::Black => {
                let short = used.abs_diff(least);
                write!(out, "Mated in {used_moves}, {short} short of the longest defence")?;
            }
        }
        write!(out, " of {least}")?;
        self.print_help_used(out)
    }

    fn leave(&self, out: &mut impl Write) -> io::Result<()> {
        let (position, value) = (self.exercise.position(), self.exercise.value());
        write!(out, "Left after {}", moves(self.exercise.used()))?;
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

fn moves(count: usize) -> String {
    counted(count as u64, "move")
}
