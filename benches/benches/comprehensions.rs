//! Tensor Comprehensions: parsing and inference of 10,000 statements; a product of matrices by the reference, in f64 and exact, beside a loop
//! nest in f64; and by a plan, beside the plan of the same system in ALPHA.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use alpha::domains::Domains;
use alpha::instance::SystemInstance;
use alpha::syntax::System;
use alpha::typing::type_system;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use evaluator::{Buffer, Plan};
use language::{ComparedElements, GivenInputs, Program as _, Runnable as _, Signature, Task};
use polyhedra_isl::Isl;
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use std::hint::black_box;
use std::time::{Duration, Instant};
use tc::parsing::parse;
use tc::program::Program;
use tc::typing::type_file;
use values::{Division, Extended, F64, Listed, Rationals};

/// That of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PRODUCT: &str = "def product(float(N, K) A, float(K, M) B) -> (C) { C(i, j) +=! A(i, k) * B(k, j) }";

/// A program of this many statements, each a stencil of the one before.
fn long(statements: usize) -> String {
    let mut text = "def f(float(N) A) -> (T0".to_owned();
    text.push_str(") {\n  T0(i) = A(i)\n");
    for at in 1..statements {
        let before = at - 1;
        text.push_str(&format!("  T{at}(i) +=! T{before}(i) * A(j) - 0.5 where j in 0:N\n"));
    }
    text.push_str("}\n");
    text.replacen("(T0)", &format!("(T{})", statements - 1), 1)
}

/// The time without that of dropping what is made.
fn timed<T>(times: u64, make: impl Fn() -> T) -> Duration {
    let once = |_| {
        let start = Instant::now();
        let made = make();
        let time = start.elapsed();
        drop(made);
        time
    };
    (0..times).map(once).sum()
}

fn parse_and_infer(criterion: &mut Criterion) {
    let text = long(10_000);
    let mut group = criterion.benchmark_group("comprehensions");
    group.throughput(Throughput::Elements(10_000)).sample_size(20);
    group.bench_function("parse", |b| b.iter_custom(|times| timed(times, || parse(black_box(&text)))));
    let both = || {
        let (file, errors) = parse(black_box(&text));
        assert!(errors.is_empty());
        (type_file(&file).unwrap(), file)
    };
    group.bench_function("parse_and_infer", |b| b.iter_custom(|times| timed(times, both)));
    group.finish();
}

struct Numbers<S>(S);

impl<S: Listed> GivenInputs<Extended<S>> for Numbers<S> {
    fn element(&self, _: &str, at: &[i64], of: ElementType) -> Element<Extended<S>> {
        Datum::Number(Some(self.0.index_as(of, at.iter().sum::<i64>() % 19 - 9)))
    }

    fn index(&self, _: &str) -> i64 {
        0
    }

    fn call(&self, _: Signature<'_>, _: &[Element<Extended<S>>]) -> Option<Element<Extended<S>>> {
        None
    }
}

fn reference<S: Listed>(criterion: &mut Criterion, system: S, sizes: &[i64]) {
    let mut group = criterion.benchmark_group(format!("comprehensions/product/{}/reference", system.name()));
    group.sample_size(20);
    let (program, engine) = (Program::read(PRODUCT).unwrap(), Isl::with_memory());
    let (runnable, outputs) = (program.runnable(&engine).unwrap(), ["C".to_owned()]);
    for &n in sizes {
        let sizes = ["N", "M", "K"].map(|name| (name.to_owned(), n)).into();
        // One element is compared, so that the outputs are not copied.
        let place = ("C".to_owned(), vec![0, 0]);
        let compared = ComparedElements::One(&place);
        let division = Division::System;
        group.bench_function(BenchmarkId::from_parameter(n), |b| {
            b.iter(|| {
                let task = Task { division, outputs: &outputs, compared, steps: 1 << 40, elements: 1 << 20 };
                runnable.outputs(&Extended(system), black_box(&sizes), &Numbers(system), task).unwrap()
            });
        });
    }
    group.finish();
}

fn loop_nest(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("comprehensions/product/f64/loop_nest");
    for n in [32, 64] {
        let matrix: Vec<f64> = (0..n * n).map(|at| (at % 19) as f64 - 9.0).collect();
        group.bench_function(BenchmarkId::from_parameter(n), |b| {
            b.iter(|| {
                let (a, b) = (black_box(&matrix), black_box(&matrix));
                let mut c = vec![0.0; n * n];
                for i in 0..n {
                    for j in 0..n {
                        for k in 0..n {
                            c[i * n + j] += a[i * n + k] * b[k * n + j];
                        }
                    }
                }
                c
            });
        });
    }
    group.finish();
}

const ALPHA: &str = "system product (N, K, M : { N,K,M | N>=1; K>=1; M>=1 } parameter;
  A : { i,k | 0<=i<N; 0<=k<K } of real; B : { k,j | 0<=k<K; 0<=j<M } of real)
  returns (C : { i,j | 0<=i<N; 0<=j<M } of real);
let C = reduce(+, (i,j,k->i,j), A.(i,j,k->i,k) * B.(i,j,k->k,j)); tel;";

fn plan(criterion: &mut Criterion, name: &str, system: &System) {
    let mut group = criterion.benchmark_group(format!("comprehensions/product/f64/plan/{name}"));
    let (typing, engine) = (type_system(system).unwrap(), Isl::with_memory());
    let domains = Domains::new(system, &engine, None).unwrap();
    for n in [64, 256] {
        let instance = SystemInstance::new(system, &domains, &[n, n, n]).unwrap();
        let plan = Plan::<f64>::compile(&instance, &typing, Division::System).unwrap();
        let mut workspace = plan.workspace().unwrap();
        let filled = |length: usize| {
            let mut buffer = Buffer::<f64>::new(length).unwrap();
            buffer.all_mut().iter_mut().enumerate().for_each(|(at, number)| *number = (at % 19) as f64 - 9.0);
            buffer
        };
        let inputs: Vec<Buffer<f64>> = plan.inputs.iter().map(|slot| filled(slot.layout.length)).collect();
        let mut outputs: Vec<Buffer<f64>> =
            plan.outputs.iter().map(|slot| filled(slot.layout.length)).collect();
        group.bench_function(BenchmarkId::from_parameter(n), |b| {
            b.iter(|| {
                let inputs: Vec<&[f64]> = inputs.iter().map(Buffer::all).collect();
                let mut written: Vec<&mut [f64]> = outputs.iter_mut().map(Buffer::all_mut).collect();
                plan.run(&mut workspace, black_box(&inputs), &mut written).unwrap();
            });
        });
    }
    group.finish();
}

fn comprehensions(criterion: &mut Criterion) {
    parse_and_infer(criterion);
    loop_nest(criterion);
    reference(criterion, F64, &[32, 64]);
    reference(criterion, Rationals, &[32]);
    plan(criterion, "comprehension", &Program::read(PRODUCT).unwrap().lower().unwrap().system);
    plan(criterion, "alpha", &alpha::parsing::parse(ALPHA).system);
}

criterion_group!(benches, comprehensions);
criterion_main!(benches);
