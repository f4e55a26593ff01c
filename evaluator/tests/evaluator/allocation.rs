//! A run of a plan on one thread allocates only what the kernels for products of matrices need for packing.
#![allow(clippy::unwrap_used, reason = "a test")]

use alpha::domains::Domains;
use alpha::instance::SystemInstance;
use alpha::parsing::parse;
use alpha::typing::type_system;
use evaluator::{Buffer, Plan};
use polyhedra_isl::Isl;
use values::Division;

/// The number of allocations of a run.
fn allocations(text: &str, parameters: &[i64]) -> u64 {
    let parsed = parse(text);
    assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
    let domains = Domains::new(&parsed.system, &Isl::with_memory(), None).unwrap();
    let instance = SystemInstance::new(&parsed.system, &domains, parameters).unwrap();
    let plan =
        Plan::<f64>::compile(&instance, &type_system(&parsed.system).unwrap(), Division::Extended).unwrap();
    let mut workspace = plan.workspace().unwrap();
    let inputs: Vec<Buffer<f64>> =
        plan.inputs.iter().map(|slot| Buffer::new(slot.layout.length).unwrap()).collect();
    let inputs: Vec<&[f64]> = inputs.iter().map(Buffer::all).collect();
    let mut outputs: Vec<Buffer<f64>> =
        plan.outputs.iter().map(|slot| Buffer::new(slot.layout.length).unwrap()).collect();
    let mut outputs: Vec<&mut [f64]> = outputs.iter_mut().map(Buffer::all_mut).collect();
    // The first run warms up; buffers are then reused.
    plan.run(&mut workspace, &inputs, &mut outputs).unwrap();
    allocation_counter::measure(|| plan.run(&mut workspace, &inputs, &mut outputs).unwrap()).count_total
}

const SYSTEMS: [(&str, &[i64]); 5] = [
    (
        "system e (n : { n | n>=1 } parameter; a, b, c : { i | 0<=i<n } of real) returns (y : { i | 0<=i<n } of real); \
      let y[i] = a[i] * b[i] + c[i] * 2.5[] - (a[i] max c[i]); tel;",
        &[2000],
    ),
    (
        "system t (n : { n | n>=1 } parameter; A, B : { i,j | 0<=i<n; 0<=j<n } of real) returns (y : { | } of real; z : { j | 0<=j<n } of real); \
      let y = reduce(+, (i,j->), A * B.(i,j->j,i)); z = reduce(max, (i,j->j), A); tel;",
        &[100],
    ),
    (
        "system c (n, k : { n,k | n>=1; k>=1 } parameter; x : { i | 0<=i<n+k } of real; w : { j | 0<=j<k } of real) returns (y : { i | 0<=i<n } of real); \
      let y = reduce(+, (i,j->i), { i,j | 0<=i<n; 0<=j<k } : x.(i,j->i+j) * w.(i,j->j)); tel;",
        &[3000, 11],
    ),
    (
        "system s (n, t : { n,t | n>=3; t>=1 } parameter; a : { i | 0<=i<n } of real) returns (y : { i | 0<=i<n } of real); \
      var u : { s,i | 0<=s<=t; 0<=i<n } of real; let u[s,i] = case { s=0 } : a[i]; { s>=1; i=0 } : u[s-1,i]; \
      { s>=1; i>=1 } : u[s-1,i-1] + u[s-1,i]; esac; y[i] = u[t,i]; tel;",
        &[300, 5],
    ),
    (
        "system f (n : { n | n>=1 } parameter; a : { i | 0<=i<n } of real) returns (y : { i | 0<=i<2n } of real); \
      let y = case { i | 0<=i<n } : a; { i | n<=i<2n } : a.(i->i-n) * real(val(i->i)); esac; tel;",
        &[700],
    ),
];

#[test]
fn runs_allocate_nothing() {
    for (text, parameters) in SYSTEMS {
        assert_eq!(allocations(text, parameters), 0, "{text}");
    }
    // The counter does count.
    assert!(allocation_counter::measure(|| drop(std::hint::black_box(vec![1, 2]))).count_total > 0);
}

#[test]
fn products_of_matrices_pack() {
    let count = allocations(
        "system p (n : { n | n>=1 } parameter; A : { i,k | 0<=i<n; 0<=k<n } of real; B : { k,j | 0<=k<n; 0<=j<n } of real) \
         returns (C : { i,j | 0<=i<n; 0<=j<n } of real); let C = reduce(+, (i,j,k->i,j), A.(i,j,k->i,k) * B.(i,j,k->k,j)); tel;",
        &[200],
    );
    println!("a product of matrices allocates {count} times");
    assert!(count <= 4, "{count}");
}
