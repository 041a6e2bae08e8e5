//! Motifs of three moves in a row: a move, its reply, and the move that cashes in.

use super::found::{FoundMotif, Spot};
use super::line::{Combination, Step};
use super::motif::Motif;
use super::pins::{is_trapped, trapped};
use super::safety::{attackers, is_defended, is_in_danger, worth};
use shakmaty::{Bitboard, Board, Position, Role, Square, attacks};
use tropism::geometry::file_distance;

/// All motifs of a combination. Each is found at the move that sets it up.
pub fn motifs(it: &Combination) -> impl Iterator<Item = FoundMotif> {
    let finders = [
        skewer,
        discovered_attack,
        trapped_piece,
        x_ray,
        attraction,
        deflection,
        interference,
        self_interference,
        clearance,
        capturing_defender,
    ];
    finders.into_iter().filter_map(|find| find(it))
}

impl Combination<'_> {
    /// A motif that the first move shows.
    fn found(&self, motif: Motif) -> FoundMotif {
        self.setup.found(motif)
    }

    /// The squares that the piece crosses to cash in.
    fn path(&self) -> Bitboard {
        attacks::between(self.payoff.from(), self.payoff.to())
    }

    fn is_slider(&self) -> bool {
        matches!(self.payoff.role(), Role::Bishop | Role::Rook | Role::Queen)
    }
}

/// The piece in front has left the line, and the piece behind it, worth less, is lost.
fn skewer(it: &Combination) -> Option<FoundMotif> {
    let victim = it.payoff.victim()?;
    let front = it.reply.origin();
    let is_skewer = it.is_slider()
        && !it.payoff.after.is_checkmate()
        && it.path().contains(it.reply.from())
        && it.reply.to() != victim.square
        && worth(it.reply.role()) > it.payoff.gain()
        && is_in_danger(it.payoff.before.board(), victim.square);
    let by = it.payoff.origin();
    is_skewer.then(|| it.found(Motif::Skewer).by(by).target(front).target(victim))
}

/// The first move leaves the line on which the other piece then captures.
fn discovered_attack(it: &Combination) -> Option<FoundMotif> {
    let victim = it.payoff.victim()?;
    let is_discovered = it.path().contains(it.setup.from())
        && it.setup.to() != victim.square
        && it.setup.to() != it.payoff.from()
        && it.reply.to() != victim.square
        && !it.setup.m.is_castle();
    let found = it.found(Motif::DiscoveredAttack).by(it.payoff.origin());
    is_discovered.then(|| found.helper(it.setup.mover()).target(victim))
}

/// The captured piece was trapped before the reply, whether it stayed or moved.
fn trapped_piece(it: &Combination) -> Option<FoundMotif> {
    let victim = it.payoff.victim()?;
    let moved = it.reply.to() == victim.square;
    let square = if moved { it.reply.from() } else { victim.square };
    let position = &it.reply.before;
    if !is_trapped(position, square) {
        return None;
    }
    trapped(position.board(), square, it.setup.ply)
}

/// Both sides capture on one square, and the second capture of the line comes through the square from which the
/// opponent captured.
fn x_ray(it: &Combination) -> Option<FoundMotif> {
    let square = it.payoff.to();
    let is_x_ray = it.payoff.m.is_capture()
        && it.reply.to() == square
        && it.setup.to() == square
        && it.reply.role() != Role::King
        && it.path().contains(it.reply.from());
    let target = Spot { square, piece: None };
    let found = it.found(Motif::XRayAttack).by(it.payoff.origin());
    is_x_ray.then(|| found.target(it.reply.origin()).target(target))
}

/// King, queen or rook capture the piece that is offered, and stand where the next move attacks them. The attack on
/// queen or rook counts if they are captured.
fn attraction(it: &Combination) -> Option<FoundMotif> {
    let square = it.setup.to();
    let board = it.payoff.after.board();
    let is_lured = it.reply.to() == square
        && attackers(board, it.setup.side(), square).contains(it.payoff.to())
        && match it.reply.role() {
            Role::King => true,
            Role::Queen | Role::Rook => it.later.is_some_and(|later| later.to() == square),
            _ => false,
        };
    let found = it.found(Motif::Attraction);
    is_lured.then(|| found.target(it.reply.origin()))
}

