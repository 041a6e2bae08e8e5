//! What a term is about, beyond the squares it names: ways, races, forks, reach.
//!
//! The terms that ship are known here by name. A term that is not has its squares painted and no marks.

use super::super::board::{Marks, Way};
use super::Said;
use super::races::{RACES, king_way, races};
use super::reasons::{Seen, side_name};
use crate::eval::{EvalContext, Piece};
use crate::geometry::{Mover, Terrain, chebyshev, knight_attacks, manhattan, mobility};
use shakmaty::{Bitboard, Chess, Color, Position};

/// Pieces without room that are told of at most.
const STUCK: usize = 4;

/// The marks of a term.
pub(super) fn marks(said: &Said, view: &EvalContext, position: &Chess) -> Marks {
    match said.row.name {
        "mobility" => stuck(view),
        "passed_pawns" => races(view, position),
        "king_pawn_tropism" => kings_and_pawns(view),
        "knight_forks" => forks(said, view),
        "threats" => threats(said, view, position),
        "king_safety" => attackers(said, view),
        "initiative" => opposition(said, view),
        "kqk" | "krk" | "kbbk" | "kbnk" | "mop_up" => mate(said, view),
        _ => Marks::default(),
    }
}

/// Pieces that enemy pawns leave nowhere to go.
fn stuck(view: &EvalContext) -> Marks {
    let mut marks = Marks::default();
    for side in Color::ALL {
        let (own, enemy) = (view.side(side), view.side(!side));
        for piece in &own.pieces {
            let guarded = piece.attacks & enemy.pawn_attacks & !own.all;
            let taken = piece.attacks & own.all;
            // Behind its own men alone a piece only waits to be developed.
            if guarded.is_empty() || piece.attacks != guarded | taken {
                continue;
            }
            marks.rings.push(piece.square);
            let mut why = format!("pawns guard {}", named(guarded));
            if taken.any() {
                why += &format!(", own men stand on {}", named(taken));
            }
            let (side, piece) = (side_name(side), piece_name(piece));
            marks.notes.push(format!("{side}'s {piece} has nowhere to go: {why}."));
        }
    }
    marks.notes.truncate(STUCK);
    marks
}

/// A piece and its square in a sentence.
fn piece_name(piece: &Piece) -> String {
    format!("{} on {}", format!("{:?}", piece.role).to_lowercase(), piece.square)
}

/// Squares in a sentence.
fn named(squares: Bitboard) -> String {
    let names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The distances of both kings from each pawn, White's first, and the ways to the passed ones.
fn kings_and_pawns(view: &EvalContext) -> Marks {
    let mut marks = Marks::default();
    let [white, black] = Color::ALL.map(|side| view.side(side));
    for pawn in view.pawns() {
        let number = format!("{}·{}", chebyshev(white.king, pawn), chebyshev(black.king, pawn));
        marks.numbers.push((pawn, number));
    }
    for pawn in (white.passed | black.passed).into_iter().take(RACES / 2) {
        king_way(white.king, pawn, Color::White, &mut marks);
        king_way(black.king, pawn, Color::Black, &mut marks);
    }
    if view.pawns().any() {
        marks.legend = Some("On each pawn: king moves of White's king · of Black's.");
    }
    marks
}

/// What was seen of some weights, with the side it is credited to.
fn seen<'a>(said: &'a Said, names: &'a [&str]) -> impl Iterator<Item = (Color, &'a Seen)> {
    let reasons = said.reasons.iter().filter(|reason| names.contains(&reason.spec.name));
    reasons.flat_map(|reason| {
        let sides = Color::ALL.into_iter().zip(&reason.seen);
        sides.flat_map(|(side, seen)| seen.iter().map(move |seen| (side, seen)))
    })
}

/// From each knight to the square of the fork, and from there to what is forked.
fn forks(said: &Said, view: &EvalContext) -> Marks {
    let mut marks = Marks::default();
    for (side, fork) in seen(said, &["fork"]) {
        let (own, enemy) = (view.side(side), view.side(!side));
        let reach = knight_attacks(fork.square.into());
        let hanging = (enemy.knights | enemy.bishops) & !enemy.attacks;
        let targets = reach & (enemy.queens | enemy.rooks | hanging).with(enemy.king);
        marks.rings.push(fork.square);
        for knight in reach & own.knights {
            marks.ways.push(Way::straight(knight, fork.square, side));
        }
        for target in targets {
            marks.ways.push(Way::straight(fork.square, target, side));
        }
        let targets: Vec<String> = targets.into_iter().map(|square| square.to_string()).collect();
        let side = side_name(side);
        marks.notes.push(format!(
            "{side}'s knight forks {} from {}.",
            targets.join(" and "),
            fork.square
        ));
    }
    marks
}

