//! Inputs that are made up when they are first read, and implementations of functions.

use super::concrete::ElementKey;
use fastrand::Rng;
use rustc_hash::FxHashMap;
use selfsame_core::evaluation::Environment;
use selfsame_core::operations::{Datum, Element, error};
use selfsame_core::operators::ElementType;
use selfsame_core::{FunctionId, InputId, Program};
use std::cell::RefCell;
use values::{Division, Extended, NumberSystem, ValueDomain as _};

/// The known elements of inputs.
pub(super) type KnownInputs<S> = FxHashMap<ElementKey, Element<Extended<S>>>;

/// Inputs that are made up when they are first read.
pub(super) struct RandomInputs<'a, S: NumberSystem<Number: Default>> {
    program: &'a Program,
    domain: Extended<S>,
    pub(super) known: RefCell<KnownInputs<S>>,
    /// The elements that were made up, in that order.
    pub(super) made_up: RefCell<Vec<ElementKey>>,
    rng: RefCell<Rng>,
    style: InputStyle,
    /// Elements of each input to use before making up others; the next one is last.
    pub(super) again: RefCell<FxHashMap<InputId, Vec<Element<Extended<S>>>>>,
    pub(super) functions: RefCell<Functions<S>>,
}

/// One faithful implementation of the functions: a choice among the possible values of each call.
pub(super) struct Functions<S: NumberSystem<Number: Default>> {
    /// The chosen value of each call, by its place among the possible ones, in the order of calls.
    choices: Vec<usize>,
    /// The calls, with all possible values.
    pub(super) calls: Vec<FunctionCall<S::Number>>,
}

/// A call of a function.
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
        program: &Program,
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
                let of = program.function(function);
                let possible = system.faithful(&of.name, &arguments).filter(|_| of.is_of_reals())?;
                self.calls.push(FunctionCall { function, arguments, possible });
                self.choices.resize(self.calls.len().max(self.choices.len()), 0);
                self.calls.len() - 1
            }
        };
        self.calls[at].possible.get(self.choices[at]).cloned()
    }

    /// Moves to the next implementation; returns false after the last one.
    pub(super) fn advance(&mut self) -> bool {
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

/// The number of elements to which [`InputStyle::Pairs`] gives every pair of values.
const PAIRED: usize = 2;

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
        let value = self.functions.borrow_mut().value(&self.domain.0, self.program, function, numbers)?;
        Some(Datum::Number(Some(value)))
    }
}

impl<'a, S: NumberSystem<Number: Default>> RandomInputs<'a, S> {
    /// Inputs of which some elements are known.
    pub(super) fn new(
        program: &'a Program,
        domain: Extended<S>,
        known: KnownInputs<S>,
        style: InputStyle,
        seed: u64,
    ) -> RandomInputs<'a, S> {
        let (known, rng) = (RefCell::new(known), RefCell::new(Rng::with_seed(seed)));
        let (again, functions, made_up) = (RefCell::default(), RefCell::default(), RefCell::default());
        RandomInputs { program, domain, known, made_up, rng, style, again, functions }
    }

    /// Forgets the elements that were made up after the first ones.
    pub(super) fn forget_after(&self, first: usize) {
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
        let number = match self.style {
            InputStyle::Notable => rng.choice(self.domain.0.notable_as(data_type)).or(small),
            InputStyle::Pairs(number) => {
                let notable = self.domain.0.notable_as(data_type);
                let place = self.made_up.borrow().len();
                let at = match place < PAIRED && !notable.is_empty() {
                    true => number / notable.len().pow(u32::try_from(place).unwrap_or(0)) % notable.len(),
                    false => rng.usize(..notable.len().max(1)),
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
