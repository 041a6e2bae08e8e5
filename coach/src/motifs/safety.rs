//! What pieces are worth, and whether they are attacked, defended or in danger.

use shakmaty::{Bitboard, Board, Color, Role, Square};

/// What a piece is worth, in pawns. The king is worth more than everything else together.
pub const fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 100,
    }
}

/// What the piece on a square is worth; 0 for an empty square.
pub fn value(board: &Board, square: Square) -> i32 {
    board.role_at(square).map_or(0, worth)
}

/// The pieces of `side` that attack a square.
pub fn attackers(board: &Board, side: Color, square: Square) -> Bitboard {
    board.attacks_to(square, side, board.occupied())
}

/// Whether a piece of the same colour could recapture on the square. A defender behind an attacking slider counts: it
/// recaptures when the slider has left the line.
pub fn is_defended(board: &Board, square: Square) -> bool {
    let Some(side) = board.color_at(square) else { return false };
    attackers(board, side, square).any()
        || (attackers(board, !side, square) & board.sliders()).into_iter().any(|attacker| {
            board.attacks_to(square, side, board.occupied().without(attacker)).any()
        })
}

/// Whether the opponent wins something by capturing the piece on the square: it is attacked, and either nothing
/// defends it or the attacker is worth less.
pub fn is_in_danger(board: &Board, square: Square) -> bool {
    let Some(piece) = board.piece_at(square) else { return false };
    let attackers = attackers(board, !piece.color, square);
    let is_cheaper = |from| value(board, from) < worth(piece.role);
    attackers.any() && (!is_defended(board, square) || attackers.into_iter().any(is_cheaper))
}
