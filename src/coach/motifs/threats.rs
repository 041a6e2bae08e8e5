//! What a side would play if it could move twice.

use super::by_move;
use super::found::Spot;
use super::line::Step;
use super::safety::worth;
use crate::search::see_ge;
use crate::text::noun;
use shakmaty::{Chess, Move, Position, Role};
use std::fmt;

/// The least that a capture must win to be a threat, in centipawns.
const LEAST_GAIN: i32 = 100;

/// A move that the side to move has to reckon with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threat {
    /// The move, legal if the side to move passes.
    pub m: Move,
    /// What it does.
    pub kind: ThreatKind,
    /// The piece, where it stands now.
    pub by: Spot,
    /// The king that is mated, the piece that is captured, the pieces that are forked.
    pub targets: Vec<Spot>,
}

/// What a threat does; the worst for the other side first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThreatKind {
    /// It mates.
    Mate,
    /// A pawn becomes a piece and is not lost.
    Promotion,
    /// It captures, and the exchanges on the square win material.
    Capture,
    /// It attacks two pieces.
    Fork,
}

/// What the opponent of the side to move threatens: mates, promotions and captures that win by static exchange
/// evaluation, forks. The worst threats come first. In check there is no time for a threat, so there is none.
pub fn threats(position: &Chess) -> Vec<Threat> {
    let Ok(passed) = position.clone().swap_turn() else { return Vec::new() };
    let moves = passed.legal_moves();
    let steps = moves.iter().filter_map(|&m| Step::new(1, &passed, m));
    let mut threats: Vec<Threat> = steps.filter_map(|step| threat(&step)).collect();
    let gain = |threat: &Threat| {
        threat.targets.iter().filter_map(|it| it.piece).map(|it| worth(it.role)).max()
    };
    let effort = |threat: &Threat| threat.by.piece.map(|piece| worth(piece.role));
    threats.sort_by_key(|it| (it.kind, std::cmp::Reverse(gain(it)), effort(it)));
    // One capture of a piece is enough to name.
    let mut named: Vec<(ThreatKind, Vec<Spot>)> = Vec::new();
    threats.retain(|it| {
        let is_new = !named.contains(&(it.kind, it.targets.clone()));
        named.push((it.kind, it.targets.clone()));
        is_new
    });
    threats
}

fn threat(step: &Step) -> Option<Threat> {
    let wins = || see_ge(&step.before, step.m, LEAST_GAIN);
    let (kind, targets) = if step.after.is_checkmate() {
        let board = step.after.board();
        let king = board.king_of(!step.side())?;
        (ThreatKind::Mate, vec![Spot::on(board, king)])
    } else if step.m.promotion() == Some(Role::Queen) && wins() {
        (ThreatKind::Promotion, Vec::new())
    } else if let Some(victim) = step.victim().filter(|_| !step.m.is_promotion() && wins()) {
        (ThreatKind::Capture, vec![victim])
    } else {
        (ThreatKind::Fork, by_move::fork(step)?.targets)
    };
    Some(Threat { m: step.m, kind, by: step.origin(), targets })
}

/// "the knight on g5 threatens to go to f7 and fork the queen on d8 and the rook on h8".
impl fmt::Display for Threat {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let names: Vec<String> = self.targets.iter().map(Spot::to_string).collect();
        let targets = names.join(" and ");
        let to = self.m.to();
        write!(f, "{} threatens ", self.by)?;
        match self.kind {
            ThreatKind::Mate => write!(f, "to mate {targets} on {to}"),
            ThreatKind::Promotion => write!(f, "to become a {} on {to}", noun(Role::Queen)),
            ThreatKind::Capture => write!(f, "to capture {targets}"),
            ThreatKind::Fork => write!(f, "to go to {to} and fork {targets}"),
        }
    }
}
