//! `equiv` on pairs of programs: the verdicts, the laws and the counterexamples.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use generators::choices::{Choices, Random};
use generators::enumeration::{Limits, enumerate};
use generators::stores::{nth_store, store_count};
use semantics::decision::{Budget, Options, Problem, Relation, Verdict, decide};
use semantics::tensor_model::equivalence::{Equivalence, Typed, initial_store, input_variables};
use semantics::tensor_model::evaluation::{Evaluation, Method};
use semantics::tensor_model::simulation::{all_lengths, simulate};
use semantics::tensor_model::syntax::{ExprId, Program, Qualifier};
use semantics::tensor_model::{parsing::parse, typing::type_program};
use semantics::values::{Division, Extended, F32, I32, NumberSystem, PrimeField, Rationals, ValueDomain};
use std::collections::BTreeMap;

fn verdicts(declarations: &str, left: &str, right: &str, division: Division) -> String {
    let programs = [left, right].map(|statements| {
        let parsed = parse(&format!("{declarations}\n{statements}"));
        assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
        parsed.program
    });
    let typings = [0, 1].map(|at| type_program(&programs[at]).unwrap());
    let typed = [0, 1].map(|at| Typed { program: &programs[at], typing: &typings[at] });
    let problem = Equivalence::new(typed[0], typed[1], division, 1 << 20).unwrap();
    let verdict = decide(&problem, &Options::default());
    let mut lines = format!("laws: {}\n", verdict.laws.join(" "));
    for system in &verdict.systems {
        lines += &format!("{}: {}", system.system, system.relation);
        if let Some(c) = &system.counterexample {
            lines += &format!(" {}", c.to_json()["inputs"]);
            lines += &format!(
                " {}{:?}: {:?} / {:?}",
                c.variable,
                c.index,
                c.to_json()["left"],
                c.to_json()["right"]
            );
        }
        if let Some(open) = &system.open {
            lines += &format!(" ({open})");
        }
        assert_eq!(
            system.counterexample.is_some(),
            matches!(system.relation, Relation::Different | Relation::Refines)
        );
        lines += "\n";
    }
    lines
}

/// Whether two expressions over Γ agree on every store of `values`: (the same everywhere, the same where the left is
/// defined).
fn brute_force<S: NumberSystem<Number: Default>>(
    problem: &Equivalence<'_>,
    domain: &Extended<S>,
    values: &[Option<S::Number>],
) -> (bool, bool) {
    let n = problem.variables().iter().map(|v| v.elements()).sum();
    let (mut equal, mut refines) = (true, true);
    for number in 0..store_count(n, values.len()).unwrap() {
        let store = nth_store(number, n, values);
        for (left, right) in problem.sides(domain, &store, Method::Tabulated).unwrap() {
            let same = domain.known(&domain.same(&left, &right)) == Some(true);
            equal &= same;
            refines &= same || left.is_none();
        }
    }
    (equal, refines)
}

