use crate::eval::{EvalContext, Scope, Sink, Term, Weight, WeightSpec, find};
use crate::geometry::{back_rank_distance, chebyshev};
use shakmaty::{ByColor, Color, Square};

/// Places every piece by its distances: to its own back rank and to the edge beside it, and to both
/// kings. Pawns are the affair of their own term.
pub(super) struct Placement;

impl Term for Placement {
    const NAME: &'static str = "placement";
    const DOC: &'static str =
        "Each piece has its place: so far from home and from the edge, so far from both kings.";
    const SOURCE: &'static str =
        "Chess Programming Wiki, Piece-Square Tables and King Tropism; Slate and Atkin 1977";
    const WEIGHTS: &'static [WeightSpec] = &[
        WeightSpec::array(
            "knight",
            32,
            "a knight, place 0 to 31: four times its ranks from home and its files from the edge",
        ),
        WeightSpec::array("knight_own_king", 8, "a knight 0 to 7 king moves from its king"),
        WeightSpec::array("knight_king", 8, "a knight 0 to 7 king moves from the enemy king"),
        WeightSpec::array(
            "bishop",
            32,
            "a bishop, place 0 to 31: four times its ranks from home and its files from the edge",
        ),
        WeightSpec::array("bishop_own_king", 8, "a bishop 0 to 7 king moves from its king"),
        WeightSpec::array("bishop_king", 8, "a bishop 0 to 7 king moves from the enemy king"),
        WeightSpec::array(
            "rook",
            32,
            "a rook, place 0 to 31: four times its ranks from home and its files from the edge",
        ),
        WeightSpec::array("rook_own_king", 8, "a rook 0 to 7 king moves from its king"),
        WeightSpec::array("rook_king", 8, "a rook 0 to 7 king moves from the enemy king"),
        WeightSpec::array(
            "queen",
            32,
            "a queen, place 0 to 31: four times its ranks from home and its files from the edge",
        ),
        WeightSpec::array("queen_own_king", 8, "a queen 0 to 7 king moves from its king"),
        WeightSpec::array("queen_king", 8, "a queen 0 to 7 king moves from the enemy king"),
        WeightSpec::array(
            "king",
            32,
            "a king, place 0 to 31: four times its ranks from home and its files from the edge",
        ),
    ];
    const SCOPE: Scope = Scope::NotBareKing;

    fn new(_: &[i32]) -> Self {
        Placement
    }

    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        const KING: Weight = find(Placement::WEIGHTS, "king");
        const PIECES: [[Weight; 3]; 4] = [
            three("knight", "knight_own_king", "knight_king"),
            three("bishop", "bishop_own_king", "bishop_king"),
            three("rook", "rook_own_king", "rook_king"),
            three("queen", "queen_own_king", "queen_king"),
        ];
        let (own, enemy) = (context.side(side), context.side(!side));
        for piece in &own.pieces {
            let square = piece.square;
            let [at, own_king, king] = PIECES[piece.kind()];
            sink.add(at.at(place(side, square)), 1, square);
            sink.add(own_king.at(chebyshev(square, own.king)), 1, square);
            sink.add(king.at(chebyshev(square, enemy.king)), 1, square);
        }
        sink.add(KING.at(place(side, own.king)), 1, own.king);
    }
}

/// A place on either half of the board: four times the ranks from a side's back rank and the files
/// from the edge, 0 to 31.
#[inline]
pub(super) fn place(side: Color, square: Square) -> u32 {
    const PLACES: ByColor<[u8; 64]> =
        ByColor { white: places(Color::White), black: places(Color::Black) };
    u32::from(PLACES.get(side)[square.to_usize()])
}

const fn places(side: Color) -> [u8; 64] {
    let mut places = [0; 64];
    let mut square = 0;
    while square < 64 {
        places[square as usize] = computed_place(side, Square::new(square)) as u8;
        square += 1;
    }
    places
}

const fn computed_place(side: Color, square: Square) -> u32 {
    let file = square.file().to_u32();
    let from_edge = if file < 4 { file } else { 7 - file };
    4 * back_rank_distance(side, square) + from_edge
}

const fn three(at: &str, own_king: &str, king: &str) -> [Weight; 3] {
    [
        find(Placement::WEIGHTS, at),
        find(Placement::WEIGHTS, own_king),
        find(Placement::WEIGHTS, king),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::assert_measured;

    #[test]
    fn measures_the_distances_of_each_piece() {
        // f4 is three ranks from home and two files from the edge; e8 seven ranks from White's home.
        let fen = "4k3/8/8/8/5N2/8/P7/K7 w - - 0 1";
        assert_measured(
            &Placement,
            fen,
            Color::White,
            &[
                ("knight 14", 1, Square::F4),
                ("knight_own_king 5", 1, Square::F4),
                ("knight_king 4", 1, Square::F4),
                ("king 0", 1, Square::A1),
            ],
        );
        assert_measured(&Placement, fen, Color::Black, &[("king 3", 1, Square::E8)]);
    }

    #[test]
    fn both_halves_of_the_board_are_the_same_place() {
        for square in Square::ALL {
            let white = place(Color::White, square);
            assert_eq!(white, place(Color::White, square.flip_horizontal()));
            assert_eq!(white, place(Color::Black, square.flip_vertical()));
        }
        assert_eq!(place(Color::White, Square::H8), 28);
        assert_eq!(place(Color::White, Square::D4), 15);
    }
}
