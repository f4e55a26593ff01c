//! Exact rationals ℚ: the reference.

use super::digits::limited;
use super::{Algebra, Literal, LiteralError, NumberSystem};
use crate::exact_functions::{ExactValue, exact_value};
use crate::scalar::as_scalar;
use dashu_base::BitTest;
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::cmp::Ordering;

/// ℚ, a field.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rationals;

impl NumberSystem for Rationals {
    type Number = RBig;

    fn name(&self) -> &'static str {
        "rational"
    }
    fn algebra(&self) -> Algebra {
        Algebra::Field
    }
    fn words(&self, a: &RBig) -> usize {
        (a.numerator().bit_len() + a.denominator().bit_len()) / 64
    }
    fn index(&self, index: i64) -> RBig {
        RBig::from(index)
    }
    fn add(&self, a: &RBig, b: &RBig) -> RBig {
        limited(a + b, bits)
    }
    fn sub(&self, a: &RBig, b: &RBig) -> RBig {
        limited(a - b, bits)
    }
    fn mul(&self, a: &RBig, b: &RBig) -> RBig {
        limited(a * b, bits)
    }
    fn quotient(&self, a: &RBig, b: &RBig) -> RBig {
        limited(a / b, bits)
    }
    as_scalar!(Real);
    fn is_zero(&self, a: &RBig) -> bool {
        a.is_zero()
    }
    fn same(&self, a: &RBig, b: &RBig) -> bool {
        a == b
    }
    fn order(&self, a: &RBig, b: &RBig) -> Option<Ordering> {
        Some(a.cmp(b))
    }
    fn read(&self, literal: &Literal) -> Result<RBig, LiteralError> {
        literal.exact()
    }
    fn write(&self, a: &RBig) -> Literal {
        Literal::Exact(a.clone())
    }
    /// Nothing is known of a value that the real function does not have: it may be any number, so 7.
    fn faithful(&self, function: &str, arguments: &[RBig]) -> Option<Vec<RBig>> {
        Some(match exact_value(function, arguments)? {
            ExactValue::Rational(value) => vec![value],
            ExactValue::Missing => vec![RBig::from(7)],
        })
    }
    fn notable(&self) -> Vec<RBig> {
        let half = RBig::from_parts(IBig::from(1), 2u8.into());
        let integers = [0i64, 1, -1, 2, -2, 3, 5, -7].map(RBig::from);
        integers.into_iter().chain([half]).collect()
    }
}

fn bits(number: &RBig) -> usize {
    number.numerator().bit_len().max(number.denominator().bit_len())
}
