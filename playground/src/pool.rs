//! Threads for what takes much memory. They are kept: new threads would leave gaps in the memory.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};
use tropism::search::STACK_SIZE;

/// What a thread does.
type Task = Box<dyn FnOnce() + Send>;

/// Some threads, each with a stack for the deepest line of a search. They end with the pool.
pub(crate) struct Pool(Sender<Task>);

impl Pool {
    pub(crate) fn new(threads: usize) -> io::Result<Pool> {
        let (sender, receiver) = channel::<Task>();
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..threads {
            let receiver = Arc::clone(&receiver);
            let thread = thread::Builder::new().name("pool".to_owned()).stack_size(STACK_SIZE);
            thread.spawn(move || work(&receiver))?;
        }
        Ok(Pool(sender))
    }

    /// Runs a task as soon as a thread is free. Returns whether there are threads.
    pub(crate) fn run(&self, task: impl FnOnce() + Send + 'static) -> bool {
        self.0.send(Box::new(task)).is_ok()
    }
}

fn work(tasks: &Mutex<Receiver<Task>>) {
    loop {
        // No task runs while the list is locked, so it is never left half changed.
        let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(task) = task else { return };
        // A search that crashes ends its own answer only. The message is already on standard error.
        catch_unwind(AssertUnwindSafe(task)).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_outlive_a_task_that_crashes() {
        let pool = Pool::new(4).unwrap();
        let (sender, receiver) = channel();
        for number in 0..16 {
            let sender = sender.clone();
            assert!(pool.run(move || {
                assert!(number % 2 == 0, "a task that crashes");
                sender.send(number).unwrap();
            }));
        }
        drop(sender);
        assert_eq!(receiver.iter().count(), 8);
    }
}
