use super::king_mobility::{
    FLIGHT_SQUARES, FROM_CENTRE, KingMobility, MOVES_TO_CENTRE, REACHABLE, WITHIN_TWO_MOVES,
    bishop_corners,
};
use crate::eval::meaning::{
    Distance, KING_MOVES, KNIGHT_MOVES, MOVES, ROOK_STEPS, Thing, distance, enemy, has, own, place,
};
use crate::eval::{EvalContext, Scope, Sink, Term, Weight, WeightSpec, find};
use crate::geometry::{
    bishop_corner_distance, centre_manhattan, chebyshev, edge_distance, knight_distance, manhattan,
    relation_number,
};
use shakmaty::{Bitboard, Color, Square};

/// Mates with bishop and knight: the bare king must go to a corner of the bishop's colour.
///
/// It measures the distances of the four pieces to each other, to the two corners of the bishop's
/// colour (mating corners) and to the two wrong corners, and the mobility-graph distances of the bare
/// king.
pub(super) struct Kbnk;

/// The last index of the arrays of the bare king's moves to a corner: cut off.
const CUT_OFF: u32 = 15;

/// The corner of the bishop's colour that is nearest to the bare king, and the nearest of the others.
const MATING_CORNER: Thing = place("the mating corner");
const WRONG_CORNER: Thing = place("the wrong corner");

const TO_MATING_CORNER: Distance = distance(MOVES, place("a mating corner"))
    .zero("in a mating corner")
    .or_more(CUT_OFF - 1)
    .last(CUT_OFF, "cut off from the mating corners");
const TO_WRONG_CORNER: Distance = distance(MOVES, place("a wrong corner"))
    .zero("in a wrong corner")
    .or_more(CUT_OFF - 1)
    .last(CUT_OFF, "cut off from the wrong corners");

impl Term for Kbnk {
    const NAME: &'static str = "kbnk";
    const DOC: &'static str =
        "Bishop and knight mate a bare king only in a corner of the bishop's colour.";
    const SOURCE: &'static str =
        "Chess Programming Wiki, KBNK Endgame (Isenberg); Levinson and Snyder 1993, Distance";
    const WEIGHTS: &'static [WeightSpec] = &[
        WeightSpec::pair("won", has("a won ending")),
        WeightSpec::array(
            "edge",
            8,
            enemy("king").is(distance(ROOK_STEPS, place("the mating corner, on the edge"))
                .zero("in the mating corner")),
        ),
        WeightSpec::array(
            "off_edge",
            8,
            enemy("king")
                .is(distance(ROOK_STEPS, place("the mating corner, one step off the edge"))),
        ),
        WeightSpec::array(
            "inner",
            8,
            enemy("king")
                .is(distance(ROOK_STEPS, place("the mating corner, two steps off the edge"))),
        ),
        WeightSpec::array(
            "centre",
            8,
            enemy("king").is(distance(ROOK_STEPS, place("the mating corner, in the centre"))),
        ),
        WeightSpec::array("kings", 36, own("king").relation(enemy("king"))),
        WeightSpec::array("knight", 36, own("knight").relation(enemy("king"))),
        WeightSpec::array("bishop", 36, own("bishop").relation(enemy("king"))),
        WeightSpec::array("flight", 9, FLIGHT_SQUARES),
        WeightSpec::array("flight_two", 26, WITHIN_TWO_MOVES),
        WeightSpec::array("territory", 65, REACHABLE),
        WeightSpec::array("way_to_centre", 12, MOVES_TO_CENTRE),
        WeightSpec::array("way_to_corner", 16, enemy("king").is(TO_MATING_CORNER)),
        WeightSpec::array("way_to_wrong", 16, enemy("king").is(TO_WRONG_CORNER)),
        WeightSpec::array(
            "king_corner",
            15,
            own("king").is(distance(ROOK_STEPS, MATING_CORNER).zero("in the mating corner")),
        ),
        WeightSpec::array(
            "knight_corner",
            7,
            own("knight").is(distance(KNIGHT_MOVES, MATING_CORNER).zero("in the mating corner")),
        ),
        WeightSpec::array(
            "bishop_corner",
            8,
            own("bishop").is(distance(KING_MOVES, MATING_CORNER).zero("in the mating corner")),
        ),
        WeightSpec::array("king_centre", 7, own("king").is(FROM_CENTRE)),
        WeightSpec::array("king_knight", 8, own("king").is(distance(KING_MOVES, own("knight")))),
        WeightSpec::array("king_bishop", 8, own("king").is(distance(KING_MOVES, own("bishop")))),
        WeightSpec::array(
            "knight_wrong",
            7,
            own("knight").is(distance(KNIGHT_MOVES, WRONG_CORNER).zero("in the wrong corner")),
        ),
        WeightSpec::array(
            "king_wrong",
            15,
            own("king").is(distance(ROOK_STEPS, WRONG_CORNER).zero("in the wrong corner")),
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
            let pieces = Pieces { bare: weak.king, king: strong.king, knight, bishop };
            pieces.measure(sink);
            pieces.measure_mobility(&KingMobility::new(context, side), sink);
        }
    }
}

