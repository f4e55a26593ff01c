//! IEEE 754 binary floats: round to nearest, ties to even; no flush to zero, no contraction, sums from the left.
//!
//! Operations on floats of 16 bits are those of `f32`, rounded again. That is the exact result rounded once: f32 has
//! 24 bits of precision, at least 2·11 + 2 (S. A. Figueroa, *When is double rounding innocuous?*, 1995), and where
//! `bf16` is subnormal, its operands have too few bits to lie near a boundary of rounding.

use super::faithful::{faithful_bf16, faithful_f16, faithful_f32, faithful_f64};
use super::{Algebra, Extremum, Literal, LiteralError, NumberSystem};
use crate::scalar::as_scalar;
use half::{bf16, f16};
use std::cmp::Ordering;

macro_rules! ieee {
    ($name:ident, $float:ident, $text:literal, $round:ident, $write:ident, $faithful:ident) => {
        #[doc = concat!("IEEE 754 `", stringify!($float), "`. Two floats are the same when bit-equal or both nan.")]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl NumberSystem for $name {
            type Number = $float;

            fn name(&self) -> &'static str {
                $text
            }
            fn algebra(&self) -> Algebra {
                Algebra::Ieee
            }
            fn index(&self, index: i64) -> $float {
                index as $float
            }
            fn add(&self, a: &$float, b: &$float) -> $float {
                a + b
            }
            fn sub(&self, a: &$float, b: &$float) -> $float {
                a - b
            }
            fn mul(&self, a: &$float, b: &$float) -> $float {
                a * b
            }
            fn quotient(&self, a: &$float, b: &$float) -> $float {
                a / b
            }
            as_scalar!($name);
            fn is_zero(&self, a: &$float) -> bool {
                *a == 0.0
            }
            fn same(&self, a: &$float, b: &$float) -> bool {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }
            fn order(&self, a: &$float, b: &$float) -> Option<Ordering> {
                a.partial_cmp(b)
            }
            /// `minimum` and `maximum` of IEEE 754-2019: nan if an operand is nan, and −0 < 0.
            fn extremum(&self, extremum: Extremum, a: &$float, b: &$float) -> Option<$float> {
                if a.is_nan() || b.is_nan() {
                    return Some($float::NAN);
                }
                let swaps = match extremum {
                    Extremum::Min => b.total_cmp(a),
                    Extremum::Max => a.total_cmp(b),
                };
                Some(if swaps.is_lt() { *b } else { *a })
            }
            /// The float with its sign cleared: 0 for −0, nan for nan.
            fn absolute(&self, a: &$float) -> Option<$float> {
                Some(a.abs())
            }
            /// The integer 0 has no sign, so −0.5 is truncated to +0.
            fn truncation(&self, a: &$float) -> Option<$float> {
                a.is_finite().then(|| a.trunc() + 0.0)
            }
            fn extremum_identity(&self, extremum: Extremum) -> Option<$float> {
                Some(match extremum {
                    Extremum::Min => $float::INFINITY,
                    Extremum::Max => $float::NEG_INFINITY,
                })
            }
            fn faithful(&self, function: &str, arguments: &[$float]) -> Option<Vec<$float>> {
                in_ieee(function, $faithful(function, arguments)?)
            }
            fn read(&self, literal: &Literal) -> Result<$float, LiteralError> {
                literal.$round()
            }
            fn write(&self, a: &$float) -> Literal {
                Literal::$write(*a)
            }
            fn notable(&self) -> Vec<$float> {
                let small = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 0.5, 0.1, -7.0, -0.0];
                let special = [$float::INFINITY, $float::NEG_INFINITY, $float::NAN];
                let subnormal = $float::from_bits(1);
                let extreme = [$float::MAX, $float::MIN, $float::MIN_POSITIVE, $float::EPSILON, 1.0 / $float::EPSILON];
                small.into_iter().chain(special).chain([subnormal, -subnormal]).chain(extreme).collect()
            }
        }
    };
}

