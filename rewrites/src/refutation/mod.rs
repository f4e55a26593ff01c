//! Counterexamples: sizes, inputs and a point at which the reference semantics shows a difference, reduced to
//! small values.

pub(crate) mod computation;
pub(crate) mod concrete;

mod given;
mod minimization;
mod random_inputs;
mod report;

use crate::refutation::concrete::{ElementKey, ElementLiterals, NoModel, RefutationQuestion, Resources};
use crate::search::samples::{self, SamplePoint};
use checker::proof::Arithmetic;
use checker::systems::is_real;
use fastrand::Rng;
use random_inputs::{
    FunctionAnswers, InputStyle, KnownInputs, NotableNumbers, RandomInputs, notable_numbers,
};
use rustc_hash::FxHashMap;
use selfsame_core::counterexample::Counterexample;
use selfsame_core::evaluation::{Evaluator, NoValue};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use selfsame_core::{Index, Instance, NodeId};
use std::cell::Cell;
use std::rc::Rc;
use values::digits::counted;
use values::{Extended, Listed, Literal, NumberSystem, ValueDomain as _};

/// The maximum number of evaluations of both sides for one counterexample. Chosen: half and twice give the same
/// verdicts (`docs/limits.md`).
pub const EVALUATIONS: u32 = 3000;
/// The number of evaluations before proofs in the arithmetic of a number system are tried: all pairs of notable numbers, and some
/// others.
pub const AT_FIRST: u32 = 500;
/// The number of tries with pairs of notable numbers: all pairs of the 20 numbers of a type.
const PAIRS: usize = 400;
/// The number of elements read up to which pairs of notable numbers are tried: with more, two of them say little.
const FEW_ELEMENTS: usize = 4;
/// The maximum number of implementations of functions for which a difference is confirmed. Chosen: half and
/// twice give the same verdicts (`docs/limits.md`).
const IMPLEMENTATIONS: usize = 64;
/// The maximum number of points at which the solver is asked. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const SOLVED: usize = 3;
/// The maximum number of steps of one evaluation. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const STEPS: u64 = 100_000;

/// The differences that count as counterexamples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sought {
    /// Whether inputs may be undefined.
    pub undefined_inputs: bool,
    /// Whether the left side must be defined.
    pub left: LeftSide,
    /// Whether to reject inputs that are read outside their extents: such reads show nothing.
    pub within: bool,
}

/// Whether the left side of a difference is defined. A right side that differs where the left side is undefined may
/// still refine it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftSide {
    /// It must be.
    Defined,
    /// Defined, if such a difference is found; otherwise the first difference counts.
    PreferablyDefined,
    /// It may be undefined.
    Any,
}

/// A search for counterexamples in one number system.
pub struct Refuter<'a, S: NumberSystem<Number: Default>> {
    instance: &'a Instance,
    domain: Extended<S>,
    sought: Sought,
    /// The numbers at which arithmetic is likely to surprise, of each element type.
    notable: Rc<NotableNumbers<S::Number>>,
    answers: FunctionAnswers<S::Number>,
    left: u32,
    /// The evaluations that are kept for making a counterexample small.
    kept: u32,
    steps: Cell<u64>,
}

/// A counterexample.
#[derive(Clone, Debug)]
pub struct FoundCounterexample {
    /// The counterexample.
    pub counterexample: Counterexample,
    /// Whether its left side is defined, for every implementation of the functions: then it refutes refinement too.
    pub left_defined: bool,
}

type FoundInputs<S> = (SamplePoint, DifferenceElements<S>);

/// The elements that are read for a difference.
struct DifferenceElements<S: NumberSystem<Number: Default>> {
    known: KnownInputs<S>,
    /// Whether the left side is defined, for every implementation of the functions.
    left_defined: bool,
}

