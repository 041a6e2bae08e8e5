//! Positions with their hash keys, and the game that led to one.

use crate::notation::{FenError, read_fen};
use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, Move, Piece, Position as _,
    Square,
    zobrist::{Zobrist64, ZobristValue},
};
use std::fmt;

/// A chess position with its hash key and its checkers, which each move updates.
#[derive(Clone, Debug)]
pub struct Position {
    chess: Chess,
    key: Zobrist64,
    /// The part of the key that belongs to the en passant square.
    en_passant: Zobrist64,
    checkers: Bitboard,
}

/// The key of the position after a move, unless the move changes castling rights or allows an en passant capture.
#[derive(Copy, Clone, Debug)]
pub(crate) struct LikelyKey(Zobrist64);

impl LikelyKey {
    /// The key as a number.
    pub(crate) fn get(self) -> u64 {
        self.0.0
    }
}

impl Position {
    /// Computes key and checkers of a position.
    pub fn new(chess: Chess) -> Position {
        Position {
            key: chess.zobrist_hash(EnPassantMode::Legal),
            en_passant: en_passant_key(&chess),
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

    /// The pieces that give check.
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
        self.play_to(m, self.likely_key_after(m))
    }

    /// The position after a legal move, where its likely key is known already.
    pub(crate) fn play_to(&self, m: Move, likely_key: LikelyKey) -> Position {
        let mut chess = self.chess.clone();
        chess.play_unchecked(m);
        let LikelyKey(mut key) = likely_key;
        if self.chess.castles().castling_rights() != chess.castles().castling_rights() {
            key ^= castling_key(&self.chess) ^ castling_key(&chess);
        }
        let en_passant = en_passant_key(&chess);
        key ^= en_passant;
        let checkers = chess.checkers();
        Position { chess, key, en_passant, checkers }
    }

    /// The key after a legal move that changes no castling right and allows no en passant capture. The key after
    /// another move is that of some other position, which does no harm where the key is only a hint.
    pub(crate) fn likely_key_after(&self, m: Move) -> LikelyKey {
        let turn = self.chess.turn();
        let piece = |piece: Piece, square| Zobrist64::zobrist_for_piece(square, piece);
        let change = match m {
            Move::Normal { role, from, capture, to, promotion } => {
                let moved =
                    piece(role.of(turn), from) ^ piece(promotion.unwrap_or(role).of(turn), to);
                capture.map_or(moved, |captured| moved ^ piece(captured.of(!turn), to))
            }
            Move::EnPassant { from, to } => {
                let captured = Square::from_coords(to.file(), from.rank());
                piece(turn.pawn(), from) ^ piece(turn.pawn(), to) ^ piece((!turn).pawn(), captured)
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                piece(turn.king(), king)
                    ^ piece(turn.rook(), rook)
                    ^ piece(turn.king(), side.king_to(turn))
                    ^ piece(turn.rook(), side.rook_to(turn))
            }
            // No such move in chess.
            Move::Put { .. } => Zobrist64::default(),
        };
        LikelyKey(self.key ^ Zobrist64::zobrist_for_white_turn() ^ self.en_passant ^ change)
    }

    /// The position after a null move. Returns `None` where it is illegal, as in check.
    pub(crate) fn null_move(&self) -> Option<Position> {
        let chess = self.chess.clone().swap_turn().ok()?;
        let key = self.key ^ Zobrist64::zobrist_for_white_turn() ^ self.en_passant;
        let en_passant = Zobrist64::default();
        Some(Position { chess, key, en_passant, checkers: Bitboard::EMPTY })
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

/// A position, and the keys of the earlier positions of its game for repetitions.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    /// Keys of the positions before the current one, oldest first.
    before: Vec<u64>,
}

impl Game {
    /// A game that starts from a FEN of four to six fields, with castling rights in standard, X-FEN or Shredder
    /// notation. Without `mode`, the castling rights determine the castling mode. Quotation marks, a PGN tag or a link of
    /// Lichess or chess.com may be around it.
    ///
    /// Some faults are corrected or accepted without an error: castling rights without king and rook in place, an
    /// en passant square that no pawn has passed, more pieces than a game can have, and impossible checks.
    ///
    /// # Errors
    ///
    /// If the FEN cannot be parsed, a side has no king or several, the king of the side that is not to move is in
    /// check, or a pawn is on the first or last rank.
    ///
    /// ```
    /// use tropism::search::Game;
    /// assert!(Game::from_fen("4k3/8/8/8/8/8/8/4K2R w K -", None).is_ok());
    /// assert!(Game::from_fen("8/8/8/8/8/8/8/8 w - - 0 1", None).is_err());
    /// ```
    pub fn from_fen(fen: &str, mode: Option<CastlingMode>) -> Result<Game, FenError> {
        Ok(Game::new(read_fen(fen, mode)?))
    }

    /// A game that starts from this position.
    pub fn new(start: Chess) -> Game {
        Game { position: Position::new(start), before: Vec::new() }
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.before.push(self.position.key());
        self.position = self.position.play(m);
    }

    /// How the game has ended by the rules; `None` if it goes on. A third repetition and the fifty-move rule end it
    /// without a claim.
    ///
    /// ```
    /// use tropism::search::{Game, GameOutcome};
    /// let game = Game::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - -", None)?;
    /// assert_eq!(game.outcome(), Some(GameOutcome::Stalemate));
    /// # Ok::<(), tropism::search::FenError>(())
    /// ```
    pub fn outcome(&self) -> Option<GameOutcome> {
        let chess = self.position.chess();
        if chess.legal_moves().is_empty() {
            return Some(if self.position.is_check() {
                GameOutcome::Checkmate { winner: !chess.turn() }
            } else {
                GameOutcome::Stalemate
            });
        }
        let key = self.position.key();
        if chess.is_insufficient_material() {
            Some(GameOutcome::InsufficientMaterial)
        } else if self.before.iter().filter(|&&before| before == key).count() >= 2 {
            Some(GameOutcome::Repetition)
        } else if chess.halfmoves() >= 100 {
            Some(GameOutcome::FiftyMoves)
        } else {
            None
        }
    }

    /// Whether any position has occurred twice since the last capture or pawn move.
    pub(crate) fn has_repeated(&self) -> bool {
        let keys = self.keys();
        let reversible = self.position.chess.halfmoves() as usize;
        let recent = &keys[(keys.len() - 1).saturating_sub(reversible)..];
        recent.iter().enumerate().any(|(at, key)| recent[..at].contains(key))
    }

    /// The keys of all positions, oldest first and the current one last.
    pub fn keys(&self) -> Vec<u64> {
        let mut keys = self.before.clone();
        keys.push(self.position.key());
        keys
    }
}

/// How a game has ended by the rules.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum GameOutcome {
    /// The side to move is checkmated.
    Checkmate {
        /// The side that has won.
        winner: Color,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side has enough material for a mate.
    InsufficientMaterial,
    /// The position has occurred three times.
    Repetition,
    /// Neither side has captured or moved a pawn in its last fifty moves.
    FiftyMoves,
}

impl GameOutcome {
    /// The winner; `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameOutcome::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// The result as PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(self) -> &'static str {
        self.winner().map_or("1/2-1/2", |winner| winner.fold_wb("1-0", "0-1"))
    }
}

impl fmt::Display for GameOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameOutcome::Checkmate { winner: Color::White } => "White wins by checkmate",
            GameOutcome::Checkmate { winner: Color::Black } => "Black wins by checkmate",
            GameOutcome::Stalemate => "draw by stalemate",
            GameOutcome::InsufficientMaterial => "draw by insufficient material",
            GameOutcome::Repetition => "draw by threefold repetition",
            GameOutcome::FiftyMoves => "draw by the fifty-move rule",
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Calls a function for positions with castling, en passant with and without its pins, promotions, checks, double
    /// checks, pins, stalemate and Chess960, and for all that follow them within so many moves.
    pub fn each_position(depth: u32, mut check: impl FnMut(&Position)) {
        for fen in include_str!("positions.txt").lines() {
            walk(&position(fen), depth, &mut check);
        }
    }

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
    fn updated_keys_equal_keys_from_scratch() {
        each_position(3, |position| {
            for position in [Some(position.clone()), position.null_move()].into_iter().flatten() {
                let scratch = Position::new(position.chess.clone());
                assert_eq!(position.key, scratch.key, "{:?}", position.chess);
                assert_eq!(position.en_passant, scratch.en_passant, "{:?}", position.chess);
                assert_eq!(position.checkers, scratch.checkers, "{:?}", position.chess);
            }
        });
        assert_eq!(Position::new(Chess::default()).key(), 0x463b_9618_1691_fc9c);
    }

