//! Counterexamples that random search does not find, but the solver does.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::support::rules::from_text;
use rewrites::verification::judging::{Conformance, judge};
use rewrites::verification::{Options, verify};
use selfsame_core::counterexample::text;
use selfsame_core::relation::Relation;
use values::SystemName;

/// A rule, a system in which it does not hold, and the elements of its first input in counterexamples.
const RULES: [(&str, &str, &[&str]); 4] = [
    ("tensors z[] left max(z*z, 0) right z*z", "i32", &["-46341", "46341"]),
    ("tensors z[] left if z*z*z = 5*z*z + 7*z + 2021 then 1 else 0*z right 0*z", "i32", &[]),
    ("tensors z[] left if 7*z = 22 then 1 else 0*z right 0*z", "rational", &["22/7"]),
    ("tensors z[] : integer left if z*z = 961 then 0*z + 1 else 0*z right 0*z", "integer", &["-31", "31"]),
];

#[test]
fn the_solver_finds_what_chance_does_not() {
    for (rule, system, expected) in RULES {
        let library = from_text(&format!("rule r {rule}"));
        let verdict = verify(&library, &library.rules()[0], &Options::default()).unwrap();
        let answer = verdict.in_system(SystemName::named(system).unwrap()).unwrap();
        assert_eq!(answer.relations.defined, Relation::Different, "{rule}");
        let shown = text(answer.counterexamples.defined.as_ref().unwrap().inputs[0].places()[0].1);
        assert!(expected.is_empty() || expected.contains(&shown.as_str()), "{rule}: {shown}");
    }
}

/// A counterexample with an undefined left side does not refute a refinement.
#[test]
fn what_is_not_the_same_may_refine() {
    let library =
        from_text("rule r sizes n tensors x[n], y[n] left x * y / x right y refines in rational, field");
    let rule = &library.rules()[0];
    let verdict = verify(&library, rule, &Options::default()).unwrap();
    assert_eq!(verdict.in_system(SystemName::Rational).unwrap().relations.defined, Relation::Refines);
    let conformance = judge(rule, &verdict, None);
    assert!(matches!(conformance, Conformance::Undecided(_)), "{conformance:?}");
}
