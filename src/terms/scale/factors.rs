//! Material that seldom wins.

use crate::eval::file::{KEEPS_SPEC, SCALE};
use crate::eval::{Advantage, ScaleEntry, ScaleScope};
use crate::terms::DEFAULT_ENGINE_FILE;
use std::{collections::HashMap, sync::LazyLock};
use toml::de::DeTable;

const LAST: &str = "the last of its pawns may be exchanged";

/// The percentages by name. They stand in the default engine file; other files that say nothing of them have them too.
static KEEPS: LazyLock<HashMap<String, u32>> = LazyLock::new(|| {
    let file = DeTable::parse(DEFAULT_ENGINE_FILE).ok();
    let scale = file.as_ref().and_then(|file| file.get_ref().get(SCALE)?.get_ref().as_table());
    let keeps = scale.into_iter().flatten().filter_map(|(name, section)| {
        let keeps = section.get_ref().as_table()?.get(KEEPS_SPEC.name)?.get_ref().as_integer()?;
        Some((name.get_ref().to_string(), keeps.as_str().parse().ok()?))
    });
    keeps.collect()
});

fn factor(
    name: &'static str,
    doc: &'static str,
    says: &'static str,
    scope: ScaleScope,
    applies: fn(&Advantage<'_>) -> bool,
) -> ScaleEntry {
    let keeps = KEEPS.get(name).copied().unwrap_or(KEEPS_SPEC.max as u32);
    ScaleEntry::new(name, doc, says, Some(keeps), scope, applies)
}

/// All of them.
pub(super) fn all() -> [ScaleEntry; 6] {
    [
        factor(
            "minor_lead",
            "Without a pawn, a lead of a minor piece or less seldom wins.",
            "it has no pawn and is at most a minor piece ahead",
            ScaleScope::FewPawns,
            |advantage| {
                let (strong, weak) = (advantage.strong, advantage.weak);
                strong.pawns.is_empty() && strong.points() - weak.points() <= 3
            },
        ),
        factor(
            "opposite_bishops",
            "With bishops on different colours the defender blocks on the squares of its own bishop.",
            "the bishops stand on different colours",
            ScaleScope::OppositeBishops,
            |advantage| pieces(advantage) == Some(1),
        ),
        factor(
            "opposite_bishops_and_pieces",
            "With other pieces, bishops on different colours draw less often.",
            "the bishops stand on different colours, with other pieces",
            ScaleScope::OppositeBishops,
            |advantage| pieces(advantage).is_some_and(|pieces| pieces > 1),
        ),
        factor(
            "no_pawns",
            "Without a pawn, a side wins by mate or by the other pieces only.",
            "it has no pawn that could still promote",
            ScaleScope::FewPawns,
            |advantage| advantage.strong.pawns.is_empty(),
        ),
        factor(
            "one_pawn",
            "If the last pawn is exchanged, few endings are won.",
            LAST,
            ScaleScope::FewPawns,
            |advantage| {
                advantage.strong.pawns.count() == 1
                    && advantage.context.lone_pawn(advantage.side).is_none()
            },
        ),
        factor(
            "two_pawns",
            "Two pawns are soon exchanged.",
            LAST,
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
