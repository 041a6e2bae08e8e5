//! Who is better, how much, and the reason that decides.

use super::SMALLEST;
use super::idea::{Idea, named};
use super::lines::{LineEnd, played};
use super::study::Study;
use super::value::{DRAWISH, WhiteValue, mates_in};
use crate::exercise::winner;
use crate::practise::{flight, king_of};
use shakmaty::{Bitboard, Chess, Color, Position, Role, Square};
use tropism::endgame::Dtm;
use tropism::eval::{ENDGAME_PHASE, EvalContext, Reason, theme};
use tropism::geometry::file_distance;
use tropism::text::{Balance, side_name};

/// Material explains a value if it is at least this share of it, or worth so many pawns.
const ENOUGH: f64 = 0.45;
const DECISIVE: i32 = 5;
/// A king without a way out explains a value of so many pawns more than the material.
const MATING: f64 = 4.0;
/// Two reasons are balanced if one is at most so many times as large.
const BALANCED: f64 = 3.0;
/// So many pawns may all be exchanged.
const FEW_PAWNS: usize = 2;
/// A side is in zugzwang if it would have so many more expected points if it could pass.
const ZUGZWANG: f64 = 0.2;

/// What the verdict is made of.
pub struct Verdict<'a> {
    pub study: &'a Study<'a>,
    pub idea: &'a Idea<'a>,
    pub exact: Option<Dtm>,
    /// The reasons that the position shows.
    pub reasons: &'a [Reason],
    /// The side that wins less easily, and why.
    pub scaling: Option<(Color, &'a str)>,
}

/// The side that mates by an exact value for the side to move, and a clause about it; none in a draw.
pub fn exact_mate(value: Dtm, turn: Color) -> Option<(Color, String)> {
    let (Dtm::Win(plies) | Dtm::Loss(plies)) = value else { return None };
    let winner = winner(value, turn)?;
    Some((winner, format!("{} {}", side_name(winner), mates_in(plies.div_ceil(2).into()))))
}

