//! Inputs that are made up when they are first read, and implementations of functions.

use super::concrete::ElementKey;
use dashu_int::IBig;
use dashu_ratio::RBig;
use fastrand::Rng;
use rustc_hash::FxHashMap;
use selfsame_core::evaluation::Environment;
use selfsame_core::operations::{Datum, Element, error};
use selfsame_core::operators::ElementType;
use selfsame_core::{FunctionId, InputId, Node, NodeId, Program};
use std::cell::RefCell;
use std::rc::Rc;
use values::{Division, ElementClass, ElementTypes, Extended, Literal, NumberSystem, ValueDomain as _};

/// The known elements of inputs.
pub(super) type KnownInputs<S> = FxHashMap<ElementKey, Element<Extended<S>>>;

/// Inputs that are made up when they are first read.
pub(super) struct RandomInputs<'a, S: NumberSystem<Number: Default>> {
    program: &'a Program,
    domain: Extended<S>,
    notable: Rc<NotableNumbers<S::Number>>,
    pub(super) known: RefCell<KnownInputs<S>>,
    /// The elements that were made up, in that order.
    pub(super) made_up: RefCell<Vec<ElementKey>>,
    rng: RefCell<Rng>,
    style: InputStyle,
    /// Elements of each input to use before making up others; the next one is last.
    pub(super) again: RefCell<FxHashMap<InputId, Vec<Element<Extended<S>>>>>,
    pub(super) functions: RefCell<Functions<S>>,
    answers: FunctionAnswers<S::Number>,
}

/// What functions may return, for the calls so far of a whole search: small numbers occur again and again.
pub(super) type FunctionAnswers<N> = Rc<RefCell<Vec<FunctionCall<N>>>>;

/// The maximum number of calls that are remembered.
const MAX_ANSWERS: usize = 256;

/// One faithful implementation of the functions: a choice among the possible values of each call.
pub(super) struct Functions<S: NumberSystem<Number: Default>> {
    /// The chosen value of each call, by its place among the possible ones, in the order of calls.
    choices: Vec<usize>,
    /// The calls, with all possible values.
    pub(super) calls: Vec<FunctionCall<S::Number>>,
}

/// A call of a function.
#[derive(Clone)]
pub(super) struct FunctionCall<N> {
    pub(super) function: FunctionId,
    pub(super) arguments: Vec<N>,
    pub(super) possible: Vec<N>,
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
        (program, answers): (&Program, &FunctionAnswers<S::Number>),
        function: FunctionId,
        arguments: Vec<S::Number>,
    ) -> Option<S::Number> {
        let is_this = |call: &FunctionCall<S::Number>| {
            let same = |(a, b): (&S::Number, &S::Number)| system.same(a, b);
            call.function == function && call.arguments.iter().zip(&arguments).all(same)
        };
        let at = match self.calls.iter().position(is_this) {
            Some(known) => known,
            None => {
                let known = answers.borrow().iter().find(|call| is_this(call)).cloned();
                let call = known.or_else(|| {
                    let of = program.function(function);
                    let possible = system.faithful(&of.name, &arguments).filter(|_| of.is_of_reals())?;
                    let call = FunctionCall { function, arguments: arguments.clone(), possible };
                    let mut answers = answers.borrow_mut();
                    if answers.len() < MAX_ANSWERS {
                        answers.push(call.clone());
                    }
                    Some(call)
                })?;
                self.calls.push(call);
                self.choices.resize(self.calls.len().max(self.choices.len()), 0);
                self.calls.len() - 1
            }
        };
        self.calls[at].possible.get(self.choices[at]).cloned()
    }

    /// Moves to the next implementation; returns false after the last one. Where this implementation made fewer calls than one
    /// before, the further choices are gone.
    pub(super) fn advance(&mut self) -> bool {
        self.choices.truncate(self.calls.len());
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

/// The numbers at which arithmetic is likely to surprise, by element type.
pub(super) type NotableNumbers<N> = FxHashMap<ElementType, Vec<N>>;

/// The maximum number of constants of a program among the notable numbers.
const MAX_CONSTANTS: usize = 12;

/// Where a type of machine numbers ends: the first integers beyond an integer type, and the first that a float rounds.
fn bounds(of: ElementType) -> Vec<RBig> {
    let power = |bits: u32| RBig::from(IBig::ONE << bits as usize);
    match of.class() {
        ElementClass::Wrapping { bits, signed: true } => vec![power(bits - 1), -power(bits - 1)],
        ElementClass::Wrapping { bits, signed: false } => vec![power(bits)],
        ElementClass::Floats { precision, .. } => vec![power(precision)],
        _ => Vec::new(),
    }
}

/// The constants of a program and the bounds of its types with their neighbours, and the notable numbers of each type of its
/// inputs.
pub(super) fn notable_numbers<S: NumberSystem>(program: &Program, system: &S) -> NotableNumbers<S::Number> {
    let mut constants: Vec<RBig> = Vec::new();
    for node in (0..program.len()).map(NodeId::at) {
        if let Node::Number(number, _) = program.node(node)
            && !constants.contains(number)
            && constants.len() < MAX_CONSTANTS
        {
            constants.push(number.clone());
        }
    }
    let types: ElementTypes = (0..program.len()).map(|at| program.data_type(NodeId::at(at))).collect();
    constants.extend(types.iter().flat_map(bounds));
    let near = |constant: &RBig| [RBig::ZERO, RBig::ONE, -RBig::ONE].map(|step| constant + step);
    let near: Vec<RBig> = constants.iter().flat_map(near).collect();
    let of = |of: ElementType| {
        let mut notable = system.notable_as(of);
        for number in &near {
            if let Ok(number) = system.read_as(of, &Literal::Exact(number.clone()))
                && !notable.iter().any(|known| system.same(known, &number))
            {
                notable.push(number);
            }
        }
        (of, notable)
    };
    let types: ElementTypes = program.inputs.iter().map(|input| input.data_type).collect();
    types.numbers().iter().map(of).collect()
}

/// A distribution of made-up inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputStyle {
    /// Small integers.
    Small,
    /// Numbers at which arithmetic has special cases.
    Notable,
    /// Tenths, which floats round.
    Tenths,
    /// Small integers, one in four undefined.
    Undefined,
    /// For the first two elements every pair of notable numbers, one for each number; then as [`InputStyle::Notable`].
    Pairs(usize),
}

