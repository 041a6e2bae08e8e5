//! Placements: where all pieces of an ending but Black's king are.

use shakmaty::{Bitboard, ByColor, Color, Piece, Role, Square, attacks};

/// For each placement with White's king on one square, a set of squares of Black's king.
pub type Sets = Vec<Bitboard>;

/// The placements of an ending with White's king on one square: one, 64, or 64 times 64.
#[derive(Clone, Copy, Debug)]
pub struct Placements<'a> {
    /// All pieces but the kings, at most two.
    pub pieces: &'a [Piece],
}

impl Placements<'_> {
    pub fn len(&self) -> usize {
        1 << (6 * self.pieces.len())
    }

    /// The squares of the pieces.
    pub fn squares(&self, placement: usize) -> impl Iterator<Item = Square> + Clone {
        let bits = (0..self.pieces.len() as u32).rev().map(|piece| 6 * piece);
        bits.map(move |bits| Square::new((placement >> bits & 63) as u32))
    }

    /// Whether a side has more than its king.
    pub fn has_pieces(&self, color: Color) -> bool {
        self.pieces.iter().any(|piece| piece.color == color)
    }

    /// For each side to move, the squares of Black's king with which a placement is a legal position.
    pub fn legal(&self, king: Square, squares: &[Square]) -> ByColor<Bitboard> {
        let mut occupied = Bitboard::from_square(king);
        for (piece, &square) in self.pieces.iter().zip(squares) {
            let is_pawn_on_edge = piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(square);
            if occupied.contains(square) || is_pawn_on_edge {
                return ByColor::default();
            }
            occupied.add(square);
        }
        let free = !(occupied | attacks::king_attacks(king));
        let mut legal = ByColor { black: free, white: free };
        for (&piece, &square) in self.pieces.iter().zip(squares) {
            // Black's king is left out of the board: it cannot step back along the line of a check.
            let attacked = attacks::attacks(square, piece, occupied);
            if piece.color.is_white() {
                legal.white &= !attacked;
            } else if attacked.contains(king) {
                // With Black to move, its king must stand in the way.
                legal.black &= attacks::between(square, king);
            }
        }
        legal
    }
}
