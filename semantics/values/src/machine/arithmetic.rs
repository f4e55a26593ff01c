//! The operations of a machine on numbers.

use super::{
    DivisionByZero, ExtremumOfNan, ExtremumOfZeros, FloatDivisionByZero, Functions, LeastOverMinusOne,
    Machine, NanToInteger, RemainderByZero, ShiftTooFar, SignedOverflow, Subnormals, TooLarge,
};
use crate::primitive::{Conversion, Overflow, Primitive};
use crate::scalar::{Arithmetic, Scalar};
use crate::{ElementClass, ElementType, Extremum, IntegerOperation};
use dashu_base::Abs;
use dashu_ratio::RBig;
use std::cmp::Ordering;

impl Machine {
    /// An operation on two numbers of one type; `None` where it is undefined.
    pub(crate) fn arithmetic(&self, operation: Arithmetic, a: &Scalar, b: &Scalar) -> Option<Scalar> {
        match a.element_type().class() {
            ElementClass::Wrapping { signed, .. } => self.integers(operation, a, b, signed),
            ElementClass::Floats { .. } => self.floats(operation, &self.operand(a), &self.operand(b)),
            _ if operation == Arithmetic::Quotient && b.is_zero() => None,
            _ => a.operation(operation, b),
        }
    }

    fn integers(&self, operation: Arithmetic, a: &Scalar, b: &Scalar, signed: bool) -> Option<Scalar> {
        let by_zero = b.is_zero();
        let overflows = || signed && b.same(&b.like(-1)) && is_least(a);
        match operation {
            Arithmetic::Add | Arithmetic::Sub | Arithmetic::Mul if signed => {
                let wrapped = a.operation(operation, b)?;
                let is_exact = || {
                    let wide = |of: &Scalar| of.cast(ElementType::Integer);
                    Some(wide(a)?.operation(operation, &wide(b)?)?.same(&wide(&wrapped)?))
                };
                match self.integers.signed_overflow {
                    SignedOverflow::Wrap => Some(wrapped),
                    SignedOverflow::Undefined | SignedOverflow::Trap => is_exact()?.then_some(wrapped),
                }
            }
            Arithmetic::Quotient | Arithmetic::Integers(IntegerOperation::Div) => match () {
                () if by_zero => match self.integers.division_by_zero {
                    DivisionByZero::Undefined | DivisionByZero::Trap => None,
                    DivisionByZero::AllOnes => Some(a.like(-1)),
                    DivisionByZero::Zero => Some(a.like(0)),
                },
                () if overflows() => self.integers.least_over_minus_one.of(a),
                () => a.operation(operation, b),
            },
            Arithmetic::Integers(IntegerOperation::Mod | IntegerOperation::Rem) => match () {
                () if by_zero => match self.integers.remainder_by_zero {
                    RemainderByZero::Undefined | RemainderByZero::Trap => None,
                    RemainderByZero::Dividend => Some(a.clone()),
                    RemainderByZero::Zero => Some(a.like(0)),
                },
                () if overflows() => self.integers.least_over_minus_one.of(&a.like(0)),
                () => a.operation(operation, b),
            },
            _ => a.operation(operation, b),
        }
    }

    fn floats(&self, operation: Arithmetic, a: &Scalar, b: &Scalar) -> Option<Scalar> {
        let result = match operation {
            Arithmetic::Quotient
                if b.is_zero() && self.floats.division_by_zero != FloatDivisionByZero::Ieee =>
            {
                return None;
            }
            Arithmetic::Extremum(extremum) => self.extremum(extremum, a, b),
            _ => a.operation(operation, b)?,
        };
        Some(self.operand(&result))
    }

