use super::mop_up::drive;
use crate::eval::meaning::{KNIGHT_MOVES, ROOK_STEPS, distance, enemy, own, place};
use crate::eval::{Account, EvalContext, Marks, Scope, Sink, Term, Walk, theme};
use crate::geometry::{bishop_corner_distance, centre_manhattan, knight_distance, manhattan};
use crate::term;
use shakmaty::{Bitboard, Color, Square};

term! {
    /// Mates with bishop and knight: the bare king must go to a corner of the bishop's colour.
    pub(super) struct Kbnk;

    name = "kbnk";
    doc = "Bishop and knight mate a bare king only in a corner of the bishop's colour.";
    source = "Chess Programming Wiki, KBNK Endgame (Isenberg)";
    theme = theme::KING;
    is_spoken_for = true;
    draws = marks;
    scope = Scope::BareKing;
    is_tuned_from_games = false;

    weights {
        corner = enemy("king").is(distance(ROOK_STEPS, place("the mating corner"))
            .zero("in the mating corner")
            .less_than(7));
        centre = enemy("king").is(distance(ROOK_STEPS, place("the centre")).zero("in the centre"));
        kings = own("king").is(distance(ROOK_STEPS, enemy("king")).less_than(14));
        knight = own("knight").is(distance(KNIGHT_MOVES, enemy("king")).less_than(6));
    }
}

impl Term for Kbnk {
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        let (strong, weak) = (context.side(side), context.side(!side));
        if !strong.is_bishop_and_knight() || !weak.is_bare() {
            return;
        }
        let (king, bare) = (strong.king, weak.king);
        for (bishop, knight) in strong.bishops.into_iter().zip(strong.knights) {
            sink.add(W.corner, 7 - bishop_corner_distance(bishop, bare) as i32, bare);
            sink.add(W.centre, centre_manhattan(bare) as i32, bare);
            sink.add(W.kings, 14 - manhattan(king, bare) as i32, king);
            sink.add(W.knight, 6 - knight_distance(knight, bare) as i32, knight);
        }
    }
}

/// The drive of the bare king, and its way to the mating corner.
fn marks(account: &Account) -> Marks {
    let context = account.context();
    let mut marks = drive(account);
    let measured = |side: &Color| !account.row.contributions(*side).is_empty();
    let Some(side) = Color::ALL.into_iter().find(measured) else { return marks };
    let (strong, weak) = (context.side(side), context.side(!side));
    let is_light = strong.bishops.into_iter().next().map(|bishop| bishop.is_light());
    let corners = Bitboard::CORNERS.into_iter().filter(|it| Some(it.is_light()) == is_light);
    let distance =
        |corner: &Square| (manhattan(*corner, weak.king), manhattan(*corner, strong.king));
    let knights = strong.knights.into_iter();
    marks
        .arrows
        .extend(knights.filter_map(|knight| Walk::KNIGHT.way(context, side, knight, weak.king)));
    if let Some(corner) = corners.min_by_key(distance) {
        marks.rings.push(corner);
        marks.arrows.extend(Walk::RookSteps.way(context, !side, weak.king, corner));
        let other = corner.flip_vertical().flip_horizontal();
        marks.notes.push(format!(
            "Mate can be forced only in the corners of the bishop's colour, {corner} and {other}."
        ));
    }
    marks
}
