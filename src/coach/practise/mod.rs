//! `tropism practise`: an ending played out in the terminal against perfect play.
//!
//! `start` draws a won position by lot, `words` reads moves as people write them, `exercise` is the
//! game with what the exact tables say of it, and `changes` tells in the words of the engine's terms
//! what a move is good for.

mod changes;
pub(super) mod exercise;
pub(super) mod start;
mod words;

use super::{Cell, Picture};
use crate::endgame::{Dtm, Endgames, Material};
use crate::endings::build_tables;
use crate::eval::Engine;
use changes::changes;
use clap::ValueEnum;
use exercise::{Ending, Exercise};
use shakmaty::{Color, Move, Position, san::SanPlus};
use std::io::{self, BufRead, Write};
use thiserror::Error;
use words::{Misread, read};

/// Which side the user plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// To mate.
    Strong,
    /// To hold out.
    Weak,
}

/// How to write to the user.
#[derive(Clone, Copy, Debug, Default)]
pub struct Screen {
    /// In colour.
    pub painted: bool,
    /// With a sign that it is the user's turn.
    pub prompt: bool,
}

/// Why there is nothing to practise.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PractiseError {
    /// Nobody can mate.
    #[error("{0}: no position is won, so there is nothing to practise; try KRK or KBNK")]
    NothingWon(Material),
}

/// One game of practice.
pub struct Practice<'a> {
    engine: &'a Engine,
    material: Material,
    seed: u64,
    exercise: Exercise,
    taken_back: usize,
    hints: usize,
}

const HELP: &str = "A move is written as Nf3 or g1f3; signs and capitals may be left out.
hint   the best move, and which distances it changes
undo   take your last move back
board  draw the board again
help   this list
quit   leave";

