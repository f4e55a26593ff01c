//! A proved tolerance: what an implementation in floats may return, for everything that its arithmetic may do.
//!
//! [`Tolerance`] is a value domain. The reference evaluation over it gives for each element the exact value, or an
//! interval around it, and the maximum error of a computed value, for every order of sums and products that the
//! [`FloatModel`] allows: see [`Finite`]. A value without a bound is *doubtful* ([`Doubt`]): something may
//! overflow, an infinity or nan meets another order, or a branch depends on a number that may be rounded to either
//! side. A comparison with a float has three outcomes ([`ToleranceOutcome`]): it agrees, it disagrees, or it abstains.
//!
//! The exact value is that of the program with its inputs and constants rounded to floats.

mod domain;
mod finite;
mod functions;
mod model;
mod upward;

pub use finite::{Finite, Zero};
pub use model::{FloatModel, Format};

use super::{F64, Literal, NumberSystem, Scalar};
use finite::Bounded;
use std::ops::Div;
use upward::{product, product_below, sum};

/// Why there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Doubt {
    /// A product of some factors or a sum of some terms may overflow.
    Overflow,
    /// An infinity or nan may be combined in another order, or with a number that may be 0.
    Special,
    /// A branch, a truth or an integer depends on numbers that may be rounded to either side.
    Branch,
    /// A divisor may be 0.
    Divisor,
    /// More roundings than the bound covers.
    Length,
    /// A function that has no standard.
    Function,
}

impl Doubt {
    /// The reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            Doubt::Overflow => "overflow is possible",
            Doubt::Special => "an infinity or nan depends on the order",
            Doubt::Branch => "a branch depends on a rounded number",
            Doubt::Divisor => "a divisor may be 0",
            Doubt::Length => "more roundings than are bounded",
            Doubt::Function => "a function has no bound",
        }
    }
}

/// An infinity or nan, in every implementation.
#[derive(Clone, Copy, Debug)]
pub struct Special {
    /// The infinity or nan.
    pub value: f64,
    /// Whether it is nan because an input is.
    is_given: bool,
    /// Bounds of the finite products and sums with it, like those of a [`Finite`].
    extent: [f64; 2],
    has_products: bool,
}

impl Special {
    fn new(value: f64, is_given: bool) -> Special {
        Special { value, is_given, extent: [1.0; 2], has_products: false }
    }

    fn computed(value: f64) -> Special {
        Special::new(value, value.is_nan())
    }
}

/// The values that an element may have in implementations.
#[derive(Clone, Copy, Debug)]
pub enum PossibleValues {
    /// `•`: anything.
    Undefined,
    /// Anything, for want of a bound; it may be undefined.
    Doubtful(Doubt),
    /// An infinity or nan.
    Special(Special),
    /// A number within bounds.
    Finite(Finite),
}

/// The values that a truth may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PossibleTruths {
    /// `•`
    Undefined,
    /// True, false or undefined.
    Doubtful(Doubt),
    /// A known truth.
    Known(bool),
}

/// The outcome of a comparison with a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToleranceOutcome {
    /// An implementation may return this.
    Agrees,
    /// No implementation within the model returns this.
    Disagrees,
    /// Not known.
    Abstains(Doubt),
}

impl ToleranceOutcome {
    fn from_agreement(agrees: bool) -> ToleranceOutcome {
        if agrees { ToleranceOutcome::Agrees } else { ToleranceOutcome::Disagrees }
    }
}

/// The value domain of a float model.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    /// What implementations may do.
    pub model: FloatModel,
}

impl Tolerance {
    /// A given float, rounded to the format.
    pub fn given(&self, x: f64) -> PossibleValues {
        let x = self.model.format.round(x);
        if x.is_finite() {
            PossibleValues::Finite(Finite::new(x, &self.model))
        } else {
            PossibleValues::Special(Special::new(x, x.is_nan()))
        }
    }

    /// Whether an implementation may have returned `found`.
    pub fn outcome(&self, expected: &PossibleValues, found: f64) -> ToleranceOutcome {
        match expected {
            PossibleValues::Undefined => ToleranceOutcome::Agrees,
            PossibleValues::Doubtful(doubt) => ToleranceOutcome::Abstains(*doubt),
            PossibleValues::Special(special) => ToleranceOutcome::from_agreement(
                found == special.value || found.is_nan() && special.value.is_nan(),
            ),
            PossibleValues::Finite(bounded) => self.of_finite(bounded, found),
        }
    }

