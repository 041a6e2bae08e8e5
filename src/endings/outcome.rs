//! The outcome of each won position when one chosen move is played there and every reply is tried.

use super::{
    FIFTY_MOVES,
    graph::{AfterMove, Graph},
};

/// The outcome of a won position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Not known: the position is not won, or has not been visited.
    Unknown,
    /// On the path that is being followed.
    InProgress,
    /// Mate against every defence, in this many moves against the longest.
    Mates(u16),
    /// Some defence reaches a draw or a repetition.
    NotMated,
}

/// From how many won positions mate comes in time, and in how many moves.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Stats {
    /// The number of positions from which mate comes within fifty moves against every defence.
    pub(super) proved: usize,
    /// The most moves to mate from any of them.
    pub(super) worst: u16,
    /// The sum of the moves to mate from all of them, each against its longest defence.
    pub(super) moves: u64,
    /// The sum of the moves above the minimum, which is the number under perfect play.
    pub(super) above: u64,
}

impl Stats {
    /// Counts the positions with these indices by their outcomes.
    pub(super) fn new(graph: &Graph, outcomes: &[Outcome], indices: &[u32]) -> Stats {
        let mut stats = Stats::default();
        for &index in indices {
            if let (Outcome::Mates(moves), Some(least)) =
                (outcomes[index as usize], graph.moves_to_mate(index))
                && moves <= FIFTY_MOVES
            {
                stats.proved += 1;
                stats.worst = stats.worst.max(moves);
                stats.moves += u64::from(moves);
                stats.above += u64::from(moves - u16::from(least));
            }
        }
        stats
    }
}

/// A position on the path that is being followed.
struct Frame {
    index: u32,
    /// The position that the chosen move leads to.
    chosen: u32,
    /// The number of the next reply.
    reply: usize,
    /// The most moves to mate after any reply before it.
    worst: u16,
}

/// The outcome of every won position, by index. `choose` gives the index of the position that the
/// chosen move leads to.
pub(super) fn follow(graph: &Graph, choose: impl FnMut(u32) -> Option<u32>) -> Vec<Outcome> {
    let mut walk = Walk::new(graph, choose);
    for &index in &graph.won {
        walk.visit(index);
    }
    walk.outcomes
}

/// A depth-first walk through the graph. It uses a stack instead of recursion, because paths can be
/// long. A move is chosen when the walk reaches its position.
pub(super) struct Walk<'a, C> {
    graph: &'a Graph,
    choose: C,
    /// By index, what is known so far.
    pub(super) outcomes: Vec<Outcome>,
    path: Vec<Frame>,
}

