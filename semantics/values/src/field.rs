//! The integers modulo 2^61 − 1: arithmetic as in ℚ wherever no denominator vanishes, at machine speed.

use super::{Algebra, Literal, LiteralError, NumberSystem};
use crate::scalar::as_scalar;
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::cmp::Ordering;

/// The prime 2^61 − 1: the largest Mersenne prime below 2^64, so that a product fits into 128 bits and is
/// reduced by a shift and a sum.
pub const FIELD_MODULUS: u64 = (1 << 61) - 1;

/// The field of [`FIELD_MODULUS`] elements; numbers are canonical, below the modulus.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrimeField;

impl PrimeField {
    /// A rational number modulo the prime; `None` where its denominator vanishes.
    pub fn reduce(&self, exact: &RBig) -> Option<u64> {
        if exact.denominator().is_one() {
            return Some(residue(exact.numerator()));
        }
        let denominator = residue(&IBig::from(exact.denominator().clone()));
        (denominator != 0).then(|| multiply(residue(exact.numerator()), inverse(denominator)))
    }
}

fn residue(integer: &IBig) -> u64 {
    if let Ok(small) = i64::try_from(integer) {
        return PrimeField.index(small);
    }
    let modulus = IBig::from(FIELD_MODULUS);
    let remainder = integer % &modulus;
    let canonical = if remainder < IBig::ZERO { remainder + modulus } else { remainder };
    u64::try_from(canonical).unwrap_or(0)
}

fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let folded = (product as u64 & FIELD_MODULUS) + (product >> 61) as u64;
    if folded >= FIELD_MODULUS { folded - FIELD_MODULUS } else { folded }
}

/// `a^(p−2)`, the inverse of `a ≠ 0` by Fermat's theorem.
fn inverse(a: u64) -> u64 {
    let (mut power, mut base, mut exponent) = (1, a, FIELD_MODULUS - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = multiply(power, base);
        }
        base = multiply(base, base);
        exponent >>= 1;
    }
    power
}

impl NumberSystem for PrimeField {
    type Number = u64;

    fn name(&self) -> &'static str {
        "field"
    }
    fn algebra(&self) -> Algebra {
        Algebra::Field
    }
    fn characteristic(&self) -> Option<IBig> {
        Some(IBig::from(FIELD_MODULUS))
    }
    fn index(&self, index: i64) -> u64 {
        index.rem_euclid(FIELD_MODULUS as i64) as u64
    }
    fn add(&self, a: &u64, b: &u64) -> u64 {
        let sum = a + b;
        if sum >= FIELD_MODULUS { sum - FIELD_MODULUS } else { sum }
    }
    fn sub(&self, a: &u64, b: &u64) -> u64 {
        if a >= b { a - b } else { a + FIELD_MODULUS - b }
    }
    fn mul(&self, a: &u64, b: &u64) -> u64 {
        multiply(*a, *b)
    }
    fn quotient(&self, a: &u64, b: &u64) -> u64 {
        multiply(*a, inverse(*b))
    }
    as_scalar!(Field);
    fn is_zero(&self, a: &u64) -> bool {
        *a == 0
    }
    fn same(&self, a: &u64, b: &u64) -> bool {
        a == b
    }
    /// Only equality: a finite field has no order that its operations respect.
    fn order(&self, a: &u64, b: &u64) -> Option<Ordering> {
        (a == b).then_some(Ordering::Equal)
    }
    /// `None`: a residue does not tell which rational number it represents.
    fn truncation(&self, _: &u64) -> Option<u64> {
        None
    }
    fn read(&self, literal: &Literal) -> Result<u64, LiteralError> {
        self.reduce(&literal.exact()?).ok_or(LiteralError::NotRepresentable("field"))
    }
    fn write(&self, a: &u64) -> Literal {
        Literal::Exact(RBig::from(*a))
    }
    fn notable(&self) -> Vec<u64> {
        vec![0, 1, FIELD_MODULUS - 1, 2, FIELD_MODULUS - 2, 3, 5, 1 << 31]
    }
}