    /// Checks equality if there is one number, with the sign of zero if that is known; else the bound.
    fn of_finite(&self, bounded: &Finite, found: f64) -> ToleranceOutcome {
        let sign = match bounded.zero {
            Zero::Either => None,
            Zero::Plus => Some(false),
            Zero::Minus => Some(true),
        };
        match (bounded.known, bounded.range(&self.model)) {
            (_, Err(doubt)) => ToleranceOutcome::Abstains(doubt),
            (Some(0.0), _) => ToleranceOutcome::from_agreement(
                found == 0.0 && sign.is_none_or(|sign| sign == found.is_sign_negative()),
            ),
            (_, Ok([low, high])) => ToleranceOutcome::from_agreement(match bounded.subnormal {
                Some(x) => found == x || found == 0.0,
                None => low <= found && found <= high,
            }),
        }
    }

    /// The expected value in words: one number, or the numbers within a bound.
    pub fn text(&self, expected: &PossibleValues) -> String {
        let number = |x: f64| self.model.format.text(x);
        match expected {
            PossibleValues::Special(special) => number(special.value),
            PossibleValues::Finite(bounded) => {
                match (bounded.known, bounded.zero, bounded.reach(&self.model)) {
                    (Some(0.0), Zero::Minus, _) => number(-0.0),
                    (Some(0.0), Zero::Plus, _) => number(0.0),
                    (Some(0.0), Zero::Either, _) => format!("{} or {}", number(0.0), number(-0.0)),
                    (Some(known), ..) => number(known),
                    (None, ..) if let Some(x) = bounded.subnormal => {
                        format!("{} or {}", number(x), number(0.0))
                    }
                    (None, _, Ok(reach)) => format!("{:e} ± {reach:.2e}", bounded.centre),
                    (None, _, Err(doubt)) => doubt.reason().to_owned(),
                }
            }
            PossibleValues::Undefined => "anything".to_owned(),
            PossibleValues::Doubtful(doubt) => doubt.reason().to_owned(),
        }
    }

    /// Whether an implementation may have returned a truth.
    pub fn outcome_of_truth(&self, expected: PossibleTruths, found: bool) -> ToleranceOutcome {
        match expected {
            PossibleTruths::Undefined => ToleranceOutcome::Agrees,
            PossibleTruths::Doubtful(doubt) => ToleranceOutcome::Abstains(doubt),
            PossibleTruths::Known(truth) => ToleranceOutcome::from_agreement(truth == found),
        }
    }

    /// A real function with a standard, up to the model's units of the last place.
    pub fn function(&self, name: &str, arguments: &[PossibleValues]) -> PossibleValues {
        let mut finite = Vec::new();
        for argument in arguments {
            match argument {
                PossibleValues::Undefined => return PossibleValues::Undefined,
                PossibleValues::Doubtful(_) | PossibleValues::Special(_) => {}
                PossibleValues::Finite(bounded) => finite.push(*bounded),
            }
        }
        if let Some(PossibleValues::Doubtful(doubt)) =
            arguments.iter().find(|a| matches!(a, PossibleValues::Doubtful(_)))
        {
            return PossibleValues::Doubtful(*doubt);
        }
        if finite.len() == arguments.len() {
            return functions::of_finite(name, &finite, &self.model)
                .unwrap_or(PossibleValues::Doubtful(Doubt::Function));
        }
        let exactly: Option<Vec<f64>> = arguments
            .iter()
            .map(|argument| exactly(argument).filter(|_| !has_either_sign(argument)))
            .collect();
        let faithful = exactly.and_then(|arguments| F64.faithful(name, &arguments));
        match faithful.as_deref() {
            Some(&[x]) => self.given(x),
            _ => PossibleValues::Doubtful(Doubt::Special),
        }
    }

    fn bounded(&self, result: Bounded) -> PossibleValues {
        result.map_or_else(PossibleValues::Doubtful, PossibleValues::Finite)
    }

