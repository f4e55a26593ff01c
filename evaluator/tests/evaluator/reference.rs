//! Plans against the reference: random systems at small sizes in every machine number system; recurrences,
//! triangles and products.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use crate::harness::{element, lowered, reference, run, seed_of};
use alpha::domains::Domains;
use alpha::instance::SystemInstance;
use alpha::parsing::parse;
use alpha::printing::{Notation, print};
use alpha::syntax::{System, VariableId};
use alpha::typing::type_system;
use evaluator::{MachineNumber, Plan, PlanFault};
use fastrand::Rng;
use generators::alpha::{SystemShape, system};
use generators::choices::Random;
use half::{bf16, f16};
use polyhedra_isl::Isl;
use selfsame_core::operations::Datum;
use selfsame_core::operators::ElementType;
use std::collections::BTreeMap;
use values::{Division, Extended, NumberSystem};

/// The element of an input: a small integer, so that floats are exact.
fn input<T: MachineNumber>(system: &System, seed: u64, x: VariableId, z: &[i64]) -> T {
    let mut rng = Rng::with_seed(seed_of(seed, x, z));
    match system.variable(x).data_type {
        ElementType::Boolean => T::truth(rng.bool()),
        _ => T::System::default().index(rng.i64(-3..=3)),
    }
}

/// Whether sums in the plan depend on their order; `tolerance.rs` compares those with their bounds.
fn is_rounded<T: MachineNumber>(plan: &Plan<T>) -> bool {
    !plan.transformations.is_empty() && T::ONE.over(T::ONE.plus(T::ONE)) != T::ZERO
}

/// Compares a plan with the reference; returns the number of elements compared, or why there is no plan.
fn compare<T: MachineNumber<System: NumberSystem<Number: Default>>>(
    system: &System,
    domains: &Domains,
    parameters: &[i64],
    seed: u64,
    of_small_integers: bool,
) -> Result<usize, PlanFault> {
    let typing = type_system(system).unwrap();
    let instance = SystemInstance::new(system, domains, parameters).unwrap();
    let plan = Plan::<T>::compile(&instance, &typing, Division::Extended)?;
    if !of_small_integers && is_rounded(&plan) {
        return Ok(0);
    }
    let input = |x: VariableId, z: &[i64]| input::<T>(system, seed, x, z);
    let found = run(&instance, &plan, &input)?;
    let domain = Extended(T::System::default());
    let given = |x: VariableId, z: &[i64]| {
        let value = input(x, z);
        element(&domain, system.variable(x).data_type, value.is_true(), || Some(value))
    };
    let Some(expected) = reference(&instance, &typing, &domain, &found, &given) else { return Ok(0) };
    let mut compared = 0;
    for ((x, point, found), expected) in found.iter().zip(expected) {
        let value = match expected {
            Datum::Number(number) => number,
            Datum::Truth(truth) => truth.map(T::truth),
        };
        let Some(value) = value else { continue };
        compared += 1;
        // The order of sums of small integers affects only the sign of zero.
        let is_same = *found == value || domain.0.same(found, &value);
        let at = || format!("seed {seed}, {parameters:?}: {}{point:?}", system.variable(*x).name);
        assert!(is_same, "{}: {found:?}, not {value:?}\n{}", at(), print(system, Notation::Array));
    }
    Ok(compared)
}

fn compare_all(
    system: &System,
    domains: &Domains,
    parameters: &[i64],
    seed: u64,
    of_small_integers: bool,
) -> [Result<usize, PlanFault>; 4] {
    // Two of four types, in turn: floats and integers, long and short.
    let of = |of: bool| match (of, seed % 3) {
        (false, 0) => [compare::<f16>, compare::<f32>],
        (false, 1) => [compare::<bf16>, compare::<f64>],
        (false, _) => [compare::<f32>, compare::<f64>],
        (true, 0) => [compare::<i8>, compare::<i64>],
        (true, 1) => [compare::<u8>, compare::<u64>],
        (true, _) => [compare::<i32>, compare::<i64>],
    };
    let [[a, b], [c, d]] = [of(false), of(true)];
    [a, b, c, d].map(|compare| compare(system, domains, parameters, seed, of_small_integers))
}

