//! Steps to a higher level, from every position of an ending against a bare king.
//!
//! What a level, a step and a plan are is defined where the engine plays by them, in the module of [`Aim`]. Here the
//! highest values that can be forced within one move, two moves and so on are computed for all positions at once, by
//! retrograde analysis. The plans follow from these values.

use super::graph::{AfterMove, Graph};
use crate::search::{Aim, REPLIES_SEEN};
use rayon::prelude::*;

mod plans;
pub(super) use plans::Plans;

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

    /// The number of moves within which a higher level is forced after every reply; none if it is not.
    pub fn longest_step(&self, index: u32) -> Option<usize> {
        let aim = Aim::new(self.values[index as usize]);
        let number = self.forced_after_replies(index).position(|forced| aim.is_below(forced))?;
        Some(number + 1)
    }
}

/// By index with Black to move, whether a position has a level: the bare king neither wins a piece nor is
/// stalemated within its next two replies.
pub fn has_level(graph: &Graph) -> Vec<bool> {
    let holds = |index: u32| graph.after[index as usize].goes_on();
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
