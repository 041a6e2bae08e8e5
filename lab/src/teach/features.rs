//! What the terms see in the positions of an ending.

use rayon::prelude::*;
use shakmaty::{ByColor, Color};
use tropism::endings::{Lists, position_at};
use tropism::{
    endgame::Table,
    eval::{Engine, Score},
    search::MAX_EVALUATION,
};

/// One of the weights that are learnt, and how often it counts.
type Count = (u16, i16);

/// By place and side to move: the counts of the weights that are learnt, and the value of all others.
pub(super) struct Features {
    counts: ByColor<Lists<Count>>,
    rest: ByColor<Vec<f32>>,
    /// How many weights are learnt.
    taught: usize,
    /// No evaluation is larger, in units.
    most: f32,
}

impl Features {
    /// `taught` are the places of the weights that are learnt among all of the engine; values are divided by
    /// `unit`, in centipawns.
    pub(super) fn new(table: &Table, engine: &Engine, taught: &[usize], unit: f32) -> Features {
        let weights: Vec<Score> = engine.weights().collect();
        let record = |turn, place| {
            let mut counts = vec![0; weights.len()];
            let position = position_at(table, turn, place)?;
            let prospects = engine.record(&position, &mut counts);
            Some((counts, prospects))
        };
        let counts = ByColor::new_with(|turn| {
            Lists::new(table.entry_count(), |place, list| {
                let Some((counts, _)) = record(turn, place) else { return };
                let seen = taught.iter().enumerate().map(|(weight, &at)| (weight, counts[at]));
                let seen = seen.filter(|&(_, count)| count != 0);
                list.extend(seen.map(|(weight, count)| (weight as u16, count as i16)));
            })
        });
        let rest = ByColor::new_with(|turn| {
            let value = |place| {
                let (mut counts, prospects) = record(turn, place)?;
                taught.iter().for_each(|&at| counts[at] = 0);
                let counted = counts.iter().zip(&weights);
                let balance =
                    counted.fold(Score::ZERO, |sum, (&count, &weight)| sum + weight * count);
                Some(prospects.value(balance) as f32 / unit)
            };
            let places = (0..table.entry_count()).into_par_iter();
            places.map(|place| value(place).unwrap_or_default()).collect()
        });
        Features { counts, rest, taught: taught.len(), most: MAX_EVALUATION as f32 / unit }
    }

    /// Which of the weights that are learnt count more in some of the positions where anything counts than in
    /// others. There is nothing to learn for the others.
    pub(super) fn telling(&self) -> Vec<bool> {
        let mut positions = 0;
        let mut seen = vec![(0, i16::MAX, i16::MIN); self.taught];
        for (lists, rest) in self.counts.iter().zip(self.rest.iter()) {
            for counts in (0..rest.len()).map(|place| lists.get(place)) {
                positions += usize::from(!counts.is_empty());
                for &(weight, count) in counts {
                    let (times, least, most) = &mut seen[usize::from(weight)];
                    *times += 1;
                    *least = count.min(*least);
                    *most = count.max(*most);
                }
            }
        }
        let tells = |(times, least, most)| times > 0 && (times < positions || least < most);
        seen.into_iter().map(tells).collect()
    }

    /// The counts at a place.
    #[inline]
    pub(super) fn counts(&self, turn: Color, place: u32) -> &[Count] {
        self.counts.get(turn).get(place as usize)
    }

    /// The value of a position for White.
    #[inline]
    pub(super) fn value(&self, weights: &[f32], turn: Color, place: u32) -> f32 {
        let counted = self.counts(turn, place).iter();
        let taught: f32 =
            counted.map(|&(weight, count)| weights[usize::from(weight)] * f32::from(count)).sum();
        (self.rest.get(turn)[place as usize] + taught).clamp(-self.most, self.most)
    }
}
