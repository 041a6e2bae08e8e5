use crate::eval::meaning::count;
use crate::eval::{EvalContext, Scope, Side, Sink, Term, Weight, WeightSpec, find};
use shakmaty::Color;

/// Counts pairs of pieces: a piece is worth more or less with other pieces on the board.
pub(super) struct Imbalance;

impl Term for Imbalance {
    const NAME: &'static str = "imbalance";
    const DOC: &'static str = "A piece is worth more or less with the other pieces on the board.";
    const SOURCE: &'static str = "Kaufman 1999, The Evaluation of Material Imbalances; \
        Chess Programming Wiki, Material (polynomials by Tord Romstad)";
    const WEIGHTS: &'static [WeightSpec] = &[
        WeightSpec::pair("pawns", count("a pair of pawns", "pairs of pawns")),
        WeightSpec::pair(
            "knight_pawn",
            count("a knight with a pawn of its side", "pairs of a knight and a pawn of its side"),
        ),
        WeightSpec::pair("knights", count("a pair of knights", "pairs of knights")),
        WeightSpec::pair(
            "bishop_pawn",
            count("a bishop with a pawn of its side", "pairs of a bishop and a pawn of its side"),
        ),
        WeightSpec::pair(
            "bishop_knight",
            count(
                "a bishop with a knight of its side",
                "pairs of a bishop and a knight of its side",
            ),
        ),
        WeightSpec::pair("bishops", count("a pair of bishops", "pairs of bishops")),
        WeightSpec::pair(
            "rook_pawn",
            count("a rook with a pawn of its side", "pairs of a rook and a pawn of its side"),
        ),
        WeightSpec::pair(
            "rook_knight",
            count("a rook with a knight of its side", "pairs of a rook and a knight of its side"),
        ),
        WeightSpec::pair(
            "rook_bishop",
            count("a rook with a bishop of its side", "pairs of a rook and a bishop of its side"),
        ),
        WeightSpec::pair("rooks", count("a pair of rooks", "pairs of rooks")),
        WeightSpec::pair(
            "queen_pawn",
            count("a queen with a pawn of its side", "pairs of a queen and a pawn of its side"),
        ),
        WeightSpec::pair(
            "queen_knight",
            count("a queen with a knight of its side", "pairs of a queen and a knight of its side"),
        ),
        WeightSpec::pair(
            "queen_bishop",
            count("a queen with a bishop of its side", "pairs of a queen and a bishop of its side"),
        ),
        WeightSpec::pair(
            "queen_rook",
            count("a queen with a rook of its side", "pairs of a queen and a rook of its side"),
        ),
        WeightSpec::pair("queens", count("a pair of queens", "pairs of queens")),
        WeightSpec::pair(
            "knight_enemy_pawn",
            count("a knight against a pawn", "pairs of a knight and an enemy pawn"),
        ),
        WeightSpec::pair(
            "bishop_enemy_pawn",
            count("a bishop against a pawn", "pairs of a bishop and an enemy pawn"),
        ),
        WeightSpec::pair(
            "bishop_enemy_knight",
            count("a bishop against a knight", "pairs of a bishop and an enemy knight"),
        ),
        WeightSpec::pair(
            "rook_enemy_pawn",
            count("a rook against a pawn", "pairs of a rook and an enemy pawn"),
        ),
        WeightSpec::pair(
            "rook_enemy_knight",
            count("a rook against a knight", "pairs of a rook and an enemy knight"),
        ),
        WeightSpec::pair(
            "rook_enemy_bishop",
            count("a rook against a bishop", "pairs of a rook and an enemy bishop"),
        ),
        WeightSpec::pair(
            "queen_enemy_pawn",
            count("a queen against a pawn", "pairs of a queen and an enemy pawn"),
        ),
        WeightSpec::pair(
            "queen_enemy_knight",
            count("a queen against a knight", "pairs of a queen and an enemy knight"),
        ),
        WeightSpec::pair(
            "queen_enemy_bishop",
            count("a queen against a bishop", "pairs of a queen and an enemy bishop"),
        ),
        WeightSpec::pair(
            "queen_enemy_rook",
            count("a queen against a rook", "pairs of a queen and an enemy rook"),
        ),
    ];
    const SCOPE: Scope = Scope::NotBareKing;

    fn new(_: &[i32]) -> Self {
        Imbalance
    }

    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        let counts = |side: &Side| {
            [side.pawns, side.knights, side.bishops, side.rooks, side.queens]
                .map(|pieces| pieces.count() as i32)
        };
        let own = context.side(side);
        let [pawns, knights, bishops, rooks, queens] = counts(own);
        let [enemy_pawns, enemy_knights, enemy_bishops, enemy_rooks, _] =
            counts(context.side(!side));
        let twos = |pieces: i32| pieces * (pieces - 1) / 2;
        let mut add = |weight, pairs| sink.add(weight, pairs, own.king);
        // Written out, because loops over tables of weights take several times as long.
        if pawns > 0 {
            add(const { of("pawns") }, twos(pawns));
        }
        if knights > 0 {
            add(const { of("knight_pawn") }, knights * pawns);
            add(const { of("knights") }, twos(knights));
            add(const { of("knight_enemy_pawn") }, knights * enemy_pawns);
        }
        if bishops > 0 {
            add(const { of("bishop_pawn") }, bishops * pawns);
            add(const { of("bishop_knight") }, bishops * knights);
            add(const { of("bishops") }, twos(bishops));
            add(const { of("bishop_enemy_pawn") }, bishops * enemy_pawns);
            add(const { of("bishop_enemy_knight") }, bishops * enemy_knights);
        }
        if rooks > 0 {
            add(const { of("rook_pawn") }, rooks * pawns);
            add(const { of("rook_knight") }, rooks * knights);
            add(const { of("rook_bishop") }, rooks * bishops);
            add(const { of("rooks") }, twos(rooks));
            add(const { of("rook_enemy_pawn") }, rooks * enemy_pawns);
            add(const { of("rook_enemy_knight") }, rooks * enemy_knights);
            add(const { of("rook_enemy_bishop") }, rooks * enemy_bishops);
        }
        if queens > 0 {
            add(const { of("queen_pawn") }, queens * pawns);
            add(const { of("queen_knight") }, queens * knights);
            add(const { of("queen_bishop") }, queens * bishops);
            add(const { of("queen_rook") }, queens * rooks);
            add(const { of("queens") }, twos(queens));
            add(const { of("queen_enemy_pawn") }, queens * enemy_pawns);
            add(const { of("queen_enemy_knight") }, queens * enemy_knights);
            add(const { of("queen_enemy_bishop") }, queens * enemy_bishops);
            add(const { of("queen_enemy_rook") }, queens * enemy_rooks);
        }
    }
}

const fn of(name: &str) -> Weight {
    find(Imbalance::WEIGHTS, name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::measured;
    use shakmaty::Square;

    #[test]
    fn pairs_of_one_side_and_of_both() {
        let mut seen = measured(&Imbalance, "4k3/pp6/2n5/8/8/8/8/RR2K3 w - - 0 1", Color::White);
        seen.retain(|(_, pairs, _)| *pairs != 0);
        let expected = [("rooks", 1), ("rook_enemy_pawn", 4), ("rook_enemy_knight", 2)];
        let expected = expected.map(|(name, pairs)| (name.to_owned(), pairs, Square::E1));
        assert_eq!(seen, expected);
        let mut seen = measured(&Imbalance, "4k3/pp6/2n5/8/8/8/8/RR2K3 w - - 0 1", Color::Black);
        seen.retain(|(_, pairs, _)| *pairs != 0);
        let expected = [("pawns", 1), ("knight_pawn", 2)];
        let expected = expected.map(|(name, pairs)| (name.to_owned(), pairs, Square::E8));
        assert_eq!(seen, expected);
    }
}
