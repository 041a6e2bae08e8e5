//! Move ordering: table move, good captures, killers, quiet moves, bad captures. Moves are generated in stages,
//! because most nodes end before they need quiet moves.

use super::history::{History, HistoryContext, capture_order};
use super::movegen::MoveGenerator;
use super::see::see_ge;
use crate::search::transposition_table::PackedMove;
use shakmaty::{Chess, Color, Move, Position as _, Role};

/// The moves of all nodes on the path, each with its score among the moves of its stage. The scores lie one beside
/// the other, so that the processor compares several of them at a time.
#[derive(Default)]
pub struct MoveStack {
    moves: Vec<Move>,
    scores: Vec<i32>,
}

impl MoveStack {
    fn len(&self) -> usize {
        self.moves.len()
    }

    /// Scores the moves that have been generated since the last call. A move without a score is removed.
    fn score(&mut self, score: impl Fn(Move) -> Option<i32>) {
        let start = self.scores.len();
        let mut length = start;
        for at in start..self.moves.len() {
            let m = self.moves[at];
            if let Some(score) = score(m) {
                self.moves[length] = m;
                self.scores.push(score);
                length += 1;
            }
        }
        self.moves.truncate(length);
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.moves.swap(one, other);
        self.scores.swap(one, other);
    }

    fn truncate(&mut self, length: usize) {
        self.moves.truncate(length);
        self.scores.truncate(length);
    }

    /// The first of the best moves from this index on.
    fn best_from(&self, start: usize) -> Option<usize> {
        let scores = self.scores.get(start..)?;
        let max = scores.iter().fold(i32::MIN, |max, &score| max.max(score));
        scores.iter().position(|&score| score == max).map(|at| start + at)
    }
}

/// The number of killer moves.
pub const KILLERS: usize = 2;

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
pub struct MovePicker {
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
    pub fn all(
        stack: &MoveStack,
        table_move: Option<Move>,
        killers: [PackedMove; KILLERS],
        context: HistoryContext,
    ) -> MovePicker {
        let quiets = Some(context);
        MovePicker { quiets, killers, ..MovePicker::good_captures(stack, table_move) }
    }

    /// A picker of captures and queen promotions that lose no material.
    pub fn good_captures(stack: &MoveStack, table_move: Option<Move>) -> MovePicker {
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
    pub fn next(
        &mut self,
        chess: &Chess,
        generator: &MoveGenerator,
        stack: &mut MoveStack,
        history: &History,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateCaptures;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(generator, stack, history, chess.turn());
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    let Some(m) = self.best(stack) else {
                        self.stage =
                            if self.quiets.is_some() { Stage::Killer(0) } else { Stage::Done };
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
                    self.generate_quiets(generator, stack, history);
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
                    if let Some(&m) = stack.moves.get(self.next) {
                        self.next += 1;
                        return Some(m);
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

    /// Adds the captures to the stack. Generators are not inlined, because their preparations would be made for every
    /// move.
    #[inline(never)]
    fn generate_captures(
        &mut self,
        generator: &MoveGenerator,
        stack: &mut MoveStack,
        history: &History,
        turn: Color,
    ) {
        let all = self.quiets.is_some();
        generator.captures(|m| stack.moves.push(m));
        stack.score(|m| {
            let is_wanted = PackedMove::new(m) != self.packed_table_move
                && (all || m.promotion().is_none_or(|role| role == Role::Queen));
            is_wanted.then(|| capture_order(history, turn, m))
        });
    }

    /// Replaces the captures that have been yielded by the quiet moves.
    #[inline(never)]
    fn generate_quiets(
        &mut self,
        generator: &MoveGenerator,
        stack: &mut MoveStack,
        history: &History,
    ) {
        stack.truncate(self.bad_end);
        self.next = self.bad_end;
        let Some(context) = &self.quiets else { return };
        let scores = history.quiets(context);
        generator.quiets(|m| stack.moves.push(m));
        stack.score(|m| {
            let packed = PackedMove::new(m);
            let is_new = packed != self.packed_table_move && !self.killers.contains(&packed);
            is_new.then(|| scores.of(m))
        });
    }

    /// Keeps only those of the remaining quiet moves that fulfil a condition, and yields them in no particular order.
    /// Returns whether that is so: it has no effect before the stage of quiet moves.
    pub fn keep_quiets(&mut self, stack: &mut MoveStack, is_kept: impl Fn(Move) -> bool) -> bool {
        if self.stage != Stage::Quiets {
            return self.stage == Stage::UnsortedQuiets;
        }
        self.stage = Stage::UnsortedQuiets;
        let mut length = self.next;
        for at in self.next..stack.len() {
            let m = stack.moves[at];
            if is_kept(m) {
                stack.moves[length] = m;
                length += 1;
            }
        }
        stack.truncate(length);
        true
    }

    /// Removes this node's moves from the stack.
    pub fn finish(self, stack: &mut MoveStack) {
        stack.truncate(self.start);
    }

    /// Takes the remaining move with the highest score.
    fn best(&mut self, stack: &mut MoveStack) -> Option<Move> {
        let best = stack.best_from(self.next)?;
        stack.swap(self.next, best);
        self.next += 1;
        stack.moves.get(self.next - 1).copied()
    }
}

/// Whether a move is neither a capture nor a promotion.
pub fn is_quiet(m: Move) -> bool {
    !m.is_capture() && !m.is_promotion()
}
