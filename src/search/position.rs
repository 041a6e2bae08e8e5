//! Positions with their hash keys, and the game that led to one.

use shakmaty::{
    CastlingMode, CastlingSide, Chess, Color, EnPassantMode, Move, Piece, Position as _,
    PositionError, Role, Square, attacks,
    fen::{Fen, ParseFenError},
    zobrist::{Zobrist64, ZobristValue},
};
use thiserror::Error;

/// A chess position and its Zobrist key, kept up to date move by move.
#[derive(Clone, Debug)]
pub struct Position {
    chess: Chess,
    key: Zobrist64,
}

impl Position {
    /// Wraps a position; its key is computed from scratch.
    pub fn new(chess: Chess) -> Position {
        let key = chess.zobrist_hash(EnPassantMode::Legal);
        Position { chess, key }
    }

    /// The position itself.
    #[inline]
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// The Polyglot Zobrist key: equal for positions that repeat each other.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key.0
    }

    /// The position after a legal move.
    #[must_use]
    pub fn play(&self, m: Move) -> Position {
        let mut chess = self.chess.clone();
        chess.play_unchecked(m);
        let mut key = self.key ^ Zobrist64::zobrist_for_white_turn();
        let turn = self.chess.turn();
        let place = |role: Role, color: Color, square: Square| {
            Zobrist64::zobrist_for_piece(square, Piece { color, role })
        };
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                key ^= place(role, turn, from);
                key ^= place(promotion.unwrap_or(role), turn, to);
                if let Some(captured) = capture {
                    key ^= place(captured, !turn, to);
                }
            }
            Move::EnPassant { from, to } => {
                key ^= place(Role::Pawn, turn, from);
                key ^= place(Role::Pawn, turn, to);
                key ^= place(Role::Pawn, !turn, Square::from_coords(to.file(), from.rank()));
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                key ^= place(Role::King, turn, king);
                key ^= place(Role::Rook, turn, rook);
                key ^= place(Role::King, turn, side.king_to(turn));
                key ^= place(Role::Rook, turn, side.rook_to(turn));
            }
            Move::Put { role, to } => key ^= place(role, turn, to),
        }
        key ^= castling_key(&self.chess) ^ castling_key(&chess);
        key ^= en_passant_key(&self.chess) ^ en_passant_key(&chess);
        Position { chess, key }
    }

    /// The position after passing, or `None` where that is not possible.
    pub fn pass(&self) -> Option<Position> {
        let chess = self.chess.clone().swap_turn().ok()?;
        let key = self.key ^ Zobrist64::zobrist_for_white_turn() ^ en_passant_key(&self.chess);
        Some(Position { chess, key })
    }

    /// Whether the side to move has no legal move. Cheap in nearly every position: one man that
    /// can neither be pinned nor blocked answers it.
    pub fn has_no_moves(&self) -> bool {
        let chess = &self.chess;
        let (board, us) = (chess.board(), chess.us());
        if !chess.is_check() {
            let king = chess.our(Role::King).first();
            let exposed = king.map(|king| attacks::queen_attacks(king, board.occupied()));
            // A man whose line to the king is closed cannot be pinned.
            let free = us & !board.kings() & !exposed.unwrap_or_default();
            for square in free & !board.pawns() {
                if (board.attacks_from(square) & !us).any() {
                    return false;
                }
            }
            let pawns = free & board.pawns();
            if (crate::geometry::step(chess.turn(), pawns) & !board.occupied()).any() {
                return false;
            }
        }
        chess.legal_moves().is_empty()
    }
}

fn castling_key(chess: &Chess) -> Zobrist64 {
    let mut key = Zobrist64::default();
    if chess.castles().any() {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if chess.castles().has(color, side) {
                    key ^= Zobrist64::zobrist_for_castling_right(color, side);
                }
            }
        }
    }
    key
}

fn en_passant_key(chess: &Chess) -> Zobrist64 {
    match chess.legal_ep_square() {
        Some(square) => Zobrist64::zobrist_for_en_passant_file(square.file()),
        None => Zobrist64::default(),
    }
}

