//! Rounding for people: what is shown adds up.

use super::{Score, Trace};

/// The values of a row as they are shown, in centipawns: middlegame, endgame and now.
pub type Columns = [i32; 3];

/// A row of a trace as it is shown.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ShownRow {
    /// White's sum.
    pub white: Columns,
    /// Black's sum.
    pub black: Columns,
    /// White minus Black.
    pub total: Columns,
}

/// Rounds parts of a whole so that the rounded parts add up to it.
///
/// Each part is rounded to the nearest integer. If these do not come to the whole, the parts for which it
/// changes least are rounded to the other side (largest remainder method).
pub fn round_to_sum(parts: &[f64], whole: i32) -> Vec<i32> {
    let mut rounded: Vec<i32> = parts.iter().map(|part| part.round() as i32).collect();
    let missing = whole - rounded.iter().sum::<i32>();
    let sign = f64::from(missing.signum());
    let remainder = |at: usize| (parts[at] - parts[at].round()) * sign;
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|&a, &b| remainder(b).total_cmp(&remainder(a)));
    for &at in order.iter().cycle().take(missing.unsigned_abs() as usize) {
        rounded[at] += missing.signum();
    }
    rounded
}

impl Trace {
    /// The rows as they are shown, and the sum. The sum is rounded towards zero, as the search does it. In
    /// each column the rows add up to it, and in each row White minus Black is the total.
    pub fn shown(&self) -> (Vec<ShownRow>, Columns) {
        let phases = [Score::MAX_PHASE, 0, self.context.phase];
        let sum = phases.map(|phase| self.total.taper(phase));
        let blank = ShownRow { white: [0; 3], black: [0; 3], total: [0; 3] };
        let mut shown = vec![blank; self.rows.len()];
        for (column, phase) in phases.into_iter().enumerate() {
            let exact: Vec<f64> = self.rows.iter().map(|it| it.total().centipawns(phase)).collect();
            let totals = round_to_sum(&exact, sum[column]);
            for ((row, shown), total) in self.rows.iter().zip(&mut shown).zip(totals) {
                let sides = [row.white, -row.black].map(|score| score.centipawns(phase));
                let [white, black] = round_to_sum(&sides, total)[..] else { continue };
                shown.white[column] = white;
                shown.black[column] = -black;
                shown.total[column] = total;
            }
        }
        (shown, sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_parts_with_the_largest_remainders_are_changed() {
        assert_eq!(round_to_sum(&[1.4, 1.3, 0.3], 3), [2, 1, 0]);
        assert_eq!(round_to_sum(&[-1.4, -1.3, -0.3], -3), [-2, -1, 0]);
        assert_eq!(round_to_sum(&[0.6, 0.7, -2.0], 0), [1, 1, -2]);
        assert_eq!(round_to_sum(&[], 0), [0; 0]);
    }

    proptest! {
        #[test]
        fn rounded_parts_add_up_and_are_near(
            parts in prop::collection::vec(-1000.0..1000.0, 1..20),
        ) {
            let whole = parts.iter().sum::<f64>().trunc() as i32;
            let rounded = round_to_sum(&parts, whole);
            prop_assert_eq!(rounded.iter().sum::<i32>(), whole);
            for (part, rounded) in parts.iter().zip(rounded) {
                prop_assert!((part - f64::from(rounded)).abs() < 1.0 + 1e-9);
            }
        }
    }
}
