use crate::eval::meaning::{enemy, has, own};
use crate::eval::{EvalContext, Scope, Sink, Term, Weight, WeightSpec, find};
use crate::geometry::CornerFrame;
use shakmaty::{Color, Square};
use std::marker::PhantomData;

/// Bishop and knight against a bare king: one measurement, and a term with its own weights for each purpose.
///
/// It looks at the board in a [frame](CornerFrame) in which the nearest corner of the bishop's colour is a1 or h8, and
/// measures where each piece stands for each square of the bare king, the offsets of the pieces to each other, and which
/// squares next to the bare king are open.
pub(super) struct BishopAndKnight<P>(PhantomData<P>);

/// What a term measures the ending for.
pub(super) trait Purpose: Send + Sync + 'static {
    /// The name of its term.
    const NAME: &'static str;
    /// The sentence of its term.
    const DOC: &'static str;
}

/// For the evaluation.
pub(super) struct Places;

impl Purpose for Places {
    const NAME: &'static str = "kbnk_places";
    const DOC: &'static str =
        "Bishop, knight and king confine a bare king from squares that depend on its own.";
}

/// For levels.
pub(super) struct Levels;

impl Purpose for Levels {
    const NAME: &'static str = "kbnk_levels";
    const DOC: &'static str = "How far bishop and knight have come on the way to mate.";
}

/// Places of a piece for each square of the bare king.
const PLACES: u32 = 64 * CornerFrame::KING_SQUARES;

/// The bishop has only squares of one colour.
const BISHOP_PLACES: u32 = PLACES / 2;

/// Offsets from one square to another.
const OFFSETS: usize = 225;

/// All terms have their weights in the same order.
const WEIGHTS: &[WeightSpec] = &[
    WeightSpec::pair("won", has("a won ending")),
    WeightSpec::array("king", PLACES as usize, own("king").in_frame(64)),
    WeightSpec::array("knight", PLACES as usize, own("knight").in_frame(64)),
    WeightSpec::array("bishop", BISHOP_PLACES as usize, own("bishop").in_frame(32)),
    WeightSpec::array("king_knight", OFFSETS, own("king").offset(own("knight"))),
    WeightSpec::array("king_bishop", OFFSETS, own("king").offset(own("bishop"))),
    WeightSpec::array("knight_bishop", OFFSETS, own("knight").offset(own("bishop"))),
    WeightSpec::array("near", 625, own("king").near(own("knight"))),
    WeightSpec::array("open", CornerFrame::NEIGHBOURHOODS as usize, enemy("king").open()),
];

impl<P: Purpose> Term for BishopAndKnight<P> {
    const NAME: &'static str = P::NAME;
    const DOC: &'static str = P::DOC;
    const SOURCE: &'static str =
        "Chess Programming Wiki, KBNK Endgame (Isenberg); Levinson and Snyder 1993, Distance";
    const WEIGHTS: &'static [WeightSpec] = WEIGHTS;
    const SCOPE: Scope = Scope::BareKing;
    const TUNED_FROM_GAMES: bool = false;

    fn new(_: &[i32]) -> Self {
        BishopAndKnight(PhantomData)
    }

    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        const WON: Weight = find(WEIGHTS, "won");
        const OPEN: Weight = find(WEIGHTS, "open");
        let (strong, weak) = (context.side(side), context.side(!side));
        if !strong.is_bishop_and_knight() || !weak.is_bare() {
            return;
        }
        for (bishop, knight) in strong.bishops.into_iter().zip(strong.knights) {
            let men = [weak.king, strong.king, knight];
            let frame = CornerFrame::new(bishop, men);
            sink.add(WON, 1, weak.king);
            measure_men(frame, men, bishop, sink);
            let open = !frame.set(context.closed_to_king(side));
            let bare = frame.square(weak.king);
            sink.add(OPEN.at(CornerFrame::neighbourhood(bare, open)), 1, weak.king);
        }
    }
}

/// The places of the pieces. `men` are the squares of the bare king, the other king and the knight.
fn measure_men(frame: CornerFrame, men: [Square; 3], bishop: Square, sink: &mut impl Sink) {
    const KING: Weight = find(WEIGHTS, "king");
    const KNIGHT: Weight = find(WEIGHTS, "knight");
    const BISHOP: Weight = find(WEIGHTS, "bishop");
    const KING_KNIGHT: Weight = find(WEIGHTS, "king_knight");
    const KING_BISHOP: Weight = find(WEIGHTS, "king_bishop");
    const NEAR: Weight = find(WEIGHTS, "near");
    const KNIGHT_BISHOP: Weight = find(WEIGHTS, "knight_bishop");
    let [_, king, knight] = men;
    let [bare_seen, king_seen, knight_seen] = men.map(|man| frame.square(man));
    let bishop_seen = frame.square(bishop);
    let number = CornerFrame::number(bare_seen);
    if let (Some(one), Some(other)) = (
        CornerFrame::near_offset(bare_seen, king_seen),
        CornerFrame::near_offset(bare_seen, knight_seen),
    ) {
        sink.add(NEAR.at(25 * one + other), 1, king);
    }
    for (weight, index, square) in [
        (KING, 64 * number + u32::from(king_seen), king),
        (KNIGHT, 64 * number + u32::from(knight_seen), knight),
        // Of two neighbouring squares of a rank, one has the bishop's colour.
        (BISHOP, 32 * number + u32::from(bishop_seen) / 2, bishop),
        (KING_KNIGHT, CornerFrame::offset(king_seen, knight_seen), king),
        (KING_BISHOP, CornerFrame::offset(king_seen, bishop_seen), king),
        (KNIGHT_BISHOP, CornerFrame::offset(knight_seen, bishop_seen), knight),
    ] {
        sink.add(weight.at(index), 1, square);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::{assert_measured, measured};

    #[test]
    fn counts_places_offsets_and_open_squares() {
        // The bishop runs on dark squares, so the board is seen as it is. The bare king on b1 has number 1. a1 and c1
        // are open; the knight guards a2, the king b2 and c2.
        assert_measured(
            &BishopAndKnight::<Places>(PhantomData),
            "8/8/8/4B3/1N6/2K5/8/1k6 w - - 0 1",
            Color::White,
            &[
                ("won", 1, Square::B1),
                ("king 82", 1, Square::C3),
                ("knight 89", 1, Square::B4),
                ("bishop 50", 1, Square::E5),
                ("king_knight 98", 1, Square::C3),
                ("king_bishop 144", 1, Square::C3),
                ("knight_bishop 158", 1, Square::B4),
                ("open 11", 1, Square::B1),
            ],
        );
    }

    #[test]
    fn bishop_and_knight_against_a_bare_king_and_nothing_else() {
        for fen in ["8/6k1/8/8/3K4/8/8/1NBN4 w - - 0 1", "8/6kp/8/8/3K4/8/8/1NB5 w - - 0 1"] {
            assert!(
                measured(&BishopAndKnight::<Places>(PhantomData), fen, Color::White).is_empty(),
                "{fen}"
            );
        }
    }
}
