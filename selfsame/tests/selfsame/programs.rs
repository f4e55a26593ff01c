//! Two programs.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use selfsame::{Comparison, Error, Language, Relation, ReportedSystem, Source, SystemName};

pub fn system(body: &str) -> Source {
    let text = format!(
        "system s (N : {{ N | N>=1 }} parameter; x : {{ i | 0<=i<N }} of real) \
         returns (y : {{ i | 0<=i<N }} of real); let y[i] = {body}; tel;"
    );
    Source::new(body, Language::Alpha, text)
}

fn rink(name: &str, statement: &str) -> Source {
    let text = format!("var input A : [n] var input B : [n] var output C : [n] {statement}");
    Source::new(name, Language::Rink, text)
}

#[test]
fn every_number_system_has_its_verdict() {
    let verdict = Comparison::new([system("(x[i] + x[N-1-i]) + x[0]"), system("x[i] + (x[N-1-i] + x[0])")])
        .compare()
        .unwrap();
    assert_eq!(verdict.relation(SystemName::Rational), Relation::Equivalent);
    assert_eq!(verdict.relation(SystemName::I32), Relation::Equivalent);
    assert_eq!(verdict.relation(SystemName::F32), Relation::Different);
    assert_eq!(verdict.wanted(ReportedSystem::Weakest), Relation::Different);
    assert!(verdict.counterexample(SystemName::Rational).is_none());
    assert_eq!(verdict.counterexample(SystemName::F32).map(|found| found.system), Some("f32"));
    assert!(verdict.to_string().starts_with("equivalent in `rational` (all sizes"));
}

#[test]
fn a_difference_is_shown() {
    let verdict = Comparison::new([system("x[i]"), system("x[N-1-i]")]).compare().unwrap();
    assert_eq!(verdict.relation(SystemName::Rational), Relation::Different);
    let found = verdict.counterexample(SystemName::Rational).unwrap();
    assert_eq!(found.parameters, [("N".to_owned(), "2".to_owned())]);
    assert_ne!(found.to_json()["left"], found.to_json()["right"]);
    let at_one = Comparison::new([system("x[i]"), system("x[N-1-i]")]).with_size("N", 1).compare().unwrap();
    assert_eq!(at_one.relation(SystemName::Rational), Relation::Equivalent);
}

#[test]
fn elements_are_compared_one_by_one_where_no_proof_is_wanted() {
    let both = || [rink("a", "C = A + B"), rink("b", "C = B + A")];
    let mut comparison = Comparison::new(both()).with_size("n", 2);
    comparison.asked.proof = false;
    let verdict = comparison.compare().unwrap();
    assert_eq!(verdict.relation(SystemName::F32), Relation::Equivalent);
    assert_eq!(verdict.certificate().unwrap(), None);
    let proved = Comparison::new(both()).compare().unwrap();
    assert_eq!(proved.relation(SystemName::F32), Relation::Equivalent);
    assert!(proved.certificate().unwrap().is_some());
}

#[test]
fn what_cannot_be_compared_is_an_error_in_words() {
    let words = |left, right| Comparison::new([left, right]).compare().map_err(|error| error.to_string());
    let ill = words(system("x[i"), system("x[i]")).unwrap_err();
    assert!(ill.starts_with("`x[i` is ill-formed; P0"), "{ill}");
    let out = words(system("x[i + 1]"), system("x[i]")).unwrap_err();
    assert!(out.starts_with("`x[i + 1]` is ill-formed; "), "{out}");
    let other =
        Source::new("b", Language::Alpha, system("x[i]").text.replace("y[", "z[").replace("(y ", "(z "));
    assert!(words(system("x[i]"), other).unwrap_err().starts_with("the programs cannot be compared: "));
    let divided = [system("x[i] / x[i]"), rink("b", "C = A / B")];
    assert!(matches!(Comparison::new(divided).compare(), Err(Error::Divisions)));
}

#[test]
fn a_small_stack_is_enough() {
    let sum = |operands: usize| system(&vec!["x[i]"; operands].join(" + "));
    let work =
        move || Comparison::new([sum(1000), sum(1000)]).compare().map(|of| of.relation(SystemName::Rational));
    let small = std::thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap();
    assert_eq!(small.join().unwrap().unwrap(), Relation::Equivalent);
}
