//! Material that seldom wins.

use crate::eval::{Advantage, ScaleEntry, ScaleScope};

const LAST: &str = "the last of its pawns may be exchanged";

/// All of them. The percentages of few pawns minimise the loss of predicting the results of 12,761 games.
pub(super) fn all() -> [ScaleEntry; 6] {
    [
        ScaleEntry::new(
            [
                "minor_lead",
                "Without a pawn, a lead of a minor piece or less seldom wins.",
                "it has no pawn and is at most a minor piece ahead",
            ],
            Some(12),
            ScaleScope::FewPawns,
            |advantage| {
                let (strong, weak) = (advantage.strong, advantage.weak);
                strong.pawns.is_empty() && strong.points() - weak.points() <= 3
            },
        ),
        ScaleEntry::new(
            [
                "opposite_bishops",
                "With bishops on different colours the defender blocks on the squares of its own bishop.",
                "the bishops stand on different colours",
            ],
            Some(53),
            ScaleScope::OppositeBishops,
            |advantage| pieces(advantage) == Some(1),
        ),
        ScaleEntry::new(
            [
                "opposite_bishops_and_pieces",
                "With other pieces, bishops on different colours draw less often.",
                "the bishops stand on different colours, with other pieces",
            ],
            Some(88),
            ScaleScope::OppositeBishops,
            |advantage| pieces(advantage).is_some_and(|pieces| pieces > 1),
        ),
        ScaleEntry::new(
            [
                "no_pawns",
                "Without a pawn, a side wins by mate or by the other pieces only.",
                "it has no pawn that could still promote",
            ],
            Some(62),
            ScaleScope::FewPawns,
            |advantage| advantage.strong.pawns.is_empty(),
        ),
        ScaleEntry::new(
            ["one_pawn", "If the last pawn is exchanged, few endings are won.", LAST],
            Some(78),
            ScaleScope::FewPawns,
            |advantage| {
                advantage.strong.pawns.count() == 1
                    && advantage.context.lone_pawn(advantage.side).is_none()
            },
        ),
        ScaleEntry::new(
            ["two_pawns", "Two pawns are soon exchanged.", LAST],
            Some(94),
            ScaleScope::FewPawns,
            |advantage| advantage.strong.pawns.count() == 2,
        ),
    ]
}

/// How many pieces each side has, if both have as many.
fn pieces(advantage: &Advantage<'_>) -> Option<usize> {
    let (strong, weak) = (advantage.strong.pieces.len(), advantage.weak.pieces.len());
    (strong == weak).then_some(strong)
}