    /// The result of an operation. An overflow is an infinity if each operand is one number and the model allows
    /// only IEEE 754.
    fn rounded(
        &self,
        [a, b]: [&Finite; 2],
        bounded: Bounded,
        operation: fn(f64, f64) -> f64,
    ) -> PossibleValues {
        let FloatModel { contracts, reassociates, reciprocals, widens, format, .. } = self.model;
        let result = a.known.zip(b.known).map(|(a, b)| format.round(operation(a, b)));
        match (bounded, result) {
            (Err(Doubt::Overflow), Some(x))
                if x.is_infinite() && !(contracts || reassociates || reciprocals || widens) =>
            {
                PossibleValues::Special(Special::computed(x))
            }
            (bounded, _) => self.bounded(bounded),
        }
    }

    /// What the format's own arithmetic makes of known numbers.
    fn in_format(&self, known: &[f64], operation: impl Fn(&[Scalar]) -> Option<Scalar>) -> Option<f64> {
        let of = self.model.format.element_type();
        let read = |x: &f64| Scalar::read(of, &Literal::F64(*x)).ok();
        operation(&known.iter().map(read).collect::<Option<Vec<Scalar>>>()?)?.write().to_f64().ok()
    }

    /// The value of an operation of the number system, for operands that are known.
    fn exact(
        &self,
        operands: &[&PossibleValues],
        operation: impl Fn(&[f64]) -> Option<f64>,
    ) -> PossibleValues {
        let mut known = Vec::new();
        for operand in operands {
            match operand {
                PossibleValues::Undefined => return PossibleValues::Undefined,
                PossibleValues::Doubtful(_) => {}
                value => known.extend(exactly(value)),
            }
        }
        if known.len() < operands.len() {
            return PossibleValues::Doubtful(first_doubt(operands).unwrap_or(Doubt::Branch));
        }
        let result = operation(&known).map_or(PossibleValues::Undefined, |x| self.given(x));
        match result {
            // The sign of an operand that is 0 influences nothing else.
            PossibleValues::Finite(bounded) if operands.iter().any(|operand| has_either_sign(operand)) => {
                PossibleValues::Finite(bounded.unsigned())
            }
            result => result,
        }
    }

    fn product_with(&self, special: &Special, other: &PossibleValues) -> Result<PossibleValues, Doubt> {
        let (factor, other) = match other {
            _ if special.is_given => return Ok(PossibleValues::Special(*special)),
            PossibleValues::Special(other) if other.is_given => return Ok(PossibleValues::Special(*other)),
            PossibleValues::Special(other) => (other.value, other.extent),
            PossibleValues::Finite(x) => (self.sign(x)?, x.factor(&self.model)?.extent()),
            _ => return Err(Doubt::Special),
        };
        let extent = [product(special.extent[0], other[0]), product_below(special.extent[1], other[1])];
        // A product of the other factors that is 0 would make nan.
        if self.model.reassociates && extent[1] < 2.0 * self.model.format.least_normal() {
            return Err(Doubt::Special);
        }
        Ok(PossibleValues::Special(Special {
            value: special.value * factor,
            is_given: false,
            extent,
            has_products: true,
        }))
    }

    /// −1, 0 or 1: the sign of what every implementation computes.
    fn sign(&self, x: &Finite) -> Result<f64, Doubt> {
        let model = &self.model;
        if x.is_zero() {
            return Ok(0.0);
        }
        match x.may_be_zero(model)? {
            true => Err(Doubt::Special),
            false => Ok(if x.is_negative(model)?.ok_or(Doubt::Special)? { -1.0 } else { 1.0 }),
        }
    }

    fn sum_with(&self, special: &Special, other: &PossibleValues) -> Result<PossibleValues, Doubt> {
        let (value, extent, has_products, is_given) = match other {
            PossibleValues::Special(other) => (other.value, other.extent, other.has_products, other.is_given),
            PossibleValues::Finite(x) => (x.centre, x.extent(), x.has_products(), false),
            _ => return Err(Doubt::Special),
        };
        if special.is_given || is_given {
            return Ok(PossibleValues::Special(Special::new(f64::NAN, true)));
        }
        // A common factor that is taken out may meet another sum; finite terms may overflow in another order.
        let extent = [sum(special.extent[0], extent[0]), special.extent[1].min(extent[1])];
        let is_settled =
            !special.has_products && !has_products && extent[0] <= self.model.format.greatest() / 2.0;
        if self.model.reassociates && !is_settled {
            return Err(Doubt::Special);
        }
        let value = special.value + value;
        Ok(PossibleValues::Special(Special { value, is_given: false, extent, has_products }))
    }

