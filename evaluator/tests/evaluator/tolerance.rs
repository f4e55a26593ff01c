//! Float plans against the bounds that the reference computes: random systems, products, chains, sums and
//! recurrences, on numbers that must be rounded, infinities, nan, subnormal and huge numbers. The plan's
//! transformations determine the model.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use crate::harness::{element, lowered, reference, run, seed_of};
use alpha::domains::Domains;
use alpha::instance::SystemInstance;
use alpha::parsing::parse;
use alpha::printing::{Notation, print};
use alpha::syntax::{System, VariableId};
use alpha::typing::type_system;
use evaluator::{MachineNumber, Plan, PlanFault, Transformation};
use fastrand::Rng;
use generators::alpha::{SystemShape, system};
use generators::choices::Random;
use half::{bf16, f16};
use polyhedra_isl::Isl;
use selfsame_core::operations::Datum;
use selfsame_core::operators::ElementType;
use std::collections::{BTreeMap, BTreeSet};
use values::tolerance::{Doubt, Format, PossibleValues, Tolerance, ToleranceOutcome};
use values::{Division, NumberSystem};

/// A float type: its format, and conversions from and to binary64.
trait Float: MachineNumber {
    const FORMAT: Format;
    fn rounded(x: f64) -> Self;
    fn to(self) -> f64;
}

impl Float for f32 {
    const FORMAT: Format = Format::F32;
    fn rounded(x: f64) -> f32 {
        x as f32
    }
    fn to(self) -> f64 {
        f64::from(self)
    }
}

impl Float for f16 {
    const FORMAT: Format = Format::F16;
    fn rounded(x: f64) -> f16 {
        f16::from_f64(x)
    }
    fn to(self) -> f64 {
        self.to_f64()
    }
}

impl Float for bf16 {
    const FORMAT: Format = Format::BF16;
    fn rounded(x: f64) -> bf16 {
        bf16::from_f64(x)
    }
    fn to(self) -> f64 {
        self.to_f64()
    }
}

impl Float for f64 {
    const FORMAT: Format = Format::F64;
    fn rounded(x: f64) -> f64 {
        x
    }
    fn to(self) -> f64 {
        self
    }
}

/// An input element: an ordinary number or, for some seeds, sometimes a notable one.
fn input<T: Float>(system: &System, seed: u64, x: VariableId, z: &[i64]) -> T {
    let mut rng = Rng::with_seed(seed_of(seed, x, z));
    let ordinary = T::rounded(rng.f64() * 4.0 - 2.0);
    match (system.variable(x).data_type, seed % 3) {
        (ElementType::Boolean, _) => T::truth(rng.bool()),
        (ElementType::Integer, _) => T::System::default().index(rng.i64(-3..=3)),
        (_, 2) if rng.u8(..6) == 0 => *rng.choice(&T::System::default().notable()).unwrap(),
        (_, 1) => T::rounded(ordinary.to() * 2.0_f64.powi(rng.i32(-20..20))),
        _ => ordinary,
    }
}

/// Counts of the comparisons.
#[derive(Default)]
struct ToleranceCounts {
    agreed: usize,
    exact: usize,
    undefined: usize,
    abstained: BTreeMap<Doubt, usize>,
    transformations: BTreeSet<Transformation>,
}

