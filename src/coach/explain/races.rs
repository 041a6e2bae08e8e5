//! Passed pawns on their way, and the kings that run with them or after them.

use super::super::board::{Marks, Way};
use super::reasons::side_name;
use crate::eval::EvalContext;
use crate::geometry::{
    Mover, Terrain, Trajectories, ahead, chebyshev, king_attacks, promotion_distance, step,
};
use shakmaty::{Chess, Color, Position, Square};

/// Ways to pawns that are drawn at most; more hide the board.
pub(super) const RACES: usize = 4;

/// A passed pawn and the square it promotes on.
struct Runner {
    side: Color,
    pawn: Square,
    end: Square,
}

/// Pawns on their way, and the kings on theirs to the square before the pawn.
pub(super) fn races(view: &EvalContext, position: &Chess) -> Marks {
    let mut marks = Marks::default();
    let runners = runners(view);
    for &Runner { side, pawn, end } in runners.iter().take(RACES) {
        let Some(next) = step(side, pawn.into()).first() else { continue };
        marks.ways.push(Way::straight(pawn, end, side));
        let [own, enemy] = [view.side(side).king, view.side(!side).king];
        king_way(own, next, side, &mut marks);
        king_way(enemy, next, !side, &mut marks);
        let (own_name, enemy_name) = (side_name(side), side_name(!side));
        let mut note = format!(
            "{pawn} needs {} to promote on {end}; to {next}, before it, {own_name}'s king needs {} and \
             {enemy_name}'s {}; to {end} {} and {}.",
            moves(promotion_distance(side, pawn)),
            chebyshev(own, next),
            chebyshev(enemy, next),
            chebyshev(own, end),
            chebyshev(enemy, end),
        );
        if let Some(late) = lateness(view, position, side, pawn, end) {
            note += &format!(" {enemy_name}'s king is {} too late to catch it.", moves(late));
        }
        marks.notes.push(note);
    }
    marks
        .notes
        .extend(Color::ALL.into_iter().filter_map(|side| towards_both(view, &runners, side)));
    marks
}

fn runners(view: &EvalContext) -> Vec<Runner> {
    let of_side = |side: Color| {
        let end = move |pawn: Square| {
            let way = ahead(side, pawn.into());
            side.fold_wb(way.last(), way.first())
        };
        let passed = view.side(side).passed.into_iter();
        passed.filter_map(move |pawn| Some(Runner { side, pawn, end: end(pawn)? }))
    };
    let mut runners: Vec<Runner> = Color::ALL.into_iter().flat_map(of_side).collect();
    runners.sort_by_key(|runner| promotion_distance(runner.side, runner.pawn));
    runners
}

/// How many moves too late the enemy king comes to take a pawn that runs to its end, the square of the
/// pawn told as a number: none if it is in time, or something else may stop the pawn.
fn lateness(
    view: &EvalContext,
    position: &Chess,
    side: Color,
    pawn: Square,
    end: Square,
) -> Option<u32> {
    let enemy = view.side(!side);
    if (ahead(side, pawn.into()) & view.occupied).any() || !enemy.pieces.is_empty() {
        return None;
    }
    let first = u32::from(position.turn() == side);
    let needed = chebyshev(enemy.king, end) + first;
    let late = needed.checked_sub(promotion_distance(side, pawn) + 1)?;
    (late > 0).then_some(late)
}

/// The steps by which a king comes nearer to its own pawn's goal and to the enemy pawn's at once, the
/// idea of Réti's study of 1921.
fn towards_both(view: &EvalContext, runners: &[Runner], side: Color) -> Option<String> {
    let first = |side: Color| runners.iter().find(|runner| runner.side == side);
    let goals = [first(side)?.end, first(!side)?.end];
    let king = view.side(side).king;
    let free = !view.side(side).all & !view.closed_to_king(!side);
    let nearer =
        |step: &Square| goals.iter().all(|&goal| chebyshev(*step, goal) < chebyshev(king, goal));
    let steps: Vec<String> = (king_attacks(king.into()) & free)
        .into_iter()
        .filter(nearer)
        .map(|square| square.to_string())
        .collect();
    (!steps.is_empty()).then(|| {
        let (name, [own, enemy]) = (side_name(side), goals);
        format!(
            "By {} {name}'s king comes nearer to both at once, {own} and {enemy}.",
            steps.join(" or ")
        )
    })
}

fn moves(count: u32) -> String {
    match count {
        1 => "1 move".to_owned(),
        count => format!("{count} moves"),
    }
}

/// A king's shortest way on an empty board.
pub(super) fn king_way(from: Square, to: Square, side: Color, marks: &mut Marks) {
    let ways = Trajectories::new(Mover::King, from, to, &Terrain::EMPTY);
    if let Some(squares) = ways.and_then(|ways| ways.paths().next())
        && from != to
    {
        marks.ways.push(Way { squares, side });
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
    fn retis_king_runs_after_two_pawns_at_once() {
        let told = notes("7K/8/k1P5/7p/8/8/8/8 w - - 0 1");
        assert_eq!(told.len(), 3);
        assert!(!told[0].contains("too late"), "{}", told[0]);
        assert!(told[1].ends_with("White's king is 2 moves too late to catch it."), "{}", told[1]);
        assert_eq!(told[2], "By g7 White's king comes nearer to both at once, c8 and h1.");
    }

    #[test]
    fn a_king_in_the_square_is_not_too_late() {
        // From f6 the king is a step outside the square of b5 with White to move, inside with Black.
        for (fen, late) in [
            ("8/8/5k2/1P6/8/8/8/7K w - - 0 1", true),
            ("8/8/5k2/1P6/8/8/8/7K b - - 0 1", false),
            ("8/8/6k1/1P6/8/8/8/7K b - - 0 1", true),
            // A man in the way, a piece that may stop it.
            ("8/1n6/5k2/1P6/8/8/8/7K w - - 0 1", false),
            ("8/8/5k2/1P6/8/8/8/r6K w - - 0 1", false),
        ] {
            assert_eq!(notes(fen)[0].contains("1 move too late"), late, "{fen}");
        }
    }
}
