use super::king_mobility::{KingMobility, bishop_corners};
use crate::eval::{EvalContext, Scope, Sink, Term, Weight, WeightSpec, find};
use crate::geometry::{
    bishop_corner_distance, centre_manhattan, chebyshev, edge_distance, knight_distance, manhattan,
    relation_number,
};
use shakmaty::{Bitboard, Color, Square};

/// Mates with bishop and knight: the bare king must go to a corner of the bishop's colour.
///
/// Its distances are those of the four men to each other and to the two right and the two wrong
/// corners, and what the bare king can still reach when every square the others attack is closed: its
/// mobility-graph distances.
pub(super) struct Kbnk;

/// The last place of the arrays of the bare king's ways to corners.
const FAR_CORNER: u32 = 15;

impl Term for Kbnk {
    const NAME: &'static str = "kbnk";
    const DOC: &'static str =
        "Bishop and knight mate a bare king only in a corner of the bishop's colour.";
    const SOURCE: &'static str =
        "Chess Programming Wiki, KBNK Endgame (Isenberg); Levinson and Snyder 1993, Distance";
    const WEIGHTS: &'static [WeightSpec] = &[
        WeightSpec::pair("won", "knowing that the ending is won"),
        WeightSpec::array(
            "edge",
            8,
            "on the edge, the bare king 0 to 7 rook steps from the right corner",
        ),
        WeightSpec::array(
            "off_edge",
            8,
            "one step off the edge, 0 to 7 rook steps from the right corner",
        ),
        WeightSpec::array(
            "inner",
            8,
            "two steps off the edge, 0 to 7 rook steps from the right corner",
        ),
        WeightSpec::array("centre", 8, "in the centre, 0 to 7 rook steps from the right corner"),
        WeightSpec::array("kings", 36, "the kings 0 to 35 in the order of their relations"),
        WeightSpec::array("knight", 36, "knight and bare king 0 to 35 in the order of relations"),
        WeightSpec::array("bishop", 36, "bishop and bare king 0 to 35 in the order of relations"),
        WeightSpec::array("flight", 9, "0 to 8 squares the bare king can go to"),
        WeightSpec::array("flight_two", 26, "0 to 25 squares within two moves of the bare king"),
        WeightSpec::array(
            "territory",
            65,
            "0 to 64 squares the bare king could ever reach as the others stand",
        ),
        WeightSpec::array(
            "way_to_centre",
            12,
            "the bare king 0 to 11 of its moves from the centre, 11 if shut out",
        ),
        WeightSpec::array(
            "way_to_corner",
            16,
            "the bare king 0 to 15 of its moves from a right corner, 15 if shut out",
        ),
        WeightSpec::array(
            "way_to_wrong",
            16,
            "the bare king 0 to 15 of its moves from a wrong corner, 15 if shut out",
        ),
        WeightSpec::array("king_corner", 15, "the strong king 0 to 14 rook steps from the corner"),
        WeightSpec::array("knight_corner", 7, "the knight 0 to 6 knight moves from the corner"),
        WeightSpec::array("bishop_corner", 8, "the bishop 0 to 7 king moves from the corner"),
        WeightSpec::array("king_centre", 7, "the strong king 0 to 6 rook steps from the centre"),
        WeightSpec::array("king_knight", 8, "the strong king 0 to 7 king moves from the knight"),
        WeightSpec::array("king_bishop", 8, "the strong king 0 to 7 king moves from the bishop"),
        WeightSpec::array("knight_wrong", 7, "the knight 0 to 6 moves from the wrong corner"),
        WeightSpec::array(
            "king_wrong",
            15,
            "the strong king 0 to 14 rook steps from the wrong corner",
        ),
    ];
    const SCOPE: Scope = Scope::BareKing;
    const TUNED_FROM_GAMES: bool = false;

    fn new(_: &[i32]) -> Self {
        Kbnk
    }

    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        const WON: Weight = find(Kbnk::WEIGHTS, "won");
        let (strong, weak) = (context.side(side), context.side(!side));
        if !strong.is_bishop_and_knight() || !weak.is_bare() {
            return;
        }
        for (bishop, knight) in strong.bishops.into_iter().zip(strong.knights) {
            sink.add(WON, 1, weak.king);
            let men = Men { bare: weak.king, king: strong.king, knight, bishop };
            men.measure(sink);
            men.measure_mobility(&KingMobility::new(context, side), sink);
        }
    }
}

