use crate::eval::{Sink, Term, View, Weight, WeightSpec, find};
use crate::geometry::{back_rank_distance, centre_manhattan};
use shakmaty::{Color, Role};

/// Places every man by two distances: to the centre and to its own back rank.
pub struct Placement;

impl Term for Placement {
    const NAME: &'static str = "placement";
    const DOC: &'static str = "Each man has its place: so far from the centre, so far from home.";
    const SOURCE: &'static str = "Chess Programming Wiki, Center Manhattan-Distance";
    const WEIGHTS: &'static [WeightSpec] = &[
        WeightSpec::array("pawn_centre", 7, "a pawn 0 to 6 rook steps from the centre"),
        WeightSpec::array("pawn_home", 8, "a pawn 0 to 7 ranks from its back rank"),
        WeightSpec::array("knight_centre", 7, "a knight 0 to 6 rook steps from the centre"),
        WeightSpec::array("knight_home", 8, "a knight 0 to 7 ranks from its back rank"),
        WeightSpec::array("bishop_centre", 7, "a bishop 0 to 6 rook steps from the centre"),
        WeightSpec::array("bishop_home", 8, "a bishop 0 to 7 ranks from its back rank"),
        WeightSpec::array("rook_centre", 7, "a rook 0 to 6 rook steps from the centre"),
        WeightSpec::array("rook_home", 8, "a rook 0 to 7 ranks from its back rank"),
        WeightSpec::array("queen_centre", 7, "a queen 0 to 6 rook steps from the centre"),
        WeightSpec::array("queen_home", 8, "a queen 0 to 7 ranks from its back rank"),
        WeightSpec::array("king_centre", 7, "a king 0 to 6 rook steps from the centre"),
        WeightSpec::array("king_home", 8, "a king 0 to 7 ranks from its back rank"),
    ];

    fn new(_: &[i32]) -> Self {
        Placement
    }

    fn measure<S: Sink>(&self, view: &View, side: Color, sink: &mut S) {
        const WEIGHTS: [(Role, Weight, Weight); 6] = [
            both(Role::Pawn, "pawn_centre", "pawn_home"),
            both(Role::Knight, "knight_centre", "knight_home"),
            both(Role::Bishop, "bishop_centre", "bishop_home"),
            both(Role::Rook, "rook_centre", "rook_home"),
            both(Role::Queen, "queen_centre", "queen_home"),
            both(Role::King, "king_centre", "king_home"),
        ];
        for (role, centre, home) in WEIGHTS {
            for square in view.side(side).by_role(role) {
                sink.add(centre.at(centre_manhattan(square)), 1, square);
                sink.add(home.at(back_rank_distance(side, square)), 1, square);
            }
        }
    }
}

const fn both(role: Role, centre: &str, home: &str) -> (Role, Weight, Weight) {
    (role, find(Placement::WEIGHTS, centre), find(Placement::WEIGHTS, home))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::assert_measured;
    use shakmaty::Square;

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
