use crate::eval::meaning::{KING_MOVES, distance, own, place};
use crate::eval::{Account, ENDGAME_PHASE, EvalContext, Marks, Reason, Sink, Term, Walk, theme};
use crate::geometry::{centre_distance, chebyshev, edge_distance};
use crate::term;
use crate::text::{counted, side_name};
use shakmaty::{Bitboard, Color};

term! {
    /// Measures the mean distance of a king from the pawns of both sides; important pawns count more.
    pub(crate) struct KingPawnTropism;

    name = "king_pawn_tropism";
    doc = "In the endgame a king belongs near the pawns: its own to escort, the enemy's to stop.";
    source = "Chess Programming Wiki, King Pawn Tropism; Bobby, as described in Demoschach 1985";
    theme = theme::KING;
    says = reasons;
    draws = marks;
    pawns_and_kings = true;

    weights {
        distance per FRACTION = own("king").is(distance(KING_MOVES, place("the pawns on average")));
    }

    parameters {
        passed = "a passed pawn's share in the mean" in 1..=100;
        backward = "a backward pawn's share in the mean" in 1..=100;
        other = "any other pawn's share in the mean" in 1..=100;
    }
}

/// The mean is counted in sixteenths of a square.
const FRACTION: i32 = 16;

impl Term for KingPawnTropism {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        let king = context.side(side).king;
        let (white, black) = (context.side(Color::White), context.side(Color::Black));
        let passed = white.passed | black.passed;
        let backward = (white.backward | black.backward) & !passed;
        let other = (white.pawns | black.pawns) & !passed & !backward;

        let (mut sum, mut shares) = (0, 0);
        let mut weigh = |pawns: Bitboard, share: i32| {
            for pawn in pawns {
                sum += share * chebyshev(king, pawn) as i32;
                shares += share;
            }
        };
        weigh(passed, self.passed);
        weigh(backward, self.backward);
        weigh(other, self.other);
        if shares > 0 {
            sink.add(W.distance, FRACTION * sum / shares, king);
        }
    }
}

/// Whose king is more active in an endgame.
fn reasons(account: &Account) -> Vec<Reason> {
    let context = account.context();
    let king = |side: Color| context.side(side).king;
    let placed = |side: Color| account.on_square(&["placement"], side, king(side));
    let value =
        account.of_terms(&["king_pawn_tropism"]) + placed(Color::White) - placed(Color::Black);
    let side = Color::from_white(value > 0.0);
    let (own, other) = (king(side), king(!side));
    // A king on the edge may be shut in.
    if context.phase > ENDGAME_PHASE || edge_distance(own) == 0 {
        return Vec::new();
    }
    let pawns = context.pawns();
    let distance = |king| pawns.into_iter().map(|pawn| chebyshev(king, pawn)).sum::<u32>();
    let mut details = Vec::new();
    if pawns.any() && distance(own) < distance(other) {
        let noun = if pawns.more_than_one() { "pawns" } else { "pawn" };
        details.push(format!("it is closer to the {noun}"));
    }
    let [near, far] = [own, other].map(centre_distance);
    if near < far {
        let moves = counted((far - near).into(), "move");
        details.push(format!("it is {moves} closer to the centre than the other king"));
    }
    if details.is_empty() {
        return Vec::new();
    }
    let clause = format!("{}'s king on {own} is more active", side_name(side));
    vec![account.reason(side, value.abs(), clause, details)]
}

/// The ways of the kings to passed pawns, which count most.
fn marks(account: &Account) -> Marks {
    const MAX_PAWNS: usize = 2;
    let context = account.context();
    let [white, black] = Color::ALL.map(|side| context.side(side).passed);
    let ways = (white | black).into_iter().take(MAX_PAWNS).flat_map(|pawn| {
        let way = move |side| Walk::King.way(context, side, context.side(side).king, pawn);
        Color::ALL.into_iter().filter_map(way)
    });
    Marks { arrows: ways.collect(), ..Marks::default() }
}
