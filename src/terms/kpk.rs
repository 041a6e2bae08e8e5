use crate::endgame::pawn_wins;
use crate::eval::meaning::{Distance, KING_MOVES, MOVES, distance, enemy, has, own, place};
use crate::eval::{EvalContext, Sink, Term, Weight, WeightSpec, find};
use crate::geometry::{chebyshev, promotion_distance};
use shakmaty::{Color, Rank, Square};

/// Measures a pawn that wins against a bare king by the exact table: its distance from promotion.
///
/// [`ScaleReason`](crate::eval::ScaleReason) makes pawns that do not win a draw.
pub(super) struct Kpk;

/// How far a king is from where the pawn promotes.
const TO_PROMOTION: Distance =
    distance(KING_MOVES, place("the promotion square")).zero("on the promotion square");

impl Term for Kpk {
    const NAME: &'static str = "kpk";
    const DOC: &'static str =
        "A pawn wins or draws against a bare king, and a winning pawn should advance.";
    const SOURCE: &'static str = "Chess Programming Wiki, KPK; Levinson and Snyder 1993, Distance";
    const WEIGHTS: &'static [WeightSpec] = &[
        WeightSpec::pair("won", has("a won ending")),
        WeightSpec::array("way", 7, own("pawn").is(distance(MOVES, place("promotion")))),
        WeightSpec::array("king", 8, own("king").is(TO_PROMOTION)),
        WeightSpec::array("bare", 8, enemy("king").is(TO_PROMOTION)),
    ];
    const TUNED_FROM_GAMES: bool = false;

    fn new(_: &[i32]) -> Self {
        Kpk
    }

    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        const WON: Weight = find(Kpk::WEIGHTS, "won");
        const WAY: Weight = find(Kpk::WEIGHTS, "way");
        const KING: Weight = find(Kpk::WEIGHTS, "king");
        const BARE: Weight = find(Kpk::WEIGHTS, "bare");
        let Some(pawn) = context.lone_pawn(side) else { return };
        let (king, bare) = (context.side(side).king, context.side(!side).king);
        if !pawn_wins(side, context.turn, king, pawn, bare) {
            return;
        }
        let promotion = Square::from_coords(pawn.file(), side.fold_wb(Rank::Eighth, Rank::First));
        sink.add(WON, 1, pawn);
        sink.add(WAY.at(promotion_distance(side, pawn)), 1, pawn);
        sink.add(KING.at(chebyshev(king, promotion)), 1, king);
        sink.add(BARE.at(chebyshev(bare, promotion)), 1, bare);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::assert_measured;

    #[test]
    fn a_winning_pawn_and_the_kings_near_its_promotion_square() {
        let kings = "8/4k3/8/4K3/4P3/8/8/8";
        let won = [
            ("won", 1, Square::E4),
            ("way 4", 1, Square::E4),
            ("king 3", 1, Square::E5),
            ("bare 1", 1, Square::E7),
        ];
        assert_measured(&Kpk, &format!("{kings} b - - 0 1"), Color::White, &won);
        assert_measured(&Kpk, &format!("{kings} w - - 0 1"), Color::White, &[]);
        assert_measured(&Kpk, &format!("{kings} b - - 0 1"), Color::Black, &[]);
        let won = [
            ("won", 1, Square::A3),
            ("way 2", 1, Square::A3),
            ("king 7", 1, Square::H8),
            ("bare 6", 1, Square::G3),
        ];
        assert_measured(&Kpk, "7k/8/8/8/8/p5K1/8/8 w - - 0 1", Color::Black, &won);
    }

    #[test]
    fn a_pawn_against_a_bare_king_and_nothing_else() {
        for fen in [
            "7k/8/8/8/8/8/PP6/K7 w - - 0 1",
            "7k/8/8/8/8/8/P6p/K7 w - - 0 1",
            "7k/8/8/8/8/8/P1B5/K7 w - - 0 1",
            "7k/8/8/8/8/8/R7/K7 w - - 0 1",
        ] {
            assert_measured(&Kpk, fen, Color::White, &[]);
        }
    }
}
