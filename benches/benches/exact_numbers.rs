//! The choice of exact rationals: dashu compared with num-rational, mostly on small values.
#![allow(missing_docs, reason = "criterion's macros")]

use criterion::{Criterion, criterion_group, criterion_main};
use dashu_ratio::RBig;
use num_rational::BigRational;
use std::hint::black_box;
use std::ops::{Add, Mul};

fn product<N: Clone>(n: usize, a: &[N]) -> Vec<N>
where
    for<'a> &'a N: Mul<&'a N, Output = N> + Add<&'a N, Output = N>,
{
    let element = |i: usize, j: usize| {
        let term = |l: usize| &a[i * n + l] * &a[l * n + j];
        (1..n).fold(term(0), |sum, l| &sum + &term(l))
    };
    (0..n * n).map(|at| element(at / n, at % n)).collect()
}

fn harmonic<N>(terms: i64, zero: N, fraction: impl Fn(i64, i64) -> N) -> N
where
    for<'a> &'a N: Add<&'a N, Output = N>,
{
    (1..=terms).fold(zero, |sum, k| &sum + &fraction(1, k))
}

fn exact_numbers(criterion: &mut Criterion) {
    const N: usize = 32;
    let fractions = |at: usize| ((at % 19) as i64 - 9, (at % 9) as i64 + 1);
    let dashu = |p: i64, q: i64| RBig::from_parts_signed(p.into(), q.into());
    let num = |p: i64, q: i64| BigRational::new(p.into(), q.into());
    let mut group = criterion.benchmark_group("exact_numbers");
    group.sample_size(10);
    for (name, fractional) in [("integers_32", false), ("fractions_32", true)] {
        let pairs: Vec<_> =
            (0..N * N).map(fractions).map(|(p, q)| if fractional { (p, q) } else { (p, 1) }).collect();
        let a: Vec<RBig> = pairs.iter().map(|&(p, q)| dashu(p, q)).collect();
        let b: Vec<BigRational> = pairs.iter().map(|&(p, q)| num(p, q)).collect();
        group.bench_function(format!("{name}/dashu"), |bench| bench.iter(|| product(N, black_box(&a))));
        group.bench_function(format!("{name}/num"), |bench| bench.iter(|| product(N, black_box(&b))));
    }
    group.bench_function("harmonic_300/dashu", |b| b.iter(|| harmonic(300, dashu(0, 1), dashu)));
    group.bench_function("harmonic_300/num", |b| b.iter(|| harmonic(300, num(0, 1), num)));
    group.finish();
}

criterion_group!(benches, exact_numbers);
criterion_main!(benches);
