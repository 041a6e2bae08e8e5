use super::nearest;
use super::passed_pawns::OF_PASSED_PAWNS;
use super::placement::{edge, home, square_index};
use crate::eval::meaning::{RANKS, count, distance, own, place};
use crate::eval::{
    Account, ENDGAME_PHASE, EvalContext, MAX_NAMED, Reason, Scope, Side, Sink, Term, named, theme,
};
use crate::geometry::{ahead, back_rank_distance, beside, rank_distance, step};
use crate::term;
use crate::text::side_name;
use shakmaty::{Bitboard, Color, File, Rank, Square};

term! {
    /// Measures pawns by their distances to each other.
    pub(super) struct Pawns;

    name = "pawns";
    doc = "Pawns are strong near each other and weak where no neighbour can support them.";
    source = "Kmoch 1959, Pawn Power in Chess; Chess Programming Wiki, Pawn Structure";
    theme = theme::PAWNS;
    says = reasons;
    scope = Scope::NotBareKing;
    pawns_and_kings = true;

    weights {
        place[32] = own("pawn").both(home(), 4, edge());
        // How far the pawn is ahead of the nearest neighbour that can support it.
        support[8] = own("pawn").is(distance(RANKS, place("the next pawn on a neighbouring file"))
            .preposition("ahead of")
            .zero("beside a pawn")
            .alone(NONE, "no pawn beside or behind it on a neighbouring file"));
        phalanx[8] = own("pawn in a phalanx").is(home());
        defended[8] = own("defended pawn").is(home());
        ahead[8] = own("pawn").is(distance(RANKS, place("the next enemy pawn ahead on its file"))
            .alone(NONE, "no enemy pawn ahead on its file"));
        doubled[8] = own("pawn").is(distance(RANKS, place("the pawn in front of it on its file"))
            .alone(NONE, "no pawn of its side in front of it"));
        isolated = count("an isolated pawn", "isolated pawns");
        isolated_open =
            count("an isolated pawn on a half-open file", "isolated pawns on half-open files");
        backward = count("a backward pawn", "backward pawns");
        backward_open =
            count("a backward pawn on a half-open file", "backward pawns on half-open files");
        free_lever = count(
            "a pawn attack on a pawn that no pawn defends",
            "pawn attacks on pawns that no pawn defends",
        );
        candidate[8] = own("candidate passed pawn").is(home());
        blocked[8] = own("pawn in front of an enemy pawn").is(home());
        open[8] = own("supported pawn with no enemy pawn ahead").is(home());
        isolated_doubled = count("an isolated pawn behind another", "isolated pawns behind others");
    }
}

/// The index for a missing pawn.
const NONE: u32 = 7;

impl Term for Pawns {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        let (own, enemy) = (context.side(side), context.side(!side));

        sink.add_each(W.free_lever, own.pawn_attacks & enemy.pawns & !enemy.pawn_attacks);
        for pawn in own.pawns {
            let square = Bitboard::from_square(pawn);
            let way = ahead(side, square);
            let files = Bitboard::from_file(pawn.file());
            let neighbours = own.pawns & beside(files);
            let not_ahead = neighbours & !ahead(side, beside(square));
            let ranks = |set: Bitboard, side| {
                nearest(side, set).map_or(NONE, |other| rank_distance(pawn, other))
            };
            let home = back_rank_distance(side, pawn);
            let open = (way & enemy.pawns).is_empty();
            sink.add(W.place.at(square_index(side, pawn)), 1, pawn);
            sink.add(W.support.at(ranks(not_ahead, !side)), 1, pawn);
            sink.add(W.ahead.at(ranks(way & enemy.pawns, side)), 1, pawn);
            sink.add(W.doubled.at(ranks(way & own.pawns, side)), 1, pawn);
            if (step(side, square) & enemy.pawns).any() {
                sink.add(W.blocked.at(home), 1, pawn);
            }
            let in_phalanx = (beside(square) & own.pawns).any();
            if open && (in_phalanx || own.pawn_attacks.contains(pawn)) {
                sink.add(W.open.at(home), 1, pawn);
            }
            if in_phalanx {
                sink.add(W.phalanx.at(home), 1, pawn);
            }
            if own.pawn_attacks.contains(pawn) {
                sink.add(W.defended.at(home), 1, pawn);
            }
            if neighbours.is_empty() {
                sink.add(if open { W.isolated_open } else { W.isolated }, 1, pawn);
                if (way & own.pawns).any() {
                    sink.add(W.isolated_doubled, 1, pawn);
                }
            } else if own.backward.contains(pawn) {
                sink.add(if open { W.backward_open } else { W.backward }, 1, pawn);
            }
            if open && !own.passed.contains(pawn) {
                let stoppers = beside(way) & enemy.pawns;
                if not_ahead.count() >= stoppers.count() {
                    sink.add(W.candidate.at(home), 1, pawn);
                }
            }
        }
    }
}

