//! Integers: exact ℤ, and the wrapping machine integers.

use super::digits::limited;
use super::{Algebra, Extremum, IntegerOperation, Literal, LiteralError, NumberSystem};
use crate::scalar::as_scalar;
use dashu_base::{BitTest, DivRem};
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::cmp::Ordering;

/// ℤ with division truncated toward zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct Integers;

impl NumberSystem for Integers {
    type Number = IBig;

    fn name(&self) -> &'static str {
        "integer"
    }
    fn algebra(&self) -> Algebra {
        Algebra::Integers
    }
    fn words(&self, a: &IBig) -> usize {
        a.bit_len() / 64
    }
    fn index(&self, index: i64) -> IBig {
        IBig::from(index)
    }
    fn add(&self, a: &IBig, b: &IBig) -> IBig {
        limited(a + b, IBig::bit_len)
    }
    fn sub(&self, a: &IBig, b: &IBig) -> IBig {
        limited(a - b, IBig::bit_len)
    }
    fn mul(&self, a: &IBig, b: &IBig) -> IBig {
        limited(a * b, IBig::bit_len)
    }
    /// Truncated toward zero.
    fn quotient(&self, a: &IBig, b: &IBig) -> IBig {
        a / b
    }
    as_scalar!(Integer);
    fn is_zero(&self, a: &IBig) -> bool {
        a.is_zero()
    }
    fn same(&self, a: &IBig, b: &IBig) -> bool {
        a == b
    }
    fn order(&self, a: &IBig, b: &IBig) -> Option<Ordering> {
        Some(a.cmp(b))
    }
    fn read(&self, literal: &Literal) -> Result<IBig, LiteralError> {
        integer(literal, self.name())
    }
    fn write(&self, a: &IBig) -> Literal {
        Literal::Exact(RBig::from(a.clone()))
    }
    fn notable(&self) -> Vec<IBig> {
        let small = [0i64, 1, -1, 2, -2, 3, 5, -7].map(IBig::from);
        // Floats round the integers after 2²⁴ and 2⁵³, and machine integers end at 2³¹ and 2⁶³.
        let beyond = [24, 31, 53, 63].map(|bits| IBig::ONE << bits);
        let beyond =
            beyond.into_iter().flat_map(|power| [&power - IBig::ONE, power.clone(), power + IBig::ONE]);
        small.into_iter().chain(beyond).collect()
    }
}

/// An operation on exact integers; `None` for a division by 0.
pub(super) fn exact_operation(operation: IntegerOperation, a: &IBig, b: &IBig) -> Option<IBig> {
    if divides(operation) && b.is_zero() {
        return None;
    }
    Some(match operation {
        IntegerOperation::Div => floor_quotient(a, b),
        IntegerOperation::Mod => a - floor_quotient(a, b) * b,
        IntegerOperation::Rem => a % b,
        IntegerOperation::And => a & b,
        IntegerOperation::Or => a | b,
        IntegerOperation::Xor => a ^ b,
    })
}

fn divides(operation: IntegerOperation) -> bool {
    matches!(operation, IntegerOperation::Div | IntegerOperation::Mod | IntegerOperation::Rem)
}

fn floor_quotient(a: &IBig, b: &IBig) -> IBig {
    let (quotient, remainder) = a.div_rem(b);
    let rounded_up = !remainder.is_zero() && (remainder < IBig::ZERO) != (*b < IBig::ZERO);
    if rounded_up { quotient - IBig::ONE } else { quotient }
}

fn integer(literal: &Literal, system: &'static str) -> Result<IBig, LiteralError> {
    IBig::try_from(literal.exact()?).map_err(|_| LiteralError::NotRepresentable(system))
}

