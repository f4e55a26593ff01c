//! The theorems as rewrites of an e-graph: random systems evaluate the same as their rewritten expressions.
#![allow(clippy::unwrap_used, reason = "a test")]

use alpha::domains::Domains;
use alpha::evaluation::{Setting, SystemEvaluator, VariableMethod};
use alpha::instance::SystemInstance;
use alpha::parsing::parse;
use alpha::printing::{Notation, print};
use alpha::syntax::{DeclaredFunction, Equation, ExprId, System, VariableId, VariableRole};
use alpha::typing::type_system;
use alpha::uses::Uses;
use checker::solver::{Obligations, in_own_context};
use egg::{CostFunction, EGraph, Extractor, Id, Language, RecExpr};
use fastrand::Rng;
use generators::alpha::{SystemShape, system};
use generators::choices::Random;
use languages::Source;
use link::certificate::SystemDerivation;
use link::derivation::check;
use polyhedra_isl::Isl;
use rewrites::optimization::egraph::explanation::derived;
use rewrites::optimization::egraph::expressions::{add_all, push};
use rewrites::optimization::egraph::facts::{ExpressionGraph, Facts};
use rewrites::optimization::egraph::language::{ENode, Head};
use rewrites::optimization::egraph::rewriting::Rewrite;
use rewrites::optimization::egraph::saturation::{SaturationLimits, saturate};
use rewrites::optimization::egraph::{scalars, theorems};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use std::collections::BTreeMap;
use values::{Division, Extended, F32, Machine, Rationals, System as NumberSystem, ValueDomain};

/// Random costs, so that random terms are extracted; some variables may not be read.
struct Chance(Rng, Vec<VariableId>);

impl CostFunction<ENode> for Chance {
    type Cost = f64;

    fn cost<C: FnMut(Id) -> f64>(&mut self, term: &ENode, mut costs: C) -> f64 {
        let own = match term.head {
            Head::Variable(x) if self.1.contains(&x) => f64::INFINITY,
            _ => 1.0 + 4.0 * self.0.f64(),
        };
        term.fold(own, |sum, operand| sum + costs(operand))
    }
}

fn input(system: &System, seed: u64, x: VariableId, z: &[i64]) -> Element<Extended<Rationals>> {
    let mixed = z.iter().fold(seed ^ x.index() as u64, |mixed, &i| {
        mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(i.cast_unsigned()).rotate_left(17)
    });
    let mut rng = Rng::with_seed(mixed);
    let undefined = rng.u8(0..6) == 0;
    match system.variable(x).data_type {
        ElementType::Boolean => Datum::Truth((!undefined).then(|| rng.bool())),
        _ if undefined => Datum::Number(None),
        _ => Datum::Number(Extended(Rationals).index(rng.i64(-3..=3))),
    }
}

/// Values of expressions at a point, as text; `None` if a limit is reached.
fn values(
    system: &System,
    domains: &Domains,
    parameters: &[i64],
    expressions: [ExprId; 2],
    z: &[i64],
) -> Option<[String; 2]> {
    let (instance, typing) =
        (SystemInstance::new(system, domains, parameters).ok()?, type_system(system).unwrap());
    let domain = Extended(Rationals);
    let functions = &|function: &DeclaredFunction, _: &[Element<Extended<Rationals>>]| {
        Some(match function.result {
            ElementType::Boolean => Datum::Truth(Some(true)),
            _ => Datum::Number(domain.index(2)),
        })
    };
    let input = &|x: VariableId, z: &[i64]| Some(input(system, 7, x, z));
    let value = |e: ExprId| {
        let (division, method, max_steps) = (Division::Extended, VariableMethod::Eval2, 50_000);
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
        SystemEvaluator::new(setting).expression(e, z).ok().map(|value| format!("{value:?}"))
    };
    Some([value(expressions[0])?, value(expressions[1])?])
}

/// The systems that are rewritten.
const SHAPE: SystemShape = SystemShape {
    max_parameters: 1,
    max_rank: 2,
    depth: 3,
    max_variables: 3,
    functions: true,
    bounded: None,
};

