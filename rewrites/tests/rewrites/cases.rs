//! Regression cases: rules with a wrong verdict once, or that other compilers got wrong. One line for each rule:
//! the verdict for defined inputs, in each number system in which the rule has the stated meaning.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::support::rules::{from_text, shipped};
use expect_test::{Expect, expect};
use link::certificate::{Certificate, CertificateSubject};
use link::replay::check as check_certificate;
use polyhedra_isl::Isl;
use rewrites::verdict::ProverVerdict;
use rewrites::verification::judging::{Conformance, judge};
use rewrites::verification::{Options, verify};
use rule_files::library::Library;
use selfsame_core::relation::Relation;
use std::collections::BTreeMap;
use values::SystemName;

fn case(file: &str) -> Library {
    shipped(&format!("../rewrites/tests/cases/{file}.rules"))
}

fn signs(verdict: &ProverVerdict) -> String {
    let sign = |relation: Relation| match relation {
        Relation::Equivalent => "=",
        Relation::Refines => "⊑",
        Relation::Unknown => "?",
        Relation::Unequal => "⊑?",
        Relation::Different => "≠",
    };
    let of = |answer: &selfsame_core::answer::Answer| {
        format!(" {}{}", answer.system, sign(answer.relations.defined))
    };
    verdict.answers.iter().map(of).collect()
}

fn check(file: &str, expected: &Expect) {
    let library = case(file);
    let line = |rule| {
        let verdict = verify(&library, rule, &Options::default()).unwrap();
        for answer in &verdict.answers {
            for (relation, found) in answer.relations.iter().zip(answer.counterexamples.iter()) {
                // ≠ needs an input on which the left side is defined, or a right side without meaning.
                let shown = found.as_ref().map(|found| found.values[0].is_some());
                let is_meaningless = verdict.meaningless.is_some();
                match relation {
                    Relation::Different => {
                        assert!(shown == Some(true) || is_meaningless, "{}", rule.name.text)
                    }
                    Relation::Unequal => assert_eq!(shown, Some(false), "{}", rule.name.text),
                    _ => {}
                }
            }
        }
        format!("{}:{}\n", rule.name.text, signs(&verdict))
    };
    expected.assert_eq(&library.rules().iter().map(line).collect::<String>());
}

