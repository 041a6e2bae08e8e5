//! One thread's tree: what it remembers while it walks, and when it stops. How it walks is in
//! `negamax` and `quiescence`.

use super::correction::CorrectionIndex;
use super::histories::Histories;
use super::history::{CONTINUATIONS, Context, Step};
use super::line::Lines;
use super::move_picker::{MovePicker, Scored, is_quiet};
use super::movegen::MoveGenerator;
use super::node::{Best, NodeType};
use super::path::Path;
use super::position::Position;
use super::request::Search;
use super::score::{DRAW, INFINITY, MAX_EVALUATION, MAX_PLY, mated_in};
use super::shared_state::{Counted, SharedState};
use super::transposition_table::{Bound, Entry, PackedMove};
use shakmaty::{Chess, Move, MoveList, Position as _};

/// The first iteration that may leave moves out or reduce them. Those before it see every line to
/// their full depth, so that no short mate is missed.
const FIRST_SELECTIVE: u32 = 4;

/// A first iteration of more nodes than this may be broken off.
const NODES_OF_FIRST_ITERATION: u64 = 20_000;

/// What is known at one ply of the path being searched.
#[derive(Copy, Clone)]
pub(super) struct Ply {
    /// Quiet moves that refuted another move here.
    pub(super) killers: [PackedMove; 2],
    /// The move being tried.
    pub(super) step: Step,
    /// The static evaluation; none in check.
    pub(super) evaluation: Option<i32>,
    /// The move left out, to see what the others are worth.
    pub(super) excluded: PackedMove,
}

impl Default for Ply {
    fn default() -> Ply {
        Ply {
            killers: Default::default(),
            step: Step::NONE,
            evaluation: None,
            excluded: PackedMove::NONE,
        }
    }
}

pub(super) struct ThreadData<'a> {
    pub(super) request: &'a Search<'a>,
    pub(super) shared: &'a SharedState,
    /// What other threads have counted, as far as is known here.
    others: Counted,
    /// What this thread has told them.
    told: Counted,
    pub(super) root: RootMoves,
    /// The value of the best line from the root, once there is one in this iteration.
    pub(super) root_value: i32,
    pub(super) counted: Counted,
    /// The longest line looked at, in plies.
    pub(super) deepest: usize,
    pub(super) lines: Lines,
    pub(super) path: Path,
    /// The moves of all nodes of the path that are still to be tried.
    pub(super) moves: Vec<Scored>,
    /// Moves of all nodes of the path that were left for later.
    pub(super) deferred: Vec<Move>,
    pub(super) plies: Vec<Ply>,
    pub(super) histories: Histories,
    /// Natural logarithms in 1024ths, for reductions.
    logarithms: [i32; 64],
    pub(super) iteration: u32,
    pub(super) stopped: bool,
}

/// The moves that a search of the root may choose from.
#[derive(Default)]
pub(super) struct RootMoves {
    pub(super) moves: MoveList,
    /// Tried before all others, the table's move included.
    pub(super) first: Option<Move>,
    /// Whether better moves are left out, so that the result is not the position's.
    pub(super) is_part: bool,
    /// The nodes that each of them has taken so far.
    pub(super) effort: Vec<(Move, u64)>,
}

impl RootMoves {
    /// Notes that a move has taken so many nodes more.
    pub(super) fn spend(&mut self, m: Move, nodes: u64) {
        match self.effort.iter_mut().find(|(known, _)| *known == m) {
            Some((_, spent)) => *spent += nodes,
            None => self.effort.push((m, nodes)),
        }
    }

    /// The part of all nodes that a move has taken, 0 to 1.
    pub(super) fn share(&self, m: Move) -> f64 {
        let nodes = |of: Option<Move>| {
            let counted = self.effort.iter().filter(|(known, _)| of.is_none_or(|m| m == *known));
            counted.map(|&(_, nodes)| nodes).sum::<u64>() as f64
        };
        nodes(Some(m)) / nodes(None).max(1.0)
    }
}

