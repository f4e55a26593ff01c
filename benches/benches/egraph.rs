//! The e-graph: random systems of about 10, 100 and 1,000 expressions, saturated up to a limit of terms; in terms
//! per second.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use alpha::domains::Domains;
use alpha::syntax::System;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use egg::EGraph;
use generators::alpha::{SystemShape, system};
use generators::choices::Random;
use polyhedra_isl::Isl;
use rewrites::optimization::egraph::expressions::add_all;
use rewrites::optimization::egraph::facts::{ExpressionGraph, Facts};
use rewrites::optimization::egraph::saturation::{SaturationLimits, saturate};
use rewrites::optimization::egraph::{scalars, theorems};
use std::hint::black_box;
use values::{Machine, Rationals};

/// The maximum number of terms of the e-graph.
const TERMS: usize = 8_000;

/// A random system of about `size` expressions.
fn of_size(size: usize) -> System {
    let shape = SystemShape {
        max_parameters: 1,
        max_rank: 2,
        depth: 3,
        max_variables: 3,
        functions: true,
        bounded: None,
    };
    let shape = match size {
        10 => shape,
        100 => SystemShape { depth: 5, max_variables: 6, ..shape },
        _ => SystemShape { depth: 12, max_variables: 150, ..shape },
    };
    let all = (0..1_000).map(|seed| system(&mut Random::seeded(seed), &shape));
    all.min_by_key(|system| system.expressions().len().abs_diff(size)).unwrap()
}

fn terms(system: &System) -> usize {
    let engine = Isl::new();
    let rewrites = [
        theorems::rewrites(&Rationals, &Machine::default()),
        scalars::rewrites(&Rationals, &Machine::default()),
    ]
    .concat();
    let domains = Domains::new(system, &engine, None).unwrap();
    let mut graph: ExpressionGraph<'_> =
        EGraph::new(Facts::new(system, &domains, &engine)).with_explanations_enabled();
    add_all(&mut graph, &domains).unwrap();
    saturate(&mut graph, &rewrites, SaturationLimits { terms: TERMS, ..SaturationLimits::default() });
    graph.total_number_of_nodes()
}

fn saturation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("egraph");
    group.sample_size(10);
    for size in [10, 100, 1_000] {
        let system = of_size(size);
        let count = terms(&system);
        println!("{} expressions, {count} terms", system.expressions().len());
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::new("saturation", size), |b| b.iter(|| terms(black_box(&system))));
    }
    group.finish();
}

criterion_group!(benches, saturation);
criterion_main!(benches);
