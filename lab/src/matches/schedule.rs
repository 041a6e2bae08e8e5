//! Pairs of games on several threads.

use super::{
    record::Record,
    report::{PairResult, Standing},
};
use crate::{
    pairing::{FinishedPair, Pairing},
    play::GameEnd,
    terminal::{print_line, progress_bar, stop_on_ctrl_c},
};
use anyhow::{Context as _, Result};
use std::{
    collections::HashSet,
    sync::{
        Mutex,
        atomic::Ordering::Relaxed,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};
use tropism::search::STACK_SIZE;

/// Games between two lines about the progress, if the output is no terminal.
const GAMES_PER_LINE: u64 = 100;

/// How often the main thread looks whether the user has stopped the match.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Plays pairs on so many threads, each with tables of `hash` MiB, until the match is over or the user stops it. Each
/// finished pair is written to the record at once.
pub(super) fn play(
    pairing: &Pairing,
    threads: usize,
    hash: usize,
    standing: &mut Standing,
    record: &mut Record,
) -> Result<()> {
    if standing.is_over() {
        return Ok(());
    }
    let stopped = stop_on_ctrl_c()?;
    let bar = progress_bar("{msg}", 0, 0);
    bar.set_message(standing.line());
    // An earlier run has played some of them.
    let known: HashSet<u64> = standing.waiting.keys().copied().collect();
    let numbers = (standing.counted..standing.end.pairs).filter(|it| !known.contains(it));
    let numbers = Mutex::new(numbers);
    let (sender, receiver) = mpsc::channel();
    let played = thread::scope(|scope| {
        let collect = || -> Result<()> {
            for _ in 0..threads {
                let mut seats = pairing.seats(hash)?;
                let (sender, numbers) = (sender.clone(), &numbers);
                thread::Builder::new()
                    .stack_size(STACK_SIZE)
                    .spawn_scoped(scope, move || {
                        // Ends when the match is stopped, or when nobody wants its games any more.
                        while let Some(number) = numbers.lock().ok().and_then(|mut it| it.next())
                            && let Some(pair) = pairing.play(number, &mut seats).transpose()
                            && sender.send((number, pair)).is_ok()
                        {}
                    })
                    .context("no thread for the games; choose a smaller --concurrency")?;
            }
            drop(sender);
            while !standing.is_over() && !stopped.load(Relaxed) {
                let (number, pair) = match receiver.recv_timeout(POLL_INTERVAL) {
                    Ok(finished) => finished,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                let pair = pair.context(
                    "the same command continues the match after its last whole pair of games",
                )?;
                record.write(number, &pair)?;
                standing.add(number, result(&pair));
                while standing.count_next() {
                    bar.set_message(standing.line());
                    let is_line_due = standing.games().is_multiple_of(GAMES_PER_LINE);
                    if bar.is_hidden() && is_line_due && !standing.is_over() {
                        print_line(&standing.line());
                    }
                }
            }
            Ok(())
        };
        let played = collect();
        pairing.control.stop.store(true, Relaxed);
        played
    });
    bar.finish_and_clear();
    played
}

/// What counts of a pair.
fn result(pair: &FinishedPair) -> PairResult {
    let losers = pair.games.each_ref().map(|game| match game.end {
        GameEnd::Time(loser) => Some(loser),
        _ => None,
    });
    PairResult::new(pair.results(), losers)
}
