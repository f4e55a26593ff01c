//! Input elements, as a function of seed, name and index, so that both sides get the same inputs.

use crate::comparison::written;
use crate::report::NamedElements;
use base::seeded::{Seeded, seeded};
use fastrand::Rng;
use language::{GivenInputs, Signature};
use rustc_hash::FxHasher;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use values::{Division, Extended, Listed, Literal, NumberSystem, ValueDomain};

/// How values are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// A few small integers, so that values coincide.
    Few,
    /// Small integers.
    Small,
    /// Edge cases of arithmetic.
    Notable,
    /// Fractions that floats must round.
    Fractions,
}

/// The styles, used in turn.
const STYLES: [Style; 4] = [Style::Small, Style::Fractions, Style::Notable, Style::Few];

/// The inputs of an instance, in a number system.
pub(crate) struct Inputs<S> {
    domain: Extended<S>,
    seed: u64,
    style: Style,
    /// Whether elements may be undefined (`•`).
    pub undefined: bool,
    /// The names of inputs whose elements are always defined.
    total: Rc<Vec<String>>,
    /// All elements of a counterexample, if the inputs are those of one.
    known: Option<NamedElements>,
    read: RefCell<NamedElements>,
}

impl<S: Listed> Inputs<S> {
    /// The class of inputs that these are taken from.
    pub fn class(&self) -> InputClass {
        if self.undefined { InputClass::Any } else { InputClass::Defined }
    }

    /// The inputs of the instance `number`; if elements may be undefined, they are so in half of the instances.
    pub fn new(
        system: S,
        seed: u64,
        number: usize,
        may_be_undefined: bool,
        total: Rc<Vec<String>>,
    ) -> Inputs<S> {
        let undefined = may_be_undefined && number % 2 == 1 && !Seeded::GuardDefined.is_in();
        let style = STYLES[number / 2 % STYLES.len()];
        let seed = seed ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let (domain, known, read) = (Extended(system), None, RefCell::default());
        Inputs { domain, seed, style, undefined, total, known, read }
    }

    /// The inputs of a counterexample.
    pub fn known(system: S, elements: NamedElements) -> Inputs<S> {
        Inputs { known: Some(elements), ..Inputs::new(system, 0, 0, false, Rc::default()) }
    }

    /// The number system.
    pub fn system(&self) -> S {
        self.domain.0
    }

    /// The elements that were read during the run.
    pub fn read(self) -> NamedElements {
        self.read.into_inner()
    }

    /// Records that an element was read. An evaluation reads most elements many times.
    fn record(&self, name: &str, at: &[i64], written: impl FnOnce() -> Option<Literal>) {
        let mut read = self.read.borrow_mut();
        if !read.get(name).is_some_and(|elements| elements.contains_key(at)) {
            read.entry(name.to_owned()).or_default().insert(at.to_vec(), written());
        }
    }

    fn known_element(
        &self,
        known: &NamedElements,
        name: &str,
        at: &[i64],
        data_type: ElementType,
    ) -> Element<Extended<S>> {
        match (known.get(name).and_then(|elements| elements.get(at)), data_type) {
            (None, ElementType::Boolean) => Datum::Truth(Some(false)),
            (None, of) => Datum::Number(Some(self.domain.0.index_as(of, 0))),
            (Some(element), ElementType::Boolean) => Datum::Truth(match element {
                Some(Literal::Boolean(truth)) => Some(*truth),
                _ => None,
            }),
            (Some(element), of) => {
                Datum::Number(element.as_ref().and_then(|literal| self.domain.0.read_as(of, literal).ok()))
            }
        }
    }

    fn made_up(&self, name: &str, at: &[i64], data_type: ElementType) -> Element<Extended<S>> {
        let mut rng = self.rng(name, at);
        let is_total = self.total.iter().any(|total| total == name);
        let is_undefined = self.undefined && !is_total && rng.u8(0..6) == 0;
        match data_type {
            ElementType::Boolean => Datum::Truth((!is_undefined).then(|| rng.bool())),
            _ if is_undefined => Datum::Number(None),
            of if of.is_integer() => Datum::Number(self.integer(of, &mut rng)),
            of => Datum::Number(self.number(of, &mut rng)),
        }
    }

