//! What is drawn on the board of a term in addition to the values: arrows, races, forks, reachable
//! squares.
//!
//! This module knows the built-in terms by name. The board of another term has values and no marks.

use super::explanation::TermExplanation;
use crate::board::{Arrow, Marks};
use crate::contributions::Seen;
use crate::races::{MAX_RACES, king_path, races};
use shakmaty::{Bitboard, Chess, Color, Position};
use tropism::eval::{EvalContext, Piece};
use tropism::geometry::{Mover, Terrain, chebyshev, knight_attacks, manhattan, mobility};
use tropism::text::{joined, side_name};

/// The most pieces without a safe move that are listed.
const MAX_STUCK: usize = 4;

/// The marks of a term.
pub fn marks(term: &TermExplanation, context: &EvalContext, position: &Chess) -> Marks {
    match term.row.name() {
        "mobility" => stuck(context),
        "passed_pawns" => races(context, position),
        "king_pawn_tropism" => kings_and_pawns(context),
        "knight_forks" => forks(term, context),
        "threats" => threats(term, context, position),
        "king_safety" => attackers(term, context),
        "initiative" => opposition(term, context),
        "kbnk" | "mop_up" => mate(term, context),
        _ => Marks::default(),
    }
}

/// Pieces without a safe move, because enemy pawns guard the squares.
fn stuck(context: &EvalContext) -> Marks {
    let mut marks = Marks::default();
    for side in Color::ALL {
        let (own, enemy) = (context.side(side), context.side(!side));
        for piece in &own.pieces {
            let guarded = piece.attacks & enemy.pawn_attacks & !own.all;
            let blocked = piece.attacks & own.all;
            // A piece that only its own side blocks may just not be developed yet.
            if guarded.is_empty() || piece.attacks != guarded | blocked {
                continue;
            }
            marks.rings.push(piece.square);
            let mut why = format!("enemy pawns guard {}", named(guarded));
            if blocked.any() {
                why += &format!(", its own side blocks {}", named(blocked));
            }
            let (side, piece) = (side_name(side), piece_name(piece));
            marks.notes.push(format!("{side}'s {piece} has no safe move: {why}."));
        }
    }
    marks.notes.truncate(MAX_STUCK);
    marks
}

/// A piece and its square in a sentence.
fn piece_name(piece: &Piece) -> String {
    format!("{} on {}", format!("{:?}", piece.role).to_lowercase(), piece.square)
}

/// Squares in a sentence.
fn named(squares: Bitboard) -> String {
    let names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    joined(&names)
}

/// The distances of both kings from each pawn, and the paths of the kings to passed pawns.
fn kings_and_pawns(context: &EvalContext) -> Marks {
    let mut marks = Marks::default();
    let [white, black] = Color::ALL.map(|side| context.side(side));
    for pawn in context.pawns() {
        let number = format!("{}·{}", chebyshev(white.king, pawn), chebyshev(black.king, pawn));
        marks.numbers.push((pawn, number));
    }
    for pawn in (white.passed | black.passed).into_iter().take(MAX_RACES / 2) {
        king_path(context, white.king, pawn, Color::White, &mut marks);
        king_path(context, black.king, pawn, Color::Black, &mut marks);
    }
    if context.pawns().any() {
        marks.legend = Some("On each pawn: moves to reach it, of White's king · of Black's king.");
    }
    marks
}

/// The contributions of some weights, with the side that has each.
fn seen<'a>(
    term: &'a TermExplanation,
    names: &'a [&str],
) -> impl Iterator<Item = (Color, &'a Seen)> {
    let reasons = term.reasons.iter().filter(|reason| names.contains(&&*reason.spec.name));
    reasons.flat_map(|reason| {
        let sides = Color::ALL.into_iter().zip(&reason.seen);
        sides.flat_map(|(side, seen)| seen.iter().map(move |seen| (side, seen)))
    })
}

