//! Plans at sizes at which products are split, rows bypass the caches, and several threads have work: results are
//! the same to the bit on any number of threads, and equal those of a few lines of plain code.
#![allow(clippy::unwrap_used, reason = "a test")]

use alpha::domains::Domains;
use alpha::instance::SystemInstance;
use alpha::parsing::parse;
use alpha::typing::type_system;
use evaluator::{Buffer, Plan, Workspace};
use polyhedra_isl::Isl;
use values::Division;

/// Element `k` of input `v`, in row-major order: multiples of 1/64, so that sums of products are exact.
fn element(v: usize, k: usize) -> f64 {
    ((k * 7919 + v * 104_729) % 128) as f64 / 64.0 - 1.0
}

/// The elements of the only output in row-major order, computed on 1 to 4 threads.
fn computed(text: &str, parameters: &[i64]) -> Vec<f64> {
    let parsed = parse(text);
    assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
    let domains = Domains::new(&parsed.system, &Isl::with_memory(), None).unwrap();
    let instance = SystemInstance::new(&parsed.system, &domains, parameters).unwrap();
    let plan =
        Plan::<f64>::compile(&instance, &type_system(&parsed.system).unwrap(), Division::Extended).unwrap();
    let place = |k: usize, extents: &[usize], strides: &[usize]| -> usize {
        let step = |(rest, place): (usize, usize), (extent, stride): (&usize, &usize)| {
            (rest / extent, place + rest % extent * stride)
        };
        extents.iter().zip(strides).rev().fold((k, 0), step).1
    };
    let layout = &plan.outputs[0].layout;
    let mut output = Buffer::<f64>::new(layout.length).unwrap();
    let mut run = |workspace: &mut Workspace<f64>, scale: f64| -> Vec<f64> {
        let mut inputs = Vec::new();
        for (v, slot) in plan.inputs.iter().enumerate() {
            let mut buffer = Buffer::<f64>::new(slot.layout.length).unwrap();
            buffer.all_mut().fill(f64::NAN);
            for k in 0..slot.layout.extents.iter().product() {
                let place = place(k, &slot.layout.extents, &slot.layout.strides);
                buffer.all_mut()[place] = element(v, k) * scale;
            }
            inputs.push(buffer);
        }
        let inputs: Vec<&[f64]> = inputs.iter().map(Buffer::all).collect();
        output.all_mut().fill(f64::NAN);
        plan.run(workspace, &inputs, &mut [output.all_mut()]).unwrap();
        let all = 0..layout.extents.iter().product();
        all.map(|k| output.all()[place(k, &layout.extents, &layout.strides)]).collect()
    };
    // Sums of multiples of 0.1/64 are rounded.
    let rounded = run(&mut plan.workspace().unwrap(), 0.1);
    for threads in 2..=4 {
        let together = run(&mut plan.parallel_workspace(threads).unwrap(), 0.1);
        let is_same = rounded.iter().zip(&together).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(is_same, "{text}: not the same on {threads} threads");
    }
    run(&mut plan.workspace().unwrap(), 1.0)
}

#[test]
fn a_product_of_large_matrices() {
    let found = computed(
        "system p (N, M, K : { N,M,K | N>=1; M>=1; K>=1 } parameter; A : { i,k | 0<=i<N; 0<=k<K } of real; B : { k,j | 0<=k<K; 0<=j<M } of real)
         returns (C : { i,j | 0<=i<N; 0<=j<M } of real);
         let C = reduce(+, (i,j,k->i,j), A.(i,j,k->i,k) * B.(i,j,k->k,j)); tel;",
        &[301, 257, 512],
    );
    for (at, value) in found.iter().enumerate().step_by(97) {
        let (i, j) = (at / 257, at % 257);
        let expected: f64 = (0..512).map(|k| element(0, i * 512 + k) * element(1, k * 257 + j)).sum();
        assert_eq!(*value, expected, "{i}, {j}");
    }
}

#[test]
fn a_tree_that_exceeds_the_caches() {
    let n = 2_500_001;
    let found = computed(
        "system e (n : { n | n>=1 } parameter; a, b : { i | 0<=i<n } of real) returns (y : { i | 0<=i<n } of real);
         let y[i] = a[i] * b[n-1-i] + (a[i] max b[i]) - 2.5[] * b[i]; tel;",
        &[n],
    );
    let n = usize::try_from(n).unwrap();
    for (i, value) in found.iter().enumerate() {
        let (a, b) = (element(0, i), element(1, i));
        assert_eq!(*value, a * element(1, n - 1 - i) + a.max(b) - 2.5 * b, "{i}");
    }
}

#[test]
fn sums_across_rows_and_along_them() {
    let text = |target: &str, f: &str| {
        format!(
            "system s (n, m : {{ n,m | n>=1; m>=1 }} parameter; a : {{ i,j | 0<=i<n; 0<=j<m }} of real; b : {{ i | 0<=i<n+m }} of real)
             returns (y : {{ {target} }} of real);
             let y = reduce(+, (i,j->{f}), a * b.(i,j->i+j)); tel;"
        )
    };
    let (n, m) = (700, 1024);
    let term = |i: usize, j: usize| element(0, i * m + j) * element(1, i + j);
    let parameters = [i64::try_from(n).unwrap(), i64::try_from(m).unwrap()];
    let rows = computed(&text("i | 0<=i<n", "i"), &parameters);
    let columns = computed(&text("j | 0<=j<m", "j"), &parameters);
    let all = computed(&text("|", ""), &parameters);
    for (i, value) in rows.iter().enumerate() {
        assert_eq!(*value, (0..m).map(|j| term(i, j)).sum::<f64>());
    }
    for (j, value) in columns.iter().enumerate() {
        assert_eq!(*value, (0..n).map(|i| term(i, j)).sum::<f64>());
    }
    assert_eq!(all, [rows.iter().sum::<f64>()]);
}

/// Terms that are read across rows are added in strips; a thread with a single element must not continue its sum
/// in the next strip (found by the fuzzer).
#[test]
fn sums_of_a_few_columns() {
    let n = 1_300;
    let found = computed(
        "system s (n : { n | n>=1 } parameter; a : { i,j | 0<=i<n; 0<=j<2 } of real; b : { j,i | 0<=i<n; 0<=j<2 } of real)
         returns (y : { j | 0<=j<2 } of real);
         let y = reduce(+, (i,j->j), a * b.(i,j->j,i)); tel;",
        &[n],
    );
    let n = usize::try_from(n).unwrap();
    for (j, value) in found.iter().enumerate() {
        assert_eq!(*value, (0..n).map(|i| element(0, i * 2 + j) * element(1, j * n + i)).sum::<f64>());
    }
}
