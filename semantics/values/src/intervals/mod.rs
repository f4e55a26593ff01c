//! Real numbers enclosed in intervals of floats: functions of real numbers, up to rounding.
//!
//! An interval encloses the exact real value. So two terms with disjoint intervals differ, and a term that is
//! undefined here is undefined; nothing else is concluded.

mod arithmetic;

pub use arithmetic::{Interval, IntervalValue, function};

use super::{
    ComparisonOperator, Division, Extremum, IntegerOperation, Literal, LiteralError, Primitive, ValueDomain,
};
use dashu_base::ConversionError;
use dashu_ratio::RBig;

/// The real numbers, by intervals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Intervals;

/// A truth value, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalTruth {
    /// Known to be true or false.
    Known(bool),
    /// True, false or undefined.
    Open,
    /// Undefined.
    None,
}

impl IntervalValue {
    /// The float that equals an exact number, or the interval between its neighbouring floats.
    pub fn enclosing(number: &RBig) -> IntervalValue {
        let near = number.to_f64().value();
        match RBig::try_from(near) {
            Ok(exact) if exact == *number => IntervalValue::point(near),
            Ok(_) => IntervalValue::Within(Interval::new(near.next_down(), near.next_up())),
            Err(ConversionError::OutOfBounds | ConversionError::LossOfPrecision) => IntervalValue::Open,
        }
    }
}

impl ValueDomain for Intervals {
    type Value = IntervalValue;
    type Truth = IntervalTruth;
    type Array = Vec<IntervalValue>;

    fn undefined(&self) -> IntervalValue {
        IntervalValue::None
    }

    fn index(&self, index: i64) -> IntervalValue {
        IntervalValue::enclosing(&index.into())
    }

    fn add(&self, a: &IntervalValue, b: &IntervalValue) -> IntervalValue {
        a.with(*b, Interval::sum)
    }

    fn sub(&self, a: &IntervalValue, b: &IntervalValue) -> IntervalValue {
        a.with(*b, |a, b| a.sum(b.negated()))
    }

    fn mul(&self, a: &IntervalValue, b: &IntervalValue) -> IntervalValue {
        a.with(*b, Interval::product)
    }

    /// If the divisor may be 0, nothing is known. Under controlled division `0/•` is 0.
    fn div(&self, division: Division, a: &IntervalValue, b: &IntervalValue) -> IntervalValue {
        let zero = IntervalValue::point(0.0);
        match (a, b) {
            (a, IntervalValue::None) if division.is_controlled() && *a == zero => zero,
            (IntervalValue::Within(_), IntervalValue::None) if division.is_controlled() => {
                IntervalValue::Open
            }
            (_, b) if *b == zero && !division.is_controlled() => IntervalValue::None,
            (IntervalValue::Within(_), IntervalValue::Within(b))
                if b.equals(Interval::new(0.0, 0.0)) != Some(false) =>
            {
                IntervalValue::Open
            }
            _ => a.with(*b, Interval::quotient),
        }
    }

    fn compare(&self, comparison: ComparisonOperator, a: &IntervalValue, b: &IntervalValue) -> IntervalTruth {
        let known = |truth: Option<bool>| truth.map_or(IntervalTruth::Open, IntervalTruth::Known);
        match (a, b) {
            (IntervalValue::None, _) | (_, IntervalValue::None) => IntervalTruth::None,
            (IntervalValue::Within(a), IntervalValue::Within(b)) => known(match comparison {
                ComparisonOperator::Equal => a.equals(*b),
                ComparisonOperator::Less => a.is_less(*b),
                ComparisonOperator::LessOrEqual => b.is_less(*a).map(|less| !less),
            }),
            _ => IntervalTruth::Open,
        }
    }

    /// Whether both are the same: known to be true only of equal floats, and of two undefined values.
    fn same(&self, a: &IntervalValue, b: &IntervalValue) -> IntervalTruth {
        match (a, b) {
            (IntervalValue::None, IntervalValue::None) => IntervalTruth::Known(true),
            (IntervalValue::None, IntervalValue::Within(_))
            | (IntervalValue::Within(_), IntervalValue::None) => IntervalTruth::Known(false),
            (IntervalValue::Open, _) | (_, IntervalValue::Open) => IntervalTruth::Open,
            (IntervalValue::Within(a), IntervalValue::Within(b)) => {
                a.equals(*b).map_or(IntervalTruth::Open, IntervalTruth::Known)
            }
        }
    }

    fn select(&self, truth: &IntervalTruth, a: &IntervalValue, b: &IntervalValue) -> IntervalValue {
        match truth {
            IntervalTruth::Known(true) => *a,
            IntervalTruth::Known(false) => *b,
            IntervalTruth::Open => IntervalValue::Open,
            IntervalTruth::None => IntervalValue::None,
        }
    }

    fn literal(&self, literal: &Literal) -> Result<IntervalValue, LiteralError> {
        literal.exact().map(|number| IntervalValue::enclosing(&number))
    }

    fn absolute(&self, a: &IntervalValue) -> IntervalValue {
        match self.compare(ComparisonOperator::Less, a, &IntervalValue::point(0.0)) {
            IntervalTruth::Known(true) => self.sub(&IntervalValue::point(0.0), a),
            IntervalTruth::Known(false) => *a,
            IntervalTruth::Open => IntervalValue::Open,
            IntervalTruth::None => IntervalValue::None,
        }
    }

    fn truncation(&self, a: &IntervalValue) -> IntervalValue {
        if *a == IntervalValue::None { IntervalValue::None } else { IntervalValue::Open }
    }

    /// Nothing is known of the result: an interval does not say whether its number is an integer.
    fn integer_operation(&self, _: IntegerOperation, a: &IntervalValue, b: &IntervalValue) -> IntervalValue {
        if *a == IntervalValue::None || *b == IntervalValue::None {
            IntervalValue::None
        } else {
            IntervalValue::Open
        }
    }

    fn primitive(&self, _: Primitive, operands: &[IntervalValue]) -> IntervalValue {
        if operands.contains(&IntervalValue::None) { IntervalValue::None } else { IntervalValue::Open }
    }

    /// Real numbers have no greatest and no least one.
    fn extremum_identity(&self, _: Extremum) -> IntervalValue {
        IntervalValue::None
    }

    fn truth(&self, known: Option<bool>) -> IntervalTruth {
        known.map_or(IntervalTruth::None, IntervalTruth::Known)
    }

    fn known(&self, truth: &IntervalTruth) -> Option<bool> {
        match truth {
            IntervalTruth::Known(truth) => Some(*truth),
            IntervalTruth::Open | IntervalTruth::None => None,
        }
    }
}