impl Verdict<'_> {
    fn value(&self) -> WhiteValue {
        self.study.best.value
    }

    fn chess(&self) -> &Chess {
        self.study.game.position().chess()
    }

    /// The side that mates, or none in an exact draw, if the outcome is known.
    pub fn decided(&self) -> Option<Option<Color>> {
        let turn = self.chess().turn();
        match (self.exact, self.value()) {
            (Some(value), _) => Some(winner(value, turn)),
            (None, WhiteValue::Mate(winner, _)) => Some(Some(winner)),
            (None, WhiteValue::Centipawns(_)) => None,
        }
    }

    /// Who is better, how much, and why in half a sentence.
    pub fn sentence(&self) -> String {
        match self.exact.map(|value| exact_mate(value, self.chess().turn())) {
            Some(None) => return "The position is a draw with best play (exact).".to_owned(),
            Some(Some((_, clause))) => return format!("{clause} with best play (exact)."),
            None => {}
        }
        let board = self.chess().board();
        let why = match (self.value(), self.value().words(board)) {
            (WhiteValue::Mate(winner, _), _) if self.is_zugzwang(!winner) => {
                Some(format!("{} is in zugzwang", side_name(!winner)))
            }
            (WhiteValue::Mate(winner, _), _) => self.net(!winner),
            (value, Some((side, _))) if self.is_fortress(side) => {
                let up = self.left(side).map(|up| format!("{up}, but "));
                let (side, up) = (side_name(side), up.unwrap_or_default());
                return format!(
                    "{side} {DRAWISH} ({}): {up}{side} has no way to make progress.",
                    value.figure()
                );
            }
            (_, Some((side, _))) if self.is_zugzwang(!side) => {
                let then = self.why(side).map(|why| format!(", and {why}")).unwrap_or_default();
                Some(format!("{} is in zugzwang{then}", side_name(!side)))
            }
            (_, Some((side, _))) => self.why(side),
            (_, None) => self.balance(),
        };
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        format!("{}{why}.", self.value().clause(board))
    }

    /// Whether the best line of an endgame is long and deep, and the side ahead neither captures nor moves a pawn in it
    /// and has no passed pawn.
    fn is_fortress(&self, side: Color) -> bool {
        const LONG: usize = 12;
        const DEEP: u32 = 18;
        let (best, turn) = (&self.study.best, self.chess().turn());
        let context = EvalContext::new(self.chess());
        let own = best.moves.iter().skip(usize::from(side != turn)).step_by(2);
        context.phase <= ENDGAME_PHASE
            && best.depth >= DEEP
            && best.moves.len() >= LONG
            && context.side(side).passed.is_empty()
            && own.into_iter().all(|m| !m.is_capture() && m.role() != Role::Pawn)
            && self.idea.material(side).1.is_even()
    }

    /// What a side wins, or what it has more of.
    fn material(&self, side: Color) -> Option<String> {
        let (now, change) = self.idea.material(side);
        let then = now + change;
        let won = self.idea.wins_early(side).map(|won| format!("{} {won}", self.by(side)));
        match won {
            Some(won) if then.pawns() > 0 && now.pawns() < -1 => {
                let left = stands(side, then).map(|left| format!(", and then {left}"));
                Some(won + &left.unwrap_or_default())
            }
            Some(won) if now.pawns() < change.pawns() => Some(won),
            _ => self.left(side),
        }
    }

    /// What a side has more of at the end of the line.
    fn left(&self, side: Color) -> Option<String> {
        let (now, change) = self.idea.material(side);
        let when = if change.is_even() { "" } else { " in the end" };
        stands(side, now + change).map(|clause| clause + when)
    }

    /// Why a side is better.
    fn why(&self, side: Color) -> Option<String> {
        let (now, change) = self.idea.material(side);
        let then = now + change;
        let (pawns, size) = (then.pawns(), self.value().clamped(1000.0).abs() / 100.0);
        let is_enough = pawns >= DECISIVE.min((ENOUGH * size).ceil() as i32);
        let rest = size - f64::from(pawns);
        let is_minor_trade = then.without_trade().is_even();
        match (pawns, self.material(side)) {
            (1.., Some(material)) => {
                let net = || self.net(!side).filter(|_| rest >= MATING);
                let and = match is_enough {
                    true => net().or_else(|| self.outside_pawn(side)),
                    false => self.positional(side, rest),
                };
                Some(and.map(|why| joined(side, &material, &why)).unwrap_or(material))
            }
            (..=-1, _) => {
                let other = self.left(!side).map(|other| format!("{other}, but "));
                Some(other.unwrap_or_default() + &self.positional(side, rest)?)
            }
            // Different pieces of the same worth.
            _ => {
                let pieces = self.left(side).filter(|_| !is_minor_trade);
                let both = |reason: String| match pieces {
                    Some(pieces) => joined(side, &pieces, &reason),
                    None => reason,
                };
                self.positional(side, rest).map(both)
            }
        }
    }

    /// Who wins something: the move that does it, or the other side.
    fn by(&self, side: Color) -> String {
        match side == self.chess().turn() {
            true => named(self.study.game, &self.study.best.moves, 0),
            false => side_name(side).to_owned(),
        }
    }

    /// What holds the balance, if the sides do not have the same.
    fn balance(&self) -> Option<String> {
        let turn = self.chess().turn();
        if let (LineEnd::Draw(how), WhiteValue::Centipawns(0)) = (&self.idea.result, self.value()) {
            return Some(format!("{} draws {how}", self.by(turn)));
        }
        let (now, change) = self.idea.material(turn);
        let then = now + change;
        let ahead = if then.pawns() > 0 { turn } else { !turn };
        if then.pawns().abs() >= 1 {
            let but = self.scaling.filter(|it| it.0 == ahead).map(|it| it.1.to_owned());
            let but = but.or_else(|| self.positional(!ahead, f64::from(then.pawns().abs())));
            let but = but.map(|but| format!(", but {but}"));
            let but = but.unwrap_or_else(|| ", which is not enough to win".to_owned());
            return Some(self.material(ahead)? + &but);
        }
        let won = |side: Color, change: Balance| {
            self.idea.wins(side, change).map(|won| format!("{} {won}", self.by(side)))
        };
        won(turn, change).or_else(|| won(!turn, change.negated())).or_else(|| {
            let for_side = |side: Color| self.reasons.iter().find(|reason| reason.side() == side);
            let both = for_side(Color::White).zip(for_side(Color::Black));
            // Two reasons that weigh about the same.
            let both = both.filter(|(white, black)| {
                let ratio = white.value.abs() / black.value.abs().max(1.0);
                (1.0 / BALANCED..=BALANCED).contains(&ratio)
            });
            let both = both.map(|(white, black)| format!("{}, but {}", white.clause, black.clause));
            let is_best = |side| self.reasons.first().is_some_and(|it| it.side() == side);
            // Who is not ahead does not fear for its last pawns.
            let pawns = |side: Color| self.chess().board().by_piece(side.pawn()).count();
            let scaling = self.scaling.filter(|it| is_best(it.0) && pawns(it.0) > FEW_PAWNS);
            let hardly = |(side, why)| format!("{} can hardly win, because {why}", side_name(side));
            scaling.map(hardly).or(both)
        })
    }

    /// The reason that weighs most for a side, apart from material. `rest` is what it has to explain, in pawns.
    fn positional(&self, side: Color, rest: f64) -> Option<String> {
        if let Some(net) = self.net(!side).filter(|_| rest >= MATING) {
            return Some(net);
        }
        let end = played(self.study.game, &self.study.best.moves);
        let trace = self.study.searcher.engine.trace(end.position().chess());
        let is_told = |it: &&Reason| it.side() == side && it.theme != theme::MATERIAL;
        let (mut now, later) = (self.reasons.iter().filter(is_told), trace.reasons());
        let later: Vec<&Reason> = later.iter().filter(is_told).collect();
        let lasting = |reason: &&Reason| later.iter().any(|it| it.theme == reason.theme);
        let seen = now.clone().find(lasting).or(now.next());
        let last = later.first();
        let counts =
            |seen: &&Reason| last.is_none_or(|last| last.value.abs() <= 2.0 * seen.value.abs());
        if let Some(seen) = seen.filter(counts) {
            return Some(seen.clause.clone());
        }
        let Some(last) = last else {
            let pieces = side.fold_wb(1.0, -1.0) * super::total(&trace, theme::PIECES);
            return (pieces >= SMALLEST)
                .then(|| format!("{}'s pieces stand better", side_name(side)));
        };
        let moves = &self.study.best.moves;
        let ply = moves.len().checked_sub(1)?;
        Some(format!("after {} {}", named(self.study.game, moves, ply), last.clause))
    }

    /// In a pawn ending, a pawn far from the others that the king has to watch. The side has more pawns.
    fn outside_pawn(&self, side: Color) -> Option<String> {
        const FAR: u32 = 3;
        let board = self.chess().board();
        let [own, enemies] = [side, !side].map(|side| board.by_piece(side.pawn()));
        let is_pawn_ending = board.occupied() == own | enemies | board.kings();
        let near = |pawns: Bitboard, pawn: Square| {
            pawns.into_iter().filter(|&it| file_distance(it, pawn) < FAR).count()
        };
        let is_outside = |&pawn: &Square| near(own, pawn) == 1 && near(enemies, pawn) <= 1;
        let pawn = own.into_iter().find(is_outside)?;
        let is_more = own.count() > enemies.count().max(1);
        let who = side_name(side);
        (is_pawn_ending && is_more).then(|| {
            format!("{who}'s pawn on {pawn} draws {} away from the others", king_of(!side))
        })
    }

    /// Whether a side would rather not move.
    fn is_zugzwang(&self, side: Color) -> bool {
        let Some((_, passed)) = &self.study.threat else { return false };
        side == self.chess().turn() && -self.study.loss(passed) >= ZUGZWANG
    }

    /// The squares that the king of a side lacks, if it has at most one.
    fn net(&self, side: Color) -> Option<String> {
        let (king, safe) = (self.chess().board().king_of(side)?, flight(self.chess(), side));
        let name = format!("{} on {king}", king_of(side));
        match (safe.count(), safe.first()) {
            (0, _) => Some(format!("{name} has no safe square")),
            (1, Some(square)) => Some(format!("{name} can only go to {square}")),
            _ => None,
        }
    }
}

/// What a side has more of: `White is a pawn up`.
fn stands(side: Color, balance: Balance) -> Option<String> {
    balance.clause().map(|clause| format!("{} {clause}", side_name(side)))
}

/// Two reasons for a side as one clause. The side is named once.
fn joined(side: Color, first: &str, second: &str) -> String {
    let name = format!("{} ", side_name(side));
    match second.strip_prefix(&name).filter(|_| first.starts_with(&name)) {
        Some(second) => format!("{first} and {second}"),
        None => format!("{first}, and {second}"),
    }
}
