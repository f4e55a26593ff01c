//! Tensor Comprehensions against programs of other languages, for all sizes: pairs that are the same, and near misses. Each proof is a
//! certificate that is checked again from its text.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use selfsame::{Comparison, Language, Relation, Source, SystemName, certified};
use serde::Deserialize;

#[derive(Deserialize)]
struct Pair {
    name: String,
    a: Side,
    b: Side,
    verdict: String,
}

#[derive(Deserialize)]
struct Side {
    language: String,
    text: String,
}

fn source(side: &Side, name: &str) -> Source {
    Source::new(name, Language::named(&side.language).unwrap(), &side.text)
}

fn pairs() -> Vec<Pair> {
    serde_json::from_str(include_str!("../comprehensions.json")).unwrap()
}

#[test]
fn none_is_unknown_and_none_is_wrong() {
    let pairs = pairs();
    for pair in campaigns::spread("comprehension-pairs", &pairs) {
        let sources = [source(&pair.a, "a"), source(&pair.b, "b")];
        let verdict = Comparison::new(sources).compare();
        let verdict = verdict.unwrap_or_else(|error| panic!("{}: {error}", pair.name));
        let wanted = if pair.verdict == "equivalent" { Relation::Equivalent } else { Relation::Different };
        assert_eq!(verdict.relation(SystemName::Rational), wanted, "{}: {verdict}", pair.name);
        if let Some(certificate) = verdict.certificate().unwrap() {
            let checked = certified(&certificate).map_err(|refusal| refusal.to_string());
            assert_eq!(checked, Ok(()), "{}", pair.name);
        }
    }
}

#[test]
fn there_are_enough_of_both() {
    let (mut same, mut different) = (0, 0);
    for pair in pairs() {
        same += usize::from(pair.verdict == "equivalent");
        different += usize::from(pair.verdict == "different");
        assert!([&pair.a, &pair.b].iter().any(|side| side.language == "tc"), "{}", pair.name);
    }
    assert!(same >= 40 && different >= 40, "{same} {different}");
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
