//! Pins, and pieces that are trapped.

use super::found::{FoundMotif, Spot};
use super::motif::Motif;
use super::safety::{attackers, is_defended, is_in_danger, value, worth};
use crate::exercise::after;
use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square, attacks};
use tropism::geometry::{lines::alone_before, step};

/// A piece that stands alone between an enemy slider and a piece of its own side.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// A pin to the king, or a relative one.
    pub motif: Motif,
    pub pinner: Square,
    pub pinned: Square,
    pub behind: Square,
}

impl Pin {
    /// What is said about it at a ply of a line.
    pub fn found(self, board: &Board, ply: usize) -> FoundMotif {
        let side = board.color_at(self.pinner).unwrap_or(Color::White);
        FoundMotif::new(self.motif, ply, side)
            .by(Spot::on(board, self.pinner))
            .target(Spot::on(board, self.pinned))
            .target(Spot::on(board, self.behind))
    }

    /// The squares on which the pinned piece can move without uncovering what is behind it.
    pub fn line(self) -> Bitboard {
        attacks::between(self.behind, self.pinner).with(self.pinner)
    }
}

/// The pieces of `side` that are pinned to what stands on `behind`. To another piece than the king they are if it is
/// worth more than they and more than the slider. Pawns are left out then: they seldom want to leave a line.
fn pins_to(board: &Board, side: Color, behind: Square) -> impl Iterator<Item = Pin> {
    let motif = if board.kings().contains(behind) { Motif::Pin } else { Motif::RelativePin };
    let enemies = board.by_color(!side);
    let straight = board.rooks_and_queens() & enemies;
    let diagonal = board.bishops_and_queens() & enemies;
    let occupied = board.occupied();
    let pinned = alone_before(behind, straight, diagonal, occupied) & board.by_color(side);
    pinned.into_iter().filter_map(move |pinned| {
        let without = occupied.without(pinned);
        let pinners = attacks::rook_attacks(behind, without) & straight
            | attacks::bishop_attacks(behind, without) & diagonal;
        let pinner =
            pinners.into_iter().find(|&it| attacks::between(behind, it).contains(pinned))?;
        let least = value(board, pinned).max(value(board, pinner));
        let is_pin =
            motif == Motif::Pin || value(board, behind) > least && !board.pawns().contains(pinned);
        is_pin.then_some(Pin { motif, pinner, pinned, behind })
    })
}

/// All pins of the pieces of `side`, those to the king first.
pub fn pins(board: &Board, side: Color) -> impl Iterator<Item = Pin> {
    let valuable = (board.rooks() | board.queens()) & board.by_color(side);
    let behind = board.king_of(side).into_iter().chain(valuable);
    behind.flat_map(move |behind| pins_to(board, side, behind))
}

/// Whether a pin to the king costs its side something: the pinned piece cannot capture a piece off the line that is worth
/// more or not defended, or it is lost to an attacker on the line. That is one that is worth less, or any if the piece is
/// not defended, does not attack back and would otherwise move away.
pub fn is_costly(board: &Board, pin: Pin) -> bool {
    let Some(piece) = board.piece_at(pin.pinned) else { return false };
    let attacked = board.attacks_from(pin.pinned);
    let victims = attacked & board.by_color(!piece.color) & !pin.line();
    let is_prey = |victim| value(board, victim) > worth(piece.role) || !is_defended(board, victim);
    let on_line = attackers(board, !piece.color, pin.pinned) & pin.line();
    let wins = |attacker| {
        worth(piece.role) > value(board, attacker)
            || !is_defended(board, pin.pinned)
                && !attacked.contains(attacker)
                && (moves_freely(board, pin.pinned) & !pin.line()).any()
    };
    victims.into_iter().any(is_prey) || on_line.into_iter().any(wins)
}

/// The squares to which a piece could move if kings did not matter.
fn moves_freely(board: &Board, square: Square) -> Bitboard {
    let Some(piece) = board.piece_at(square) else { return Bitboard::EMPTY };
    let attacked = board.attacks_from(square);
    if piece.role != Role::Pawn {
        return attacked & !board.by_color(piece.color);
    }
    let ahead = step(piece.color, square.into());
    attacked & board.by_color(!piece.color) | ahead & !board.occupied()
}

/// Whether a piece of the side to move is in danger and every move of it leaves it in danger without winning as much
/// as it is worth. A pinned piece and a piece of a side in check have other troubles.
pub fn is_trapped(position: &Chess, square: Square) -> bool {
    let board = position.board();
    let Some(role) = board.role_at(square) else { return false };
    let is_pinned =
        || pins(board, position.turn()).any(|pin| pin.motif == Motif::Pin && pin.pinned == square);
    let is_lost = |m: Move| {
        let is_fair = m.capture().is_some_and(|captured| worth(captured) >= worth(role));
        !is_fair && is_in_danger(after(position, m).board(), m.to())
    };
    let moves = || position.legal_moves().into_iter().filter(|m| m.from() == Some(square));
    !matches!(role, Role::Pawn | Role::King)
        && !position.is_check()
        && !is_pinned()
        && is_in_danger(board, square)
        && moves().all(is_lost)
}

/// What is said about a trapped piece: the least valuable attacker attacks it.
pub fn trapped(board: &Board, square: Square, ply: usize) -> Option<FoundMotif> {
    let side = !board.color_at(square)?;
    let attackers = attackers(board, side, square).into_iter();
    let by = attackers.min_by_key(|&from| value(board, from))?;
    let found = FoundMotif::new(Motif::TrappedPiece, ply, side).by(Spot::on(board, by));
    Some(found.target(Spot::on(board, square)))
}
