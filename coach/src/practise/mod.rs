//! `tropism practise`: play an ending in the terminal against perfect play.
//!
//! `dialogue` reads moves as players write them. `reasons` says what is good about a move, `lone_pawn` the same of king and
//! pawn against king, `rules` says what holds a draw, and `hint` chooses what explains the best move.

mod dialogue;
mod hint;
mod lone_pawn;
mod reasons;
mod rules;
#[cfg(test)]
mod tests;
mod words;

use super::exercise::{Exercise, ExerciseResult, hard_draw, holding, san, winner, won_position};
use super::picture::Picture;
use crate::refusal::Refusal;
use crate::solve::ending_of;
pub(super) use dialogue::{Answer, Dialogue, talk};
pub use hint::Hint;
use hint::reasons;
pub(super) use reasons::flight;
use shakmaty::{Chess, Color, Move, Position};
use std::io::{BufRead, Result as IoResult, Write};
use tropism::endgame::{Dtm, Endgames, Material, set_up};
use tropism::eval::Engine;
use tropism::search::Game;
use tropism::text::{Balance, joined_by, side_name};
pub(super) use words::king_of;
use words::moves;

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

const OVER: &str = "The game is over: `undo` takes your last move back, `quit` leaves.";

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
    ) -> Result<Practice<'a>, Refusal> {
        let endgames = Endgames::of_ending(material);
        let won = |least| won_position(&endgames, material, seed, least);
        let (start, user) = match side {
            Side::Strong => (won(1), Color::White),
            // The defender must have a move.
            Side::Weak => (hard_draw(&endgames, material, seed).or_else(|| won(2)), Color::Black),
        };
        let nothing = || format!("{material}: there is no position to practise; try KRK or KBNK");
        let start = start.ok_or_else(|| Refusal(nothing()))?;
        let (exercise, origin) = (Exercise::new(endgames, start, user), format!("Seed {seed}"));
        Ok(Practice { engine, material, origin, exercise, taken_back: 0, hints: 0, step: 0 })
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
    ) -> Result<Practice<'a>, Refusal> {
        let material = ending_of(position).map_err(|Refusal(why)| {
            let advice = "`tropism go FEN` searches it";
            Refusal(format!("there is no exact table of this position: {why}; {advice}"))
        })?;
        if let Some(outcome) = Game::new(position.clone()).outcome() {
            let refusal = format!("there is nothing to practise in this position: {outcome}");
            return Err(Refusal(refusal));
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
                let is_weaker = Balance::new(position.board(), turn).pawns() <= 0;
                if is_weaker || can_lose { turn } else { !turn }
            }
        };
        // The tables do not count moves without a capture or pawn move, and a lesson begins with this position.
        let (start, origin) = match set_up(position.board().clone(), turn) {
            Some(start) if position.halfmoves() > 0 => {
                (start, "Your position, with 50 moves left for a capture or pawn move")
            }
            _ => (position.clone(), "Your position"),
        };
        let (exercise, origin) = (Exercise::new(endgames, start, user), origin.to_owned());
        Ok(Practice { engine, material, origin, exercise, taken_back: 0, hints: 0, step: 0 })
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
    ) -> IoResult<()> {
        let task = match self.exercise.user == self.exercise.attacker {
            true => "mate".to_owned(),
            false if self.exercise.is_drawn => {
                format!("hold the draw for {} moves", Exercise::HELD)
            }
            false => "hold out".to_owned(),
        };
        let user = side_name(self.exercise.user);
        let said = format!("You are {user}: {task}. {}; `help` lists the commands.", self.origin);
        let first = self.answered(said, String::new());
        talk(&mut self, first, &mut input, out, options)
    }

    /// Plays the program's move, if it is its turn, and shows the board. It also answers the move that gives the win or
    /// the draw away: the answer shows why. `mistake` is said below the board if the game is over then.
    fn answered(&mut self, mut said: String, mistake: String) -> Answer {
        let result = self.exercise.result();
        let is_lost = result == Some(ExerciseResult::Lost);
        let continues = matches!(result, None | Some(ExerciseResult::NotWon)) || is_lost;
        if continues
            && !self.exercise.is_users_turn()
            && let Some(reply) = self.exercise.reply()
        {
            let reasons = reasons(self.exercise.position(), reply);
            said += &format!("\n{}", self.exercise.play(reply));
            let reason = reasons.first().filter(|_| is_lost);
            said += &reason.map(|reason| format!(": {reason}.")).unwrap_or_default();
        }
        let is_last = self.exercise.is_finished();
        let below = match self.exercise.result() {
            Some(result) if is_last => self.result(result),
            Some(result) => format!("{} {mistake}\n{OVER}", self.why_over(result)),
            None => String::new(),
        };
        Answer { said, board: Some(below), is_last }
    }

    /// Why the goal cannot be reached any more.
    fn why_over(&self, result: ExerciseResult) -> String {
        let turn = self.exercise.position().turn();
        let attacker = side_name(self.exercise.attacker);
        match (result, self.exercise.value()) {
            (ExerciseResult::Lost, _) => format!("{attacker} wins now."),
            (ExerciseResult::NotWon, Dtm::Draw) => "With best play it is now a draw.".to_owned(),
            (ExerciseResult::NotWon, value) => {
                format!("{attacker} no longer wins. With best play, {turn} to move: {value}.")
            }
            (result, _) => result.to_string(),
        }
    }

    /// How long the mate took, and how long it takes with perfect play; or how the draw was held.
    fn result(&self, result: ExerciseResult) -> String {
        let (used, least) = (self.exercise.used(), self.exercise.minimum());
        let (used_moves, off) = (moves(used as u64), used.abs_diff(least));
        let is_attacker = self.exercise.user == self.exercise.attacker;
        let how = match (result, off) {
            (ExerciseResult::Mate, 0) if is_attacker => ", as fast as possible".to_owned(),
            (ExerciseResult::Mate, _) if is_attacker => format!(", {off} more than necessary"),
            (ExerciseResult::Mate, 0) => ", the longest defence".to_owned(),
            (ExerciseResult::Mate, _) => format!(", {off} sooner than necessary"),
            (ExerciseResult::Drawn(outcome), _) => format!(": {outcome}"),
            _ => String::new(),
        };
        let what = match result {
            ExerciseResult::Mate if is_attacker => "Mate in",
            ExerciseResult::Mate => "Mated in",
            _ => "You held the draw for",
        };
        format!("{what} {used_moves}{how}{}.", self.help_used())
    }

    /// How many hints and moves back the user took.
    fn help_used(&self) -> String {
        match (self.hints, self.taken_back) {
            (0, 0) => String::new(),
            (hints, taken_back) => format!(" (hints: {hints}, taken back: {taken_back})"),
        }
    }
}

