//! Evaluation by brute force, with its own samples and inputs.

use fastrand::Rng;
use selfsame_core::evaluation::{Environment, Evaluator};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use selfsame_core::{FunctionId, InputId, Instance, Program};
use values::{Extended, Integers, Listed, NumberSystem, Rationals, ValueDomain};

struct SeededInputs<'a, S>(&'a Program, Extended<S>, u64);

type SeededElement<S> = Element<Extended<S>>;

impl<S: NumberSystem<Number: Default>> Environment<Extended<S>> for SeededInputs<'_, S> {
    fn element(&self, input: InputId, index: &[i64]) -> SeededElement<S> {
        let mixed = index.iter().fold(u64::from(input.0) + 1, |mixed, &i| {
            mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(i.cast_unsigned()).rotate_left(17)
        });
        let mut rng = Rng::with_seed(self.2 ^ mixed);
        let number = rng.i64(-3..=3);
        match self.0.input(input).data_type {
            ElementType::Boolean => Datum::Truth(Some(number > 0)),
            _ => Datum::Number(self.1.index(number)),
        }
    }

    fn call(&self, _: FunctionId, _: &[SeededElement<S>]) -> Option<SeededElement<S>> {
        None
    }
}

/// Sizes, a point and both values where the sides differ over the rationals or the integers, if there are any
/// among small sizes. For a claim of refinement, the left side must be defined.
pub fn differs(instance: &Instance, system: &str, seed: u64, refinement: bool) -> Option<String> {
    match system {
        "rational" => differs_in(Rationals, instance, seed, refinement),
        _ => differs_in(Integers, instance, seed, refinement),
    }
}

fn differs_in<S: Listed>(system: S, instance: &Instance, seed: u64, refinement: bool) -> Option<String> {
    let mut rng = Rng::with_seed(seed ^ 0xABCD);
    let width = instance.program.variables.len();
    let mut left = 400;
    for _ in 0..60_000 {
        let bound = rng.i64(1..=4);
        let mut variables = vec![0; width];
        for v in &instance.symbols {
            variables[v.index()] = rng.i64(-1..=bound);
        }
        if instance.assumptions.holds(&variables) != Ok(true) {
            continue;
        }
        for (v, [_, extent]) in instance.claim.point.iter().zip(&instance.claim.bounds) {
            let extent = extent.as_ref().unwrap().value(&variables).unwrap_or(0);
            variables[v.index()] = if extent > 0 { rng.i64(0..extent) } else { -1 };
        }
        if instance.claim.domain().holds(&variables) != Ok(true) {
            continue;
        }
        left -= 1;
        if let Some(found) = at(system, instance, &variables, rng.u64(..), refinement) {
            return Some(found);
        }
        if left == 0 {
            return None;
        }
    }
    None
}

fn at<S: Listed>(
    system: S,
    instance: &Instance,
    variables: &[i64],
    seed: u64,
    refinement: bool,
) -> Option<String> {
    let domain = Extended(system);
    let inputs = SeededInputs(&instance.program, domain, seed);
    let value = |node| {
        let mut evaluator = Evaluator::new(&instance.program, &domain, &inputs, 100_000);
        evaluator.value(node, &mut variables.to_vec()).ok()
    };
    if !instance.given.iter().all(|&node| matches!(value(node), Some(Datum::Truth(Some(true))))) {
        return None;
    }
    let [a, b] = [value(instance.claim.sides[0])?, value(instance.claim.sides[1])?];
    let undefined = matches!(a, Datum::Number(None) | Datum::Truth(None));
    let same = match (&a, &b) {
        (Datum::Number(a), Datum::Number(b)) => domain.same(a, b) == Some(true),
        (Datum::Truth(a), Datum::Truth(b)) => a == b,
        _ => false,
    };
    let differ = !(same || refinement && undefined);
    differ.then(|| format!("{variables:?}: {a:?}, {b:?}"))
}
