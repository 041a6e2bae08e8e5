//! Pairs of games on several threads.

use super::{
    record::Record,
    report::{PairResult, Standing},
};
use crate::{
    opening_book::OpeningBook,
    pairing::{FinishedPair, Pairing, new_tables},
    play::{GameEnd, MATCH_ADJUDICATION, MoveLimit, Player},
    terminal::{print_line, progress_bar, stop_on_ctrl_c},
};
use anyhow::{Context as _, Result};
use std::{
    collections::HashSet,
    sync::{
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};
use tropism::{
    eval::Engine,
    search::{Control, STACK_SIZE},
};

/// Games between two lines about the progress, if the output is no terminal.
const GAMES_PER_LINE: u64 = 100;

/// How often the main thread looks whether the user has stopped the match.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// How the pairs of a match are played.
pub(super) struct Schedule<'a> {
    /// The engines B and A.
    pub(super) engines: [&'a Engine; 2],
    /// Finds balanced random moves when each opening has been played.
    pub(super) referee: &'a Engine,
    pub(super) limit: MoveLimit,
    pub(super) openings: &'a OpeningBook,
    /// The size of a transposition table in MiB.
    pub(super) hash: usize,
    pub(super) is_adjudicated: bool,
    pub(super) seed: u64,
    pub(super) threads: usize,
}

impl Schedule<'_> {
    /// Plays until the match is over or the user stops it. Each finished pair is written to the record at once.
    pub(super) fn play(&self, standing: &mut Standing, record: &mut Record) -> Result<()> {
        if standing.is_over() {
            return Ok(());
        }
        let stopped = stop_on_ctrl_c()?;
        let control = Control::default();
        let pairing = Pairing {
            players: self.engines.map(|engine| Player::new(engine, self.limit)),
            openings: self.openings,
            referee: self.referee,
            adjudication: self.is_adjudicated.then_some(&MATCH_ADJUDICATION),
            seed: self.seed,
            control: &control,
        };
        let bar = progress_bar("{msg}", 0, 0);
        bar.set_message(standing.line());
        let queue = Queue {
            next: AtomicU64::new(standing.counted),
            end: standing.end.pairs,
            known: standing.waiting.keys().copied().collect(),
        };
        let (sender, receiver) = mpsc::channel();
        let played = thread::scope(|scope| {
            let collect = || -> Result<()> {
                for _ in 0..self.threads {
                    let tables = new_tables(self.hash)?;
                    let (sender, pairing, queue) = (sender.clone(), &pairing, &queue);
                    thread::Builder::new()
                        .stack_size(STACK_SIZE)
                        .spawn_scoped(scope, move || {
                            // Ends when the match is stopped, or when nobody wants its games any more.
                            while let Some(number) = queue.take()
                                && let Some(pair) = pairing.play(number, &tables)
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
            control.stop.store(true, Relaxed);
            played
        });
        bar.finish_and_clear();
        played
    }
}

/// The numbers of the pairs that are still to be played.
struct Queue {
    next: AtomicU64,
    /// The first number that is not played.
    end: u64,
    /// Pairs that an earlier run has played.
    known: HashSet<u64>,
}

impl Queue {
    fn take(&self) -> Option<u64> {
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.end {
                return None;
            }
            if !self.known.contains(&number) {
                return Some(number);
            }
        }
    }
}

/// What counts of a pair.
fn result(pair: &FinishedPair) -> PairResult {
    let losers = pair.games.each_ref().map(|game| match game.end {
        GameEnd::Time(loser) => Some(loser),
        _ => None,
    });
    PairResult::new(pair.results(), losers)
}
