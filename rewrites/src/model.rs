//! Values at sampled points, for made-up inputs: a filter that spares the search what cannot be.

use crate::expansion::Side;
use semantics::alpha::operations::{Datum, Element};
use semantics::alpha::syntax::DataType;
use semantics::core::evaluation::{Evaluator, Given};
use semantics::core::{FunctionId, InputId, Program};
use semantics::values::{Extended, Rationals, ValueDomain};
use std::hash::{Hash, Hasher};

/// Inputs and functions whose values are small integers without pattern.
pub struct Model<'a> {
    program: &'a Program,
    domain: Extended<Rationals>,
    seed: u64,
}

/// Evaluation of one side at one point may take so many steps.
const STEPS: u64 = 20_000;

impl<'a> Model<'a> {
    /// A model of the inputs of a program.
    pub fn new(program: &'a Program, seed: u64) -> Model<'a> {
        Model { program, domain: Extended(Rationals), seed }
    }

    /// The value of a side at a point; `None` where it has none, or takes too long.
    pub fn value(&self, side: &Side, point: &[i64]) -> Option<Element<Extended<Rationals>>> {
        let mut variables = point.to_vec();
        variables.resize(variables.len().max(self.program.variables.len()), 0);
        let bound: Vec<_> = side.at.list();
        let values: Vec<i64> = bound.iter().map(|(_, p)| p.value(&variables).ok()).collect::<Option<_>>()?;
        for ((v, _), value) in bound.iter().zip(values) {
            variables[v.index()] = value;
        }
        let mut evaluator = Evaluator::new(self.program, &self.domain, self, STEPS);
        evaluator.value(side.node, &mut variables).ok()
    }

    fn made_up(&self, key: impl Hash, data_type: DataType) -> Element<Extended<Rationals>> {
        let mut hasher = rustc_hash::FxHasher::default();
        (self.seed, key).hash(&mut hasher);
        let number = fastrand::Rng::with_seed(hasher.finish()).i64(-9..=9);
        match data_type {
            DataType::Boolean => Datum::Truth(Some(number > 0)),
            DataType::Integer | DataType::Real => Datum::Number(self.domain.index(number)),
        }
    }
}

impl Given<Extended<Rationals>> for Model<'_> {
    fn element(&self, input: InputId, index: &[i64]) -> Element<Extended<Rationals>> {
        self.made_up((input.0, index), self.program.input(input).data_type)
    }

    fn call(
        &self,
        function: FunctionId,
        arguments: &[Element<Extended<Rationals>>],
    ) -> Option<Element<Extended<Rationals>>> {
        let key = format!("{arguments:?}");
        Some(self.made_up((function.0, key), self.program.function(function).result))
    }
}
