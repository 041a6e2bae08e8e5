//! Words for kings, squares and moves.

use shakmaty::{Bitboard, Color};
use tropism::text::{counted, joined, joined_by, side_name};

/// A side's king: `White's king`.
pub fn king_of(side: Color) -> String {
    format!("{}'s king", side_name(side))
}

/// A number of moves: `1 move`, `2 moves`.
pub fn moves(count: impl Into<u64>) -> String {
    counted(count.into(), "move")
}

/// That something comes closer to a goal, with the distances in moves. `None` if it does not.
pub fn closer(who: &str, was: u32, is: u32, goal: &str) -> Option<String> {
    (is < was).then(|| format!("{who} is {} closer to {goal} ({was} to {is})", moves(was - is)))
}

/// The names of squares, as in `g6, g7 and h8`.
pub fn names(squares: Bitboard) -> String {
    joined(&squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>())
}

/// The names of squares to choose from, as in `g6, g7 or h8`.
pub fn either(squares: Bitboard) -> String {
    joined_by("or", &squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>())
}