    fn combine(
        &self,
        a: &PossibleValues,
        b: &PossibleValues,
        finite: impl Fn(&Finite, &Finite) -> PossibleValues,
        special: impl Fn(&Special, &PossibleValues) -> Result<PossibleValues, Doubt>,
    ) -> PossibleValues {
        match (a, b) {
            (PossibleValues::Undefined, _) | (_, PossibleValues::Undefined) => PossibleValues::Undefined,
            (PossibleValues::Doubtful(doubt), _) | (_, PossibleValues::Doubtful(doubt)) => {
                PossibleValues::Doubtful(*doubt)
            }
            (PossibleValues::Finite(a), PossibleValues::Finite(b)) => finite(a, b),
            (PossibleValues::Special(a), b) | (b, PossibleValues::Special(a)) => {
                special(a, b).unwrap_or_else(PossibleValues::Doubtful)
            }
        }
    }

    /// `a/b` where neither is undefined or doubtful, and `b` is not 0 everywhere.
    fn quotient(&self, a: &PossibleValues, b: &PossibleValues) -> Result<PossibleValues, Doubt> {
        let model = &self.model;
        match (a, b) {
            (PossibleValues::Finite(a), PossibleValues::Finite(b)) => match b.may_be_zero(model)? {
                true => Err(Doubt::Divisor),
                false => Ok(self.rounded([a, b], a.over(b, model), Div::div)),
            },
            // The reciprocal, or a product of divisors, may be 0 or infinite.
            (PossibleValues::Special(s), _) | (_, PossibleValues::Special(s))
                if model.reciprocals && !s.value.is_nan() =>
            {
                Err(Doubt::Special)
            }
            (PossibleValues::Special(s), PossibleValues::Finite(b)) => match b.may_be_zero(model)? {
                true => Err(Doubt::Divisor),
                false => Ok(PossibleValues::Special(Special::computed(s.value * self.sign(b)?))),
            },
            (PossibleValues::Finite(a), PossibleValues::Special(s)) if s.value.is_infinite() => {
                let sign = a.is_negative(model)?.ok_or(Doubt::Special);
                let zero = if s.value.is_sign_negative() != sign? { -0.0 } else { 0.0 };
                Ok(self.given(zero))
            }
            _ => Ok(PossibleValues::Special(Special::computed(f64::NAN))),
        }
    }
}

/// Whether it is 0 with an unknown sign.
fn has_either_sign(value: &PossibleValues) -> bool {
    matches!(value, PossibleValues::Finite(bounded) if bounded.known == Some(0.0) && bounded.zero == Zero::Either)
}

impl Tolerance {
    /// IEEE's quotient by a zero: an infinity whose sign depends on that of the zero, or nan.
    fn by_zero(&self, a: &PossibleValues, zero: &PossibleValues) -> PossibleValues {
        let is_known = !has_either_sign(a) && !has_either_sign(zero);
        match (exactly(a), exactly(zero)) {
            (Some(a), Some(zero)) if is_known => PossibleValues::Special(Special::computed(a / zero)),
            _ => PossibleValues::Doubtful(Doubt::Divisor),
        }
    }
}

/// The one number that every implementation computes, infinities and nan included; the sign of 0 may differ.
fn exactly(value: &PossibleValues) -> Option<f64> {
    match value {
        PossibleValues::Undefined | PossibleValues::Doubtful(_) => None,
        PossibleValues::Special(special) => Some(special.value),
        PossibleValues::Finite(bounded) => bounded.known.map(|known| match (known == 0.0, bounded.zero) {
            (true, Zero::Minus) => -0.0,
            (true, _) => 0.0,
            _ => known,
        }),
    }
}

fn first_doubt(operands: &[&PossibleValues]) -> Option<Doubt> {
    operands.iter().find_map(|operand| match operand {
        PossibleValues::Doubtful(doubt) => Some(*doubt),
        _ => None,
    })
}

impl Tolerance {
    /// An interval around the values that it may have.
    fn hull(&self, value: &PossibleValues) -> Result<[f64; 2], Doubt> {
        match value {
            PossibleValues::Undefined => Err(Doubt::Branch),
            PossibleValues::Doubtful(doubt) => Err(*doubt),
            PossibleValues::Special(special) => Ok([special.value; 2]),
            PossibleValues::Finite(bounded) => bounded.hull(&self.model),
        }
    }
}
