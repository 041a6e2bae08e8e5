//! A full-width search of all positions of an ending at once.

use super::features::Features;
use rayon::prelude::*;
use shakmaty::Color;
use tropism::endings::{AfterMove, Graph};

/// The value of a mate, less one for each move to it. Static evaluations stay far below.
const MATE: f32 = 1e6;
const NEARLY_MATE: f32 = 0.9 * MATE;

/// The value of a stalemate, and of losing a piece to the bare king.
const DRAW: f32 = 0.0;

/// Positions per task of a thread.
const CHUNK: usize = 1 << 12;

/// The values that a search of some plies gives to all positions, in units, for White.
///
/// As in the engine's search, a check at the last ply is answered before the static evaluation.
pub(super) struct FullWidthSearch<'a> {
    graph: &'a Graph,
    features: &'a Features,
    weights: Vec<f32>,
    plies: u32,
    /// Values with Black to move, the leaves first, then two plies higher each. Empty if leaves are
    /// evaluated only when they are needed.
    black: Vec<Vec<f32>>,
    /// Values with White to move, one ply above those.
    white: Vec<Vec<f32>>,
}

/// The leaf that decides a search: the side to move, and its index.
pub(super) type Leaf = (Color, u32);

impl<'a> FullWidthSearch<'a> {
    /// Searches all positions. `leaves` are the positions with Black to move that are evaluated.
    pub(super) fn new(
        graph: &'a Graph,
        features: &'a Features,
        weights: Vec<f32>,
        plies: u32,
        leaves: &[u32],
    ) -> FullWidthSearch<'a> {
        let mut search = FullWidthSearch::lazy(graph, features, weights, plies);
        let evaluated: Vec<f32> =
            leaves.par_iter().with_min_len(CHUNK).map(|&index| search.leaf_value(index)).collect();
        let mut values = vec![0.0; graph.entry_count()];
        for (&index, value) in leaves.iter().zip(evaluated) {
            values[index as usize] = value;
        }
        search.black = vec![values];
        for level in 0..(plies as usize - 1) / 2 {
            let white = search.sweep(|index| search.best(&search.black[level], index));
            let black = search.sweep(|index| match graph.after[index as usize] {
                AfterMove::Check | AfterMove::Quiet => {
                    search.least(index, |next| white[next as usize])
                }
                ended => ended_value(ended),
            });
            search.white.push(white);
            search.black.push(black);
        }
        search
    }

    /// A search of one or two plies that evaluates a leaf when it is needed, for a few positions.
    pub(super) fn lazy(
        graph: &'a Graph,
        features: &'a Features,
        weights: Vec<f32>,
        plies: u32,
    ) -> FullWidthSearch<'a> {
        FullWidthSearch { graph, features, weights, plies, black: Vec::new(), white: Vec::new() }
    }

    fn sweep(&self, value: impl Fn(u32) -> f32 + Sync + Send) -> Vec<f32> {
        let indices = (0..self.graph.entry_count() as u32).into_par_iter();
        indices.with_min_len(CHUNK).map(value).collect()
    }

    fn evaluate(&self, turn: Color, index: u32) -> f32 {
        self.features.value(&self.weights, turn, index)
    }

    /// The value of a leaf with Black to move.
    fn leaf_value(&self, index: u32) -> f32 {
        match self.graph.after[index as usize] {
            AfterMove::Quiet if !self.ends_with_reply() => self.evaluate(Color::Black, index),
            AfterMove::Check | AfterMove::Quiet => {
                self.least(index, |next| self.evaluate(Color::White, next))
            }
            ended => ended_value(ended),
        }
    }

    /// Whether the last ply is a move of Black.
    fn ends_with_reply(&self) -> bool {
        self.plies.is_multiple_of(2)
    }

    fn least(&self, index: u32, value: impl Fn(u32) -> f32) -> f32 {
        let replies = self.graph.replies.get(index as usize).iter();
        replies.map(|&next| value(next)).fold(f32::MAX, f32::min)
    }

    fn best(&self, values: &[f32], index: u32) -> f32 {
        let moves = self.graph.moves.get(index as usize).iter();
        let best = moves.map(|&next| values[next as usize]).fold(-MATE, f32::max);
        if is_mate(best) { best - 1.0 } else { best }
    }

    /// The value of a move that leads to this position with Black to move.
    pub(super) fn value(&self, index: u32) -> f32 {
        match self.black.last() {
            Some(root) => root[index as usize],
            None => self.leaf_value(index),
        }
    }

    /// By index, where the move leads that the search chooses in each of these positions. Of equal moves
    /// it is the one with the highest `cost`.
    pub(super) fn choices(
        &self,
        positions: &[u32],
        cost: impl Fn(u32) -> f32 + Sync,
    ) -> Vec<Option<u32>> {
        let mut choices = vec![None; self.graph.entry_count()];
        let chosen: Vec<Option<u32>> = positions
            .par_iter()
            .with_min_len(CHUNK)
            .map(|&index| {
                let moves = self.graph.moves.get(index as usize).iter().copied();
                moves.max_by(|&a, &b| {
                    let values = self.value(a).total_cmp(&self.value(b));
                    values.then_with(|| cost(a).total_cmp(&cost(b)))
                })
            })
            .collect();
        for (&index, chosen) in positions.iter().zip(chosen) {
            choices[index as usize] = chosen;
        }
        choices
    }

    fn best_move(&self, index: u32, values: &[f32]) -> Option<u32> {
        let moves = self.graph.moves.get(index as usize).iter().copied();
        moves.max_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]))
    }

    /// The leaf at the end of the principal variation after a move; none if that is a mate or a draw.
    pub(super) fn leaf(&self, after: u32) -> Option<Leaf> {
        let mut index = after;
        let mut level = self.white.len();
        loop {
            let state = self.graph.after[index as usize];
            if !matches!(state, AfterMove::Check | AfterMove::Quiet) {
                return None;
            }
            if level == 0 && state == AfterMove::Quiet && !self.ends_with_reply() {
                return Some((Color::Black, index));
            }
            let value = |next: &u32| match level {
                0 => self.evaluate(Color::White, *next),
                _ => self.white[level - 1][*next as usize],
            };
            let replies = self.graph.replies.get(index as usize).iter();
            let reply = *replies.min_by(|a, b| value(a).total_cmp(&value(b)))?;
            if level == 0 {
                return Some((Color::White, reply));
            }
            level -= 1;
            index = self.best_move(reply, &self.black[level])?;
        }
    }
}

fn ended_value(after: AfterMove) -> f32 {
    match after {
        AfterMove::Mate => MATE,
        _ => DRAW,
    }
}

pub(super) fn is_mate(value: f32) -> bool {
    value > NEARLY_MATE
}
