//! The operations of the value domain [`Tolerance`].

use super::{Doubt, Finite, PossibleTruths, PossibleValues, Special, Tolerance, exactly, has_either_sign};
use crate::{
    Arithmetic, ComparisonOperator, Connective, Division, Extremum, F64, IntegerOperation, Literal,
    LiteralError, NumberSystem, Primitive, ValueDomain,
};
use std::cmp::Ordering;
use std::ops::{Add, Mul};

impl ValueDomain for Tolerance {
    type Value = PossibleValues;
    type Truth = PossibleTruths;
    type Array = Vec<PossibleValues>;

    fn undefined(&self) -> PossibleValues {
        PossibleValues::Undefined
    }

    fn index(&self, index: i64) -> PossibleValues {
        self.given(self.model.format.read(&Literal::from(index)).unwrap_or(f64::NAN))
    }

    fn add(&self, a: &PossibleValues, b: &PossibleValues) -> PossibleValues {
        let plus = |a: &Finite, b: &Finite| self.rounded([a, b], a.plus(b, &self.model), Add::add);
        self.combine(a, b, plus, |s, x| self.sum_with(s, x))
    }

    fn sub(&self, a: &PossibleValues, b: &PossibleValues) -> PossibleValues {
        let negative = match b {
            PossibleValues::Finite(b) => PossibleValues::Finite(b.negative(&self.model)),
            PossibleValues::Special(b) => PossibleValues::Special(Special { value: -b.value, ..*b }),
            other => *other,
        };
        self.add(a, &negative)
    }

    fn mul(&self, a: &PossibleValues, b: &PossibleValues) -> PossibleValues {
        let times = |a: &Finite, b: &Finite| self.rounded([a, b], a.times(b, &self.model), Mul::mul);
        self.combine(a, b, times, |s, x| self.product_with(s, x))
    }

    /// Definition 8 where `a` is 0, Definition 4 (ii) elsewhere.
    fn div(&self, division: Division, a: &PossibleValues, b: &PossibleValues) -> PossibleValues {
        let controlled = division.is_controlled();
        let zero = |a: &PossibleValues| match a {
            PossibleValues::Finite(a) => match a.may_be_zero(&self.model) {
                _ if a.is_zero() => self.index(0),
                Ok(false) => PossibleValues::Undefined,
                _ => PossibleValues::Doubtful(Doubt::Divisor),
            },
            PossibleValues::Doubtful(doubt) => PossibleValues::Doubtful(*doubt),
            PossibleValues::Special(_) | PossibleValues::Undefined => PossibleValues::Undefined,
        };
        match (a, b) {
            (PossibleValues::Undefined, _) => PossibleValues::Undefined,
            (a, PossibleValues::Undefined) => {
                if controlled {
                    zero(a)
                } else {
                    PossibleValues::Undefined
                }
            }
            (a, PossibleValues::Finite(divisor)) if divisor.is_zero() => {
                if division == Division::System {
                    self.by_zero(a, b)
                } else if controlled {
                    zero(a)
                } else {
                    PossibleValues::Undefined
                }
            }
            (PossibleValues::Doubtful(doubt), _) | (_, PossibleValues::Doubtful(doubt)) => {
                PossibleValues::Doubtful(*doubt)
            }
            (a, b) => self.quotient(a, b).unwrap_or_else(PossibleValues::Doubtful),
        }
    }

    fn compare(
        &self,
        comparison: ComparisonOperator,
        a: &PossibleValues,
        b: &PossibleValues,
    ) -> PossibleTruths {
        let (of_a, of_b) = match (a, b) {
            (PossibleValues::Undefined, _) | (_, PossibleValues::Undefined) => {
                return PossibleTruths::Undefined;
            }
            (PossibleValues::Doubtful(doubt), _) | (_, PossibleValues::Doubtful(doubt)) => {
                return PossibleTruths::Doubtful(*doubt);
            }
            (a, b) => (self.hull(a), self.hull(b)),
        };
        let (Ok([low_a, high_a]), Ok([low_b, high_b])) = (of_a, of_b) else {
            return PossibleTruths::Doubtful(Doubt::Length);
        };
        // nan is unordered.
        let ends = [low_a.partial_cmp(&high_b), high_a.partial_cmp(&low_b)];
        let holds = ends.map(|ordering| comparison.holds(ordering));
        let is_between = comparison == ComparisonOperator::Equal
            && ends == [Some(Ordering::Less), Some(Ordering::Greater)];
        if holds[0] == holds[1] && !is_between {
            PossibleTruths::Known(holds[0])
        } else {
            PossibleTruths::Doubtful(Doubt::Branch)
        }
    }

    fn same(&self, a: &PossibleValues, b: &PossibleValues) -> PossibleTruths {
        match (a, b) {
            (PossibleValues::Undefined, PossibleValues::Undefined) => PossibleTruths::Known(true),
            (PossibleValues::Doubtful(doubt), _) | (_, PossibleValues::Doubtful(doubt)) => {
                PossibleTruths::Doubtful(*doubt)
            }
            (PossibleValues::Undefined, _) | (_, PossibleValues::Undefined) => PossibleTruths::Known(false),
            (a, b) => match (exactly(a), exactly(b)) {
                (Some(0.0), Some(0.0)) if has_either_sign(a) || has_either_sign(b) => {
                    PossibleTruths::Doubtful(Doubt::Branch)
                }
                (Some(a), Some(b)) => PossibleTruths::Known(F64.same(&a, &b)),
                _ => PossibleTruths::Doubtful(Doubt::Branch),
            },
        }
    }

