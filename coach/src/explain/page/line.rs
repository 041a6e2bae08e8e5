//! A line of moves that a page plays on its board.

use crate::board::ends;
use shakmaty::{Chess, Move, Position};
use tropism::text::numbered_moves;

/// Moves to click on. The script of the page draws what each of them has, and knows no rules.
pub struct LineView {
    pub label: &'static str,
    pub steps: Vec<StepView>,
}

/// A move and the position after it.
pub struct StepView {
    /// The move as players write it, with its number where it needs one.
    pub text: String,
    pub class: &'static str,
    /// What is said of it below the board.
    pub note: String,
    /// The pieces after it, as a FEN has them.
    pub pieces: String,
    /// The squares of the move, `e2e4`.
    pub squares: String,
}

impl LineView {
    pub fn new(label: &'static str, start: &Chess, moves: &[Move]) -> LineView {
        let mut position = start.clone();
        let step = |(&m, text): (&Move, String)| {
            let squares = ends(m, position.turn()).map(|(from, to)| format!("{from}{to}"));
            position.play_unchecked(m);
            StepView {
                text,
                class: "",
                note: String::new(),
                pieces: position.board().to_string(),
                squares: squares.unwrap_or_default(),
            }
        };
        let steps = moves.iter().zip(numbered_moves(start, moves)).map(step).collect();
        LineView { label, steps }
    }
}
