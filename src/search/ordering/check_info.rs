//! Whether a move gives check, without playing it.

use crate::geometry::lines::alone_before;
use shakmaty::{Bitboard, Chess, Move, Position, Role, Square, attacks};

/// The squares from which each kind of piece gives check, and the pieces whose moves can discover a check.
#[derive(Debug)]
pub struct CheckInfo {
    king: Square,
    diagonal: Bitboard,
    straight: Bitboard,
    knight: Bitboard,
    pawn: Bitboard,
    /// Own pieces that block a line of an own piece to the enemy king.
    discoverers: Bitboard,
}

impl CheckInfo {
    pub fn new(chess: &Chess) -> CheckInfo {
        let board = chess.board();
        // A position of shakmaty always has both kings; a1 only satisfies the type.
        let king = board.king_of(!chess.turn()).unwrap_or(Square::A1);
        let occupied = board.occupied();
        let us = chess.us();
        let (straight, slanted) = (board.rooks_and_queens(), board.bishops_and_queens());
        let discoverers = us & alone_before(king, us & straight, us & slanted, occupied);
        CheckInfo {
            king,
            diagonal: attacks::bishop_attacks(king, occupied),
            straight: attacks::rook_attacks(king, occupied),
            knight: attacks::knight_attacks(king),
            pawn: attacks::pawn_attacks(!chess.turn(), king),
            discoverers,
        }
    }

    /// Whether a legal move gives check.
    #[inline]
    pub fn gives_check(&self, chess: &Chess, m: Move) -> bool {
        let Move::Normal { role, from, to, promotion: None, .. } = m else {
            return gives_check_when_played(chess, m);
        };
        let direct = match role {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::Bishop => self.diagonal,
            Role::Rook => self.straight,
            Role::Queen => self.diagonal | self.straight,
            Role::King => Bitboard::EMPTY,
        };
        direct.contains(to)
            || self.discoverers.contains(from) && !attacks::ray(self.king, from).contains(to)
    }
}

/// Promotions, castling and en passant are rare and can open several lines, so they are played.
#[cold]
fn gives_check_when_played(chess: &Chess, m: Move) -> bool {
    let mut next = chess.clone();
    next.play_unchecked(m);
    next.is_check()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Game;

    fn walk(chess: &Chess, depth: u32) {
        let checks = CheckInfo::new(chess);
        for m in chess.legal_moves() {
            let mut next = chess.clone();
            next.play_unchecked(m);
            assert_eq!(checks.gives_check(chess, m), next.is_check(), "{m} in {chess:?}");
            if depth > 1 {
                walk(&next, depth - 1);
            }
        }
    }

    #[test]
    fn agrees_with_playing_the_move() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        ] {
            walk(Game::from_fen(fen, None).unwrap().position().chess(), 3);
        }
    }
}