    #[test]
    fn the_rules_end_a_game() {
        let outcome = |fen: &str| Game::from_fen(fen, None).unwrap().outcome();
        let won = |winner| Some(GameOutcome::Checkmate { winner });
        assert_eq!(outcome("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"), won(Color::White));
        assert_eq!(outcome("8/8/8/8/8/8/5kq1/7K w - - 0 1"), won(Color::Black));
        assert_eq!(outcome("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some(GameOutcome::Stalemate));
        for fen in ["7k/8/6K1/8/8/8/8/B7 b - - 0 1", "7k/8/6K1/8/8/8/8/N7 b - - 0 1"] {
            assert_eq!(outcome(fen), Some(GameOutcome::InsufficientMaterial));
        }
        // Two knights can mate, though not against the best defence.
        assert_eq!(outcome("7k/8/6K1/8/8/8/8/NN6 b - - 0 1"), None);
        assert_eq!(outcome("7k/8/6K1/8/8/8/8/R7 b - - 99 90"), None);
        assert_eq!(outcome("7k/8/6K1/8/8/8/8/R7 b - - 100 90"), Some(GameOutcome::FiftyMoves));
        // A mate on the hundredth halfmove wins.
        assert_eq!(outcome("R6k/8/6K1/8/8/8/8/8 b - - 100 90"), won(Color::White));
        assert_eq!(won(Color::White).and_then(GameOutcome::winner), Some(Color::White));
        assert_eq!(GameOutcome::FiftyMoves.winner(), None);
        let described =
            |fen: &str| outcome(fen).map(|outcome| (outcome.to_string(), outcome.result()));
        let mate = described("8/8/8/8/8/8/5kq1/7K w - - 0 1");
        assert_eq!(mate, Some(("Black wins by checkmate".to_owned(), "0-1")));
        let stalemate = described("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        assert_eq!(stalemate, Some(("draw by stalemate".to_owned(), "1/2-1/2")));
    }

    #[test]
    fn the_third_occurrence_of_a_position_is_a_draw() {
        use Square::{A1, A2, G8, H8};
        let mut game = Game::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1", None).unwrap();
        for round in 1..=2 {
            for (from, to) in [(A1, A2), (H8, G8), (A2, A1), (G8, H8)] {
                assert_eq!(game.outcome(), None);
                let legal = game.position().chess().legal_moves();
                game.play(*legal.iter().find(|m| m.from() == Some(from) && m.to() == to).unwrap());
            }
            assert_eq!(game.outcome(), (round == 2).then_some(GameOutcome::Repetition));
        }
    }
}
