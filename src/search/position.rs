//! Positions with their hash keys, and the game that led to one.

use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, Move, Piece, Position as _,
    PositionError, Role, Square,
    fen::{Fen, ParseFenError},
    zobrist::{Zobrist64, ZobristValue},
};
use thiserror::Error;

/// A chess position with what the search asks of it again and again, kept up to date move by move:
/// its keys and who gives check.
#[derive(Clone, Debug)]
pub struct Position {
    chess: Chess,
    key: Zobrist64,
    /// What the en passant square adds to the key.
    en_passant: Zobrist64,
    pawn_key: Zobrist64,
    material: u64,
    checkers: Bitboard,
}

impl Position {
    /// Wraps a position; its keys are computed from scratch.
    pub fn new(chess: Chess) -> Position {
        let board = chess.board();
        let mut pawn_key = Zobrist64::default();
        let mut material = 0;
        for (square, piece) in board {
            if piece.role == Role::Pawn {
                pawn_key ^= Zobrist64::zobrist_for_piece(square, piece);
            }
            material += material_of(piece);
        }
        Position {
            key: chess.zobrist_hash(EnPassantMode::Legal),
            en_passant: en_passant_key(&chess),
            pawn_key,
            material,
            checkers: chess.checkers(),
            chess,
        }
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

    /// The Zobrist key of the pawns alone: equal wherever both sides' pawns stand the same.
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.pawn_key.0
    }

    /// The number of men of each kind, kings excepted, six bits a kind: equal for positions with
    /// the same material.
    #[inline]
    pub fn material_key(&self) -> u64 {
        self.material
    }

    /// The men that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// The position after a legal move.
    #[must_use]
    pub fn play(&self, m: Move) -> Position {
        let mut next = self.clone();
        next.chess.play_unchecked(m);
        next.key ^= Zobrist64::zobrist_for_white_turn();
        let turn = self.chess.turn();
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                next.toggle(role.of(turn), from);
                next.toggle(promotion.unwrap_or(role).of(turn), to);
                if let Some(new) = promotion {
                    next.material += material_of(new.of(turn));
                    next.material -= material_of(turn.pawn());
                }
                if let Some(captured) = capture {
                    next.take(captured.of(!turn), to);
                }
            }
            Move::EnPassant { from, to } => {
                next.toggle(turn.pawn(), from);
                next.toggle(turn.pawn(), to);
                next.take((!turn).pawn(), Square::from_coords(to.file(), from.rank()));
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                next.toggle(turn.king(), king);
                next.toggle(turn.rook(), rook);
                next.toggle(turn.king(), side.king_to(turn));
                next.toggle(turn.rook(), side.rook_to(turn));
            }
            // No such move in chess.
            Move::Put { .. } => {}
        }
        if self.chess.castles().castling_rights() != next.chess.castles().castling_rights() {
            next.key ^= castling_key(&self.chess) ^ castling_key(&next.chess);
        }
        next.en_passant = en_passant_key(&next.chess);
        next.key ^= self.en_passant ^ next.en_passant;
        next.checkers = next.chess.checkers();
        next
    }

    /// The position after passing, or `None` where that is not possible.
    pub fn pass(&self) -> Option<Position> {
        let chess = self.chess.clone().swap_turn().ok()?;
        let key = self.key ^ Zobrist64::zobrist_for_white_turn() ^ self.en_passant;
        let en_passant = Zobrist64::default();
        Some(Position { chess, key, en_passant, checkers: Bitboard::EMPTY, ..*self })
    }

    fn toggle(&mut self, piece: Piece, square: Square) {
        let key = Zobrist64::zobrist_for_piece(square, piece);
        self.key ^= key;
        if piece.role == Role::Pawn {
            self.pawn_key ^= key;
        }
    }

    fn take(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
        self.material -= material_of(piece);
    }
}

/// One man of this kind in the material key. There are never more than 62 of a kind, so six bits
/// hold them.
fn material_of(piece: Piece) -> u64 {
    match piece.role {
        Role::King => 0,
        role => 1 << (6 * (5 * usize::from(piece.color.is_black()) + role as usize - 1)),
    }
}

fn castling_key(chess: &Chess) -> Zobrist64 {
    let mut key = Zobrist64::default();
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if chess.castles().has(color, side) {
                key ^= Zobrist64::zobrist_for_castling_right(color, side);
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
    fn what_is_kept_up_to_date_is_what_it_is_from_scratch() {
        for fen in FENS {
            walk(&position(fen), 3, &mut |position| {
                for position in [Some(position.clone()), position.pass()].into_iter().flatten() {
                    let scratch = Position::new(position.chess.clone());
                    assert_eq!(position.key, scratch.key, "{:?}", position.chess);
                    assert_eq!(position.en_passant, scratch.en_passant, "{:?}", position.chess);
                    assert_eq!(position.pawn_key, scratch.pawn_key, "{:?}", position.chess);
                    assert_eq!(position.material, scratch.material, "{:?}", position.chess);
                    assert_eq!(position.checkers, scratch.checkers, "{:?}", position.chess);
                }
            });
        }
        assert_eq!(position(FENS[0]).key(), 0x463b_9618_1691_fc9c);
    }

    #[test]
    fn men_of_each_kind_have_their_own_bits() {
        let board = "k7/8/8/8/8/8/NNNNNNNN/NNNNNNNK w - - 0 1";
        assert_eq!(position(board).material_key(), 15 << 6);
        let start = position(FENS[0]).material_key();
        assert_eq!(start & ((1 << 30) - 1), 8 | 2 << 6 | 2 << 12 | 2 << 18 | 1 << 24);
        assert_eq!(start >> 30, start & ((1 << 30) - 1));
    }
}
