//! Whether pieces are attacked, defended, in danger or trapped.

use shakmaty::{Bitboard, Board, Chess, Color, Position, Role, Square};

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

/// The pieces of a side without its king, in pawns.
pub fn material(board: &Board, side: Color) -> i32 {
    let count = |role: Role| (board.by_piece(role.of(side))).count() as i32;
    Role::ALL
        .into_iter()
        .filter(|&role| role != Role::King)
        .map(|role| worth(role) * count(role))
        .sum()
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
    let is_cheaper = |from| board.role_at(from).is_some_and(|role| worth(role) < worth(piece.role));
    attackers.any() && (!is_defended(board, square) || attackers.into_iter().any(is_cheaper))
}

/// Whether a piece of the side to move is in danger and every move of it leaves it in danger without winning as much
/// as it is worth. A pinned piece and a piece of a side in check have other troubles.
pub fn is_trapped(position: &Chess, square: Square) -> bool {
    let board = position.board();
    let Some(role) = board.role_at(square) else { return false };
    if matches!(role, Role::Pawn | Role::King)
        || position.is_check()
        || super::pins::absolute_pins(board, position.turn()).any(|pin| pin.pinned == square)
        || !is_in_danger(board, square)
    {
        return false;
    }
    let moves = position.legal_moves();
    moves.iter().filter(|m| m.from() == Some(square)).all(|&m| {
        let is_fair = m.capture().is_some_and(|captured| worth(captured) >= worth(role));
        let mut after = position.clone();
        after.play_unchecked(m);
        !is_fair && is_in_danger(after.board(), m.to())
    })
}
