//! The table of one ending.

use super::symmetry::{above_diagonal, fold, king_squares};
use super::{Dtm, Material, set_up};
use arrayvec::ArrayVec;
use rayon::prelude::*;
use shakmaty::{Board, ByColor, Chess, Color, Piece, Square};

/// An entry without a distance: a draw.
pub const DRAWN: u8 = 0;
/// An entry whose position cannot arise.
pub const ILLEGAL: u8 = u8::MAX;

/// Distances are stored one higher, so that mate on the board is not [`DRAWN`].
pub const fn encode(plies: u8) -> u8 {
    plies + 1
}

#[inline]
fn decode(entry: u8) -> Option<Dtm> {
    match entry {
        ILLEGAL => None,
        DRAWN => Some(Dtm::Draw),
        entry if entry % 2 == 1 => Some(Dtm::Loss(entry - 1)),
        entry => Some(Dtm::Win(entry - 1)),
    }
}

/// The squares of an ending's pieces, one for each, in the order of [`Material::pieces`].
pub type Squares = ArrayVec<Square, { Material::MAX_PIECES }>;

/// Exact distance to mate for every position of one ending, both sides to move.
///
/// A position takes one byte. Positions that differ only by a rotation or reflection of the board share one entry;
/// with pawns, only a reflection that exchanges the files a and h. The fifty-move rule is not considered.
pub struct Table {
    pieces: Vec<Piece>,
    has_pawns: bool,
    /// By the number of White's king, then six bits for each piece, then six bits for Black's king.
    pub(super) entries: ByColor<Vec<u8>>,
}

impl Table {
    /// A table in which no position can arise.
    pub(super) fn new(material: Material) -> Table {
        let has_pawns = material.has_pawns();
        let pieces = material.pieces();
        let len = king_squares(has_pawns).len() << (6 * (pieces.len() - 1));
        Table { pieces, has_pawns, entries: ByColor::new_with(|_| vec![ILLEGAL; len]) }
    }

    /// The table's size in bytes.
    pub fn size(&self) -> usize {
        self.entries.white.len() + self.entries.black.len()
    }

    /// The pieces, in the order in which [`Squares`] gives their squares.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The value for `turn`, the side to move, with the pieces on these squares; none if the position cannot arise.
    #[inline]
    pub fn get(&self, turn: Color, squares: &[Square]) -> Option<Dtm> {
        decode(*self.entries.get(turn).get(self.entry(squares)?)?)
    }

    #[inline]
    fn entry(&self, squares: &[Square]) -> Option<usize> {
        let [king, bare, others @ ..] = squares else { return None };
        let folded = fold(*king, self.has_pawns);
        let squares = others.iter().chain([bare]);
        Some(squares.fold(folded.number, |index, &square| {
            index << 6 | usize::from(folded.image.square(square))
        }))
    }

    /// The squares of the entry with this index. Some positions have two or four entries: those with two equal pieces,
    /// and those with White's king on the long diagonal. There are squares for one of them only.
    fn squares(&self, index: usize) -> Option<Squares> {
        let others = self.pieces.len() - 2;
        let square = |number: usize| Square::new((index >> (6 * number) & 63) as u32);
        let king = king_squares(self.has_pawns).nth(index >> (6 * (others + 1)));
        let pieces = (1..=others).rev().map(square);
        let squares: Squares = king.into_iter().chain([square(0)]).chain(pieces).collect();
        let is_repeated = match (&self.pieces[2..], &squares[2..]) {
            ([piece, other], [square, second]) => piece == other && square > second,
            _ => false,
        };
        let [king, bare] = [0, 1].map(|king| above_diagonal(squares[king]));
        let is_reflected = !self.has_pawns && king == 0 && bare > 0;
        (!is_repeated && !is_reflected).then_some(squares)
    }

    /// The position with the pieces on these squares; none if shakmaty rejects it as illegal.
    pub fn position(&self, turn: Color, squares: &[Square]) -> Option<Chess> {
        let mut board = Board::empty();
        for (&piece, &square) in self.pieces.iter().zip(squares) {
            board.set_piece_at(square, piece);
        }
        set_up(board, turn)
    }

    /// All positions of the table with `turn` to move: their squares, their value, and the number of positions on the
    /// board that they stand for: 4 or 8, with pawns 2.
    pub fn positions(&self, turn: Color) -> impl ParallelIterator<Item = (Squares, Dtm, u64)> {
        let entries = self.entries.get(turn).par_iter().enumerate();
        entries.filter_map(|(index, &entry)| {
            let value = decode(entry)?;
            let squares = self.squares(index)?;
            let on_diagonal = |king: usize| above_diagonal(squares[king]) == 0;
            let images = match (self.has_pawns, on_diagonal(0) && on_diagonal(1)) {
                (true, _) => 2,
                (false, true) => 4,
                (false, false) => 8,
            };
            Some((squares, value, images))
        })
    }
}