/// Arrows from each knight to the square of the fork, and from there to the forked pieces.
fn forks(term: &TermExplanation, context: &EvalContext) -> Marks {
    let mut marks = Marks::default();
    for (side, fork) in seen(term, &["fork"]) {
        let (own, enemy) = (context.side(side), context.side(!side));
        let reach = knight_attacks(fork.square.into());
        let hanging = (enemy.knights | enemy.bishops) & !enemy.attacks;
        let targets = reach & (enemy.queens | enemy.rooks | hanging).with(enemy.king);
        marks.rings.push(fork.square);
        for knight in reach & own.knights {
            marks.arrows.push(Arrow::straight(knight, fork.square, side));
        }
        for target in targets {
            marks.arrows.push(Arrow::straight(fork.square, target, side));
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

/// Arrows from attackers to attacked pieces.
fn threats(term: &TermExplanation, context: &EvalContext, position: &Chess) -> Marks {
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
    for (side, target) in seen(term, &NAMES) {
        let attackers = position.board().attacks_to(target.square, side, context.occupied);
        for attacker in attackers {
            let arrow = Arrow::straight(attacker, target.square, side);
            if !marks.arrows.contains(&arrow) {
                marks.arrows.push(arrow);
            }
        }
        if !marks.rings.contains(&target.square) {
            marks.rings.push(target.square);
        }
    }
    marks
}

/// Arrows from the pieces that attack squares around a king to that king.
fn attackers(term: &TermExplanation, context: &EvalContext) -> Marks {
    let mut marks = Marks::default();
    for side in seen(term, &["danger"]).map(|(side, _)| side) {
        let king = context.side(!side).king;
        let around = context.side(!side).king_attacks.with(king);
        let mut attacks = Vec::new();
        for piece in &context.side(side).pieces {
            let attacked = piece.attacks & around;
            if attacked.any() {
                marks.arrows.push(Arrow::straight(piece.square, king, side));
                marks.dots.extend(attacked);
                attacks.push(format!("the {} attacks {}", piece_name(piece), named(attacked)));
            }
        }
        if !attacks.is_empty() {
            let king = side_name(!side);
            marks.notes.push(format!("Next to {king}'s king: {}.", attacks.join(", ")));
        }
    }
    marks.dots.sort();
    marks.dots.dedup();
    if !marks.arrows.is_empty() {
        marks.legend =
            Some("Arrows: pieces that attack squares around a king; dots: those squares.");
    }
    marks
}

/// An arrow between kings in opposition.
fn opposition(term: &TermExplanation, context: &EvalContext) -> Marks {
    let mut marks = Marks::default();
    for (side, king) in seen(term, &["opposition", "distant"]) {
        let enemy = context.side(!side).king;
        marks.arrows.push(Arrow::straight(king.square, enemy, side));
        let apart = chebyshev(king.square, enemy);
        marks.notes.push(format!(
            "{} has the opposition: the kings are {apart} moves apart.",
            side_name(side)
        ));
    }
    marks
}

/// How many moves the bare king needs to each square it can reach, and the path of the other king to
/// it.
fn mate(term: &TermExplanation, context: &EvalContext) -> Marks {
    let mut marks = Marks::default();
    let Some(side) = Color::ALL
        .into_iter()
        .zip([&term.row.white_contributions, &term.row.black_contributions])
        .find(|(_, contributions)| !contributions.is_empty())
        .map(|(side, _)| side)
    else {
        return marks;
    };
    let (strong, weak) = (context.side(side), context.side(!side));
    if weak.is_bare() {
        let terrain = Terrain { guarded: context.closed_to_king(side), ..Terrain::EMPTY };
        let reach = mobility(Mover::King, weak.king, &terrain);
        for square in reach.reached().without(weak.king) {
            if let Some(moves) = reach.get(square).filter(|_| !context.occupied.contains(square)) {
                marks.numbers.push((square, moves.to_string()));
            }
        }
        let (count, weaker) = (reach.reached().without(weak.king).count(), side_name(!side));
        marks
            .notes
            .push(format!("If no other piece moves, {weaker}'s king can reach {count} squares."));
        marks.legend = Some("Numbers: how many moves the bare king needs to each square.");
    }
    if term.row.name() == "kbnk" {
        let colour = strong.bishops.into_iter().next().map(|bishop| bishop.is_light());
        let corners =
            Bitboard::CORNERS.into_iter().filter(|corner| Some(corner.is_light()) == colour);
        if let Some(corner) = corners
            .min_by_key(|&corner| (manhattan(corner, weak.king), manhattan(corner, strong.king)))
        {
            marks.rings.push(corner);
            king_path(context, weak.king, corner, !side, &mut marks);
            let other = corner.flip_vertical().flip_horizontal();
            marks.notes.push(format!(
                "Mate can be forced only in the corners of the bishop's colour, {corner} and {other}."
            ));
        }
    }
    king_path(context, strong.king, weak.king, side, &mut marks);
    marks
}
