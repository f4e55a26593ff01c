//! tr(AB) = tr(BA) and tr(ABC) = tr(CAB), for all values, in every number system: the complete decision.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rink::decision::{Budget, DecisionOptions, DecisionProblem, TermFinding, Tiers, decide};
use rink::equivalence::{Equivalence, Typed};
use rink::evaluation::StatementMethod;
use rink::parsing::parse;
use rink::typing::type_program;
use selfsame_core::relation::Relation;
use values::Division;
use values::symbolic::{Terms, Unknown};

const TRACES: [(&str, &str, &str); 2] = [
    ("tr(AB)", "s = (A # B) . [2 3] . [1 2]", "s = (B # A) . [2 3] . [1 2]"),
    ("tr(ABC)", "s = (A # B) . [2 3] # C . [2 3] . [1 2]", "s = (C # A) . [2 3] # B . [2 3] . [1 2]"),
];

fn symbolic_equality(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("symbolic_equality");
    group.sample_size(10);
    for (name, left, right) in TRACES {
        for n in [2, 4, 8] {
            let declarations: String =
                ["A", "B", "C"].iter().map(|x| format!("var input {x} : [{n} {n}] ")).collect();
            let side =
                |statement: &str| parse(&format!("{declarations} var output s : [] {statement}")).program;
            let (a, b) = (side(left), side(right));
            let (ta, tb) = (type_program(&a).unwrap(), type_program(&b).unwrap());
            let typed = (Typed { program: &a, typing: &ta }, Typed { program: &b, typing: &tb });
            let problem = Equivalence::new(typed.0, typed.1, Division::Controlled, 1 << 20).unwrap();
            group
                .bench_function(BenchmarkId::new(format!("{name}/proof"), n), |b| b.iter(|| prove(&problem)));
            group.bench_function(BenchmarkId::new(format!("{name}/all_systems"), n), |b| {
                b.iter(|| decide(&problem, &DecisionOptions::default()));
            });
        }
    }
    group.finish();
}

/// Only the proof, without the search for counterexamples in systems where it does not hold.
fn prove(problem: &Equivalence<'_>) {
    let terms = Terms::with_limit(1 << 24);
    let n: usize = problem.variables().iter().map(|v| v.elements()).sum();
    let unknowns: Vec<_> = (0..n as u32).map(|at| terms.unknown(Unknown(at))).collect();
    let initialized = vec![true; n];
    let mut tiers = Tiers::new(&terms, &initialized, Budget::default());
    for (left, right) in problem.sides(&terms, &unknowns, StatementMethod::Tabulated).unwrap() {
        let finding = tiers.decide(left, right);
        assert!(matches!(finding, TermFinding::Proved { relation: Relation::Equivalent, .. }));
    }
}

criterion_group!(benches, symbolic_equality);
criterion_main!(benches);