ieee!(F32, f32, "f32", to_f32, F32, faithful_f32);
ieee!(F64, f64, "f64", to_f64, F64, faithful_f64);

macro_rules! narrow {
    ($name:ident, $float:ident, $text:literal, $round:ident, $write:ident, $faithful:ident) => {
        #[doc = concat!("`", $text, "`. Two floats are the same when bit-equal or both nan.")]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl NumberSystem for $name {
            type Number = $float;

            fn name(&self) -> &'static str {
                $text
            }
            fn algebra(&self) -> Algebra {
                Algebra::Ieee
            }
            /// The integer, rounded once.
            fn index(&self, index: i64) -> $float {
                Literal::from(index).$round().unwrap_or($float::NAN)
            }
            fn add(&self, a: &$float, b: &$float) -> $float {
                $float::from_f32(a.to_f32() + b.to_f32())
            }
            fn sub(&self, a: &$float, b: &$float) -> $float {
                $float::from_f32(a.to_f32() - b.to_f32())
            }
            fn mul(&self, a: &$float, b: &$float) -> $float {
                $float::from_f32(a.to_f32() * b.to_f32())
            }
            fn quotient(&self, a: &$float, b: &$float) -> $float {
                $float::from_f32(a.to_f32() / b.to_f32())
            }
            as_scalar!($name);
            fn is_zero(&self, a: &$float) -> bool {
                a.to_f32() == 0.0
            }
            fn same(&self, a: &$float, b: &$float) -> bool {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }
            fn order(&self, a: &$float, b: &$float) -> Option<Ordering> {
                a.to_f32().partial_cmp(&b.to_f32())
            }
            /// As [`F32`] does it; the result is one of the operands, or nan.
            fn extremum(&self, extremum: Extremum, a: &$float, b: &$float) -> Option<$float> {
                F32.extremum(extremum, &a.to_f32(), &b.to_f32()).map($float::from_f32)
            }
            fn absolute(&self, a: &$float) -> Option<$float> {
                Some($float::from_f32(a.to_f32().abs()))
            }
            /// The integer 0 has no sign, so −0.5 is truncated to +0.
            fn truncation(&self, a: &$float) -> Option<$float> {
                F32.truncation(&a.to_f32()).map($float::from_f32)
            }
            fn extremum_identity(&self, extremum: Extremum) -> Option<$float> {
                F32.extremum_identity(extremum).map($float::from_f32)
            }
            fn faithful(&self, function: &str, arguments: &[$float]) -> Option<Vec<$float>> {
                in_ieee(function, $faithful(function, arguments)?)
            }
            fn read(&self, literal: &Literal) -> Result<$float, LiteralError> {
                literal.$round()
            }
            fn write(&self, a: &$float) -> Literal {
                Literal::$write(*a)
            }
            fn notable(&self) -> Vec<$float> {
                let small = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 0.5, 0.1, -7.0, -0.0].map($float::from_f32);
                let special = [$float::INFINITY, $float::NEG_INFINITY, $float::NAN];
                let subnormal = $float::from_bits(1);
                let reciprocal = $float::from_f32(1.0 / $float::EPSILON.to_f32());
                let extreme = [$float::MAX, $float::MIN, $float::MIN_POSITIVE, $float::EPSILON, reciprocal];
                small.into_iter().chain(special).chain([subnormal, -subnormal]).chain(extreme).collect()
            }
        }
    };
}

/// What IEEE 754 lets a function return, of what a faithful one may: the square root is correctly rounded (5.4.1).
fn in_ieee<F>(function: &str, mut faithful: Vec<F>) -> Option<Vec<F>> {
    if function == "sqrt" {
        faithful.truncate(1);
    }
    Some(faithful)
}

narrow!(F16, f16, "f16", to_f16, F16, faithful_f16);
narrow!(BF16, bf16, "bf16", to_bf16, BF16, faithful_bf16);
