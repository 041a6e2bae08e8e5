//! The positions of an ending, and the evaluation as a sum over the trained weights.

use ndarray::{Array1, Array2};
use rayon::prelude::*;
use shakmaty::Color;
use std::cmp::Reverse;
use tropism::{
    endgame::Table,
    endings::{AfterMove, Graph, Lists, Steps, position_at},
    eval::{Engine, Score},
};

/// A trained weight, and how often it counts.
pub(super) type Count = (u16, i16);

/// Positions per task of a thread.
const CHUNK: usize = 1 << 14;

/// The positions with the bare king to move, each with what is trained and what is known of it. A position is
/// named by its index in the table of the ending.
pub(super) struct Model<'a> {
    pub(super) graph: &'a Graph,
    /// The positions that are measured.
    pub(super) measured: Vec<u32>,
    /// Those of them that are won.
    pub(super) counted: Vec<u32>,
    /// The trained weights by their number among all weights of the engine: those of the terms that do not count
    /// the same in all positions.
    pub(super) trained: Vec<usize>,
    /// By index: the counts of the trained weights.
    counts: Lists<Count>,
    /// By index: the value of all other weights, in centipawns for the strong side.
    rest: Vec<f32>,
}

impl<'a> Model<'a> {
    /// `wanted` are the numbers of the weights to train among all weights of the engine. `is_measured` says by index
    /// which positions are measured.
    pub(super) fn new(
        table: &Table,
        graph: &'a Graph,
        engine: &Engine,
        wanted: &[usize],
        is_measured: &[bool],
    ) -> Model<'a> {
        let weights: Vec<Score> = engine.weights().collect();
        let record = |index: usize| {
            let position =
                is_measured[index].then(|| position_at(table, Color::Black, index))??;
            let mut counts = vec![0; weights.len()];
            let scale = engine.record(&position, &mut counts);
            Some((counts, scale))
        };
        let counts = Lists::new(graph.entry_count(), |index, list| {
            let Some((counts, _)) = record(index) else { return };
            let own = wanted.iter().enumerate().map(|(weight, &at)| (weight, counts[at]));
            let own = own.filter(|&(_, count)| count != 0);
            list.extend(own.map(|(weight, count)| (weight as u16, count as i16)));
        });
        let measured: Vec<u32> = (0..)
            .zip(is_measured)
            .filter(|&(_, is_measured)| *is_measured)
            .map(|(index, _)| index)
            .collect();
        let is_won = |&index: &u32| graph.moves_to_mate_after(index).is_some();
        let counted: Vec<u32> = measured.iter().copied().filter(is_won).collect();
        let varying = varying(&counts, &counted, wanted.len());
        let mut numbers = vec![None; wanted.len()];
        for (number, &weight) in varying.iter().enumerate() {
            numbers[usize::from(weight)] = Some(number as u16);
        }
        let counts = Lists::new(graph.entry_count(), |index, list| {
            let counts = counts.get(index).iter();
            list.extend(
                counts.filter_map(|&(weight, count)| Some((numbers[usize::from(weight)]?, count))),
            );
        });
        let trained: Vec<usize> =
            varying.iter().map(|&weight| wanted[usize::from(weight)]).collect();
        let rest = |index| {
            let (mut counts, scale) = record(index)?;
            trained.iter().for_each(|&at| counts[at] = 0);
            let counted = counts.iter().zip(&weights);
            let balance = counted.fold(Score::ZERO, |sum, (&count, &weight)| sum + weight * count);
            Some(scale.value(balance) as f32)
        };
        let indices = (0..graph.entry_count()).into_par_iter();
        let rest = indices.map(|index| rest(index).unwrap_or_default()).collect();
        Model { graph, measured, counted, trained, counts, rest }
    }

    /// The counts of a measured position.
    pub(super) fn counts(&self, index: u32) -> &[Count] {
        self.counts.get(index as usize)
    }

    /// The value of all other weights in a measured position, in centipawns for the strong side.
    pub(super) fn rest(&self, index: u32) -> f64 {
        f64::from(self.rest[index as usize])
    }

    /// The value of a measured position, in centipawns for the strong side.
    pub(super) fn value(&self, weights: &Array1<f64>, index: u32) -> f64 {
        self.rest(index) + self.trained_value(weights, index)
    }

    /// The share of the trained weights in this value.
    pub(super) fn trained_value(&self, weights: &Array1<f64>, index: u32) -> f64 {
        let counts = self.counts(index).iter();
        counts.map(|&(weight, count)| weights[usize::from(weight)] * f64::from(count)).sum()
    }

    /// The mean value of all other weights, in centipawns.
    pub(super) fn mean_rest(&self) -> f64 {
        let sum: f64 = self.counted.iter().map(|&index| self.rest(index)).sum();
        sum / self.counted.len() as f64
    }

    /// By index: the value in whole centipawns; [`Steps::NONE`] without a level. The engine rounds otherwise, so
    /// its value may differ by one.
    pub(super) fn values(&self, weights: &Array1<f64>) -> Vec<i32> {
        let mut values = vec![Steps::NONE; self.graph.entry_count()];
        let counted: Vec<i32> = self
            .counted
            .par_iter()
            .with_min_len(CHUNK)
            .map(|&index| self.value(weights, index).round() as i32)
            .collect();
        for (&index, value) in self.counted.iter().zip(counted) {
            values[index as usize] = value;
        }
        values
    }

    /// The sums over all won positions, each times its importance: of the products of each two counts, and of
    /// each count times a target of the position.
    pub(super) fn products(&self, target: impl Fn(u32) -> f64) -> (Array2<f64>, Array1<f64>) {
        let weights = self.trained.len();
        let mut pairs = Array2::<f64>::zeros((weights, weights));
        let mut targets = Array1::<f64>::zeros(weights);
        let visits = visits(self.graph);
        for &index in &self.counted {
            let (counts, target) = (self.counts(index), target(index));
            let importance = 1.0 + VISITED * visits[index as usize].sqrt();
            for &(a, one) in counts {
                let one = importance * f64::from(one);
                targets[usize::from(a)] += one * target;
                for &(b, other) in counts {
                    pairs[[usize::from(a), usize::from(b)]] += one * f64::from(other);
                }
            }
        }
        (pairs, targets)
    }
}

