use crate::eval::meaning::count;
use crate::eval::{EvalContext, Scope, Sink, Term, Weight, WeightSpec, find};
use shakmaty::Color;

/// Counts pairs of pieces: a piece is worth more or less with other pieces on the board.
pub(super) struct Imbalance;

const KINDS: usize = 5;

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
        // By the kind of the more valuable piece and that of the other, from pawns to queens.
        const OWN: [&[Weight]; KINDS] = [
            &[find(Imbalance::WEIGHTS, "pawns")],
            &[find(Imbalance::WEIGHTS, "knight_pawn"), find(Imbalance::WEIGHTS, "knights")],
            &[
                find(Imbalance::WEIGHTS, "bishop_pawn"),
                find(Imbalance::WEIGHTS, "bishop_knight"),
                find(Imbalance::WEIGHTS, "bishops"),
            ],
            &[
                find(Imbalance::WEIGHTS, "rook_pawn"),
                find(Imbalance::WEIGHTS, "rook_knight"),
                find(Imbalance::WEIGHTS, "rook_bishop"),
                find(Imbalance::WEIGHTS, "rooks"),
            ],
            &[
                find(Imbalance::WEIGHTS, "queen_pawn"),
                find(Imbalance::WEIGHTS, "queen_knight"),
                find(Imbalance::WEIGHTS, "queen_bishop"),
                find(Imbalance::WEIGHTS, "queen_rook"),
                find(Imbalance::WEIGHTS, "queens"),
            ],
        ];
        const ENEMY: [&[Weight]; KINDS] = [
            &[],
            &[find(Imbalance::WEIGHTS, "knight_enemy_pawn")],
            &[
                find(Imbalance::WEIGHTS, "bishop_enemy_pawn"),
                find(Imbalance::WEIGHTS, "bishop_enemy_knight"),
            ],
            &[
                find(Imbalance::WEIGHTS, "rook_enemy_pawn"),
                find(Imbalance::WEIGHTS, "rook_enemy_knight"),
                find(Imbalance::WEIGHTS, "rook_enemy_bishop"),
            ],
            &[
                find(Imbalance::WEIGHTS, "queen_enemy_pawn"),
                find(Imbalance::WEIGHTS, "queen_enemy_knight"),
                find(Imbalance::WEIGHTS, "queen_enemy_bishop"),
                find(Imbalance::WEIGHTS, "queen_enemy_rook"),
            ],
        ];
        let counts = |side| {
            let side = context.side(side);
            [side.pawns, side.knights, side.bishops, side.rooks, side.queens]
                .map(|pieces| pieces.count() as i32)
        };
        let (own, enemy) = (counts(side), counts(!side));
        let king = context.side(side).king;
        for kind in 0..KINDS {
            let pieces = own[kind];
            if pieces == 0 {
                continue;
            }
            for (other, &weight) in OWN[kind].iter().enumerate() {
                let pairs = match other == kind {
                    true => pieces * (pieces - 1) / 2,
                    false => pieces * own[other],
                };
                sink.add(weight, pairs, king);
            }
            for (other, &weight) in ENEMY[kind].iter().enumerate() {
                sink.add(weight, pieces * enemy[other], king);
            }
        }
    }
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
