//! Runs jobs on all processors.

use crate::stack::STACK_BYTES;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;

/// A piece of work.
pub type Job<'a, R> = Box<dyn FnOnce() -> R + Send + 'a>;

/// The results of all jobs, in their order, whichever ends first. Each runs on a large stack. Tells how many of
/// them are done.
///
/// # Panics
/// A job panics.
pub fn all<R: Send>(jobs: Vec<Job<'_, R>>, tell: &dyn Fn(usize, usize)) -> Vec<R> {
    let (count, workers) = (jobs.len(), std::thread::available_parallelism().map_or(1, usize::from));
    let left = Mutex::new(jobs.into_iter().enumerate());
    let next = || left.lock().ok()?.next();
    let work = |done: Sender<(usize, R)>| {
        while let Some((number, job)) = next() {
            done.send((number, job())).ok();
        }
    };
    std::thread::scope(|scope| {
        let (done, results) = channel();
        let start = |done: Sender<(usize, R)>| {
            let thread = Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, || work(done)).ok()
        };
        let handles: Vec<_> = (0..workers.min(count)).filter_map(|_| start(done.clone())).collect();
        // If no thread can be started, this one works.
        if handles.is_empty() {
            work(done);
        } else {
            drop(done);
        }
        let mut all: Vec<(usize, R)> = Vec::with_capacity(count);
        for result in results {
            all.push(result);
            tell(all.len(), count);
        }
        handles.into_iter().for_each(|handle| handle.join().unwrap_or_else(|panic| resume_unwind(panic)));
        all.sort_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, result)| result).collect()
    })
}
