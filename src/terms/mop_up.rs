use super::pieces::CENTRE;
use crate::eval::meaning::{ROOK_STEPS, distance, enemy, has, own, place};
use crate::eval::{Account, EvalContext, Marks, Sink, Term, Walk, theme};
use crate::geometry::{Mover, Terrain, centre_manhattan, manhattan, mobility};
use crate::term;
use crate::text::side_name;
use shakmaty::Color;

term! {
    /// Drives the losing king to the edge and brings the winning king near.
    pub(super) struct MopUp;

    name = "mop_up";
    doc = "In a won ending the losing king is driven to the edge and the winning king comes near.";
    source = "Slate and Atkin 1977, Chess 4.5: 4.7 x centre Manhattan distance + 1.6 x (14 - distance)";
    theme = theme::KING;
    is_spoken_for = true;
    draws = drive;
    is_tuned_from_games = false;

    weights {
        centre = enemy("king").is(distance(ROOK_STEPS, place("the centre")).zero("in the centre"));
        kings = own("king").is(distance(ROOK_STEPS, enemy("king")).less_than(14));
        won = has("a won ending");
    }
}

/// The lead in points that wins an ending without pawns: more than a minor piece.
const DECISIVE_LEAD: i32 = 4;

impl Term for MopUp {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        if !is_won(context, side) {
            return;
        }
        let (own, enemy) = (context.side(side).king, context.side(!side).king);
        sink.add(W.centre, centre_manhattan(enemy) as i32, enemy);
        sink.add(W.kings, 14 - manhattan(own, enemy) as i32, own);
        if context.side(!side).is_bare() {
            sink.add(W.won, 1, enemy);
        }
    }
}

/// Against a bare king, any pieces that can mate win. Without pawns, a lead of more than a minor piece
/// wins. Bishop and knight have their own term, because only two corners are right for them.
#[inline]
fn is_won(context: &EvalContext, side: Color) -> bool {
    let (strong, weak) = (context.side(side), context.side(!side));
    if context.pawns().any() && !weak.is_bare() {
        return false;
    }
    let ahead = weak.is_bare() || strong.points() - weak.points() >= DECISIVE_LEAD;
    ahead && strong.pieces_can_mate() && !strong.is_bishop_and_knight()
}

/// The distances that are counted: from the bare king to the centre, and from the other king to it. Dots are where the
/// bare king can go.
pub(super) fn drive(account: &Account) -> Marks {
    let context = account.context();
    let mut marks = Marks::default();
    let measured = |side: &Color| !account.row.contributions(*side).is_empty();
    let Some(side) = Color::ALL.into_iter().find(measured) else { return marks };
    let (strong, weak) = (context.side(side), context.side(!side));
    if weak.is_bare() {
        let terrain = Terrain { guarded: context.closed_to_king(side), ..Terrain::EMPTY };
        let reach = mobility(Mover::King, weak.king, &terrain);
        let reached = reach.reached().without(weak.king);
        marks.dots.extend(reached & !context.occupied);
        let (count, weaker) = (reached.count(), side_name(!side));
        marks
            .notes
            .push(format!("If no other piece moves, {weaker}'s king can reach {count} squares."));
        marks.legend.push("Dots: the squares that the bare king can reach.".to_owned());
    }
    let centre = CENTRE.into_iter().min_by_key(|square| manhattan(*square, weak.king));
    let to_centre = centre.and_then(|to| Walk::RookSteps.way(context, !side, weak.king, to));
    marks.arrows.extend(Walk::RookSteps.way(context, side, strong.king, weak.king));
    marks.arrows.extend(to_centre);
    marks
}
