//! Races between passed pawns and kings.

use super::lateness;
use crate::eval::{Arrow, EvalContext, Marks, shortest};
use crate::geometry::{ahead, chebyshev, king_attacks, promotion_distance, step};
use crate::text::{counted, side_name};
use shakmaty::{Bitboard, Color, Square};
use std::iter::successors;

/// The most races that are drawn; more would hide the board.
const MAX_RACES: usize = 4;

/// A passed pawn, the square ahead of it and the one it promotes on.
struct PassedPawn {
    side: Color,
    pawn: Square,
    next: Square,
    end: Square,
}

/// The paths of passed pawns to promotion, and of both kings to the square in front of each pawn.
pub(super) fn races(context: &EvalContext) -> Marks {
    let mut marks = Marks::default();
    let pawns = passed_pawns(context);
    for &PassedPawn { side, pawn, next, end } in pawns.iter().take(MAX_RACES) {
        let length = Some(promotion_distance(side, pawn));
        marks.arrows.push(Arrow { length, ..Arrow::straight(pawn, end, side) });
        let [own, enemy] = [context.side(side).king, context.side(!side).king];
        for side in [side, !side] {
            if let Some(squares) = way(context, &pawns, side, next) {
                // A way around pieces may be longer than the distance that counts.
                let moves = chebyshev(context.side(side).king, next);
                let length = (squares.len() as u32 == moves + 1).then_some(moves);
                marks.arrows.push(Arrow { squares, side, length });
            }
        }
        let (own_name, enemy_name) = (side_name(side), side_name(!side));
        let mut note = format!(
            "The pawn on {pawn} promotes on {end} in {}. King moves to {next}: {own_name} {}, \
             {enemy_name} {}; to {end}: {own_name} {}, {enemy_name} {}.",
            moves(promotion_distance(side, pawn)),
            chebyshev(own, next),
            chebyshev(enemy, next),
            chebyshev(own, end),
            chebyshev(enemy, end),
        );
        if let Some(late) = lateness(context, side, pawn) {
            note += &format!(" {enemy_name}'s king is {} too late to catch the pawn.", moves(late));
        }
        marks.notes.push(note);
    }
    for side in Color::ALL {
        let Some([own, enemy]) = first_of_each(&pawns, side) else { continue };
        let steps = steps_to_both_ends(context, side, [own, enemy]).into_iter();
        let steps: Vec<String> = steps.map(|square| square.to_string()).collect();
        if !steps.is_empty() {
            let (name, steps) = (side_name(side), steps.join(" or "));
            let (own, enemy) = (own.end, enemy.end);
            marks.notes.push(format!(
                "A king move to {steps} brings {name}'s king closer to both {own} and {enemy}."
            ));
        }
    }
    marks
}

/// The passed pawns of both sides, the one closest to promotion first.
fn passed_pawns(context: &EvalContext) -> Vec<PassedPawn> {
    let of_side = |side: Color| {
        context.side(side).passed.into_iter().filter_map(move |pawn| {
            let path = ahead(side, pawn.into());
            let end = side.fold_wb(path.last(), path.first())?;
            Some(PassedPawn { side, pawn, next: step(side, pawn.into()).first()?, end })
        })
    };
    let mut pawns: Vec<PassedPawn> = Color::ALL.into_iter().flat_map(of_side).collect();
    pawns.sort_by_key(|passed| promotion_distance(passed.side, passed.pawn));
    pawns
}

/// The first passed pawn of a side and that of the other.
fn first_of_each(pawns: &[PassedPawn], side: Color) -> Option<[&PassedPawn; 2]> {
    let first = |side: Color| pawns.iter().find(|passed| passed.side == side);
    Some([first(side)?, first(!side)?])
}

/// The king moves onto these squares that bring a king closer to two goals at the same time: the idea of Réti's study
/// of 1921.
fn steps_to_both(king: Square, free: Bitboard, goals: [Square; 2]) -> Bitboard {
    let is_nearer =
        |step: &Square| goals.iter().all(|&goal| chebyshev(*step, goal) < chebyshev(king, goal));
    (king_attacks(king.into()) & free).into_iter().filter(is_nearer).collect()
}

/// The king moves of a side towards the promotion squares of its own and of the enemy's pawn.
fn steps_to_both_ends(context: &EvalContext, side: Color, pawns: [&PassedPawn; 2]) -> Bitboard {
    let free = !context.side(side).all & !context.closed_to_king(!side);
    steps_to_both(context.side(side).king, free, pawns.map(|passed| passed.end))
}

