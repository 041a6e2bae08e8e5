//! Work on several threads whose results are taken in order, so that they do not depend on the number of threads.

use anyhow::{Context as _, Result};
use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
        mpsc,
    },
    thread,
};
use tropism::search::STACK_SIZE;

/// Runs each worker on a thread of its own for the numbers from `first`, and takes the results in the order of the
/// numbers, until no worker has a result any more, `take` returns false or something fails; then `stop` is set.
///
/// # Errors
///
/// If a worker or `take` fails, or no thread can be started. What is finished before the first gap is taken even then.
pub fn in_order<T: Send>(
    workers: Vec<impl FnMut(u64) -> Option<Result<T>> + Send>,
    first: u64,
    stop: &AtomicBool,
    mut take: impl FnMut(T) -> Result<bool>,
) -> Result<()> {
    let next = AtomicU64::new(first);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        let take_all = || {
            for mut worker in workers {
                let (sender, next) = (sender.clone(), &next);
                let work = move || {
                    while !stop.load(Relaxed) {
                        let number = next.fetch_add(1, Relaxed);
                        let Some(result) = worker(number) else { break };
                        if result.is_err() {
                            stop.store(true, Relaxed);
                        }
                        if sender.send((number, result)).is_err() {
                            break;
                        }
                    }
                };
                let thread = thread::Builder::new().stack_size(STACK_SIZE);
                thread.spawn_scoped(scope, work).context("no thread; run fewer at a time")?;
            }
            drop(sender);
            // Results that wait for one with a lower number.
            let mut waiting = BTreeMap::new();
            let (mut number, mut failure) = (first, Ok(()));
            for (of, result) in &receiver {
                match result {
                    Ok(result) => _ = waiting.insert(of, result),
                    Err(error) => failure = failure.and(Err(error)),
                }
                while let Some(result) = waiting.remove(&number) {
                    number += 1;
                    if !take(result)? {
                        return Ok(());
                    }
                }
            }
            failure
        };
        let taken = take_all();
        stop.store(true, Relaxed);
        taken
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is taken of ten numbers, of which `bad` is an error, until `last`.
    fn taken(threads: usize, bad: u64, last: u64) -> (Vec<u64>, Result<()>) {
        let worker = |number| match number {
            10.. => None,
            _ if number == bad => Some(Err(anyhow::anyhow!("bad"))),
            _ => Some(Ok(number)),
        };
        let mut numbers = Vec::new();
        let stop = AtomicBool::new(false);
        let result = in_order(vec![worker; threads], 2, &stop, |number| {
            numbers.push(number);
            Ok(number < last)
        });
        assert!(stop.into_inner());
        (numbers, result)
    }

    #[test]
    fn results_come_in_order_until_enough_or_the_first_gap() {
        for threads in [1, 4] {
            let (all, result) = taken(threads, 99, 99);
            assert!(all == Vec::from_iter(2..10) && result.is_ok(), "{all:?}");
            let (some, result) = taken(threads, 99, 5);
            assert!(some == [2, 3, 4, 5] && result.is_ok(), "{some:?}");
            let (some, result) = taken(threads, 4, 99);
            assert!(some == [2, 3] && result.is_err(), "{some:?}");
        }
    }
}