impl<'a> Practice<'a> {
    /// Makes the tables and draws a won position by lot: the same one for the same `seed`. White
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
    ) -> Result<Practice<'a>, PractiseError> {
        let mut endgames = Endgames::default();
        build_tables(&mut endgames, material);
        let start = endgames.table(&material).and_then(|table| start::start(table, seed));
        let start = start.ok_or(PractiseError::NothingWon(material))?;
        let user = match side {
            Side::Strong => Color::White,
            Side::Weak => Color::Black,
        };
        let exercise = Exercise::new(endgames, start, user);
        Ok(Practice { engine, material, seed, exercise, taken_back: 0, hints: 0 })
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
        screen: Screen,
    ) -> io::Result<()> {
        let task =
            self.exercise.user().fold_wb("You are White and mate", "You are Black and hold out");
        writeln!(out, "{task}; seed {}, `help` lists the commands.", self.seed)?;
        self.answer(out)?;
        self.draw(out, screen)?;
        let mut bytes = Vec::new();
        loop {
            if screen.prompt {
                write!(out, "> ")?;
            }
            out.flush()?;
            bytes.clear();
            if input.read_until(b'\n', &mut bytes)? == 0 {
                return self.leave(out);
            }
            let line = String::from_utf8_lossy(&bytes);
            let word = line.trim();
            match word.to_lowercase().as_str() {
                "" => {}
                "hint" => self.hint(out)?,
                "undo" if self.exercise.take_back() => {
                    self.taken_back += 1;
                    self.draw(out, screen)?;
                }
                "undo" => writeln!(out, "You have not moved yet.")?,
                "board" => self.draw(out, screen)?,
                "help" => writeln!(out, "{HELP}")?,
                "quit" | "exit" => return self.leave(out),
                _ if self.exercise.ending().is_some() => self.say_over(out)?,
                _ => match read(word, self.exercise.position()) {
                    Ok(m) => self.play(m, out, screen)?,
                    Err(misread) => self.complain(word, misread, out)?,
                },
            }
            if self.exercise.ending() == Some(Ending::Mate) {
                return self.result(out);
            }
        }
    }

    /// A move in SAN.
    fn san(&self, m: Move) -> String {
        SanPlus::from_move(self.exercise.position().clone(), m).to_string()
    }

    /// The user's move, what it is worth, and the reply.
    fn play(&mut self, m: Move, out: &mut impl Write, screen: Screen) -> io::Result<()> {
        let moves = self.exercise.moves();
        let of_move = moves.iter().find(|&&(other, _)| other == m);
        let (Some(&(best, right)), Some(&(_, value))) = (moves.first(), of_move) else {
            return Ok(());
        };
        let right_move = format!("{}, {right}", self.san(best));
        let verdict = match (right, value) {
            _ if right == value => "there is no better move".to_owned(),
            (Dtm::Win(least), Dtm::Win(plies)) => {
                format!("{} more than {right_move}", in_moves(usize::from((plies - least) / 2)))
            }
            (Dtm::Loss(most), Dtm::Loss(plies)) => {
                format!("{} less than {right_move}", in_moves(usize::from((most - plies) / 2)))
            }
            _ => "the win is gone".to_owned(),
        };
        writeln!(out, "{}: {verdict}.", self.exercise.play(m))?;
        self.answer(out)?;
        self.draw(out, screen)?;
        let why = match self.exercise.ending() {
            None | Some(Ending::Mate) => return Ok(()),
            Some(Ending::Stalemate) => "Stalemate, a draw.".to_owned(),
            Some(Ending::TooFewMen) => "Too few men are left to mate, a draw.".to_owned(),
            Some(Ending::NotWon) => {
                let turn = self.exercise.position().turn();
                format!("With best play it is now, for {turn}: {}.", self.exercise.value())
            }
            Some(Ending::Repetition) => "The same position for the third time, a draw.".to_owned(),
            Some(Ending::FiftyMoves) => "Fifty moves without a capture, a draw.".to_owned(),
        };
        writeln!(out, "{why} Right was {right_move}.")?;
        self.say_over(out)
    }

    /// The program's move, if it is its turn. A game that is no longer won is still answered: the
    /// answer shows why.
    fn answer(&mut self, out: &mut impl Write) -> io::Result<()> {
        let goes_on = matches!(self.exercise.ending(), None | Some(Ending::NotWon));
        if goes_on
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
        let list =
            |moves: &[Move]| moves.iter().map(|&m| self.san(m)).collect::<Vec<_>>().join(" ");
        match misread {
            Misread::Ambiguous(moves) => {
                writeln!(out, "{word} may be any of {}: which?", list(&moves))
            }
            Misread::NoMove => {
                let legal = self.exercise.position().legal_moves();
                let first = word.chars().next().map(|c| c.to_ascii_uppercase());
                let mut alike = legal.clone();
                alike.retain(|m| first == Some(m.role().upper_char()));
                let shown = if alike.is_empty() { legal } else { alike };
                writeln!(
                    out,
                    "{word} is no legal move here, and no command; nothing has changed. Possible: {}",
                    list(&shown)
                )
            }
        }
    }

    /// The best move, and what it and the reply change.
    fn hint(&mut self, out: &mut impl Write) -> io::Result<()> {
        if self.exercise.ending().is_some() {
            return self.say_over(out);
        }
        self.hints += 1;
        let mut after = self.exercise.position().clone();
        let before = self.engine.trace(&after);
        let mut moves = Vec::new();
        for m in self.exercise.line().into_iter().take(2) {
            moves.push(SanPlus::from_move_and_play_unchecked(&mut after, m).to_string());
        }
        let changes = changes(&before, &self.engine.trace(&after));
        let value = self.exercise.value();
        match &moves[..] {
            [best, reply] => writeln!(out, "Best is {best}, {value}. After {best} {reply}:")?,
            moves => writeln!(out, "Best is {}, {value}.", moves.concat())?,
        }
        if changes.is_empty() {
            writeln!(out, "  no distance changes: it hands the move over")?;
        }
        for change in changes {
            writeln!(out, "  {change}")?;
        }
        Ok(())
    }

    fn draw(&self, out: &mut impl Write, screen: Screen) -> io::Result<()> {
        let position = self.exercise.position();
        let title = format!("{} after {}", self.material, in_moves(self.exercise.used()));
        let about = format!("{} to move, {}", position.turn(), self.exercise.value());
        let mut picture = Picture::new(title, about);
        for (square, piece) in position.board() {
            let heat = if piece.color == self.exercise.user() { 0.0 } else { 1.0 };
            *picture.cell(square) =
                Cell { text: piece.char().to_string(), heat: Some(heat), mark: false };
        }
        if let Some(m) = self.exercise.last() {
            picture.cell(m.to()).mark = true;
        }
        match screen.painted {
            true => writeln!(out, "\n{}\n", picture.painted()),
            false => writeln!(out, "\n{picture}\n"),
        }
    }

    /// Mate: how well it was played.
    fn result(&self, out: &mut impl Write) -> io::Result<()> {
        let (used, least) = (self.exercise.used(), self.exercise.minimum());
        let used_moves = in_moves(used);
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
        self.helped(out)
    }

    fn leave(&self, out: &mut impl Write) -> io::Result<()> {
        let (position, value) = (self.exercise.position(), self.exercise.value());
        write!(out, "Left after {}", in_moves(self.exercise.used()))?;
        write!(out, ", {} to move: {value}", position.turn())?;
        self.helped(out)
    }

    /// What help there was, and the end of the line.
    fn helped(&self, out: &mut impl Write) -> io::Result<()> {
        if self.taken_back + self.hints > 0 {
            write!(out, " (hints: {}, taken back: {})", self.hints, self.taken_back)?;
        }
        writeln!(out, ".")
    }
}

fn in_moves(count: usize) -> String {
    match count {
        1 => "1 move".to_owned(),
        count => format!("{count} moves"),
    }
}