    fn any_call(&self, function: Signature<'_>, arguments: &[Element<Extended<S>>]) -> Element<Extended<S>> {
        let mut hasher = FxHasher::default();
        for argument in arguments {
            match argument {
                Datum::Number(Some(number)) => self.domain.0.write(number).to_string().hash(&mut hasher),
                Datum::Number(None) => 1u8.hash(&mut hasher),
                Datum::Truth(truth) => truth.hash(&mut hasher),
            }
        }
        let mut rng = self.rng(function.name, &[hasher.finish() as i64]);
        match function.result {
            ElementType::Boolean => Datum::Truth(Some(rng.bool())),
            of => Datum::Number(Some(self.domain.0.index_as(of, rng.i64(-9..=9)))),
        }
    }

    fn rng(&self, name: &str, at: &[i64]) -> Rng {
        let mut hasher = FxHasher::default();
        (self.seed, name, at).hash(&mut hasher);
        // Generators with neighbouring seeds start with similar numbers.
        let mut rng = Rng::with_seed(hasher.finish());
        rng.u64(..);
        rng
    }

    fn number(&self, of: ElementType, rng: &mut Rng) -> Option<S::Number> {
        let (system, notable) = (&self.domain.0, self.domain.0.notable_as(of));
        match seeded(Seeded::GuardPlain, self.style, || Style::Small) {
            Style::Few => Some(system.index_as(of, rng.i64(-1..=1))),
            Style::Notable if rng.u8(0..3) > 0 => Some(notable[rng.usize(..notable.len())].clone()),
            Style::Fractions => {
                let [a, b] =
                    [rng.i64(-99..=99), rng.i64(1..=7)].map(|number| self.domain.index_as(of, number));
                self.domain.div(Division::Extended, &a, &b)
            }
            Style::Small | Style::Notable => Some(system.index_as(of, rng.i64(-7..=7))),
        }
    }

    /// An input element of integer type.
    fn integer(&self, of: ElementType, rng: &mut Rng) -> Option<S::Number> {
        let number = self.number(of, rng)?;
        let is_whole = self.domain.0.write(&number).exact().is_ok_and(|exact| exact.is_int());
        Some(if is_whole { number } else { self.domain.0.index_as(of, rng.i64(-7..=7)) })
    }
}

impl<S: Listed> GivenInputs<Extended<S>> for Inputs<S> {
    fn element(&self, name: &str, at: &[i64], data_type: ElementType) -> Element<Extended<S>> {
        let element = match &self.known {
            Some(known) => self.known_element(known, name, at, data_type),
            None => self.made_up(name, at, data_type),
        };
        self.record(name, at, || written(self.domain.0, &element));
        element
    }

    fn index(&self, name: &str) -> i64 {
        let known = |elements: &NamedElements| match elements.get(name)?.get(&[][..])?.as_ref()? {
            Literal::Exact(exact) => i64::try_from(exact.clone()).ok(),
            _ => None,
        };
        let index = match &self.known {
            Some(elements) => known(elements).unwrap_or(0),
            None => self.rng(name, &[]).i64(-3..=6),
        };
        self.record(name, &[], || Some(Literal::Exact(index.into())));
        index
    }

    /// The value of an uninterpreted function: equal arguments give equal values. For a counterexample, only
    /// functions with a known meaning have values.
    fn call(
        &self,
        function: Signature<'_>,
        arguments: &[Element<Extended<S>>],
    ) -> Option<Element<Extended<S>>> {
        match self.known {
            Some(_) => faithful(self.domain.0, function, arguments),
            None => Some(self.any_call(function, arguments)),
        }
    }
}

/// A function of real numbers with a known meaning, correctly rounded: `exp`, `ln`, `sqrt`, `rsqrt` and `pow`. `None` for others, and where the
/// number system has no such value.
pub fn faithful<S: NumberSystem<Number: Default>>(
    system: S,
    function: Signature<'_>,
    arguments: &[Element<Extended<S>>],
) -> Option<Element<Extended<S>>> {
    if !selfsame_core::syntax::is_of_reals(function.arguments, function.result) {
        return None;
    }
    let mut numbers = Vec::new();
    for argument in arguments {
        match argument {
            Datum::Number(Some(number)) => numbers.push(number.clone()),
            Datum::Number(None) => return Some(Datum::Number(None)),
            Datum::Truth(_) => return None,
        }
    }
    let first = system.faithful(function.name, &numbers)?.into_iter().next()?;
    Some(Datum::Number(Some(first)))
}
