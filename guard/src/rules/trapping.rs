//! Both sides on a machine with traps, by the domain that has them: the values, and where evaluation traps.

use super::{NotRun, Sides, SizedRule, both};
use language::Outputs;
use rule_files::evaluation::{TensorValue, Valuation};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use selfsame_core::syntax::Function;
use selfsame_core::traps::EVALUATION;
use values::{Evaluated, Extended, Listed, Machine, NumberSystem, Trapping};

/// Evaluates both sides on a machine with traps.
pub(super) fn on_machine<S: Listed>(
    sized: &SizedRule,
    run: &Valuation<'_, Extended<S>>,
    machine: Machine,
    budget: &mut u64,
) -> Result<Sides<Trapping<S>>, NotRun> {
    let declared = sized.instance.tensors().iter().zip(run.inputs);
    let inputs: Vec<TensorValue<Trapping<S>>> = declared
        .map(|(declared, tensor)| {
            let elements = tensor.elements.iter().map(|element| evaluated::<S>(declared.data_type, element));
            TensorValue { extents: tensor.extents.clone(), elements: elements.collect() }
        })
        .collect();
    let interpretation = |function: &Function, arguments: &[Element<Trapping<S>>]| {
        let arguments: Vec<Element<Extended<S>>> = arguments.iter().map(value::<S>).collect();
        let result = (run.interpretation)(function, &arguments)?;
        Some(evaluated::<S>(function.result, &result))
    };
    let domain = &Trapping { domain: *run.domain, machine };
    let run = Valuation { domain, sizes: run.sizes, inputs: &inputs, interpretation: &interpretation };
    both(sized, &run, budget)
}

/// An element that is there: its evaluation does not trap.
fn evaluated<S: NumberSystem<Number: Default>>(
    of: ElementType,
    element: &Element<Extended<S>>,
) -> Element<Trapping<S>> {
    match element {
        Datum::Number(number) => Datum::Number(Evaluated::of(of, number.clone())),
        Datum::Truth(truth) => Datum::Truth(Evaluated::truth(*truth)),
    }
}

/// The value of an element, undefined where the evaluation traps.
fn value<S: NumberSystem<Number: Default>>(element: &Element<Trapping<S>>) -> Element<Extended<S>> {
    match element {
        Datum::Number(number) => Datum::Number(number.value.clone().filter(|_| !number.traps)),
        Datum::Truth(truth) => Datum::Truth(truth.value.filter(|_| !truth.traps)),
    }
}

/// What a machine with traps observes, under the names of the claims about a rule: the values, and *true* where the evaluation
/// does not trap.
pub(super) fn observed<S: Listed>(outputs: Outputs<Trapping<S>>) -> Outputs<Extended<S>> {
    let of_both = |((name, at), element): ((String, Vec<i64>), Element<Trapping<S>>)| {
        let traps = match &element {
            Datum::Number(number) => number.traps,
            Datum::Truth(truth) => truth.traps,
        };
        let evaluation = ((EVALUATION.to_owned(), at.clone()), Datum::Truth((!traps).then_some(true)));
        [((name, at), value::<S>(&element)), evaluation]
    };
    outputs.into_iter().flat_map(of_both).collect()
}