impl ToleranceCounts {
    fn compare<T: Float>(
        &mut self,
        system: &System,
        domains: &Domains,
        parameters: &[i64],
        seed: u64,
    ) -> Result<(), PlanFault> {
        let typing = type_system(system).unwrap();
        let instance = SystemInstance::new(system, domains, parameters).unwrap();
        let plan = Plan::<T>::compile(&instance, &typing, Division::Extended)?;
        self.transformations.extend(&plan.transformations);
        let input = |x: VariableId, z: &[i64]| input::<T>(system, seed, x, z);
        let found = run(&instance, &plan, &input)?;
        let domain = Tolerance { model: plan.model(T::FORMAT) };
        let given = |x: VariableId, z: &[i64]| {
            let value = input(x, z);
            element(&domain, system.variable(x).data_type, value.is_true(), || domain.given(value.to()))
        };
        let Some(expected) = reference(&instance, &typing, &domain, &found, &given) else { return Ok(()) };
        for ((x, point, found), expected) in found.iter().zip(expected) {
            let outcome = match &expected {
                Datum::Number(PossibleValues::Undefined) => {
                    self.undefined += 1;
                    continue;
                }
                Datum::Number(value) => {
                    let is_known =
                        matches!(value, PossibleValues::Finite(bounded) if bounded.known.is_some());
                    self.exact += usize::from(is_known);
                    domain.outcome(value, found.to())
                }
                Datum::Truth(truth) => domain.outcome_of_truth(*truth, found.is_true()),
            };
            match outcome {
                ToleranceOutcome::Agrees => self.agreed += 1,
                ToleranceOutcome::Abstains(doubt) => *self.abstained.entry(doubt).or_default() += 1,
                ToleranceOutcome::Disagrees => {
                    let at = format!("seed {seed}, {parameters:?}: {}{point:?}", system.variable(*x).name);
                    panic!("{at}: {found:?}, {expected:?}\n{}", print(system, Notation::Array));
                }
            }
        }
        Ok(())
    }

    fn show(&self, what: &str) {
        let abstained: usize = self.abstained.values().sum();
        let share = 100.0 * abstained as f64 / (self.agreed + abstained) as f64;
        println!(
            "{what}: {} agree ({} of one number), {} undefined, {abstained} abstain ({share:.1} %): {:?}",
            self.agreed, self.exact, self.undefined, self.abstained
        );
    }
}

#[test]
fn random_systems() {
    let systems = campaigns::size("tolerance-systems");
    let (engine, mut counts) = (Isl::with_memory(), ToleranceCounts::default());
    for seed in 0..systems {
        let shape = SystemShape { max_rank: 3, depth: 4, max_variables: 6, ..SystemShape::default() };
        let system = system(&mut Random::seeded(seed), &shape);
        let domains = Domains::new(&system, &engine, None).unwrap();
        let mut rng = Rng::with_seed(seed);
        let parameters: Vec<i64> = system.parameters.iter().map(|_| rng.i64(1..7)).collect();
        if domains.context().contains(&parameters, &[]) == Ok(true) {
            // Another test counts refused systems.
            let _ = counts.compare::<f32>(&system, &domains, &parameters, seed);
            let _ = counts.compare::<f64>(&system, &domains, &parameters, seed);
            let _ = counts.compare::<f16>(&system, &domains, &parameters, seed);
            let _ = counts.compare::<bf16>(&system, &domains, &parameters, seed);
        }
    }
    counts.show("random systems");
    let abstained: usize = counts.abstained.values().sum();
    assert!(
        counts.agreed > 10 * systems as usize && counts.agreed > 4 * abstained,
        "too little was compared"
    );
    assert!(counts.exact > counts.agreed / 4);
}

#[test]
fn lowered_programs() {
    let programs = campaigns::size("evaluator-programs");
    let (engine, mut counts) = (Isl::with_memory(), ToleranceCounts::default());
    for seed in 0..programs {
        let system = lowered(seed, true);
        let domains = Domains::new(&system, &engine, None).unwrap();
        counts.compare::<f32>(&system, &domains, &[], seed).unwrap();
        counts.compare::<f64>(&system, &domains, &[], seed).unwrap();
        counts.compare::<f16>(&system, &domains, &[], seed).unwrap();
        counts.compare::<bf16>(&system, &domains, &[], seed).unwrap();
    }
    counts.show("lowered programs");
    let abstained: usize = counts.abstained.values().sum();
    assert!(counts.agreed as u64 > 20 * programs && counts.agreed > abstained);
}