impl<'a, C: FnMut(u32) -> Option<u32>> Walk<'a, C> {
    /// A walk that has visited nothing.
    pub(super) fn new(graph: &'a Graph, choose: C) -> Walk<'a, C> {
        Walk {
            graph,
            choose,
            outcomes: vec![Outcome::Unknown; graph.entry_count()],
            path: Vec::new(),
        }
    }

    /// Finds the outcome of a won position.
    pub(super) fn visit(&mut self, index: u32) {
        self.enter(index);
        self.follow();
    }

    /// Puts a position on the path unless its outcome is known or follows at once.
    fn enter(&mut self, index: u32) {
        if self.outcomes[index as usize] != Outcome::Unknown {
            return;
        }
        let Some(chosen) = (self.choose)(index) else {
            self.settle(index, Outcome::NotMated);
            return;
        };
        match self.graph.after[chosen as usize] {
            AfterMove::Mate => self.settle(index, Outcome::Mates(1)),
            AfterMove::Drawn | AfterMove::Illegal => self.settle(index, Outcome::NotMated),
            AfterMove::GoesOn => {
                self.outcomes[index as usize] = Outcome::InProgress;
                self.path.push(Frame { index, chosen, reply: 0, worst: 0 });
            }
        }
    }

    fn follow(&mut self) {
        while let Some(frame) = self.path.last_mut() {
            let index = frame.index;
            let Some(&next) = self.graph.replies.get(frame.chosen as usize).get(frame.reply) else {
                let outcome = Outcome::Mates(frame.worst + 1);
                self.path.pop();
                self.settle(index, outcome);
                continue;
            };
            let won = self.graph.plies[next as usize].is_some();
            match self.outcomes[next as usize] {
                _ if !won => self.settle(index, Outcome::NotMated),
                Outcome::Unknown => self.enter(next),
                Outcome::Mates(moves) => {
                    frame.worst = frame.worst.max(moves);
                    frame.reply += 1;
                }
                Outcome::InProgress | Outcome::NotMated => self.settle(index, Outcome::NotMated),
            }
        }
    }

    /// Sets a position's outcome. If it is not mated, neither is any position on the path, because the
    /// defender can reach it from there.
    fn settle(&mut self, index: u32, outcome: Outcome) {
        self.outcomes[index as usize] = outcome;
        if outcome == Outcome::NotMated {
            for before in self.path.drain(..) {
                self.outcomes[before.index as usize] = Outcome::NotMated;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        endgame::{Endgames, Table},
        endings::position_at,
    };
    use shakmaty::{Color, Position};
    use std::sync::LazyLock;

    static TABLES: LazyLock<Endgames> = LazyLock::new(|| {
        let mut endgames = Endgames::default();
        endgames.build("KRK".parse().unwrap());
        endgames
    });

    fn table() -> &'static Table {
        TABLES.table(&"KRK".parse().unwrap()).unwrap()
    }

    static ROOK: LazyLock<Graph> = LazyLock::new(|| Graph::new(table()));

    /// The plies to mate after a move, against the longest defence; none if it loses the win.
    fn plies_after(after: u32) -> Option<u8> {
        match ROOK.after[after as usize] {
            AfterMove::Mate => Some(0),
            AfterMove::Drawn | AfterMove::Illegal => None,
            _ => {
                let replies = ROOK.replies.get(after as usize).iter();
                let longest = replies.map(|&next| ROOK.plies[next as usize]);
                longest.collect::<Option<Vec<u8>>>()?.into_iter().max().map(|plies| plies + 1)
            }
        }
    }

    fn choose(rank: impl Fn(u32) -> u8) -> impl Fn(u32) -> Option<u32> {
        move |index| {
            let position = position_at(table(), Color::White, index as usize)?;
            let after = position.legal_moves().into_iter().filter_map(|m| {
                let squares = Endgames::squares(table(), &position.clone().play(m).ok()?)?;
                table().index(&squares).map(|index| index as u32)
            });
            after.min_by_key(|&after| rank(after))
        }
    }

    #[test]
    fn perfect_moves_mate_in_the_exact_number() {
        let outcomes = follow(&ROOK, choose(|after| plies_after(after).unwrap_or(u8::MAX)));
        assert_eq!(ROOK.won.len(), 22_400);
        for &index in &ROOK.won {
            let moves = ROOK.moves_to_mate(index).unwrap();
            assert_eq!(outcomes[index as usize], Outcome::Mates(moves.into()));
        }
    }

    #[test]
    fn the_slowest_moves_repeat_for_ever() {
        // Mate is played only where no other move keeps the win.
        let last = |after| plies_after(after).map_or(u8::MAX, |plies| u8::MAX - 1 - plies);
        let outcomes = follow(&ROOK, choose(last));
        let mated = ROOK.won.iter().filter(|&&index| outcomes[index as usize] != Outcome::NotMated);
        assert!(mated.clone().all(|&index| outcomes[index as usize] == Outcome::Mates(1)));
        assert!(mated.count() < 10);
    }

    #[test]
    fn without_a_move_nothing_is_won() {
        let outcomes = follow(&ROOK, |_| None);
        assert!(ROOK.won.iter().all(|&index| outcomes[index as usize] == Outcome::NotMated));
    }
}
