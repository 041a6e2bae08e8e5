//! What stands on the board.

use super::found::{FoundMotif, Spot};
use super::kings;
use super::motif::Motif;
use super::pins::pins;
use super::safety::is_defended;
use super::trapped::{is_trapped, trapped};
use shakmaty::{Chess, Color, Position, Square};

/// All motifs of both sides.
pub fn motifs(position: &Chess) -> Vec<FoundMotif> {
    let board = position.board();
    let mut found = kings::of_position(board);
    for side in Color::ALL {
        found.extend(pins(board, side).map(|pin| pin.found(board, 0)));
        found.extend(hanging(position, side));
        if let Some(own) = with_turn(position, side) {
            let squares = board.by_color(side).into_iter();
            let is_lost = |&square: &Square| is_trapped(&own, square);
            found.extend(squares.filter(is_lost).filter_map(|it| trapped(board, it, 0)));
        }
    }
    found
}

/// The pieces that `side` could capture if it were to move, and that nothing defends.
fn hanging(position: &Chess, side: Color) -> Vec<FoundMotif> {
    let board = position.board();
    let Some(theirs) = with_turn(position, side) else { return Vec::new() };
    let captures = theirs.capture_moves();
    let victims = board.by_color(!side) & !board.pawns();
    let hangs = |square: Square| {
        let m = captures.iter().find(|m| m.to() == square && !is_defended(board, square))?;
        let found = FoundMotif::new(Motif::HangingPiece, 0, side).by(Spot::on(board, m.from()?));
        Some(found.target(Spot::on(board, square)))
    };
    victims.into_iter().filter_map(hangs).collect()
}

/// The position with `side` to move; none if the other side is in check.
fn with_turn(position: &Chess, side: Color) -> Option<Chess> {
    match position.turn() == side {
        true => Some(position.clone()),
        false => position.clone().swap_turn().ok(),
    }
}