    /// Of floats.
    fn extremum(&self, extremum: Extremum, a: &Scalar, b: &Scalar) -> Scalar {
        let ordered = || a.operation(Arithmetic::Extremum(extremum), b).unwrap_or_else(|| a.clone());
        let is_nan = |of: &Scalar| of.order(of).is_none();
        match (is_nan(a), is_nan(b)) {
            (false, false) if a.is_zero() && b.is_zero() => match self.floats.extremum_of_zeros {
                ExtremumOfZeros::Ordered => ordered(),
                ExtremumOfZeros::First => a.clone(),
                ExtremumOfZeros::Second => b.clone(),
            },
            (false, false) => ordered(),
            (a_is_nan, _) => match self.floats.extremum_of_nan {
                ExtremumOfNan::Nan => ordered(),
                ExtremumOfNan::Number if a_is_nan => b.clone(),
                ExtremumOfNan::Number => a.clone(),
                ExtremumOfNan::Second => b.clone(),
            },
        }
    }

    /// A number as an operand, or as a result: 0 with its sign for a subnormal float that is flushed.
    pub(crate) fn operand(&self, a: &Scalar) -> Scalar {
        match self.subnormals(a.element_type()) {
            Subnormals::Flushed if a.is_subnormal() => a.zero_with_sign(),
            _ => a.clone(),
        }
    }

    /// The order of two numbers of one type; `None` if they are unordered.
    pub(crate) fn order(&self, a: &Scalar, b: &Scalar) -> Option<Ordering> {
        self.operand(a).order(&self.operand(b))
    }

    /// `|a|`, where the type is ordered.
    pub(crate) fn absolute(&self, a: &Scalar) -> Option<Scalar> {
        let overflows = self.integers.signed_overflow != SignedOverflow::Wrap && is_least(a);
        if overflows { None } else { a.absolute() }
    }

    /// A number as one of another type ([`Scalar::cast`]), but as the machine casts floats to integers.
    pub(crate) fn cast(&self, a: &Scalar, to: ElementType) -> Option<Scalar> {
        let from = a.element_type();
        if copies([from, to]) {
            return a.cast(to);
        }
        if !from.is_float() {
            return a.cast(to).map(|cast| self.operand(&cast));
        }
        let a = &self.operand(a);
        if !to.is_integer() {
            return a.cast(to).map(|cast| self.operand(&cast));
        }
        let conversion = |overflow| Conversion { to, rounding: self.casts.rounding(), overflow };
        let converted = |overflow| Primitive::Convert(conversion(overflow)).value(std::slice::from_ref(a));
        let is_nan = a.order(a).is_none();
        if is_nan {
            return match self.casts.nan_to_integer {
                NanToInteger::Undefined | NanToInteger::Trap => None,
                NanToInteger::Zero => Scalar::index(to, 0),
                NanToInteger::Least => Scalar::extremum_identity(to, Extremum::Max),
            };
        }
        match self.casts.too_large {
            TooLarge::Undefined | TooLarge::Trap => converted(Overflow::Undefined),
            TooLarge::Saturate => converted(Overflow::Saturate),
            TooLarge::Wrap => converted(Overflow::Wrap),
            TooLarge::Least => {
                converted(Overflow::Undefined).or_else(|| Scalar::extremum_identity(to, Extremum::Max))
            }
        }
    }

    /// The value of a primitive, if it is a number that exists.
    pub(crate) fn primitive(&self, primitive: Primitive, operands: &[Scalar]) -> Option<Scalar> {
        match (primitive, operands) {
            (Primitive::Quotient, [a, b]) if a.element_type().is_integer() => {
                self.arithmetic(Arithmetic::Quotient, a, b)
            }
            (
                Primitive::ShiftLeft | Primitive::LogicalShiftRight | Primitive::ArithmeticShiftRight,
                [a, by],
            ) => self.shifted(primitive, a, by),
            (Primitive::Integral(_) | Primitive::Sign | Primitive::Convert(_), [a]) => {
                primitive.value(&[self.operand(a)])
            }
            (Primitive::Narrow(to, _), [a]) if !copies([a.element_type(), to]) => {
                primitive.value(&[self.operand(a)]).map(|narrowed| self.operand(&narrowed))
            }
            _ => primitive.value(operands),
        }
    }

