//! The positions of an ending, and the evaluation as a sum over the trained weights.

use rayon::prelude::*;
use shakmaty::Color;
use tropism::{
    endgame::Table,
    endings::{Graph, Lists, Steps, has_level, position_at},
    eval::{Engine, Score},
};

/// A trained weight, and how often it counts.
type Count = (u16, i16);

/// Positions per task of a thread.
const CHUNK: usize = 1 << 14;

/// The positions with the bare king to move, each with what is trained and what is known of it. A position is
/// named by its index in the table of the ending.
pub(super) struct Model<'a> {
    pub(super) graph: &'a Graph,
    /// The positions that have a level.
    pub(super) counted: Vec<u32>,
    /// By index: the counts of the trained weights.
    counts: Lists<Count>,
    /// By index: the value of all other weights, in centipawns for the strong side.
    rest: Vec<f32>,
    /// The number of trained weights.
    pub(super) weights: usize,
}

impl<'a> Model<'a> {
    /// `trained` are the indices of the trained weights among all weights of the engine.
    pub(super) fn new(
        table: &Table,
        graph: &'a Graph,
        engine: &Engine,
        trained: &[usize],
    ) -> Model<'a> {
        let weights: Vec<Score> = engine.weights().collect();
        let has_level = has_level(graph);
        let record = |index: usize| {
            let position = has_level[index].then(|| position_at(table, Color::Black, index))??;
            let mut counts = vec![0; weights.len()];
            let scale = engine.record(&position, &mut counts);
            Some((counts, scale))
        };
        let counts = Lists::new(graph.entry_count(), |index, list| {
            let Some((counts, _)) = record(index) else { return };
            let own = trained.iter().enumerate().map(|(weight, &at)| (weight, counts[at]));
            let own = own.filter(|&(_, count)| count != 0);
            list.extend(own.map(|(weight, count)| (weight as u16, count as i16)));
        });
        let rest = |index| {
            let (mut counts, scale) = record(index)?;
            trained.iter().for_each(|&at| counts[at] = 0);
            let counted = counts.iter().zip(&weights);
            let balance = counted.fold(Score::ZERO, |sum, (&count, &weight)| sum + weight * count);
            Some(scale.value(balance) as f32)
        };
        let indices = (0..graph.entry_count()).into_par_iter();
        let rest = indices.map(|index| rest(index).unwrap_or_default()).collect();
        let counted = (0..).zip(has_level).filter(|&(_, counts)| counts).map(|(index, _)| index);
        Model { graph, counted: counted.collect(), counts, rest, weights: trained.len() }
    }

    /// The value of a position with a level, in centipawns for the strong side.
    pub(super) fn value(&self, weights: &[f64], index: u32) -> f64 {
        let counts = self.counts.get(index as usize).iter();
        let trained =
            counts.map(|&(weight, count)| weights[usize::from(weight)] * f64::from(count));
        f64::from(self.rest[index as usize]) + trained.sum::<f64>()
    }

    /// The mean value of the positions with a level, in centipawns.
    pub(super) fn mean(&self, weights: &[f64]) -> f64 {
        let sum: f64 = self.counted.iter().map(|&index| self.value(weights, index)).sum();
        sum / self.counted.len() as f64
    }

    /// By index: the value in whole centipawns; [`Steps::NONE`] without a level. The engine rounds otherwise, so
    /// its value may differ by one.
    pub(super) fn values(&self, weights: &[f64]) -> Vec<i32> {
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

    /// The sum of the counts of positions, each times a factor.
    pub(super) fn weighted_counts(&self, positions: &[(u32, f64)]) -> Vec<f64> {
        let sum = |chunk: &[(u32, f64)]| {
            let mut sum = vec![0.0; self.weights];
            for &(index, factor) in chunk {
                for &(weight, count) in self.counts.get(index as usize) {
                    sum[usize::from(weight)] += factor * f64::from(count);
                }
            }
            sum
        };
        let sums: Vec<Vec<f64>> = positions.par_chunks(CHUNK).map(sum).collect();
        // Added in order: the result must not depend on how the threads share the work.
        sums.iter().fold(vec![0.0; self.weights], |mut total, sum| {
            total.iter_mut().zip(sum).for_each(|(total, value)| *total += value);
            total
        })
    }

    /// Which weights can change a step: those whose count is not the same in all positions with a level.
    pub(super) fn varying(&self) -> Vec<bool> {
        let mut positions = 0;
        let mut seen = vec![(0, i16::MAX, i16::MIN); self.weights];
        for counts in self.counted.iter().map(|&index| self.counts.get(index as usize)) {
            positions += usize::from(!counts.is_empty());
            for &(weight, count) in counts {
                let (times, least, most) = &mut seen[usize::from(weight)];
                *times += 1;
                *least = count.min(*least);
                *most = count.max(*most);
            }
        }
        let varies = |(times, least, most)| times > 0 && (times < positions || least < most);
        seen.into_iter().map(varies).collect()
    }

    /// The number of positions in which no higher value can be forced within one move, two moves and so on.
    pub(super) fn without_steps(&self, steps: &Steps) -> Vec<usize> {
        let without = |moves| {
            let counted = self.counted.par_iter();
            counted.filter(|&&index| steps.forced(index, moves) <= steps.value(index)).count()
        };
        (1..=steps.moves()).map(without).collect()
    }

    /// By how much the other weights say that `to` is worth more than `from`, in centipawns.
    pub(super) fn rest_gained(&self, from: u32, to: u32) -> f64 {
        f64::from(self.rest[to as usize] - self.rest[from as usize])
    }

    /// How often each weight counts in `to` more than in `from`, without zeros.
    pub(super) fn difference(&self, from: u32, to: u32) -> Vec<(usize, f64)> {
        let signed = |index: u32, sign: f64| {
            let counts = self.counts.get(index as usize).iter();
            counts.map(move |&(weight, count)| (usize::from(weight), sign * f64::from(count)))
        };
        let mut all: Vec<(usize, f64)> = signed(from, -1.0).chain(signed(to, 1.0)).collect();
        all.sort_by_key(|&(weight, _)| weight);
        let mut sum: Vec<(usize, f64)> = Vec::with_capacity(all.len());
        for (weight, count) in all {
            match sum.last_mut() {
                Some((last, total)) if *last == weight => *total += count,
                _ => sum.push((weight, count)),
            }
        }
        sum.retain(|&(_, count)| count != 0.0);
        sum
    }
}