impl<S: NumberSystem<Number: Default>> Environment<Extended<S>> for RandomInputs<'_, S> {
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
        let value = self.functions.borrow_mut().value(
            &self.domain.0,
            (self.program, &self.answers),
            function,
            numbers,
        )?;
        Some(Datum::Number(Some(value)))
    }
}

/// What all inputs of a search share.
pub(super) type Shared<S> = (
    Extended<S>,
    Rc<NotableNumbers<<S as NumberSystem>::Number>>,
    FunctionAnswers<<S as NumberSystem>::Number>,
);

impl<'a, S: NumberSystem<Number: Default>> RandomInputs<'a, S> {
    /// Inputs of which some elements are known.
    pub(super) fn new(
        program: &'a Program,
        (domain, notable, answers): Shared<S>,
        known: KnownInputs<S>,
        style: InputStyle,
        seed: u64,
    ) -> RandomInputs<'a, S> {
        let (known, rng) = (RefCell::new(known), RefCell::new(Rng::with_seed(seed)));
        let (again, functions, made_up) = (RefCell::default(), RefCell::default(), RefCell::default());
        RandomInputs { program, domain, notable, known, made_up, rng, style, again, functions, answers }
    }

    /// Forgets the elements that were made up after the first ones, and the calls after the first ones, which may be of these.
    pub(super) fn forget_after(&self, (first, calls): (usize, usize)) {
        let mut functions = self.functions.borrow_mut();
        functions.calls.truncate(calls);
        functions.choices.truncate(calls);
        let mut known = self.known.borrow_mut();
        self.made_up.borrow_mut().drain(first..).for_each(|key| drop(known.remove(&key)));
    }

    fn make_up(&self, data_type: ElementType) -> Element<Extended<S>> {
        let mut rng = self.rng.borrow_mut();
        let undefined = self.style == InputStyle::Undefined && rng.u8(0..4) == 0;
        let truth = rng.bool();
        if data_type == ElementType::Boolean {
            return Datum::Truth((!undefined).then_some(truth));
        }
        let small = self.domain.index_as(data_type, rng.i64(-4..=4));
        let notable = self.notable.get(&data_type).map_or(&[][..], Vec::as_slice);
        let number = match self.style {
            InputStyle::Notable => rng.choice(notable).cloned().or(small),
            InputStyle::Pairs(number) => {
                let place = self.made_up.borrow().len();
                let count = notable.len().max(1);
                let at = match place {
                    0 => number % count,
                    // Of a long list, the first pairs have every number in both places; 97 has no factor in common with a count.
                    1 => (number / count * 97 + number) % count,
                    _ => rng.usize(..count),
                };
                notable.get(at).cloned().or(small)
            }
            InputStyle::Tenths if data_type.is_real() => {
                let [tenths, ten] =
                    [rng.i64(-39..=39), 10].map(|number| self.domain.index_as(data_type, number));
                self.domain.div(Division::Extended, &tenths, &ten).or(small)
            }
            _ => small,
        };
        Datum::Number(if undefined { None } else { number })
    }
}
