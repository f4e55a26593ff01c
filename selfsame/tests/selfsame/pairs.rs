//! Pairs of programs with what is said of them. Each proof is a certificate that is checked again from its text.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use selfsame::{Comparison, Language, Relation, Source, SystemName, certified};
use serde::Deserialize;

/// Two programs, and whether they are the same.
#[derive(Deserialize)]
pub struct Pair {
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

/// The pairs of a text, each with a program of a language; at least `least` are the same, and at least `least` are not.
pub fn pairs(text: &str, language: &str, least: usize) -> Vec<Pair> {
    let pairs: Vec<Pair> = serde_json::from_str(text).unwrap();
    let (mut same, mut different) = (0, 0);
    for pair in &pairs {
        same += usize::from(pair.verdict == "equivalent");
        different += usize::from(pair.verdict == "different");
        assert!([&pair.a, &pair.b].iter().any(|side| side.language == language), "{}", pair.name);
    }
    assert!(same >= least && different >= least, "{same} {different}");
    pairs
}

/// The verdict on a pair is the one that it states, and its proof is accepted.
pub fn judged(pair: &Pair) {
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
