//! Steps to a higher level, from every position of an ending against a bare king.
//!
//! What a level, an aim and a step are is defined where the engine plays by them: [`Aim`]. Here the highest
//! values that can be forced within one move, two moves and so on are computed for all positions at once, by
//! retrograde analysis.

use super::{
    graph::{AfterMove, Graph},
    outcome::Outcome,
};
use crate::search::{Aim, REPLIES_SEEN};
use rayon::prelude::*;
use std::{cmp::Reverse, collections::HashMap};

/// The value of mate.
const MATE: i32 = i32::MAX;

/// Positions per task of a thread.
const CHUNK: usize = 1 << 12;

/// The values that can be forced from every position of an ending.
#[derive(Debug)]
pub struct Steps<'a> {
    graph: &'a Graph,
    /// By index with Black to move; [`NONE`](Steps::NONE) where no level counts.
    values: Vec<i32>,
    /// By the number of moves less one, then by index with White to move: the highest value that White can
    /// force within them.
    white: Vec<Vec<i32>>,
    /// The same with Black to move.
    black: Vec<Vec<i32>>,
}

impl<'a> Steps<'a> {
    /// The value where there is no level, and where none can be forced.
    pub const NONE: i32 = i32::MIN;

    /// Computes what White can force within 1 to `moves` moves. `values` are the values of the positions with
    /// Black to move, by index, in centipawns for White; [`NONE`](Steps::NONE) without a [level](has_level).
    pub fn new(graph: &'a Graph, values: Vec<i32>, moves: usize) -> Steps<'a> {
        let mut steps = Steps { graph, values, white: Vec::new(), black: Vec::new() };
        for number in 0..moves {
            let white = sweep(graph, |index| steps.highest(index, number));
            let black = sweep(graph, |index| match steps.values[index as usize] {
                Self::NONE => Self::NONE,
                _ => steps.least(index, &white),
            });
            steps.white.push(white);
            steps.black.push(black);
        }
        steps
    }

    /// The highest value that White can force within `later + 1` moves, given those within `later`.
    fn highest(&self, index: u32, later: usize) -> i32 {
        let moves = self.graph.moves.get(index as usize).iter();
        moves.map(|&next| self.forced_by(next, later)).max().unwrap_or(Self::NONE)
    }

    /// The highest value that White's move to this position forces, with at most `later` more moves.
    fn forced_by(&self, next: u32, later: usize) -> i32 {
        match self.graph.after[next as usize] {
            AfterMove::Mate => MATE,
            _ => self.values[next as usize].max(match later.checked_sub(1) {
                Some(later) => self.black[later][next as usize],
                None => Self::NONE,
            }),
        }
    }

    /// The value after the best reply.
    fn least(&self, index: u32, white: &[i32]) -> i32 {
        let replies = self.graph.replies.get(index as usize).iter();
        replies.map(|&next| white[next as usize]).min().unwrap_or(Self::NONE)
    }

    /// The most moves of a step.
    pub fn moves(&self) -> usize {
        self.black.len()
    }

    /// The value of a position with Black to move.
    pub fn value(&self, index: u32) -> i32 {
        self.values[index as usize]
    }

    /// With Black to move, the highest value that White can force within this many moves, at least one.
    pub fn forced(&self, index: u32, moves: usize) -> i32 {
        self.black[moves - 1][index as usize]
    }

    /// With Black to move, the position in which the value of [`forced`](Steps::forced) is reached if both sides
    /// choose their best; `None` if that is mate, or if nothing can be forced.
    pub fn leaf(&self, index: u32, moves: usize) -> Option<u32> {
        let (mut index, mut later) = (index, moves);
        loop {
            later = later.checked_sub(1)?;
            let replies = self.graph.replies.get(index as usize).iter();
            let &reply = replies.min_by_key(|&&next| self.white[later][next as usize])?;
            let forced = self.white[later][reply as usize];
            if forced == MATE || forced == Self::NONE {
                return None;
            }
            let mut moves = self.graph.moves.get(reply as usize).iter();
            index = *moves.find(|&&next| self.forced_by(next, later) == forced)?;
            if self.values[index as usize] == forced {
                return Some(index);
            }
        }
    }

    /// The lowest value of a higher level than that of `value`, in centipawns.
    pub fn higher_level(value: i32) -> i32 {
        Aim::new(value).least_above()
    }

    /// With Black to move, the values that White can force within one move, two moves and so on.
    pub(super) fn forced_after_replies(&self, index: u32) -> impl Iterator<Item = i32> {
        self.black.iter().map(move |black| black[index as usize])
    }

    /// The positions with Black to move whose level counts.
    pub(super) fn counted(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.values).filter(|&(_, &value)| value != Self::NONE).map(|(index, _)| index)
    }

    /// The number of moves of the shortest step with White to move; none if there is no step.
    fn shortest(&self, index: u32, aim: Aim) -> Option<usize> {
        let number = self.white.iter().position(|white| aim.is_below(white[index as usize]))?;
        Some(number + 1)
    }

    /// The positions after White's moves that begin a step of this many moves.
    fn first_moves(&self, index: u32, aim: Aim, length: usize) -> impl Iterator<Item = u32> {
        let moves = self.graph.moves.get(index as usize).iter().copied();
        moves.filter(move |&next| aim.is_below(self.forced_by(next, length - 1)))
    }