    fn select(&self, truth: &PossibleTruths, a: &PossibleValues, b: &PossibleValues) -> PossibleValues {
        match (truth, a, b) {
            (PossibleTruths::Known(true), a, _) => *a,
            (PossibleTruths::Known(false), _, b) => *b,
            (PossibleTruths::Undefined, _, _) | (_, PossibleValues::Undefined, PossibleValues::Undefined) => {
                PossibleValues::Undefined
            }
            (PossibleTruths::Doubtful(doubt), _, _) => PossibleValues::Doubtful(*doubt),
        }
    }

    fn store(&self, a: &mut PossibleValues) {
        match a {
            PossibleValues::Finite(bounded) if self.model.stores => {
                *a = self.bounded(bounded.closed(&self.model))
            }
            PossibleValues::Special(special) if self.model.stores => {
                *special = Special::new(special.value, special.is_given);
            }
            _ => {}
        }
    }

    fn where_defined(&self, a: &PossibleValues) -> PossibleTruths {
        match a {
            PossibleValues::Undefined => PossibleTruths::Undefined,
            PossibleValues::Doubtful(doubt) => PossibleTruths::Doubtful(*doubt),
            PossibleValues::Special(_) | PossibleValues::Finite(_) => PossibleTruths::Known(true),
        }
    }

    fn literal(&self, literal: &Literal) -> Result<PossibleValues, LiteralError> {
        self.model.format.read(literal).map(|x| self.given(x))
    }

    /// Bits below the last place of a large number are rounded away; in another order, other bits are.
    fn integer_operation(
        &self,
        operation: IntegerOperation,
        a: &PossibleValues,
        b: &PossibleValues,
    ) -> PossibleValues {
        let is_bitwise =
            matches!(operation, IntegerOperation::And | IntegerOperation::Or | IntegerOperation::Xor);
        let is_large = |value: &PossibleValues| matches!(value, PossibleValues::Finite(finite) if finite.known.is_some_and(|x| x.abs() > self.model.format.greatest_exact()));
        if is_bitwise && self.model.reassociates && (is_large(a) || is_large(b)) {
            return PossibleValues::Doubtful(Doubt::Branch);
        }
        let arithmetic = Arithmetic::Integers(operation);
        self.exact(&[a, b], |known| {
            self.in_format(known, |numbers| numbers[0].operation(arithmetic, &numbers[1]))
        })
    }

    fn absolute(&self, a: &PossibleValues) -> PossibleValues {
        match a {
            PossibleValues::Finite(a) => self.bounded(a.absolute(&self.model)),
            PossibleValues::Special(a) => PossibleValues::Special(Special { value: a.value.abs(), ..*a }),
            other => *other,
        }
    }

    /// The truncation, if both ends of the range have the same one.
    fn truncation(&self, a: &PossibleValues) -> PossibleValues {
        let PossibleValues::Finite(bounded) = a else {
            return self.exact(&[a], |known| F64.truncation(&known[0]));
        };
        match bounded.range(&self.model) {
            Ok([low, high]) if low.trunc() == high.trunc() => self.given(low.trunc() + 0.0),
            _ => PossibleValues::Doubtful(Doubt::Branch),
        }
    }

    /// Of known values only.
    fn primitive(&self, primitive: Primitive, operands: &[PossibleValues]) -> PossibleValues {
        let operands: Vec<&PossibleValues> = operands.iter().collect();
        let primitive = primitive.typed(|_| self.model.format.element_type());
        self.exact(&operands, |known| self.in_format(known, |numbers| primitive.value(numbers)))
    }

    fn extremum_identity(&self, extremum: Extremum) -> PossibleValues {
        self.given(match extremum {
            Extremum::Min => f64::INFINITY,
            Extremum::Max => f64::NEG_INFINITY,
        })
    }

    fn extremum(&self, extremum: Extremum, a: &PossibleValues, b: &PossibleValues) -> PossibleValues {
        let special = |special: &Special, other: &PossibleValues| {
            let dominates = match extremum {
                Extremum::Min => special.value == f64::NEG_INFINITY,
                Extremum::Max => special.value == f64::INFINITY,
            };
            let is_nan =
                |value: &PossibleValues| matches!(value, PossibleValues::Special(s) if s.value.is_nan());
            match (special.value.is_nan() || is_nan(other), dominates) {
                (true, _) if self.model.loose_extrema => Err(Doubt::Special),
                (true, _) => Ok(PossibleValues::Special(Special::computed(f64::NAN))),
                (false, true) => Ok(PossibleValues::Special(Special::computed(special.value))),
                (false, false) => match other {
                    PossibleValues::Finite(x) => x.closed(&self.model).map(PossibleValues::Finite),
                    other => Ok(*other),
                },
            }
        };
        self.combine(a, b, |a, b| self.bounded(a.extremum(extremum, b, &self.model)), special)
    }

    fn truth(&self, known: Option<bool>) -> PossibleTruths {
        known.map_or(PossibleTruths::Undefined, PossibleTruths::Known)
    }

    fn connect(&self, connective: Connective, a: &PossibleTruths, b: &PossibleTruths) -> PossibleTruths {
        match (a, b) {
            (PossibleTruths::Undefined, _) | (_, PossibleTruths::Undefined) => PossibleTruths::Undefined,
            (PossibleTruths::Doubtful(doubt), _) | (_, PossibleTruths::Doubtful(doubt)) => {
                PossibleTruths::Doubtful(*doubt)
            }
            (PossibleTruths::Known(a), PossibleTruths::Known(b)) => {
                PossibleTruths::Known(connective.holds(*a, *b))
            }
        }
    }

    fn known(&self, truth: &PossibleTruths) -> Option<bool> {
        match truth {
            PossibleTruths::Known(truth) => Some(*truth),
            PossibleTruths::Undefined | PossibleTruths::Doubtful(_) => None,
        }
    }
}
