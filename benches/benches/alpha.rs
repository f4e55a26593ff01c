//! ALPHA: parsing, checking, questions about domains, and evaluation compared with the model language's
//! evaluators.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use alpha::checking::check;
use alpha::lexing::tokens;
use alpha::parsing::parse;
use alpha::typing::type_system;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use polyhedra::{AffineMap, Engine, IndexSet};
use polyhedra_isl::Isl;
use rink::equivalence::{Typed, initial_store, input_variables};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::typing::type_program;
use selfsame_benches::alpha::{FIGURES, PRODUCT, long_system, prepare};
use std::hint::black_box;
use values::{Division, Extended, F64, NumberSystem};

fn text(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("alpha");
    group.sample_size(10);
    let long = long_system(2_000);
    group.throughput(Throughput::Elements(tokens(&long).0.len() as u64));
    group.bench_function("parse_and_type/2000_equations", |b| {
        b.iter(|| type_system(&parse(black_box(&long)).system).unwrap());
    });
    for (name, figure) in FIGURES {
        group.throughput(Throughput::Elements(tokens(figure).0.len() as u64));
        group.bench_function(format!("parse/{name}"), |b| b.iter(|| parse(black_box(figure))));
    }
    group.finish();
    let mut group = criterion.benchmark_group("alpha/check");
    group.sample_size(10);
    for (name, text) in FIGURES.into_iter().chain([("product", PRODUCT)]) {
        let system = parse(text).system;
        group.bench_function(name, |b| b.iter(|| check(black_box(&system), &Isl::new(), None).unwrap()));
    }
    for stages in [10, 100] {
        let system = parse(&long_system(stages)).system;
        group.bench_function(BenchmarkId::new("equations", stages), |b| {
            b.iter(|| check(black_box(&system), &Isl::new(), None).unwrap());
        });
    }
    group.finish();
}

/// Questions about the domain of `Y` of Fig. 3, and the dependence of `x`.
fn questions(criterion: &mut Criterion) {
    let set = |text: &str| text.parse::<IndexSet>().unwrap();
    let domain = set("[N] -> { [i, j] : 0 <= j and j <= N and i >= N }");
    let part = set("[N] -> { [i, j] : 1 <= j and j <= N and i >= N and N >= 0 }");
    let source = set("[N] -> { [i] : i >= 1 }");
    let read: AffineMap = "[N] -> { [i, j] -> [i - j + 1] }".parse().unwrap();
    let isl = Isl::new();
    let mut group = criterion.benchmark_group("alpha/questions");
    group.bench_function("preimage/rust", |b| b.iter(|| black_box(&source).preimage(&read).unwrap()));
    group.bench_function("contains/rust", |b| b.iter(|| black_box(&domain).contains(&[4], &[9, 3]).unwrap()));
    group.bench_function("image/isl", |b| b.iter(|| isl.image(black_box(&part), &read).unwrap()));
    group.bench_function("subset/isl", |b| b.iter(|| isl.is_subset(black_box(&part), &domain).unwrap()));
    group.bench_function("difference/isl", |b| b.iter(|| isl.difference(black_box(&domain), &part).unwrap()));
    group.bench_function("intersection/isl", |b| {
        b.iter(|| isl.intersection(black_box(&domain), &part).unwrap())
    });
    group.finish();
}

/// `Eval2` of the first elements of the convolution at N = 4, in f64.
fn convolution(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("alpha/convolution");
    group.sample_size(10);
    for (name, text) in FIGURES {
        let prepared = prepare(text).unwrap();
        let instance = prepared.instance(&[4]).unwrap();
        for count in [1_000, 10_000] {
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(BenchmarkId::new(name, count), |b| {
                let points = || (4..4 + count).map(|i| vec![i]);
                b.iter(|| prepared.evaluate(&instance, &Extended(F64), "y", points()).unwrap());
            });
        }
    }
    group.finish();
}

/// A product of matrices in ALPHA and in the model language, in f64.
fn product(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("alpha/product");
    group.sample_size(10);
    let prepared = prepare(PRODUCT).unwrap();
    for n in [8, 16, 32] {
        let instance = prepared.instance(&[n]).unwrap();
        group.bench_function(BenchmarkId::new("eval2", n), |b| {
            let points = || (1..=n).flat_map(|i| (1..=n).map(move |j| vec![i, j]));
            b.iter(|| prepared.evaluate(&instance, &Extended(F64), "c", points()).unwrap());
        });
        for method in [StatementMethod::PointWise, StatementMethod::Tabulated] {
            model(&mut group, n as usize, method);
        }
    }
    group.finish();
}

fn model(
    group: &mut criterion::BenchmarkGroup<'_, criterion::measurement::WallTime>,
    n: usize,
    method: StatementMethod,
) {
    let declarations: String = ["A", "B", "C"].iter().map(|x| format!("var {x} : [{n} {n}] ")).collect();
    let program = &rink::parsing::parse(&format!("{declarations} C = (A # B) . [2 3]")).program;
    let typing = &type_program(program).unwrap();
    let (domain, typed) = (&Extended(F64), Typed { program, typing });
    let variables = input_variables(typed);
    let elements: usize = variables.iter().map(|v| v.elements()).sum();
    let numbers: Vec<_> = (0..elements).map(|at| Some(F64.index((at % 19) as i64 - 9))).collect();
    let store = initial_store(domain, typed, &variables, &numbers, 1 << 20).unwrap();
    let division = Division::Controlled;
    let evaluation = Evaluation { domain, program, typing, division, method, max_elements: 1 << 24 };
    group.bench_function(BenchmarkId::new(format!("model/{method:?}"), n), |b| {
        b.iter(|| evaluation.tensor(black_box(&store), program.statements[0].expression).unwrap());
    });
}

criterion_group!(benches, text, questions, convolution, product);
criterion_main!(benches);
