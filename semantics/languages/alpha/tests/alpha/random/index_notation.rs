//! Systems in index notation have the values of `Eval2`, also with unrolled reductions.

use crate::random::naive::input;
use crate::random::setup::{CheckedSystem, element, evaluate, interpreted, is_boolean, least, seeds};
use alpha::evaluation::VariableMethod;
use alpha::instance::SystemInstance;
use alpha::syntax::{System, VariableId};
use alpha::to_core::{Part, Recurrences, claims};
use selfsame_core::evaluation::{Environment, Evaluator};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::unrolling::unrolled;
use selfsame_core::{FunctionId, InputId, Instance as Claimed, Program};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use values::symbolic::{Terms, Unknown};
use values::{ComparisonOperator, Division, Extended, I32, Machine, Rationals, ValueDomain};

/// The inputs of a system, by their names.
struct NamedInputs<'a, D: ValueDomain> {
    system: &'a System,
    program: &'a Program,
    domain: &'a D,
    input: &'a dyn Fn(VariableId, &[i64]) -> Element<D>,
}

impl<D: ValueDomain> Environment<D> for NamedInputs<'_, D> {
    fn element(&self, of: InputId, index: &[i64]) -> Element<D> {
        let x = self.system.find(&self.program.input(of).name).unwrap();
        (self.input)(x, index)
    }

    fn call(&self, of: FunctionId, arguments: &[Element<D>]) -> Option<Element<D>> {
        let name = &self.program.function(of).name;
        let function = self.system.functions.iter().find(|function| function.name == *name)?;
        Some(interpreted(self.domain, function, arguments))
    }
}

/// The value of the left side of a claim; `None` if the point is outside the claim, or there are too many steps.
fn value<D: ValueDomain>(
    system: &System,
    claimed: &Claimed,
    domain: &D,
    input: &dyn Fn(VariableId, &[i64]) -> Element<D>,
    parameters: &[i64],
    z: &[i64],
) -> Option<String> {
    let program = &claimed.program;
    let mut variables = vec![0; program.variables.len()];
    for v in &claimed.symbols {
        let at = system.parameters.iter().position(|name| **name == program.name(*v)).unwrap();
        variables[v.index()] = parameters[at];
    }
    claimed.claim.point.iter().zip(z).for_each(|(v, &i)| variables[v.index()] = i);
    if claimed.claim.domain().holds(&variables) != Ok(true) {
        return None;
    }
    let given = &NamedInputs { system, program, domain, input };
    let value = Evaluator::new(program, domain, given, 200_000).value(claimed.claim.sides[0], &mut variables);
    value.ok().map(|value| format!("{value:?}"))
}

/// Compares all outputs at some points; returns the number of comparisons.
fn compared<D: ValueDomain>(
    subject: &mut CheckedSystem,
    claims: &[Claimed],
    domain: &D,
    input: &dyn Fn(VariableId, &[i64]) -> Element<D>,
    parameters: &[i64],
) -> usize {
    let mut compared = 0;
    for (x, z) in subject.elements(parameters, 30) {
        let system = &subject.system;
        let name = &*system.variable(x).name;
        let element_name = format!("{name}{z:?}");
        let Some(claimed) = claims.iter().find(|c| *c.claim.name == *name || *c.claim.name == *element_name)
        else {
            continue;
        };
        let Some(found) = value(system, claimed, domain, input, parameters, &z) else { continue };
        let instance = SystemInstance::new(system, &subject.domains, parameters).unwrap();
        let given = |x, z: &[i64]| Some(input(x, z));
        let expected =
            evaluate(domain, &subject.typing, &instance, &given, VariableMethod::Eval2, &[(x, z.clone())]);
        let Ok(expected) = &expected[0] else { continue };
        let at = || format!("{element_name} for {parameters:?}\n{}", subject.text());
        assert_eq!(found, format!("{expected:?}"), "{}", at());
        if let Some(unrolled) = unrolled(claimed) {
            let unrolled = value(system, &unrolled, domain, input, parameters, &z);
            assert_eq!(unrolled.as_ref(), Some(&found), "unrolled: {}", at());
        }
        compared += 1;
    }
    compared
}

#[test]
fn systems_have_their_values_in_index_notation() {
    let (mut symbolic, mut fixed, mut refused) = (0, 0, 0);
    for seed in seeds(700) {
        let mut subject = CheckedSystem::new(seed);
        let parameters = subject.parameters();
        let names = subject.system.declared_parameters().iter().map(|name| name.to_string());
        let values: BTreeMap<String, i64> = names.zip(parameters.iter().copied()).collect();
        let modes = [
            (BTreeMap::new(), Recurrences::Unrolled, &mut symbolic),
            (values, Recurrences::ByElement, &mut fixed),
        ];
        for (given, recurrences, count) in modes {
            let system = subject.system.clone();
            let part = || Part::new(&system);
            let claims = match claims(
                [&part(), &part()],
                &given,
                (Division::Extended, Machine::default()),
                &recurrences,
            ) {
                Ok(claims) => claims.instances,
                _ => {
                    refused += 1;
                    continue;
                }
            };
            let (rationals, i32s) = (Extended(Rationals), Extended(I32));
            let of = |x: VariableId, z: &[i64]| element(&rationals, input(&system, x, z));
            *count += compared(&mut subject, &claims, &rationals, &of, &parameters);
            let of = |x: VariableId, z: &[i64]| element(&i32s, input(&system, x, z));
            *count += compared(&mut subject, &claims, &i32s, &of, &parameters);
            // Terms show the order of a sum.
            let (terms, unknowns) = (Terms::with_limit(1 << 20), RefCell::new(HashMap::new()));
            let of = |x: VariableId, z: &[i64]| {
                let mut unknowns = unknowns.borrow_mut();
                let next = Unknown(unknowns.len() as u32);
                let number = terms.unknown(*unknowns.entry((x, z.to_vec())).or_insert(next));
                match is_boolean(&system, x) {
                    true => Datum::Truth(terms.compare(ComparisonOperator::Less, &terms.index(0), &number)),
                    false => Datum::Number(number),
                }
            };
            *count += compared(&mut subject, &claims, &terms, &of, &parameters);
        }
    }
    // Nearly all refused systems have a convex hull somewhere.
    println!("{symbolic} elements with symbols, {fixed} at fixed parameters; {refused} refused");
    assert!(symbolic > least(500) && fixed > least(500), "{symbolic} {fixed}");
}
