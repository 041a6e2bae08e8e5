//! The data of one thread: its position history, move stacks, statistics and limits. The search itself is in
//! `negamax` and `quiescence`.

use super::node::{Best, NodeType};
use super::path::Path;
use super::pv_table::PvTable;
use super::shared_state::{Counters, SharedState};
use crate::endgame::{Dtm, Material};
use crate::search::ordering::Histories;
use crate::search::ordering::correction::CorrectionIndex;
use crate::search::ordering::history::{CONTINUATION_PLIES, HistoryContext, PieceTo};
use crate::search::ordering::move_picker::{MovePicker, MoveStack, is_quiet};
use crate::search::ordering::movegen::MoveGenerator;
use crate::search::parameters::*;
use crate::search::position::{LikelyKey, Position};
use crate::search::request::SearchRequest;
use crate::search::score::{DRAW, INFINITY, MATE, MAX_EVALUATION, MAX_PLY, mated_in};
use crate::search::transposition_table::{Bound, PackedMove, TtEntry};
use shakmaty::{Chess, Move, MoveList, Position as _};
use std::time::Duration;

/// The first iteration that prunes and reduces. The iterations before it search every line to the full depth,
/// so that they miss no short mate.
const FIRST_SELECTIVE: u32 = 4;

/// Bounds and root moves are reported only after this time. Before it they change too fast to be read.
pub const SHOW_AFTER: Duration = Duration::from_secs(3);

/// The first iteration is not stopped before this many nodes.
const NODES_OF_FIRST_ITERATION: u64 = 20_000;

/// The state of one ply of the path that is being searched.
#[derive(Copy, Clone, Default)]
pub struct StackEntry {
    /// Killer moves: quiet moves that caused a beta cutoff at this ply.
    pub killers: [PackedMove; 2],
    /// The move that is being searched.
    pub current_move: PieceTo,
    /// The corrected static evaluation; `None` in check.
    pub evaluation: Option<i32>,
    /// The move that a singular extension search excludes.
    pub excluded: PackedMove,
    /// The move that is being searched with its history context, if it is quiet.
    pub quiet_move: Option<(Move, HistoryContext)>,
}

/// The data of one search thread.
pub struct ThreadData<'a> {
    pub request: &'a SearchRequest<'a>,
    pub shared: &'a SharedState,
    /// The counters of the other threads at the last check.
    others: Counters,
    /// What this thread has added to the shared counters.
    shared_counters: Counters,
    pub root: RootMoves,
    /// The value of the best line of this iteration.
    pub root_value: i32,
    pub counters: Counters,
    /// The longest line searched, in plies.
    pub selective_depth: usize,
    pub pv: PvTable,
    pub path: Path,
    /// The stack of generated moves of all nodes on the path.
    pub moves: MoveStack,
    pub stack: Vec<StackEntry>,
    pub histories: Histories,
    /// Natural logarithms in 1024ths, for late move reductions.
    logarithms: [i32; 64],
    pub iteration: u32,
    pub stopped: bool,
}

/// The root moves of one line.
#[derive(Default)]
pub struct RootMoves {
    pub moves: MoveList,
    /// Searched before all others, even before the table move.
    pub first: Option<Move>,
    /// Whether better moves are excluded, so that the result is not the value of the position.
    pub is_subset: bool,
    /// The nodes that each move has taken so far.
    pub node_counts: Vec<(Move, u64)>,
}

impl RootMoves {
    /// Adds to the nodes of a move.
    pub fn add_nodes(&mut self, m: Move, nodes: u64) {
        match self.node_counts.iter_mut().find(|(known, _)| *known == m) {
            Some((_, spent)) => *spent += nodes,
            None => self.node_counts.push((m, nodes)),
        }
    }

    /// Whether a move is one of these. It is not inlined, because a reference to a move keeps it out of the registers
    /// in the loop over the moves of every node.
    #[inline(never)]
    pub fn contains(&self, m: Move) -> bool {
        self.moves.contains(&m)
    }

    /// The share of all nodes that a move has taken, 0 to 1.
    pub fn node_share(&self, m: Move) -> f64 {
        let nodes = |of: Option<Move>| {
            let counters = self.node_counts.iter().filter(|(m, _)| of.is_none_or(|of| of == *m));
            counters.map(|&(_, nodes)| nodes).sum::<u64>() as f64
        };
        nodes(Some(m)) / nodes(None).max(1.0)
    }
}

