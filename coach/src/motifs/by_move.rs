//! Motifs that one move creates.

use super::found::{FoundMotif, Spot};
use super::line::{Line, Step};
use super::motif::Motif;
use super::pins::{Pin, is_trapped, pins, trapped};
use super::safety::{attackers, is_defended, is_in_danger, value, worth};
use shakmaty::{Bitboard, Move, Position, Role, attacks};

/// The attacks that a move creates, whether or not a line makes use of them.
pub fn creates(step: &Step) -> Vec<FoundMotif> {
    let attacks = fork(step).into_iter().chain(skewer(step)).chain(new_pins(step));
    let attacks = attacks.chain(discovered_attack(step)).chain(newly_trapped(step));
    attacks.filter(|found| found.ply == step.ply).collect()
}

/// The moved piece attacks two or more pieces and cannot be captured with profit. A piece counts if it is worth more,
/// or if nothing defends it and it does not attack the moved piece.
pub fn fork(step: &Step) -> Option<FoundMotif> {
    let board = step.board();
    let square = step.to();
    if step.role() == Role::King || step.after.is_checkmate() || is_in_danger(board, square) {
        return None;
    }
    let enemies = board.by_color(!step.side()) & !board.pawns();
    let attacks_back = attackers(board, !step.side(), square);
    let targets = (board.attacks_from(square) & enemies).into_iter().filter(|&target| {
        value(board, target) > worth(step.role())
            || !is_defended(board, target) && !attacks_back.contains(target)
    });
    let found = step.found(Motif::Fork);
    let found = targets.fold(found, |found, target| found.target(Spot::on(board, target)));
    let old = step.before.board().attacks_from(step.from());
    let is_old = found.targets.iter().all(|target| old.contains(target.square));
    (found.targets.len() >= 2).then(|| if is_old { step.earlier(found) } else { found })
}

/// A check by a piece that did not move, and a check by two pieces.
pub fn discovered_check(step: &Step) -> Vec<FoundMotif> {
    let board = step.board();
    let checkers = step.after.checkers();
    let Some(king) = board.king_of(!step.side()) else { return Vec::new() };
    // By castling, the rook moves too.
    let rook = step.m.castling_side().map_or(step.to(), |castling| castling.rook_to(step.side()));
    let moved = Bitboard::from_square(step.to()).with(rook);
    let Some(behind) = (checkers & !moved).first() else { return Vec::new() };
    let found = |motif| step.found(motif).target(Spot::on(board, king));
    let by = Spot::on(board, behind);
    let discovered = |motif| found(motif).by(by).helper(step.mover());
    // A double check is not called a discovered attack.
    let second = match checkers.without(behind).first() {
        Some(other) => found(Motif::DoubleCheck).by(Spot::on(board, other)).helper(by),
        None => discovered(Motif::DiscoveredAttack),
    };
    vec![discovered(Motif::DiscoveredCheck), second]
}

/// The move opens the line of another piece to an enemy piece that is worth more or not defended.
pub fn discovered_attack(step: &Step) -> Option<FoundMotif> {
    let (before, after) = (step.before.board(), step.board());
    let sliders = after.sliders() & after.by_color(step.side());
    let enemies = after.by_color(!step.side()) & !after.kings();
    sliders.without(step.to()).into_iter().find_map(|slider| {
        let opened = after.attacks_from(slider) & !before.attacks_from(slider) & enemies;
        let victims = opened.into_iter().filter(|&victim| {
            attacks::between(slider, victim).contains(step.from())
                && (value(after, victim) > value(after, slider)
                    || !after.pawns().contains(victim) && !is_defended(after, victim))
        });
        let found = step.found(Motif::DiscoveredAttack).helper(step.mover());
        let found = found.by(Spot::on(after, slider));
        let found = victims.fold(found, |found, victim| found.target(Spot::on(after, victim)));
        (!found.targets.is_empty()).then_some(found)
    })
}

