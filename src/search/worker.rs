//! One thread's tree: negamax with its pruning, and quiescence search at its leaves.

use super::deepening::Search;
use super::exchange::exchange_at_least;
use super::line::Lines;
use super::order::{History, Ordered, is_quiet};
use super::position::Position;
use super::score::{DRAW, INFINITY, MATE, MATE_BOUND, MAX_EVALUATION, MAX_PLY, mated_in};
use super::table::{Bound, Entry, PackedMove};
use super::team::{Counted, Team};
use shakmaty::{Chess, Move, MoveList, Position as _, Role};

/// The first iteration that may leave moves out or reduce them. Those before it see every line to
/// their full depth, so that no short mate is missed.
const FIRST_SELECTIVE: u32 = 4;

/// Clock and stop flag are looked at every so many nodes.
const NODES_BETWEEN_CHECKS: u64 = 512;

/// A first iteration of more nodes than this may be broken off.
const NODES_OF_FIRST_ITERATION: u64 = 20_000;

/// Reverse futility: up to this depth, a position this much a ply above beta is good enough.
const REVERSE_FUTILITY_DEPTH: i32 = 6;
const REVERSE_FUTILITY_MARGIN: i32 = 85;

/// Null move: from this depth on, reduced by this much and a quarter of the depth.
const NULL_MOVE_DEPTH: i32 = 3;
const NULL_MOVE_REDUCTION: i32 = 3;

/// Up to this depth quiet moves are left out once one move has been searched, if
/// - even this much a ply does not bring the position up to alpha,
/// - so many moves and half the square of the depth have been tried before, or
/// - the man that moves can be taken at a loss of more than this much a ply.
const PRUNING_DEPTH: i32 = 7;
const FUTILITY_MARGIN: i32 = 80;
const LATE_MOVES: i32 = 3;
const QUIET_LOSS: i32 = 30;

/// Late moves are reduced from this depth and this move on.
const REDUCTION_DEPTH: i32 = 3;
const REDUCTION_MOVE: usize = 3;
/// The reduction is this plus the product of the logarithms of depth and move number, over this.
const REDUCTION_BASE: f64 = 1.2;
const REDUCTION_DIVISOR: f64 = 1.5;

/// Without a table move, deeper nodes than this are searched a ply less: a guess is cheap first.
const UNGUIDED_DEPTH: i32 = 5;

pub(super) struct Worker<'a> {
    request: &'a Search<'a>,
    team: &'a Team,
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
    /// Keys of the game and of the path being searched; the current position last.
    keys: Vec<u64>,
    /// How many of the keys belong to the game, the root included.
    game_length: usize,
    killers: [[Option<Move>; 2]; MAX_PLY + 1],
    history: History,
    iteration: u32,
    stopped: bool,
}

/// The moves that a search of the root may choose from.
#[derive(Default)]
pub(super) struct RootMoves {
    pub(super) moves: MoveList,
    /// Tried before all others, the table's move included.
    pub(super) first: Option<Move>,
    /// Whether better moves are left out, so that the result is not the position's.
    pub(super) is_part: bool,
}