/// From attackers to what they attack.
fn threats(said: &Said, view: &EvalContext, position: &Chess) -> Marks {
    const NAMES: [&str; 13] = [
        "pawn_minor",
        "pawn_rook",
        "pawn_queen",
        "minor_pawn",
        "minor_minor",
        "minor_rook",
        "minor_queen",
        "rook_pawn",
        "rook_minor",
        "rook_queen",
        "king",
        "hanging",
        "hanging_pawn",
    ];
    let mut marks = Marks::default();
    for (side, target) in seen(said, &NAMES) {
        let attackers = position.board().attacks_to(target.square, side, view.occupied);
        for attacker in attackers {
            let way = Way::straight(attacker, target.square, side);
            if !marks.ways.contains(&way) {
                marks.ways.push(way);
            }
        }
        if !marks.rings.contains(&target.square) {
            marks.rings.push(target.square);
        }
    }
    marks
}

/// From the pieces that attack squares around a king to that king.
fn attackers(said: &Said, view: &EvalContext) -> Marks {
    let mut marks = Marks::default();
    for side in seen(said, &["danger"]).map(|(side, _)| side) {
        let king = view.side(!side).king;
        let around = view.side(!side).king_attacks.with(king);
        let mut told = Vec::new();
        for piece in &view.side(side).pieces {
            let attacked = piece.attacks & around;
            if attacked.any() {
                marks.ways.push(Way::straight(piece.square, king, side));
                marks.dots.extend(attacked);
                told.push(format!("the {} attacks {}", piece_name(piece), named(attacked)));
            }
        }
        if !told.is_empty() {
            marks.notes.push(format!("Beside {}'s king {}.", side_name(!side), told.join(", ")));
        }
    }
    marks.dots.sort();
    marks.dots.dedup();
    if !marks.ways.is_empty() {
        marks.legend =
            Some("Arrows: pieces that attack squares around a king; dots: those squares.");
    }
    marks
}

/// The kings that hold each other off.
fn opposition(said: &Said, view: &EvalContext) -> Marks {
    let mut marks = Marks::default();
    for (side, king) in seen(said, &["opposition", "distant"]) {
        let enemy = view.side(!side).king;
        marks.ways.push(Way::straight(king.square, enemy, side));
        let apart = chebyshev(king.square, enemy);
        marks
            .notes
            .push(format!("{} has the opposition: the kings are {apart} apart.", side_name(side)));
    }
    marks
}

/// How many moves the bare king needs to each square that is left to it, and its hunter's way to it.
fn mate(said: &Said, view: &EvalContext) -> Marks {
    let mut marks = Marks::default();
    let Some(side) = Color::ALL
        .into_iter()
        .zip([&said.row.white_contributions, &said.row.black_contributions])
        .find(|(_, contributions)| !contributions.is_empty())
        .map(|(side, _)| side)
    else {
        return marks;
    };
    let (strong, weak) = (view.side(side), view.side(!side));
    if weak.is_bare() {
        let terrain = Terrain { guarded: view.closed_to_king(side), ..Terrain::EMPTY };
        let reach = mobility(Mover::King, weak.king, &terrain);
        for square in reach.reached().without(weak.king) {
            if let Some(moves) = reach.get(square).filter(|_| !view.occupied.contains(square)) {
                marks.numbers.push((square, moves.to_string()));
            }
        }
        let (count, weaker) = (reach.reached().without(weak.king).count(), side_name(!side));
        marks
            .notes
            .push(format!("{weaker}'s king can ever reach {count} squares as the others stand."));
        marks.legend = Some("Numbers: its moves to each of them.");
    }
    if said.row.name == "kbnk" {
        let colour = strong.bishops.into_iter().next().map(|bishop| bishop.is_light());
        let right =
            Bitboard::CORNERS.into_iter().filter(|corner| Some(corner.is_light()) == colour);
        if let Some(corner) = right
            .min_by_key(|&corner| (manhattan(corner, weak.king), manhattan(corner, strong.king)))
        {
            marks.rings.push(corner);
            king_way(weak.king, corner, !side, &mut marks);
            marks.notes.push(format!(
                "The mate is in {corner} or the corner across from it, of the bishop's colour."
            ));
        }
    }
    king_way(strong.king, weak.king, side, &mut marks);
    marks
}
