//! A program's own evaluation and that of its core agree.
#![allow(clippy::panic, clippy::expect_used, reason = "a finding is a panic")]

use alpha::domains::Domains;
use alpha::evaluation::{Setting, Stuck, SystemEvaluator, VariableMethod};
use alpha::instance::SystemInstance;
use alpha::lowered::Lowered;
use alpha::syntax::{DeclaredFunction, VariableId};
use alpha::typing::{Typing, type_system};
use language::{
    ComparedElements, GivenInputs, Outputs, Program, Runnable as _, Signature, Sizes, Stopped, Task,
};
use polyhedra::Engine;
use selfsame_core::operations::{Datum, Element, error};
use selfsame_core::operators::ElementType;
use values::machine::Machine;
use values::{Division, Extended, SystemName, Typed, ValueDomain};

/// The maximum number of elements that are computed by the core, too.
const PLACES: usize = 32;
/// The maximum number of elements of an output.
const POINTS: usize = 1 << 10;

/// A program at sizes that it allows agrees with its core, if it has one: in a number system of short numbers, if it is judged in one.
pub fn agrees<P: Program<Core = Lowered>>(program: &P, sizes: &Sizes, engine: &dyn Engine) {
    let judging = SystemName::judging(program.types());
    let is_short = |system: &&SystemName| **system == SystemName::I32;
    let Some(system) = judging.iter().find(is_short).or(judging.first()) else { return };
    agrees_in(program, sizes, &[*system], engine);
}

/// The number of elements at which a program at sizes that it allows agrees with its core, in some number systems.
pub fn agrees_in<P: Program<Core = Lowered>>(
    program: &P,
    sizes: &Sizes,
    systems: &[SystemName],
    engine: &dyn Engine,
) -> usize {
    let Ok(lowered) = program.lower() else { return 0 };
    let typing = type_system(&lowered.system)
        .unwrap_or_else(|errors| panic!("the core is not well-typed: {errors:?}"));
    let Ok(domains) = Domains::new(&lowered.system, engine, None) else { return 0 };
    let values: Vec<i64> = program.parameters().iter().map(|name| sizes[name]).collect();
    let Ok(instance) = SystemInstance::new(&lowered.system, &domains, &values) else { return 0 };
    let agreement =
        Agreement { program, lowered: &lowered, typing: &typing, instance: &instance, sizes, engine };
    systems.iter().map(|system| agreement.check(*system)).sum()
}

/// A program at sizes, and its core.
struct Agreement<'a, P> {
    program: &'a P,
    lowered: &'a Lowered,
    typing: &'a Typing,
    instance: &'a SystemInstance<'a>,
    sizes: &'a Sizes,
    engine: &'a dyn Engine,
}

type Domain = Extended<Typed>;

impl<P: Program<Core = Lowered>> Agreement<'_, P> {
    /// The number of elements at which the program's own evaluation and that of its core agree, in a number system.
    fn check(&self, system: SystemName) -> usize {
        let domain = Extended(Typed::new(system, Machine::default()));
        let Some(own) = self.own(&domain) else { return 0 };
        let input = |x: VariableId, z: &[i64]| {
            let of = self.lowered.system.variable(x).data_type;
            Some(Numbers(&domain).element(&self.lowered.inputs[x.index()], z, of))
        };
        let functions = |function: &DeclaredFunction, arguments: &[Element<Domain>]| {
            called(&domain, arguments, function.result)
        };
        let mut evaluator = SystemEvaluator::new(Setting {
            instance: self.instance,
            typing: self.typing,
            domain: &domain,
            division: Division::System,
            input: &input,
            functions: &functions,
            method: VariableMethod::Eval2,
            max_steps: 1 << 16,
        });
        let mut compared = 0;
        for ((name, at), wanted) in own.iter().take(PLACES) {
            let found = match evaluator.element(self.output(name), at) {
                Ok(found) => found,
                // A budget; or a literal of ALPHA, an integer or a real first, which may have no meaning where these are bytes.
                Err(Stuck::Steps(..) | Stuck::Memory(_) | Stuck::Fibre(..) | Stuck::Index(..)) => {
                    return compared;
                }
                Err(Stuck::Constant(..) | Stuck::TooLong) => return compared,
                Err(stuck) => panic!("{stuck:?} of {name}{at:?} at {:?}", self.sizes),
            };
            let same = match (&found, wanted) {
                (Datum::Number(a), Datum::Number(b)) => domain.known(&domain.same(a, b)) == Some(true),
                (Datum::Truth(a), Datum::Truth(b)) => a == b,
                _ => false,
            };
            let sizes = self.sizes;
            assert!(same, "{name}{at:?} at {sizes:?} is {wanted:?} by itself, {found:?} by the core");
            compared += 1;
        }
        compared
    }

    fn output(&self, name: &str) -> VariableId {
        let found = self.lowered.outputs.iter().find(|(of, _)| of == name);
        found.map(|(_, x)| *x).expect("an output of the core")
    }

    /// The program's own evaluation; `None` if it takes too long.
    fn own(&self, domain: &Domain) -> Option<Outputs<Domain>> {
        let (division, outputs) = (Division::System, self.program.outputs());
        let compared = ComparedElements::All;
        let task = Task { division, outputs: &outputs, compared, steps: 1 << 16, elements: POINTS };
        let runnable = self.program.runnable(self.engine).ok()?;
        match runnable.outputs(domain, self.sizes, &Numbers(domain), task) {
            Ok(own) => Some(own),
            Err(Stopped::Budget | Stopped::TooLong) => None,
            Err(stopped) => panic!("{stopped} at {:?}", self.sizes),
        }
    }
}

/// Inputs that depend on names and indices only: small numbers.
struct Numbers<'a>(&'a Domain);

impl GivenInputs<Domain> for Numbers<'_> {
    fn element(&self, name: &str, at: &[i64], of: ElementType) -> Element<Domain> {
        let seed = name.bytes().map(i64::from).chain(at.iter().copied());
        let number = seed.fold(1_i64, |sum, part| sum.wrapping_mul(7).wrapping_add(part)).rem_euclid(9) - 3;
        match of {
            ElementType::Boolean => Datum::Truth(self.0.truth(Some(number > 0))),
            _ => Datum::Number(self.0.index_as(of, number)),
        }
    }

    fn index(&self, _: &str) -> i64 {
        0
    }

    fn call(&self, signature: Signature<'_>, of: &[Element<Domain>]) -> Option<Element<Domain>> {
        called(self.0, of, signature.result)
    }
}

/// A function that gives its last argument, if all are defined.
fn called(domain: &Domain, arguments: &[Element<Domain>], result: ElementType) -> Option<Element<Domain>> {
    let all = arguments.iter().all(Element::<Domain>::is_defined);
    let last = arguments.last().filter(|_| all).cloned();
    Some(last.unwrap_or_else(|| error(domain, result)))
}
