//! Rules without a meaning at some size, and vacuous rules, are neither verified nor refuted.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::support::rules::from_text;
use base::diagnostics::Code;
use rewrites::verdict::ProverVerdict;
use rewrites::verification::{Options, verify};
use rule_files::elaboration::RuleError;
use selfsame_core::by_inputs::ByInputs;
use selfsame_core::relation::Relation;
use values::SystemName;

fn verdict(rule: &str) -> Result<ProverVerdict, RuleError> {
    let library = from_text(rule);
    verify(&library, &library.rules()[0], &Options::default())
}

#[test]
fn a_left_side_that_reads_outside_is_a_fault() {
    let rules = [
        "rule r sizes n tensors A[n] left [i < n] -> A[i + 1] right [i < n] -> A[i + 1]",
        "rule r sizes n tensors A[n] left sum(k < n + 1 : A[k]) right sum(k < n + 1 : A[k])",
        "rule r sizes n tensors A[n] given A[n] = 0 left A right A",
        "rule r sizes n, m tensors A[n], x[m] left [i < m] -> ([j < n] -> A[j])[i] right [i < m] -> x[i]",
    ];
    for rule in rules {
        let fault = verdict(rule).unwrap_err();
        assert_eq!(fault.code, Code::V0011, "{rule}: {}", fault.message);
    }
}

#[test]
fn a_right_side_that_reads_outside_is_refuted() {
    let rules = [
        "rule r sizes n tensors A[n] left A right [i < n] -> A[i] + A[i + 1] - A[i + 1]",
        "rule r sizes n tensors A[n] left sum(k < n : A[k]) right sum(k < n + 1 : A[k])",
        "rule r sizes n, m tensors A[n] left A right [i < n] -> ([j < m] -> A[j mod max(n, 1)])[i]",
        "rule r sizes n tensors A[n] left A right [i < n] -> if i < n - 1 then A[i] else A[i + 100000] - A[i + 100000] + A[i]",
    ];
    for rule in rules {
        let verdict = verdict(rule).unwrap();
        let answer = verdict.in_system(SystemName::Rational).unwrap();
        assert_eq!(answer.relations, ByInputs::both(Relation::Different), "{rule}");
        assert!(verdict.meaningless.is_some(), "{rule}");
    }
}

#[test]
fn what_is_given_must_be_possible() {
    let contradictory = "rule r sizes n tensors x[n], y[n] given x < y and y < x left x right y";
    let reason = verdict(contradictory).unwrap().vacuous.unwrap();
    assert_eq!(reason, "what is given contradicts itself in `rational`");

    // `x + x = 1` has a solution over the rationals and in floats, but not over the integers.
    let somewhere = "rule r sizes n tensors x[n] given x + x = 1 left x right 1 - x";
    let found = verdict(somewhere).unwrap();
    assert_eq!(found.vacuous, None);
    assert_eq!(
        found.in_system(SystemName::Rational).unwrap().relations,
        ByInputs::both(Relation::Equivalent)
    );
    let systems: Vec<&str> = found.answers.iter().map(|answer| answer.system.name()).collect();
    assert_eq!(systems, ["rational", "f32", "f64", "field"]);
}
