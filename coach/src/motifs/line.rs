//! A line of moves with its positions.

use super::found::{FoundMotif, Spot};
use super::motif::Motif;
use super::safety::worth;
use shakmaty::{Board, CastlingSide, Chess, Color, Move, Position, Role, Square};

/// One move of a line.
pub struct Step {
    /// 1 for the first move.
    pub ply: usize,
    pub m: Move,
    pub before: Chess,
    pub after: Chess,
}

impl Step {
    /// The move in a position; none if it is not legal there.
    pub fn new(ply: usize, before: &Chess, m: Move) -> Option<Step> {
        let after = before.clone().play(m).ok()?;
        Some(Step { ply, m, before: before.clone(), after })
    }

    pub fn side(&self) -> Color {
        self.before.turn()
    }

    /// The board after it.
    pub fn board(&self) -> &Board {
        self.after.board()
    }

    pub fn from(&self) -> Square {
        self.m.from().unwrap_or_else(|| self.to())
    }

    /// Where the piece stands afterwards; of castling, the king.
    pub fn to(&self) -> Square {
        match self.m {
            Move::Castle { king, rook } => {
                CastlingSide::from_king_side(king < rook).king_to(self.side())
            }
            m => m.to(),
        }
    }

    /// The piece before its move.
    pub fn origin(&self) -> Spot {
        Spot::on(self.before.board(), self.from())
    }

    /// The piece after its move.
    pub fn mover(&self) -> Spot {
        Spot::on(self.after.board(), self.to())
    }

    /// A motif that the piece shows by its move.
    pub fn found(&self, motif: Motif) -> FoundMotif {
        FoundMotif::new(motif, self.ply, self.side()).by(self.mover())
    }

    /// A motif that the piece showed before its move.
    pub fn earlier(&self, found: FoundMotif) -> FoundMotif {
        FoundMotif { ply: self.ply - 1, by: Some(self.origin()), ..found }
    }

    /// What the piece is after its move.
    pub fn role(&self) -> Role {
        self.m.promotion().unwrap_or(self.m.role())
    }

    /// The piece that is captured on the target square. A pawn captured en passant stands elsewhere.
    pub fn victim(&self) -> Option<Spot> {
        let is_capture = self.m.is_capture() && !self.m.is_en_passant();
        is_capture.then(|| Spot::on(self.before.board(), self.to()))
    }

    /// What the captured piece is worth; 0 without one.
    pub fn gain(&self) -> i32 {
        self.victim().and_then(|victim| victim.piece).map_or(0, |piece| worth(piece.role))
    }

    /// The rank of the target square as the side sees it, from 0.
    pub fn rank_of_target(&self) -> u32 {
        u32::from(self.side().relative_rank(self.to().rank()))
    }
}

/// The moves of a line, seen from one side. It ends at the first move that is not legal.
pub struct Line {
    pub steps: Vec<Step>,
    pub side: Color,
}

impl Line {
    pub fn new(start: &Chess, moves: &[Move], side: Color) -> Line {
        let mut steps: Vec<Step> = Vec::new();
        for (ply, &m) in (1..).zip(moves) {
            let before = steps.last().map_or(start, |step| &step.after);
            let Some(step) = Step::new(ply, before, m) else { break };
            steps.push(step);
        }
        Line { steps, side }
    }

    /// The moves of the side.
    pub fn own(&self) -> impl DoubleEndedIterator<Item = &Step> {
        self.steps.iter().filter(|step| step.side() == self.side)
    }

    /// The opponent's move before a move.
    pub fn before(&self, step: &Step) -> Option<&Step> {
        self.steps.get(step.ply.checked_sub(2)?)
    }

    /// Whether the side moves again after this move.
    pub fn goes_on(&self, step: &Step) -> bool {
        self.steps.len() > step.ply + 1
    }

    /// Each three moves in a row of which the side plays the first and the last.
    pub fn combinations(&self) -> impl Iterator<Item = Combination<'_>> {
        self.steps.windows(3).enumerate().filter_map(move |(index, moves)| match moves {
            [setup, reply, payoff] if setup.side() == self.side => {
                let later = self.steps.get(index + 4);
                Some(Combination { setup, reply, payoff, later })
            }
            _ => None,
        })
    }
}

/// A move, its reply, and the move that cashes in.
pub struct Combination<'a> {
    pub setup: &'a Step,
    pub reply: &'a Step,
    pub payoff: &'a Step,
    /// The next move of the side after the payoff.
    pub later: Option<&'a Step>,
}