/// Whose pawns are weaker, apart from passed pawns, or else who has more space in the centre.
fn reasons(account: &Account) -> Vec<Reason> {
    let context = account.context();
    let passed = |side: Color| {
        let pawns = context.side(side).passed.into_iter();
        pawns.map(|pawn| account.on_square(&OF_PASSED_PAWNS, side, pawn)).sum::<f64>()
    };
    let value = account.of_theme() - (passed(Color::White) - passed(Color::Black));
    let (side, weaker) = (Color::from_white(value > 0.0), Color::from_white(value <= 0.0));
    let [own, enemy] = [weaker, side].map(|side| weaknesses(context.side(side), side));
    let count = |kinds: [Bitboard; 3]| kinds.map(Bitboard::count).iter().sum::<usize>();
    if count(own) <= count(enemy) {
        return space(account, side, value.abs()).into_iter().collect();
    }
    let kinds = ["isolated", "doubled", "backward"].into_iter().zip(own);
    let details = kinds.filter(|(_, pawns)| pawns.any()).map(|(kind, pawns)| {
        let shown: Bitboard = pawns.into_iter().take(MAX_NAMED).collect();
        match shown.more_than_one() {
            false => format!("the pawn on {} is {kind}", named(shown)),
            true => format!("the pawns on {} are {kind}", named(shown)),
        }
    });
    let clause = format!("{}'s pawns are weaker", side_name(weaker));
    vec![account.reason(side, value.abs(), clause, details.collect())]
}

/// Who has more pawns in the centre on the fourth rank or beyond.
fn space(account: &Account, side: Color, value: f64) -> Option<Reason> {
    const MORE: usize = 2;
    let context = account.context();
    let centre = [File::C, File::D, File::E, File::F].map(Bitboard::from_file);
    let centre = centre.into_iter().fold(Bitboard::EMPTY, |all, file| all | file);
    let far = |side: Color| {
        let third = side.fold_wb(Rank::Third, Rank::Sixth);
        context.side(side).pawns & centre & ahead(side, Bitboard::from_rank(third))
    };
    let [own, enemy] = [far(side), far(!side)];
    if own.count() < enemy.count() + MORE || context.phase <= ENDGAME_PHASE {
        return None;
    }
    let clause = format!("{} has more space in the centre", side_name(side));
    let detail = format!("pawns on {}", named(own.into_iter().take(MAX_NAMED).collect()));
    Some(account.reason(side, value, clause, vec![detail]))
}

/// The isolated, the doubled and the backward pawns of a side.
fn weaknesses(own: &Side, side: Color) -> [Bitboard; 3] {
    let file = |square: Square| Bitboard::from_file(square.file());
    let isolated = own.pawns.into_iter().filter(|&it| (beside(file(it)) & own.pawns).is_empty());
    let isolated: Bitboard = isolated.collect();
    let doubled = own.pawns & (ahead(side, own.pawns) | ahead(!side, own.pawns));
    let backward = own.backward & !isolated & !own.passed;
    [isolated & !own.passed, doubled & !isolated, backward & !doubled]
}
