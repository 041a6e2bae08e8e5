//! The positions that led to the one being searched, and what comes back of them.

use super::position::{Game, Position};
use super::upcoming::leads_to;
use shakmaty::{
    Position as _,
    zobrist::{Zobrist64, ZobristValue},
};

/// The keys of the game and of the path being searched.
pub(super) struct Path {
    /// The current position last.
    keys: Vec<u64>,
    /// How many of the keys belong to the game, the root included.
    game_length: usize,
    /// The first position from which moves alone lead to the current one: passing is no move of
    /// chess, and nothing from before it comes back.
    linked: usize,
}

impl Path {
    pub(super) fn new(game: &Game) -> Path {
        let keys = game.keys();
        Path { game_length: keys.len(), keys, linked: 0 }
    }

    pub(super) fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    pub(super) fn pop(&mut self) {
        self.keys.pop();
    }

    /// The side to move passes. Gives what [`Path::take_back_pass`] wants to have back.
    pub(super) fn pass(&mut self, position: &Position) -> usize {
        self.push(position);
        std::mem::replace(&mut self.linked, self.keys.len() - 1)
    }

    pub(super) fn take_back_pass(&mut self, linked: usize) {
        self.linked = linked;
        self.pop();
    }

    /// The first position that could be the same as this one or the next.
    fn oldest(&self, position: &Position) -> usize {
        let reversible = position.chess().halfmoves() as usize;
        self.linked.max((self.keys.len() - 1).saturating_sub(reversible))
    }

    /// Whether the current position has been on the board before: once since the root, for then it
    /// can be had again, or twice in the game.
    pub(super) fn is_repetition(&self, position: &Position) -> bool {
        let now = self.keys.len() - 1;
        let oldest = self.oldest(position);
        let mut before = (oldest..now.saturating_sub(3)).rev().step_by(2);
        before.any(|at| self.keys[at] == self.keys[now] && self.counts(at, oldest))
    }

    /// Whether the side to move has a move after which the position is such a repetition.
    pub(super) fn can_repeat(&self, position: &Position) -> bool {
        let now = self.keys.len() - 1;
        let oldest = self.oldest(position);
        let mut before = (oldest..now.saturating_sub(2)).rev().step_by(2);
        let turn = Zobrist64::zobrist_for_white_turn().0;
        let change = |at: usize| self.keys[at] ^ self.keys[at + 1] ^ turn;
        // The other side must have gone back to where it stood; that is seen without a table.
        let mut theirs = now.checked_sub(1).map_or(0, change);
        before.any(|at| {
            theirs ^= change(at);
            theirs == 0 && leads_to(position, self.keys[at]) && self.counts(at, oldest)
        })
    }

    /// Whether going back there is a draw: it is in the tree, or was on the board before that.
    fn counts(&self, at: usize, oldest: usize) -> bool {
        at >= self.game_length || self.keys[oldest..at].contains(&self.keys[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    /// Random games in which every other move is taken back where that is possible, so that much is
    /// repeated; the first plies of each belong to the game, the others to the tree.
    fn each_position(games: u64, mut check: impl FnMut(&Position, &mut Path)) {
        for number in 0..games {
            let mut random = SplitMix64::stream(7, number);
            let endings =
                ["4k3/p6r/8/8/8/8/P6R/4K3 w - - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"];
            let mut game = match random.below(3) {
                2 => Game::new(shakmaty::Chess::default()),
                kind => Game::from_fen(endings[kind], None).unwrap(),
            };
            let mut moves: Vec<shakmaty::Move> = Vec::new();
            let mut next = |position: &Position| {
                let legal = position.chess().legal_moves();
                let back = moves.len().checked_sub(2).map(|at| moves[at]).and_then(|last| {
                    legal
                        .iter()
                        .find(|m| m.from() == Some(last.to()) && Some(m.to()) == last.from())
                });
                let any = legal.get(random.below(legal.len()));
                let m = *if random.below(2) == 0 { back.or(any) } else { any }?;
                moves.push(m);
                Some(m)
            };
            for _ in 0..number % 30 {
                let Some(m) = next(game.position()) else { break };
                game.play(m);
            }
            let mut path = Path::new(&game);
            let mut position = game.position().clone();
            for _ in 0..60 {
                check(&position, &mut path);
                let Some(m) = next(&position) else { break };
                position = position.play(m);
                path.push(&position);
            }
        }
    }

    #[test]
    fn a_repetition_is_upcoming_if_some_move_makes_one() {
        let mut counts = [0; 2];
        each_position(600, |position, path| {
            let reference = position.chess().legal_moves().into_iter().any(|m| {
                let next = position.play(m);
                path.push(&next);
                let repeats = path.is_repetition(&next);
                path.pop();
                repeats
            });
            assert_eq!(path.can_repeat(position), reference, "{:?}", position.chess());
            counts[usize::from(reference)] += 1;
        });
        assert!(counts.iter().all(|&count| count > 2000), "{counts:?}");
    }

    #[test]
    fn a_position_is_repeated_once_in_the_tree_or_twice_in_the_game() {
        each_position(100, |position, path| {
            let (keys, now) = (path.keys.clone(), path.keys.len() - 1);
            let before: Vec<usize> = (0..now).filter(|&at| keys[at] == keys[now]).collect();
            let in_tree = before.iter().any(|&at| at >= path.game_length);
            assert_eq!(path.is_repetition(position), in_tree || before.len() >= 2);
        });
    }

    #[test]
    fn nothing_comes_back_across_a_pass() {
        let game = Game::from_fen("4k2r/8/8/8/8/8/8/R3K3 w - - 20 40", None).unwrap();
        let mut path = Path::new(&game);
        let mut position = game.position().clone();
        let play = |position: &mut Position, path: &mut Path, from, to| {
            let legal = position.chess().legal_moves();
            let m = *legal.iter().find(|m| m.from() == Some(from) && m.to() == to).unwrap();
            *position = position.play(m);
            path.push(position);
        };
        use shakmaty::Square::*;
        for (from, to) in [(A1, A2), (H8, H7), (A2, A1)] {
            play(&mut position, &mut path, from, to);
        }
        // Only the root would come back, and it has been there once.
        assert!(!path.can_repeat(&position));
        play(&mut position, &mut path, H7, H8);
        assert!(!path.is_repetition(&position));
        // What came after the root is in the tree.
        assert!(path.can_repeat(&position));
        play(&mut position, &mut path, A1, A2);
        assert!(path.is_repetition(&position) && path.can_repeat(&position));
        let passed = position.pass().unwrap();
        let linked = path.pass(&passed);
        assert!(!path.is_repetition(&passed) && !path.can_repeat(&passed));
        path.take_back_pass(linked);
        assert!(path.is_repetition(&position) && path.can_repeat(&position));
    }
}