#[test]
fn no_real_number_is_taken_for_an_integer() {
    check(
        "casts",
        &expect![[r#"
        sum-of-casts:
        cast-and-back:
        half-twice:
    "#]],
    );
    check(
        "cast-round-trips",
        &expect![[r#"
        floor-idiom:
        floor-idiom-real:
        through-truth: integer≠ i32≠ i64≠
        real-through-truth: rational≠ integer≠ i32≠ i64≠ f32≠ f64≠
        integer-through-real:
    "#]],
    );
}

#[test]
fn floats_have_a_meaning_only_where_no_divisor_is_zero() {
    check(
        "ieee",
        &expect![[r#"
        safe-division: rational= integer= i32= i64= field?
        guarded: rational= integer= i32= i64= field?
        minus-zero: rational= integer= i32= i64=
    "#]],
    );
    check(
        "division-by-zero",
        &expect![[r#"
        guarded: rational= integer= i32= i64= field?
        always-zero: rational⊑ integer⊑ i32⊑ i64⊑ field⊑?
        inf-is-there: f32≠ f64≠
        inf-compare: rational= integer= i32= i64=
    "#]],
    );
    check(
        "zero-over",
        &expect![[r#"
        zero-over: rational⊑ integer⊑ i32⊑ i64⊑
        zero-over-f32: rational⊑ integer⊑ i32⊑ i64⊑
        self-over: rational⊑ integer⊑ i32⊑? i64⊑?
    "#]],
    );
}

#[test]
fn what_is_given_is_about_its_tensor() {
    check(
        "given-tensor",
        &expect![[r#"
        given-lower-rank: rational= integer= i32= i64= f32≠ f64≠
        given-same-rank: rational= integer= i32= i64= f32≠ f64≠
        given-reversed: rational= integer= i32= i64= f32≠ f64≠
        given-all: rational= integer= i32= i64= f32≠ f64≠
        given-sum: rational= integer= i32= i64= f32≠ f64≠
        given-spelled: rational= integer= i32= i64= f32≠ f64≠
    "#]],
    );
}

/// A hypothesis at other indices, or about another tensor, is of no use.
#[test]
fn what_is_not_given_there_is_not_used() {
    let rules = [
        "rule r sizes m tensors s[m] given all(k < m - 1 : s[k] >= 0) left [j < m] -> abs(s[j]) right s",
        "rule r sizes m tensors s[m] given [k < m - 1] -> s[k + 1] >= 0 left abs(s) right s",
        "rule r sizes m tensors s[m] given all(k < m | 2 <= k : s[k] >= 0) left sum(j < m : abs(s[j])) right sum(j < m : s[j])",
        "rule r sizes m tensors s[m], t[m] given t >= 0 left abs(s) right s",
        "rule r sizes m tensors s[m] given s[0] >= 0 where 1 <= m left abs(s) right s",
        "rule r sizes n, m tensors s[n, m] given all(k < m : any(l < n : s[l, k] >= 0)) left abs(s) right s",
    ];
    for rule in rules {
        let library = from_text(rule);
        let verdict = verify(&library, &library.rules()[0], &Options::default()).unwrap();
        for system in ["rational", "integer", "i32"] {
            let answer = verdict.in_system(SystemName::named(system).unwrap()).unwrap();
            assert_eq!(answer.relations.defined, Relation::Different, "{rule}: {answer:?}");
        }
    }
}

/// A proof that uses a hypothesis does not prove a rule with fewer hypotheses: the checker asks at which indices
/// it is used.
#[test]
fn a_proof_uses_what_is_given_only_where_it_is() {
    let text = "rule r sizes m tensors s[m] given all(k < m : s[k] >= 0) left abs(s) right s";
    let files = |text: &str| BTreeMap::from([("a.rules".to_owned(), text.to_owned())]);
    let subject = |text| CertificateSubject::Rule {
        file: "a.rules".to_owned(),
        rule: "r".to_owned(),
        files: files(text),
    };
    let library = from_text(text);
    let verdict = verify(&library, &library.rules()[0], &Options::default()).unwrap();
    let certificate = verdict.certificate(subject(text)).unwrap();
    check_certificate(&certificate, &Isl::with_memory()).unwrap();
    let less = [
        text.replace("k < m", "k < m - 1"),
        text.replace("k < m", "k < m | 1 <= k"),
        text.replace("s[k] >= 0)", "s[k] >= -1)"),
        text.replace("given all(k < m : s[k] >= 0) ", ""),
    ];
    for text in &less {
        let forged = Certificate { subject: subject(text), ..certificate.clone() };
        assert!(check_certificate(&forged, &Isl::with_memory()).is_err(), "{text}");
    }
}

#[test]
fn only_an_input_that_refutes_refinement_shows_a_difference() {
    check(
        "reciprocal-twice",
        &expect![[r#"
        twice: rational⊑ integer⊑ i32⊑ i64⊑? field⊑
        twice-nonzero: rational= integer⊑ i32⊑ i64⊑? field⊑
        negate-twice: rational= integer= i32= i64= f32= f64= field=
    "#]],
    );
}

#[test]
fn machine_integers_at_their_least_number() {
    check(
        "ceildiv-least-integer",
        &expect![[r#"
        by-negation: integer= i32? i64?
        by-negation-fixed: integer= i32? i64?
        by-minus-one: integer= i32? i64?
        by-plus: integer= i32≠ i64?
    "#]],
    );
}

#[test]
fn what_the_left_side_assumes_is_said() {
    let library = case("implicit-broadcast");
    let implied = |rule| verify(&library, rule, &Options::default()).unwrap().assumed;
    let of: Vec<_> = library.rules().iter().map(|rule| (rule.name.text.as_str(), implied(rule))).collect();
    for (rule, assumed) in of {
        let expected: &[&str] = if rule == "implicit" { &["n = 1"] } else { &[] };
        assert_eq!(assumed.equations, expected, "{rule}: {assumed:?}");
    }
}

/// Divisors that are shown to be nonzero: constants, index terms, and hypotheses about the same element, at any
/// index.
#[test]
fn divisors_that_are_not_zero() {
    let floats = |rule: &str| {
        let library = from_text(rule);
        let verdict = verify(&library, &library.rules()[0], &Options::default()).unwrap();
        ["f32", "f64"].map(|system| verdict.in_system(SystemName::named(system).unwrap()).is_some())
    };
    let with = [
        "rule r tensors x left x / 2 right x * 0.5",
        "rule r sizes n tensors x where n >= 1 left x / index(n) right x / index(n) + 0",
        "rule r sizes n tensors x[n] left sum(i < n : x[i] / index(i + 1)) right sum(i < n : x[i])",
        "rule r sizes n tensors x[n], y[n] given y != 0 left x / y right x",
        "rule r sizes n tensors x[n], y[n] given 0 < y left [i < n] -> x[i] / y[n - 1 - i] right x",
        "rule r sizes n tensors x[n], y[n] given all(k < n : y[k] <= -1) left sum(i < n : x[i] / y[i]) right sum(i < n : x[i])",
        "rule r sizes n tensors x[n], y[n] given x - y != 0 left 1 / (x - y) right x",
    ];
    for rule in with {
        assert_eq!(floats(rule), [true; 2], "{rule}");
    }
    let without = [
        "rule r sizes n tensors x left x / index(n) right x / index(n) + 0",
        "rule r sizes n tensors x[n] left sum(i < n : x[i] / index(i)) right sum(i < n : x[i])",
        "rule r sizes n tensors x[n], y[n] given y >= 0 left x / y right x",
        "rule r sizes n tensors x[n], y[n] given x != 0 left x / y right x",
        "rule r sizes n, m tensors x[n], y[m] given [k < m - 1] -> y[k] != 0 where n <= m left [i < n] -> x[i] / y[i] right x",
        "rule r sizes n tensors x[n], y[n] given y != 0 left x / (y * y) right x",
        "rule r sizes n tensors x[n], y[n] given y != 0 left if x > 0 then 1/x else y right y",
    ];
    for rule in without {
        assert_eq!(floats(rule), [false; 2], "{rule}");
    }
    // A number that rounds to 0 in f32 only.
    let tiny = format!("rule r tensors x left x / 0.{}1 right x", "0".repeat(60));
    assert_eq!(floats(&tiny), [false, true]);
}

/// A number system that the rule names, but in which it does not have the stated meaning, is open.
#[test]
fn a_column_without_meaning_is_not_what_was_expected() {
    let all = "rational, integer, i32, i64, f32, f64, field";
    let library = from_text(&format!("rule r tensors x, y left x / y + y right y + x / y in {all}"));
    let rule = &library.rules()[0];
    let conformance = judge(rule, &verify(&library, rule, &Options::default()).unwrap(), None);
    let Conformance::Undecided(complaint) = conformance else { panic!("{conformance:?}") };
    assert_eq!(complaint.text, "the rule does not have the stated meaning in `f32`");
}

/// A search that has compared as many pairs as it may is out of budget, which is another answer than no proof.
#[test]
fn a_search_ends_with_its_budget() {
    let product = |sum: &str| [sum; 4].join(" * ");
    let [left, right] = ["sum(i < n : x[i])", "sum(i < n : x[n - 1 - i])"].map(product);
    let library = from_text(&format!("rule r sizes n tensors x[n] left {left} right {right}"));
    let rule = library.rules().first().unwrap();
    let of = |budget| {
        let systems = Some(SystemName::Field.alone());
        let verdict = verify(&library, rule, &Options { budget, systems, ..Options::default() }).unwrap();
        (signs(&verdict), verdict.open)
    };
    assert_eq!(of(3), (" field?".to_owned(), Some("out of budget".to_owned())));
    assert_eq!(of(20_000), (" field=".to_owned(), None));
}