impl<'a> ThreadData<'a> {
    pub(super) fn new(request: &'a Search<'a>, shared: &'a SharedState) -> ThreadData<'a> {
        ThreadData {
            request,
            shared,
            others: Counted::default(),
            told: Counted::default(),
            root: RootMoves::default(),
            root_value: -INFINITY,
            counted: Counted::default(),
            deepest: 0,
            lines: Lines::new(),
            path: Path::new(request.game),
            moves: Vec::new(),
            deferred: Vec::new(),
            plies: vec![Ply::default(); MAX_PLY + 1],
            histories: request.table.take_histories(),
            logarithms: std::array::from_fn(|n| (1024.0 * (n.max(1) as f64).ln()) as i32),
            iteration: 0,
            stopped: false,
        }
    }

    /// Forgets the line of the last search of the root.
    pub(super) fn begin(&mut self) {
        self.lines.clear(0);
        self.root_value = -INFINITY;
    }

    /// Searches the root. `None` if it was broken off.
    pub(super) fn root(&mut self, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        self.iteration = depth;
        let root = self.request.game.position();
        let value = self.negamax(root, alpha, beta, depth as i32, 0, NodeType::Pv);
        (!self.stopped).then_some(value)
    }

    pub(super) fn pick(
        &mut self,
        picker: &mut MovePicker,
        position: &Position,
        rules: &MoveGenerator,
    ) -> Option<Move> {
        picker.next(position.chess(), rules, &mut self.moves, &self.histories.history)
    }

    /// The moves played before this ply, the last one first.
    pub(super) fn after(&self, ply: usize) -> [Step; CONTINUATIONS] {
        std::array::from_fn(|back| {
            ply.checked_sub(back + 1).map_or(Step::NONE, |before| self.plies[before].step)
        })
    }

    /// Whether the side to move stands better than when it was last to move.
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let mut before = [2, 4].into_iter().filter_map(|back| {
            ply.checked_sub(back).and_then(|before| self.plies[before].evaluation)
        });
        match (self.plies[ply].evaluation, before.next()) {
            (Some(now), Some(before)) => now > before,
            (now, _) => now.is_some(),
        }
    }

    /// What tablebases say of a position, where they are to be asked.
    pub(super) fn tablebase_value(&mut self, chess: &Chess, depth: i32, ply: usize) -> Option<i32> {
        let value = self.request.resources.tablebases?.probe(chess, depth, ply)?;
        self.counted.hits += 1;
        Some(value)
    }

    pub(super) fn enter(&mut self, ply: usize) {
        self.lines.clear(ply);
        self.deepest = self.deepest.max(ply);
        self.counted.nodes += 1;
    }

    /// Plays a move of the path.
    pub(super) fn make(&mut self, position: &Position, m: Move, ply: usize) -> Position {
        let child = position.play(m);
        self.plies[ply].step = Step::new(position.chess().turn(), m);
        self.path.push(&child);
        child
    }

    pub(super) fn take_back(&mut self) {
        self.path.pop();
    }

    /// Takes note of what a move came to, and says whether it raised alpha.
    pub(super) fn improves(&mut self, best: &mut Best, m: Move, value: i32, ply: usize) -> bool {
        let is_raised = best.improves(m, value);
        if is_raised {
            self.lines.extend(ply, m);
            if ply == 0 {
                self.root_value = value;
            }
        }
        is_raised
    }

    /// A move that refuted the last one will be tried early elsewhere; those tried in vain before
    /// it, late.
    pub(super) fn reward(
        &mut self,
        context: &Context,
        m: Move,
        tried: &[Move],
        depth: i32,
        ply: usize,
    ) {
        let turn = context.turn;
        let bonus = (16 * depth * depth + 32 * depth).min(1600);
        if is_quiet(m) {
            let packed = PackedMove::new(m);
            let killers = &mut self.plies[ply].killers;
            if killers[0] != packed {
                *killers = [packed, killers[0]];
            }
            self.histories.history.update_quiet(m, context, bonus);
        } else {
            self.histories.history.update_capture(turn, m, bonus);
        }
        for &other in tried {
            if !is_quiet(other) {
                self.histories.history.update_capture(turn, other, -bonus);
            } else if is_quiet(m) {
                self.histories.history.update_quiet(other, context, -bonus);
            }
        }
    }

