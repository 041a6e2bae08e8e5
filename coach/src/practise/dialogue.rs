//! The dialogue with the user in a terminal.

use super::PracticeOptions;
use crate::exercise::san;
use crate::notation::{Misread, read_move};
use crate::picture::Picture;
use shakmaty::{Chess, Move, Position};
use std::io::{self, BufRead, Write};

const MOVES: &str = "Write a move as Nf3 or g1f3, a promotion as e8=Q or e7e8q. Signs such as x and + and capitals are optional.";
const COMMANDS: &str = "board  draw the board again\nhelp   this list\nquit   leave";

/// What the program answers.
#[derive(Default)]
pub struct Answer {
    /// What is said first; nothing if it is empty.
    pub said: String,
    /// Whether the board is drawn then, and what is said below it.
    pub board: Option<String>,
    /// Whether the dialogue ends.
    pub is_last: bool,
}

impl Answer {
    /// A sentence that ends nothing.
    pub fn said(text: impl Into<String>) -> Answer {
        Answer { said: text.into(), ..Answer::default() }
    }
}

/// A position, of which the user writes moves and commands.
pub trait Dialogue {
    /// The commands that others do not have, one a line.
    const COMMANDS: &'static str;

    fn position(&self) -> &Chess;

    /// The board from the side of White, or from that of Black if the options ask for it.
    fn picture(&self, is_flipped: bool) -> Picture;

    /// The answer to a line of small letters; none if it is no command.
    fn command(&mut self, line: &str) -> Option<Answer>;

    /// The answer to a legal move.
    fn play(&mut self, m: Move) -> Answer;

    /// The last words.
    fn leave(&self) -> String {
        String::new()
    }
}

/// Says a first answer, then answers the user until the last one or the end of the input.
pub fn talk<D: Dialogue>(
    dialogue: &mut D,
    first: Answer,
    input: &mut impl BufRead,
    out: &mut impl Write,
    options: PracticeOptions,
) -> io::Result<()> {
    let mut answer = first;
    loop {
        if !answer.said.is_empty() {
            writeln!(out, "{}", answer.said)?;
        }
        if let Some(below) = answer.board {
            let picture = dialogue.picture(options.flipped);
            match options.coloured {
                true => writeln!(out, "\n{}\n", picture.coloured())?,
                false => writeln!(out, "\n{picture}\n")?,
            }
            if !below.is_empty() {
                writeln!(out, "{below}")?;
            }
        }
        if answer.is_last {
            return Ok(());
        }
        if options.prompt {
            write!(out, "> ")?;
        }
        out.flush()?;
        let mut line = Vec::new();
        let is_end = input.read_until(b'\n', &mut line)? == 0;
        if is_end && options.prompt {
            writeln!(out)?;
        }
        let line = String::from_utf8_lossy(&line);
        let line = if is_end { "quit" } else { line.trim() };
        answer = match &*line.to_lowercase() {
            "" => Answer::default(),
            "board" => Answer { board: Some(String::new()), ..Answer::default() },
            "help" => Answer::said([MOVES, D::COMMANDS, COMMANDS].join("\n")),
            "quit" | "exit" => Answer { is_last: true, ..Answer::said(dialogue.leave()) },
            word => {
                dialogue.command(word).unwrap_or_else(|| match read(line, dialogue.position()) {
                    Ok(m) => dialogue.play(m),
                    Err(misread) => Answer::said(complaint(dialogue.position(), line, misread)),
                })
            }
        };
    }
}

/// The move that a word means. In an answer the square alone can mean a pawn's capture.
fn read(word: &str, position: &Chess) -> Result<Move, Misread> {
    read_move(word, position).or_else(|misread| {
        let captures =
            ('a'..='h').filter_map(|file| read_move(&format!("{file}x{word}"), position).ok());
        match captures.collect::<Vec<_>>()[..] {
            [m] => Ok(m),
            _ => Err(misread),
        }
    })
}

/// What to say of a word that is no move of the position.
fn complaint(position: &Chess, word: &str, misread: Misread) -> String {
    let word: String =
        word.chars().take(40).map(|c| if c.is_control() { '?' } else { c }).collect();
    let list = |moves: &[Move], between: &str| {
        let names = moves.iter().map(|&m| san(position, m));
        names.collect::<Vec<_>>().join(between)
    };
    match misread {
        Misread::Ambiguous(moves) => format!("{word} is ambiguous: {}?", list(&moves, " or ")),
        Misread::NoMove(_) | Misread::NotAMove | Misread::Descriptive => {
            let legal = position.legal_moves();
            let first = word.chars().next().map(|c| c.to_ascii_uppercase());
            let mut same_piece = legal.clone();
            same_piece.retain(|m| first == Some(m.role().upper_char()));
            let shown = if same_piece.is_empty() { legal } else { same_piece };
            let shown = list(&shown, " ");
            format!("{word} is neither a legal move nor a command. Possible moves: {shown}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use tropism::notation::read_fen;

    const CAPTURE: &str = "8/8/8/2r5/4B3/8/1N5k/K7 w - - 0 1";
    const TAKES: &str = "8/8/8/2r5/4N3/8/8/K6k w - - 0 1";
    const PAWN: &str = "3n4/4P3/8/8/8/k7/4P3/K7 w - - 0 1";
    const TWO: &str = "8/8/8/8/8/1N3N2/8/K6k w - - 0 1";
    const BISHOP: &str = "7k/8/8/8/8/8/8/KN2B3 w - - 0 1";

    fn meant(word: &str, fen: &str) -> Result<String, Misread> {
        read(word, &read_fen(fen, None).unwrap())
            .map(|m| m.to_uci(CastlingMode::Standard).to_string())
    }

    #[test]
    fn a_move_has_many_spellings() {
        for (fen, words, uci) in [
            (CAPTURE, "Nb2a4", "b2a4"),
            (CAPTURE, "Nd3 nd3 ND3 b2d3 B2D3 b2-d3 Nb2-d3 nbd3 N2d3 Nd3!", "b2d3"),
            (TAKES, "Nxc5 Nc5 nxc5 nc5+ Nec5 e4xc5 e4c5", "e4c5"),
            (PAWN, "e4 E4 pe4 e2e4 e2-e4", "e2e4"),
            (PAWN, "e8=Q e8q E8=q e8(Q) e7e8q e7-e8=Q", "e7e8q"),
            (PAWN, "exd8=R ed8r e7xd8=r d8=R", "e7d8r"),
            (TWO, "nbd2", "b3d2"),
            // `b1c3` is also short for a bishop move to c3: the spelling with the start square wins.
            (BISHOP, "b1c3", "b1c3"),
            (BISHOP, "B1c3", "e1c3"),
        ] {
            for word in words.split(' ') {
                assert_eq!(meant(word, fen).unwrap(), uci, "{word}");
            }
        }
    }

    #[test]
    fn a_word_can_mean_no_move_or_several() {
        for word in ["", "x", "Nc6", "Rc5", "e4", "e9e8", "K", "\u{2654}a3", "a1a1"] {
            let misread = meant(word, TAKES).unwrap_err();
            let is_none = matches!(misread, Misread::NoMove(_) | Misread::NotAMove);
            assert!(is_none, "{word}: {misread:?}");
        }
        for (fen, word, count) in [(PAWN, "e8", 4), (TWO, "Nd2", 2), (TWO, "nd4", 2)] {
            let Err(Misread::Ambiguous(moves)) = meant(word, fen) else { panic!("{word}") };
            assert_eq!(moves.len(), count, "{word}");
        }
    }
}
