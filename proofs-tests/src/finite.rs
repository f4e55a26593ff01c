//! IEEE singles as long as all values are finite: a false claim about floats can be repaired to hold for these.

use std::cmp::Ordering;
use values::{Algebra, F32, Literal, LiteralError, NumberSystem, Scalar};

/// `f32` in which every non-finite result is nan, which all operations propagate. So a value that is not nan was
/// computed without any infinity or nan.
#[derive(Clone, Copy, Debug, Default)]
pub struct FiniteF32;

fn finite(number: f32) -> f32 {
    if number.is_finite() { number } else { f32::NAN }
}

impl NumberSystem for FiniteF32 {
    type Number = f32;

    fn name(&self) -> &'static str {
        "f32, finite"
    }
    fn algebra(&self) -> Algebra {
        Algebra::Ieee
    }
    fn index(&self, index: i64) -> f32 {
        F32.index(index)
    }
    fn add(&self, a: &f32, b: &f32) -> f32 {
        finite(a + b)
    }
    fn sub(&self, a: &f32, b: &f32) -> f32 {
        finite(a - b)
    }
    fn mul(&self, a: &f32, b: &f32) -> f32 {
        finite(a * b)
    }
    fn quotient(&self, a: &f32, b: &f32) -> f32 {
        finite(a / b)
    }
    fn scalar(&self, a: &f32) -> Scalar {
        F32.scalar(a)
    }
    fn of_scalar(&self, scalar: Scalar) -> Option<f32> {
        F32.of_scalar(scalar).map(finite)
    }
    fn is_zero(&self, a: &f32) -> bool {
        F32.is_zero(a)
    }
    fn same(&self, a: &f32, b: &f32) -> bool {
        F32.same(a, b)
    }
    fn order(&self, a: &f32, b: &f32) -> Option<Ordering> {
        F32.order(a, b)
    }
    fn read(&self, literal: &Literal) -> Result<f32, LiteralError> {
        F32.read(literal).map(finite)
    }
    fn write(&self, a: &f32) -> Literal {
        F32.write(a)
    }
    fn notable(&self) -> Vec<f32> {
        F32.notable().into_iter().map(finite).collect()
    }
}
