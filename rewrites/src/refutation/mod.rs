//! Counterexamples: sizes, inputs and a point at which the reference semantics shows a difference, reduced to
//! small values.

pub(crate) mod computation;
pub(crate) mod concrete;

mod given;

use crate::refutation::computation::Computation;
use crate::refutation::concrete::{ElementKey, ElementLiterals, NoModel, RefutationQuestion, Resources};
use crate::search::samples::{self, Point};
use base::identifiers::identifier;
use checker::proof::Arithmetic;
use checker::systems::is_real;
use fastrand::Rng;
use rustc_hash::FxHashMap;
use selfsame_core::counterexample::{
    Counterexample, Written, WrittenCall, WrittenElements, WrittenTensor, text,
};
use selfsame_core::evaluation::{Evaluator, Given, Stuck};
use selfsame_core::operations::{Datum, Element, error};
use selfsame_core::operators::DataType;
use selfsame_core::{About, Condition, FunctionId, Index, InputId, Instance, NodeId, Program};
use std::cell::{Cell, RefCell};
use values::digits::counted;
use values::indices::row_major;
use values::{Division, Extended, Listed, Literal, NumberSystem, ValueDomain};

/// The maximum number of evaluations of both sides for one counterexample. Chosen: half and twice give the same
/// verdicts (`docs/limits.md`).
const EVALUATIONS: u32 = 3000;
/// The maximum number of implementations of functions for which a difference is confirmed. Chosen: half and
/// twice give the same verdicts (`docs/limits.md`).
const IMPLEMENTATIONS: usize = 64;
/// The maximum number of points at which the solver is asked. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const SOLVED: usize = 3;
/// The maximum number of steps of one evaluation. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const STEPS: u64 = 100_000;

/// The maximum number of nodes evaluated to simplify a counterexample; at least [`MIN_SIMPLIFICATIONS`] tries
/// are made. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_SIMPLIFICATION: usize = 1 << 22;
/// The number of tries for large programs: half and twice give the same verdicts.
const MIN_SIMPLIFICATIONS: usize = 64;

/// Smaller groups of elements are simplified one by one only. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const FEW: usize = 64;

/// The maximum number of input elements written for a counterexample. There may be two counterexamples in each
/// of seven number systems: 3.7 million elements in all, some 40 MB of JSON.
const MAX_ELEMENTS: usize = 1 << 18;

/// Inputs that are made up when they are first read.
struct RandomInputs<'a, S: NumberSystem<Number: Default>> {
    program: &'a Program,
    domain: Extended<S>,
    known: RefCell<KnownInputs<S>>,
    /// The elements that were made up, in that order.
    made_up: RefCell<Vec<ElementKey>>,
    rng: RefCell<Rng>,
    style: InputStyle,
    /// Elements of each input to use before making up others; the next one is last.
    again: RefCell<FxHashMap<InputId, Vec<Element<Extended<S>>>>>,
    functions: RefCell<Functions<S>>,
}

/// One faithful implementation of the functions: a choice among the possible values of each call.
struct Functions<S: NumberSystem<Number: Default>> {
    /// The chosen value of each call, by its place among the possible ones, in the order of calls.
    choices: Vec<usize>,
    /// The calls, with all possible values.
    calls: Vec<Call<S::Number>>,
}

/// A call of a function.
struct Call<N> {
    function: FunctionId,
    arguments: Vec<N>,
    possible: Vec<N>,
}

impl<S: NumberSystem<Number: Default>> Default for Functions<S> {
    fn default() -> Functions<S> {
        Functions { choices: Vec::new(), calls: Vec::new() }
    }
}

impl<S: NumberSystem<Number: Default>> Functions<S> {
    fn value(
        &mut self,
        system: &S,
        program: &Program,
        function: FunctionId,
        arguments: Vec<S::Number>,
    ) -> Option<S::Number> {
        let is_this = |call: &Call<S::Number>| {
            let same = |(a, b): (&S::Number, &S::Number)| system.same(a, b);
            call.function == function && call.arguments.iter().zip(&arguments).all(same)
        };
        let at = match self.calls.iter().position(is_this) {
            Some(known) => known,
            None => {
                let of = program.function(function);
                let possible = system.faithful(&of.name, &arguments).filter(|_| of.is_of_reals())?;
                self.calls.push(Call { function, arguments, possible });
                self.choices.resize(self.calls.len().max(self.choices.len()), 0);
                self.calls.len() - 1
            }
        };
        self.calls[at].possible.get(self.choices[at]).cloned()
    }

