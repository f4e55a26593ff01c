//! Cases of the fuzzer: generated, computed by the evaluator and by the reference over its bounds, and compared.
//! One iteration is 1000 cases.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use fuzz::campaign::{Settings, numbered, run};
use fuzz::generation::{Profile, SizeChoice, TENSOR_MODEL};
use fuzz::oracles::{Oracle, Oracles};
use polyhedra_isl::Isl;

/// The number of cases of an iteration.
const CASES: u64 = 1000;

/// Programs by size: extents, elements of a tensor, operators of an expression.
const PROGRAMS: [(&str, SizeChoice); 6] = [
    ("2 operators, extents up to 3", up_to(&[1, 2, 3], 9, 2)),
    ("4 operators, extents up to 3", up_to(&[1, 2, 3], 9, 4)),
    ("8 operators, extents up to 3", up_to(&[1, 2, 3], 27, 8)),
    ("4 operators, extents up to 8", up_to(&[2, 5, 8], 64, 4)),
    ("4 operators, extents up to 32", up_to(&[8, 17, 32], 1024, 4)),
    ("4 operators, extents up to 128", up_to(&[31, 64, 128], 16384, 4)),
];

const fn up_to(extents: &'static [u64], max_elements: u64, max_operators: usize) -> SizeChoice {
    SizeChoice::Of { extents, max_elements, max_operators }
}

fn settings(sizes: SizeChoice, cases: u64) -> Settings<'static> {
    let profile = Profile { languages: TENSOR_MODEL, sizes, ..Profile::default() };
    Settings { seed: 1, cases: Some(cases), profile, program: None }
}

fn fuzzing(criterion: &mut Criterion) {
    let engine = Isl::new();
    let mut group = criterion.benchmark_group("fuzzing");
    group.sample_size(10);
    for (name, sizes) in PROGRAMS {
        // Larger programs take longer, so there are fewer of them.
        let cases =
            if matches!(sizes, SizeChoice::Of { max_elements: 1000.., .. }) { CASES / 10 } else { CASES };
        group.throughput(Throughput::Elements(cases));
        group.bench_function(BenchmarkId::new("all", name), |bencher| {
            let mut check = Oracles(vec![Oracle::named("evaluator").unwrap()]);
            bencher.iter(|| {
                let summary = run(settings(sizes, cases), &engine, &mut check, &mut |_, _| true);
                assert_eq!((summary.findings.len(), summary.cases), (0, cases));
            });
        });
        group.bench_function(BenchmarkId::new("generate and lower", name), |bencher| {
            bencher.iter(|| (0..cases).for_each(|at| drop(numbered(settings(sizes, cases), at, &engine))));
        });
    }
    group.finish();
}

criterion_group!(benches, fuzzing);
criterion_main!(benches);