impl Dialogue for Practice<'_> {
    const COMMANDS: &'static str = "hint   what the best move is for; then the piece that moves; \
        then the move, and what another one would allow\n\
        undo   take your last move back";

    fn position(&self) -> &Chess {
        self.exercise.position()
    }

    fn picture(&self, is_flipped: bool) -> Picture {
        let title = format!("{} after {}", self.material, moves(self.exercise.used() as u64));
        let about = format!("{} to move, {}", self.position().turn(), self.exercise.value());
        self.exercise.picture(title, about, is_flipped)
    }

    fn command(&mut self, line: &str) -> Option<Answer> {
        let is_over = self.exercise.result().is_some();
        Some(match line {
            "undo" if self.exercise.take_back() => {
                self.taken_back += 1;
                self.step = 0;
                Answer { board: Some(String::new()), ..Answer::default() }
            }
            "undo" => Answer::said("You have not moved yet."),
            "resign" => Answer { is_last: true, ..Answer::said(self.leave()) },
            _ if is_over => Answer::said(OVER),
            "hint" => {
                self.step += 1;
                self.hints += usize::from(self.step == 1);
                Answer::said(Hint::new(self.engine, &self.exercise).step(self.step))
            }
            _ => return None,
        })
    }

    /// Plays the user's move, says what it costs, and replies.
    fn play(&mut self, m: Move) -> Answer {
        let values = self.exercise.moves();
        let (Some(&(best, best_value)), Some(cost)) = (values.first(), self.exercise.cost(m))
        else {
            return Answer::default();
        };
        let name = |m| san(self.exercise.position(), m);
        let held: Vec<String> = holding(&values).map(name).collect();
        let better = match held.len() {
            _ if !self.exercise.is_drawn => format!("Best was {} ({best_value}).", name(best)),
            0..=NAMED => format!("{} would have held.", joined_by("or", &held)),
            count => format!("{count} moves would have held, such as {}.", held[0]),
        };
        // A good move needs no word.
        let is_best = values.contains(&(m, best_value));
        let cost = if is_best { String::new() } else { format!(": {cost}.") };
        self.step = 0;
        let said = format!("{}{cost}", self.exercise.play(m));
        self.answered(said, better)
    }

    fn leave(&self) -> String {
        let (turn, value) = (self.position().turn(), self.exercise.value());
        let used = moves(self.exercise.used() as u64);
        format!("Left after {used}, {turn} to move: {value}{}.", self.help_used())
    }
}