    /// Moves to the next implementation; returns false after the last one.
    fn advance(&mut self) -> bool {
        while let Some(choice) = self.choices.pop() {
            if choice + 1 < self.calls[self.choices.len()].possible.len() {
                self.choices.push(choice + 1);
                self.calls.clear();
                return true;
            }
        }
        false
    }
}

/// A distribution of made-up inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputStyle {
    /// Small integers.
    Small,
    /// Numbers at which arithmetic has special cases.
    Notable,
    /// Tenths, which floats round.
    Tenths,
    /// Small integers, one in four undefined.
    Undefined,
}

impl<S: NumberSystem<Number: Default>> Given<Extended<S>> for RandomInputs<'_, S> {
    fn element(&self, input: InputId, index: &[i64]) -> Element<Extended<S>> {
        let key = (input, index.to_vec());
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let again = self.again.borrow_mut().get_mut(&input).and_then(Vec::pop);
        let made_up = again.unwrap_or_else(|| self.make_up(self.program.input(input).data_type));
        self.made_up.borrow_mut().push(key.clone());
        self.known.borrow_mut().insert(key, made_up.clone());
        made_up
    }

    /// A value that a faithful implementation of the function may return. Other functions have no interpretation:
    /// a difference must hold for every function.
    fn call(&self, function: FunctionId, of: &[Element<Extended<S>>]) -> Option<Element<Extended<S>>> {
        let mut numbers = Vec::new();
        for argument in of {
            match argument {
                Datum::Number(Some(number)) => numbers.push(number.clone()),
                // A function is strict.
                Datum::Number(None) | Datum::Truth(None) => {
                    return Some(error(&self.domain, self.program.function(function).result));
                }
                Datum::Truth(Some(_)) => return None,
            }
        }
        let value = self.functions.borrow_mut().value(&self.domain.0, self.program, function, numbers)?;
        Some(Datum::Number(Some(value)))
    }
}

impl<S: NumberSystem<Number: Default>> RandomInputs<'_, S> {
    /// Forgets the elements that were made up after the first ones.
    fn forget_after(&self, first: usize) {
        let mut known = self.known.borrow_mut();
        self.made_up.borrow_mut().drain(first..).for_each(|key| drop(known.remove(&key)));
    }

    fn make_up(&self, data_type: DataType) -> Element<Extended<S>> {
        let mut rng = self.rng.borrow_mut();
        let undefined = self.style == InputStyle::Undefined && rng.u8(0..4) == 0;
        let truth = rng.bool();
        let small = self.domain.index(rng.i64(-4..=4));
        let notable = self.domain.0.notable();
        let number = match self.style {
            InputStyle::Notable if data_type == DataType::Real && !notable.is_empty() => {
                Some(notable[rng.usize(..notable.len())].clone())
            }
            InputStyle::Tenths if data_type == DataType::Real => {
                let tenth = self.domain.div(
                    Division::Extended,
                    &self.domain.index(rng.i64(-39..=39)),
                    &self.domain.index(10),
                );
                tenth.or(small)
            }
            _ => small,
        };
        match data_type {
            DataType::Boolean => Datum::Truth((!undefined).then_some(truth)),
            DataType::Integer | DataType::Real => Datum::Number(if undefined { None } else { number }),
        }
    }
}

/// The differences that count as counterexamples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sought {
    /// Whether inputs may be undefined.
    pub undefined_inputs: bool,
    /// Whether the left side must be defined: a right side that differs where the left side is undefined may still
    /// refine it.
    pub left_defined: bool,
    /// Whether to reject inputs that are read outside their extents: such reads show nothing.
    pub within: bool,
}

/// A search for counterexamples in one number system.
pub struct Refuter<'a, S: NumberSystem<Number: Default>> {
    instance: &'a Instance,
    domain: Extended<S>,
    sought: Sought,
    left: u32,
    steps: Cell<u64>,
}

/// The known elements of inputs.
type KnownInputs<S> = FxHashMap<ElementKey, Element<Extended<S>>>;
type FoundInputs<S> = (Point, KnownInputs<S>);

