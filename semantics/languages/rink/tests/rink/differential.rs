//! Checks the verdicts of `equiv` against brute force, on random pairs of all expressions up to a size that have
//! the same value on a random store. `make verdicts` is the long campaign.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use generators::choices::{DecisionSource, Random};
use generators::enumeration::{EnumerationLimits, ExpressionEnumeration, enumerate};
use generators::stores::{nth_store, store_count};
use rink::decision::{Budget, DecisionOptions, DecisionProblem, InputVariable, decide};
use rink::equivalence::{Equivalence, Typed, initial_store, input_variables};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::syntax::{ExprId, Program, Qualifier};
use rink::typing::type_program;
use selfsame_core::answer::Answer;
use selfsame_core::relation::Relation;
use std::collections::BTreeMap;
use values::{
    Division, Extended, F32, F64, FIELD_MODULUS, I32, I64, Integers, NumberSystem, PrimeField, Rationals,
    SystemName, ValueDomain,
};

/// The declared variables of a campaign; the last one is assigned.
const CONTEXTS: [&[(Qualifier, &str, &[u64])]; 4] = [
    &[
        (Qualifier::None, "s", &[]),
        (Qualifier::None, "r", &[]),
        (Qualifier::None, "v", &[2]),
        (Qualifier::None, "y", &[]),
    ],
    &[
        (Qualifier::Input, "s", &[]),
        (Qualifier::Input, "r", &[]),
        (Qualifier::Input, "t", &[]),
        (Qualifier::Output, "y", &[]),
    ],
    &[
        (Qualifier::None, "s", &[]),
        (Qualifier::Input, "r", &[]),
        (Qualifier::Input, "t", &[]),
        (Qualifier::Output, "y", &[]),
    ],
    &[(Qualifier::Input, "s", &[]), (Qualifier::Input, "v", &[2]), (Qualifier::Output, "y", &[])],
];

/// The expressions over a context, with at most `operators` operators.
fn enumeration(context: &[(Qualifier, &str, &[u64])], operators: usize) -> ExpressionEnumeration {
    let mut program = Program::new();
    for (qualifier, name, extents) in context {
        program.declare(*qualifier, name, extents);
    }
    enumerate(program, EnumerationLimits { operators, rank: 3, division: true })
}

