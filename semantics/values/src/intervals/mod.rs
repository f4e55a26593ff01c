//! Real numbers enclosed in intervals of floats: functions of real numbers, up to rounding.
//!
//! An interval encloses the exact real value. So two terms with disjoint intervals differ, and a term that is
//! undefined here is undefined; nothing else is concluded.

mod arithmetic;

pub use arithmetic::{Interval, Value, function};

use super::{Comparison, Division, Extremum, IntegerOperation, Literal, LiteralError, ValueDomain};
use dashu_base::ConversionError;
use dashu_ratio::RBig;

/// The real numbers, by intervals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Intervals;

/// A truth value, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Known to be true or false.
    Known(bool),
    /// True, false or undefined.
    Open,
    /// Undefined.
    None,
}

impl Value {
    /// The float that equals an exact number, or the interval between its neighbouring floats.
    pub fn enclosing(number: &RBig) -> Value {
        let near = number.to_f64().value();
        match RBig::try_from(near) {
            Ok(exact) if exact == *number => Value::point(near),
            Ok(_) => Value::Within(Interval::new(near.next_down(), near.next_up())),
            Err(ConversionError::OutOfBounds | ConversionError::LossOfPrecision) => Value::Open,
        }
    }
}

impl ValueDomain for Intervals {
    type Value = Value;
    type Truth = Truth;
    type Array = Vec<Value>;

    fn undefined(&self) -> Value {
        Value::None
    }

    fn index(&self, index: i64) -> Value {
        Value::enclosing(&index.into())
    }

    fn add(&self, a: &Value, b: &Value) -> Value {
        a.with(*b, Interval::sum)
    }

    fn sub(&self, a: &Value, b: &Value) -> Value {
        a.with(*b, |a, b| a.sum(b.negated()))
    }

    fn mul(&self, a: &Value, b: &Value) -> Value {
        a.with(*b, Interval::product)
    }

    /// If the divisor may be 0, nothing is known. Under controlled division `0/•` is 0.
    fn div(&self, division: Division, a: &Value, b: &Value) -> Value {
        let zero = Value::point(0.0);
        match (a, b) {
            (a, Value::None) if division == Division::Controlled && *a == zero => zero,
            (Value::Within(_), Value::None) if division == Division::Controlled => Value::Open,
            (_, b) if *b == zero && division == Division::Extended => Value::None,
            (Value::Within(_), Value::Within(b)) if b.equals(Interval::new(0.0, 0.0)) != Some(false) => {
                Value::Open
            }
            _ => a.with(*b, Interval::quotient),
        }
    }

    fn compare(&self, comparison: Comparison, a: &Value, b: &Value) -> Truth {
        let known = |truth: Option<bool>| truth.map_or(Truth::Open, Truth::Known);
        match (a, b) {
            (Value::None, _) | (_, Value::None) => Truth::None,
            (Value::Within(a), Value::Within(b)) => known(match comparison {
                Comparison::Equal => a.equals(*b),
                Comparison::Less => a.is_less(*b),
                Comparison::LessOrEqual => b.is_less(*a).map(|less| !less),
            }),
            _ => Truth::Open,
        }
    }

    /// Whether both are the same: known to be true only of equal floats, and of two undefined values.
    fn same(&self, a: &Value, b: &Value) -> Truth {
        match (a, b) {
            (Value::None, Value::None) => Truth::Known(true),
            (Value::None, Value::Within(_)) | (Value::Within(_), Value::None) => Truth::Known(false),
            (Value::Open, _) | (_, Value::Open) => Truth::Open,
            (Value::Within(a), Value::Within(b)) => a.equals(*b).map_or(Truth::Open, Truth::Known),
        }
    }

    fn select(&self, truth: &Truth, a: &Value, b: &Value) -> Value {
        match truth {
            Truth::Known(true) => *a,
            Truth::Known(false) => *b,
            Truth::Open => Value::Open,
            Truth::None => Value::None,
        }
    }

    fn literal(&self, literal: &Literal) -> Result<Value, LiteralError> {
        literal.exact().map(|number| Value::enclosing(&number))
    }

    fn absolute(&self, a: &Value) -> Value {
        match self.compare(Comparison::Less, a, &Value::point(0.0)) {
            Truth::Known(true) => self.sub(&Value::point(0.0), a),
            Truth::Known(false) => *a,
            Truth::Open => Value::Open,
            Truth::None => Value::None,
        }
    }

    fn truncation(&self, a: &Value) -> Value {
        if *a == Value::None { Value::None } else { Value::Open }
    }

    /// Nothing is known of the result: an interval does not say whether its number is an integer.
    fn integer_operation(&self, _: IntegerOperation, a: &Value, b: &Value) -> Value {
        if *a == Value::None || *b == Value::None { Value::None } else { Value::Open }
    }

    /// Real numbers have no greatest and no least one.
    fn extremum_identity(&self, _: Extremum) -> Value {
        Value::None
    }

    fn truth(&self, known: Option<bool>) -> Truth {
        known.map_or(Truth::None, Truth::Known)
    }

    fn known(&self, truth: &Truth) -> Option<bool> {
        match truth {
            Truth::Known(truth) => Some(*truth),
            Truth::Open | Truth::None => None,
        }
    }
}
