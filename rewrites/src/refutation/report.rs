//! A counterexample, as it is written.

use super::Refuter;
use super::computation::Computation;
use super::random_inputs::{FunctionCall, InputStyle, KnownInputs, RandomInputs};
use crate::search::samples::SamplePoint;
use base::identifiers::identifier;
use selfsame_core::counterexample::{
    Counterexample, WrittenCall, WrittenElement, WrittenElements, WrittenTensor, text,
};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use selfsame_core::traps::EVALUATION;
use selfsame_core::{About, Index, InputId, Instance, NodeId};
use values::indices::row_major;
use values::{Extended, Listed, Literal, NumberSystem, ValueDomain as _};

/// The maximum number of input elements written for a counterexample. There may be two counterexamples in each
/// of seven number systems: 3.7 million elements in all, some 40 MB of JSON.
const MAX_ELEMENTS: usize = 1 << 18;

impl<S: Listed> Refuter<'_, S> {
    pub(super) fn report(&self, point: &SamplePoint, known: KnownInputs<S>) -> Counterexample {
        let instance = self.instance;
        let program = &instance.program;
        let inputs = self.inputs(known, InputStyle::Small, 0);
        // The report needs these values whatever is left of the budget.
        self.steps.set(u64::MAX);
        let values = self.values(&inputs, point);
        let leaf = |node: NodeId, point: &SamplePoint| {
            Some(text(&self.write(&self.value(node, &inputs, point).ok()?)))
        };
        let computation = Computation { program, leaf: &leaf };
        let computations = instance.claim.sides.map(|side| computation.text(side, point));
        let values = values.map_or([None, None], |values| values.map(|value| self.write(&value)));
        let traps = self.traps(&inputs, point);
        let (known, functions) = (inputs.known.into_inner(), inputs.functions.into_inner());
        let literals = |numbers: &[S::Number]| numbers.iter().map(|n| self.domain.0.write(n)).collect();
        let call = |call: &FunctionCall<S::Number>| WrittenCall {
            function: program.function(call.function).name.to_string(),
            arguments: literals(&call.arguments),
            values: literals(&call.possible),
        };
        let mut left = MAX_ELEMENTS;
        let written = |(at, input): (usize, &selfsame_core::Input)| {
            let id = InputId(identifier(at));
            let (origin, extents) = self.shown_box(id, input, point, &known);
            let elements = self.written_elements(id, input.data_type, [&origin, &extents], &known, &mut left);
            WrittenTensor { name: input.name.to_string(), elements, extents, origin }
        };
        let size = |v: &selfsame_core::Variable| (program.name(*v), point[v.index()].to_string());
        let (variable, index) = self.place(point);
        Counterexample {
            system: self.domain.0.name(),
            parameters: instance.choices.iter().cloned().chain(instance.symbols.iter().map(size)).collect(),
            inputs: program.inputs.iter().enumerate().map(written).collect(),
            variable,
            index,
            values,
            traps,
            computations,
            calls: functions.calls.iter().map(call).collect(),
        }
    }

    /// The elements of an input in a box, if there are at most `left`; an element that is not read is 0.
    fn written_elements(
        &self,
        id: InputId,
        data_type: ElementType,
        [origin, extents]: [&[i64]; 2],
        known: &KnownInputs<S>,
        left: &mut usize,
    ) -> WrittenElements {
        let count =
            extents.iter().try_fold(1_usize, |n, &extent| n.checked_mul(usize::try_from(extent).ok()?));
        if let Some(fewer) = count.and_then(|count| left.checked_sub(count)) {
            *left = fewer;
            let placed = |place: Vec<i64>| place.iter().zip(origin).map(|(i, lower)| i + lower).collect();
            let value = |place| known.get(&(id, placed(place))).map(|value| self.write(value));
            let unread = || self.write(&zero(&self.domain, data_type));
            let all = row_major(extents).map(|place| value(place).unwrap_or_else(unread));
            return WrittenElements::All(all.collect());
        }
        let read = known.iter().filter(|((of, _), _)| *of == id);
        let place =
            |index: &[i64]| -> Vec<i64> { index.iter().zip(origin).map(|(i, lower)| i - lower).collect() };
        let mut read: Vec<_> = read.map(|((_, index), value)| (place(index), self.write(value))).collect();
        read.sort_by(|(a, _), (b, _)| a.cmp(b));
        WrittenElements::Read(read)
    }

    /// Whether the evaluation of each side traps: what the claim is about, or what stands beside it says so.
    fn traps(&self, inputs: &RandomInputs<'_, S>, point: &SamplePoint) -> [bool; 2] {
        let Instance { claim, beside, .. } = self.instance;
        let is_about_traps = matches!(&claim.about, About::Output(name, _) if **name == *EVALUATION);
        let evaluations = if is_about_traps { &claim.sides[..] } else { beside };
        let &[left, right] = evaluations else { return [false; 2] };
        [left, right].map(|node| self.value(node, inputs, point).is_ok_and(|value| !value.is_defined()))
    }

    /// The output and the index that the claim is about.
    fn place(&self, point: &SamplePoint) -> (String, Vec<i64>) {
        let claim = &self.instance.claim;
        let of_point = || claim.point.iter().map(|v| point[v.index()]).collect();
        let About::Output(name, index) = &claim.about else { return (claim.name.to_string(), of_point()) };
        let index: Result<_, _> = index.iter().map(|index| index.value(point)).collect();
        (name.to_string(), index.unwrap_or_else(|_| of_point()))
    }

    /// The first index and the extents of the shown part of an input: all of it, or what was read where it has no
    /// bound.
    fn shown_box(
        &self,
        id: InputId,
        input: &selfsame_core::Input,
        point: &SamplePoint,
        known: &KnownInputs<S>,
    ) -> (Vec<i64>, Vec<i64>) {
        let read = |k: usize| known.keys().filter(move |(of, _)| *of == id).map(move |(_, index)| index[k]);
        let sides = input.bounds.iter().enumerate().map(|(k, [lower, upper])| {
            let value = |p: &Option<Index>| p.as_ref().and_then(|p| p.value(point).ok());
            let lower = value(lower).or_else(|| read(k).min()).unwrap_or(0);
            let upper =
                value(upper).or_else(|| read(k).max().map(|last| last.saturating_add(1))).unwrap_or(lower);
            (lower, upper.saturating_sub(lower).max(0))
        });
        sides.unzip()
    }

    pub(super) fn write(&self, value: &Element<Extended<S>>) -> WrittenElement {
        match value {
            Datum::Number(number) => number.as_ref().map(|n| self.domain.0.write(n)),
            Datum::Truth(truth) => truth.map(Literal::Boolean),
        }
    }
}

fn zero<S: NumberSystem<Number: Default>>(
    domain: &Extended<S>,
    data_type: ElementType,
) -> Element<Extended<S>> {
    match data_type {
        ElementType::Boolean => Datum::Truth(Some(false)),
        of => Datum::Number(domain.index_as(of, 0)),
    }
}