/// The scalar expressions, in groups of two or more that have the same value on one random store without `•`.
fn by_values(expressions: &ExpressionEnumeration) -> Vec<Vec<ExprId>> {
    let program = &expressions.program;
    let typing = type_program(program).unwrap();
    let typed = Typed { program, typing: &typing };
    let variables = input_variables(typed);
    let numbers: Vec<_> = (0..6).map(|at| Some(1_000_003 * at + 17)).collect();
    let domain = &Extended(PrimeField);
    let store = initial_store(domain, typed, &variables, &numbers, 100).unwrap();
    let (division, method) = (Division::Controlled, StatementMethod::Tabulated);
    let evaluation = Evaluation { domain, program, typing: &typing, division, method, max_elements: 100 };
    let mut groups: BTreeMap<Option<u64>, Vec<ExprId>> = BTreeMap::new();
    for (e, _) in expressions.expressions().filter(|(_, t)| t.rank() == 0) {
        groups.entry(evaluation.tensor(&store, *e).unwrap().get(0)).or_default().push(*e);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

/// Whether the sides agree on every initial store of `values`: everywhere, and wherever the left is defined.
fn agree<S: NumberSystem<Number: Default>>(
    problem: &Equivalence<'_>,
    system: S,
    values: &[S::Number],
) -> (bool, bool) {
    let domain = Extended(system);
    let elements = |v: &InputVariable| vec![v.initialized; v.elements()];
    let initialized: Vec<bool> = problem.variables().iter().flat_map(elements).collect();
    let values: Vec<_> = std::iter::once(None).chain(values.iter().cloned().map(Some)).collect();
    let (mut equal, mut refines) = (true, true);
    for number in 0..store_count(initialized.len(), values.len()).unwrap() {
        let store = nth_store(number, initialized.len(), &values);
        if store.iter().zip(&initialized).any(|(value, &initialized)| initialized && value.is_none()) {
            continue;
        }
        for (left, right) in problem.sides(&domain, &store, StatementMethod::Tabulated).unwrap() {
            let same = domain.known(&domain.same(&left, &right)) == Some(true);
            equal &= same;
            refines &= same || left.is_none();
        }
    }
    (equal, refines)
}

fn brute_force(problem: &Equivalence<'_>, system: SystemName) -> (bool, bool) {
    let small = [0, 1, -1, 2];
    match system {
        SystemName::Rational => agree(problem, Rationals, &small.map(|n| Rationals.index(n))),
        SystemName::Integer => agree(problem, Integers, &small.map(|n| Integers.index(n))),
        SystemName::I32 => agree(problem, I32, &[0, 1, -1, 2, i32::MIN, i32::MAX]),
        SystemName::I64 => agree(problem, I64, &[0, 1, -1, 2, i64::MIN, i64::MAX]),
        SystemName::F32 => agree(problem, F32, &[0.0, -0.0, 1.0, -3.0, f32::INFINITY, f32::NAN]),
        SystemName::F64 => agree(problem, F64, &[0.0, -0.0, 1.0, -3.0, f64::INFINITY, f64::NAN]),
        SystemName::Field => agree(problem, PrimeField, &[0, 1, 2, FIELD_MODULUS - 1]),
        other => panic!("no verdict is given in {other}"),
    }
}

/// The objection of brute force to a verdict.
fn objection(problem: &Equivalence<'_>, answer: &Answer) -> Option<String> {
    let (equal, refines) = brute_force(problem, answer.system);
    match answer.relations.any {
        Relation::Equivalent if !equal => Some("not equivalent".to_owned()),
        Relation::Refines if !refines => Some("not refined".to_owned()),
        Relation::Different | Relation::Unequal | Relation::Refines => {
            let Some(c) = &answer.counterexamples.any else { return Some("no counterexample".to_owned()) };
            let c = c.to_json();
            // A refutation of refinement leaves the left side defined.
            let is_less = answer.relations.any == Relation::Different && c["left"].is_null();
            (c["left"] == c["right"] || is_less).then(|| "the counterexample does not show it".to_owned())
        }
        Relation::Equivalent | Relation::Unknown => None,
    }
}

#[test]
fn verdicts_match_brute_force_on_pairs_of_expressions() {
    let (pairs, operators) =
        (campaigns::size("differential-pairs") as usize, campaigns::size("differential-operators") as usize);
    let (mut random, mut counts, mut verdicts) = (Random::seeded(99), [0; 5], 0);
    for context in CONTEXTS {
        let expressions = enumeration(context, operators);
        let similar = by_values(&expressions);
        for round in 0..pairs {
            let side = |e| {
                let mut program = expressions.program.with_statements([]);
                let e = program.copy_expression(&expressions.program, e);
                program.assign("y", e);
                program
            };
            let group = random.pick(&similar);
            let (left, right) = (side(random.pick(&group)), side(random.pick(&group)));
            let [t0, t1] = [type_program(&left).unwrap(), type_program(&right).unwrap()];
            let typed = [Typed { program: &left, typing: &t0 }, Typed { program: &right, typing: &t1 }];
            let division = Division::ALL[round % 2];
            let problem = Equivalence::new(typed[0], typed[1], division, 1 << 10).unwrap();
            let budget = Budget { evaluations: 600, ..Budget::default() };
            let verdict = decide(&problem, &DecisionOptions { budget, seed: round as u64 });
            let rational = &verdict.answers[0];
            counts[rational.relations.any as usize] += 1;
            if rational.relations.any == Relation::Unknown {
                println!("unknown: {division:?} {:?}\n{left}\n{right}", verdict.open);
            }
            for answer in &verdict.answers {
                verdicts += 1;
                let objection = objection(&problem, answer);
                assert_eq!(objection, None, "{division:?} {answer:?}\n{left}\n{right}");
            }
        }
    }
    let [equivalent, refines, unknown, unequal, different] = counts;
    println!(
        "{verdicts} verdicts; rational: {equivalent} equivalent, {refines} refines, {unknown} unknown, {unequal} not equal, {different} different"
    );
    assert!(equivalent > pairs && refines > 0 && different > pairs / 4, "{counts:?}");
    assert!(
        unknown * 1000 <= pairs * CONTEXTS.len(),
        "over the rationals nearly every pair of these is decided: {counts:?}"
    );
}