impl<'a> ThreadData<'a> {
    pub fn new(request: &'a SearchRequest<'a>, shared: &'a SharedState) -> ThreadData<'a> {
        ThreadData {
            request,
            shared,
            others: Counters::default(),
            shared_counters: Counters::default(),
            root: RootMoves::default(),
            root_value: -INFINITY,
            counters: Counters::default(),
            selective_depth: 0,
            pv: PvTable::new(),
            path: Path::new(request.game),
            moves: MoveStack::default(),
            stack: vec![StackEntry::default(); MAX_PLY + 1],
            histories: request.table.take_histories(),
            logarithms: std::array::from_fn(|n| (1024.0 * (n.max(1) as f64).ln()) as i32),
            iteration: 0,
            stopped: false,
        }
    }

    /// Searches the root. Returns `None` if the search was stopped.
    pub fn search_root(&mut self, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        self.iteration = depth;
        let root = self.request.game.position();
        let value = self.negamax(root, alpha, beta, depth as i32, 0, NodeType::Pv);
        (!self.stopped).then_some(value)
    }

    /// Reports that the search of a root move begins.
    pub fn report_root_move(&self, m: Move, number: usize) {
        if let Some(report) = self.request.resources.on_root_move
            && self.request.clock.elapsed() >= SHOW_AFTER
        {
            report(self.iteration, m, number);
        }
    }

    /// The next move of a picker, with this thread's move stack and history.
    pub fn next_move(
        &mut self,
        picker: &mut MovePicker,
        position: &Position,
        generator: &MoveGenerator,
    ) -> Option<Move> {
        picker.next(position.chess(), generator, &mut self.moves, &self.histories.history)
    }

    /// The moves before this ply, the last one first.
    pub fn previous_moves(&self, ply: usize) -> [PieceTo; CONTINUATION_PLIES] {
        std::array::from_fn(|back| {
            ply.checked_sub(back + 1)
                .map_or(PieceTo::NONE, |before| self.stack[before].current_move)
        })
    }

    /// Whether the static evaluation is better than when this side was last to move out of check.
    pub fn is_improving(&self, ply: usize) -> bool {
        let mut before = [2, 4].into_iter().filter_map(|back| {
            ply.checked_sub(back).and_then(|before| self.stack[before].evaluation)
        });
        match (self.stack[ply].evaluation, before.next()) {
            (Some(now), Some(before)) => now > before,
            (now, _) => now.is_some(),
        }
    }

    /// The value of a position inside the tree by exact tables, `ply` plies from the root. A mate that the fifty-move
    /// rule may prevent is searched.
    pub fn endgame_value(&mut self, chess: &Chess, ply: usize) -> Option<i32> {
        let endgames = self.request.resources.endgames?;
        if chess.board().occupied().count() > Material::MAX_PIECES {
            return None;
        }
        let value = endgames.probe(chess).filter(|value| value.is_in_time(chess.halfmoves()))?;
        self.counters.hits += 1;
        let end = |plies: u8| (ply + usize::from(plies)).min(MAX_PLY);
        Some(match value {
            Dtm::Win(plies) => MATE - end(plies) as i32,
            Dtm::Draw => DRAW,
            Dtm::Loss(plies) => mated_in(end(plies)),
        })
    }

    /// The tablebase value of a position, if it is to be probed and is found.
    pub fn tablebase_value(&mut self, chess: &Chess, ply: usize) -> Option<i32> {
        let value = self.request.resources.tablebases?.probe(chess, ply)?;
        self.counters.hits += 1;
        Some(value)
    }

    /// Counts a node and clears its line.
    pub fn enter_node(&mut self, ply: usize) {
        self.pv.clear(ply);
        self.selective_depth = self.selective_depth.max(ply);
        self.counters.nodes += 1;
    }

    /// Asks the memory for the table entry of the position after a move. Returns the likely key of that position.
    pub fn prefetch(&self, position: &Position, m: Move) -> LikelyKey {
        let likely_key = position.likely_key_after(m);
        self.request.table.prefetch(likely_key.get());
        likely_key
    }

    /// Plays a move and adds it to the path.
    pub fn make(&mut self, position: &Position, m: Move, ply: usize) -> Position {
        let likely_key = self.prefetch(position, m);
        self.make_to(position, m, likely_key, ply)
    }

    /// Plays a move whose table entry has been asked for, and adds it to the path.
    pub fn make_to(
        &mut self,
        position: &Position,
        m: Move,
        likely_key: LikelyKey,
        ply: usize,
    ) -> Position {
        let child = position.play_to(m, likely_key);
        self.stack[ply].current_move = PieceTo::new(position.chess().turn(), m);
        self.stack[ply].quiet_move = None;
        self.path.push(&child);
        child
    }

    /// Removes the last move from the path.
    pub fn unmake(&mut self) {
        self.path.pop();
    }

    /// Records the value of a move. Returns whether it raised alpha.
    pub fn update_best(&mut self, best: &mut Best, m: Move, value: i32, ply: usize) -> bool {
        best.value = best.value.max(value);
        let is_raised = value > best.alpha;
        if is_raised {
            (best.alpha, best.m) = (value, Some(m));
            self.pv.extend(ply, m);
            if ply == 0 {
                self.root_value = value;
            }
        }
        is_raised
    }

    /// Raises the history of a move that caused a beta cutoff and lowers that of the moves tried before it.
    pub fn update_histories(
        &mut self,
        context: &HistoryContext,
        m: Move,
        searched: &[Move],
        depth: i32,
        ply: usize,
    ) {
        let turn = context.turn;
        let bonus = (cutoff_bonus() * depth - cutoff_bonus_offset()).min(cutoff_bonus_max());
        if is_quiet(m) {
            let packed = PackedMove::new(m);
            let killers = &mut self.stack[ply].killers;
            if killers[0] != packed {
                *killers = [packed, killers[0]];
            }
            self.histories.history.update_quiet(m, context, bonus);
        } else {
            self.histories.history.update_capture(turn, m, bonus);
        }
        for &other in searched {
            if !is_quiet(other) {
                self.histories.history.update_capture(turn, other, -bonus);
            } else if is_quiet(m) {
                self.histories.history.update_quiet(other, context, -bonus);
            }
        }
    }

    /// Raises or lowers the history of the quiet move before this ply by the change of the static evaluation.
    /// `evaluation` is that of the side to move now.
    pub fn update_history_by_evaluation(&mut self, evaluation: i32, ply: usize) {
        let before = ply.checked_sub(1).and_then(|before| self.stack[before].evaluation);
        if let Some(before) = before {
            let max = evaluation_bonus_max();
            let rise = -(evaluation + before);
            self.update_history_of_last_move(ply, (evaluation_bonus() * rise).clamp(-max, max));
        }
    }

    /// Moves the score of the quiet move before this ply towards a bonus.
    pub fn update_history_of_last_move(&mut self, ply: usize, bonus: i32) {
        let last = ply.checked_sub(1).and_then(|before| self.stack[before].quiet_move);
        if let Some((m, context)) = last {
            self.histories.history.update_quiet(m, &context, bonus);
        }
    }

    /// The natural logarithm in 1024ths, for numbers from 1 to 63.
    pub fn logarithm(&self, n: i32) -> i32 {
        self.logarithms[n.clamp(1, 63) as usize]
    }

    /// Whether this iteration prunes and reduces.
    pub fn is_selective(&self) -> bool {
        self.iteration >= FIRST_SELECTIVE && self.request.limits.mate.is_none()
    }

    /// Checks the limits. The first iteration is completed unless it takes very many nodes: it is short, and
    /// without it there would be no move.
    pub fn must_stop(&mut self) -> bool {
        let nodes = self.counters.nodes;
        if self.stopped || (self.iteration <= 1 && nodes < NODES_OF_FIRST_ITERATION) {
            return self.stopped;
        }
        let request = self.request;
        if request.limits.nodes.is_some_and(|limit| nodes + self.others.nodes >= limit) {
            self.stopped = true;
        } else if nodes.is_multiple_of(self.shared.nodes_between_checks()) {
            self.shared.yield_if_oversubscribed();
            self.share_counters();
            self.stopped = self.shared.must_stop(request);
        }
        self.stopped
    }

    /// Adds the counters of this thread to the shared ones, and reads those of the other threads.
    pub fn share_counters(&mut self) {
        self.others = self.shared.share_counters(self.counters, &mut self.shared_counters);
    }

    /// The counters of all threads, as they last shared them.
    pub fn total(&self) -> Counters {
        let [own, others] = [self.counters, self.others];
        Counters { nodes: own.nodes + others.nodes, hits: own.hits + others.hits }
    }

    /// The value of a position in which the game or the line ends: by a draw rule or at the maximum ply. This is
    /// not [`Game::outcome`](super::Game::outcome): here one repetition inside the tree is a draw, a mate is
    /// worth less the later it comes, and checkmate and stalemate are found when no move is generated.
    pub fn draw_or_max_ply(&self, position: &Position, ply: usize) -> Option<i32> {
        let chess = position.chess();
        if chess.halfmoves() >= 100 {
            // A mate on the hundredth halfmove wins.
            let mated = position.is_check() && !MoveGenerator::new(position).any();
            return Some(if mated { mated_in(ply) } else { DRAW });
        }
        if chess.is_insufficient_material() || self.path.is_repetition(position) {
            return Some(DRAW);
        }
        (ply >= MAX_PLY).then(|| self.evaluate(position))
    }

    /// The evaluation of a position for the side to move, in centipawns.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let value = self.request.evaluation.evaluate(position.chess());
        value.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// The index of the corrections of the position at this ply.
    pub fn correction_index(&self, position: &Position, ply: usize) -> CorrectionIndex {
        CorrectionIndex::new(position, self.previous_moves(ply)[0])
    }

    /// The evaluation with its correction.
    pub fn corrected(&self, evaluation: i32, index: &CorrectionIndex) -> i32 {
        let corrected = evaluation + self.histories.corrections.get(index);
        corrected.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// Stores an entry in the transposition table.
    #[expect(clippy::too_many_arguments, reason = "one entry, field by field")]
    pub fn store(
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
        let entry = TtEntry { best, value, evaluation, depth, bound };
        self.request.table.put(position.key(), ply, entry);
    }
}

impl Drop for ThreadData<'_> {
    fn drop(&mut self) {
        self.share_counters();
        self.request.table.keep_histories(std::mem::take(&mut self.histories));
    }
}
