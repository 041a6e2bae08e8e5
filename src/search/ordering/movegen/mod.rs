//! Legal move generation with masks for pins and checks. This file tests whether a given move is legal; the moves
//! are generated in `generate`.

mod generate;
#[cfg(test)]
mod tests;

use crate::geometry::lines::alone_before;
use crate::search::position::Position;
use crate::search::transposition_table::PackedMove;
use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, Move, Position as _, Rank, Role, Square, attacks,
};

/// Generates the legal moves of a position.
#[derive(Debug)]
pub struct MoveGenerator<'a> {
    chess: &'a Chess,
    turn: Color,
    us: Bitboard,
    them: Bitboard,
    occupied: Bitboard,
    king: Square,
    checkers: Bitboard,
    /// Own pieces that are alone between the king and an enemy line piece.
    pinned: Bitboard,
    /// The squares to which pieces other than the king may move. In check, they block it or capture the checker.
    check_mask: Bitboard,
}

impl<'a> MoveGenerator<'a> {
    /// A generator for this position.
    pub fn new(position: &'a Position) -> MoveGenerator<'a> {
        let chess = position.chess();
        let board = chess.board();
        let turn = chess.turn();
        let (us, them) = (board.by_color(turn), board.by_color(!turn));
        // A position of shakmaty always has both kings; a1 only satisfies the type.
        let king = board.king_of(turn).unwrap_or(Square::A1);
        let occupied = board.occupied();
        let checkers = position.checkers();
        let (straight, slanted) = (board.rooks_and_queens(), board.bishops_and_queens());
        let pinned = us & alone_before(king, them & straight, them & slanted, occupied);
        let check_mask = match (checkers.first(), checkers.more_than_one()) {
            (None, _) => Bitboard::FULL,
            (Some(checker), false) => attacks::between(king, checker).with(checker),
            // In double check only the king can move.
            (Some(_), true) => Bitboard::EMPTY,
        };
        MoveGenerator { chess, turn, us, them, occupied, king, checkers, pinned, check_mask }
    }

    /// The move that these bits mean here, if it is legal.
    pub fn find(&self, packed: PackedMove) -> Option<Move> {
        packed.on_board(self.chess).filter(|&m| self.is_legal(m))
    }

    /// Whether a move is legal. It may be any move whose moving and captured pieces are those on the board.
    fn is_legal(&self, m: Move) -> bool {
        match m {
            Move::Normal { role, from, to, promotion, .. } => {
                self.us.contains(from)
                    && !self.us.contains(to)
                    && match role {
                        Role::King => {
                            promotion.is_none()
                                && attacks::king_attacks(from).contains(to)
                                && self.is_safe(to)
                        }
                        Role::Pawn => {
                            let is_last = to.rank() == self.turn.relative_rank(Rank::Eighth);
                            let promoted = promotion.unwrap_or(Role::Pawn);
                            is_last == promotion.is_some()
                                && (!is_last || !matches!(promoted, Role::Pawn | Role::King))
                                && self.pawn_reaches(from, to)
                                && self.keeps_king_safe(from, to)
                        }
                        _ => {
                            promotion.is_none()
                                && self.chess.board().attacks_from(from).contains(to)
                                && self.keeps_king_safe(from, to)
                        }
                    }
            }
            Move::EnPassant { from, to } => {
                self.chess.maybe_ep_square() == Some(to)
                    && self.en_passant_pawns(to).contains(from)
                    && self.is_safe_en_passant(from, to)
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                king == self.king
                    && self.chess.castles().rook(self.turn, side) == Some(rook)
                    && self.may_castle(side, rook)
            }
            Move::Put { .. } => false,
        }
    }

    /// Whether a move of a piece other than the king leaves the king out of check.
    fn keeps_king_safe(&self, from: Square, to: Square) -> bool {
        self.check_mask.contains(to)
            && (!self.pinned.contains(from) || attacks::ray(self.king, from).contains(to))
    }

    /// Whether the king may move to this square. Lines behind the king count as open.
    fn is_safe(&self, to: Square) -> bool {
        let occupied = self.occupied.without(self.king);
        self.chess.board().attacks_to(to, !self.turn, occupied).is_empty()
    }

    fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        if self.occupied.contains(to) {
            return attacks::pawn_attacks(self.turn, from).contains(to);
        }
        let once = from.offset(self.forward());
        let is_home = from.rank() == self.turn.relative_rank(Rank::Second);
        once == Some(to)
            || is_home
                && once.is_some_and(|once| !self.occupied.contains(once))
                && from.offset(2 * self.forward()) == Some(to)
    }

    fn en_passant_pawns(&self, to: Square) -> Bitboard {
        attacks::pawn_attacks(!self.turn, to) & self.us & self.chess.board().pawns()
    }

    /// Two pawns leave a rank at once, which the mask of pinned pieces does not cover.
    fn is_safe_en_passant(&self, from: Square, to: Square) -> bool {
        let captured = Square::from_coords(to.file(), from.rank());
        let occupied = self.occupied.without(from).without(captured).with(to);
        let board = self.chess.board();
        board.attacks_to(self.king, !self.turn, occupied).without(captured).is_empty()
    }

    fn may_castle(&self, side: CastlingSide, rook: Square) -> bool {
        let board = self.chess.board();
        let attacked = |square, occupied| board.attacks_to(square, !self.turn, occupied).any();
        let king_to = side.king_to(self.turn);
        let without_king = self.occupied.without(self.king);
        let after = without_king.toggled(rook).toggled(side.rook_to(self.turn));
        self.checkers.is_empty()
            && (self.chess.castles().path(self.turn, side) & self.occupied).is_empty()
            && !attacked(king_to, after)
            && !attacks::between(self.king, king_to)
                .into_iter()
                .any(|square| attacked(square, without_king))
    }

    fn forward(&self) -> i32 {
        self.turn.fold_wb(8, -8)
    }
}
