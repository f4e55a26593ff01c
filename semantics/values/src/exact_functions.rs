//! Functions of real numbers at rationals: the exact value where it is rational, and whether the function has one at all.

use dashu_base::{BitTest as _, UnsignedAbs as _};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// The greatest exponent, and the greatest degree of a root, that is computed.
const MAX_EXPONENT: usize = 64;
/// The maximum number of bits of a base that is raised to a power.
const MAX_BITS: usize = 1 << 10;

/// The value of a real function at rationals.
#[derive(Clone, Debug, PartialEq)]
pub enum ExactValue {
    /// A rational.
    Rational(RBig),
    /// The real function of that name has no value there, as `sqrt(-1)` and `ln(0)` have none.
    Missing,
}

/// The value of `exp`, `ln`, `sqrt`, `rsqrt` or `pow`; `None` if it is irrational, or too long to be computed. `pow(0, 0)` is 1, as in
/// IEEE 754; `pow(x, y)` has no value for x < 0 unless y is an integer, nor for x = 0 and y < 0.
pub fn exact_value(function: &str, arguments: &[RBig]) -> Option<ExactValue> {
    match (function, arguments) {
        ("exp", [x]) => x.is_zero().then_some(ExactValue::Rational(RBig::ONE)),
        ("ln", [x]) if *x <= RBig::ZERO => Some(ExactValue::Missing),
        ("ln", [x]) => x.is_one().then_some(ExactValue::Rational(RBig::ZERO)),
        ("sqrt", [x]) => power(x, &RBig::from_parts(IBig::ONE, 2u8.into())),
        ("rsqrt", [x]) => power(x, &RBig::from_parts(-IBig::ONE, 2u8.into())),
        ("pow", [x, y]) => power(x, y),
        _ => None,
    }
}

/// `x^(n/d)`, the real root of degree `d` first.
fn power(x: &RBig, y: &RBig) -> Option<ExactValue> {
    let (is_negative, is_whole) = (*x < RBig::ZERO, y.denominator().is_one());
    if is_negative && !is_whole || x.is_zero() && *y < RBig::ZERO {
        return Some(ExactValue::Missing);
    }
    let degree = usize::try_from(y.denominator().clone()).ok().filter(|degree| *degree <= MAX_EXPONENT)?;
    let exponent = isize::try_from(y.numerator().clone()).ok()?;
    if exponent.unsigned_abs() > MAX_EXPONENT {
        return None;
    }
    if x.numerator().bit_len().max(x.denominator().bit_len()) > MAX_BITS {
        return None;
    }
    let numerator = x.numerator().unsigned_abs();
    let (numerator, denominator) = (root(&numerator, degree)?, root(x.denominator(), degree)?);
    let sign = if is_negative { -IBig::ONE } else { IBig::ONE };
    let root = RBig::from_parts(sign * IBig::from(numerator), denominator);
    Some(ExactValue::Rational(root.pow(exponent)))
}

/// The root of an integer, if it is one.
fn root(integer: &UBig, degree: usize) -> Option<UBig> {
    let root = if degree == 1 { integer.clone() } else { integer.nth_root(degree) };
    (root.pow(degree) == *integer).then_some(root)
}
