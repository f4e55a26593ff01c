//! Records the questions that z3 answered with `unsat`, so that another solver can be asked the same.
//!
//! A proof relies on z3 whenever z3 finds a contradiction; `make second-engine` gives all these questions to cvc5.

use std::sync::OnceLock;
use z3::Solver;

static WATCHER: OnceLock<fn(&str)> = OnceLock::new();

/// Installs a watcher that receives each question whose answer is `unsat`, as SMT-LIB. Only the first watcher is
/// installed; returns whether this one is.
pub fn watch(watcher: fn(&str)) -> bool {
    WATCHER.set(watcher).is_ok()
}

/// Reports a question that z3 answered with `unsat`.
pub(crate) fn refuted(solver: &Solver) {
    if let Some(watcher) = WATCHER.get() {
        watcher(&solver.to_string());
    }
}