#[test]
fn what_expressions_are_rewritten_to_is_the_same() {
    let systems = campaigns::size("theorems-values");
    let engine = Isl::with_memory();
    let rewrites = [
        theorems::rewrites(&Rationals, &Machine::default()),
        scalars::rewrites(&Rationals, &Machine::default()),
    ]
    .concat();
    let (mut applied, mut compared): (BTreeMap<String, usize>, usize) = (BTreeMap::new(), 0);
    for seed in 0..systems {
        let original = system(&mut Random::seeded(seed), &SHAPE);
        let domains = Domains::new(&original, &engine, None).unwrap();
        let mut graph: ExpressionGraph<'_> = EGraph::new(Facts::new(&original, &domains, &engine));
        let terms = add_all(&mut graph, &domains).unwrap();
        let report = saturate(&mut graph, &rewrites, SaturationLimits { terms: 600, rounds: 4 });
        assert!(graph.analysis.conflicts.is_empty(), "seed {seed}: {:?}", graph.analysis.conflicts);
        report.applied.into_iter().for_each(|(name, times)| *applied.entry(name).or_default() += times);
        let mut extended = original.clone();
        let mut pairs = Vec::new();
        for round in 0..3 {
            let chance = Chance(Rng::with_seed(seed * 3 + round), Vec::new());
            let extractor = Extractor::new(&graph, chance);
            for (at, &term) in terms.iter().enumerate() {
                let (_, other): (f64, RecExpr<ENode>) = extractor.find_best(term);
                let e = push(&graph, &mut extended, &other).unwrap();
                pairs.push([ExprId::at(at), e]);
            }
        }
        let domains = Domains::new(&extended, &engine, None).unwrap();
        let mut rng = Rng::with_seed(seed);
        for pair in pairs {
            for _ in 0..4 {
                let parameters: Vec<i64> = extended.parameters.iter().map(|_| rng.i64(0..5)).collect();
                let z: Vec<i64> = (0..domains.domain(pair[0]).space.rank()).map(|_| rng.i64(-3..6)).collect();
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

/// The locals that do not depend on themselves.
fn inlined(system: &System) -> Vec<VariableId> {
    let recurrent: Vec<VariableId> = Uses::new(system).cycles().concat();
    let is_inlined =
        |x: &VariableId| system.variable(*x).kind == VariableRole::Local && !recurrent.contains(x);
    system.variable_ids().filter(is_inlined).collect()
}

/// The definitions of a system as terms, with the locals that do not depend on themselves inlined.
fn definitions(graph: &mut ExpressionGraph<'_>, domains: &Domains, terms: &[Id]) -> Vec<(VariableId, Id)> {
    let system = graph.analysis.system;
    let inlined = inlined(system);
    let of = |x: VariableId| {
        let all: Vec<Id> = system.definitions(x).map(|of| terms[of.expression.index()]).collect();
        let right = match all[..] {
            [] => return None,
            [only] => only,
            _ => graph.add_uncanonical(ENode::new(Head::Case, all)),
        };
        let set = graph.analysis.set_id(domains.declared(x)).unwrap();
        let set = graph.add_uncanonical(ENode::new(Head::Set(set), []));
        let definition = graph.add_uncanonical(ENode::new(Head::Restrict, [set, right]));
        if inlined.contains(&x) {
            let read = graph.add_uncanonical(ENode::new(Head::Variable(x), []));
            graph.union_trusted(read, definition, "alpha/equation-2");
        }
        Some((x, definition))
    };
    system.variable_ids().filter_map(of).collect()
}

/// The checker accepts, step by step, the derivations of rewritten definitions of random systems.
#[test]
fn what_expressions_are_rewritten_to_is_derived() {
    let systems = campaigns::size("theorems");
    let engine = Isl::with_memory();
    let rewrites = [
        theorems::rewrites(&Rationals, &Machine::default()),
        scalars::rewrites(&Rationals, &Machine::default()),
    ]
    .concat();
    let (mut accepted, mut undecided, mut long, mut tried) = (0, 0, 0, 0);
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..systems {
        let original = system(&mut Random::seeded(seed), &SHAPE);
        // The checker cannot verify conditions on the hull of a union.
        if print(&original, Notation::Functional).contains(".convex") {
            continue;
        }
        tried += 1;
        let domains = Domains::new(&original, &engine, None).unwrap();
        let mut graph: ExpressionGraph<'_> =
            EGraph::new(Facts::new(&original, &domains, &engine)).with_explanations_enabled();
        let terms = add_all(&mut graph, &domains).unwrap();
        let roots = definitions(&mut graph, &domains, &terms);
        saturate(&mut graph, &rewrites, SaturationLimits { terms: 600, rounds: 4 });
        let mut result = original.clone();
        let inlined = inlined(&original);
        let chance = Chance(Rng::with_seed(seed), inlined);
        let extractor = Extractor::new(&graph, chance);
        let others: Vec<_> = roots.iter().map(|&(_, root)| extractor.find_best(root).1).collect();
        for ((x, _), other) in roots.iter().zip(&others) {
            let expression = push(&graph, &mut result, other).unwrap();
            let first = original.definitions(*x).next().unwrap().clone();
            result.equations.retain(|equation| equation.variable != *x);
            result.equations.push(Equation { expression, indices: None, ..first });
        }
        let of_result = Domains::new(&result, &engine, None).unwrap();
        let Some(definitions) = derived(&mut graph, &result, &of_result, &roots) else {
            long += 1;
            continue;
        };
        let source = |name: &str, system: &System| Source {
            name: name.to_owned(),
            language: languages::Language::Alpha,
            text: print(system, Notation::Functional),
        };
        for line in definitions.iter().flat_map(|of| &of.lines) {
            *used.entry(line.by.clone()).or_default() += 1;
        }
        let programs = [source("original", &original), source("result", &result)];
        let derivation =
            SystemDerivation { programs, system: NumberSystem::default(), rules: Vec::new(), definitions };
        match in_own_context(|| check(&derivation, &Obligations::default())) {
            Ok(_) => accepted += 1,
            Err(refusal) if refusal.undecided => undecided += 1,
            Err(refusal) => panic!("seed {seed}: {refusal}\n{derivation:#?}"),
        }
    }
    println!("{accepted} accepted, {undecided} undecided, {long} not said; {used:?}");
    assert!(accepted * 10 >= tried * 9, "{accepted} accepted, {undecided} undecided, {long} not said");
    assert!(used.len() >= 12, "{used:?}");
}

/// An e-graph uses the laws of one number system: what associativity merges over the rational numbers is never
/// used for floats.
#[test]
fn an_egraph_is_of_one_number_system() {
    let text = "system s (a, b, c : real) returns (y, z : real); let y[] = (a[] + b[]) + c[]; z[] = a[] + (b[] + c[]); tel;";
    let system = parse(text).system;
    let engine = Isl::with_memory();
    let domains = Domains::new(&system, &engine, None).unwrap();
    let same = |all: &[Vec<Rewrite>]| {
        let mut graph: ExpressionGraph<'_> = EGraph::new(Facts::new(&system, &domains, &engine));
        let terms = add_all(&mut graph, &domains).unwrap();
        let sides = [0, 1].map(|k| terms[system.equations[k].expression.index()]);
        all.iter().for_each(|rewrites| drop(saturate(&mut graph, rewrites, SaturationLimits::default())));
        graph.find(sides[0]) == graph.find(sides[1])
    };
    let of = |rational: bool| match rational {
        true => [
            theorems::rewrites(&Rationals, &Machine::default()),
            scalars::rewrites(&Rationals, &Machine::default()),
        ]
        .concat(),
        false => {
            [theorems::rewrites(&F32, &Machine::default()), scalars::rewrites(&F32, &Machine::default())]
                .concat()
        }
    };
    assert!(same(&[of(true)]));
    assert!(!same(&[of(false)]));
    assert!(!same(&[of(false), of(true)]));
}