/// The moved piece attacks a piece that must move and behind it, on the same line, one that then falls: it is worth
/// more than the attacker or not defended.
pub fn skewer(step: &Step) -> Option<FoundMotif> {
    let board = step.board();
    let square = step.to();
    let is_slider = board.sliders().contains(square);
    if !is_slider || step.after.is_checkmate() || is_in_danger(board, square) {
        return None;
    }
    let enemies = board.by_color(!step.side()) & !board.pawns();
    let attacked = board.attacks_from(square) & enemies;
    attacked.into_iter().find_map(|front| {
        let piece = board.piece_at(square)?;
        let open = attacks::attacks(square, piece, board.occupied().without(front));
        let hidden = open & enemies & !attacked;
        let behind = hidden.into_iter().find(|&it| attacks::between(square, it).contains(front))?;
        let is_skewer = value(board, front) > value(board, behind)
            && value(board, front) > worth(step.role())
            && (value(board, behind) > worth(step.role()) || !is_defended(board, behind));
        is_skewer.then(|| {
            let found = step.found(Motif::Skewer).target(Spot::on(board, front));
            let found = found.target(Spot::on(board, behind));
            let is_old = step.before.board().attacks_from(step.from()).contains(front)
                && attacks::between(step.from(), behind).contains(front);
            if is_old { step.earlier(found) } else { found }
        })
    })
}

/// The pins that stand after the move and did not before, by whatever piece.
pub fn new_pins(step: &Step) -> Vec<FoundMotif> {
    let (before, after) = (step.before.board(), step.board());
    let pair = |pin: Pin| (pin.pinned, pin.behind);
    let old: Vec<_> = pins(before, !step.side()).map(pair).collect();
    let new = pins(after, !step.side()).filter(|&pin| !old.contains(&pair(pin)));
    new.map(|pin| pin.found(after, step.ply)).collect()
}

/// The relative pins that a move of a line creates and that the reply leaves.
pub fn lasting_relative_pins(step: &Step, line: &Line) -> Vec<FoundMotif> {
    let Some(reply) = line.steps.get(step.ply) else { return Vec::new() };
    let board = reply.after.board();
    let left = pins(board, !step.side()).filter(|pin| pin.motif == Motif::RelativePin);
    let left: Vec<FoundMotif> = left.map(|pin| pin.found(board, step.ply)).collect();
    new_pins(step).into_iter().filter(|pin| left.contains(pin)).collect()
}

/// The move captures a piece that nothing defends. A capture that only answers the capture of as much does not count.
pub fn hanging_capture(step: &Step, previous: Option<&Step>) -> Option<FoundMotif> {
    let victim = step.victim()?;
    if step.gain() <= worth(Role::Pawn) || is_defended(step.before.board(), victim.square) {
        return None;
    }
    let is_recapture =
        previous.is_some_and(|it| it.to() == victim.square && it.gain() >= step.gain());
    (!is_recapture).then(|| step.found(Motif::HangingPiece).target(victim))
}

/// The opponent's pieces that are trapped after the move and attacked by it.
pub fn newly_trapped(step: &Step) -> Vec<FoundMotif> {
    let board = step.board();
    let side = step.side();
    let victims = board.by_color(!side).into_iter().filter(|&square| {
        let new = attackers(board, side, square) & !attackers(step.before.board(), side, square);
        new.any() && is_trapped(&step.after, square)
    });
    victims.filter_map(|square| trapped(board, square, step.ply)).collect()
}

/// What is special about the kind of move: promotion, a pawn close to it, en passant, castling.
pub fn special_moves(step: &Step) -> Vec<FoundMotif> {
    let is_advanced = step.m.role() == Role::Pawn && step.rank_of_target() >= 6;
    let motifs = [
        (is_advanced, Motif::AdvancedPawn),
        (step.m.is_promotion(), Motif::Promotion),
        (is_underpromotion(step), Motif::UnderPromotion),
        (step.m.is_en_passant(), Motif::EnPassant),
        (step.m.is_castle(), Motif::Castling),
    ];
    motifs.into_iter().filter(|it| it.0).map(|it| step.found(it.1)).collect()
}

/// Whether a pawn becomes another piece than a queen, and a queen would not mate as well.
fn is_underpromotion(step: &Step) -> bool {
    let Move::Normal { role, from, capture, to, promotion: Some(piece) } = step.m else {
        return false;
    };
    let queen = Move::Normal { role, from, capture, to, promotion: Some(Role::Queen) };
    let mates_too = || {
        step.after.is_checkmate()
            && Step::new(step.ply, &step.before, queen).is_some_and(|it| it.after.is_checkmate())
    };
    piece != Role::Queen && !mates_too()
}
