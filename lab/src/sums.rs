//! Sums on several threads that do not depend on their number.

use rayon::prelude::*;

/// Items of a sum per task of a thread.
pub(crate) const CHUNK: usize = 1024;

/// The sum of a number of each item, added in the same order with any number of threads.
pub(crate) fn sum_in_order<T: Sync>(items: &[T], number: impl Fn(&T) -> f64 + Sync) -> f64 {
    let parts = items.par_chunks(CHUNK).map(|part| part.iter().map(&number).sum());
    parts.collect::<Vec<f64>>().into_iter().sum()
}