/// The expressions in groups of two and more that have the same value on one random store without `•`.
fn by_values(program: &Program, expressions: &[ExprId]) -> Vec<Vec<ExprId>> {
    let typing = type_program(program).unwrap();
    let typed = Typed { program, typing: &typing };
    let variables = input_variables(typed);
    let numbers: Vec<_> = (0..6).map(|at| Some(1_000_003 * at + 17)).collect();
    let domain = &Extended(PrimeField);
    let store = initial_store(domain, typed, &variables, &numbers, 100).unwrap();
    let (division, method) = (Division::Controlled, Method::Tabulated);
    let evaluation = Evaluation { domain, program, typing: &typing, division, method, max_elements: 100 };
    let mut groups: BTreeMap<Option<u64>, Vec<ExprId>> = BTreeMap::new();
    for &e in expressions {
        groups.entry(evaluation.tensor(&store, e).unwrap().get(0)).or_default().push(e);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

#[test]
fn verdicts_match_brute_force_on_pairs_of_small_expressions() {
    let mut context = Program::new();
    for (name, extents) in [("s", &[][..]), ("r", &[]), ("v", &[2]), ("y", &[])] {
        context.declare(Qualifier::None, name, extents);
    }
    let expressions = enumerate(context, Limits { operators: 3, rank: 3, division: true });
    let scalars: Vec<_> = expressions.expressions().filter(|(_, t)| t.rank() == 0).map(|(e, _)| *e).collect();
    let similar = by_values(&expressions.program, &scalars);
    let mut random = Random::seeded(3);
    let mut counts = [0; 4];
    for round in 0..200 {
        let side = |e| {
            let mut program = expressions.program.with_statements([]);
            let e = program.copy_expression(&expressions.program, e);
            program.assign("y", e);
            program
        };
        let group = if round % 4 == 0 { scalars.clone() } else { random.pick(&similar) };
        let (left, right) = (side(random.pick(&group)), side(random.pick(&group)));
        let typings = [type_program(&left).unwrap(), type_program(&right).unwrap()];
        let typed =
            [Typed { program: &left, typing: &typings[0] }, Typed { program: &right, typing: &typings[1] }];
        let problem = Equivalence::new(typed[0], typed[1], Division::ALL[round % 2], 1 << 10).unwrap();
        let verdict = decide(&problem, &Options::default());
        counts[verdict.systems[0].relation as usize] += 1;
        for system in &verdict.systems {
            let exact = [None, Some(0), Some(1), Some(-1), Some(3)];
            let found = match system.system {
                "rational" => brute_force(
                    &problem,
                    &Extended(Rationals),
                    &exact.map(|n| n.map(|n: i64| Rationals.index(n))),
                ),
                "i32" => {
                    brute_force(&problem, &Extended(I32), &[None, Some(0), Some(1), Some(i32::MIN), Some(-1)])
                }
                "f32" => brute_force(
                    &problem,
                    &Extended(F32),
                    &[None, Some(-0.0), Some(1.0), Some(f32::NAN), Some(3.0)],
                ),
                _ => continue,
            };
            let holds = match system.relation {
                Relation::Equivalent => found.0,
                Relation::Refines => found.1,
                Relation::Different | Relation::Unknown => true,
            };
            assert!(holds, "{left}\n{right}\n{system:?}");
        }
        for system in verdict.systems.iter().filter(|s| s.relation == Relation::Different) {
            let c = system.counterexample.as_ref().unwrap();
            assert_ne!(c.to_json()["left"], c.to_json()["right"], "{left}\n{right}");
        }
    }
    assert!(counts[0] > 50 && counts[1] > 1 && counts[3] > 50, "{counts:?}");
    assert_eq!(
        counts[Relation::Unknown as usize],
        0,
        "over the rationals every pair of these is decided: {counts:?}"
    );
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
    expect_test::expect_file!["verdicts.txt"].assert_eq(&text);
}

/// Whether padding is safe, in range and in the padding, for the rationals and for f32.
fn safety(text: &str) -> String {
    let program = parse(text).program;
    let typing = type_program(&program).unwrap();
    let typed = Typed { program: &program, typing: &typing };
    let lengths = all_lengths(typed);
    let safety = simulate(typed, &lengths, Division::Controlled, 1 << 20, &Options::default()).unwrap();
    let of = |verdict: &Verdict, system| verdict.headline(system).unwrap().relation;
    ["rational", "f32"]
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
        let relation = decide(&problem, &Options { budget, seed: 0 }).systems[0].relation;
        let enough = relation == Relation::Equivalent;
        assert!(enough || relation == Relation::Unknown, "{terms}: {relation}");
        assert!(enough || terms < 20, "{terms} terms are enough");
        assert!(!enough || terms > 9, "4 unknowns, • and 4 sums are more than {terms} terms");
    }
}
