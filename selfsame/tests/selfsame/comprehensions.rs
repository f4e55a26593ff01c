//! Tensor Comprehensions against programs of other languages, for all sizes: pairs that are the same, and near misses.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::pairs::{Pair, judged, pairs};
use selfsame::{Comparison, Language, Relation, Source, SystemName};

fn all() -> Vec<Pair> {
    pairs(include_str!("../comprehensions.json"), "tc", 40)
}

#[test]
fn none_is_unknown_and_none_is_wrong() {
    campaigns::spread("comprehension-pairs", &all()).into_iter().for_each(judged);
}

/// A dead literal without a meaning in some number system says nothing about the others.
#[test]
fn a_literal_that_no_output_depends_on_does_not_count() {
    let text = |body: &str| format!("def f(float(N) A) -> (C) {{ {body} }}");
    let dead = text("C(i) = 0.5 where i in 0:N C(i) = A(i)");
    let sources = [dead, text("C(i) = A(i)")].map(|text| Source::new("p", Language::Tc, text));
    let verdict = Comparison::new(sources).compare().unwrap();
    assert_eq!(verdict.relation(SystemName::Rational), Relation::Equivalent, "{verdict}");
}
