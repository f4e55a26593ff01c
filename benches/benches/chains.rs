//! Sums, products and maxima of 1,000 to 10,000 elements, compared with a reordering: the complete comparison,
//! whose time should grow almost linearly.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use languages::{Language, Pair, Source};
use rewrites::programs::compare;
use rewrites::verification::Options;
use selfsame_core::relation::Relation;
use values::SystemName;

/// `x[0] ∘ x[1] ∘ …`, with every `stride`-th element cyclically until all are used.
fn chain(operator: &str, count: usize, stride: usize) -> Source {
    let reads: Vec<String> = (0..count).map(|k| format!("x[{}]", k * stride % count)).collect();
    let body = reads.join(operator);
    let text =
        format!("system s (x : {{ i | 0<=i<{count} }} of real) returns (y : real); let y[] = {body}; tel;");
    Source { name: format!("{stride}.alpha"), language: Language::Alpha, text }
}

fn chains(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("chains");
    group.sample_size(10);
    for (name, operator) in [("sum", " + "), ("product", " * "), ("maximum", " max ")] {
        for count in [1_000, 10_000] {
            let pair = Pair::read([1, 1_237].map(|stride| chain(operator, count, stride))).unwrap();
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(BenchmarkId::new(name, count), |b| {
                b.iter(|| assert!(is_proved(&pair)));
            });
        }
    }
    group.finish();
}

fn is_proved(pair: &Pair) -> bool {
    let answers = compare(pair, &Options::default()).unwrap().verdict.answers;
    answers.iter().any(|answer| {
        answer.system == SystemName::Rational && answer.relations.defined == Relation::Equivalent
    })
}

criterion_group!(benches, chains);
criterion_main!(benches);
