//! Evaluates sides at sampled points, with made-up inputs: a filter that spares the search hopeless attempts.

use crate::search::expansion::{Bindings, SubstitutedNode};
use crate::search::hypotheses::quantified;
use crate::search::samples::extended;
use checker::systems::has_meaning;
use rustc_hash::FxHashSet;
use selfsame_core::evaluation::{Environment, Evaluator};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::{Binary, ElementType};
use selfsame_core::{FunctionId, InputId, Node, NodeId, Operator, Program};
use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;
use values::{ElementTypes, Extended, NumberSystem, PrimeField, Rationals, SystemName, Typed, ValueDomain};

/// Inputs and functions with pseudo-random integer values, in a number system.
pub struct Model<'a, S> {
    program: &'a Program,
    domain: Extended<S>,
    seed: u64,
    /// The range of the values; if it contains 0, long products say nothing.
    values: RangeInclusive<i64>,
    /// Whether one in three elements is undefined.
    is_partial: bool,
}

/// Models of one program: modulo 2^61 − 1, where numbers do not grow, or over the rationals, if anything depends
/// on the order of numbers.
pub enum Models<'a> {
    /// Over the rationals.
    Exact([Model<'a, Rationals>; 3]),
    /// Over the element types of the program; `real` and `integer` are exact.
    Typed([Model<'a, Typed>; 3]),
    /// Modulo 2^61 − 1.
    Field([Model<'a, PrimeField>; 3]),
}

impl<'a, S> Model<'a, S> {
    /// A model in a number system, with nonzero values.
    pub fn new(program: &'a Program, system: S, seed: u64) -> Model<'a, S> {
        Model { program, domain: Extended(system), seed, values: 1..=1 << 40, is_partial: false }
    }

    /// The value domain.
    pub fn domain(&self) -> &Extended<S> {
        &self.domain
    }
}

/// Whether all values are ratios of polynomials in the elements read, so that they can be computed modulo a prime.
pub fn algebraic(program: &Program) -> bool {
    let is_algebraic = |operator: Binary, of: ElementType| match operator {
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Equal | Binary::NotEqual => true,
        Binary::Div => of.is_real(),
        Binary::And | Binary::Or | Binary::Xor => of == ElementType::Boolean,
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
    /// Two models of a program with defined elements, and one with undefined elements.
    pub fn new(program: &'a Program) -> Models<'a> {
        let nodes = || (0..program.len()).map(NodeId::at);
        let is_field = nodes().all(|node| has_meaning(program, node, SystemName::Field));
        let types: ElementTypes = nodes().map(|node| program.data_type(node)).collect();
        if types.numbers().iter().any(|of| of != ElementType::Real) {
            return Models::Typed(models(program, Typed::new(SystemName::Stated, program.machine), -9..=9));
        }
        match is_field {
            true => Models::Field(models(program, PrimeField, 1..=1 << 40)),
            false => Models::Exact(models(program, Rationals, -9..=9)),
        }
    }

    /// Whether a side is defined at a point where elements may be undefined; `None` if it has no value or takes
    /// too long.
    pub fn is_defined(&self, side: &SubstitutedNode, point: &[i64]) -> Option<bool> {
        match self {
            Models::Exact([.., partial]) => partial.is_defined(side, point),
            Models::Typed([.., partial]) => partial.is_defined(side, point),
            Models::Field([.., partial]) => partial.is_defined(side, point),
        }
    }
}

fn models<S: Copy>(program: &Program, system: S, values: RangeInclusive<i64>) -> [Model<'_, S>; 3] {
    let domain = Extended(system);
    [(1, false), (2, false), (3, true)].map(|(seed, is_partial)| Model {
        program,
        domain,
        seed,
        values: values.clone(),
        is_partial,
    })
}

/// The maximum number of steps to evaluate one side at one point; large programs get more. Chosen: half and
/// twice give the same verdicts (`docs/limits.md`).
const STEPS: u64 = 20_000;
/// Hypotheses over at least this many points are not evaluated. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_GIVEN: usize = 2_000;

/// Enough steps to evaluate each node once, so that long sums are told apart like short ones.
fn steps(program: &Program) -> u64 {
    STEPS.max(4 * program.len() as u64)
}

impl<S: NumberSystem<Number: Default>> Model<'_, S> {
    /// The value of a side at a point; `None` if it has none or takes too long.
    pub fn value(&self, side: &SubstitutedNode, point: &[i64]) -> Option<Element<Extended<S>>> {
        let mut variables = self.variables(&side.at, point)?;
        let mut evaluator = Evaluator::new(self.program, &self.domain, self, steps(self.program));
        evaluator.value(side.node, &mut variables).ok()
    }

    /// The values of all variables at a point, after the substitution.
    fn variables(&self, at: &Bindings, point: &[i64]) -> Option<Vec<i64>> {
        let mut variables = point.to_vec();
        variables.resize(variables.len().max(self.program.variables.len()), 0);
        let bound: Vec<_> = at.list();
        let values: Vec<i64> = bound.iter().map(|(_, p)| p.value(&variables).ok()).collect::<Option<_>>()?;
        for ((v, _), value) in bound.iter().zip(values) {
            variables[v.index()] = value;
        }
        Some(variables)
    }

    /// Whether the hypotheses hold wherever they are about elements on which a side depends; the other elements
    /// may be whatever they must be. If no side depends on an element, they must hold everywhere.
    pub fn satisfies(&self, given: &[NodeId], sides: [&SubstitutedNode; 2], point: &[i64]) -> bool {
        let recording = Recording { model: self, read: RefCell::default() };
        let values = sides.map(|side| recording.value(side.node, &side.at, point));
        let read = recording.read.take();
        values.iter().all(Option::is_some) && given.iter().all(|&node| self.is_given(node, &read, point))
    }

    fn is_given(&self, node: NodeId, read: &FxHashSet<InputElement>, point: &[i64]) -> bool {
        let holds = |node: NodeId, point: &[i64]| {
            let recording = Recording { model: self, read: RefCell::default() };
            let is_true =
                matches!(recording.value(node, &Bindings::default(), point), Some(Datum::Truth(Some(true))));
            is_true || !read.is_empty() && recording.read.borrow().is_disjoint(read)
        };
        let Some(all) = quantified(self.program, node) else { return holds(node, point) };
        let mut here = point.to_vec();
        here.resize(here.len().max(self.program.variables.len()), 0);
        let points = extended(&[here], &all.binders, &all.filter, MAX_GIVEN);
        points.len() < MAX_GIVEN && points.iter().all(|point| holds(all.body, point))
    }

    fn is_defined(&self, side: &SubstitutedNode, point: &[i64]) -> Option<bool> {
        Some(self.value(side, point)?.is_defined())
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

    fn made_up(&self, key: impl Hash, data_type: ElementType) -> Element<Extended<S>> {
        let mut hasher = rustc_hash::FxHasher::default();
        (self.seed, key).hash(&mut hasher);
        let number = fastrand::Rng::with_seed(hasher.finish()).i64(self.values.clone());
        match data_type {
            ElementType::Boolean => Datum::Truth(Some(number % 2 == 0)),
            of => Datum::Number(self.domain.index_as(of, number)),
        }
    }
}

impl<S: NumberSystem<Number: Default>> Environment<Extended<S>> for Model<'_, S> {
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

/// An element of an input.
type InputElement = (InputId, Vec<i64>);

/// A model that notes which elements are read.
struct Recording<'a, 'b, S> {
    model: &'b Model<'a, S>,
    read: RefCell<FxHashSet<InputElement>>,
}

impl<S: NumberSystem<Number: Default>> Recording<'_, '_, S> {
    fn value(&self, node: NodeId, at: &Bindings, point: &[i64]) -> Option<Element<Extended<S>>> {
        let mut variables = self.model.variables(at, point)?;
        let mut evaluator =
            Evaluator::new(self.model.program, &self.model.domain, self, steps(self.model.program));
        evaluator.value(node, &mut variables).ok()
    }
}

impl<S: NumberSystem<Number: Default>> Environment<Extended<S>> for Recording<'_, '_, S> {
    fn element(&self, input: InputId, index: &[i64]) -> Element<Extended<S>> {
        self.read.borrow_mut().insert((input, index.to_vec()));
        self.model.element(input, index)
    }

    fn call(&self, function: FunctionId, arguments: &[Element<Extended<S>>]) -> Option<Element<Extended<S>>> {
        self.model.call(function, arguments)
    }
}
