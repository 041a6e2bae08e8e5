//! Endgames by their pieces.

use super::motif::Motif;
use shakmaty::{Bitboard, Board, Role};

/// The kind of endgame that a board shows, if only one kind of piece is left with the kings and pawns, or one queen with
/// rooks.
pub fn kind(board: &Board) -> Option<Motif> {
    let pieces = board.occupied() & !board.kings() & !board.pawns();
    let only = |role: Role| pieces.any() && (pieces & !board.by_role(role)).is_empty();
    if pieces.is_empty() && board.pawns().any() {
        return Some(Motif::PawnEndgame);
    }
    let kinds = [
        (Role::Knight, Motif::KnightEndgame),
        (Role::Bishop, Motif::BishopEndgame),
        (Role::Rook, Motif::RookEndgame),
        (Role::Queen, Motif::QueenEndgame),
    ];
    let kind = kinds.into_iter().find(|&(role, _)| only(role)).map(|(_, motif)| motif);
    kind.or_else(|| {
        let with_rooks = (pieces & !board.rooks_and_queens()).is_empty() && board.rooks().any();
        let one_queen = board.queens().count() == 1;
        (with_rooks && one_queen && pieces != Bitboard::EMPTY).then_some(Motif::QueenRookEndgame)
    })
}
