//! Move ordering: the sooner the best move, the smaller the tree.

use super::exchange::{exchange_at_least, exchange_value};
use shakmaty::{Chess, Color, Move, MoveList, Position, Role};

/// The largest magnitude of a history score.
const MAX_HISTORY: i32 = 16_384;

// Classes of moves, wide enough apart that no score within one reaches the next.
const TABLE_MOVE: i32 = 1 << 24;
const GOOD_CAPTURE: i32 = 1 << 22;
const KILLER: i32 = 1 << 20;
const BAD_CAPTURE: i32 = -(1 << 22);

/// How well quiet moves have done so far in this search, by side, origin and target.
pub(super) struct History {
    scores: Vec<[[i16; 64]; 64]>,
}

impl History {
    pub(super) fn new() -> History {
        History { scores: vec![[[0; 64]; 64]; 2] }
    }

    pub(super) fn get(&self, turn: Color, m: Move) -> i32 {
        m.from().map_or(0, |from| {
            i32::from(self.scores[turn as usize][from.to_usize()][m.to().to_usize()])
        })
    }

    /// Moves the score towards the bonus, the less the nearer it is to the maximum.
    pub(super) fn update(&mut self, turn: Color, m: Move, bonus: i32) {
        if let Some(from) = m.from() {
            let score = &mut self.scores[turn as usize][from.to_usize()][m.to().to_usize()];
            let bonus = bonus.clamp(-MAX_HISTORY, MAX_HISTORY);
            let pull = i32::from(*score) * bonus.abs() / MAX_HISTORY;
            *score += (bonus - pull) as i16;
        }
    }
}

/// Moves with scores, given out best first.
pub(super) struct Ordered {
    moves: MoveList,
    scores: [i32; 256],
    next: usize,
}

impl Ordered {
    /// Captures by what they win, quiet moves by what they did elsewhere.
    pub(super) fn new(
        chess: &Chess,
        moves: MoveList,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        history: &History,
    ) -> Ordered {
        let mut scores = [0; 256];
        for (m, score) in moves.iter().zip(&mut scores) {
            *score = if Some(*m) == table_move {
                TABLE_MOVE
            } else if !is_quiet(*m) {
                let class =
                    if exchange_at_least(chess, *m, 0) { GOOD_CAPTURE } else { BAD_CAPTURE };
                class + gain(*m)
            } else if killers[0] == Some(*m) {
                KILLER + 1
            } else if killers[1] == Some(*m) {
                KILLER
            } else {
                history.get(chess.turn(), *m)
            };
        }
        Ordered { moves, scores, next: 0 }
    }
}

impl Iterator for Ordered {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let rest = self.next..self.moves.len();
        let best = rest.max_by_key(|&i| (self.scores[i], std::cmp::Reverse(i)))?;
        self.moves.swap(self.next, best);
        self.scores.swap(self.next, best);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}

/// Neither a capture nor a promotion.
pub(super) fn is_quiet(m: Move) -> bool {
    !m.is_capture() && !m.is_promotion()
}

/// The most valuable victim first, and among equal victims the least valuable attacker.
fn gain(m: Move) -> i32 {
    let victim = m.capture().map_or(0, exchange_value);
    let promoted = m.promotion().map_or(0, exchange_value);
    let attacker = Role::ALL.iter().position(|&role| role == m.role()).unwrap_or(0);
    8 * (victim + promoted) - attacker as i32
}
