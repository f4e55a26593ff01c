//! The known properties of the floating-point arithmetic of an implementation.

use crate::literal::to_odd;
use crate::{ElementType, Literal, LiteralError};
use half::{bf16, f16};

/// A binary format of IEEE 754, or `bf16`. Numbers of all of them are doubles here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// binary16
    F16,
    /// The upper half of binary32.
    BF16,
    /// binary32
    F32,
    /// binary64
    F64,
}

/// A power of two that is a normal double.
const fn power(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent) << 52) as u64)
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 4] = [Format::F16, Format::BF16, Format::F32, Format::F64];

    /// The element type of this format.
    pub fn element_type(self) -> ElementType {
        match self {
            Format::F16 => ElementType::F16,
            Format::BF16 => ElementType::BF16,
            Format::F32 => ElementType::F32,
            Format::F64 => ElementType::F64,
        }
    }

    /// The number of bits of a significand, the leading one included.
    pub fn precision(self) -> i32 {
        match self {
            Format::F16 => 11,
            Format::BF16 => 8,
            Format::F32 => 24,
            Format::F64 => 53,
        }
    }

    /// `u`: rounding changes a number by at most this fraction of it, unless the result is subnormal.
    pub fn unit_roundoff(self) -> f64 {
        power(-i64::from(self.precision()))
    }

    /// All integers up to this are numbers of the format.
    pub fn greatest_exact(self) -> f64 {
        1.0 / self.unit_roundoff()
    }

    /// The greatest finite number.
    pub fn greatest(self) -> f64 {
        match self {
            Format::F16 => f16::MAX.to_f64(),
            Format::BF16 => bf16::MAX.to_f64(),
            Format::F32 => f64::from(f32::MAX),
            Format::F64 => f64::MAX,
        }
    }

    /// The least positive number that is not subnormal, a power of two.
    pub fn least_normal(self) -> f64 {
        match self {
            Format::F16 => power(-14),
            Format::BF16 | Format::F32 => power(-126),
            Format::F64 => f64::MIN_POSITIVE,
        }
    }

    /// Between these, products of a few numbers, and of their reciprocals, neither overflow nor underflow.
    pub fn moderate(self) -> [f64; 2] {
        let exponent = match self {
            Format::F16 => 2,
            Format::BF16 | Format::F32 => 20,
            Format::F64 => 150,
        };
        [power(-exponent), power(exponent)]
    }

    /// The least positive number: rounding a subnormal result changes it by less.
    pub fn least(self) -> f64 {
        match self {
            Format::F16 => power(-24),
            Format::BF16 => power(-133),
            Format::F32 => power(-149),
            Format::F64 => f64::from_bits(1),
        }
    }

    /// The number of the format that is nearest to a literal.
    ///
    /// # Errors
    /// The literal is a truth value.
    pub fn read(self, literal: &Literal) -> Result<f64, LiteralError> {
        match self {
            Format::F16 => literal.to_f16().map(f16::to_f64),
            Format::BF16 => literal.to_bf16().map(bf16::to_f64),
            Format::F32 => literal.to_f32().map(f64::from),
            Format::F64 => literal.to_f64(),
        }
    }

    /// The result of an operation on numbers of the format, correctly rounded. For `+`, `−`, `·` and `/` of a
    /// shorter format, rounding by way of binary64 gives the same as rounding once (53 ≥ 2·24 + 2).
    pub fn round(self, result: f64) -> f64 {
        match self {
            Format::F16 => f16::from_f32(to_odd(result)).to_f64(),
            Format::BF16 => bf16::from_f32(to_odd(result)).to_f64(),
            Format::F32 => f64::from(result as f32),
            Format::F64 => result,
        }
    }

    /// A number of the format as text.
    pub fn text(self, x: f64) -> String {
        match self {
            Format::F16 => format!("{:?}", f16::from_f32(x as f32)),
            Format::BF16 => format!("{:?}", bf16::from_f32(x as f32)),
            Format::F32 => format!("{:?}", x as f32),
            Format::F64 => format!("{x:?}"),
        }
    }
}

/// The known properties of an implementation's arithmetic: it rounds to nearest, and the fields give the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatModel {
    /// The format of all numbers.
    pub format: Format,
    /// Whether `a·b + c` may be rounded once (FMA).
    pub contracts: bool,
    /// Whether sums and products may be taken in any order and association, and common factors other than 1 be
    /// taken out of sums of products; a sum that is itself a factor stays a sum.
    pub reassociates: bool,
    /// Whether `a/b` may be `a·(1/b)`, and successive divisors be multiplied. Bounds hold for operands that are
    /// neither large nor small: between those nothing overflows.
    pub reciprocals: bool,
    /// Whether each value of a variable is stored, so that its sum or product is not part of another variable's.
    pub stores: bool,
    /// Whether sums may start from +0 instead of their first term, so that a sum of terms −0 may be +0.
    pub starts_from_zero: bool,
    /// Whether subnormal operands and results may be treated as 0.
    pub flushes: bool,
    /// Whether results between inputs and outputs may be kept in a longer format, unrounded.
    pub widens: bool,
    /// The maximum error of a function, in units of the last place.
    pub function_ulps: f64,
    /// Whether the minimum and the maximum of nan and a number may be the number, and those of 0 and −0 either
    /// zero.
    pub loose_extrema: bool,
}

impl FloatModel {
    /// IEEE 754 operation by operation, as the text says: one result for everything but functions, which are
    /// faithful.
    pub const fn strict(format: Format) -> FloatModel {
        FloatModel {
            format,
            contracts: false,
            reassociates: false,
            reciprocals: false,
            stores: false,
            starts_from_zero: false,
            flushes: false,
            widens: false,
            function_ulps: 1.0,
            loose_extrema: false,
        }
    }

    /// What plans of the fast evaluator do: sums and products in any order, factored and contracted, but variable
    /// by variable; nothing is flushed.
    pub fn reordered(format: Format) -> FloatModel {
        FloatModel {
            contracts: true,
            reassociates: true,
            stores: true,
            starts_from_zero: true,
            ..FloatModel::strict(format)
        }
    }
}
