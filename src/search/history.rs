//! What has been learnt of moves elsewhere in the tree.

use super::see::see;
use crate::geometry::{king_attacks, knight_attacks, pawn_attacks};
use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, attacks};

/// The largest magnitude of a history score.
pub(super) const MAX_HISTORY: i32 = 16_384;

/// How many moves back a quiet move may be an answer to or a sequel of.
pub(super) const CONTINUATIONS: usize = 2;

/// A man of either colour on its way to a square, or no move at all: what another move follows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Step(usize);

impl Step {
    /// There was no move, or it was passed.
    pub(super) const NONE: Step = Step(2 * 6 * 64);

    /// The number of different steps.
    pub(super) const COUNT: usize = Step::NONE.0 + 1;

    pub(super) fn index(self) -> usize {
        self.0
    }

    pub(super) fn new(turn: Color, m: Move) -> Step {
        Step((turn as usize * 6 + index(m.role())) * 64 + m.to().to_usize())
    }
}

/// What a quiet move is looked up by, beside itself.
#[derive(Copy, Clone, Debug)]
pub(super) struct Context {
    pub(super) turn: Color,
    /// The moves played before, the last one first.
    after: [Step; CONTINUATIONS],
    /// What the other side attacks.
    attacked: Bitboard,
}

impl Context {
    pub(super) fn new(chess: &Chess, after: [Step; CONTINUATIONS]) -> Context {
        Context { turn: chess.turn(), after, attacked: attacked_by(chess, !chess.turn()) }
    }

    /// Where a table by side and danger, origin and target keeps a move: a man that flees is not one that
    /// walks into an attack.
    fn row(&self, m: Move) -> Option<(usize, usize, usize)> {
        let from = m.from()?;
        let to = m.to();
        let danger =
            usize::from(self.attacked.contains(from)) * 2 + usize::from(self.attacked.contains(to));
        Some((4 * self.turn as usize + danger, from.to_usize(), to.to_usize()))
    }
}

/// What the men of one side attack, own men's squares included.
fn attacked_by(chess: &Chess, side: Color) -> Bitboard {
    let board = chess.board();
    let men = board.by_color(side);
    let mut attacked = pawn_attacks(side, men & board.pawns())
        | knight_attacks(men & board.knights())
        | king_attacks(men & board.kings());
    for from in men & board.bishops_and_queens() {
        attacked |= attacks::bishop_attacks(from, board.occupied());
    }
    for from in men & board.rooks_and_queens() {
        attacked |= attacks::rook_attacks(from, board.occupied());
    }
    attacked
}

/// How well moves have done so far in this search.
#[derive(Default, Debug)]
pub(super) struct History {
    /// Quiet moves by side, by what the other side attacks of both, origin and target.
    quiet: Vec<[[i16; 64]; 64]>,
    /// Captures and promotions by side, man, target and victim.
    capture: Vec<[[[i16; 6]; 64]; 6]>,
    /// Quiet moves by what they follow, man and target.
    continuation: Vec<[[i16; 64]; 6]>,
}

impl History {
    pub(super) fn new() -> History {
        History {
            quiet: vec![[[0; 64]; 64]; 8],
            capture: vec![[[[0; 6]; 64]; 6]; 2],
            continuation: vec![[[0; 64]; 6]; Step::COUNT],
        }
    }

    /// The score of a quiet move that follows these steps.
    pub(super) fn quiet(&self, m: Move, context: &Context) -> i32 {
        let Some((side, from, to)) = context.row(m) else { return 0 };
        let own = i32::from(self.quiet[side][from][to]);
        context
            .after
            .iter()
            .fold(own, |sum, step| sum + i32::from(self.continuation[step.0][index(m.role())][to]))
    }

    /// Moves the scores of a quiet move towards a bonus.
    pub(super) fn update_quiet(&mut self, m: Move, context: &Context, bonus: i32) {
        let Some((side, from, to)) = context.row(m) else { return };
        update(&mut self.quiet[side][from][to], bonus);
        for step in &context.after {
            update(&mut self.continuation[step.0][index(m.role())][to], bonus);
        }
    }

    /// The score of a capture or promotion.
    pub(super) fn capture(&self, turn: Color, m: Move) -> i32 {
        let victim = m.capture().map_or(0, index);
        i32::from(self.capture[turn as usize][index(m.role())][m.to().to_usize()][victim])
    }

    /// Moves the score of a capture or promotion towards a bonus.
    pub(super) fn update_capture(&mut self, turn: Color, m: Move, bonus: i32) {
        let victim = m.capture().map_or(0, index);
        let score = &mut self.capture[turn as usize][index(m.role())][m.to().to_usize()][victim];
        update(score, bonus);
    }
}

/// How promising a capture is: the most valuable victim first, and among equal victims what has done
/// well, by the least valuable man.
pub(super) fn capture_order(history: &History, turn: Color, m: Move) -> i32 {
    let victim = m.capture().map_or(0, see);
    let promoted = m.promotion().map_or(0, see);
    8 * (victim + promoted) - m.role() as i32 + history.capture(turn, m) / 8
}

const fn index(role: Role) -> usize {
    role as usize - 1
}

/// Moves a score towards the bonus, the less the nearer it is to the maximum.
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
    fn what_is_attacked_is_what_terms_see() {
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
    fn a_man_that_flees_is_not_one_that_walks_into_an_attack() {
        // The rook on d8 attacks d1 and d4, not e1 and e4.
        let game = Game::from_fen("3r3k/8/8/8/8/8/8/K2RR3 w - - 0 1", None).unwrap();
        let chess = game.position().chess();
        let context = Context::new(chess, [Step::NONE; CONTINUATIONS]);
        let find = |text: &str| {
            let uci: shakmaty::uci::UciMove = text.parse().unwrap();
            uci.to_move(chess).unwrap()
        };
        let danger = |text: &str| context.row(find(text)).unwrap().0 % 4;
        assert_eq!(["e1e4", "e1g1", "d1d4", "d1b1"].map(danger), [0, 0, 3, 2]);
        let (mut history, m) = (History::new(), find("e1e4"));
        history.update_quiet(m, &context, 1000);
        let stormy = Context { attacked: Bitboard::FULL, ..context };
        assert_eq!(history.quiet(m, &context) - history.quiet(m, &stormy), 1000);
    }

    #[test]
    fn scores_approach_the_maximum_and_never_pass_it() {
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
