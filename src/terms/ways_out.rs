use super::king_mobility::{KingMobility, bishop_corners};
use crate::eval::{EvalContext, Scope, Side, Sink, Term, Weight, WeightSpec, find};
use crate::geometry::{chebyshev, edge_distance, knight_distance, manhattan, relation_number};
use shakmaty::{Bitboard, Color, Square};

/// Where a hunted bare king can still go in one, two and three moves, and who is near.
///
/// A term of a mating ending sums up distances of two men each and cannot see how three men together shut a
/// king in. The squares of its mobility graph can: each is there because no hunter attacks it, and each is
/// measured to the edge, to the corners and to the hunters. Every array holds the squares one move away first,
/// then those two and three moves away.
pub(super) struct WaysOut;

/// So many moves ahead.
const MOVES: u32 = 3;

/// Places that an array has for each number of moves.
const EDGES: u32 = 4;
const RELATIONS: u32 = 36;

/// King moves and rook steps to a corner 0 to 7, knight moves 0 to 6.
const STEPS: u32 = 8;
const KNIGHT_MOVES: u32 = 7;

impl Term for WaysOut {
    const NAME: &'static str = "ways_out";
    const DOC: &'static str =
        "Where the squares lie that a bare king can get to in three moves, and who is near them.";
    const SOURCE: &'static str = "Levinson and Snyder 1993, Distance: mobility graphs";
    const WEIGHTS: &'static [WeightSpec] = &[
        WeightSpec::array(
            "edge",
            12,
            "a way out and the edge 0 to 11: four for each move after the first, and the king moves",
        ),
        WeightSpec::array(
            "right",
            108,
            "a way out and a corner fit for mate 0 to 107: 36 for each move after the first, and their relation",
        ),
        WeightSpec::array(
            "wrong",
            108,
            "a way out and a corner unfit for mate 0 to 107: 36 for each move after the first, and their relation",
        ),
        WeightSpec::array(
            "king",
            108,
            "a way out and the strong king 0 to 107: 36 for each move after the first, and their relation",
        ),
        WeightSpec::array(
            "knight",
            108,
            "a way out and a knight 0 to 107: 36 for each move after the first, and their relation",
        ),
        WeightSpec::array(
            "bishop",
            108,
            "a way out and a bishop 0 to 107: 36 for each move after the first, and their relation",
        ),
        WeightSpec::array(
            "right_king",
            192,
            "a way out, right corner and strong king 0 to 191: 64 for each move after the first, eight for \
             each rook step, and the king moves",
        ),
        WeightSpec::array(
            "wrong_king",
            192,
            "a way out, wrong corner and strong king 0 to 191: 64 for each move after the first, eight for \
             each rook step, and the king moves",
        ),
        WeightSpec::array(
            "right_knight",
            168,
            "a way out, right corner and knight 0 to 167: 56 for each move after the first, seven for \
             each rook step, and the knight moves",
        ),
        WeightSpec::array(
            "wrong_knight",
            168,
            "a way out, wrong corner and knight 0 to 167: 56 for each move after the first, seven for \
             each rook step, and the knight moves",
        ),
        WeightSpec::array(
            "king_knight",
            168,
            "a way out, strong king and knight 0 to 167: 56 for each move after the first, seven \
             for each king move, and the knight moves",
        ),
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
        let right = right_corners(strong);
        let hunters = Hunters {
            king: strong.king,
            knights: strong.knights,
            bishops: strong.bishops,
            right,
            wrong: Bitboard::CORNERS & !right,
        };
        let mobility = KingMobility::new(context, side);
        for moves in 1..=MOVES {
            for square in mobility.at(moves) {
                hunters.measure(moves - 1, square, sink);
            }
        }
    }
}

/// The corners in which mate can be forced: of bishop and knight alone those the bishop can attack, else all.
fn right_corners(strong: &Side) -> Bitboard {
    match strong.bishops.first() {
        Some(bishop) if strong.is_bishop_and_knight() => bishop_corners(bishop),
        _ => Bitboard::CORNERS,
    }
}

/// What squares are measured to.
struct Hunters {
    king: Square,
    knights: Bitboard,
    bishops: Bitboard,
    right: Bitboard,
    wrong: Bitboard,
}

impl Hunters {
    /// Measures a square that is `part` moves farther than one.
    fn measure(&self, part: u32, square: Square, sink: &mut impl Sink) {
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
            sink.add(weight.at(part * size + distance), 1, square);
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
            add(KING_KNIGHT, STEPS * KNIGHT_MOVES, KNIGHT_MOVES * king + moves);
        }
        for (corners, relation, to_king, to_knight) in [
            (self.right, RIGHT, RIGHT_KING, RIGHT_KNIGHT),
            (self.wrong, WRONG, WRONG_KING, WRONG_KNIGHT),
        ] {
            let Some(corner) = nearest_corner(corners, square) else { continue };
            let steps = manhattan(corner, square);
            add(relation, RELATIONS, relation_number(corner, square));
            add(to_king, STEPS * STEPS, STEPS * steps + king);
            for knight in self.knights {
                let moves = knight_distance(knight, square);
                add(to_knight, STEPS * KNIGHT_MOVES, KNIGHT_MOVES * steps + moves);
            }
        }
    }
}

/// The nearest by rook steps. Two that are as near have the same relation to the square.
fn nearest_corner(corners: Bitboard, square: Square) -> Option<Square> {
    corners.into_iter().min_by_key(|&corner| manhattan(corner, square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::measured;

    #[test]
    fn squares_one_two_and_three_moves_away() {
        // The king on c3 guards b2, c2 and d2, the knight a2: the ways out are a1 and c1, then d1, then e1 and e2.
        let measured = measured(&WaysOut, "8/8/8/4B3/1N6/2K5/8/1k6 w - - 0 1", Color::White);
        let of = |array: &str| -> Vec<(String, Square)> {
            let named = measured.iter().filter(|(name, ..)| name.split(' ').next() == Some(array));
            named
                .map(|(name, _, square)| (name.replace(array, "").trim().into(), *square))
                .collect()
        };
        let expected = |wanted: [(&str, Square); 5]| wanted.map(|(at, it)| (at.to_owned(), it));
        let squares = [Square::A1, Square::C1, Square::D1, Square::E1, Square::E2];
        // Two moves away all begin 4, 36, 64 or 56 places later, three moves away twice as many. The bishop
        // on e5 is dark: a1 is a right corner, a8 and h1 are wrong ones.
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
    fn hunters_that_can_mate_and_no_pawns() {
        for fen in [
            "8/6k1/8/8/3K4/8/P7/1NB5 w - - 0 1",
            "8/6kp/8/8/3K4/8/8/1NB5 w - - 0 1",
            "8/6k1/8/8/3K4/8/8/2B5 w - - 0 1",
        ] {
            assert!(measured(&WaysOut, fen, Color::White).is_empty(), "{fen}");
        }
    }
}
