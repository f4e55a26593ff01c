//! `equiv` on pairs of programs: the verdicts, the laws and the counterexamples.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use rink::decision::{Budget, Decision, DecisionOptions, decide};
use rink::equivalence::{Equivalence, Typed};
use rink::parsing::parse;
use rink::simulation::{all_lengths, simulate};
use rink::typing::type_program;
use selfsame_core::relation::Relation;
use values::{Division, SystemName};

fn verdicts(declarations: &str, left: &str, right: &str, division: Division) -> String {
    let programs = [left, right].map(|statements| {
        let parsed = parse(&format!("{declarations}\n{statements}"));
        assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
        parsed.program
    });
    let typings = [0, 1].map(|at| type_program(&programs[at]).unwrap());
    let typed = [0, 1].map(|at| Typed { program: &programs[at], typing: &typings[at] });
    let problem = Equivalence::new(typed[0], typed[1], division, 1 << 20).unwrap();
    let verdict = decide(&problem, &DecisionOptions::default());
    let mut lines = format!("laws: {}\n", verdict.laws.join(" "));
    for answer in &verdict.answers {
        lines += &format!("{}: {}", answer.system, answer.relations.any);
        if let Some(c) = &answer.counterexamples.any {
            lines += &format!(" {}", c.to_json()["inputs"]);
            lines += &format!(
                " {}{:?}: {:?} / {:?}",
                c.variable,
                c.index,
                c.to_json()["left"],
                c.to_json()["right"]
            );
        }
        if let Some(open) = verdict.open.get(&answer.system) {
            lines += &format!(" ({open})");
        }
        assert_eq!(
            answer.counterexamples.any.is_some(),
            matches!(answer.relations.any, Relation::Different | Relation::Unequal | Relation::Refines)
        );
        lines += "\n";
    }
    lines
}

#[test]
fn verdicts_laws_and_counterexamples() {
    let cases = [
        ("var a : [] var b : [] var x : []", "x = a + b", "x = b + a"),
        ("var a : [] var b : [] var c : [] var x : []", "x = a + b + c", "x = a + (b + c)"),
        ("var a : [] var b : [] var x : []", "x = a * b - (a * b)", "x = a - a"),
        ("var a : [] var b : [] var x : []", "x = a / b", "x = (a * b) / (b * b)"),
        ("var a : [] var b : [] var x : []", "x = (a / b) * b", "x = a"),
        ("var a : [] var b : [] var c : [] var x : []", "x = (a / b) / c", "x = a / (b * c)"),
        ("var a : [] var b : [] var c : [] var x : []", "x = (a + b) / c", "x = (a / c) + (b / c)"),
        ("var input a : [] var input b : [] var x : []", "x = a - a", "x = b - b"),
        ("var a : [] var input b : [] var x : []", "x = a - a", "x = b - b"),
        // If `a / c / c - a` vanishes, then `a = 0` or `c · c = 1`.
        (
            "var a : [] var b : [] var c : [] var x : []",
            "x = b / (a / c / c - a)",
            "x = b / (a / (c * c) - a)",
        ),
        // Refined; only an undefined `b` shows that the two are not equal.
        (
            "var a : [] var b : [] var c : [] var x : []",
            "x = (a / b) * (b - (a * c))",
            "x = a - (a * (c * (a / b)))",
        ),
        (
            "var input A : [2 2] var input B : [2 2] var output C : [2 2]",
            "C = (A # B) . [2 3]",
            "C = (B # A) . [2 3]",
        ),
    ];
    let text: String = cases
        .iter()
        .map(|(declarations, left, right)| {
            format!("{left}   |   {right}\n{}\n", verdicts(declarations, left, right, Division::Controlled))
        })
        .collect();
    expect_test::expect_file!["../verdicts.txt"].assert_eq(&text);
}

/// Whether padding is safe, in range and in the padding, for the rationals and for f32.
fn safety(text: &str) -> String {
    let program = parse(text).program;
    let typing = type_program(&program).unwrap();
    let typed = Typed { program: &program, typing: &typing };
    let lengths = all_lengths(typed);
    let safety =
        simulate(typed, &lengths, Division::Controlled, 1 << 20, &DecisionOptions::default()).unwrap();
    let of = |verdict: &Decision, system| verdict.in_system(system).unwrap().relations.any;
    [SystemName::Rational, SystemName::F32]
        .map(|system| format!("{system}: {}, {}", of(&safety.in_range, system), of(&safety.padding, system)))
        .join("; ")
}

#[test]
fn padding_is_safe_or_not() {
    let check = |text: &str, expected: &str| assert_eq!(safety(text), expected, "{text}");
    let trace = "var input A : [2 3] var input B : [3 2] var output s : [] s = (A # B) . [2 3] . [1 2]";
    check(trace, "rational: equivalent, equivalent; f32: different, equivalent");
    let scaled = "var s : [] var v : [3] var y : [3] y = s * v";
    check(scaled, "rational: equivalent, different; f32: equivalent, different");
    let divided = "var s : [] var v : [3] var y : [3] y = v / s";
    check(divided, "rational: equivalent, equivalent; f32: equivalent, different");
    let element_wise = "var input v : [3] var input w : [3] var output y : [3] y = v / w";
    check(element_wise, "rational: equivalent, equivalent; f32: equivalent, equivalent");
    let scaled_trace = "var input A : [3 3] var input s : [] var output y : [] y = (s * A) . [1 2]";
    check(scaled_trace, "rational: equivalent, equivalent; f32: different, equivalent");
}

