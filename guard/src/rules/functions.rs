//! Interpretations of functions when a rule is run: library functions are the real ones, others are arbitrary
//! models of their laws.

use super::{BothSides, Differs, NotRun};
use crate::comparison::written;
use crate::inputs::Inputs;
use base::seeded::{Seeded, seeded};
use language::GivenInputs as _;
use rule_files::evaluation::TensorValue;
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use selfsame_core::relation::Relation;
use selfsame_core::syntax::Function;
use values::intervals::{self, IntervalTruth, IntervalValue, Intervals};
use values::{Extended, Listed, NumberSystem, ValueDomain};

/// A candidate model of uninterpreted functions' laws, by number.
#[derive(Clone, Copy)]
pub(super) struct FunctionModel {
    pub number: usize,
}

impl FunctionModel {
    /// The value of a function: in the first model arbitrary; later ones are projections and constants, which obey
    /// many laws.
    pub fn value<S: Listed>(
        self,
        inputs: &Inputs<S>,
        function: &Function,
        arguments: &[Element<Extended<S>>],
    ) -> Option<Element<Extended<S>>> {
        let constant = |k: i64| match function.result {
            ElementType::Boolean => Datum::Truth(Some(k != 0)),
            of => Datum::Number(Extended(inputs.system()).index_as(of, k)),
        };
        let like = function.arguments.iter().position(|argument| *argument == function.result);
        match (self.number % 4, like) {
            (1, Some(like)) => arguments.get(like).cloned(),
            (2, _) => Some(constant(0)),
            (3, _) => Some(constant(1)),
            _ => inputs.call(function.into(), arguments),
        }
    }
}

/// Encloses each number of a tensor in an interval.
pub(super) fn enclosing<S: Listed>(system: S, tensor: &TensorValue<Extended<S>>) -> TensorValue<Intervals> {
    let element = |element: &Element<Extended<S>>| match element {
        Datum::Truth(truth) => Datum::Truth(Intervals.truth(*truth)),
        Datum::Number(_) => Datum::Number(match written(system, element) {
            None => IntervalValue::None,
            Some(literal) => Intervals.literal(&literal).unwrap_or(IntervalValue::Open),
        }),
    };
    TensorValue { extents: tensor.extents.clone(), elements: tensor.elements.iter().map(element).collect() }
}

/// The real function of a name, on intervals.
pub(super) fn enclosed(function: &Function, arguments: &[Element<Intervals>]) -> Option<Element<Intervals>> {
    if !function.is_of_reals() {
        return None;
    }
    let mut values = Vec::new();
    for argument in arguments {
        match argument {
            Datum::Number(value) => values.push(*value),
            Datum::Truth(_) => return None,
        }
    }
    // The tool's functions have a value wherever their arguments do; where the real function has none, the value
    // is open.
    intervals::function(&function.name, &values).map(|value| match value {
        IntervalValue::None if values.iter().all(|value| *value != IntervalValue::None) => {
            Datum::Number(IntervalValue::Open)
        }
        value => Datum::Number(value),
    })
}

/// Finds an element at which the intervals are disjoint or only one side is undefined. An instance counts if an
/// element is known on both sides.
pub(super) fn compared<S: NumberSystem<Number: Default>>(
    left: &[TensorValue<Intervals>],
    right: &[TensorValue<Intervals>],
    claimed: Relation,
) -> Result<BothSides<S>, NotRun> {
    let (mut counts, mut defined) = (false, false);
    for (left, right) in left.iter().zip(right) {
        if left.extents != right.extents {
            return Ok(BothSides::Stuck([Some(None), None]));
        }
        let places = super::indices(&left.extents);
        for (at, (a, b)) in places.zip(left.elements.iter().zip(&right.elements)) {
            let is_undefined =
                matches!(a, Datum::Number(IntervalValue::None) | Datum::Truth(IntervalTruth::None));
            let is_free = claimed == Relation::Refines && is_undefined;
            match are_disjoint(a, b).map(|disjoint| disjoint && !is_free) {
                Some(true) => {
                    let differs: Differs = (("result".to_owned(), at), [Some(near(a)), Some(near(b))]);
                    return Ok(BothSides::Enclosed { differs: Some(differs), counts: true, defined: true });
                }
                Some(false) => (counts, defined) = (true, defined | !is_undefined),
                None => {}
            }
        }
    }
    Ok(BothSides::Enclosed { differs: None, counts, defined })
}

/// Whether two values differ; `None` unless both are known.
fn are_disjoint(a: &Element<Intervals>, b: &Element<Intervals>) -> Option<bool> {
    match (a, b) {
        (Datum::Number(IntervalValue::Open), _) | (_, Datum::Number(IntervalValue::Open)) => None,
        (Datum::Truth(IntervalTruth::Open), _) | (_, Datum::Truth(IntervalTruth::Open)) => None,
        (Datum::Number(a), Datum::Number(b)) => {
            let disjoint = Intervals.same(a, b) == IntervalTruth::Known(false);
            Some(seeded(Seeded::GuardIntervals, disjoint, || false))
        }
        (Datum::Truth(a), Datum::Truth(b)) => Some(a != b),
        _ => Some(true),
    }
}

/// A number in the interval, for messages.
fn near(a: &Element<Intervals>) -> Option<values::Literal> {
    match a {
        Datum::Number(IntervalValue::Within(interval)) => Some(values::Literal::F64(interval.middle())),
        Datum::Truth(IntervalTruth::Known(truth)) => Some(values::Literal::Boolean(*truth)),
        _ => None,
    }
}
