//! Values at sampled points, for made-up inputs: a filter that spares the search what cannot be.

use crate::expansion::Side;
use checker::systems::has_meaning;
use semantics::alpha::operations::{Datum, Element};
use semantics::alpha::syntax::{Binary, DataType};
use semantics::core::evaluation::{Evaluator, Given};
use semantics::core::{FunctionId, InputId, Node, NodeId, Operator, Program};
use semantics::values::{Extended, NumberSystem, PrimeField, Rationals, ValueDomain};
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;

/// Inputs and functions whose values are integers without pattern, in a number system.
pub struct Model<'a, S> {
    program: &'a Program,
    domain: Extended<S>,
    seed: u64,
    /// What the values are; where 0 is among them, long products say nothing.
    values: RangeInclusive<i64>,
    /// Whether one in three elements is undefined.
    is_partial: bool,
}

/// Models of one program: modulo 2^61 − 1, where numbers do not grow, or over the rationals, if anything depends on their order.
pub enum Models<'a> {
    /// Over the rationals.
    Exact([Model<'a, Rationals>; 3]),
    /// Modulo 2^61 − 1.
    Field([Model<'a, PrimeField>; 3]),
}

impl<'a, S> Model<'a, S> {
    /// A model in a number system, of numbers without 0.
    pub fn new(program: &'a Program, system: S, seed: u64) -> Model<'a, S> {
        Model { program, domain: Extended(system), seed, values: 1..=1 << 40, is_partial: false }
    }

    /// The value domain.
    pub fn domain(&self) -> &Extended<S> {
        &self.domain
    }
}

/// Whether all values are ratios of polynomials in what is read, so that they may as well be looked at modulo a prime.
pub fn algebraic(program: &Program) -> bool {
    let is_algebraic = |operator: Binary, of: DataType| match operator {
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Equal | Binary::NotEqual => true,
        Binary::Div => of == DataType::Real,
        Binary::And | Binary::Or | Binary::Xor => of == DataType::Boolean,
        _ => false,
    };
    (0..program.len()).map(NodeId::at).all(|node| match program.node(node) {
        Node::Apply(Operator::Unary(operator), _) => !operator.is_function(),
        Node::Apply(Operator::Binary(operator), of) => is_algebraic(*operator, program.data_type(of[0])),
        Node::Reduce(reduction) => is_algebraic(reduction.operator, program.data_type(node)),
        Node::Infinite { .. } => false,
        _ => true,
    })
}

impl<'a> Models<'a> {
    /// Two models of a program, and one with undefined elements.
    pub fn new(program: &'a Program) -> Models<'a> {
        let mut nodes = (0..program.len()).map(NodeId::at);
        let is_field = nodes.all(|node| has_meaning(program, node, &PrimeField));
        let seeds = [(1, false), (2, false), (3, true)];
        if is_field {
            let (domain, values) = (Extended(PrimeField), 1..=1 << 40);
            return Models::Field(seeds.map(|(seed, is_partial)| Model {
                program,
                domain,
                seed,
                values: values.clone(),
                is_partial,
            }));
        }
        let domain = Extended(Rationals);
        Models::Exact(seeds.map(|(seed, is_partial)| Model {
            program,
            domain,
            seed,
            values: -9..=9,
            is_partial,
        }))
    }

    /// Whether a side is defined at a point where elements may be undefined; `None` where it has no value, or takes too long.
    pub fn is_defined(&self, side: &Side, point: &[i64]) -> Option<bool> {
        match self {
            Models::Exact([.., partial]) => partial.is_defined(side, point),
            Models::Field([.., partial]) => partial.is_defined(side, point),
        }
    }
}

/// Evaluation of one side at one point may take so many steps.
const STEPS: u64 = 20_000;

impl<S: NumberSystem<Number: Default>> Model<'_, S> {
    /// The value of a side at a point; `None` where it has none, or takes too long.
    pub fn value(&self, side: &Side, point: &[i64]) -> Option<Element<Extended<S>>> {
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

    fn is_defined(&self, side: &Side, point: &[i64]) -> Option<bool> {
        Some(!matches!(self.value(side, point)?, Datum::Number(None) | Datum::Truth(None)))
    }

    /// Whether two values are the same.
    pub fn same(&self, a: &Element<Extended<S>>, b: &Element<Extended<S>>) -> bool {
        match (a, b) {
            (Datum::Number(a), Datum::Number(b)) => self.domain.same(a, b) == Some(true),
            (Datum::Truth(a), Datum::Truth(b)) => a == b,
            _ => false,
        }
    }

    fn is_missing(&self, key: impl Hash) -> bool {
        let mut hasher = rustc_hash::FxHasher::default();
        (self.seed, "missing", key).hash(&mut hasher);
        self.is_partial && fastrand::Rng::with_seed(hasher.finish()).u8(0..3) == 0
    }

    fn made_up(&self, key: impl Hash, data_type: DataType) -> Element<Extended<S>> {
        let mut hasher = rustc_hash::FxHasher::default();
        (self.seed, key).hash(&mut hasher);
        let number = fastrand::Rng::with_seed(hasher.finish()).i64(self.values.clone());
        match data_type {
            DataType::Boolean => Datum::Truth(Some(number % 2 == 0)),
            DataType::Integer | DataType::Real => Datum::Number(self.domain.index(number)),
        }
    }
}

impl<S: NumberSystem<Number: Default>> Given<Extended<S>> for Model<'_, S> {
    fn element(&self, input: InputId, index: &[i64]) -> Element<Extended<S>> {
        match self.made_up((input.0, index), self.program.input(input).data_type) {
            Datum::Number(_) if self.is_missing((input.0, index)) => Datum::Number(None),
            Datum::Truth(_) if self.is_missing((input.0, index)) => Datum::Truth(None),
            made_up => made_up,
        }
    }

    fn call(&self, function: FunctionId, arguments: &[Element<Extended<S>>]) -> Option<Element<Extended<S>>> {
        let key = format!("{arguments:?}");
        Some(self.made_up((function.0, key), self.program.function(function).result))
    }
}