#[test]
fn random_systems() {
    let systems = campaigns::size("evaluator-systems");
    let engine = Isl::with_memory();
    let (mut compared, mut planned, mut refused) = (0, 0, BTreeMap::<String, usize>::new());
    for seed in 0..systems {
        let shape = SystemShape { max_rank: 3, depth: 4, max_variables: 6, ..SystemShape::default() };
        let system = system(&mut Random::seeded(seed), &shape);
        let domains = Domains::new(&system, &engine, None).unwrap();
        let mut rng = Rng::with_seed(seed);
        let parameters: Vec<i64> = system.parameters.iter().map(|_| rng.i64(1..7)).collect();
        if domains.context().contains(&parameters, &[]) != Ok(true) {
            continue;
        }
        for result in compare_all(&system, &domains, &parameters, seed, false) {
            match result {
                Ok(count) => (compared, planned) = (compared + count, planned + 1),
                Err(fault) => {
                    let kind = fault.to_string();
                    *refused.entry(kind).or_default() += 1;
                }
            }
        }
    }
    println!("{planned} plans, {compared} elements compared; refused: {refused:?}");
    assert!(
        planned as u64 >= systems / 2 && compared as u64 >= 10 * systems,
        "{planned} {compared} {refused:?}"
    );
}

#[test]
fn lowered_programs() {
    let programs = campaigns::size("evaluator-programs");
    let (engine, mut compared) = (Isl::with_memory(), 0);
    for seed in 0..programs {
        let system = lowered(seed, false);
        let domains = Domains::new(&system, &engine, None).unwrap();
        for result in compare_all(&system, &domains, &[], seed, false) {
            compared += result.unwrap();
        }
    }
    println!("{programs} programs, {compared} elements compared");
    assert!(compared as u64 > 30 * programs, "{compared}");
}

