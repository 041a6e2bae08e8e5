use crate::eval::{Sink, Term, View, Weight, WeightSpec, find};
use crate::geometry::{back_rank_distance, centre_manhattan, chebyshev};
use shakmaty::{Color, Role, Square};

/// Places every man by its distances: to the centre, to its own back rank, to the edge beside it, and
/// each piece to both kings.
pub struct Placement;

impl Term for Placement {
    const NAME: &'static str = "placement";
    const DOC: &'static str =
        "Each man has its place: so far from the centre, from home, from the edge, from the kings.";
    const SOURCE: &'static str =
        "Chess Programming Wiki, Center Manhattan-Distance, Piece-Square Tables and King Tropism";
    const WEIGHTS: &'static [WeightSpec] = &[
        WeightSpec::array("pawn_centre", 7, "a pawn 0 to 6 rook steps from the centre"),
        WeightSpec::array("pawn_home", 8, "a pawn 0 to 7 ranks from its back rank"),
        WeightSpec::array("pawn_edge", 4, "a pawn 0 to 3 files from the edge"),
        WeightSpec::array("knight_centre", 7, "a knight 0 to 6 rook steps from the centre"),
        WeightSpec::array("knight_home", 8, "a knight 0 to 7 ranks from its back rank"),
        WeightSpec::array("knight_edge", 4, "a knight 0 to 3 files from the edge"),
        WeightSpec::array("knight_own_king", 8, "a knight 0 to 7 king moves from its king"),
        WeightSpec::array("knight_king", 8, "a knight 0 to 7 king moves from the enemy king"),
        WeightSpec::array("bishop_centre", 7, "a bishop 0 to 6 rook steps from the centre"),
        WeightSpec::array("bishop_home", 8, "a bishop 0 to 7 ranks from its back rank"),
        WeightSpec::array("bishop_edge", 4, "a bishop 0 to 3 files from the edge"),
        WeightSpec::array("bishop_own_king", 8, "a bishop 0 to 7 king moves from its king"),
        WeightSpec::array("bishop_king", 8, "a bishop 0 to 7 king moves from the enemy king"),
        WeightSpec::array("rook_centre", 7, "a rook 0 to 6 rook steps from the centre"),
        WeightSpec::array("rook_home", 8, "a rook 0 to 7 ranks from its back rank"),
        WeightSpec::array("rook_edge", 4, "a rook 0 to 3 files from the edge"),
        WeightSpec::array("rook_own_king", 8, "a rook 0 to 7 king moves from its king"),
        WeightSpec::array("rook_king", 8, "a rook 0 to 7 king moves from the enemy king"),
        WeightSpec::array("queen_centre", 7, "a queen 0 to 6 rook steps from the centre"),
        WeightSpec::array("queen_home", 8, "a queen 0 to 7 ranks from its back rank"),
        WeightSpec::array("queen_edge", 4, "a queen 0 to 3 files from the edge"),
        WeightSpec::array("queen_own_king", 8, "a queen 0 to 7 king moves from its king"),
        WeightSpec::array("queen_king", 8, "a queen 0 to 7 king moves from the enemy king"),
        WeightSpec::array("king_centre", 7, "a king 0 to 6 rook steps from the centre"),
        WeightSpec::array("king_home", 8, "a king 0 to 7 ranks from its back rank"),
        WeightSpec::array("king_edge", 4, "a king 0 to 3 files from the edge"),
    ];
    const WITH_BARE_KING: bool = false;

    fn new(_: &[i32]) -> Self {
        Placement
    }

    fn measure<S: Sink>(&self, view: &View, side: Color, sink: &mut S) {
        const PAWN: Place = Place::new("pawn_centre", "pawn_home", "pawn_edge");
        const KNIGHT: Place = Place::new("knight_centre", "knight_home", "knight_edge");
        const BISHOP: Place = Place::new("bishop_centre", "bishop_home", "bishop_edge");
        const ROOK: Place = Place::new("rook_centre", "rook_home", "rook_edge");
        const QUEEN: Place = Place::new("queen_centre", "queen_home", "queen_edge");
        const KING: Place = Place::new("king_centre", "king_home", "king_edge");
        const PIECES: [(Place, Weight, Weight); 4] = [
            (KNIGHT, weight("knight_own_king"), weight("knight_king")),
            (BISHOP, weight("bishop_own_king"), weight("bishop_king")),
            (ROOK, weight("rook_own_king"), weight("rook_king")),
            (QUEEN, weight("queen_own_king"), weight("queen_king")),
        ];
        let (own, enemy) = (view.side(side), view.side(!side));
        for pawn in own.pawns {
            PAWN.measure(side, pawn, sink);
        }
        for piece in &own.pieces {
            let (place, own_king, enemy_king) = PIECES[piece.role as usize - Role::Knight as usize];
            place.measure(side, piece.square, sink);
            sink.add(own_king.at(chebyshev(piece.square, own.king)), 1, piece.square);
            sink.add(enemy_king.at(chebyshev(piece.square, enemy.king)), 1, piece.square);
        }
        KING.measure(side, own.king, sink);
    }
}

/// The weights of a man's distances to the board.
#[derive(Copy, Clone)]
struct Place {
    centre: Weight,
    home: Weight,
    edge: Weight,
}

impl Place {
    const fn new(centre: &str, home: &str, edge: &str) -> Place {
        Place { centre: weight(centre), home: weight(home), edge: weight(edge) }
    }

    #[inline]
    fn measure(&self, side: Color, square: Square, sink: &mut impl Sink) {
        let file = square.file().to_u32();
        sink.add(self.centre.at(centre_manhattan(square)), 1, square);
        sink.add(self.home.at(back_rank_distance(side, square)), 1, square);
        sink.add(self.edge.at(file.min(7 - file)), 1, square);
    }
}

const fn weight(name: &str) -> Weight {
    find(Placement::WEIGHTS, name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::assert_measured;

    #[test]
    fn measures_both_distances_of_each_man() {
        let fen = "4k3/8/8/8/5N2/8/8/K7 w - - 0 1";
        assert_measured(
            &Placement,
            fen,
            Color::White,
            &[
                ("knight_centre 1", 1, Square::F4),
                ("knight_home 3", 1, Square::F4),
                ("king_centre 6", 1, Square::A1),
                ("king_home 0", 1, Square::A1),
            ],
        );
        assert_measured(
            &Placement,
            fen,
            Color::Black,
            &[("king_centre 3", 1, Square::E8), ("king_home 0", 1, Square::E8)],
        );
    }
}