/// A shortest path of a king to a square in front of a passed pawn. If the king can go towards both sides' pawns
/// at the same time, it does so as long as it can.
fn way(
    context: &EvalContext,
    pawns: &[PassedPawn],
    side: Color,
    to: Square,
) -> Option<Vec<Square>> {
    let king = context.side(side).king;
    let direct = shortest(context, king, to, side)?;
    let both =
        first_of_each(pawns, side).filter(|&pawns| steps_to_both_ends(context, side, pawns).any());
    let Some(both) = both else { return Some(direct) };
    let free = !context.occupied & !context.closed_to_king(!side);
    let goals = both.map(|passed| passed.next);
    let steps = successors(Some(king), |&last| steps_to_both(last, free, goals).first());
    let mut way: Vec<Square> = steps.collect();
    if let Some(rest) = way.last().and_then(|&last| shortest(context, last, to, side)) {
        way.extend(&rest[1..]);
    }
    Some(if way.len() == direct.len() { way } else { direct })
}

fn moves(count: u32) -> String {
    counted(count.into(), "move")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::position;

    const RETI: &str = "7K/8/k1P5/7p/8/8/8/8 w - - 0 1";

    /// What is drawn and said of a position.
    fn marks(fen: &str) -> (EvalContext, Marks) {
        let context = EvalContext::new(&position(fen));
        let marks = races(&context);
        (context, marks)
    }

    fn notes(fen: &str) -> Vec<String> {
        marks(fen).1.notes
    }

    #[test]
    fn a_king_walks_straight_and_one_way_to_both_pawns() {
        use Square::*;
        let paths = marks(RETI).1.arrows.into_iter().map(|arrow| arrow.squares);
        let paths: Vec<Vec<Square>> = paths.collect();
        let path = |from, to| {
            let ends =
                |path: &&Vec<Square>| path.first() == Some(&from) && path.last() == Some(&to);
            paths.iter().find(ends).unwrap()
        };
        assert_eq!(path(H8, C7)[..3], [H8, G7, F6]);
        assert_eq!(path(H8, H4)[..3], [H8, G7, F6]);
        let black = path(A6, H4);
        assert_eq!(black.len(), 8);
        // Between a6 and h4, not around.
        let is_between = |square: &Square| ('4'..='6').contains(&square.rank().char());
        assert!(black.iter().all(is_between), "{black:?}");
    }

    #[test]
    fn the_paths_of_kings_lead_around_pieces_and_closed_squares() {
        for fen in ["8/8/5k2/1P6/3K4/8/8/8 w - - 0 1", RETI, "8/1k6/8/8/PP2K3/8/6p1/8 b - - 0 1"] {
            let (context, marks) = marks(fen);
            let mut count = 0;
            for side in Color::ALL {
                let king = context.side(side).king;
                let closed = context.occupied | context.closed_to_king(!side);
                let is_of_king = |arrow: &&Arrow| arrow.squares.first() == Some(&king);
                for path in marks.arrows.iter().filter(is_of_king) {
                    let way = &path.squares[1..path.squares.len() - 1];
                    assert!(!way.iter().any(|&at| closed.contains(at)), "{fen}: {path:?}");
                    count += 1;
                }
            }
            assert!(count >= 2, "{fen}");
        }
    }

    #[test]
    fn retis_king_approaches_two_pawns_at_once() {
        let notes = notes(RETI);
        assert_eq!(notes.len(), 3);
        assert!(!notes[0].contains("too late"), "{}", notes[0]);
        let said = &notes[1];
        assert!(said.ends_with("White's king is 2 moves too late to catch the pawn."), "{said}");
        assert_eq!(notes[2], "A king move to g7 brings White's king closer to both c8 and h1.");
    }

    #[test]
    fn a_king_in_the_square_is_not_too_late() {
        // The king on f6 is one move outside the square of the pawn with White to move, and inside it
        // with Black to move.
        for (fen, late) in [
            ("8/8/5k2/1P6/8/8/8/7K w - - 0 1", true),
            ("8/8/5k2/1P6/8/8/8/7K b - - 0 1", false),
            ("8/8/6k1/1P6/8/8/8/7K b - - 0 1", true),
            // A piece in the way, and a piece that may stop the pawn.
            ("8/1n6/5k2/1P6/8/8/8/7K w - - 0 1", false),
            ("8/8/5k2/1P6/8/8/8/r6K w - - 0 1", false),
        ] {
            assert_eq!(notes(fen)[0].contains("1 move too late"), late, "{fen}");
        }
    }
}
