use super::king_mobility::{KingMobility, bishop_corners};
use crate::eval::meaning::{
    Distance, KING_MOVES, KNIGHT_MOVES, ROOK_STEPS, Thing, distance, own, place,
};
use crate::eval::{EvalContext, Scope, Side, Sink, Term, Weight, WeightSpec, find};
use crate::geometry::{chebyshev, edge_distance, knight_distance, manhattan, relation_number};
use shakmaty::{Bitboard, Color, Square};

/// Measures the squares that a bare king reaches in one, two and three moves.
///
/// A term of a mating ending adds up distances between two pieces each, so it cannot see how three
/// pieces together confine a king. The squares of the mobility graph can show it: each is there because
/// no piece attacks it, and each is measured to the edge, to the corners and to the pieces. Every array
/// holds the squares one move away first, then those two and three moves away.
pub(super) struct WaysOut;

/// How many moves the king looks ahead.
const MOVES_AHEAD: u32 = 3;

/// Indexes of an array for each number of moves.
const EDGES: u32 = 4;
const RELATIONS: u32 = 36;

/// King moves and rook steps to a corner are 0 to 7, knight moves 0 to 6.
const STEPS: u32 = 8;
const KNIGHT_MOVE_COUNTS: u32 = 7;

/// What the weights are about.
const ESCAPE: Thing = Thing::Square("escape square");
const MATING_CORNER: Thing = place("a mating corner");
const WRONG_CORNER: Thing = place("a wrong corner");
const TO_MATING_CORNER: Distance = distance(ROOK_STEPS, MATING_CORNER).zero("in a mating corner");
const TO_WRONG_CORNER: Distance = distance(ROOK_STEPS, WRONG_CORNER).zero("in a wrong corner");
const TO_KING: Distance = distance(KING_MOVES, own("king"));
const TO_KNIGHT: Distance = distance(KNIGHT_MOVES, own("knight")).zero("on the knight's square");

impl Term for WaysOut {
    const NAME: &'static str = "ways_out";
    const DOC: &'static str =
        "Which squares a bare king can reach in three moves, and which pieces are near them.";
    const SOURCE: &'static str = "Levinson and Snyder 1993, Distance: mobility graphs";
    const WEIGHTS: &'static [WeightSpec] = &[
        WeightSpec::array(
            "edge",
            12,
            ESCAPE.is(distance(KING_MOVES, place("the edge")).zero("on the edge")).for_each_move(4),
        ),
        WeightSpec::array("right", 108, ESCAPE.relation(MATING_CORNER).for_each_move(36)),
        WeightSpec::array("wrong", 108, ESCAPE.relation(WRONG_CORNER).for_each_move(36)),
        WeightSpec::array("king", 108, ESCAPE.relation(own("king")).for_each_move(36)),
        WeightSpec::array("knight", 108, ESCAPE.relation(own("knight")).for_each_move(36)),
        WeightSpec::array("bishop", 108, ESCAPE.relation(own("bishop")).for_each_move(36)),
        WeightSpec::array(
            "right_king",
            192,
            ESCAPE.both(TO_MATING_CORNER, 8, TO_KING).for_each_move(64),
        ),
        WeightSpec::array(
            "wrong_king",
            192,
            ESCAPE.both(TO_WRONG_CORNER, 8, TO_KING).for_each_move(64),
        ),
        WeightSpec::array(
            "right_knight",
            168,
            ESCAPE.both(TO_MATING_CORNER, 7, TO_KNIGHT).for_each_move(56),
        ),
        WeightSpec::array(
            "wrong_knight",
            168,
            ESCAPE.both(TO_WRONG_CORNER, 7, TO_KNIGHT).for_each_move(56),
        ),
        WeightSpec::array("king_knight", 168, ESCAPE.both(TO_KING, 7, TO_KNIGHT).for_each_move(56)),
    ];
    const SCOPE: Scope = Scope::BareKing;
    const TUNED_FROM_GAMES: bool = false;

    fn new(_: &[i32]) -> Self {
        WaysOut
    }

    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        let (strong, weak) = (context.side(side), context.side(!side));
        if !weak.is_bare() || strong.pawns.any() || !strong.pieces_can_mate() {
            return;
        }
        let mating = mating_corners(strong);
        let attackers = Attackers {
            king: strong.king,
            knights: strong.knights,
            bishops: strong.bishops,
            mating,
            wrong: Bitboard::CORNERS & !mating,
        };
        let mobility = KingMobility::new(context, side);
        for moves in 1..=MOVES_AHEAD {
            for square in mobility.at(moves) {
                attackers.measure(moves - 1, square, sink);
            }
        }
    }
}

/// The corners in which mate can be forced: with bishop and knight those that the bishop can attack,
/// otherwise all.
fn mating_corners(strong: &Side) -> Bitboard {
    match strong.bishops.first() {
        Some(bishop) if strong.is_bishop_and_knight() => bishop_corners(bishop),
        _ => Bitboard::CORNERS,
    }
}

/// What the squares are measured to.
struct Attackers {
    king: Square,
    knights: Bitboard,
    bishops: Bitboard,
    mating: Bitboard,
    wrong: Bitboard,
}