    /// The natural logarithm in 1024ths, of numbers up to 63.
    pub(super) fn logarithm(&self, n: i32) -> i32 {
        self.logarithms[n.clamp(1, 63) as usize]
    }

    /// Whether moves may be left out or reduced in this iteration.
    pub(super) fn is_selective(&self) -> bool {
        self.iteration >= FIRST_SELECTIVE
            && self.request.limits.mate.is_none()
            && !self.request.limits.full_width
    }

    /// Whether what the table knows may stand for a search of this depth. One that leaves nothing out adds
    /// nothing either: a deeper search is another one.
    pub(super) fn may_stand(&self, known: &Entry, depth: i32) -> bool {
        known.depth == depth || known.depth > depth && !self.request.limits.full_width
    }

    /// Looks at the limits. The first iteration is finished unless the position is monstrous: it is
    /// over in no time, and without it there would be no move.
    pub(super) fn must_stop(&mut self) -> bool {
        let nodes = self.counted.nodes;
        if self.stopped || (self.iteration <= 1 && nodes < NODES_OF_FIRST_ITERATION) {
            return self.stopped;
        }
        let request = self.request;
        if request.limits.nodes.is_some_and(|limit| nodes + self.others.nodes >= limit) {
            self.stopped = true;
        } else if nodes.is_multiple_of(self.shared.nodes_between_checks()) {
            self.shared.make_room();
            self.others = self.shared.exchange(self.counted, &mut self.told);
            self.stopped = self.shared.must_stop(request);
        }
        self.stopped
    }

    /// What all threads have counted, as far as is known here.
    pub(super) fn total(&self) -> Counted {
        self.counted + self.others
    }

    /// The value of a position in which the game, or this line of the search, has ended.
    pub(super) fn game_over(&self, position: &Position, ply: usize) -> Option<i32> {
        let chess = position.chess();
        if chess.halfmoves() >= 100 {
            // A mate on the hundredth ply counts.
            let mated = position.is_check() && !MoveGenerator::new(position).any();
            return Some(if mated { mated_in(ply) } else { DRAW });
        }
        if chess.is_insufficient_material() || self.path.is_repetition(position) {
            return Some(DRAW);
        }
        (ply >= MAX_PLY).then(|| self.evaluate(position))
    }

    pub(super) fn evaluate(&self, position: &Position) -> i32 {
        let value = self.request.engine.evaluate(position.chess());
        value.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// Where the corrections of the position at this ply are kept.
    pub(super) fn place(&self, position: &Position, ply: usize) -> CorrectionIndex {
        CorrectionIndex::new(position, self.after(ply)[0])
    }

    /// The evaluation as searches of like positions would have it, unless the engine's own is asked for.
    pub(super) fn corrected(&self, evaluation: i32, place: &CorrectionIndex) -> i32 {
        if self.request.limits.full_width {
            return evaluation;
        }
        let corrected = evaluation + self.histories.corrections.get(place);
        corrected.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    #[expect(clippy::too_many_arguments, reason = "one entry, field by field")]
    pub(super) fn remember(
        &self,
        position: &Position,
        ply: usize,
        best: Option<Move>,
        value: i32,
        evaluation: i32,
        depth: i32,
        bound: Bound,
    ) {
        let best = best.map_or(PackedMove::NONE, PackedMove::new);
        let entry = Entry { best, value, evaluation, depth, bound };
        self.request.table.put(position.key(), ply, entry);
    }
}

impl Drop for ThreadData<'_> {
    fn drop(&mut self) {
        self.request.table.keep_histories(std::mem::take(&mut self.histories));
    }
}

impl Entry {
    /// Whether the value is known well enough for this window.
    pub(super) fn settles(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }
}