/// The reply is forced, by check or because it recaptures, and gives up what its piece defended: a piece, or the square
/// where a pawn promotes.
fn deflection(it: &Combination) -> Option<FoundMotif> {
    let (setup, reply, payoff) = (it.setup, it.reply, it.payoff);
    let square = payoff.to();
    if payoff.victim().is_none() && !payoff.m.is_promotion() {
        return None;
    }
    // A capture of something more valuable needs no deflection.
    let wins_anyway = payoff.gain() > worth(payoff.role());
    let is_trade = setup.gain() >= worth(setup.role());
    let is_forced = reply.to() == setup.to() || setup.after.is_check();
    let board = setup.after.board();
    let guarded = board.attacks_from(reply.from());
    // A piece in front of the pawn stops it too.
    let stopped = payoff.m.is_promotion()
        && file_distance(square, reply.from()) == 0
        && guarded.contains(payoff.from());
    let guards_still = reply.after.board().attacks_from(reply.to()).contains(square);
    let is_deflection = !wins_anyway
        && !is_trade
        && is_forced
        && square != reply.to()
        && square != setup.to()
        && (guarded.contains(square) || stopped)
        && !guards_still;
    let target = Spot::on(payoff.before.board(), square);
    let found = it.found(Motif::Deflection).target(reply.origin());
    is_deflection.then(|| found.target(target))
}

/// A piece of the opponent that captured or moved to its square blocks the line on which another defended.
fn self_interference(it: &Combination) -> Option<FoundMotif> {
    cut_off(it, it.setup.after.board(), it.reply)
}

/// The first move blocks the line on which a piece defended another.
fn interference(it: &Combination) -> Option<FoundMotif> {
    let moves_away = it.reply.to() != it.payoff.to();
    cut_off(it, it.setup.before.board(), it.setup).filter(|_| moves_away)
}

/// The slider that defended the captured piece on `board` until `blocker` stepped onto its line. Nothing defends the piece
/// any more. A defender that steps onto the line itself has left its post: that is a deflection.
fn cut_off(it: &Combination, board: &Board, blocker: &Step) -> Option<FoundMotif> {
    let victim = it.payoff.victim()?;
    let defenders = attackers(board, it.reply.side(), victim.square);
    if defenders.contains(blocker.from()) || is_defended(it.payoff.before.board(), victim.square) {
        return None;
    }
    let is_cut = |&from: &Square| attacks::between(from, victim.square).contains(blocker.to());
    let defender = (defenders & board.sliders()).into_iter().find(is_cut)?;
    let found = it.found(Motif::Interference).by(blocker.mover());
    Some(found.target(Spot::on(board, defender)).target(victim))
}

/// The first move vacates the square or line that the other piece then uses. It is played for that: it captures
/// nothing, or gives up the piece.
fn clearance(it: &Combination) -> Option<FoundMotif> {
    let (setup, reply, payoff) = (it.setup, it.reply, it.payoff);
    let square = payoff.to();
    let is_vacated = setup.from() == square || it.path().contains(setup.from());
    let is_clearance = it.is_slider()
        && payoff.victim().is_none()
        && is_vacated
        && !setup.m.is_promotion()
        && setup.to() != payoff.from()
        && setup.to() != square
        && !payoff.before.is_check()
        && (reply.role() != Role::King || !payoff.after.is_check())
        && (setup.victim().is_none() || is_in_danger(setup.after.board(), setup.to()));
    let found = it.found(Motif::Clearance).helper(payoff.origin());
    is_clearance.then(|| found.target(Spot { square, piece: None }))
}

/// The first move captures what defended the piece or square of the second.
fn capturing_defender(it: &Combination) -> Option<FoundMotif> {
    let (setup, payoff) = (it.setup, it.payoff);
    let defender = setup.victim()?;
    let square = payoff.to();
    let wins = payoff.role() != Role::King
        && (1..=worth(payoff.role())).contains(&payoff.gain())
        && !is_defended(payoff.before.board(), square);
    let is_capturing = it.reply.to() != square
        && (wins || payoff.after.is_checkmate())
        && !setup.after.is_check()
        && !setup.before.is_check()
        && setup.to() != payoff.from()
        && setup.before.board().attacks_from(defender.square).contains(square);
    let found = it.found(Motif::CapturingDefender).target(defender);
    is_capturing.then(|| found.target(Spot::on(payoff.before.board(), square)))
}