    /// What a function may return, from what a faithful one may return, the correctly rounded float first.
    pub(crate) fn possible(
        &self,
        (function, arguments): (&str, &[Scalar]),
        mut faithful: Vec<Scalar>,
    ) -> Vec<Scalar> {
        let ulps = self.functions.of(function).halves;
        let are_exact = faithful.iter().all(|number| !number.element_type().is_float());
        if are_exact || ulps == Functions::default().of(function).halves {
            return faithful;
        }
        if ulps == 1 {
            faithful.truncate(1);
            return faithful;
        }
        let is_special = |number: &Scalar| number.is_zero() || number.write().exact().is_err();
        if faithful.iter().all(is_special) || is_exact(function, arguments) {
            return faithful;
        }
        with_further(faithful, ulps / 2)
    }

    fn shifted(&self, shift: Primitive, a: &Scalar, by: &Scalar) -> Option<Scalar> {
        let ElementClass::Wrapping { bits, .. } = a.element_type().class() else {
            return shift.value(&[a.clone(), by.clone()]);
        };
        let distance = by.bits()?;
        match self.integers.shift_too_far {
            ShiftTooFar::Undefined | ShiftTooFar::Trap if distance >= u64::from(bits) => None,
            ShiftTooFar::Modulo => {
                let distance = i64::try_from(distance % u64::from(bits)).ok()?;
                shift.value(&[a.clone(), a.like(distance)])
            }
            _ => shift.value(&[a.clone(), by.clone()]),
        }
    }
}

/// Whether the result is exact by IEEE 754-2019, 9.2.1: `exp(0)`, `pow(a, 0)` and `pow(1, b)` are 1.
fn is_exact(function: &str, arguments: &[Scalar]) -> bool {
    match (function, arguments) {
        ("exp", [a]) => a.is_zero(),
        ("pow", [a, b]) => b.is_zero() || a.same(&a.like(1)),
        _ => false,
    }
}

/// The faithful results, and every further finite float that may have an error of at most `units` units in the last place. Such a float
/// is less than that far from one of the two beside the exact value, or at most that far from the exact value itself. Below a power of
/// two floats are half as far apart, so there are up to twice as many.
fn with_further(mut floats: Vec<Scalar>, units: u8) -> Vec<Scalar> {
    let exact = |of: &Scalar| of.write().exact().unwrap_or_default();
    let unit = |of: &Scalar| {
        let gaps = [true, false].map(|above| Some((exact(&of.beside(above)?) - exact(of)).abs()));
        gaps.into_iter().flatten().max().unwrap_or_default()
    };
    let is_exact = floats.len() == 1;
    let finite: Vec<Scalar> = floats.iter().filter(|of| of.write().exact().is_ok()).cloned().collect();
    let reach = finite.iter().map(unit).max().unwrap_or_default() * RBig::from(units);
    for start in &finite {
        for above in [true, false] {
            let mut last = start.clone();
            while let Some(next) = last.beside(above) {
                let distance = (exact(&next) - exact(start)).abs();
                if distance > reach || distance == reach && !is_exact {
                    break;
                }
                if !floats.iter().any(|known| known.same(&next)) {
                    floats.push(next.clone());
                }
                last = next;
            }
        }
    }
    floats
}

impl LeastOverMinusOne {
    /// The result, which is `wrapped` if it wraps.
    fn of(self, wrapped: &Scalar) -> Option<Scalar> {
        (self == LeastOverMinusOne::Wrap).then(|| wrapped.clone())
    }
}

/// Whether a cast copies the bits: nothing is flushed.
fn copies([from, to]: [ElementType; 2]) -> bool {
    from == to || [from, to] == [ElementType::BF16, ElementType::F32]
}

/// Whether it is the least integer of a signed type.
fn is_least(a: &Scalar) -> bool {
    let least = Scalar::extremum_identity(a.element_type(), Extremum::Max);
    matches!(a.element_type().class(), ElementClass::Wrapping { signed: true, .. })
        && least.is_some_and(|least| least.same(a))
}