/// A position and the moves that led to it, as far as repetitions need them.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    /// Keys of the positions before the current one, oldest first.
    before: Vec<u64>,
}

/// Why a FEN was refused.
#[derive(Clone, Debug, Error)]
pub enum FenError {
    /// It cannot be read.
    #[error("not a FEN: {0}")]
    Syntax(#[from] ParseFenError),
    /// It can be read, but no game can go on from there.
    #[error("not a playable position: {0}")]
    Position(Box<PositionError<Chess>>),
}

impl Game {
    /// A game that starts from a FEN of four to six fields, castling rights in standard, X-FEN or
    /// Shredder notation. `mode` is [`CastlingMode::Chess960`] where the user says so; otherwise
    /// the castling rights tell.
    ///
    /// What does not hinder play is put right in silence: castling rights without their king and
    /// rook, an en passant square no pawn has passed, more men than a game can bring forth, and
    /// checks no last move can have given.
    ///
    /// # Errors
    ///
    /// If the FEN cannot be read, a king is missing or in check while the other side is to move,
    /// there are too many kings, or pawns stand on a back rank.
    ///
    /// ```
    /// use tropism::search::Game;
    /// assert!(Game::from_fen("4k3/8/8/8/8/8/8/4K2R w K -", None).is_ok());
    /// assert!(Game::from_fen("8/8/8/8/8/8/8/8 w - - 0 1", None).is_err());
    /// ```
    pub fn from_fen(fen: &str, mode: Option<CastlingMode>) -> Result<Game, FenError> {
        let setup = fen.parse::<Fen>()?.into_setup();
        let mode = mode.unwrap_or_else(|| CastlingMode::detect(&setup));
        let chess = setup
            .position(mode)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .map_err(|error| FenError::Position(Box::new(error)))?;
        Ok(Game::new(chess))
    }

    /// A game that starts here.
    pub fn new(start: Chess) -> Game {
        Game { position: Position::new(start), before: Vec::new() }
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.before.push(self.position.key());
        self.position = self.position.play(m);
    }

    /// Whether any position has come back since the last capture or pawn move.
    pub fn has_repeated(&self) -> bool {
        let keys = self.keys();
        let reversible = self.position.chess.halfmoves() as usize;
        let recent = &keys[(keys.len() - 1).saturating_sub(reversible)..];
        recent.iter().enumerate().any(|(at, key)| recent[..at].contains(key))
    }

    /// The keys from the first position on, the current one last.
    pub fn keys(&self) -> Vec<u64> {
        let mut keys = self.before.clone();
        keys.push(self.position.key());
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FENS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
        "7k/5Q2/8/8/8/8/8/6K1 b - - 0 1",
    ];

    fn position(fen: &str) -> Position {
        Game::from_fen(fen, None).unwrap().position().clone()
    }

    fn walk(position: &Position, depth: u32, check: &mut impl FnMut(&Position)) {
        check(position);
        if depth > 0 {
            for m in position.chess().legal_moves() {
                walk(&position.play(m), depth - 1, check);
            }
        }
    }

    #[test]
    fn the_key_kept_up_to_date_is_the_key_from_scratch() {
        for fen in FENS {
            walk(&position(fen), 3, &mut |position| {
                let scratch: Zobrist64 = position.chess.zobrist_hash(EnPassantMode::Legal);
                assert_eq!(position.key, scratch, "{:?}", position.chess);
                if let Some(passed) = position.pass() {
                    let scratch: Zobrist64 = passed.chess.zobrist_hash(EnPassantMode::Legal);
                    assert_eq!(passed.key, scratch, "{:?}", passed.chess);
                }
            });
        }
        assert_eq!(position(FENS[0]).key(), 0x463b_9618_1691_fc9c);
    }

    #[test]
    fn the_quick_look_for_moves_agrees_with_generating_them() {
        let mut without = 0;
        for fen in FENS {
            walk(&position(fen), 3, &mut |position| {
                let none = position.chess().legal_moves().is_empty();
                assert_eq!(position.has_no_moves(), none, "{:?}", position.chess);
                without += u32::from(none);
            });
        }
        assert!(without > 0);
    }
}
