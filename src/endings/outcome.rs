//! Following one choice in each position through all replies.

use super::{
    FIFTY_MOVES,
    graph::{AfterMove, Graph},
};

/// How a won position fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is known: the position is not won, or was not looked at yet.
    Unknown,
    /// On the way that is being followed.
    InProgress,
    /// Mate in so many moves at worst.
    Mates(u16),
    /// The win can be lost, by a draw or by a circle.
    NotMated,
}

/// How many of some won positions are mated from in time, and in how many moves.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    /// Those from which mate comes within fifty moves against any defence.
    pub proved: usize,
    /// The most moves that any of those takes.
    pub worst: u16,
    /// Sum of the moves all of those take against the defence that lasts longest.
    pub moves: u64,
    /// Sum of the moves by which that is more than perfect play.
    pub above: u64,
}

impl Stats {
    /// Counts the positions at these places by their outcomes.
    pub fn new(graph: &Graph, outcomes: &[Outcome], places: &[u32]) -> Stats {
        let mut tally = Stats::default();
        for &place in places {
            if let (Outcome::Mates(moves), Some(least)) =
                (outcomes[place as usize], graph.moves_to_mate(place))
                && moves <= FIFTY_MOVES
            {
                tally.proved += 1;
                tally.worst = tally.worst.max(moves);
                tally.moves += u64::from(moves);
                tally.above += u64::from(moves - u16::from(least));
            }
        }
        tally
    }
}

/// A step of the way that is being followed: a position, where the choice there leads, the reply that is
/// next, and the worst of those before it.
struct Step {
    place: u32,
    chosen: u32,
    reply: usize,
    worst: u16,
}

/// The outcome of every won position, by place, when the move that leads to what `choose` gives is played
/// there.
pub fn follow(graph: &Graph, choose: impl FnMut(u32) -> Option<u32>) -> Vec<Outcome> {
    let mut walk = Walk::new(graph, choose);
    for &place in &graph.won {
        walk.from(place);
    }
    walk.outcomes
}

/// A walk through the graph, depth first, without recursion: ways can be long. A choice is asked for when
/// the walk comes by.
pub struct Walk<'a, C> {
    graph: &'a Graph,
    choose: C,
    /// By place, what is known by now.
    pub outcomes: Vec<Outcome>,
    way: Vec<Step>,
}

impl<'a, C: FnMut(u32) -> Option<u32>> Walk<'a, C> {
    /// Knows of nothing yet.
    pub fn new(graph: &'a Graph, choose: C) -> Walk<'a, C> {
        Walk {
            graph,
            choose,
            outcomes: vec![Outcome::Unknown; graph.entry_count()],
            way: Vec::new(),
        }
    }

    /// Finds the outcome of a won position.
    pub fn from(&mut self, place: u32) {
        self.enter(place);
        self.follow();
    }

    /// Begins with a position nothing is known of.
    fn enter(&mut self, place: u32) {
        if self.outcomes[place as usize] != Outcome::Unknown {
            return;
        }
        let Some(chosen) = (self.choose)(place) else {
            self.settle(place, Outcome::NotMated);
            return;
        };
        match self.graph.after[chosen as usize] {
            AfterMove::Mate => self.settle(place, Outcome::Mates(1)),
            AfterMove::Drawn | AfterMove::Illegal => self.settle(place, Outcome::NotMated),
            AfterMove::Check | AfterMove::Quiet => {
                self.outcomes[place as usize] = Outcome::InProgress;
                self.way.push(Step { place, chosen, reply: 0, worst: 0 });
            }
        }
    }

    fn follow(&mut self) {
        while let Some(step) = self.way.last_mut() {
            let place = step.place;
            let Some(&next) = self.graph.replies.get(step.chosen as usize).get(step.reply) else {
                let outcome = Outcome::Mates(step.worst + 1);
                self.way.pop();
                self.settle(place, outcome);
                continue;
            };
            let won = self.graph.plies[next as usize].is_some();
            match self.outcomes[next as usize] {
                _ if !won => self.settle(place, Outcome::NotMated),
                Outcome::Unknown => self.enter(next),
                Outcome::Mates(moves) => {
                    step.worst = step.worst.max(moves);
                    step.reply += 1;
                }
                Outcome::InProgress | Outcome::NotMated => self.settle(place, Outcome::NotMated),
            }
        }
    }

    /// Notes a position's outcome. One escape is enough, all the way back: nothing else needs to be tried
    /// there.
    fn settle(&mut self, place: u32, outcome: Outcome) {
        self.outcomes[place as usize] = outcome;
        if outcome == Outcome::NotMated {
            for before in self.way.drain(..) {
                self.outcomes[before.place as usize] = Outcome::NotMated;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::Endgames;
    use std::sync::LazyLock;

    static ROOK: LazyLock<Graph> = LazyLock::new(|| {
        let material = "KRK".parse().unwrap();
        let mut endgames = Endgames::default();
        endgames.build(material, |_| ());
        Graph::new(endgames.table(&material).unwrap())
    });

    /// The plies to mate after a move, against the longest defence; none if it throws the win away.
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
        move |place| {
            let moves = ROOK.moves.get(place as usize).iter().copied();
            moves.min_by_key(|&after| rank(after))
        }
    }

    #[test]
    fn perfect_moves_mate_in_the_exact_number() {
        let outcomes = follow(&ROOK, choose(|after| plies_after(after).unwrap_or(u8::MAX)));
        assert_eq!(ROOK.won.len(), 22_400);
        for &place in &ROOK.won {
            let moves = ROOK.moves_to_mate(place).unwrap();
            assert_eq!(outcomes[place as usize], Outcome::Mates(moves.into()));
        }
    }

    #[test]
    fn moves_that_stay_as_far_from_mate_as_they_can_go_round_for_ever() {
        // Where a mate is the only move that keeps the win it is played; nothing else ever mates.
        let last = |after| plies_after(after).map_or(u8::MAX, |plies| u8::MAX - 1 - plies);
        let outcomes = follow(&ROOK, choose(last));
        let mated = ROOK.won.iter().filter(|&&place| outcomes[place as usize] != Outcome::NotMated);
        assert!(mated.clone().all(|&place| outcomes[place as usize] == Outcome::Mates(1)));
        assert!(mated.count() < 10);
    }

    #[test]
    fn no_choice_is_no_win() {
        let outcomes = follow(&ROOK, |_| None);
        assert!(ROOK.won.iter().all(|&place| outcomes[place as usize] == Outcome::NotMated));
    }
}
