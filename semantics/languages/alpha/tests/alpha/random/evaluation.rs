//! `Eval`, `Eval2` and the oracle agree; so do domains.

use crate::random::naive::{Naive, NaiveValue, input};
use crate::random::setup::{CheckedSystem, element, evaluate, is_boolean, least, seeds};
use alpha::domains::Domains;
use alpha::evaluation::{InputFunction, Stuck, VariableMethod};
use alpha::instance::SystemInstance;
use alpha::syntax::VariableId;
use polyhedra_isl::Isl;
use selfsame_core::operations::{Datum, Element};
use std::cell::RefCell;
use std::collections::HashMap;
use values::symbolic::{Terms, Unknown};
use values::{ComparisonOperator, Extended, F64, I32, PrimeField, Rationals, ValueDomain};

/// The number of results compared, and of those not compared because of a limit.
#[derive(Debug, Default)]
struct ComparedResults {
    same: usize,
    limited: usize,
}

impl ComparedResults {
    /// Checks that both methods give the same value in a domain.
    fn methods<D: ValueDomain>(
        &mut self,
        subject: &mut CheckedSystem,
        domain: &D,
        input: &InputFunction<'_, D>,
        parameters: &[i64],
    ) {
        let elements = subject.elements(parameters, 12);
        let instance = SystemInstance::new(&subject.system, &subject.domains, parameters).unwrap();
        let run = |method| evaluate(domain, &subject.typing, &instance, input, method, &elements);
        for ((a, b), (x, z)) in
            run(VariableMethod::Eval).into_iter().zip(run(VariableMethod::Eval2)).zip(&elements)
        {
            if matches!(a, Err(Stuck::Steps(..))) {
                self.limited += 1;
                continue;
            }
            let (a, b) = (format!("{a:?}"), format!("{b:?}"));
            assert_eq!(a, b, "{x:?}{z:?} for {parameters:?}\n{}", subject.text());
            self.same += 1;
        }
    }
}

/// **eval2**
#[test]
fn both_methods_agree_in_every_number_system() {
    let mut tally = ComparedResults::default();
    for seed in seeds(40) {
        let mut subject = CheckedSystem::new(seed);
        let parameters = subject.parameters();
        let system = subject.system.clone();
        macro_rules! over {
            ($domain:expr) => {
                let domain = &$domain;
                let input = |x: VariableId, z: &[i64]| Some(element(domain, input(&system, x, z)));
                tally.methods(&mut subject, domain, &input, &parameters);
            };
        }
        over!(Extended(Rationals));
        over!(Extended(I32));
        over!(Extended(F64));
        over!(Extended(PrimeField));
        let (terms, unknowns) = (Terms::with_limit(1 << 20), RefCell::new(HashMap::new()));
        let input = |x: VariableId, z: &[i64]| {
            let mut unknowns = unknowns.borrow_mut();
            let next = Unknown(unknowns.len() as u32);
            let number = terms.unknown(*unknowns.entry((x, z.to_vec())).or_insert(next));
            Some(match is_boolean(&system, x) {
                true => Datum::Truth(terms.compare(ComparisonOperator::Less, &terms.index(0), &number)),
                false => Datum::Number(number),
            })
        };
        tally.methods(&mut subject, &terms, &input, &parameters);
        assert!(!terms.is_exhausted());
    }
    println!("{tally:?}");
    assert!(tally.same > least(2_000) && tally.limited < tally.same / 20, "{tally:?}");
}

/// The evaluator's result as a value of the oracle.
fn value(result: &Element<Extended<Rationals>>) -> NaiveValue {
    match result {
        Datum::Number(Some(number)) => NaiveValue::Number(number.clone()),
        Datum::Truth(Some(truth)) => NaiveValue::Truth(*truth),
        Datum::Number(None) | Datum::Truth(None) => NaiveValue::Error,
    }
}