const SYSTEMS: [(&str, &[i64]); 12] = [
    // A product of matrices, beside elements without terms (found by the fuzzer).
    ("system p (N : { N | N>=1 } parameter; A : { i,k | 0<=i<N; 0<=k<N } of real; B : { k,j | 0<=k<N; 0<=j<N } of real)
      returns (C, D : { i,j | 0<=i<=N; 0<=j<=N } of real);
      let C = reduce(+, (i,j,k->i,j), { i,j | 0<=i<=N; 0<=j<=N }, A.(i,j,k->i,k) * B.(i,j,k->k,j));
        D = reduce(+, (i,j,k->i,j), { i,j | 0<=i<=N; 0<=j<=N }, A.(i,j,k->j,0) * B.(i,j,k->0,k) * A.(i,j,k->i,k)); tel;", &[5]),
    // A product of two matrices, and one of five factors with a sum.
    ("system p (N, M, K : { N,M,K | N>=1; M>=1; K>=1 } parameter; A : { i,k | 0<=i<N; 0<=k<K } of real; B : { k,j | 0<=k<K; 0<=j<M } of real)
      returns (C : { i,j | 0<=i<N; 0<=j<M } of real);
      let C = reduce(+, (i,j,k->i,j), A.(i,j,k->i,k) * B.(i,j,k->k,j)); tel;", &[5, 17, 9]),
    ("system p (N, M, K : { N,M,K | N>=1; M>=1; K>=1 } parameter; A : { i,k | 0<=i<N; 0<=k<K } of real; B : { k,j | 0<=k<K; 0<=j<M } of real;
        u : { i | 0<=i<N } of real) returns (C : { b,i,j | 0<=i<N; 0<=j<M; 0<=b<3 } of real);
      let C = u.(b,i,j->i) + reduce(+, (b,i,j,k,l->b,i,j), { b,i,j,k,l | 0<=b<3; 0<=i<N; 0<=j<M; 0<=k<K; 0<=l<N } :
        A.(b,i,j,k,l->i,k) * B.(b,i,j,k,l->k,j) * A.(b,i,j,k,l->l,k) * u.(b,i,j,k,l->l)); tel;", &[4, 3, 8]),
    // A recurrence in time over whole rows, one along a row, and forward substitution.
    ("system s (N, T : { N,T | N>=3; T>=1 } parameter; a : { i | 0<=i<N } of real) returns (y : { i | 0<=i<N } of real);
      var u : { t,i | 0<=t<=T; 0<=i<N } of real;
      let u[t,i] = case { t=0 } : a[i]; { t>=1; i=0 } : u[t-1,i]; { t>=1; i=N-1 } : u[t-1,i];
        { t>=1; 1<=i<=N-2 } : u[t-1,i-1] + u[t-1,i] - u[t-1,i+1]; esac; y[i] = u[T,i]; tel;", &[700, 4]),
    ("system s (N : { N | N>=1 } parameter; a : { i,j | 0<=j<=i<N } of real) returns (y : { i,j | 0<=j<=i<N } of real);
      let y[i,j] = case { j=0 } : a[i,j]; { j>=1 } : y[i,j-1] + a[i,j]; esac; tel;", &[20]),
    ("system s (N : { N | N>=1 } parameter; L : { i,j | 0<=j<=i<N } of integer; b : { i | 0<=i<N } of integer) returns (x : { i | 0<=i<N } of integer);
      let x = case { i | i=0 } : b; { i | i>=1 } : b - reduce(+, (i,j->i), { i,j | 0<=j<i } : L * x.(i,j->j)); esac; tel;", &[12]),
    // Every second element, a maximum, truths, and an index as a value.
    ("system s (N : { N | N>=1 } parameter; a : { i | 0<=i<2N } of real) returns (y : { i | 0<=i<N } of real; m : { | } of real; t : { i | 0<=i<N } of boolean);
      let y[i] = a[2i+1] * a[2i]; m[] = reduce(max, (i->), a); t[i] = (a[i] < a[2i]) and not (a[i] = a[i+1]); tel;", &[40]),
    ("system s (N : { N | N>=1 } parameter; a : { i,j | 0<=i<N; 0<=j<N } of real) returns (y : { i,j | 0<=i<N; 0<=j<N } of real; c : { i | 0<=i<N } of integer);
      let y[i,j] = a[j,i] + if a[i,j] < a[j,i] then a[i,j] else abs(a[i,j]); c[i] = val[N-i] * val[i]; tel;", &[19]),
    // A convolution: no factor is a matrix, although one of the strides looks like one.
    ("system c (N, K : { N,K | N>=1; K>=1 } parameter; x : { i | 0<=i<N+K } of real; w : { k | 0<=k<K } of real) returns (y : { i | 0<=i<N } of real);
      let y = reduce(+, (i,k->i), { i,k | 0<=i<N; 0<=k<K } : x.(i,k->i+k) * w.(i,k->k)); tel;", &[37, 5]),
    // A bitwise reduction of one term is that term, even if it is not an integer: here, in floats, the identity of
    // the minimum.
    ("system s (N : { N | N>=1 } parameter; a : { i | 0<=i<N } of integer) returns (y, z, w : { i | 0<=i<=N } of integer);
      var m : { i | 0<=i<=N } of integer; let m = reduce(min, (i,j->i), { i | 0<=i<=N }, { i,j | 0<=i<=N; 0<=j<N-i } : a.(i,j->j));
      y = reduce(or, (i,j->i), { i,j | 0<=i<=N; j=i } : m.(i,j->j)); z = reduce(and, (i,j->i), { i,j | 0<=i<=N; j=i } : m.(i,j->j));
      w = reduce(xor, (i,j->i), { i,j | 0<=i<=N; j=i } : m.(i,j->j)); tel;", &[6]),
    // Between the whole rows of some planes lie other rows: a middle index decides.
    ("system s (N : { N | N>=1 } parameter; x : { i,j,k | 0<=i<N; 0<=j<N; 0<=k<N } of real) returns (y : { i,j,k | 0<=i<N; 0<=j<N; 0<=k<N } of real);
      let y[i,j,k] = case { j=0 } : x[i,j,k] * 2.0[]; { j>0 } : x[i,j,k]; esac; tel;", &[5]),
    ("system s (N : { N | N>=1 } parameter; x : { h,i,j,k | 0<=h<N; 0<=i<N; 0<=j<N; 0<=k<N } of real) returns (y : { h,i,j,k | 0<=h<N; 0<=i<N; 0<=j<N; 0<=k<N } of real);
      let y[h,i,j,k] = case { i=1 } : x[h,i,j,k] - 7.0[]; { i<1 } : x[h,i,j,k]; { i>1; j=2 } : x[i,h,j,k]; { i>1; j<2 } : x[h,i,j,k]; { i>1; j>2 } : x[h,i,0,k]; esac; tel;", &[4]),
];

#[test]
fn products_recurrences_and_rows() {
    let engine = Isl::with_memory();
    for (text, parameters) in SYSTEMS {
        let parsed = parse(text);
        assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
        let domains = Domains::new(&parsed.system, &engine, None).unwrap();
        for result in compare_all(&parsed.system, &domains, parameters, 3, true) {
            assert!(result.unwrap() > 0, "{text}");
        }
    }
}
