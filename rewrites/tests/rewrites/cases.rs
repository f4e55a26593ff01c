//! Regression cases: rules with a wrong verdict once, or that other compilers got wrong. One line for each rule:
//! the verdict for defined inputs, in each number system in which the rule has the stated meaning.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::support::rules::{from_text, shipped};
use expect_test::{Expect, expect};
use link::certificate::{Certificate, CertificateSubject, CertifiedRule};
use link::replay::check as check_certificate;
use polyhedra_isl::Isl;
use rewrites::verdict::ProverVerdict;
use rewrites::verification::judging::{Conformance, judge};
use rewrites::verification::{Options, verify};
use rule_files::library::Library;
use selfsame_core::relation::Relation;
use std::collections::BTreeMap;
use values::{System, SystemName};

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
fn casts_are_judged_in_every_system() {
    check(
        "casts",
        &expect![[r#"
            sum-of-casts: rational≠ integer= i32= i64= f32≠ f64≠
            cast-and-back: rational≠ integer= i32= i64= f32≠ f64≠
            half-twice: rational= integer≠ i32≠ i64≠ f32= f64= field=
        "#]],
    );
    check(
        "cast-round-trips",
        &expect![[r#"
            floor-idiom: rational≠ integer= i32= i64= f32≠ f64≠
            floor-idiom-real: rational≠ integer= i32= i64= f32≠ f64≠
            through-truth: integer≠ i32≠ i64≠
            real-through-truth: rational≠ integer≠ i32≠ i64≠ f32≠ f64≠ field≠
            integer-through-real: rational= integer= i32= i64= f32≠ f64≠
        "#]],
    );
}

#[test]
fn floats_divide_as_ieee_does() {
    check(
        "ieee",
        &expect![[r#"
            safe-division: rational≠ integer≠ i32≠ i64≠ f32≠ f64≠ field≠
            guarded: rational⊑ integer⊑ i32⊑ i64⊑ f32≠ f64≠ field⊑
            minus-zero: rational= integer= i32= i64= f32≠ f64≠
        "#]],
    );
    check(
        "division-by-zero",
        &expect![[r#"
            guarded: rational⊑ integer⊑ i32⊑ i64⊑ f32≠ f64≠ field⊑
            always-zero: rational⊑ integer⊑ i32⊑ i64⊑ f32≠ f64≠ field⊑
            inf-is-there: f32≠ f64≠
            inf-compare: rational⊑ integer⊑ i32⊑ i64⊑ f32≠ f64≠
        "#]],
    );
    check(
        "zero-over",
        &expect![[r#"
            zero-over: rational⊑ integer⊑ i32⊑ i64⊑ f32≠ f64≠
            zero-over-f32: rational⊑ integer⊑ i32⊑ i64⊑ f32≠ f64≠
            self-over: rational⊑ integer⊑ i32⊑ i64⊑ f32≠ f64≠
        "#]],
    );
}

/// The laws of powers say nothing of (−1)^½, so the rule does not follow from them, whatever a search makes of that.
#[test]
fn a_power_that_the_real_function_lacks_may_be_any_number() {
    check(
        "powers",
        &expect![[r#"
            square-root-squared: rational≠ f32≠ f64≠
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
    let subject = |text| {
        let (file, rule) = ("a.rules".to_owned(), "r".to_owned());
        CertificateSubject::Rule(CertifiedRule { file, rule, files: files(text), system: System::default() })
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

/// Whether z3 decides a division of 64 bits within its steps depends on the numbers that it has given to names before:
/// `i64` is `⊑` where that succeeds.
#[test]
fn only_an_input_that_refutes_refinement_shows_a_difference() {
    let library = case("reciprocal-twice");
    let line = |rule| {
        let signs = signs(&verify(&library, rule, &Options::default()).unwrap());
        format!("{}:{}\n", rule.name.text, signs.replace("i64⊑?", "i64⊑"))
    };
    let found: String = library.rules().iter().map(line).collect();
    expect![[r#"
        twice: rational⊑ integer⊑ i32⊑ i64⊑ f32≠ f64≠ field⊑
        twice-nonzero: rational= integer⊑ i32⊑ i64⊑ f32≠ f64≠ field⊑
        negate-twice: rational= integer= i32= i64= f32= f64= field=
    "#]]
    .assert_eq(&found);
}

#[test]
fn machine_integers_at_their_least_number() {
    check(
        "ceildiv-least-integer",
        &expect![[r#"
            by-negation: integer= i32≠ i64≠
            by-negation-fixed: integer= i32= i64=
            by-minus-one: integer= i32= i64=
            by-plus: integer= i32≠ i64≠
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

/// A quotient by 0 is infinite or nan in floats, and undefined elsewhere; the branch that is not chosen does not count.
#[test]
fn division_by_zero_is_that_of_the_numbers() {
    let of = |rule: &str| {
        let library = from_text(rule);
        signs(&verify(&library, &library.rules()[0], &Options::default()).unwrap())
    };
    let rules = [
        "rule r tensors x left 1 / (x * 0) right 1 / (0 * x)",
        "rule r tensors x, y given y = 0, x >= 1 left (0 * x) / y right y / y",
        "rule r tensors x given x >= 1 left x / x right 1",
        "rule r tensors x, y left if y = 0 then 1 else x / y right if y != 0 then x / y else 1",
        "rule r tensors x left if x = 0 then 1 else 1 / x right 1 / x",
    ];
    let found: Vec<String> = rules.into_iter().map(|rule| of(rule).trim().to_owned()).collect();
    expect![[r#"
        rational= integer= i32= i64= f32= f64= field=
        rational= integer= i32= i64= f32= f64?
        rational= integer= i32= i64= f32≠ f64≠
        rational= integer= i32= i64= f32= f64= field=
        rational≠ integer≠ i32≠ i64≠ f32≠ f64≠ field≠
    "#]]
    .assert_eq(&(found.join("\n") + "\n"));
}

/// A number system that the rule names, but in which it does not have the stated meaning, is open.
#[test]
fn a_column_without_meaning_is_not_what_was_expected() {
    let all = "rational, integer, i32, i64, f32, f64, field";
    let library = from_text(&format!("rule r tensors x left x + infinity right infinity + x in {all}"));
    let rule = &library.rules()[0];
    let conformance = judge(rule, &verify(&library, rule, &Options::default()).unwrap(), None);
    let Conformance::Undecided(complaint) = conformance else { panic!("{conformance:?}") };
    assert_eq!(complaint.text, "the rule does not have the stated meaning in `rational`");
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
