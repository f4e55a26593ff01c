//! Parses and types a program of 10,000 statements, in tokens per second.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rink::lexing::tokens;
use rink::parsing::parse;
use rink::typing::type_program;
use selfsame_benches::long_program;
use std::hint::black_box;

fn parse_and_type(criterion: &mut Criterion) {
    let text = long_program(10_000);
    let mut group = criterion.benchmark_group("parse_and_type");
    group.throughput(Throughput::Elements(tokens(&text).0.len() as u64));
    group.bench_function("10000_statements", |b| {
        b.iter(|| {
            let parsed = parse(black_box(&text));
            assert!(parsed.errors.is_empty());
            type_program(&parsed.program).unwrap()
        });
    });
    group.finish();
}

criterion_group!(benches, parse_and_type);
criterion_main!(benches);