impl<'a, S: Listed> Refuter<'a, S> {
    /// Starts a search; all evaluations together take at most `steps` steps.
    pub fn new(instance: &'a Instance, system: S, sought: Sought, steps: u64) -> Refuter<'a, S> {
        Refuter { instance, domain: Extended(system), sought, left: EVALUATIONS, steps: Cell::new(steps) }
    }

    /// Searches for a counterexample: at points of these assignments, small ones first, then of others.
    pub fn search(&mut self, assignments: &[Point], seed: u64) -> Option<Counterexample> {
        let mut assignments = assignments.to_vec();
        assignments.sort_by_key(|point| (size(point), point.clone()));
        let mut rng = Rng::with_seed(seed);
        let styles = match self.sought.undefined_inputs {
            false if is_real(&self.domain.0) => {
                &[InputStyle::Small, InputStyle::Tenths, InputStyle::Notable][..]
            }
            false => &[InputStyle::Small, InputStyle::Notable],
            true => &[InputStyle::Undefined, InputStyle::Small],
        };
        let mut has_others = !self.instance.symbols.is_empty();
        while !assignments.is_empty() {
            let before = self.left;
            for assignment in &assignments {
                let mut points =
                    samples::points(&self.instance.claim, std::slice::from_ref(assignment), &mut rng);
                rng.shuffle(&mut points);
                for point in points.iter().take(3) {
                    for &style in styles {
                        if let Some(known) = self.attempt(point, FxHashMap::default(), style, rng.u64(..)) {
                            return Some(self.reduce((point.clone(), known)));
                        }
                    }
                }
            }
            if self.left == 0 || self.left == before {
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

    /// Asks the solver for a counterexample at a small point of one assignment after the other, until the solver
    /// gives up.
    pub(crate) fn solve(
        &mut self,
        resources: &Resources<'_>,
        arithmetic: Arithmetic,
        assignments: &[Point],
    ) -> Option<Counterexample> {
        let mut assignments = assignments.to_vec();
        assignments.sort_by_key(|point| (size(point), point.clone()));
        let mut rng = Rng::with_seed(0);
        let points = assignments.iter().filter_map(|assignment| {
            samples::points(&self.instance.claim, std::slice::from_ref(assignment), &mut rng).pop()
        });
        for point in points.take(SOLVED).collect::<Vec<Point>>() {
            let (instance, Sought { undefined_inputs, left_defined, .. }) = (self.instance, self.sought);
            let question =
                RefutationQuestion { resources, instance, point: &point, undefined_inputs, left_defined };
            match question.values(arithmetic) {
                Ok(values) => {
                    let known = self.attempt(&point, self.read(values)?, InputStyle::Small, 0)?;
                    return Some(self.reduce((point, known)));
                }
                Err(NoModel::None) => {}
                Err(NoModel::Unknown) => return None,
            }
        }
        None
    }

    /// Converts written values to elements.
    fn read(&self, values: ElementLiterals) -> Option<KnownInputs<S>> {
        let element = |literal: Option<Literal>, data_type: DataType| match (literal, data_type) {
            (None, DataType::Boolean) => Some(Datum::Truth(None)),
            (None, _) => Some(Datum::Number(None)),
            (Some(Literal::Boolean(truth)), _) => Some(Datum::Truth(Some(truth))),
            (Some(literal), _) => Some(Datum::Number(Some(self.domain.0.read(&literal).ok()?))),
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
        point: &Point,
        known: KnownInputs<S>,
        style: InputStyle,
        seed: u64,
    ) -> Option<KnownInputs<S>> {
        self.attempt_with(point, self.inputs(known, style, seed))
    }

    fn inputs(&self, known: KnownInputs<S>, style: InputStyle, seed: u64) -> RandomInputs<'a, S> {
        let (known, rng) = (RefCell::new(known), RefCell::new(Rng::with_seed(seed)));
        let (again, functions, made_up) = (RefCell::default(), RefCell::default(), RefCell::default());
        let (program, domain) = (&self.instance.program, self.domain);
        RandomInputs { program, domain, known, made_up, rng, style, again, functions }
    }

    fn attempt_with(&mut self, point: &Point, inputs: RandomInputs<'_, S>) -> Option<KnownInputs<S>> {
        self.left = self.left.checked_sub(1)?;
        for _ in 0..IMPLEMENTATIONS {
            if !self.meets_given(&inputs, point) {
                return None;
            }
            let [a, b] = self.values(&inputs, point).ok()?;
            if !self.differ(&a, &b) || self.breaks_a_law(&inputs, point) {
                return None;
            }
            if !inputs.functions.borrow_mut().advance() {
                let inputs = inputs.known.into_inner();
                let shows = !self.sought.within || inputs.keys().all(|key| self.is_within(key, point));
                return shows.then_some(inputs);
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

    fn differ(&self, a: &Element<Extended<S>>, b: &Element<Extended<S>>) -> bool {
        let undefined = matches!(a, Datum::Number(None) | Datum::Truth(None));
        !(self.same(a, b) || self.sought.left_defined && undefined)
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
    ) -> Result<[Element<Extended<S>>; 2], Stuck> {
        let [a, b] = self.instance.claim.sides;
        Ok([self.value(a, inputs, point)?, self.value(b, inputs, point)?])
    }

    fn value(
        &self,
        node: NodeId,
        inputs: &RandomInputs<'_, S>,
        point: &[i64],
    ) -> Result<Element<Extended<S>>, Stuck> {
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

    /// Minimizes a counterexample: sizes, then the index, then values, as long as the sides differ.
    fn reduce(&mut self, (mut point, mut known): FoundInputs<S>) -> Counterexample {
        let variables = [&self.instance.symbols[..], &self.instance.claim.point[..]].concat();
        let allowed = Condition::all([self.instance.assumptions.clone(), self.instance.claim.domain()]);
        let mut improved = true;
        while improved {
            improved = false;
            for v in &variables {
                let value = point[v.index()];
                for smaller in smaller_than(value) {
                    let mut next = point.clone();
                    next[v.index()] = smaller;
                    if allowed.holds(&next) != Ok(true) {
                        continue;
                    }
                    let Some(found) = self.anew(&next, &known) else { continue };
                    (point, known) = (next, found);
                    improved = true;
                    break;
                }
            }
        }
        self.simplify(&point, &mut known);
        self.report(&point, known)
    }

    /// Elements for which the sides differ at another point: the known ones in their order, or others.
    fn anew(&mut self, point: &Point, known: &KnownInputs<S>) -> Option<KnownInputs<S>> {
        let inputs = self.inputs(FxHashMap::default(), InputStyle::Small, 0);
        let mut keys: Vec<&ElementKey> = known.keys().collect();
        keys.sort_by(|a, b| b.cmp(a));
        for key in keys {
            inputs.again.borrow_mut().entry(key.0).or_default().push(known[key].clone());
        }
        if let Some(found) = self.attempt_with(point, inputs) {
            return Some(found);
        }
        let first = if self.sought.undefined_inputs { InputStyle::Undefined } else { InputStyle::Small };
        let styles = [first, InputStyle::Tenths, InputStyle::Notable].into_iter();
        let mut tries = styles.flat_map(|style| (0..6u64).map(move |seed| (style, seed)));
        tries.find_map(|(style, seed)| self.attempt(point, FxHashMap::default(), style, seed))
    }

    /// Simplifies values until none gets simpler, or until more tries would take longer than finding the
    /// difference.
    fn simplify(&mut self, point: &Point, known: &mut KnownInputs<S>) {
        let mut keys: Vec<ElementKey> = known.keys().cloned().collect();
        keys.sort();
        let mut tries = (MAX_SIMPLIFICATION / self.instance.program.len().max(1)).max(MIN_SIMPLIFICATIONS);
        self.simplify_many(point, known, &keys, &mut tries);
        for key in keys {
            while let Some(simpler) = self.simpler(known.get(&key)).into_iter().find_map(|value| {
                let mut next = known.clone();
                next.insert(key.clone(), value);
                self.attempt_again(point, next, &mut tries)
            }) {
                *known = simpler;
            }
        }
    }

    /// Most of many elements do not affect a difference: sets halves, quarters, … of them to the simplest value at
    /// once.
    fn simplify_many(
        &mut self,
        point: &Point,
        known: &mut KnownInputs<S>,
        keys: &[ElementKey],
        tries: &mut usize,
    ) {
        let mut width = keys.len() / 2;
        while width >= FEW {
            for part in keys.chunks(width) {
                let simplest =
                    |key: &ElementKey| Some((key.clone(), self.simpler(known.get(key)).into_iter().next()?));
                let simplest: Vec<_> = part.iter().filter_map(simplest).collect();
                if simplest.is_empty() {
                    continue;
                }
                let mut next = known.clone();
                next.extend(simplest);
                if let Some(found) = self.attempt_again(point, next, tries) {
                    *known = found;
                }
            }
            width /= 2;
        }
    }

    fn attempt_again(
        &mut self,
        point: &Point,
        known: KnownInputs<S>,
        tries: &mut usize,
    ) -> Option<KnownInputs<S>> {
        *tries = tries.checked_sub(1)?;
        self.attempt(point, known, InputStyle::Small, 0)
    }

    /// Simpler values, the simplest first: 0, 1 and −1, then integers nearer to 0.
    fn simpler(&self, value: Option<&Element<Extended<S>>>) -> Vec<Element<Extended<S>>> {
        let number = |n: i64| Datum::Number(self.domain.index(n));
        let (simple, old) = match value {
            Some(old @ Datum::Number(_)) => ([0, 1, -1].map(number).to_vec(), old),
            Some(old @ Datum::Truth(_)) => ([false, true].map(|t| Datum::Truth(Some(t))).to_vec(), old),
            None => return Vec::new(),
        };
        if let Some(at) = simple.iter().position(|value| self.same(old, value)) {
            return simple[..at].to_vec();
        }
        let written = self.write(old).and_then(|literal| literal.exact().ok());
        let integer = written.and_then(|exact| i64::try_from(exact).ok());
        let nearer = integer.into_iter().flat_map(|integer| {
            let steps =
                (1..63).map(move |bits| integer.saturating_abs() >> bits).take_while(|step| *step > 0);
            steps.map(move |step| integer - integer.signum() * step)
        });
        simple.into_iter().chain(nearer.map(number)).collect()
    }

    fn report(&self, point: &Point, known: KnownInputs<S>) -> Counterexample {
        let instance = self.instance;
        let program = &instance.program;
        let inputs = self.inputs(known, InputStyle::Small, 0);
        // The report needs these values whatever is left of the budget.
        self.steps.set(u64::MAX);
        let values = self.values(&inputs, point);
        let leaf =
            |node: NodeId, point: &Point| Some(text(&self.write(&self.value(node, &inputs, point).ok()?)));
        let computation = Computation { program, leaf: &leaf };
        let computations = instance.claim.sides.map(|side| computation.text(side, point));
        let values = values.map_or([None, None], |values| values.map(|value| self.write(&value)));
        let (known, functions) = (inputs.known.into_inner(), inputs.functions.into_inner());
        let literals = |numbers: &[S::Number]| numbers.iter().map(|n| self.domain.0.write(n)).collect();
        let call = |call: &Call<S::Number>| WrittenCall {
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
            computations,
            calls: functions.calls.iter().map(call).collect(),
        }
    }

    /// The elements of an input in a box, if there are at most `left`; an element that is not read is 0.
    fn written_elements(
        &self,
        id: InputId,
        data_type: DataType,
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

    /// The output and the index that the claim is about.
    fn place(&self, point: &Point) -> (String, Vec<i64>) {
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
        point: &Point,
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

    fn write(&self, value: &Element<Extended<S>>) -> Written {
        match value {
            Datum::Number(number) => number.as_ref().map(|n| self.domain.0.write(n)),
            Datum::Truth(truth) => truth.map(Literal::Boolean),
        }
    }
}

fn zero<S: NumberSystem<Number: Default>>(domain: &Extended<S>, data_type: DataType) -> Element<Extended<S>> {
    match data_type {
        DataType::Boolean => Datum::Truth(Some(false)),
        DataType::Integer | DataType::Real => Datum::Number(domain.index(0)),
    }
}

fn size(point: &[i64]) -> i64 {
    point.iter().fold(0, |sum, value| value.saturating_abs().saturating_add(sum))
}

/// At most six values of each sign nearer to 0, the smallest magnitudes first.
fn smaller_than(value: i64) -> Vec<i64> {
    let mut smaller: Vec<i64> = (0..value.saturating_abs()).take(6).collect();
    if value < 0 {
        smaller.extend(smaller.clone().into_iter().filter(|v| *v > 0).map(|v| -v));
    }
    smaller
}