/// A budget of terms that is too small for the representatives of the lower tiers proves nothing.
#[test]
fn too_few_terms_are_no_proof() {
    let text =
        |right: &str| parse(&format!("var a : [] var b : [] var c : [] var x : [] x = {right}")).program;
    let programs = [text("a + b + c"), text("c + (b + a)")];
    let typings = [0, 1].map(|at| type_program(&programs[at]).unwrap());
    let typed = [0, 1].map(|at| Typed { program: &programs[at], typing: &typings[at] });
    let problem = Equivalence::new(typed[0], typed[1], Division::Controlled, 10).unwrap();
    for terms in 1..40 {
        let budget = Budget { terms, evaluations: 50, ..Budget::default() };
        let relation = decide(&problem, &DecisionOptions { budget, seed: 0 }).answers[0].relations.any;
        let enough = relation == Relation::Equivalent;
        assert!(enough || relation == Relation::Unknown, "{terms}: {relation}");
        assert!(enough || terms < 20, "{terms} terms are enough");
        assert!(!enough || terms > 9, "4 unknowns, • and 4 sums are more than {terms} terms");
    }
}

/// `t = (2^61 − 1) x` vanishes in the prime field: a proof over ℚ with that constant says nothing there.
#[test]
fn a_constant_that_is_zero_modulo_the_prime() {
    let declarations = "var input x : [] var input y : [] var t : [] var output z : []";
    let doubled = format!("t = x {} t = t - x", "t = t + t ".repeat(61));
    let field = |left: &str, right: &str| {
        let side = |text: &str| format!("{doubled} {text}");
        let text = verdicts(declarations, &side(left), &side(right), Division::Controlled);
        let line = |system: &str| text.lines().find(|line| line.starts_with(system)).unwrap().to_owned();
        (line("rational: "), line("field: "))
    };
    for (left, right, expected) in [
        ("z = t / t", "z = x / x", "different"),
        ("z = y / t", "z = y / t / x * x", "unknown (the proof divides"),
    ] {
        let (rational, field) = field(left, right);
        assert_eq!(rational, "rational: equivalent", "{left} | {right}");
        assert!(field.starts_with(&format!("field: {expected}")), "{left} | {right}: {field}");
    }
}

/// `x^(2^32)` and `x^(2^34)`: exponents beyond any machine integer, and numbers beyond memory.
#[test]
fn powers_that_are_out_of_budget() {
    let power = |squarings: usize| format!("y = x {}", "y = y * y ".repeat(squarings));
    let declarations = "var input x : [] var output y : []";
    let different = verdicts(declarations, &power(32), &power(34), Division::Controlled);
    let line = |system: &str| different.lines().find(|line| line.starts_with(system)).unwrap();
    assert!(line("rational: ").starts_with("rational: unknown (a polynomial has an exponent beyond"));
    assert!(line("field: ").starts_with("field: different"));
    assert!(line("i64: ").starts_with("i64: different"));
    let small = verdicts(declarations, &power(10), &power(11), Division::Controlled);
    assert!(small.contains("rational: different {\"x\":{\"shape\":[],\"data\":[2]}"), "{small}");
    let same = verdicts(declarations, &power(10), &(power(9) + " y = y * y"), Division::Controlled);
    assert!(same.contains("rational: equivalent"), "{same}");
}

/// Found by a reviewer: a content that is divided out of a polynomial vanishes if the prime divides it. Without
/// evaluations there is only the proof, and it must not claim the field.
#[test]
fn a_content_that_is_zero_modulo_the_prime() {
    let doubled = format!("t = z + z {} t = t - z - z", "t = t + t ".repeat(60));
    let text = |statements: &str| {
        let inputs = "var input x : [] var input y : [] var input z : [] var output o : []";
        let locals = "var t : [] var c : [] var d : [] var D : [] var w : []";
        parse(&format!("{inputs} {locals} {statements}")).program
    };
    let cases = "c = y - t  d = y + z  D = x * c + d  w = z - (z * (D / D))  o = w - ((w * c) / c)";
    let programs = [text(&format!("{doubled} {cases} t = x * x  o = o + t - t")), text("o = x - x")];
    let typings = [0, 1].map(|at| type_program(&programs[at]).unwrap());
    let typed = [0, 1].map(|at| Typed { program: &programs[at], typing: &typings[at] });
    let problem = Equivalence::new(typed[0], typed[1], Division::Controlled, 10).unwrap();
    let budget = Budget { evaluations: 0, ..Budget::default() };
    let verdict = decide(&problem, &DecisionOptions { budget, seed: 0 });
    let relation = |name| verdict.in_system(name).unwrap().relations.any;
    assert_eq!(relation(SystemName::Rational), Relation::Equivalent);
    assert_eq!(relation(SystemName::Field), Relation::Unknown);
}
