//! Scale factors: how much of an advantage the material lets a side win with. A known draw keeps nothing of it.

use super::formula::{Code, FormulaTerm};
use super::{EvalContext, Score, Side, meaning::Text};
use shakmaty::{Bitboard, ByColor, Color, File};
use std::{fmt, sync::Arc};

/// The whole advantage, in 64ths.
const ALL: i32 = 64;

/// How a balance becomes a value: the game phase, and for each side the share of its advantage that
/// the material lets it win with.
///
/// A side that cannot force mate is never ahead. A side that mates a bare king with pieces keeps its whole
/// advantage, so that the mating terms work unscaled.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ScaleFactor {
    /// The game phase, as in [`EvalContext::phase`].
    pub phase: i32,
    /// What is left of each side's advantage, in 64ths.
    pub shares: ByColor<i32>,
}

impl ScaleFactor {
    /// White's value in centipawns for a balance of White minus Black.
    #[inline]
    pub fn value(&self, balance: Score) -> i32 {
        scaled(balance, self.phase, |side| *self.shares.get(side))
    }
}

/// White's value. Only the share of the side ahead is computed.
#[inline]
pub(super) fn scaled(balance: Score, phase: i32, share: impl FnOnce(Color) -> i32) -> i32 {
    let value = balance.taper(phase);
    value * share(Color::from_white(value > 0)) / ALL
}

/// The positions in which a scale factor can apply at all. Most positions are in none of these scopes but the first, so
/// the search seldom asks further.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ScaleScope {
    /// All positions.
    Everywhere,
    /// The other side has nothing but its king.
    BareKing,
    /// The side ahead has two pawns at most.
    FewPawns,
    /// All pawns of the side ahead are on one rook file.
    RookPawns,
    /// Each side has one bishop, and they stand on different colours.
    OppositeBishops,
}

impl ScaleScope {
    /// The scopes that a position belongs to, one bit each.
    #[inline]
    fn bits_of(strong: &Side, weak: &Side) -> u8 {
        let all_on = |file| (strong.pawns & !Bitboard::from_file(file)).is_empty();
        let is_single = strong.bishops.count() == 1 && weak.bishops.count() == 1;
        let light = (strong.bishops | weak.bishops) & Bitboard::LIGHT_SQUARES;
        ScaleScope::Everywhere.bit(true)
            | ScaleScope::BareKing.bit(weak.is_bare())
            | ScaleScope::FewPawns.bit(strong.pawns.count() <= 2)
            | ScaleScope::RookPawns.bit(all_on(File::A) || all_on(File::H))
            | ScaleScope::OppositeBishops.bit(is_single && light.count() == 1)
    }

    const fn bit(self, is_set: bool) -> u8 {
        (is_set as u8) << self as u8
    }
}

/// The two sides, seen from the one that may be ahead.
#[derive(Copy, Clone, Debug)]
pub struct Advantage<'a> {
    /// The position.
    pub context: &'a EvalContext,
    /// The side that may be ahead.
    pub side: Color,
    /// Whether it is to move.
    pub is_to_move: bool,
    /// What it has.
    pub strong: &'a Side,
    /// What the other side has.
    pub weak: &'a Side,
}

/// What is known of a scale factor or a known draw before an engine file gives it a number.
pub struct ScaleEntry {
    /// Its key in engine files: lower case, words joined by `_`.
    pub name: Text,
    /// One sentence for people: what it is and why.
    pub doc: Text,
    /// Why the side ahead does not keep all, as a clause about it: "it has no pawn".
    pub says: Text,
    /// The percentage that is kept where a file does not say another; `None` if no file can, as for a known draw.
    pub keeps: Option<u32>,
    pub(super) scope: ScaleScope,
    pub(super) rule: Rule,
}

