use crate::endgame::pawn_wins;
use crate::eval::meaning::{Distance, KING_MOVES, MOVES, distance, enemy, has, own, place};
use crate::eval::{Account, Arrow, EvalContext, Marks, Sink, Term, Walk, theme};
use crate::geometry::{chebyshev, promotion_distance};
use crate::term;
use shakmaty::{Color, Rank, Square};

term! {
    /// Measures a pawn that wins against a bare king by the exact table: its distance from promotion.
    ///
    /// The known draw `drawn_pawns` is for those that do not win.
    pub(super) struct Kpk;

    name = "kpk";
    doc = "A pawn wins or draws against a bare king, and a winning pawn should advance.";
    source = "Chess Programming Wiki, KPK; Levinson and Snyder 1993, Distance";
    theme = theme::PAWNS;
    is_spoken_for = true;
    draws = marks;
    is_tuned_from_games = false;

    weights {
        won = has("a won ending");
        way[7] = own("pawn").is(distance(MOVES, place("promotion")));
        king[8] = own("king").is(to_promotion());
        bare[8] = enemy("king").is(to_promotion());
    }
}

/// How far a king is from where the pawn promotes.
fn to_promotion() -> Distance {
    distance(KING_MOVES, place("the promotion square")).zero("on the promotion square")
}

impl Term for Kpk {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        let Some(pawn) = context.lone_pawn(side) else { return };
        let (king, bare) = (context.side(side).king, context.side(!side).king);
        if !pawn_wins(side, context.turn, king, pawn, bare) {
            return;
        }
        let promotion = promotion_square(side, pawn);
        sink.add(W.won, 1, pawn);
        sink.add(W.way.at(promotion_distance(side, pawn)), 1, pawn);
        sink.add(W.king.at(chebyshev(king, promotion)), 1, king);
        sink.add(W.bare.at(chebyshev(bare, promotion)), 1, bare);
    }
}

fn promotion_square(side: Color, pawn: Square) -> Square {
    Square::from_coords(pawn.file(), side.fold_wb(Rank::Eighth, Rank::First))
}

/// The ways of the pawn and of both kings to the promotion square.
fn marks(account: &Account) -> Marks {
    let context = account.context();
    let mut marks = Marks::default();
    for side in Color::ALL {
        for pawn in account.squares(side, &["won"]) {
            let to = promotion_square(side, pawn);
            let length = Some(promotion_distance(side, pawn));
            marks.arrows.push(Arrow { length, ..Arrow::straight(pawn, to, side) });
            let way = |side| Walk::King.way(context, side, context.side(side).king, to);
            marks.arrows.extend(Color::ALL.into_iter().filter_map(way));
        }
    }
    marks
}
