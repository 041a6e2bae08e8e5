use crate::eval::meaning::{Distance, FILES, KING_MOVES, RANKS, distance, enemy, own, place};
use crate::eval::{EvalContext, Scope, Sink, Term, Weight, theme};
use crate::geometry::{back_rank_distance, chebyshev};
use crate::term;
use shakmaty::{ByColor, Color, Square};

term! {
    /// Measures the square of every piece by its distances from the back rank of its side, from the edge
    /// and from both kings. Pawns have their own term.
    pub(super) struct Placement;

    name = "placement";
    doc = "Each piece has good squares: by its distances from home, the edge and both kings.";
    source = "Chess Programming Wiki, Piece-Square Tables and King Tropism; Slate and Atkin 1977";
    theme = theme::PIECES;
    is_spoken_for = true;
    scope = Scope::NotBareKing;

    weights {
        knight[32] = own("knight").both(home(), 4, edge());
        knight_own_king[8] = own("knight").is(distance(KING_MOVES, own("king")));
        knight_king[8] = own("knight").is(distance(KING_MOVES, enemy("king")));
        bishop[32] = own("bishop").both(home(), 4, edge());
        bishop_own_king[8] = own("bishop").is(distance(KING_MOVES, own("king")));
        bishop_king[8] = own("bishop").is(distance(KING_MOVES, enemy("king")));
        rook[32] = own("rook").both(home(), 4, edge());
        rook_own_king[8] = own("rook").is(distance(KING_MOVES, own("king")));
        rook_king[8] = own("rook").is(distance(KING_MOVES, enemy("king")));
        queen[32] = own("queen").both(home(), 4, edge());
        queen_own_king[8] = own("queen").is(distance(KING_MOVES, own("king")));
        queen_king[8] = own("queen").is(distance(KING_MOVES, enemy("king")));
        king[32] = own("king").both(home(), 4, edge());
    }
}

/// How far a piece is from the back rank of its side.
pub(super) fn home() -> Distance {
    distance(RANKS, place("its back rank")).zero("on its back rank")
}

/// How far a piece is from the nearer of the outer files.
pub(super) fn edge() -> Distance {
    distance(FILES, place("the edge")).zero("on an edge file")
}

impl Term for Placement {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        const PIECES: [[Weight; 3]; 4] = [
            [W.knight, W.knight_own_king, W.knight_king],
            [W.bishop, W.bishop_own_king, W.bishop_king],
            [W.rook, W.rook_own_king, W.rook_king],
            [W.queen, W.queen_own_king, W.queen_king],
        ];
        let (own, enemy) = (context.side(side), context.side(!side));
        for piece in &own.pieces {
            let square = piece.square;
            let [at, own_king, king] = PIECES[piece.kind()];
            sink.add(at.at(square_index(side, square)), 1, square);
            sink.add(own_king.at(chebyshev(square, own.king)), 1, square);
            sink.add(king.at(chebyshev(square, enemy.king)), 1, square);
        }
        sink.add(W.king.at(square_index(side, own.king)), 1, own.king);
    }
}

/// The index of a square, equal for mirrored files: four times the ranks from a side's back rank plus the
/// files from the edge, 0 to 31.
#[inline]
pub(super) fn square_index(side: Color, square: Square) -> u32 {
    const INDEXES: ByColor<[u8; 64]> =
        ByColor { white: indexes(Color::White), black: indexes(Color::Black) };
    u32::from(INDEXES.get(side)[square.to_usize()])
}

const fn indexes(side: Color) -> [u8; 64] {
    let mut indexes = [0; 64];
    let mut square = 0;
    while square < 64 {
        indexes[square as usize] = computed_index(side, Square::new(square)) as u8;
        square += 1;
    }
    indexes
}

const fn computed_index(side: Color, square: Square) -> u32 {
    4 * back_rank_distance(side, square) + files_from_edge(square)
}

/// The files between a square and the nearer of the outer files, 0 to 3.
#[inline]
pub(super) const fn files_from_edge(square: Square) -> u32 {
    let file = square.file().to_u32();
    if file < 4 { file } else { 7 - file }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_squares_have_the_same_index() {
        for square in Square::ALL {
            let white = square_index(Color::White, square);
            assert_eq!(white, square_index(Color::White, square.flip_horizontal()));
            assert_eq!(white, square_index(Color::Black, square.flip_vertical()));
        }
        assert_eq!(square_index(Color::White, Square::H8), 28);
        assert_eq!(square_index(Color::White, Square::D4), 15);
    }
}
