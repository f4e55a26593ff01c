//! Nothing leaks: resident memory stays constant over a great many calls of an engine, some of which fail or run
//! out of budget. The test runs again in a process of its own, where no other test changes the memory use.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use CallOutcome::{Answer, AnswerOrOutOfBudget, Failure};
use polyhedra::{AffineMap, Engine, EngineError, IndexRelation, IndexSet};
use polyhedra_isl::Isl;
use std::cell::Cell;
use std::process::Command;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Each thread has its own engines.
const THREADS: usize = 2;
/// The number of calls of all threads together.
fn calls() -> usize {
    campaigns::size("isl-memory") as usize
}
/// The number of calls after which memory has reached its final size.
fn warm_up() -> usize {
    calls() / 20
}
/// The growth that fragmentation may cause. One lost object of isl in a hundred calls would exceed it.
const TOLERANCE: usize = 1 << 20;

struct Load {
    isl: Isl,
    /// The budget of calls that may run out; it differs in each round.
    budget: Cell<u64>,
    a: IndexSet,
    b: IndexSet,
    list: IndexSet,
    next: IndexRelation,
    fan: IndexRelation,
    map: AffineMap,
}

impl Load {
    fn poor(&self) -> Isl {
        self.budget.set(self.budget.get() % 400 + 1);
        Isl::with_budget(self.budget.get())
    }
}

type Call = fn(&Load) -> Result<(), EngineError>;

/// The expected outcome of a call.
#[derive(Clone, Copy, PartialEq)]
enum CallOutcome {
    Answer,
    Failure,
    AnswerOrOutOfBudget,
}

/// The calls of a round, with their expected outcomes.
const CALLS_OF_A_ROUND: [(Call, CallOutcome); 32] = [
    (|l| l.isl.is_empty(&l.a).map(drop), Answer),
    (|l| l.isl.is_subset(&l.a, &l.b).map(drop), Answer),
    (|l| l.isl.is_equal(&l.a, &l.b).map(drop), Answer),
    (|l| l.isl.is_disjoint(&l.a, &l.b).map(drop), Answer),
    (|l| l.isl.is_bounded(&l.a).map(drop), Answer),
    (|l| l.isl.sample(&l.a).map(drop), Answer),
    (|l| l.isl.intersection(&l.a, &l.b).map(drop), Answer),
    (|l| l.isl.union(&l.a, &l.b).map(drop), Answer),
    (|l| l.isl.difference(&l.a, &l.b).map(drop), Answer),
    (|l| l.isl.complement(&l.list).map(drop), Answer),
    (|l| l.isl.convex_cover(&l.list).map(drop), Answer),
    (|l| l.isl.affine_hull(&l.a).map(drop), Answer),
    (|l| l.isl.shadow(&l.a, &|d| d == 0).map(drop), Answer),
    (|l| l.isl.eliminate_existentials(&l.a).map(drop), Answer),
    (|l| l.isl.coalesce(&l.a).map(drop), Answer),
    (|l| l.isl.gist(&l.b, &l.a).map(drop), Answer),
    (|l| l.isl.lexicographic_minimum(&l.b).map(drop), Answer),
    (|l| l.isl.enumerate(&l.list, 10).map(drop), Answer),
    (|l| l.isl.simplify(&l.fan).map(drop), Answer),
    (|l| l.isl.is_bijective(&l.fan).map(drop), Answer),
    (|l| l.isl.transitive_closure(&l.next).map(drop), Answer),
    (|l| l.isl.piecewise(&l.fan.inverse()).map(drop), Answer),
    (|l| l.isl.inverse(&l.map, &l.b).map(drop), Answer),
    (|l| l.isl.lexicographic_minimum(&l.a).map(drop), Failure),
    (|l| l.isl.enumerate(&l.a, 10).map(drop), Failure),
    (|l| l.isl.enumerate(&l.list, 3).map(drop), Failure),
    (|l| l.isl.piecewise(&l.fan).map(drop), Failure),
    (|l| l.poor().is_subset(&l.a, &l.b).map(drop), AnswerOrOutOfBudget),
    (|l| l.poor().difference(&l.a, &l.b).map(drop), AnswerOrOutOfBudget),
    (|l| l.poor().convex_cover(&l.list).map(drop), AnswerOrOutOfBudget),
    (|l| l.poor().transitive_closure(&l.next).map(drop), AnswerOrOutOfBudget),
    (|l| l.poor().piecewise(&l.next).map(drop), AnswerOrOutOfBudget),
];

/// Resident memory in bytes.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

fn load() -> Load {
    Load {
        isl: Isl::new(),
        budget: Cell::new(0),
        a: "[N] -> { [i] : exists e : i = 2e and i < N }".parse().unwrap(),
        b: "[N] -> { [i] : 0 <= i < N and 2i >= N }".parse().unwrap(),
        list: "{ [i] : 0 <= i < 3; [i] : 5 <= i < 8 }".parse().unwrap(),
        next: "[N] -> { [i] -> [j] : j = i + 1 and i < N }".parse().unwrap(),
        fan: "[N] -> { [i] -> [j] : exists e = floor((j)/2) : i = e }".parse().unwrap(),
        map: "[N] -> { [i] -> [2i + N] }".parse().unwrap(),
    }
}

/// The number of calls with an unexpected outcome.
fn call(load: &Load, calls: usize) -> usize {
    let calls = CALLS_OF_A_ROUND.iter().cycle().take(calls);
    let as_expected = |(call, outcome): &&(Call, CallOutcome)| match call(load) {
        Ok(()) => *outcome != Failure,
        Err(error) if error.is_out_of_budget() => *outcome != Answer,
        Err(_) => *outcome == Failure,
    };
    calls.filter(|call| !as_expected(call)).count()
}

/// Set in the process of its own.
const ALONE: &str = "SELFSAME_ALONE";

#[test]
fn calls_leave_memory_as_it_was() {
    if std::env::var_os(ALONE).is_some() {
        return calls_leave_memory();
    }
    let alone = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "memory::calls_leave_memory_as_it_was"])
        .env(ALONE, "1")
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&alone.stdout);
    assert!(alone.status.success() && report.contains("1 passed"), "{report}");
}

fn calls_leave_memory() {
    let barrier = Barrier::new(THREADS + 1);
    let surprises = AtomicUsize::new(0);
    let thread = || {
        let load = load();
        surprises.fetch_add(call(&load, warm_up() / THREADS), Ordering::Relaxed);
        barrier.wait();
        barrier.wait();
        surprises.fetch_add(call(&load, calls() / THREADS), Ordering::Relaxed);
        barrier.wait();
        barrier.wait();
    };
    let [before, after] = std::thread::scope(|scope| {
        (0..THREADS).for_each(|_| drop(scope.spawn(thread)));
        [(); 2].map(|()| {
            barrier.wait();
            let resident = resident();
            barrier.wait();
            resident
        })
    });
    assert_eq!(surprises.into_inner(), 0);
    assert!(after <= before + TOLERANCE, "{before} bytes became {after}");
}