/// Systems, each with sizes.
const SYSTEMS: [(&str, &[&[i64]]); 7] = [
    // In floats, bits of large integers below their last place are lost; another order loses other bits (found by
    // the fuzzer).
    ("system b (n : { n | n>=1 } parameter) returns (y, z : { | } of integer);
      let y = reduce(or, (k->), { k | 0<=k<3 } : case { k | k=0 } : 2.(k->); { k | k=2 } : 100000000000000000000.(k->); { k | k=1 } : (-3).(k->); esac);
        z = reduce(xor, (k->), { k | 0<=k<n } : val(k->k)); tel;", &[&[4]]),
    ("system p (N, M, K : { N,M,K | N>=1; M>=1; K>=1 } parameter; A : { i,k | 0<=i<N; 0<=k<K } of real; B : { k,j | 0<=k<K; 0<=j<M } of real)
      returns (C : { i,j | 0<=i<N; 0<=j<M } of real);
      let C = reduce(+, (i,j,k->i,j), A.(i,j,k->i,k) * B.(i,j,k->k,j)); tel;", &[&[1, 1, 1], &[2, 3, 2], &[5, 17, 9], &[9, 4, 40]]),
    ("system c (p,q,r,s : { p,q,r,s | p>=1; q>=1; r>=1; s>=1 } parameter; A : { i,a | 0<=i<p; 0<=a<q } of real; B : { a,b | 0<=a<q; 0<=b<r } of real;
        C : { b,j | 0<=b<r; 0<=j<s } of real; v : { j | 0<=j<s } of real) returns (Y : { i | 0<=i<p } of real);
      let Y = reduce(+, (i,a,b,j->i), A.(i,a,b,j->i,a) * B.(i,a,b,j->a,b) * C.(i,a,b,j->b,j) * v.(i,a,b,j->j)); tel;",
      &[&[2, 3, 2, 3], &[3, 5, 4, 2], &[4, 4, 4, 4]]),
    ("system t (n : { n | n>=1 } parameter; A, B : { i,j | 0<=i<n; 0<=j<n } of real) returns (y, z, w : { | } of real);
      let y = reduce(+, (i,j->), A * B.(i,j->j,i)); z = reduce(*, (i->), { i | 0<=i<n } : A.(i->i,i)); w = reduce(max, (i,j->), A - B); tel;",
      &[&[1], &[4], &[11]]),
    ("system f (n, k : { n,k | n>=1; k>=1 } parameter; x : { i | 0<=i<n+k } of real; w : { j | 0<=j<k } of real) returns (y : { i | 0<=i<n } of real);
      let y = reduce(+, (i,j->i), { i,j | 0<=i<n; 0<=j<k } : x.(i,j->i+j) * w.(i,j->j)); tel;", &[&[30, 1], &[37, 5], &[9, 12]]),
    ("system s (n : { n | n>=2 } parameter; a, b : { i | 0<=i<n } of real) returns (y : { i | 0<=i<n } of real; p : { i | 0<=i<n } of real);
      let y[i] = a[i] * b[i] + a[i] / b[n-1-i] - (a[i] max b[i]); p[i] = case { i=0 } : a[0]; { i>=1 } : p[i-1] + a[i]; esac; tel;", &[&[2], &[19]]),
    ("system m (n : { n | n>=1 } parameter; a, b : { i | 0<=i<n } of real) returns (y : { i | 0<=i<n } of real; t : { i | 0<=i<n } of boolean);
      let y[i] = if a[i] < b[i] then a[i] min 0.1[] else abs(b[i]); t[i] = (a[i] + b[i] >= 0.0[]) or (a[i] = b[i]); tel;", &[&[40]]),
];

#[test]
fn products_chains_and_recurrences() {
    let (engine, mut counts) = (Isl::with_memory(), ToleranceCounts::default());
    for (text, all) in SYSTEMS {
        let parsed = parse(text);
        assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
        let domains = Domains::new(&parsed.system, &engine, None).unwrap();
        for parameters in all {
            for seed in 0..30 {
                counts.compare::<f32>(&parsed.system, &domains, parameters, seed).unwrap();
                counts.compare::<f64>(&parsed.system, &domains, parameters, seed).unwrap();
                counts.compare::<f16>(&parsed.system, &domains, parameters, seed).unwrap();
                counts.compare::<bf16>(&parsed.system, &domains, parameters, seed).unwrap();
            }
        }
    }
    counts.show("products, chains and recurrences");
    assert_eq!(counts.transformations, BTreeSet::from(Transformation::ALL));
    assert!(counts.agreed > 15_000 && counts.abstained.values().sum::<usize>() < counts.agreed / 3);
}
