//! The logistic curve between centipawns and expected points, and sums of losses.

use rayon::prelude::*;

/// Items of a sum per task of a thread.
pub(crate) const CHUNK: usize = 1024;

/// The expected points of a side with this value, where `scale` centipawns are odds of ten to one.
#[inline]
pub(crate) fn expected(value: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-std::f64::consts::LN_10 * value / scale).exp())
}

/// The scale of the least loss, in centipawns for odds of ten to one: a golden-section search.
pub(crate) fn best_scale(loss: impl Fn(f64) -> f64) -> f64 {
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (50.0, 2000.0);
    let inner = |low: f64, high: f64| [high - ratio * (high - low), low + ratio * (high - low)];
    let [mut left, mut right] = inner(low, high).map(|scale| (scale, loss(scale)));
    while high - low > 1.0 {
        // One of the two inner points is also an inner point of the smaller interval.
        if left.1 < right.1 {
            (high, right) = (right.0, left);
            let [scale, _] = inner(low, high);
            left = (scale, loss(scale));
        } else {
            (low, left) = (left.0, right);
            let [_, scale] = inner(low, high);
            right = (scale, loss(scale));
        }
    }
    (low + high) / 2.0
}

/// The sum of a number of each item, added in the same order with any number of threads.
pub(crate) fn sum_in_order<T: Sync>(items: &[T], number: impl Fn(&T) -> f64 + Sync) -> f64 {
    let parts = items.par_chunks(CHUNK).map(|part| part.iter().map(&number).sum());
    parts.collect::<Vec<f64>>().into_iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_one_scale_has_odds_of_ten_to_one() {
        assert!((expected(300.0, 300.0) - 10.0 / 11.0).abs() < 1e-12);
        assert!((expected(-300.0, 300.0) - 1.0 / 11.0).abs() < 1e-12);
        assert_eq!(expected(0.0, 300.0), 0.5);
    }

    #[test]
    fn the_scale_of_a_curve_is_found() {
        let loss = |scale: f64| {
            let error = |value: f64| expected(value, scale) - expected(value, 431.0);
            (-20..=20).map(|step| error(f64::from(40 * step)).powi(2)).sum::<f64>()
        };
        assert!((best_scale(loss) - 431.0).abs() <= 1.0);
    }
}