macro_rules! wrapping {
    ($name:ident, $int:ty, $text:literal) => {
        #[doc = concat!("`", stringify!($int), "`, wrapping: the integers modulo 2^", stringify!($int), "::BITS, in two's complement if it is signed.")]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl NumberSystem for $name {
            type Number = $int;

            fn name(&self) -> &'static str {
                $text
            }
            fn algebra(&self) -> Algebra {
                Algebra::Wrapping
            }
            fn characteristic(&self) -> Option<IBig> {
                Some(IBig::ONE << <$int>::BITS as usize)
            }
            fn index(&self, index: i64) -> $int {
                index as $int
            }
            fn add(&self, a: &$int, b: &$int) -> $int {
                a.wrapping_add(*b)
            }
            fn sub(&self, a: &$int, b: &$int) -> $int {
                a.wrapping_sub(*b)
            }
            fn mul(&self, a: &$int, b: &$int) -> $int {
                a.wrapping_mul(*b)
            }
            /// Truncated toward zero; `MIN / −1` wraps to `MIN`.
            fn quotient(&self, a: &$int, b: &$int) -> $int {
                a.wrapping_div(*b)
            }
            /// `MIN div −1` wraps, as `MIN / −1` does.
            fn integer_operation(&self, operation: IntegerOperation, a: &$int, b: &$int) -> Option<$int> {
                wide_operation(operation, i128::from(*a), i128::from(*b)).map(|wide| wide as $int)
            }
            /// The least signed integer stays itself.
            fn absolute(&self, a: &$int) -> Option<$int> {
                Some(i128::from(*a).unsigned_abs() as $int)
            }
            fn truncation(&self, a: &$int) -> Option<$int> {
                Some(*a)
            }
            fn extremum_identity(&self, extremum: Extremum) -> Option<$int> {
                Some(match extremum {
                    Extremum::Min => <$int>::MAX,
                    Extremum::Max => <$int>::MIN,
                })
            }
            as_scalar!($name);
            fn is_zero(&self, a: &$int) -> bool {
                *a == 0
            }
            fn same(&self, a: &$int, b: &$int) -> bool {
                a == b
            }
            fn order(&self, a: &$int, b: &$int) -> Option<Ordering> {
                Some(a.cmp(b))
            }
            fn read(&self, literal: &Literal) -> Result<$int, LiteralError> {
                let exact = integer(literal, self.name())?;
                <$int>::try_from(exact).map_err(|_| LiteralError::NotRepresentable($text))
            }
            fn write(&self, a: &$int) -> Literal {
                Literal::Exact(RBig::from(*a))
            }
            fn notable(&self) -> Vec<$int> {
                let small = [0, 1, -1, 2, -2, 3, 5, -7].map(|small| self.index(small));
                let [least, greatest] = [<$int>::MIN, <$int>::MAX];
                let extremes = [greatest, least, greatest - 1, least + 1, greatest / 2 + 1];
                // The least numbers whose square wraps, and their neighbours.
                let root = (1 as $int) << (<$int>::BITS / 2);
                let mut notable = small.to_vec();
                for number in extremes.into_iter().chain([root, root + 1, (0 as $int).wrapping_sub(root)]) {
                    if !notable.contains(&number) {
                        notable.push(number);
                    }
                }
                notable
            }
        }
    };
}

wrapping!(I8, i8, "i8");
wrapping!(I16, i16, "i16");
wrapping!(I32, i32, "i32");
wrapping!(I64, i64, "i64");
wrapping!(U8, u8, "u8");
wrapping!(U16, u16, "u16");
wrapping!(U32, u32, "u32");
wrapping!(U64, u64, "u64");

/// An operation on integers of at most 64 bits, before the result wraps; `None` for a division by 0.
fn wide_operation(operation: IntegerOperation, a: i128, b: i128) -> Option<i128> {
    if divides(operation) && b == 0 {
        return None;
    }
    let remainder = if divides(operation) { a % b } else { 0 };
    let rounded_up = remainder != 0 && (remainder < 0) != (b < 0);
    Some(match operation {
        IntegerOperation::Div => a / b - i128::from(rounded_up),
        IntegerOperation::Mod => remainder + if rounded_up { b } else { 0 },
        IntegerOperation::Rem => remainder,
        IntegerOperation::And => a & b,
        IntegerOperation::Or => a | b,
        IntegerOperation::Xor => a ^ b,
    })
}
