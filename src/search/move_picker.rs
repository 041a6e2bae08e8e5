//! Move ordering: table move, good captures, killers, quiet moves, bad captures. Moves are generated in stages,
//! because most nodes end before they need quiet moves.

use super::history::{History, HistoryContext, capture_order};
use super::movegen::MoveGenerator;
use super::see::see_ge;
use super::transposition_table::PackedMove;
use shakmaty::{Chess, Move, Position as _, Role};

/// A move with its score among the moves of its stage.
#[derive(Copy, Clone)]
pub(super) struct ScoredMove {
    m: Move,
    score: i32,
}

/// The number of killer moves.
pub(super) const KILLERS: usize = 2;

#[derive(Copy, Clone, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateCaptures,
    GoodCaptures,
    Killer(usize),
    GenerateQuiets,
    Quiets,
    /// The remaining quiet moves, in no particular order.
    UnsortedQuiets,
    BadCaptures,
    Done,
}

/// Yields the moves of one node in order. The moves lie on a stack that all nodes of the path share. The part of
/// this node begins at `start`: bad captures first, then the moves that are not yet yielded.
pub(super) struct MovePicker {
    stage: Stage,
    /// The history context of quiet moves; `None` if they are not wanted.
    quiets: Option<HistoryContext>,
    table_move: Option<Move>,
    /// The table move in the form in which moves are compared fastest.
    packed_table_move: PackedMove,
    killers: [PackedMove; KILLERS],
    start: usize,
    /// The end of the bad captures.
    bad_end: usize,
    next: usize,
}

impl MovePicker {
    /// A picker of all legal moves.
    pub(super) fn all(
        stack: &[ScoredMove],
        table_move: Option<Move>,
        killers: [PackedMove; KILLERS],
        context: HistoryContext,
    ) -> MovePicker {
        let quiets = Some(context);
        MovePicker { quiets, killers, ..MovePicker::good_captures(stack, table_move) }
    }

    /// A picker of captures and queen promotions that lose no material.
    pub(super) fn good_captures(stack: &[ScoredMove], table_move: Option<Move>) -> MovePicker {
        let start = stack.len();
        MovePicker {
            stage: Stage::TableMove,
            quiets: None,
            table_move,
            packed_table_move: table_move.map_or(PackedMove::NONE, PackedMove::new),
            killers: Default::default(),
            start,
            bad_end: start,
            next: start,
        }
    }

    /// The next move.
    pub(super) fn next(
        &mut self,
        chess: &Chess,
        generator: &MoveGenerator,
        stack: &mut Vec<ScoredMove>,
        history: &History,
    ) -> Option<Move> {
        let turn = chess.turn();
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateCaptures;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateCaptures => {
                    let all = self.quiets.is_some();
                    generator.captures(|m| {
                        if PackedMove::new(m) != self.packed_table_move
                            && (all || m.promotion().is_none_or(|role| role == Role::Queen))
                        {
                            stack.push(ScoredMove { m, score: capture_order(history, turn, m) });
                        }
                    });
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    let Some(m) = self.best(stack) else {
                        self.stage = match self.quiets {
                            Some(_) => Stage::Killer(0),
                            None => Stage::Done,
                        };
                        continue;
                    };
                    if see_ge(chess, m, 0) {
                        return Some(m);
                    }
                    stack.swap(self.bad_end, self.next - 1);
                    self.bad_end += 1;
                }
                Stage::Killer(number) => {
                    let Some(&killer) = self.killers.get(number) else {
                        self.stage = Stage::GenerateQuiets;
                        continue;
                    };
                    self.stage = Stage::Killer(number + 1);
                    // Quiet moves equal to a killer are skipped later, so a killer that is not yielded here is removed.
                    let found = generator.find(killer).filter(|&m| is_quiet(m));
                    let is_new = !self.killers[..number].contains(&killer);
                    match found {
                        Some(m) if is_new && found != self.table_move => return Some(m),
                        _ => self.killers[number] = PackedMove::NONE,
                    }
                }
                Stage::GenerateQuiets => {
                    stack.truncate(self.bad_end);
                    self.next = self.bad_end;
                    if let Some(context) = &self.quiets {
                        let scores = history.quiets(context);
                        generator.quiets(|m| {
                            let packed = PackedMove::new(m);
                            if packed != self.packed_table_move && !self.killers.contains(&packed) {
                                stack.push(ScoredMove { m, score: scores.of(m) });
                            }
                        });
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if let Some(m) = self.best(stack) {
                        return Some(m);
                    }
                    stack.truncate(self.bad_end);
                    self.next = self.start;
                    self.stage = Stage::BadCaptures;
                }
                Stage::UnsortedQuiets => {
                    if let Some(scored) = stack.get(self.next) {
                        self.next += 1;
                        return Some(scored.m);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::BadCaptures => {
                    if let Some(m) = self.best(stack) {
                        return Some(m);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Yields the remaining quiet moves in no particular order from here on. Returns whether that is so: it has
    /// no effect before the stage of quiet moves.
    pub(super) fn stop_sorting(&mut self) -> bool {
        if self.stage == Stage::Quiets {
            self.stage = Stage::UnsortedQuiets;
        }
        self.stage == Stage::UnsortedQuiets
    }

    /// Removes this node's moves from the stack.
    pub(super) fn finish(self, stack: &mut Vec<ScoredMove>) {
        stack.truncate(self.start);
    }

    /// Takes the remaining move with the highest score.
    fn best(&mut self, stack: &mut [ScoredMove]) -> Option<Move> {
        let rest = &mut stack[self.next..];
        let (mut best, mut most) = (0, i32::MIN);
        for (i, scored) in rest.iter().enumerate() {
            if scored.score > most {
                (best, most) = (i, scored.score);
            }
        }
        let m = rest.get(best)?.m;
        rest.swap(0, best);
        self.next += 1;
        Some(m)
    }
}

/// Whether a move is neither a capture nor a promotion.
pub(super) fn is_quiet(m: Move) -> bool {
    !m.is_capture() && !m.is_promotion()
}