impl<'a> Worker<'a> {
    pub(super) fn new(request: &'a Search<'a>, team: &'a Team) -> Worker<'a> {
        let keys = request.game.keys();
        Worker {
            request,
            team,
            others: Counted::default(),
            told: Counted::default(),
            root: RootMoves::default(),
            root_value: -INFINITY,
            counted: Counted::default(),
            deepest: 0,
            lines: Lines::new(),
            game_length: keys.len(),
            keys,
            killers: [[None; 2]; MAX_PLY + 1],
            history: History::new(),
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
        let value = self.negamax(root, alpha, beta, depth as i32, 0, false);
        (!self.stopped).then_some(value)
    }

    /// The value of a position for the side to move: at most `alpha` and at least `beta` are
    /// bounds, between them it is the value.
    fn negamax(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        after_null_move: bool,
    ) -> i32 {
        let chess = position.chess();
        let in_check = chess.is_check();
        if in_check && (depth <= 0 || ply < self.iteration as usize) {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiescence(position, alpha, beta, ply);
        }
        if self.must_stop() {
            return DRAW;
        }
        self.enter(ply);
        if ply > 0 {
            if let Some(value) = self.game_over(position, in_check, ply) {
                return value;
            }
            if let Some(value) = self.tablebase_value(chess, depth, ply) {
                return value;
            }
            // No line from here is better than mate on the next move or worse than mate now.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        let is_principal = beta - alpha > 1;
        let known = self.request.table.get(position.key(), ply);
        if let Some(known) = known
            && !is_principal
            && ply > 0
            && known.depth >= depth
            && known.settles(alpha, beta)
        {
            return known.value;
        }
        let mut table_move = known.and_then(|known| known.best.unpack(chess));
        if ply == 0 && self.root.first.is_some() {
            table_move = self.root.first;
        }
        let evaluation = match known {
            Some(known) => known.evaluation,
            None => self.evaluate(position),
        };

        if self.is_selective() && !is_principal && !in_check && beta.abs() < MATE_BOUND {
            if depth <= REVERSE_FUTILITY_DEPTH
                && evaluation - REVERSE_FUTILITY_MARGIN * depth >= beta
            {
                return evaluation;
            }
            if depth >= NULL_MOVE_DEPTH
                && evaluation >= beta
                && !after_null_move
                && may_pass(chess)
                && let Some(value) = self.null_move(position, evaluation, beta, depth, ply)
            {
                return value;
            }
        }
        if self.is_selective() && table_move.is_none() && depth >= UNGUIDED_DEPTH {
            depth -= 1;
        }

        let moves = if ply == 0 { self.root.moves.clone() } else { chess.legal_moves() };
        if moves.is_empty() {
            return if in_check { mated_in(ply) } else { DRAW };
        }
        if moves.len() == 1 && ply > 0 && ply + 1 < 2 * self.iteration as usize {
            depth += 1;
        }
        let ordered = Ordered::new(chess, moves, table_move, self.killers[ply], &self.history);
        let first_alpha = alpha;
        let mut best = -INFINITY;
        let mut best_move = None;
        let mut quiets = MoveList::new();
        for (number, m) in ordered.enumerate() {
            if ply == 0 {
                self.team.watch(self.request, self.iteration, m, number);
            }
            let child = position.play(m);
            let may_be_late =
                self.is_selective() && !in_check && is_quiet(m) && !child.chess().is_check();
            if may_be_late
                && !is_principal
                && best > -MATE_BOUND
                && depth <= PRUNING_DEPTH
                && (evaluation + FUTILITY_MARGIN * (depth + 1) <= alpha
                    || number as i32 > LATE_MOVES + depth * depth / 2
                    || !exchange_at_least(chess, m, -QUIET_LOSS * depth))
            {
                continue;
            }
            self.keys.push(child.key());
            let mut value = -INFINITY;
            let mut full_window = number == 0;
            if number > 0 {
                let reduction =
                    if may_be_late { reduction(depth, number, is_principal) } else { 0 };
                value = -self.negamax(
                    &child,
                    -alpha - 1,
                    -alpha,
                    depth - 1 - reduction,
                    ply + 1,
                    false,
                );
                if value > alpha && reduction > 0 {
                    value = -self.negamax(&child, -alpha - 1, -alpha, depth - 1, ply + 1, false);
                }
                full_window = value > alpha && value < beta;
            }
            if full_window {
                value = -self.negamax(&child, -beta, -alpha, depth - 1, ply + 1, false);
            }
            self.keys.pop();
            if self.stopped {
                return DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(m);
                    self.lines.extend(ply, m);
                    if ply == 0 {
                        self.root_value = value;
                    }
                    if alpha >= beta {
                        self.reward(chess, m, &quiets, depth, ply);
                        break;
                    }
                }
            }
            if is_quiet(m) {
                quiets.push(m);
            }
        }

        if ply > 0 || !self.root.is_part {
            let bound = Bound::of(best, first_alpha, beta);
            self.remember(position, ply, best_move, best, evaluation, depth, bound);
        }
        best
    }

    /// Captures, promotions and evasions only, until the position is quiet enough to be judged.
    fn quiescence(&mut self, position: &Position, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        if self.must_stop() {
            return DRAW;
        }
        self.enter(ply);
        let chess = position.chess();
        let in_check = chess.is_check();
        if let Some(value) = self.game_over(position, in_check, ply) {
            return value;
        }
        let known = self.request.table.get(position.key(), ply);
        if let Some(known) = known
            && beta - alpha == 1
            && known.settles(alpha, beta)
        {
            return known.value;
        }
        let first_alpha = alpha;
        let mut best = mated_in(ply);
        let mut evaluation = DRAW;
        if !in_check {
            if position.has_no_moves() {
                return DRAW;
            }
            evaluation = match known {
                Some(known) => known.evaluation,
                None => self.evaluate(position),
            };
            best = evaluation;
            alpha = alpha.max(best);
            if alpha >= beta {
                return best;
            }
        }
        let mut moves = chess.legal_moves();
        if !in_check {
            moves.retain(|m| m.is_capture() || m.promotion() == Some(Role::Queen));
        }
        let table_move = known.and_then(|known| known.best.unpack(chess));
        let mut best_move = None;
        for m in Ordered::new(chess, moves, table_move, [None; 2], &self.history) {
            if !in_check && !exchange_at_least(chess, m, 0) {
                continue;
            }
            let child = position.play(m);
            self.keys.push(child.key());
            let value = -self.quiescence(&child, -beta, -alpha, ply + 1);
            self.keys.pop();
            if self.stopped {
                return DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(m);
                    self.lines.extend(ply, m);
                    if alpha >= beta {
                        break;
                    }
                }
            }
        }
        let bound = Bound::of(best, first_alpha, beta);
        self.remember(position, ply, best_move, best, evaluation, 0, bound);
        best
    }

    /// If even passing is good enough, some move surely is. `None` if that is not so. What a search
    /// that is broken off returns does not matter, as everywhere.
    fn null_move(
        &mut self,
        position: &Position,
        evaluation: i32,
        beta: i32,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        let passed = position.pass()?;
        let reduction = NULL_MOVE_REDUCTION + depth / 4 + ((evaluation - beta) / 200).min(2);
        self.keys.push(passed.key());
        let value = -self.negamax(&passed, -beta, 1 - beta, depth - reduction, ply + 1, true);
        self.keys.pop();
        // A mate found after passing is none on the board.
        let value = if value >= MATE_BOUND { beta } else { value };
        (self.stopped || value >= beta).then_some(value)
    }

    /// What tablebases say of a position, where they are to be asked.
    fn tablebase_value(&mut self, chess: &Chess, depth: i32, ply: usize) -> Option<i32> {
        let value = self.request.resources.tablebases?.probe(chess, depth, ply)?;
        self.counted.hits += 1;
        Some(value)
    }

    fn enter(&mut self, ply: usize) {
        self.lines.clear(ply);
        self.deepest = self.deepest.max(ply);
        self.counted.nodes += 1;
    }

    /// Whether moves may be left out or reduced in this iteration.
    fn is_selective(&self) -> bool {
        self.iteration >= FIRST_SELECTIVE && self.request.limits.mate.is_none()
    }

    /// Looks at the limits. The first iteration is finished unless the position is monstrous: it is
    /// over in no time, and without it there would be no move.
    fn must_stop(&mut self) -> bool {
        let nodes = self.counted.nodes;
        if self.stopped || (self.iteration <= 1 && nodes < NODES_OF_FIRST_ITERATION) {
            return self.stopped;
        }
        let request = self.request;
        if request.limits.nodes.is_some_and(|limit| nodes + self.others.nodes >= limit) {
            self.stopped = true;
        } else if nodes.is_multiple_of(NODES_BETWEEN_CHECKS) {
            self.others = self.team.exchange(self.counted, &mut self.told);
            self.stopped = self.team.must_stop(request);
        }
        self.stopped
    }

    /// What all threads have counted, as far as is known here.
    pub(super) fn total(&self) -> Counted {
        self.counted + self.others
    }

    /// The value of a position in which the game, or this line of the search, has ended.
    fn game_over(&self, position: &Position, in_check: bool, ply: usize) -> Option<i32> {
        let chess = position.chess();
        if chess.halfmoves() >= 100 {
            // A mate on the hundredth ply counts.
            let mated = in_check && chess.legal_moves().is_empty();
            return Some(if mated { mated_in(ply) } else { DRAW });
        }
        if chess.is_insufficient_material() || self.is_repetition(chess.halfmoves() as usize) {
            return Some(DRAW);
        }
        (ply >= MAX_PLY).then(|| self.evaluate(position))
    }

    /// Whether the current position has been on the board before: once since the root, for then it
    /// can be had again, or twice in the game.
    fn is_repetition(&self, reversible: usize) -> bool {
        let now = self.keys.len() - 1;
        let oldest = now.saturating_sub(reversible);
        let mut seen_in_game = 0;
        let mut at = now;
        while at >= oldest + 2 {
            at -= 2;
            if self.keys[at] == self.keys[now] {
                seen_in_game += 1;
                if at >= self.game_length || seen_in_game == 2 {
                    return true;
                }
            }
        }
        false
    }

    fn evaluate(&self, position: &Position) -> i32 {
        let value = self.request.engine.evaluate(position.chess());
        value.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// A quiet move that refuted the last one will be tried early elsewhere; those tried in vain
    /// before it, late.
    fn reward(&mut self, chess: &Chess, m: Move, tried: &[Move], depth: i32, ply: usize) {
        if !is_quiet(m) {
            return;
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        let bonus = (16 * depth * depth + 32 * depth).min(1600);
        self.history.update(chess.turn(), m, bonus);
        for &other in tried {
            self.history.update(chess.turn(), other, -bonus);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one entry, field by field")]
    fn remember(
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

impl Entry {
    /// Whether the value is known well enough for this window.
    fn settles(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }
}

/// Whether passing proves anything: with few pieces every move may be a bad one, and bare of
/// pawns a side is often glad to pass.
fn may_pass(chess: &Chess) -> bool {
    let board = chess.board();
    let us = chess.us();
    board.pawns().any()
        && ((us & board.rooks_and_queens()).any()
            || (us & (board.knights() | board.bishops())).more_than_one())
}

/// By how many plies a late quiet move is searched less: the later and the deeper, the more.
fn reduction(depth: i32, number: usize, is_principal: bool) -> i32 {
    if depth < REDUCTION_DEPTH || number < REDUCTION_MOVE {
        return 0;
    }
    let (depth, number) = (f64::from(depth), number as f64);
    let plies = REDUCTION_BASE + depth.ln() * number.ln() / REDUCTION_DIVISOR;
    (plies as i32 - i32::from(is_principal)).max(0)
}
