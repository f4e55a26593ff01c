//! A proved tolerance: what an implementation in floats may return, for everything that its arithmetic may do.
//!
//! [`Tolerance`] is a value domain. The reference evaluation over it gives for each element the exact value, or an
//! interval around it, and the maximum error of a computed value, for every order of sums and products that the
//! [`FloatModel`] allows: see [`Finite`]. A value without a bound is *doubtful* ([`Doubt`]): something may
//! overflow, an infinity or nan meets another order, or a branch depends on a number that may be rounded to either
//! side. A comparison with a float has three outcomes ([`ToleranceOutcome`]): it agrees, it disagrees, or it abstains.
//!
//! The exact value is that of the program with its inputs and constants rounded to floats.

mod finite;
mod functions;
mod model;
mod upward;

pub use finite::{Finite, Zero};
pub use model::{FloatModel, Format};

use super::{
    Comparison, Connective, Division, Extremum, F32, F64, IntegerOperation, Literal, LiteralError,
    NumberSystem, ValueDomain,
};
use finite::Bounded;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul};
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
pub enum Value {
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
pub enum Truth {
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
    pub fn given(&self, x: f64) -> Value {
        let x = self.model.format.round(x);
        if x.is_finite() {
            Value::Finite(Finite::new(x, &self.model))
        } else {
            Value::Special(Special::new(x, x.is_nan()))
        }
    }

