//! The theorems of the ledger as rewrites ([`link::statements::theorems`]).

use super::rewriting::{Allowed, Rewrite, allowed};
use link::statements::theorems::statements;
use values::{Listed, Machine};

/// The theorems that are used from right to left too. The others would not end, or their left side contains more
/// than the right side determines.
const BACKWARD: &[&str] = &[
    "alpha/case-3",
    "alpha/case-4",
    "alpha/restrict-4",
    "alpha/restrict-5",
    "alpha/restrict-6",
    "alpha/dependence-3",
    "alpha/dependence-4",
    "alpha/reduce-1",
    "alpha/reduce-2",
    "alpha/reduce-5",
    "alpha/reduce-7",
    "restrict-neg",
    "restrict-not",
    "restrict-abs",
    "restrict-if",
    "dependence-neg",
    "dependence-not",
    "dependence-abs",
    "dependence-if",
];

/// The theorems that are not used from left to right, except as parts of others: their right side contains more
/// than the left determines.
const NOT_FORWARD: &[&str] = &["alpha/reduce-1", "alpha/reduce-3"];

/// The maximum number of branches of a `case` in the rewrites. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_BRANCHES: usize = 4;

/// The rewrites that hold in a number system on a machine, in the paper's order. Theorems that reorder the elements of a
/// reduction are for operators that give the same result in any order.
pub fn rewrites<S: Listed>(system: &S, machine: &Machine) -> Vec<Rewrite> {
    let branches: Vec<usize> = (1..=MAX_BRANCHES).collect();
    let all = statements(&branches).into_iter().filter_map(|statement| allowed(statement, system, machine));
    let directions = |allowed: Allowed| {
        let name = allowed.statement.name.as_str();
        let forward = (!NOT_FORWARD.contains(&name)).then(|| Rewrite::forward(&allowed));
        let backward = BACKWARD.contains(&name).then(|| Rewrite::backward(&allowed));
        forward.into_iter().chain(backward)
    };
    all.flat_map(directions).collect()
}