    /// The number of moves within which a higher level is forced after every reply; none if it is not.
    pub fn longest_step(&self, index: u32) -> Option<usize> {
        let aim = Aim::new(self.values[index as usize]);
        let number = self.forced_after_replies(index).position(|forced| aim.is_below(forced))?;
        Some(number + 1)
    }
}

/// Which moves the player takes among those that begin a shortest step. Of equal moves, the worst is assumed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// Those that force the highest value within the moves of the step.
    HighestValue,
    /// Any.
    AnyStep,
}

/// The moves to mate of a player that plays for an aim.
pub(super) struct Outcomes<'a> {
    steps: &'a Steps<'a>,
    choice: Choice,
    /// By index with Black to move, when the level of the position is the aim.
    after: Vec<Outcome>,
    /// The outcomes with White to move and this aim, as far as they are known, and the moves of the next step.
    /// In steps of several moves, a position is reached many times.
    known: HashMap<u32, Option<(Outcome, usize)>>,
    aim: Aim,
}

impl<'a> Outcomes<'a> {
    /// Finds the outcomes level by level, from the highest downwards.
    pub(super) fn new(steps: &'a Steps<'a>, choice: Choice) -> Outcomes<'a> {
        let aim_at = |index: u32| Aim::new(steps.values[index as usize]);
        let mut order: Vec<u32> = steps.counted().collect();
        order.par_sort_by_key(|&index| (Reverse(aim_at(index)), index));
        let after = vec![Outcome::Unknown; steps.values.len()];
        let mut outcomes = Outcomes { steps, choice, after, known: HashMap::new(), aim: Aim::NONE };
        for index in order {
            outcomes.set_aim(aim_at(index));
            outcomes.after[index as usize] = outcomes.after_any_reply(index);
        }
        outcomes.set_aim(Aim::NONE);
        outcomes
    }

    fn set_aim(&mut self, aim: Aim) {
        if aim != self.aim {
            self.known.clear();
            self.aim = aim;
        }
    }

    /// The outcome of every position with White to move, by index, as the first position of a game.
    pub(super) fn of_starts(mut self) -> Vec<Outcome> {
        self.set_aim(Aim::NONE);
        (0..self.after.len() as u32)
            .map(|index| self.from(index).map_or(Outcome::NotMated, |it| it.0))
            .collect()
    }

    /// The outcome after Black's longest defence.
    fn after_any_reply(&mut self, index: u32) -> Outcome {
        let mut worst = 0;
        for &next in self.steps.graph.replies.get(index as usize) {
            match self.from(next).and_then(|(outcome, _)| outcome.moves()) {
                Some(moves) => worst = worst.max(moves),
                None => return Outcome::NotMated,
            }
        }
        Outcome::Mates(worst)
    }

    /// The outcome of a position with White to move, and the number of moves of the next step; none if there
    /// is no step.
    fn from(&mut self, index: u32) -> Option<(Outcome, usize)> {
        if let Some(&known) = self.known.get(&index) {
            return known;
        }
        let length = self.steps.shortest(index, self.aim);
        let found = length.map(|length| (self.after_step(index, length), length));
        self.known.insert(index, found);
        found
    }

    /// The outcome of a position whose shortest step has this many moves.
    fn after_step(&mut self, index: u32, length: usize) -> Outcome {
        let (steps, aim) = (self.steps, self.aim);
        let forced = steps.white[length - 1][index as usize];
        let mut worst = 0;
        let is_mate = |next: u32| steps.graph.after[next as usize] == AfterMove::Mate;
        if steps.first_moves(index, aim, length).any(is_mate) {
            return Outcome::Mates(1);
        }
        for next in steps.first_moves(index, aim, length) {
            if self.choice == Choice::HighestValue && steps.forced_by(next, length - 1) != forced {
                continue;
            }
            let outcome = match aim.is_below(steps.values[next as usize]) {
                true => self.after[next as usize],
                false => self.after_any_reply(next),
            };
            match outcome.moves() {
                Some(moves) => worst = worst.max(moves),
                None => return Outcome::NotMated,
            }
        }
        Outcome::Mates(worst + 1)
    }
}

/// By index with Black to move, whether a position has a level: the bare king neither wins a piece nor is
/// stalemated within its next two replies.
pub fn has_level(graph: &Graph) -> Vec<bool> {
    let holds =
        |index: u32| matches!(graph.after[index as usize], AfterMove::Check | AfterMove::Quiet);
    let mut counts = sweep(graph, holds);
    for _ in 0..REPLIES_SEEN {
        let goes_on =
            |next: &u32| graph.after[*next as usize] == AfterMove::Mate || counts[*next as usize];
        counts = sweep(graph, |index| {
            holds(index)
                && graph
                    .replies
                    .get(index as usize)
                    .iter()
                    .all(|&reply| graph.moves.get(reply as usize).iter().any(goes_on))
        });
    }
    counts
}

/// A value for each index.
fn sweep<T: Send>(graph: &Graph, value: impl Fn(u32) -> T + Sync + Send) -> Vec<T> {
    let indices = (0..graph.entry_count() as u32).into_par_iter();
    indices.with_min_len(CHUNK).map(value).collect()
}

#[cfg(test)]
mod play_tests;
#[cfg(test)]
mod tests;