    /// Whether an implementation may have returned `found`.
    pub fn outcome(&self, expected: &Value, found: f64) -> ToleranceOutcome {
        match expected {
            Value::Undefined => ToleranceOutcome::Agrees,
            Value::Doubtful(doubt) => ToleranceOutcome::Abstains(*doubt),
            Value::Special(special) => ToleranceOutcome::from_agreement(
                found == special.value || found.is_nan() && special.value.is_nan(),
            ),
            Value::Finite(bounded) => self.of_finite(bounded, found),
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
    pub fn text(&self, expected: &Value) -> String {
        let number = |x: f64| match self.model.format {
            Format::F32 => format!("{:?}", x as f32),
            Format::F64 => format!("{x:?}"),
        };
        match expected {
            Value::Special(special) => number(special.value),
            Value::Finite(bounded) => match (bounded.known, bounded.zero, bounded.reach(&self.model)) {
                (Some(0.0), Zero::Minus, _) => number(-0.0),
                (Some(0.0), Zero::Plus, _) => number(0.0),
                (Some(0.0), Zero::Either, _) => format!("{} or {}", number(0.0), number(-0.0)),
                (Some(known), ..) => number(known),
                (None, ..) if let Some(x) = bounded.subnormal => format!("{} or {}", number(x), number(0.0)),
                (None, _, Ok(reach)) => format!("{:e} ± {reach:.2e}", bounded.centre),
                (None, _, Err(doubt)) => doubt.reason().to_owned(),
            },
            Value::Undefined => "anything".to_owned(),
            Value::Doubtful(doubt) => doubt.reason().to_owned(),
        }
    }

    /// Whether an implementation may have returned a truth.
    pub fn outcome_of_truth(&self, expected: Truth, found: bool) -> ToleranceOutcome {
        match expected {
            Truth::Undefined => ToleranceOutcome::Agrees,
            Truth::Doubtful(doubt) => ToleranceOutcome::Abstains(doubt),
            Truth::Known(truth) => ToleranceOutcome::from_agreement(truth == found),
        }
    }

    /// A real function with a standard, up to the model's units of the last place.
    pub fn function(&self, name: &str, arguments: &[Value]) -> Value {
        let mut finite = Vec::new();
        for argument in arguments {
            match argument {
                Value::Undefined => return Value::Undefined,
                Value::Doubtful(_) | Value::Special(_) => {}
                Value::Finite(bounded) => finite.push(*bounded),
            }
        }
        if let Some(Value::Doubtful(doubt)) = arguments.iter().find(|a| matches!(a, Value::Doubtful(_))) {
            return Value::Doubtful(*doubt);
        }
        if finite.len() == arguments.len() {
            return functions::of_finite(name, &finite, &self.model)
                .unwrap_or(Value::Doubtful(Doubt::Function));
        }
        let exactly: Option<Vec<f64>> = arguments
            .iter()
            .map(|argument| exactly(argument).filter(|_| !has_either_sign(argument)))
            .collect();
        let faithful = exactly.and_then(|arguments| F64.faithful(name, &arguments));
        match faithful.as_deref() {
            Some(&[x]) => self.given(x),
            _ => Value::Doubtful(Doubt::Special),
        }
    }

    fn bounded(&self, result: Bounded) -> Value {
        result.map_or_else(Value::Doubtful, Value::Finite)
    }

    /// The result of an operation. An overflow is an infinity if each operand is one number and the model allows
    /// only IEEE 754.
    fn rounded(&self, [a, b]: [&Finite; 2], bounded: Bounded, operation: fn(f64, f64) -> f64) -> Value {
        let FloatModel { contracts, reassociates, reciprocals, format, .. } = self.model;
        let result = a.known.zip(b.known).map(|(a, b)| format.round(operation(a, b)));
        match (bounded, result) {
            (Err(Doubt::Overflow), Some(x))
                if x.is_infinite() && !(contracts || reassociates || reciprocals) =>
            {
                Value::Special(Special::computed(x))
            }
            (bounded, _) => self.bounded(bounded),
        }
    }

    /// The value of an operation of the number system, for operands that are known.
    fn exact(&self, operands: &[&Value], operation: impl Fn(&[f64]) -> Option<f64>) -> Value {
        let mut known = Vec::new();
        for operand in operands {
            match operand {
                Value::Undefined => return Value::Undefined,
                Value::Doubtful(_) => {}
                value => known.extend(exactly(value)),
            }
        }
        if known.len() < operands.len() {
            return Value::Doubtful(first_doubt(operands).unwrap_or(Doubt::Branch));
        }
        let result = operation(&known).map_or(Value::Undefined, |x| self.given(x));
        match result {
            // The sign of an operand that is 0 influences nothing else.
            Value::Finite(bounded) if operands.iter().any(|operand| has_either_sign(operand)) => {
                Value::Finite(bounded.unsigned())
            }
            result => result,
        }
    }

    fn product_with(&self, special: &Special, other: &Value) -> Result<Value, Doubt> {
        let (factor, other) = match other {
            _ if special.is_given => return Ok(Value::Special(*special)),
            Value::Special(other) if other.is_given => return Ok(Value::Special(*other)),
            Value::Special(other) => (other.value, other.extent),
            Value::Finite(x) => (self.sign(x)?, x.factor(&self.model)?.extent()),
            _ => return Err(Doubt::Special),
        };
        let extent = [product(special.extent[0], other[0]), product_below(special.extent[1], other[1])];
        // A product of the other factors that is 0 would make nan.
        if self.model.reassociates && extent[1] < 2.0 * self.model.format.least_normal() {
            return Err(Doubt::Special);
        }
        Ok(Value::Special(Special {
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

    fn sum_with(&self, special: &Special, other: &Value) -> Result<Value, Doubt> {
        let (value, extent, has_products, is_given) = match other {
            Value::Special(other) => (other.value, other.extent, other.has_products, other.is_given),
            Value::Finite(x) => (x.centre, x.extent(), x.has_products(), false),
            _ => return Err(Doubt::Special),
        };
        if special.is_given || is_given {
            return Ok(Value::Special(Special::new(f64::NAN, true)));
        }
        // A common factor that is taken out may meet another sum; finite terms may overflow in another order.
        let extent = [sum(special.extent[0], extent[0]), special.extent[1].min(extent[1])];
        let is_settled =
            !special.has_products && !has_products && extent[0] <= self.model.format.greatest() / 2.0;
        if self.model.reassociates && !is_settled {
            return Err(Doubt::Special);
        }
        let value = special.value + value;
        Ok(Value::Special(Special { value, is_given: false, extent, has_products }))
    }

    fn combine(
        &self,
        a: &Value,
        b: &Value,
        finite: impl Fn(&Finite, &Finite) -> Value,
        special: impl Fn(&Special, &Value) -> Result<Value, Doubt>,
    ) -> Value {
        match (a, b) {
            (Value::Undefined, _) | (_, Value::Undefined) => Value::Undefined,
            (Value::Doubtful(doubt), _) | (_, Value::Doubtful(doubt)) => Value::Doubtful(*doubt),
            (Value::Finite(a), Value::Finite(b)) => finite(a, b),
            (Value::Special(a), b) | (b, Value::Special(a)) => special(a, b).unwrap_or_else(Value::Doubtful),
        }
    }

    /// `a/b` where neither is undefined or doubtful, and `b` is not 0 everywhere.
    fn quotient(&self, a: &Value, b: &Value) -> Result<Value, Doubt> {
        let model = &self.model;
        match (a, b) {
            (Value::Finite(a), Value::Finite(b)) => match b.may_be_zero(model)? {
                true => Err(Doubt::Divisor),
                false => Ok(self.rounded([a, b], a.over(b, model), Div::div)),
            },
            // The reciprocal, or a product of divisors, may be 0 or infinite.
            (Value::Special(s), _) | (_, Value::Special(s)) if model.reciprocals && !s.value.is_nan() => {
                Err(Doubt::Special)
            }
            (Value::Special(s), Value::Finite(b)) => match b.may_be_zero(model)? {
                true => Err(Doubt::Divisor),
                false => Ok(Value::Special(Special::computed(s.value * self.sign(b)?))),
            },
            (Value::Finite(a), Value::Special(s)) if s.value.is_infinite() => {
                let sign = a.is_negative(model)?.ok_or(Doubt::Special);
                let zero = if s.value.is_sign_negative() != sign? { -0.0 } else { 0.0 };
                Ok(self.given(zero))
            }
            _ => Ok(Value::Special(Special::computed(f64::NAN))),
        }
    }
}

/// Whether it is 0 with an unknown sign.
fn has_either_sign(value: &Value) -> bool {
    matches!(value, Value::Finite(bounded) if bounded.known == Some(0.0) && bounded.zero == Zero::Either)
}

/// The one number that every implementation computes, infinities and nan included; the sign of 0 may differ.
fn exactly(value: &Value) -> Option<f64> {
    match value {
        Value::Undefined | Value::Doubtful(_) => None,
        Value::Special(special) => Some(special.value),
        Value::Finite(bounded) => bounded.known.map(|known| match (known == 0.0, bounded.zero) {
            (true, Zero::Minus) => -0.0,
            (true, _) => 0.0,
            _ => known,
        }),
    }
}

fn first_doubt(operands: &[&Value]) -> Option<Doubt> {
    operands.iter().find_map(|operand| match operand {
        Value::Doubtful(doubt) => Some(*doubt),
        _ => None,
    })
}

impl ValueDomain for Tolerance {
    type Value = Value;
    type Truth = Truth;
    type Array = Vec<Value>;

    fn undefined(&self) -> Value {
        Value::Undefined
    }

    fn index(&self, index: i64) -> Value {
        self.given(match self.model.format {
            Format::F32 => f64::from(index as f32),
            Format::F64 => index as f64,
        })
    }

    fn add(&self, a: &Value, b: &Value) -> Value {
        let plus = |a: &Finite, b: &Finite| self.rounded([a, b], a.plus(b, &self.model), Add::add);
        self.combine(a, b, plus, |s, x| self.sum_with(s, x))
    }

    fn sub(&self, a: &Value, b: &Value) -> Value {
        let negative = match b {
            Value::Finite(b) => Value::Finite(b.negative(&self.model)),
            Value::Special(b) => Value::Special(Special { value: -b.value, ..*b }),
            other => *other,
        };
        self.add(a, &negative)
    }

    fn mul(&self, a: &Value, b: &Value) -> Value {
        let times = |a: &Finite, b: &Finite| self.rounded([a, b], a.times(b, &self.model), Mul::mul);
        self.combine(a, b, times, |s, x| self.product_with(s, x))
    }

    /// Definition 8 where `a` is 0, Definition 4 (ii) elsewhere.
    fn div(&self, division: Division, a: &Value, b: &Value) -> Value {
        let controlled = division == Division::Controlled;
        let zero = |a: &Value| match a {
            Value::Finite(a) => match a.may_be_zero(&self.model) {
                _ if a.is_zero() => self.index(0),
                Ok(false) => Value::Undefined,
                _ => Value::Doubtful(Doubt::Divisor),
            },
            Value::Doubtful(doubt) => Value::Doubtful(*doubt),
            Value::Special(_) | Value::Undefined => Value::Undefined,
        };
        match (a, b) {
            (Value::Undefined, _) => Value::Undefined,
            (a, Value::Undefined) => {
                if controlled {
                    zero(a)
                } else {
                    Value::Undefined
                }
            }
            (a, Value::Finite(b)) if b.is_zero() => {
                if controlled {
                    zero(a)
                } else {
                    Value::Undefined
                }
            }
            (Value::Doubtful(doubt), _) | (_, Value::Doubtful(doubt)) => Value::Doubtful(*doubt),
            (a, b) => self.quotient(a, b).unwrap_or_else(Value::Doubtful),
        }
    }

    fn compare(&self, comparison: Comparison, a: &Value, b: &Value) -> Truth {
        let (of_a, of_b) = match (a, b) {
            (Value::Undefined, _) | (_, Value::Undefined) => return Truth::Undefined,
            (Value::Doubtful(doubt), _) | (_, Value::Doubtful(doubt)) => return Truth::Doubtful(*doubt),
            (a, b) => (self.hull(a), self.hull(b)),
        };
        let (Ok([low_a, high_a]), Ok([low_b, high_b])) = (of_a, of_b) else {
            return Truth::Doubtful(Doubt::Length);
        };
        // nan is unordered.
        let ends = [low_a.partial_cmp(&high_b), high_a.partial_cmp(&low_b)];
        let holds = ends.map(|ordering| comparison.holds(ordering));
        let is_between =
            comparison == Comparison::Equal && ends == [Some(Ordering::Less), Some(Ordering::Greater)];
        if holds[0] == holds[1] && !is_between {
            Truth::Known(holds[0])
        } else {
            Truth::Doubtful(Doubt::Branch)
        }
    }

    fn same(&self, a: &Value, b: &Value) -> Truth {
        match (a, b) {
            (Value::Undefined, Value::Undefined) => Truth::Known(true),
            (Value::Doubtful(doubt), _) | (_, Value::Doubtful(doubt)) => Truth::Doubtful(*doubt),
            (Value::Undefined, _) | (_, Value::Undefined) => Truth::Known(false),
            (a, b) => match (exactly(a), exactly(b)) {
                (Some(0.0), Some(0.0)) if has_either_sign(a) || has_either_sign(b) => {
                    Truth::Doubtful(Doubt::Branch)
                }
                (Some(a), Some(b)) => Truth::Known(F64.same(&a, &b)),
                _ => Truth::Doubtful(Doubt::Branch),
            },
        }
    }

    fn select(&self, truth: &Truth, a: &Value, b: &Value) -> Value {
        match (truth, a, b) {
            (Truth::Known(true), a, _) => *a,
            (Truth::Known(false), _, b) => *b,
            (Truth::Undefined, _, _) | (_, Value::Undefined, Value::Undefined) => Value::Undefined,
            (Truth::Doubtful(doubt), _, _) => Value::Doubtful(*doubt),
        }
    }

    fn store(&self, a: &mut Value) {
        match a {
            Value::Finite(bounded) if self.model.stores => *a = self.bounded(bounded.closed(&self.model)),
            Value::Special(special) if self.model.stores => {
                *special = Special::new(special.value, special.is_given);
            }
            _ => {}
        }
    }

    fn where_defined(&self, a: &Value) -> Truth {
        match a {
            Value::Undefined => Truth::Undefined,
            Value::Doubtful(doubt) => Truth::Doubtful(*doubt),
            Value::Special(_) | Value::Finite(_) => Truth::Known(true),
        }
    }

    fn literal(&self, literal: &Literal) -> Result<Value, LiteralError> {
        self.model.format.read(literal).map(|x| self.given(x))
    }

    /// Bits below the last place of a large number are rounded away; in another order, other bits are.
    fn integer_operation(&self, operation: IntegerOperation, a: &Value, b: &Value) -> Value {
        let is_bitwise =
            matches!(operation, IntegerOperation::And | IntegerOperation::Or | IntegerOperation::Xor);
        let is_large = |value: &Value| matches!(value, Value::Finite(finite) if finite.known.is_some_and(|x| x.abs() > self.model.format.greatest_exact()));
        if is_bitwise && self.model.reassociates && (is_large(a) || is_large(b)) {
            return Value::Doubtful(Doubt::Branch);
        }
        self.exact(&[a, b], |known| match self.model.format {
            Format::F32 => {
                F32.integer_operation(operation, &(known[0] as f32), &(known[1] as f32)).map(f64::from)
            }
            Format::F64 => F64.integer_operation(operation, &known[0], &known[1]),
        })
    }

    fn absolute(&self, a: &Value) -> Value {
        match a {
            Value::Finite(a) => self.bounded(a.absolute(&self.model)),
            Value::Special(a) => Value::Special(Special { value: a.value.abs(), ..*a }),
            other => *other,
        }
    }

    /// The truncation, if both ends of the range have the same one.
    fn truncation(&self, a: &Value) -> Value {
        let Value::Finite(bounded) = a else { return self.exact(&[a], |known| F64.truncation(&known[0])) };
        match bounded.range(&self.model) {
            Ok([low, high]) if low.trunc() == high.trunc() => self.given(low.trunc() + 0.0),
            _ => Value::Doubtful(Doubt::Branch),
        }
    }

    fn extremum_identity(&self, extremum: Extremum) -> Value {
        self.given(match extremum {
            Extremum::Min => f64::INFINITY,
            Extremum::Max => f64::NEG_INFINITY,
        })
    }

    fn extremum(&self, extremum: Extremum, a: &Value, b: &Value) -> Value {
        let special = |special: &Special, other: &Value| {
            let dominates = match extremum {
                Extremum::Min => special.value == f64::NEG_INFINITY,
                Extremum::Max => special.value == f64::INFINITY,
            };
            let is_nan = |value: &Value| matches!(value, Value::Special(s) if s.value.is_nan());
            match (special.value.is_nan() || is_nan(other), dominates) {
                (true, _) if self.model.loose_extrema => Err(Doubt::Special),
                (true, _) => Ok(Value::Special(Special::computed(f64::NAN))),
                (false, true) => Ok(Value::Special(Special::computed(special.value))),
                (false, false) => match other {
                    Value::Finite(x) => x.closed(&self.model).map(Value::Finite),
                    other => Ok(*other),
                },
            }
        };
        self.combine(a, b, |a, b| self.bounded(a.extremum(extremum, b, &self.model)), special)
    }

    fn truth(&self, known: Option<bool>) -> Truth {
        known.map_or(Truth::Undefined, Truth::Known)
    }

    fn connect(&self, connective: Connective, a: &Truth, b: &Truth) -> Truth {
        match (a, b) {
            (Truth::Undefined, _) | (_, Truth::Undefined) => Truth::Undefined,
            (Truth::Doubtful(doubt), _) | (_, Truth::Doubtful(doubt)) => Truth::Doubtful(*doubt),
            (Truth::Known(a), Truth::Known(b)) => Truth::Known(connective.holds(*a, *b)),
        }
    }

    fn known(&self, truth: &Truth) -> Option<bool> {
        match truth {
            Truth::Known(truth) => Some(*truth),
            Truth::Undefined | Truth::Doubtful(_) => None,
        }
    }
}

impl Tolerance {
    /// An interval around the values that it may have.
    fn hull(&self, value: &Value) -> Result<[f64; 2], Doubt> {
        match value {
            Value::Undefined => Err(Doubt::Branch),
            Value::Doubtful(doubt) => Err(*doubt),
            Value::Special(special) => Ok([special.value; 2]),
            Value::Finite(bounded) => bounded.hull(&self.model),
        }
    }
}
