//! The questions that z3 answered with `unsat`, for those who ask another solver the same.
//!
//! A proof relies on z3 where it says that something is contradictory; `make second-engine` gives every such question to cvc5.

use std::sync::OnceLock;
use z3::Solver;

static WATCHER: OnceLock<fn(&str)> = OnceLock::new();

/// From now on the watcher is given each question whose answer is `unsat`, as SMT-LIB. Whether it is the first one; no other is heeded.
pub fn watch(watcher: fn(&str)) -> bool {
    WATCHER.set(watcher).is_ok()
}

/// What is asserted contradicts itself, as z3 says.
pub(crate) fn refuted(solver: &Solver) {
    if let Some(watcher) = WATCHER.get() {
        watcher(&solver.to_string());
    }
}
