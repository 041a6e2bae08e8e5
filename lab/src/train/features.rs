//! The features of the positions of an ending: how often each trained weight counts.

use rayon::prelude::*;
use shakmaty::{ByColor, Color};
use tropism::endings::{Lists, position_at};
use tropism::{
    endgame::Table,
    eval::{Engine, Score},
    search::MAX_EVALUATION,
};

/// A trained weight, and how often it counts.
type Count = (u16, i16);

/// By side to move and index of the position: the counts of the trained weights, and the value of all
/// other weights.
pub(super) struct Features {
    counts: ByColor<Lists<Count>>,
    rest: ByColor<Vec<f32>>,
    /// The number of trained weights.
    trained: usize,
    /// The bound of every evaluation, in units.
    bound: f32,
}

impl Features {
    /// `trained` are the indices of the trained weights among all weights of the engine. Values are in
    /// units of `unit` centipawns.
    pub(super) fn new(table: &Table, engine: &Engine, trained: &[usize], unit: f64) -> Features {
        let weights: Vec<Score> = engine.weights().collect();
        let record = |turn, index| {
            let mut counts = vec![0; weights.len()];
            let position = position_at(table, turn, index)?;
            let scale = engine.record(&position, &mut counts);
            Some((counts, scale))
        };
        let counts = ByColor::new_with(|turn| {
            Lists::new(table.entry_count(), |index, list| {
                let Some((counts, _)) = record(turn, index) else { return };
                let own = trained.iter().enumerate().map(|(weight, &at)| (weight, counts[at]));
                let own = own.filter(|&(_, count)| count != 0);
                list.extend(own.map(|(weight, count)| (weight as u16, count as i16)));
            })
        });
        let rest = ByColor::new_with(|turn| {
            let value = |index| {
                let (mut counts, scale) = record(turn, index)?;
                trained.iter().for_each(|&at| counts[at] = 0);
                let counted = counts.iter().zip(&weights);
                let balance =
                    counted.fold(Score::ZERO, |sum, (&count, &weight)| sum + weight * count);
                Some((f64::from(scale.value(balance)) / unit) as f32)
            };
            let indices = (0..table.entry_count()).into_par_iter();
            indices.map(|index| value(index).unwrap_or_default()).collect()
        });
        let bound = (f64::from(MAX_EVALUATION) / unit) as f32;
        Features { counts, rest, trained: trained.len(), bound }
    }

    /// Which trained weights can change a choice: those whose count is not the same in all positions
    /// where any trained weight counts. The gradient of the others is noise.
    pub(super) fn informative(&self) -> Vec<bool> {
        let mut positions = 0;
        let mut seen = vec![(0, i16::MAX, i16::MIN); self.trained];
        for (lists, rest) in self.counts.iter().zip(self.rest.iter()) {
            for counts in (0..rest.len()).map(|index| lists.get(index)) {
                positions += usize::from(!counts.is_empty());
                for &(weight, count) in counts {
                    let (times, least, most) = &mut seen[usize::from(weight)];
                    *times += 1;
                    *least = count.min(*least);
                    *most = count.max(*most);
                }
            }
        }
        let varies = |(times, least, most)| times > 0 && (times < positions || least < most);
        seen.into_iter().map(varies).collect()
    }

    /// The counts of a position.
    #[inline]
    pub(super) fn counts(&self, turn: Color, index: u32) -> &[Count] {
        self.counts.get(turn).get(index as usize)
    }

    /// The static evaluation of a position for White, in units.
    #[inline]
    pub(super) fn value(&self, weights: &[f32], turn: Color, index: u32) -> f32 {
        let counted = self.counts(turn, index).iter();
        let trained: f32 =
            counted.map(|&(weight, count)| weights[usize::from(weight)] * f32::from(count)).sum();
        (self.rest.get(turn)[index as usize] + trained).clamp(-self.bound, self.bound)
    }
}