impl Attackers {
    /// Measures a square that is `more` moves farther than one.
    fn measure(&self, more: u32, square: Square, sink: &mut impl Sink) {
        const EDGE: Weight = find(WaysOut::WEIGHTS, "edge");
        const RIGHT: Weight = find(WaysOut::WEIGHTS, "right");
        const WRONG: Weight = find(WaysOut::WEIGHTS, "wrong");
        const KING: Weight = find(WaysOut::WEIGHTS, "king");
        const KNIGHT: Weight = find(WaysOut::WEIGHTS, "knight");
        const BISHOP: Weight = find(WaysOut::WEIGHTS, "bishop");
        const RIGHT_KING: Weight = find(WaysOut::WEIGHTS, "right_king");
        const WRONG_KING: Weight = find(WaysOut::WEIGHTS, "wrong_king");
        const RIGHT_KNIGHT: Weight = find(WaysOut::WEIGHTS, "right_knight");
        const WRONG_KNIGHT: Weight = find(WaysOut::WEIGHTS, "wrong_knight");
        const KING_KNIGHT: Weight = find(WaysOut::WEIGHTS, "king_knight");
        let mut add = |weight: Weight, size: u32, distance: u32| {
            sink.add(weight.at(more * size + distance), 1, square);
        };
        let king = chebyshev(self.king, square);
        add(EDGE, EDGES, edge_distance(square));
        add(KING, RELATIONS, relation_number(self.king, square));
        for bishop in self.bishops {
            add(BISHOP, RELATIONS, relation_number(bishop, square));
        }
        for knight in self.knights {
            add(KNIGHT, RELATIONS, relation_number(knight, square));
            let moves = knight_distance(knight, square);
            add(KING_KNIGHT, STEPS * KNIGHT_MOVE_COUNTS, KNIGHT_MOVE_COUNTS * king + moves);
        }
        for (corners, relation, to_king, to_knight) in [
            (self.mating, RIGHT, RIGHT_KING, RIGHT_KNIGHT),
            (self.wrong, WRONG, WRONG_KING, WRONG_KNIGHT),
        ] {
            let Some(corner) = nearest_corner(corners, square) else { continue };
            let steps = manhattan(corner, square);
            add(relation, RELATIONS, relation_number(corner, square));
            add(to_king, STEPS * STEPS, STEPS * steps + king);
            for knight in self.knights {
                let moves = knight_distance(knight, square);
                add(to_knight, STEPS * KNIGHT_MOVE_COUNTS, KNIGHT_MOVE_COUNTS * steps + moves);
            }
        }
    }
}

/// The nearest corner by rook steps. Two equally near corners have the same relation to the square.
fn nearest_corner(corners: Bitboard, square: Square) -> Option<Square> {
    corners.into_iter().min_by_key(|&corner| manhattan(corner, square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::measured;

    #[test]
    fn squares_one_two_and_three_moves_away() {
        // The king on c3 guards b2, c2 and d2, the knight guards a2. One move away are a1 and c1, two moves
        // away d1, three moves away e1 and e2.
        let measured = measured(&WaysOut, "8/8/8/4B3/1N6/2K5/8/1k6 w - - 0 1", Color::White);
        let of = |array: &str| -> Vec<(String, Square)> {
            let named = measured.iter().filter(|(name, ..)| name.split(' ').next() == Some(array));
            named
                .map(|(name, _, square)| (name.replace(array, "").trim().into(), *square))
                .collect()
        };
        let expected = |wanted: [(&str, Square); 5]| wanted.map(|(at, it)| (at.to_owned(), it));
        let squares = [Square::A1, Square::C1, Square::D1, Square::E1, Square::E2];
        // The indexes for two moves start 4, 36, 64 or 56 later, for three moves twice as much. The bishop
        // on e5 runs on dark squares: a1 is a mating corner, a8 and h1 are wrong corners.
        for (array, places) in [
            ("edge", ["0", "0", "4", "8", "9"]),
            ("king", ["5", "3", "40", "77", "76"]),
            ("bishop", ["14", "12", "47", "82", "78"]),
            ("knight", ["7", "7", "44", "81", "80"]),
            ("right", ["0", "3", "42", "82", "83"]),
            ("right_king", ["2", "18", "90", "162", "170"]),
            ("right_knight", ["2", "16", "80", "142", "150"]),
            ("wrong", ["28", "15", "46", "78", "79"]),
            ("wrong_king", ["58", "42", "98", "154", "162"]),
            ("wrong_knight", ["51", "37", "87", "135", "143"]),
            ("king_knight", ["16", "16", "73", "128", "129"]),
        ] {
            let wanted = std::array::from_fn(|i| (places[i], squares[i]));
            assert_eq!(of(array), expected(wanted), "{array}");
        }
        assert_eq!(measured.len(), 5 * 11);
    }

    #[test]
    fn two_bishops_mate_in_any_corner() {
        let measured = measured(&WaysOut, "7k/8/8/8/8/8/8/KBB5 w - - 0 1", Color::White);
        assert!(!measured.is_empty());
        for array in ["wrong", "knight", "king_knight"] {
            assert!(measured.iter().all(|(name, ..)| !name.starts_with(array)), "{array}");
        }
    }

    #[test]
    fn only_pieces_that_can_mate_and_no_pawns() {
        for fen in [
            "8/6k1/8/8/3K4/8/P7/1NB5 w - - 0 1",
            "8/6kp/8/8/3K4/8/8/1NB5 w - - 0 1",
            "8/6k1/8/8/3K4/8/8/2B5 w - - 0 1",
        ] {
            assert!(measured(&WaysOut, fen, Color::White).is_empty(), "{fen}");
        }
    }
}
