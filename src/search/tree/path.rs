//! The keys of the positions that led to the current one, and repetitions among them.

use super::cuckoo::can_move_back_to;
use crate::search::position::{Game, Position};
use shakmaty::Position as _;
use shakmaty::zobrist::{Zobrist64, ZobristValue};

/// The position keys of the game and of the current path in the tree.
pub struct Path {
    /// The current position last.
    keys: Vec<u64>,
    /// The number of keys that belong to the game, with the root.
    game_length: usize,
    /// The index of the position after the last null move, 0 without one. No repetition counts across a null
    /// move, which is no legal move.
    after_null_move: usize,
}

impl Path {
    pub fn new(game: &Game) -> Path {
        let keys = game.keys();
        Path { game_length: keys.len(), keys, after_null_move: 0 }
    }

    pub fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Adds the position after a null move. Returns the argument for [`Path::pop_null_move`].
    pub fn push_null_move(&mut self, position: &Position) -> usize {
        self.push(position);
        std::mem::replace(&mut self.after_null_move, self.keys.len() - 1)
    }

    pub fn pop_null_move(&mut self, after_null_move: usize) {
        self.after_null_move = after_null_move;
        self.pop();
    }

    /// The index of the oldest position that the current one or the next could repeat.
    fn oldest(&self, position: &Position) -> usize {
        let reversible = position.chess().halfmoves() as usize;
        self.after_null_move.max((self.keys.len() - 1).saturating_sub(reversible))
    }

    /// Whether the current position counts as a draw by repetition: it has occurred once since the root, because
    /// then it can be repeated again, or twice in the game.
    pub fn is_repetition(&self, position: &Position) -> bool {
        let now = self.keys.len() - 1;
        let oldest = self.oldest(position);
        let mut before = (oldest..now.saturating_sub(3)).rev().step_by(2);
        before.any(|at| self.keys[at] == self.keys[now] && self.counts(at, oldest))
    }

    /// Whether the side to move has a move to such a repetition.
    pub fn can_repeat(&self, position: &Position) -> bool {
        let now = self.keys.len() - 1;
        let oldest = self.oldest(position);
        let mut before = (oldest..now.saturating_sub(2)).rev().step_by(2);
        let turn = Zobrist64::zobrist_for_white_turn().0;
        let change = |at: usize| self.keys[at] ^ self.keys[at + 1] ^ turn;
        // The opponent's pieces must stand where they stood. The keys show that without the cuckoo table.
        let mut opponent = now.checked_sub(1).map_or(0, change);
        before.any(|at| {
            opponent ^= change(at);
            opponent == 0 && can_move_back_to(position, self.keys[at]) && self.counts(at, oldest)
        })
    }

    /// Whether another occurrence of the position at this index is a draw: it is in the tree, or it has occurred
    /// before.
    fn counts(&self, at: usize, oldest: usize) -> bool {
        at >= self.game_length || self.keys[oldest..at].contains(&self.keys[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    /// Random games in which about every other move goes back if it can, so that positions repeat often. The
    /// first plies of each belong to the game, the others to the tree.
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
    fn a_repetition_is_upcoming_if_some_move_leads_to_one() {
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
    fn no_repetition_counts_across_a_null_move() {
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
        // Only the root could be repeated, and it has occurred once.
        assert!(!path.can_repeat(&position));
        play(&mut position, &mut path, H7, H8);
        assert!(!path.is_repetition(&position));
        // The position after the root is in the tree.
        assert!(path.can_repeat(&position));
        play(&mut position, &mut path, A1, A2);
        assert!(path.is_repetition(&position) && path.can_repeat(&position));
        let null_child = position.null_move().unwrap();
        let before = path.push_null_move(&null_child);
        assert!(!path.is_repetition(&null_child) && !path.can_repeat(&null_child));
        path.pop_null_move(before);
        assert!(path.is_repetition(&position) && path.can_repeat(&position));
    }
}
