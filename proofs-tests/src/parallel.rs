//! Runs jobs on all processors.

use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};

/// A piece of work.
pub(crate) type Job<R> = Box<dyn FnOnce() -> R + Send>;

/// The results of all jobs, in their order, whichever ends first. Tells how many of them are done.
///
/// # Panics
/// A job panics.
pub(crate) fn all<R: Send>(jobs: Vec<Job<R>>, tell: &dyn Fn(usize, usize)) -> Vec<R> {
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
        let start = |done: Sender<(usize, R)>| scope.spawn(|| work(done));
        let handles: Vec<_> = (0..workers.min(count)).map(|_| start(done.clone())).collect();
        drop(done);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn results_are_in_the_order_of_the_jobs() {
        let job = |number: u64| -> Job<u64> {
            Box::new(move || {
                std::thread::yield_now();
                number
            })
        };
        let told = Mutex::new(Vec::new());
        let results = all((0..50).map(job).collect(), &|done, of| told.lock().unwrap().push((done, of)));
        assert_eq!(results, (0..50).collect::<Vec<_>>());
        assert_eq!(told.lock().unwrap().last(), Some(&(50, 50)));
    }

    #[test]
    fn a_panic_is_not_lost() {
        let jobs: Vec<Job<()>> = vec![Box::new(|| ()), Box::new(|| std::panic::panic_any("lost"))];
        assert!(catch_unwind(AssertUnwindSafe(|| all(jobs, &|_, _| ()))).is_err());
    }
}
