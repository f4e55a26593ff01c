//! The theorems as rewrites of an e-graph: random systems, and what their expressions are rewritten to, evaluate the same.
#![allow(clippy::unwrap_used, reason = "a test")]

use egg::{CostFunction, EGraph, Extractor, Id, Language, RecExpr};
use fastrand::Rng;
use generators::alpha::{Shape, system};
use generators::choices::Random;
use polyhedra_isl::Isl;
use rewrites::egraph::expressions::{add_all, push};
use rewrites::egraph::facts::{Facts, Graph};
use rewrites::egraph::language::Term;
use rewrites::egraph::saturation::{Limits, saturate};
use rewrites::egraph::{scalars, theorems};
use semantics::alpha::domains::Domains;
use semantics::alpha::evaluation::{Evaluator, Method, Setting};
use semantics::alpha::instance::Instance;
use semantics::alpha::operations::{Datum, Element};
use semantics::alpha::printing::{Notation, print};
use semantics::alpha::syntax::{DataType, ExprId, Function, System, VariableId};
use semantics::alpha::typing::type_system;
use semantics::values::{Division, Extended, Rationals, ValueDomain};
use std::collections::BTreeMap;

/// Random costs, so that random terms are extracted.
struct Chance(Rng);

impl CostFunction<Term> for Chance {
    type Cost = f64;

    fn cost<C: FnMut(Id) -> f64>(&mut self, term: &Term, mut costs: C) -> f64 {
        term.fold(1.0 + 4.0 * self.0.f64(), |sum, operand| sum + costs(operand))
    }
}

fn input(system: &System, seed: u64, x: VariableId, z: &[i64]) -> Element<Extended<Rationals>> {
    let mixed = z.iter().fold(seed ^ x.index() as u64, |mixed, &i| {
        mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(i.cast_unsigned()).rotate_left(17)
    });
    let mut rng = Rng::with_seed(mixed);
    let undefined = rng.u8(0..6) == 0;
    match system.variable(x).data_type {
        DataType::Boolean => Datum::Truth((!undefined).then(|| rng.bool())),
        _ if undefined => Datum::Number(None),
        _ => Datum::Number(Extended(Rationals).index(rng.i64(-3..=3))),
    }
}

/// Values of expressions at a point, as text; nothing if a limit is met.
fn values(
    system: &System,
    domains: &Domains,
    parameters: &[i64],
    expressions: [ExprId; 2],
    z: &[i64],
) -> Option<[String; 2]> {
    let (instance, typing) = (Instance::new(system, domains, parameters).ok()?, type_system(system).unwrap());
    let domain = Extended(Rationals);
    let functions = &|function: &Function, _: &[Element<Extended<Rationals>>]| {
        Some(match function.result {
            DataType::Boolean => Datum::Truth(Some(true)),
            _ => Datum::Number(domain.index(2)),
        })
    };
    let input = &|x: VariableId, z: &[i64]| Some(input(system, 7, x, z));
    let value = |e: ExprId| {
        let (division, method, max_steps) = (Division::Extended, Method::Eval2, 50_000);
        let setting = Setting {
            instance: &instance,
            typing: &typing,
            domain: &domain,
            division,
            input,
            functions,
            method,
            max_steps,
        };
        Evaluator::new(setting).expression(e, z).ok().map(|value| format!("{value:?}"))
    };
    Some([value(expressions[0])?, value(expressions[1])?])
}

#[test]
fn what_expressions_are_rewritten_to_is_the_same() {
    let systems = std::env::var("SELFSAME_SYSTEMS").map_or(40, |systems| systems.parse().unwrap());
    let engine = Isl::new();
    let rewrites = [theorems::rewrites(&Rationals), scalars::rewrites(&Rationals)].concat();
    let (mut applied, mut compared): (BTreeMap<String, usize>, usize) = (BTreeMap::new(), 0);
    for seed in 0..systems {
        let shape = Shape { max_parameters: 1, max_rank: 2, depth: 3, max_variables: 3 };
        let original = system(&mut Random::seeded(seed), &shape);
        let domains = Domains::new(&original, &engine, None).unwrap();
        let mut graph: Graph<'_> = EGraph::new(Facts::new(&original, &domains, &engine));
        let terms = add_all(&mut graph, &domains).unwrap();
        let report = saturate(&mut graph, &rewrites, Limits { terms: 600, rounds: 4 });
        assert!(graph.analysis.conflicts.is_empty(), "seed {seed}: {:?}", graph.analysis.conflicts);
        report.applied.into_iter().for_each(|(name, times)| *applied.entry(name).or_default() += times);
        let mut extended = original.clone();
        let mut pairs = Vec::new();
        for round in 0..3 {
            let chance = Chance(Rng::with_seed(seed * 3 + round));
            let extractor = Extractor::new(&graph, chance);
            for (at, &term) in terms.iter().enumerate() {
                let (_, other): (f64, RecExpr<Term>) = extractor.find_best(term);
                let e = push(&graph, &mut extended, &other).unwrap();
                pairs.push([ExprId::at(at), e]);
            }
        }
        let domains = Domains::new(&extended, &engine, None).unwrap();
        let mut rng = Rng::with_seed(seed);
        for pair in pairs {
            for _ in 0..4 {
                let parameters: Vec<i64> = extended.parameters.iter().map(|_| rng.i64(0..5)).collect();
                let z: Vec<i64> = (0..domains.of(pair[0]).space.rank()).map(|_| rng.i64(-3..6)).collect();
                if domains.context().contains(&parameters, &[]) != Ok(true) {
                    continue;
                }
                let Some([a, b]) = values(&extended, &domains, &parameters, pair, &z) else { continue };
                compared += 1;
                assert_eq!(
                    a,
                    b,
                    "seed {seed}, {pair:?} at {z:?}, {parameters:?}\n{}",
                    print(&extended, Notation::Functional)
                );
            }
        }
    }
    println!("{compared} values compared; {applied:?}");
    assert!(compared >= 200 * systems as usize, "{compared}");
    let fired =
        ["case-3", "dependence-2", "dependence-5", "reduce-7", "restrict-2", "restrict-4", "restrict-5"];
    for name in fired {
        assert!(applied.contains_key(&format!("alpha/{name}")), "{name}: {applied:?}");
    }
}