impl<'a, S: Listed> Refuter<'a, S> {
    /// Starts a search for a difference with a maximum number of evaluations. All evaluations take at most `steps` steps together.
    pub fn new(
        instance: &'a Instance,
        system: S,
        sought: Sought,
        (evaluations, steps): (u32, u64),
    ) -> Refuter<'a, S> {
        let notable = Rc::new(notable_numbers(&instance.program, &system));
        Refuter {
            instance,
            domain: Extended(system),
            sought,
            notable,
            answers: FunctionAnswers::default(),
            left: evaluations,
            kept: EVALUATIONS.saturating_sub(evaluations),
            steps: Cell::new(steps),
        }
    }

    /// Searches for a counterexample: at points of these assignments, small ones first, then of others.
    pub fn search(&mut self, assignments: &[SamplePoint], seed: u64) -> Option<FoundCounterexample> {
        let mut second_best = None;
        let accept = |refuter: &mut Self, point: &SamplePoint, difference: DifferenceElements<S>| {
            if refuter.sought.left != LeftSide::PreferablyDefined {
                return Some((point.clone(), difference));
            }
            refuter.sought.left = LeftSide::Defined;
            if difference.left_defined {
                return Some((point.clone(), difference));
            }
            second_best = Some(((point.clone(), difference), refuter.left, refuter.steps.get()));
            None
        };
        if let Some(found) = self.differences(assignments, seed, accept) {
            return Some(self.reduce(found));
        }
        let (found, left, steps) = second_best?;
        (self.left, self.steps, self.sought.left) = (left, Cell::new(steps), LeftSide::Any);
        Some(self.reduce(found))
    }

    /// Searches for a counterexample at these points.
    pub fn search_at(&mut self, points: &[SamplePoint], seed: u64) -> Option<FoundCounterexample> {
        if self.sought.left == LeftSide::PreferablyDefined {
            return [LeftSide::Defined, LeftSide::Any].into_iter().find_map(|left| {
                self.sought.left = left;
                self.search_at(points, seed)
            });
        }
        let (mut rng, styles) = (Rng::with_seed(seed), self.styles());
        let tries = points.iter().flat_map(|point| styles.iter().map(move |&style| (point, style)));
        let found = tries.into_iter().find_map(|(point, style)| {
            let inputs = self.inputs(FxHashMap::default(), style, rng.u64(..));
            Some((point.clone(), self.attempt_with(point, inputs)?))
        });
        found.map(|found| self.reduce(found))
    }

    /// The kinds of inputs to try.
    fn styles(&self) -> &'static [InputStyle] {
        match self.sought.undefined_inputs {
            false if is_real(self.domain.0.row()) => {
                &[InputStyle::Small, InputStyle::Tenths, InputStyle::Notable]
            }
            false => &[InputStyle::Small, InputStyle::Notable],
            true => &[InputStyle::Undefined, InputStyle::Small],
        }
    }

    /// The first difference that `accept` takes, at random inputs.
    fn differences(
        &mut self,
        assignments: &[SamplePoint],
        seed: u64,
        mut accept: impl FnMut(&mut Self, &SamplePoint, DifferenceElements<S>) -> Option<FoundInputs<S>>,
    ) -> Option<FoundInputs<S>> {
        let mut assignments = assignments.to_vec();
        assignments.sort_by_key(|point| (size(point), point.clone()));
        let mut rng = Rng::with_seed(seed);
        let styles = self.styles();
        let mut has_others = !self.instance.symbols.is_empty();
        let Instance { program, claim, .. } = self.instance;
        let is_closed = !has_others && claim.point.is_empty() && program.inputs.is_empty();
        if let Some(found) = self.paired(&assignments, &mut rng, &mut accept) {
            return Some(found);
        }
        while !assignments.is_empty() {
            let before = self.left;
            for assignment in &assignments {
                let mut points =
                    samples::points(&self.instance.claim, std::slice::from_ref(assignment), &mut rng);
                rng.shuffle(&mut points);
                for (point, &style) in points.iter().take(3).flat_map(|p| styles.iter().map(move |s| (p, s)))
                {
                    let inputs = self.inputs(FxHashMap::default(), style, rng.u64(..));
                    let difference = self.attempt_with(point, inputs);
                    if let Some(found) = difference.and_then(|found| accept(self, point, found)) {
                        return Some(found);
                    }
                }
            }
            if self.left == 0 || self.left == before || is_closed {
                return None;
            }
            if has_others {
                let others =
                    samples::assignments(&self.instance.symbols, &self.instance.assumptions, 40, &mut rng);
                has_others = others.iter().any(|point| !assignments.contains(point));
                assignments = if has_others { others } else { assignments };
            }
        }
        None
    }

    /// The first difference that `accept` takes at a small point at which few elements are read, where these are notable
    /// numbers: for two elements, every pair of them.
    fn paired(
        &mut self,
        assignments: &[SamplePoint],
        rng: &mut Rng,
        accept: &mut impl FnMut(&mut Self, &SamplePoint, DifferenceElements<S>) -> Option<FoundInputs<S>>,
    ) -> Option<FoundInputs<S>> {
        if self.sought.undefined_inputs {
            return None;
        }
        let first = assignments.first()?;
        let point = samples::points(&self.instance.claim, std::slice::from_ref(first), rng).pop()?;
        let inputs = self.inputs(FxHashMap::default(), InputStyle::Small, 0);
        self.values(&inputs, &point).ok()?;
        if inputs.known.borrow().len() > FEW_ELEMENTS {
            return None;
        }
        (0..PAIRS).find_map(|number| {
            let inputs = self.inputs(FxHashMap::default(), InputStyle::Pairs(number), rng.u64(..));
            let difference = self.attempt_with(&point, inputs)?;
            accept(self, &point, difference)
        })
    }

    /// Asks the solver for a counterexample at a small point of one assignment after the other, until the solver
    /// gives up.
    pub(crate) fn solve(
        &mut self,
        resources: &Resources<'_>,
        arithmetic: Arithmetic,
        assignments: &[SamplePoint],
    ) -> Option<FoundCounterexample> {
        let mut assignments = assignments.to_vec();
        assignments.sort_by_key(|point| (size(point), point.clone()));
        let mut rng = Rng::with_seed(0);
        let points = assignments.iter().filter_map(|assignment| {
            samples::points(&self.instance.claim, std::slice::from_ref(assignment), &mut rng).pop()
        });
        for point in points.take(SOLVED).collect::<Vec<SamplePoint>>() {
            let (instance, Sought { undefined_inputs, left, .. }) = (self.instance, self.sought);
            let left_defined = left == LeftSide::Defined;
            let question =
                RefutationQuestion { resources, instance, point: &point, undefined_inputs, left_defined };
            match question.values(arithmetic) {
                Ok(values) => {
                    let found = self.attempt(&point, self.read(values)?, InputStyle::Small, 0)?;
                    return Some(self.reduce((point, found)));
                }
                Err(NoModel::None) => {}
                Err(NoModel::Unknown) => return None,
            }
        }
        None
    }

    /// Converts written values to elements.
    fn read(&self, values: ElementLiterals) -> Option<KnownInputs<S>> {
        let element = |literal: Option<Literal>, data_type: ElementType| match (literal, data_type) {
            (None, ElementType::Boolean) => Some(Datum::Truth(None)),
            (None, _) => Some(Datum::Number(None)),
            (Some(Literal::Boolean(truth)), _) => Some(Datum::Truth(Some(truth))),
            (Some(literal), of) => Some(Datum::Number(Some(self.domain.0.read_as(of, &literal).ok()?))),
        };
        let data_type = |key: &ElementKey| self.instance.program.input(key.0).data_type;
        values
            .into_iter()
            .map(|(key, literal)| {
                let element = element(literal, data_type(&key))?;
                Some((key, element))
            })
            .collect()
    }

    /// The elements that are read, if the sides differ at the point.
    fn attempt(
        &mut self,
        point: &SamplePoint,
        known: KnownInputs<S>,
        style: InputStyle,
        seed: u64,
    ) -> Option<DifferenceElements<S>> {
        self.attempt_with(point, self.inputs(known, style, seed))
    }

    fn inputs(&self, known: KnownInputs<S>, style: InputStyle, seed: u64) -> RandomInputs<'a, S> {
        let shared = (self.domain, Rc::clone(&self.notable), Rc::clone(&self.answers));
        RandomInputs::new(&self.instance.program, shared, known, style, seed)
    }

    fn attempt_with(
        &mut self,
        point: &SamplePoint,
        inputs: RandomInputs<'_, S>,
    ) -> Option<DifferenceElements<S>> {
        self.left = self.left.checked_sub(1)?;
        let mut left_defined = true;
        for _ in 0..IMPLEMENTATIONS {
            if !self.meets_given(&inputs, point) {
                return None;
            }
            let [a, b] = self.values(&inputs, point).ok()?;
            left_defined &= a.is_defined();
            let is_sought = left_defined || self.sought.left != LeftSide::Defined;
            if self.same(&a, &b) || !is_sought || self.breaks_a_law(&inputs, point) {
                return None;
            }
            if !inputs.functions.borrow_mut().advance() {
                let known = inputs.known.into_inner();
                let shows = !self.sought.within || known.keys().all(|key| self.is_within(key, point));
                return shows.then_some(DifferenceElements { known, left_defined });
            }
        }
        None
    }

    fn is_within(&self, (input, index): &ElementKey, point: &[i64]) -> bool {
        let bounds = &self.instance.program.input(*input).bounds;
        let known = |p: &Index, test: &dyn Fn(i64) -> bool| p.value(point).is_ok_and(test);
        index.iter().zip(bounds).all(|(&i, [lower, upper])| {
            lower.as_ref().is_none_or(|lower| known(lower, &|lower| lower <= i))
                && upper.as_ref().is_none_or(|upper| known(upper, &|upper| i < upper))
        })
    }

    fn same(&self, a: &Element<Extended<S>>, b: &Element<Extended<S>>) -> bool {
        match (a, b) {
            (Datum::Number(a), Datum::Number(b)) => self.domain.same(a, b) == Some(true),
            (Datum::Truth(a), Datum::Truth(b)) => a == b,
            _ => false,
        }
    }

    fn values(
        &self,
        inputs: &RandomInputs<'_, S>,
        point: &[i64],
    ) -> Result<[Element<Extended<S>>; 2], NoValue> {
        let [a, b] = self.instance.claim.sides;
        Ok([self.value(a, inputs, point)?, self.value(b, inputs, point)?])
    }

    fn value(
        &self,
        node: NodeId,
        inputs: &RandomInputs<'_, S>,
        point: &[i64],
    ) -> Result<Element<Extended<S>>, NoValue> {
        let program = &self.instance.program;
        let mut variables = point.to_vec();
        variables.resize(program.variables.len().max(point.len()), 0);
        let budget = self.steps.get().min(STEPS);
        let mut evaluator = Evaluator::new(program, &self.domain, inputs, budget);
        let (value, work) = counted(|| evaluator.value(node, &mut variables));
        let taken = (budget - evaluator.steps).max(u64::try_from(work).unwrap_or(u64::MAX));
        self.steps.set(self.steps.get().saturating_sub(taken));
        value
    }
}

fn size(point: &[i64]) -> i64 {
    point.iter().fold(0, |sum, value| value.saturating_abs().saturating_add(sum))
}
