//! Move histories: how often moves caused cutoffs elsewhere in the tree.

use super::see::see_value;
use crate::geometry::{king_attacks, knight_attacks, pawn_attacks};
use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square, attacks};

/// The largest magnitude of a history score.
pub const MAX_HISTORY: i32 = 16_384;

/// The number of preceding plies with a continuation history.
pub const CONTINUATION_PLIES: usize = 2;

/// A move as colour, piece and target square; or no move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PieceTo(usize);

impl PieceTo {
    /// No move, or a null move.
    pub const NONE: PieceTo = PieceTo(2 * 6 * 64);

    /// The number of different values.
    pub const COUNT: usize = PieceTo::NONE.0 + 1;

    pub fn index(self) -> usize {
        self.0
    }

    pub fn new(turn: Color, m: Move) -> PieceTo {
        let (role, _, to) = parts(m);
        PieceTo((turn as usize * 6 + index(role)) * 64 + to.to_usize())
    }
}

impl Default for PieceTo {
    fn default() -> PieceTo {
        PieceTo::NONE
    }
}

/// Piece, origin and target of a move. Nearly all moves are normal, so the other kinds are kept out of the way.
#[inline]
pub fn parts(m: Move) -> (Role, Square, Square) {
    #[cold]
    fn of_special_move(m: Move) -> (Role, Square, Square) {
        (m.role(), m.from().unwrap_or(m.to()), m.to())
    }
    match m {
        Move::Normal { role, from, to, .. } => (role, from, to),
        _ => of_special_move(m),
    }
}

/// The position's part of the indices of quiet moves.
#[derive(Copy, Clone, Debug)]
pub struct HistoryContext {
    pub turn: Color,
    /// The preceding moves, the last one first.
    previous: [PieceTo; CONTINUATION_PLIES],
    /// The squares that the opponent attacks.
    attacked: Bitboard,
}

impl HistoryContext {
    pub fn new(chess: &Chess, previous: [PieceTo; CONTINUATION_PLIES]) -> HistoryContext {
        HistoryContext { turn: chess.turn(), previous, attacked: attacked_by(chess, !chess.turn()) }
    }

    /// Whether origin and target of a move are attacked, as an index. A piece that leaves an attacked square is counted
    /// apart from one that moves onto one.
    #[inline]
    fn danger(&self, from: Square, to: Square) -> usize {
        usize::from(self.attacked.contains(from)) * 2 + usize::from(self.attacked.contains(to))
    }
}

/// The squares that one side attacks, those of its own pieces included.
fn attacked_by(chess: &Chess, side: Color) -> Bitboard {
    let board = chess.board();
    let pieces = board.by_color(side);
    let mut attacked = pawn_attacks(side, pieces & board.pawns())
        | knight_attacks(pieces & board.knights())
        | king_attacks(pieces & board.kings());
    for from in pieces & board.bishops_and_queens() {
        attacked |= attacks::bishop_attacks(from, board.occupied());
    }
    for from in pieces & board.rooks_and_queens() {
        attacked |= attacks::rook_attacks(from, board.occupied());
    }
    attacked
}

/// The history scores of moves.
#[derive(Default, Debug)]
pub struct History {
    /// Quiet moves by side and by whether origin and target are attacked; then by origin and target.
    quiet: Vec<[[[i16; 64]; 64]; 4]>,
    /// Captures and promotions by side, piece, target and captured piece.
    capture: Vec<[[[i16; 6]; 64]; 6]>,
    /// Quiet moves by a preceding move, piece and target.
    continuation: Vec<[[i16; 64]; 6]>,
}

impl History {
    pub fn new() -> History {
        History {
            quiet: vec![[[[0; 64]; 64]; 4]; 2],
            capture: vec![[[[0; 6]; 64]; 6]; 2],
            continuation: vec![[[0; 64]; 6]; PieceTo::COUNT],
        }
    }

    /// The scores of the quiet moves of one position.
    #[inline]
    pub fn quiets<'a>(&'a self, context: &'a HistoryContext) -> QuietScores<'a> {
        QuietScores {
            context,
            own: &self.quiet[context.turn as usize],
            continuation: context.previous.map(|before| &self.continuation[before.0]),
        }
    }