/// The squares of the four men.
struct Men {
    bare: Square,
    king: Square,
    knight: Square,
    bishop: Square,
}

impl Men {
    /// The corners the bishop can attack.
    fn right_corners(&self) -> Bitboard {
        bishop_corners(self.bishop)
    }

    fn wrong_corners(&self) -> Bitboard {
        Bitboard::CORNERS & !self.right_corners()
    }

    /// The corner nearest to the bare king, and of two the one nearer to its hunter; both if the
    /// hunter is as near to one as to the other.
    fn nearest(&self, corners: Bitboard) -> Bitboard {
        let steps = |corner| (manhattan(corner, self.bare), manhattan(corner, self.king));
        let least = corners.into_iter().map(steps).min();
        corners.into_iter().filter(|&corner| Some(steps(corner)) == least).collect()
    }

    /// Distances on the board as if it were empty.
    fn measure(&self, sink: &mut impl Sink) {
        const CORNER: [Weight; 4] = [
            find(Kbnk::WEIGHTS, "edge"),
            find(Kbnk::WEIGHTS, "off_edge"),
            find(Kbnk::WEIGHTS, "inner"),
            find(Kbnk::WEIGHTS, "centre"),
        ];
        const KINGS: Weight = find(Kbnk::WEIGHTS, "kings");
        const KNIGHT: Weight = find(Kbnk::WEIGHTS, "knight");
        const BISHOP: Weight = find(Kbnk::WEIGHTS, "bishop");
        const KING_CORNER: Weight = find(Kbnk::WEIGHTS, "king_corner");
        const KNIGHT_CORNER: Weight = find(Kbnk::WEIGHTS, "knight_corner");
        const BISHOP_CORNER: Weight = find(Kbnk::WEIGHTS, "bishop_corner");
        const KING_CENTRE: Weight = find(Kbnk::WEIGHTS, "king_centre");
        const KING_KNIGHT: Weight = find(Kbnk::WEIGHTS, "king_knight");
        const KING_BISHOP: Weight = find(Kbnk::WEIGHTS, "king_bishop");
        const KNIGHT_WRONG: Weight = find(Kbnk::WEIGHTS, "knight_wrong");
        const KING_WRONG: Weight = find(Kbnk::WEIGHTS, "king_wrong");
        let Men { bare, king, knight, bishop } = *self;
        let (right, wrong) =
            (self.nearest(self.right_corners()), self.nearest(self.wrong_corners()));
        let to = |corners: Bitboard, from: Square, distance: fn(Square, Square) -> u32| {
            corners.into_iter().map(|corner| distance(from, corner)).min().unwrap_or_default()
        };
        let corner = CORNER[edge_distance(bare) as usize];
        for (weight, distance, square) in [
            (corner, bishop_corner_distance(bishop, bare), bare),
            (KINGS, relation_number(king, bare), king),
            (KNIGHT, relation_number(knight, bare), knight),
            (BISHOP, relation_number(bishop, bare), bishop),
            (KING_CORNER, to(right, king, manhattan), king),
            (KNIGHT_CORNER, to(right, knight, knight_distance), knight),
            (BISHOP_CORNER, to(right, bishop, chebyshev), bishop),
            (KING_CENTRE, centre_manhattan(king), king),
            (KING_KNIGHT, chebyshev(king, knight), king),
            (KING_BISHOP, chebyshev(king, bishop), king),
            (KNIGHT_WRONG, to(wrong, knight, knight_distance), knight),
            (KING_WRONG, to(wrong, king, manhattan), king),
        ] {
            sink.add(weight.at(distance), 1, square);
        }
    }

