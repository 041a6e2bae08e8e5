use crate::eval::{Sink, Term, View, Weight, WeightSpec, find};
use crate::geometry::{bishop_corner_distance, chebyshev, knight_distance};
use shakmaty::{Color, attacks::king_attacks};

/// Mates with bishop and knight: the bare king must go to a corner of the bishop's colour.
pub struct Kbnk;

impl Term for Kbnk {
    const NAME: &'static str = "kbnk";
    const DOC: &'static str =
        "Bishop and knight mate a bare king only in a corner of the bishop's colour.";
    const SOURCE: &'static str = "Chess Programming Wiki, KBNK Endgame (Isenberg)";
    const WEIGHTS: &'static [WeightSpec] = &[
        WeightSpec::pair("won", "knowing that the ending is won"),
        WeightSpec::array("corner", 8, "the bare king 0 to 7 rook steps from the right corner"),
        WeightSpec::array("king", 8, "the kings 0 to 7 king moves apart"),
        WeightSpec::array("knight", 7, "the knight 0 to 6 knight moves from the bare king"),
        WeightSpec::array("bishop", 8, "the bishop 0 to 7 king moves from the bare king"),
        WeightSpec::array("flight", 9, "0 to 8 squares the bare king can go to"),
    ];

    fn new(_: &[i32]) -> Self {
        Kbnk
    }

    fn measure<S: Sink>(&self, view: &View, side: Color, sink: &mut S) {
        const WON: Weight = find(Kbnk::WEIGHTS, "won");
        const CORNER: Weight = find(Kbnk::WEIGHTS, "corner");
        const KING: Weight = find(Kbnk::WEIGHTS, "king");
        const KNIGHT: Weight = find(Kbnk::WEIGHTS, "knight");
        const BISHOP: Weight = find(Kbnk::WEIGHTS, "bishop");
        const FLIGHT: Weight = find(Kbnk::WEIGHTS, "flight");
        let (strong, weak) = (view.side(side), view.side(!side));
        if !strong.is_bishop_and_knight() || !weak.is_bare() {
            return;
        }
        for (bishop, knight) in strong.bishops.into_iter().zip(strong.knights) {
            sink.add(WON, 1, weak.king);
            sink.add(CORNER.at(bishop_corner_distance(bishop, weak.king)), 1, weak.king);
            sink.add(KING.at(chebyshev(strong.king, weak.king)), 1, strong.king);
            sink.add(KNIGHT.at(knight_distance(knight, weak.king)), 1, knight);
            sink.add(BISHOP.at(chebyshev(bishop, weak.king)), 1, bishop);
            let flight = king_attacks(weak.king) & !strong.attacks;
            sink.add(FLIGHT.at(flight.count() as u32), 1, weak.king);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::assert_measured;
    use shakmaty::Square;

    #[test]
    fn counts_the_distances() {
        // The bishop on c1 is dark: h8 is the corner, 2 steps from g7 by way of g8 or h7. The
        // kings stand 3 apart; from b1 to g7 a knight needs 5 moves, a king from c1 6. Of the king's
        // eight squares the bishop guards h6.
        assert_measured(
            &Kbnk,
            "8/6k1/8/8/3K4/8/8/1NB5 w - - 0 1",
            Color::White,
            &[
                ("won", 1, Square::G7),
                ("corner 2", 1, Square::G7),
                ("king 3", 1, Square::D4),
                ("knight 5", 1, Square::B1),
                ("bishop 6", 1, Square::C1),
                ("flight 7", 1, Square::G7),
            ],
        );
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
