//! A thread that runs one task after another.

use crate::search::STACK_SIZE;
use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc::{self, Receiver, Sender},
    thread::{self, JoinHandle},
};

type Task = Box<dyn FnOnce() + Send>;

/// A thread for the tasks of a session. It lives as long as the session: on a busy machine a new thread waits for its
/// turn much longer than one that wakes up, and the clock of a game runs meanwhile.
pub struct Worker {
    tasks: Sender<Task>,
    /// Whether a task came to its end, or panicked.
    ends: Receiver<bool>,
    thread: JoinHandle<()>,
}

impl Worker {
    pub fn start() -> io::Result<Worker> {
        let (tasks, waiting) = mpsc::channel::<Task>();
        let (ended, ends) = mpsc::channel();
        let run = move || {
            for task in waiting {
                let is_whole = catch_unwind(AssertUnwindSafe(task)).is_ok();
                if ended.send(is_whole).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("search".to_owned());
        Ok(Worker { tasks, ends, thread: thread.stack_size(STACK_SIZE).spawn(run)? })
    }

    /// Starts a task. The one before must have been waited for.
    pub fn run(&self, task: impl FnOnce() + Send + 'static) {
        // The thread ends only when this sender does.
        let _ = self.tasks.send(Box::new(task));
    }

    /// Waits until the task has ended. Returns whether it did so without a panic.
    pub fn wait(&self) -> bool {
        self.ends.recv().unwrap_or(false)
    }

    /// Wakes a task that is parked.
    pub fn unpark(&self) {
        self.thread.thread().unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    };

    #[test]
    fn tasks_run_one_after_another_and_a_panic_ends_only_its_own() {
        let worker = Worker::start().unwrap();
        let count = Arc::new(AtomicU32::new(0));
        for number in 0..4 {
            let its_count = Arc::clone(&count);
            worker.run(move || {
                its_count.fetch_add(1, Relaxed);
                assert!(number != 2, "a task that panics");
            });
            assert_eq!(worker.wait(), number != 2);
            assert_eq!(count.load(Relaxed), number + 1);
        }
    }
}
