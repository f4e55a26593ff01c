//! Jobs on all cores.

use base::parallel::{Job, all};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

#[test]
fn results_are_in_the_order_of_the_jobs() {
    let job = |number: u64| -> Job<'_, u64> {
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
    let jobs: Vec<Job<'_, ()>> = vec![Box::new(|| ()), Box::new(|| std::panic::panic_any("lost"))];
    assert!(catch_unwind(AssertUnwindSafe(|| all(jobs, &|_, _| ()))).is_err());
}
