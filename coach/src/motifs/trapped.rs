//! Trapped pieces.

use super::found::{FoundMotif, Spot};
use super::motif::Motif;
use super::pins::pins;
use super::safety::{attackers, is_in_danger, value, worth};
use crate::exercise::after;
use shakmaty::{Board, Chess, Position, Role, Square};

/// Whether a piece of the side to move is in danger and every move of it leaves it in danger without winning as much
/// as it is worth. A pinned piece and a piece of a side in check have other troubles.
pub fn is_trapped(position: &Chess, square: Square) -> bool {
    let board = position.board();
    let Some(role) = board.role_at(square) else { return false };
    if matches!(role, Role::Pawn | Role::King)
        || position.is_check()
        || pins(board, position.turn()).any(|pin| pin.motif == Motif::Pin && pin.pinned == square)
        || !is_in_danger(board, square)
    {
        return false;
    }
    let moves = position.legal_moves();
    moves.iter().filter(|m| m.from() == Some(square)).all(|&m| {
        let is_fair = m.capture().is_some_and(|captured| worth(captured) >= worth(role));
        !is_fair && is_in_danger(after(position, m).board(), m.to())
    })
}

/// What is said about a trapped piece: the least valuable attacker attacks it.
pub fn trapped(board: &Board, square: Square, ply: usize) -> Option<FoundMotif> {
    let side = !board.color_at(square)?;
    let attackers = attackers(board, side, square).into_iter();
    let by = attackers.min_by_key(|&from| value(board, from))?;
    let found = FoundMotif::new(Motif::TrappedPiece, ply, side).by(Spot::on(board, by));
    Some(found.target(Spot::on(board, square)))
}
