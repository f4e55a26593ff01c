//! A chain of two n × n products by the reference, exact and in f64, compared with a plain loop nest in f64.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rink::equivalence::{Typed, initial_store, input_variables};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::typing::type_program;
use selfsame_benches::product_chain;
use std::hint::black_box;
use values::{Division, Extended, F64, Listed, Rationals};

fn evaluate<S: Listed>(criterion: &mut Criterion, system: S, sizes: &[usize], method: StatementMethod) {
    let mut group = criterion.benchmark_group(format!("product_chain/{}/{method:?}", system.name()));
    group.sample_size(20);
    for &n in sizes {
        let program = &product_chain(n);
        let typing = &type_program(program).unwrap();
        let (domain, typed) = (&Extended(system), Typed { program, typing });
        let numbers: Vec<_> = (0..4 * n * n).map(|at| Some(system.index((at % 19) as i64 - 9))).collect();
        let store = initial_store(domain, typed, &input_variables(typed), &numbers, 1 << 20).unwrap();
        let evaluation = Evaluation {
            domain,
            program,
            typing,
            division: Division::Controlled,
            method,
            max_elements: 1 << 24,
        };
        group.bench_function(BenchmarkId::from_parameter(n), |b| {
            b.iter(|| evaluation.tensor(black_box(&store), program.statements[0].expression).unwrap());
        });
    }
    group.finish();
}

fn product(n: usize, a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut c = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            let mut sum = a[i * n] * b[j];
            for l in 1..n {
                sum += a[i * n + l] * b[l * n + j];
            }
            c[i * n + j] = sum;
        }
    }
    c
}

fn loop_nest(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("product_chain/f64/loop_nest");
    for n in [8, 16, 32] {
        let matrix: Vec<f64> = (0..n * n).map(|at| (at % 19) as f64 - 9.0).collect();
        group.bench_function(BenchmarkId::from_parameter(n), |b| {
            b.iter(|| product(n, &product(n, black_box(&matrix), black_box(&matrix)), black_box(&matrix)));
        });
    }
    group.finish();
}

fn reference_evaluation(criterion: &mut Criterion) {
    loop_nest(criterion);
    evaluate(criterion, F64, &[8, 16, 32], StatementMethod::Tabulated);
    evaluate(criterion, Rationals, &[8, 16, 32], StatementMethod::Tabulated);
    evaluate(criterion, F64, &[4, 8, 16], StatementMethod::PointWise);
}

criterion_group!(benches, reference_evaluation);
criterion_main!(benches);