    /// Moves the scores of a quiet move towards a bonus.
    pub fn update_quiet(&mut self, m: Move, context: &HistoryContext, bonus: i32) {
        let (role, from, to) = parts(m);
        let own = &mut self.quiet[context.turn as usize][context.danger(from, to)];
        update(&mut own[from.to_usize()][to.to_usize()], bonus);
        for before in &context.previous {
            update(&mut self.continuation[before.0][index(role)][to.to_usize()], bonus);
        }
    }

    /// The score of a capture or promotion.
    pub fn capture(&self, turn: Color, m: Move) -> i32 {
        let victim = m.capture().map_or(0, index);
        i32::from(self.capture[turn as usize][index(m.role())][m.to().to_usize()][victim])
    }

    /// Moves the score of a capture or promotion towards a bonus.
    pub fn update_capture(&mut self, turn: Color, m: Move, bonus: i32) {
        let victim = m.capture().map_or(0, index);
        let score = &mut self.capture[turn as usize][index(m.role())][m.to().to_usize()][victim];
        update(score, bonus);
    }
}

/// The history scores of the quiet moves of one position.
pub struct QuietScores<'a> {
    context: &'a HistoryContext,
    own: &'a [[[i16; 64]; 64]; 4],
    continuation: [&'a [[i16; 64]; 6]; CONTINUATION_PLIES],
}

impl QuietScores<'_> {
    /// The score of a quiet move.
    #[inline]
    pub fn of(&self, m: Move) -> i32 {
        let (role, from, to) = parts(m);
        let own = self.own[self.context.danger(from, to)][from.to_usize()][to.to_usize()];
        let continuation = self.continuation.map(|table| table[index(role)][to.to_usize()]);
        continuation.into_iter().fold(i32::from(own), |sum, score| sum + i32::from(score))
    }
}

/// The order of captures: the most valuable victim first, then the history, then the least valuable attacker
/// (MVV-LVA).
pub fn capture_order(history: &History, turn: Color, m: Move) -> i32 {
    let victim = m.capture().map_or(0, see_value);
    let promoted = m.promotion().map_or(0, see_value);
    8 * (victim + promoted) - m.role() as i32 + history.capture(turn, m) / 8
}

const fn index(role: Role) -> usize {
    role as usize - 1
}

/// Moves a score towards the bonus, in smaller steps near the maximum.
fn update(score: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-MAX_HISTORY, MAX_HISTORY);
    let pull = i32::from(*score) * bonus.abs() / MAX_HISTORY;
    *score += (bonus - pull) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{eval::EvalContext, search::Game};

    #[test]
    fn attacks_are_those_of_the_evaluation_context() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        ] {
            let game = Game::from_fen(fen, None).unwrap();
            let chess = game.position().chess();
            let view = EvalContext::new(chess);
            for side in Color::ALL {
                assert_eq!(attacked_by(chess, side), view.side(side).attacks, "{side:?} in {fen}");
            }
        }
    }

    #[test]
    fn moves_out_of_and_into_attacks_have_their_own_scores() {
        // The rook on d8 attacks d1 and d4, not e1 and e4.
        let game = Game::from_fen("3r3k/8/8/8/8/8/8/K2RR3 w - - 0 1", None).unwrap();
        let chess = game.position().chess();
        let context = HistoryContext::new(chess, [PieceTo::NONE; CONTINUATION_PLIES]);
        let find = |text: &str| {
            let uci: shakmaty::uci::UciMove = text.parse().unwrap();
            uci.to_move(chess).unwrap()
        };
        let attacks = |text: &str| {
            let (_, from, to) = parts(find(text));
            context.danger(from, to)
        };
        assert_eq!(["e1e4", "e1g1", "d1d4", "d1b1"].map(attacks), [0, 0, 3, 2]);
        let (mut history, m) = (History::new(), find("e1e4"));
        history.update_quiet(m, &context, 1000);
        let all_attacked = HistoryContext { attacked: Bitboard::FULL, ..context };
        assert_eq!(history.quiets(&context).of(m) - history.quiets(&all_attacked).of(m), 1000);
    }

    #[test]
    fn scores_approach_the_maximum_and_never_exceed_it() {
        let mut score = 0;
        for _ in 0..1000 {
            update(&mut score, 1600);
            assert!(i32::from(score) <= MAX_HISTORY);
        }
        assert!(score > 15_000);
        for _ in 0..1000 {
            update(&mut score, -1600);
            assert!(i32::from(score) >= -MAX_HISTORY);
        }
        assert!(score < -15_000);
    }
}