/// The squares of the four pieces.
struct Pieces {
    bare: Square,
    king: Square,
    knight: Square,
    bishop: Square,
}

impl Pieces {
    /// The corners the bishop can attack.
    fn mating_corners(&self) -> Bitboard {
        bishop_corners(self.bishop)
    }

    fn wrong_corners(&self) -> Bitboard {
        Bitboard::CORNERS & !self.mating_corners()
    }

    /// The corner nearest to the bare king. Of two equally near, the one nearer to the other king; both if
    /// that distance is equal too.
    fn nearest(&self, corners: Bitboard) -> Bitboard {
        let steps = |corner| (manhattan(corner, self.bare), manhattan(corner, self.king));
        let least = corners.into_iter().map(steps).min();
        corners.into_iter().filter(|&corner| Some(steps(corner)) == least).collect()
    }

    /// Distances on an empty board.
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
        let Pieces { bare, king, knight, bishop } = *self;
        let (mating, wrong) =
            (self.nearest(self.mating_corners()), self.nearest(self.wrong_corners()));
        let to = |corners: Bitboard, from: Square, distance: fn(Square, Square) -> u32| {
            corners.into_iter().map(|corner| distance(from, corner)).min().unwrap_or_default()
        };
        let corner = CORNER[edge_distance(bare) as usize];
        for (weight, distance, square) in [
            (corner, bishop_corner_distance(bishop, bare), bare),
            (KINGS, relation_number(king, bare), king),
            (KNIGHT, relation_number(knight, bare), knight),
            (BISHOP, relation_number(bishop, bare), bishop),
            (KING_CORNER, to(mating, king, manhattan), king),
            (KNIGHT_CORNER, to(mating, knight, knight_distance), knight),
            (BISHOP_CORNER, to(mating, bishop, chebyshev), bishop),
            (KING_CENTRE, centre_manhattan(king), king),
            (KING_KNIGHT, chebyshev(king, knight), king),
            (KING_BISHOP, chebyshev(king, bishop), king),
            (KNIGHT_WRONG, to(wrong, knight, knight_distance), knight),
            (KING_WRONG, to(wrong, king, manhattan), king),
        ] {
            sink.add(weight.at(distance), 1, square);
        }
    }

    /// Mobility-graph distances of the bare king.
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
            (WAY_TO_CORNER, mobility.distance_to(self.mating_corners(), CUT_OFF)),
            (WAY_TO_WRONG, mobility.distance_to(self.wrong_corners(), CUT_OFF)),
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
        // The bishop on e5 runs on dark squares: a1 is the mating corner, 1 rook step from b1, and h1 the
        // wrong corner. The white king blocks the bishop's diagonal to a1. The bare king can go to a1 and
        // c1; the knight guards a2, the king guards b2 and c2. The bare king needs two moves to d1, five
        // through e2 and e3 to e4, and six along the rank to h1.
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
    fn a_king_that_is_cut_off() {
        // The king on f7 guards the g-file and the knight guards h6, so that only h8 and h7 are left. The
        // bishop runs on light squares, so h8 is a wrong corner.
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