/// How a scale factor is written.
pub(super) enum Rule {
    /// In Rust: whether it applies.
    Rust(fn(&Advantage<'_>) -> bool),
    /// In an engine file: a term without weights that says whether it applies, and the percentage.
    Formula(Box<FormulaTerm>, Code),
}

impl ScaleEntry {
    /// A scale factor in Rust, or without `keeps` a known draw. `applies` is asked in the positions of the scope only,
    /// and for a scale factor not where pieces mate a bare king.
    pub fn new(
        name: &'static str,
        doc: &'static str,
        says: &'static str,
        keeps: Option<u32>,
        scope: ScaleScope,
        applies: fn(&Advantage<'_>) -> bool,
    ) -> ScaleEntry {
        let [name, doc, says] = [name, doc, says].map(Text::from);
        ScaleEntry { name, doc, says, keeps, scope, rule: Rule::Rust(applies) }
    }

    /// Whether it keeps nothing, also where pieces could mate the bare king.
    pub(super) fn is_draw(&self) -> bool {
        matches!((&self.rule, self.keeps), (Rule::Rust(_), None) | (Rule::Formula(..), Some(0)))
    }
}

impl fmt::Debug for ScaleEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScaleEntry").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A scale factor of an engine, with what its file says of it.
#[derive(Clone)]
pub(super) struct LoadedScale {
    pub(super) entry: Arc<ScaleEntry>,
    pub(super) is_on: bool,
    /// What is kept, in 64ths.
    pub(super) share: i32,
}

impl LoadedScale {
    /// As its entry declares it.
    pub(super) fn new(entry: Arc<ScaleEntry>) -> LoadedScale {
        LoadedScale { share: share(entry.keeps.unwrap_or(0)), entry, is_on: true }
    }

    pub(super) fn is_built_in(&self) -> bool {
        matches!(self.entry.rule, Rule::Rust(_))
    }

    /// Its name and the term that measures it, if a file writes it.
    pub(super) fn formula(&self) -> Option<(&str, &FormulaTerm)> {
        match &self.entry.rule {
            Rule::Rust(_) => None,
            Rule::Formula(term, _) => Some((&self.entry.name, term)),
        }
    }

    /// What is kept, in 64ths, if it applies.
    fn find(&self, advantage: &Advantage<'_>) -> Option<i32> {
        match &self.entry.rule {
            Rule::Rust(applies) => applies(advantage).then_some(self.share),
            Rule::Formula(term, percent) => {
                let Advantage { context, side, .. } = *advantage;
                let percent = term.number(percent, context, side)?;
                Some(if self.entry.keeps.is_some() {
                    self.share
                } else {
                    share(percent.max(0) as u32)
                })
            }
        }
    }
}

/// A percentage in 64ths.
pub(super) fn share(percent: u32) -> i32 {
    ((percent.min(100) * ALL as u32 + 50) / 100) as i32
}

/// The scale factors of an engine. The first that applies decides.
pub(super) struct Scales {
    pub(super) list: Vec<LoadedScale>,
    /// The scopes of those that are on.
    scopes: u8,
}

impl Scales {
    pub(super) fn new(list: Vec<LoadedScale>) -> Scales {
        let on = list.iter().filter(|scale| scale.is_on);
        let scopes = on.fold(0, |scopes, scale| scopes | scale.entry.scope.bit(true));
        Scales { list, scopes }
    }

    /// What is left of the advantage of a side, in 64ths.
    #[inline]
    pub(super) fn share(&self, context: &EvalContext, side: Color) -> i32 {
        self.find(context, side).map_or(ALL, |(_, share)| share)
    }

    /// The one that applies to a side if it is ahead, and what is left then, in 64ths.
    #[inline]
    pub(super) fn find(
        &self,
        context: &EvalContext,
        side: Color,
    ) -> Option<(&Arc<ScaleEntry>, i32)> {
        let scopes = self.scopes & ScaleScope::bits_of(context.side(side), context.side(!side));
        if scopes == 0 { None } else { self.find_among(scopes, context, side) }
    }

    /// Most positions never come here.
    #[inline(never)]
    fn find_among(
        &self,
        scopes: u8,
        context: &EvalContext,
        side: Color,
    ) -> Option<(&Arc<ScaleEntry>, i32)> {
        let (strong, weak) = (context.side(side), context.side(!side));
        let is_to_move = context.turn == side;
        let advantage = Advantage { context, side, is_to_move, strong, weak };
        let asked = self.list.iter().filter(|scale| {
            let LoadedScale { entry, is_on, .. } = scale;
            *is_on
                && scopes & entry.scope.bit(true) != 0
                && (entry.is_draw() || !context.is_bare_king_ending)
        });
        asked.filter_map(|scale| Some((&scale.entry, scale.find(&advantage)?))).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_of_the_side_that_is_ahead() {
        let factor = ScaleFactor { phase: 0, shares: ByColor { white: 32, black: 0 } };
        assert_eq!(factor.value(Score::from_centipawns(0.0, 100.0)), 50);
        assert_eq!(factor.value(Score::from_centipawns(0.0, -100.0)), 0);
    }

    #[test]
    fn whole_percentages_reach_all_64ths() {
        let shares: std::collections::BTreeSet<i32> = (0..=100).map(share).collect();
        assert!(shares.into_iter().eq(0..=ALL));
    }
}
