//! Move ordering: the sooner the best move, the smaller the tree. Moves are made in stages, and most
//! nodes are done before the quiet moves are ever generated.

use super::history::{Context, History, capture_order};
use super::movegen::MoveGenerator;
use super::see::see_ge;
use super::transposition_table::PackedMove;
use shakmaty::{Chess, Move, Position as _, Role};

/// A move and how promising it is among its like.
#[derive(Copy, Clone)]
pub(super) struct Scored {
    m: Move,
    score: i32,
}

/// The number of remembered quiet moves tried before the others.
pub(super) const REFUTATIONS: usize = 2;

#[derive(Copy, Clone, PartialEq, Eq)]
enum Stage {
    TableMove,
    MakeCaptures,
    GoodCaptures,
    Refutation(usize),
    MakeQuiets,
    Quiets,
    /// Those that are left, in any order.
    QuietRest,
    BadCaptures,
    Done,
}

/// Gives out the moves of one node. They lie on a stack that all nodes of a line share: this node's
/// from `start` on, captures that lose material first, then what is left of the others.
pub(super) struct MovePicker {
    stage: Stage,
    /// What quiet moves are looked up by, if they are wanted.
    quiets: Option<Context>,
    table_move: Option<Move>,
    refutations: [PackedMove; REFUTATIONS],
    start: usize,
    /// The end of the captures put off.
    bad: usize,
    next: usize,
}

impl MovePicker {
    /// Of every legal move.
    pub(super) fn all(
        stack: &[Scored],
        table_move: Option<Move>,
        refutations: [PackedMove; REFUTATIONS],
        context: Context,
    ) -> MovePicker {
        let quiets = Some(context);
        MovePicker { quiets, refutations, ..MovePicker::good_captures(stack, table_move) }
    }

    /// Of captures and promotions to a queen that lose nothing.
    pub(super) fn good_captures(stack: &[Scored], table_move: Option<Move>) -> MovePicker {
        let start = stack.len();
        MovePicker {
            stage: Stage::TableMove,
            quiets: None,
            table_move,
            refutations: Default::default(),
            start,
            bad: start,
            next: start,
        }
    }

    /// The next move to try.
    pub(super) fn next(
        &mut self,
        chess: &Chess,
        rules: &MoveGenerator,
        stack: &mut Vec<Scored>,
        history: &History,
    ) -> Option<Move> {
        let turn = chess.turn();
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::MakeCaptures;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::MakeCaptures => {
                    let all = self.quiets.is_some();
                    rules.captures(|m| {
                        if Some(m) != self.table_move
                            && (all || m.promotion().is_none_or(|role| role == Role::Queen))
                        {
                            stack.push(Scored { m, score: capture_order(history, turn, m) });
                        }
                    });
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    let Some(m) = self.best(stack) else {
                        self.stage = match self.quiets {
                            Some(_) => Stage::Refutation(0),
                            None => Stage::Done,
                        };
                        continue;
                    };
                    if see_ge(chess, m, 0) {
                        return Some(m);
                    }
                    stack.swap(self.bad, self.next - 1);
                    self.bad += 1;
                }
                Stage::Refutation(number) => {
                    let Some(&refutation) = self.refutations.get(number) else {
                        self.stage = Stage::MakeQuiets;
                        continue;
                    };
                    self.stage = Stage::Refutation(number + 1);
                    // What is not given here must not be missed later.
                    let found = rules.find(refutation).filter(|&m| is_quiet(m));
                    let is_new = !self.refutations[..number].contains(&refutation);
                    match found {
                        Some(m) if is_new && found != self.table_move => return Some(m),
                        _ => self.refutations[number] = PackedMove::NONE,
                    }
                }
                Stage::MakeQuiets => {
                    stack.truncate(self.bad);
                    self.next = self.bad;
                    if let Some(context) = &self.quiets {
                        rules.quiets(|m| {
                            if Some(m) != self.table_move
                                && !self.refutations.contains(&PackedMove::new(m))
                            {
                                stack.push(Scored { m, score: history.quiet(m, context) });
                            }
                        });
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if let Some(m) = self.best(stack) {
                        return Some(m);
                    }
                    stack.truncate(self.bad);
                    self.next = self.start;
                    self.stage = Stage::BadCaptures;
                }
                Stage::QuietRest => {
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

    /// Puts the quiet moves that are left in no order any more. Returns whether that is so: not before they
    /// have come to those that are put in order at all.
    pub(super) fn leave_unordered(&mut self) -> bool {
        if self.stage == Stage::Quiets {
            self.stage = Stage::QuietRest;
        }
        self.stage == Stage::QuietRest
    }

    /// Gives the stack back as it was found.
    pub(super) fn finish(self, stack: &mut Vec<Scored>) {
        stack.truncate(self.start);
    }

    fn best(&mut self, stack: &mut [Scored]) -> Option<Move> {
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

/// Neither a capture nor a promotion.
pub(super) fn is_quiet(m: Move) -> bool {
    !m.is_capture() && !m.is_promotion()
}