/// How much more important a position is that perfect play visits once. The importance grows with the root of the
/// visits.
const VISITED: f64 = 0.5;

/// By index with the bare king to move: how often perfect play from each won position visits the position, and how
/// often it could have, with a random move instead.
fn visits(graph: &Graph) -> Vec<f64> {
    let indices = (0..graph.entry_count() as u32).into_par_iter();
    let after: Vec<Option<u8>> = indices
        .map(|index| match graph.after[index as usize] {
            AfterMove::Mate => Some(0),
            _ => graph.moves_to_mate_after(index),
        })
        .collect();
    let mut order = graph.won.clone();
    order.sort_by_key(|&index| (Reverse(graph.plies[index as usize]), index));
    // By index with White to move.
    let mut reached = vec![1.0; graph.entry_count()];
    let mut visits = vec![0.0; graph.entry_count()];
    for index in order {
        let reached_here: f64 = reached[index as usize];
        let moves = graph.moves.get(index as usize);
        for &next in moves {
            visits[next as usize] += reached_here / moves.len() as f64;
        }
        let least = moves.iter().filter_map(|&next| after[next as usize]).min();
        let best = moves.iter().copied().filter(|&next| after[next as usize] == least);
        let best: Vec<u32> = best.filter(|_| least.is_some()).collect();
        for &next in &best {
            let share = reached_here / best.len() as f64;
            visits[next as usize] += share;
            let plies = |reply: u32| graph.plies[reply as usize];
            let replies = graph.replies.get(next as usize).iter().copied();
            let most = replies.clone().filter_map(plies).max();
            let longest: Vec<u32> = replies.filter(|&reply| plies(reply) == most).collect();
            for &reply in &longest {
                reached[reply as usize] += share / longest.len() as f64;
            }
        }
    }
    visits
}

/// The weights that can change a step: those whose count is not the same in all these positions.
fn varying(counts: &Lists<Count>, positions: &[u32], weights: usize) -> Vec<u16> {
    let mut seen = vec![(0, i16::MAX, i16::MIN); weights];
    for counts in positions.iter().map(|&index| counts.get(index as usize)) {
        for &(weight, count) in counts {
            let (times, least, most) = &mut seen[usize::from(weight)];
            *times += 1;
            *least = count.min(*least);
            *most = count.max(*most);
        }
    }
    let varies = |(times, least, most)| times > 0 && (times < positions.len() || least < most);
    (0..).zip(seen).filter(|&(_, seen)| varies(seen)).map(|(weight, _)| weight).collect()
}
