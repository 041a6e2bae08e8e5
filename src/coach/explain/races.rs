//! Races between passed pawns and kings.

use super::reasons::side_name;
use crate::coach::board::{Arrow, Marks};
use crate::eval::EvalContext;
use crate::geometry::{
    Mover, Terrain, Trajectories, ahead, chebyshev, king_attacks, promotion_distance, step,
};
use crate::text::counted;
use shakmaty::{Chess, Color, Position, Square};

/// The most races that are drawn; more would hide the board.
pub(super) const MAX_RACES: usize = 4;

/// A passed pawn and the square it promotes on.
struct PassedPawn {
    side: Color,
    pawn: Square,
    end: Square,
}

/// The paths of passed pawns to promotion, and of both kings to the square in front of each pawn.
pub(super) fn races(context: &EvalContext, position: &Chess) -> Marks {
    let mut marks = Marks::default();
    let pawns = passed_pawns(context);
    for &PassedPawn { side, pawn, end } in pawns.iter().take(MAX_RACES) {
        let Some(next) = step(side, pawn.into()).first() else { continue };
        marks.arrows.push(Arrow::straight(pawn, end, side));
        let [own, enemy] = [context.side(side).king, context.side(!side).king];
        king_path(own, next, side, &mut marks);
        king_path(enemy, next, !side, &mut marks);
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
        if let Some(late) = lateness(context, position, side, pawn, end) {
            note += &format!(" {enemy_name}'s king is {} too late to catch the pawn.", moves(late));
        }
        marks.notes.push(note);
    }
    marks
        .notes
        .extend(Color::ALL.into_iter().filter_map(|side| towards_both(context, &pawns, side)));
    marks
}

/// The passed pawns of both sides, the one closest to promotion first.
fn passed_pawns(context: &EvalContext) -> Vec<PassedPawn> {
    let of_side = |side: Color| {
        let end = move |pawn: Square| {
            let path = ahead(side, pawn.into());
            side.fold_wb(path.last(), path.first())
        };
        let passed = context.side(side).passed.into_iter();
        passed.filter_map(move |pawn| Some(PassedPawn { side, pawn, end: end(pawn)? }))
    };
    let mut pawns: Vec<PassedPawn> = Color::ALL.into_iter().flat_map(of_side).collect();
    pawns.sort_by_key(|passed| promotion_distance(passed.side, passed.pawn));
    pawns
}

/// How many moves too late the enemy king comes to catch a pawn that runs to promotion (the rule of
/// the square). `None` if the king is in time, or if another piece may stop the pawn.
fn lateness(
    context: &EvalContext,
    position: &Chess,
    side: Color,
    pawn: Square,
    end: Square,
) -> Option<u32> {
    let enemy = context.side(!side);
    if (ahead(side, pawn.into()) & context.occupied).any() || !enemy.pieces.is_empty() {
        return None;
    }
    let first = u32::from(position.turn() == side);
    let needed = chebyshev(enemy.king, end) + first;
    let late = needed.checked_sub(promotion_distance(side, pawn) + 1)?;
    (late > 0).then_some(late)
}

/// The king moves that bring a king closer to the promotion squares of its own and of the enemy's
/// pawn at the same time: the idea of Réti's study of 1921.
fn towards_both(context: &EvalContext, pawns: &[PassedPawn], side: Color) -> Option<String> {
    let first = |side: Color| pawns.iter().find(|passed| passed.side == side);
    let goals = [first(side)?.end, first(!side)?.end];
    let king = context.side(side).king;
    let free = !context.side(side).men & !context.closed_to_king(!side);
    let nearer =
        |step: &Square| goals.iter().all(|&goal| chebyshev(*step, goal) < chebyshev(king, goal));
    let steps: Vec<String> = (king_attacks(king.into()) & free)
        .into_iter()
        .filter(nearer)
        .map(|square| square.to_string())
        .collect();
    (!steps.is_empty()).then(|| {
        let (name, [own, enemy]) = (side_name(side), goals);
        let steps = steps.join(" or ");
        format!("A king move to {steps} brings {name}'s king closer to both {own} and {enemy}.")
    })
}

fn moves(count: u32) -> String {
    counted(count.into(), "move")
}

/// Adds a shortest path of a king on an empty board.
pub(super) fn king_path(from: Square, to: Square, side: Color, marks: &mut Marks) {
    let paths = Trajectories::new(Mover::King, from, to, &Terrain::EMPTY);
    if let Some(squares) = paths.and_then(|paths| paths.paths().next())
        && from != to
    {
        marks.arrows.push(Arrow { squares, side });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Game;

    fn notes(fen: &str) -> Vec<String> {
        let game = Game::from_fen(fen, None).unwrap();
        let position = game.position().chess();
        races(&EvalContext::new(position), position).notes
    }

    #[test]
    fn retis_king_approaches_two_pawns_at_once() {
        let notes = notes("7K/8/k1P5/7p/8/8/8/8 w - - 0 1");
        assert_eq!(notes.len(), 3);
        assert!(!notes[0].contains("too late"), "{}", notes[0]);
        assert!(
            notes[1].ends_with("White's king is 2 moves too late to catch the pawn."),
            "{}",
            notes[1]
        );
        assert_eq!(notes[2], "A king move to g7 brings White's king closer to both c8 and h1.");
    }

    #[test]
    fn a_king_in_the_square_is_not_too_late() {
        // The king on f6 is one move outside the square of the pawn if White is to move, inside if Black is.
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