/// **eval-equation**, **eval-variable**, **eval-constant**, **eval-unop**, **eval-binop**, **eval-if**, **eval-case**,
/// **eval-restrict**, **eval-dep**, **eval-reduce**, **reduce-fold**, **semantics-5**, **get-info**
#[test]
fn values_are_those_of_the_equations() {
    let (mut errors, mut values, mut abstained) = (0, 0, 0);
    for seed in seeds(40) {
        let mut subject = CheckedSystem::new(seed);
        let parameters = subject.parameters();
        let elements = subject.elements(&parameters, 20);
        let system = &subject.system;
        let instance = SystemInstance::new(system, &subject.domains, &parameters).unwrap();
        let inputs = |x: VariableId, z: &[i64]| input(system, x, z);
        let naive = Naive::new(system, &parameters, &inputs);
        let domain = &Extended(Rationals);
        let given = |x: VariableId, z: &[i64]| Some(element(domain, input(system, x, z)));
        let results = evaluate(domain, &subject.typing, &instance, &given, VariableMethod::Eval2, &elements);
        for (result, (x, z)) in results.iter().zip(&elements) {
            naive.refuel(200_000);
            let Some(expected) = naive.element(*x, z) else {
                abstained += 1;
                continue;
            };
            let at = || format!("{}{z:?} for {parameters:?}\n{}", system.variable(*x).name, subject.text());
            let result = result.as_ref().unwrap_or_else(|stuck| panic!("{stuck:?} at {}", at()));
            assert_eq!(value(result), expected, "{}", at());
            if expected == NaiveValue::Error { errors += 1 } else { values += 1 }
        }
    }
    println!("{values} values, {errors} errors, {abstained} not known");
    assert!(
        values > least(200) && errors > least(150) && abstained < values,
        "{values} {errors} {abstained}"
    );
}

/// **domain-variable**, **domain-constant**, **domain-unop**, **domain-binop**, **domain-if**, **domain-case**,
/// **domain-restrict**, **domain-dep**, **domain-reduce**, **set-image**, **set-preimage**, **set-intersection**,
/// **set-union**, **set-difference**, **semantics-3**, **semantics-4**; **alpha-definition-4**,
/// **alpha-definition-6**, **alpha-eq-2**, **alpha-definition-7**, **alpha-eq-3**, **alpha-definition-8**,
/// **alpha-eq-4**
#[test]
fn domains_are_those_of_the_equations() {
    let (mut inside, mut outside, mut abstained) = (0, 0, 0);
    for seed in seeds(40) {
        let mut subject = CheckedSystem::new(seed);
        let parameters = subject.parameters();
        let expressions: Vec<_> = subject.system.expressions().map(|(e, _)| e).collect();
        let ranks: Vec<usize> = expressions.iter().map(|&e| subject.typing.shape(e).rank).collect();
        let points: Vec<Vec<Vec<i64>>> =
            ranks.into_iter().map(|rank| (0..5).map(|_| subject.point(rank)).collect()).collect();
        let system = &subject.system;
        let instance = SystemInstance::new(system, &subject.domains, &parameters).unwrap();
        let none = |_: VariableId, _: &[i64]| NaiveValue::Error;
        let naive = Naive::new(system, &parameters, &none);
        for (&e, z) in
            expressions.iter().zip(&points).flat_map(|(e, points)| points.iter().map(move |z| (e, z)))
        {
            naive.refuel(20_000);
            let Some(expected) = naive.is_in(e, z) else {
                abstained += 1;
                continue;
            };
            let found = instance.domain(e).contains(&[], z).unwrap();
            let expression = alpha::printing::print_expression(system, e);
            assert_eq!(found, expected, "{z:?} in {expression}, for {parameters:?}\n{}", subject.text());
            if expected { inside += 1 } else { outside += 1 }
        }
    }
    println!("{inside} inside, {outside} outside, {abstained} not known");
    assert!(
        inside > least(4_000) && outside > least(2_000) && abstained < inside / 4,
        "{inside} {outside} {abstained}"
    );
}

/// Fixing parameters before or after the computation of domains gives the same values and findings.
#[test]
fn parameters_may_be_fixed_early_or_late() {
    let mut compared = 0;
    for seed in seeds(40) {
        let mut subject = CheckedSystem::new(seed);
        if subject.system.parameters.is_empty() {
            continue;
        }
        let parameters = subject.parameters();
        let elements = subject.elements(&parameters, 12);
        let system = &subject.system;
        let early = Domains::new(system, &Isl::with_memory(), Some(&parameters)).unwrap();
        let domain = &Extended(Rationals);
        let given = |x: VariableId, z: &[i64]| Some(element(domain, input(system, x, z)));
        let run = |domains: &Domains| {
            let instance = SystemInstance::new(system, domains, &parameters).unwrap();
            let results =
                evaluate(domain, &subject.typing, &instance, &given, VariableMethod::Eval2, &elements);
            results.iter().map(|result| format!("{result:?}")).collect::<Vec<_>>()
        };
        assert_eq!(run(&early), run(&subject.domains), "{}", subject.text());
        compared += elements.len();
    }
    println!("{compared} compared");
    assert!(compared > least(150), "{compared}");
}