    /// Distances of the bare king as the others stand.
    fn measure_mobility(&self, mobility: &KingMobility, sink: &mut impl Sink) {
        const FLIGHT: Weight = find(Kbnk::WEIGHTS, "flight");
        const FLIGHT_TWO: Weight = find(Kbnk::WEIGHTS, "flight_two");
        const TERRITORY: Weight = find(Kbnk::WEIGHTS, "territory");
        const WAY_TO_CENTRE: Weight = find(Kbnk::WEIGHTS, "way_to_centre");
        const WAY_TO_CORNER: Weight = find(Kbnk::WEIGHTS, "way_to_corner");
        const WAY_TO_WRONG: Weight = find(Kbnk::WEIGHTS, "way_to_wrong");
        for (weight, distance) in [
            (FLIGHT, mobility.flight_squares()),
            (FLIGHT_TWO, mobility.within_two_moves()),
            (TERRITORY, mobility.reachable()),
            (WAY_TO_CENTRE, mobility.distance_to_centre()),
            (WAY_TO_CORNER, mobility.distance_to(self.right_corners(), FAR_CORNER)),
            (WAY_TO_WRONG, mobility.distance_to(self.wrong_corners(), FAR_CORNER)),
        ] {
            sink.add(weight.at(distance), 1, self.bare);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::{assert_measured, measured};

    #[test]
    fn counts_the_distances() {
        // The bishop on e5 is dark: a1 is the right corner, 1 rook step from b1, and h1 the wrong one. Its
        // way to a1 is blocked by its own king. The bare king can go to a1 and c1, the knight guards a2
        // and the king b2 and c2; in two moves it is on d1, in five by way of e2 and e3 on e4,
        // in six along the rank on h1.
        assert_measured(
            &Kbnk,
            "8/8/8/4B3/1N6/2K5/8/1k6 w - - 0 1",
            Color::White,
            &[
                ("won", 1, Square::B1),
                ("edge 1", 1, Square::B1),
                ("kings 4", 1, Square::C3),
                ("knight 6", 1, Square::B4),
                ("bishop 13", 1, Square::E5),
                ("king_corner 4", 1, Square::C3),
                ("knight_corner 2", 1, Square::B4),
                ("bishop_corner 4", 1, Square::E5),
                ("king_centre 2", 1, Square::C3),
                ("king_knight 1", 1, Square::C3),
                ("king_bishop 2", 1, Square::C3),
                ("knight_wrong 3", 1, Square::B4),
                ("king_wrong 7", 1, Square::C3),
                ("flight 2", 1, Square::B1),
                ("flight_two 4", 1, Square::B1),
                ("territory 42", 1, Square::B1),
                ("way_to_centre 5", 1, Square::B1),
                ("way_to_corner 1", 1, Square::B1),
                ("way_to_wrong 6", 1, Square::B1),
            ],
        );
    }

    #[test]
    fn a_king_that_is_shut_in() {
        // The king on f7 guards the g-file, the knight h6: h8 and h7 are all that is left. The bishop
        // is light, so h8 is a wrong corner.
        let measured = measured(&Kbnk, "7k/5K2/8/8/6N1/8/8/5B2 w - - 0 1", Color::White);
        let reach: Vec<_> = measured.iter().rev().take(6).map(|(name, ..)| name.as_str()).collect();
        let expected = [
            "way_to_wrong 0",
            "way_to_corner 15",
            "way_to_centre 11",
            "territory 2",
            "flight_two 2",
            "flight 1",
        ];
        assert_eq!(reach, expected);
    }

    #[test]
    fn bishop_and_knight_against_a_bare_king_and_nothing_else() {
        for fen in [
            "8/6k1/8/8/3K4/8/8/1NBN4 w - - 0 1",
            "8/6k1/8/8/3K4/8/P7/1NB5 w - - 0 1",
            "8/6kp/8/8/3K4/8/8/1NB5 w - - 0 1",
            "8/6k1/8/8/3K4/8/8/1N1N4 w - - 0 1",
            "8/6k1/8/8/3K4/8/8/2B2B2 w - - 0 1",
        ] {
            assert_measured(&Kbnk, fen, Color::White, &[]);
            assert_measured(&Kbnk, fen, Color::Black, &[]);
        }
    }
}
