//! What the operations of a back end do where mathematics leaves it open: a number system as data.
//!
//! A machine states what operations do, never laws: those are derived ([`laws`]). It says nothing of exact
//! types, except for what traps.
//!
//! What has no value is of two kinds. *Undefined*, also called poison, counts where it is used or chosen. A *trap* counts wherever the
//! operator is evaluated, whether its result is used or not. To [`crate::Extended`] both are `•`; [`crate::Trapping`] tells them apart.

mod arithmetic;
pub mod laws;
pub mod reading;

use crate::element::{ElementClass, ElementType};
use crate::primitive::Rounding;
use serde::{Deserialize, Serialize};

/// What a back end's operations on machine numbers do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Integers of a fixed length.
    pub integers: Integers,
    /// Floats.
    pub floats: Floats,
    /// Casts without attributes.
    pub casts: Casts,
    /// Sums and products over indices.
    pub reductions: Reductions,
    /// The errors of functions of floats.
    pub functions: Functions,
    /// Rewrites.
    #[serde(default)]
    pub rewrites: Rewrites,
}

/// What a rewrite may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewrites {
    /// Where the source is undefined or traps.
    pub target: Target,
}

/// The errors of functions of floats, where the result is not exact by IEEE 754-2019, section 9.2.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Functions {
    /// That of `exp`.
    pub exp: Ulps,
    /// That of `ln`.
    pub ln: Ulps,
    /// That of `sqrt`.
    pub sqrt: Ulps,
    /// That of `rsqrt`.
    pub rsqrt: Ulps,
    /// That of `pow`.
    pub pow: Ulps,
}

impl Default for Functions {
    /// The square root is correctly rounded, the others are faithful.
    fn default() -> Functions {
        let (correct, faithful) = (Ulps { halves: 1 }, Ulps { halves: 2 });
        Functions { exp: faithful, ln: faithful, sqrt: correct, rsqrt: faithful, pow: faithful }
    }
}

/// The greatest error of a result, in units in the last place: 0.5 if it is correctly rounded, 1 if it is one of the two floats
/// beside the exact value, more if it is one of those further away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Ulps {
    halves: u8,
}

/// The greatest error that can be described, in units in the last place. Every float within the error is tried.
const MAX_ULPS: f64 = 16.0;

impl TryFrom<f64> for Ulps {
    type Error = String;
    fn try_from(ulps: f64) -> Result<Ulps, String> {
        let is_known = ulps == 0.5 || (1.0..=MAX_ULPS).contains(&ulps) && ulps.fract() == 0.0;
        let described = format!("an error is 0.5, or an integer from 1 to {MAX_ULPS}");
        if is_known { Ok(Ulps { halves: (2.0 * ulps) as u8 }) } else { Err(described) }
    }
}

impl From<Ulps> for f64 {
    fn from(ulps: Ulps) -> f64 {
        f64::from(ulps.halves) / 2.0
    }
}

/// Operations on integers of a fixed length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Integers {
    /// `a + b`, `a − b`, `a · b`, `−a` and `|a|` of signed integers where the type lacks the result.
    pub signed_overflow: SignedOverflow,
    /// `a / 0`, `a div 0` and `quot(a, 0)`.
    pub division_by_zero: DivisionByZero,
    /// `a mod 0` and `rem(a, 0)`.
    pub remainder_by_zero: RemainderByZero,
    /// The least signed integer over −1, and its remainder.
    pub least_over_minus_one: LeastOverMinusOne,
    /// `shl`, `lshr` and `ashr` by a distance that, read without a sign, is at least the number of bits.
    pub shift_too_far: ShiftTooFar,
}

/// Operations on floats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Floats {
    /// `a / 0`.
    pub division_by_zero: FloatDivisionByZero,
    /// `min` and `max` where an operand is nan.
    pub extremum_of_nan: ExtremumOfNan,
    /// `min` and `max` of zeros with different signs.
    pub extremum_of_zeros: ExtremumOfZeros,
    /// Subnormal numbers of each format.
    pub subnormals: SubnormalsByFormat,
}

/// Subnormal numbers of each format, as operands and as results of arithmetic, comparisons, rounding and casts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubnormalsByFormat {
    /// Those of `f16`.
    pub f16: Subnormals,
    /// Those of `bf16`.
    pub bf16: Subnormals,
    /// Those of `f32`.
    pub f32: Subnormals,
    /// Those of `f64`.
    pub f64: Subnormals,
}

/// Casts without attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Casts {
    /// A float that is rounded to an integer.
    pub float_to_integer: FloatToInteger,
    /// What becomes of a float, infinities included, whose integer the type lacks.
    pub too_large: TooLarge,
    /// nan as an integer.
    pub nan_to_integer: NanToInteger,
}

/// Sums and products over indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reductions {
    /// The order in which operators are applied, of all reductions.
    pub order: Order,
    /// The types in which sums and products are computed.
    #[serde(default, rename = "in")]
    pub within: Accumulation,
}

/// Defines the types whose sums and products may be computed in another type.
macro_rules! accumulation {
    ($($of:ident $Type:ident,)*) => {
        /// The types in which sums and products over indices are computed: each term is cast to it, and the result is cast back. A
        /// type that is not named is its own.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Accumulation {
            $(#[doc = concat!("That of `", stringify!($of), "`.")]
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub $of: Option<ElementType>,)*
        }

        impl Accumulation {
            /// The types that may be named.
            const TYPES: &[ElementType] = &[$(ElementType::$Type),*];

            /// The type that is named for a type.
            fn of(self, of: ElementType) -> Option<ElementType> {
                match of {
                    $(ElementType::$Type => self.$of,)*
                    _ => None,
                }
            }
        }
    };
}

accumulation! {
    i8 I8,
    i16 I16,
    i32 I32,
    u8 U8,
    u16 U16,
    u32 U32,
    f16 F16,
    bf16 BF16,
    f32 F32,
}

/// Defines what an operation may do, from a row each; the first is the default.
macro_rules! behaviours {
    ($($(#[doc = $of:literal])* $Name:ident { #[doc = $first_does:literal] $First:ident, $(#[doc = $does:literal] $Other:ident,)* })*) => {$(
        $(#[doc = $of])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $Name {
            #[doc = $first_does]
            #[default]
            $First,
            $(#[doc = $does] $Other,)*
        }

        impl $Name {
            /// All of them.
            pub const ALL: &[$Name] = &[$Name::$First, $($Name::$Other),*];
        }
    )*};
}

behaviours! {
    /// What a result that the type lacks becomes.
    SignedOverflow {
        /// The integer modulo 2ⁿ.
        Wrap,
        /// Undefined.
        Undefined,
        /// A trap, as poison is.
        Trap,
    }
    /// What a quotient by 0 is.
    DivisionByZero {
        /// Undefined.
        Undefined,
        /// A trap.
        Trap,
        /// An integer all of whose bits are 1: −1, or the greatest unsigned integer.
        AllOnes,
        /// 0.
        Zero,
    }
    /// What a remainder by 0 is.
    RemainderByZero {
        /// Undefined.
        Undefined,
        /// A trap.
        Trap,
        /// The dividend.
        Dividend,
        /// 0.
        Zero,
    }
    /// What the least signed integer over −1 is.
    LeastOverMinusOne {
        /// The least integer; the remainder is 0.
        Wrap,
        /// Undefined, as the remainder.
        Undefined,
        /// A trap, as the remainder.
        Trap,
    }
    /// What a shift by too many bits is.
    ShiftTooFar {
        /// All bits are shifted out, one after the other: 0, or for `ashr` of a negative integer −1.
        ShiftedOut,
        /// A shift by the distance modulo the number of bits.
        Modulo,
        /// Undefined.
        Undefined,
        /// A trap, as poison is.
        Trap,
    }
    /// What the quotient of a float by 0 is.
    FloatDivisionByZero {
        /// Infinite, or nan for 0/0 and nan/0.
        Ieee,
        /// Undefined.
        Undefined,
        /// A trap.
        Trap,
    }
    /// What the smaller or larger of nan and another number is.
    ExtremumOfNan {
        /// nan.
        Nan,
        /// The other number.
        Number,
        /// The second operand, as a comparison that is false for nan selects it.
        Second,
    }
    /// What the smaller or larger of two zeros is.
    ExtremumOfZeros {
        /// −0 is smaller than 0.
        Ordered,
        /// The first operand.
        First,
        /// The second operand.
        Second,
    }
    /// What becomes of numbers with an exponent below the least.
    Subnormals {
        /// They are numbers as others.
        Kept,
        /// They are 0, with their sign.
        Flushed,
    }
    /// How a float becomes an integer.
    FloatToInteger {
        /// Toward zero.
        TowardZero,
        /// To the nearest, ties to even.
        Nearest,
        /// Down.
        Down,
    }
    /// The order of a reduction.
    Order {
        /// From the first term to the last one, starting with the first.
        FirstToLast,
        /// Any, for each reduction another one, but the same for reductions of the same terms.
        Unspecified,
    }
    /// What an integer becomes that the type lacks.
    TooLarge {
        /// Undefined.
        Undefined,
        /// The nearest that the type has.
        Saturate,
        /// The integer modulo 2ⁿ, and undefined for an infinity.
        Wrap,
        /// The least integer of the type.
        Least,
        /// A trap, as poison is, and then for nan, too.
        Trap,
    }
    /// What the result of a rewrite may be where its source has no value.
    Target {
        /// Undefined or a trap, as the source.
        Same,
        /// Anything where the source traps, and anything but a trap where it is undefined.
        MoreDefined,
    }
    /// What nan becomes.
    NanToInteger {
        /// Undefined.
        Undefined,
        /// 0.
        Zero,
        /// The least integer of the type.
        Least,
        /// A trap, and then where an integer does not fit, too.
        Trap,
    }
}

/// When a division traps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traps {
    /// Where the divisor is 0 or poison.
    pub by_zero: bool,
    /// For the least integer over −1, where either of them may be poison instead.
    pub overflow: bool,
}

impl Machine {
    /// Whether sums, differences and products of defined numbers are those of the type itself, so that they are always defined.
    pub fn is_plain(&self) -> bool {
        self.integers.signed_overflow == SignedOverflow::Wrap
            && self.floats.subnormals == SubnormalsByFormat::default()
            && self.reductions.within == Accumulation::default()
    }

    /// When division of an element type traps. What is said of floats holds of all reals, and what is said of signed integers
    /// of those of any length.
    pub fn traps_of_division(&self, of: ElementType) -> Traps {
        let integers = &self.integers;
        let is_unsigned = matches!(of.class(), ElementClass::Wrapping { signed: false, .. });
        match of.is_integer() {
            true => Traps {
                by_zero: integers.division_by_zero == DivisionByZero::Trap,
                overflow: !is_unsigned && integers.least_over_minus_one == LeastOverMinusOne::Trap,
            },
            false => {
                Traps { by_zero: self.floats.division_by_zero == FloatDivisionByZero::Trap, overflow: false }
            }
        }
    }

    /// When a remainder of an element type traps.
    pub fn traps_of_remainder(&self, of: ElementType) -> Traps {
        let by_zero = self.integers.remainder_by_zero == RemainderByZero::Trap;
        Traps { by_zero, ..self.traps_of_division(of) }
    }

    /// Whether sums, differences and products of a type, `−x` and `|x|` trap where they have no value.
    pub fn traps_on_overflow(&self, of: ElementType) -> bool {
        self.integers.signed_overflow == SignedOverflow::Trap
            && matches!(of.class(), ElementClass::Wrapping { signed: true, .. })
    }

    /// Whether sums and products of a type over indices do.
    pub fn traps_in_reductions(&self, of: ElementType) -> bool {
        self.traps_on_overflow(of) || self.traps_on_overflow(self.accumulator(of))
    }

    /// Whether shifts of a type trap where they have no value.
    pub fn traps_on_shifts(&self, of: ElementType) -> bool {
        self.integers.shift_too_far == ShiftTooFar::Trap
            && matches!(of.class(), ElementClass::Wrapping { .. })
    }

    /// Whether plain casts from one type to another trap where they have no value.
    pub fn traps_on_casts(&self, [from, to]: [ElementType; 2]) -> bool {
        self.casts.too_large == TooLarge::Trap && from.is_float() && to.is_integer()
    }

    /// Whether evaluating an operator may trap.
    pub fn has_traps(&self) -> bool {
        let any = |Traps { by_zero, overflow }: Traps| by_zero || overflow;
        let of_integers = [Machine::traps_of_division, Machine::traps_of_remainder];
        of_integers.iter().any(|of| any(of(self, ElementType::Integer)))
            || any(self.traps_of_division(ElementType::Real))
            || self.traps_on_overflow(ElementType::I32)
            || self.traps_on_shifts(ElementType::I32)
            || self.traps_on_casts([ElementType::F32, ElementType::I32])
    }

    /// What becomes of the subnormal numbers of a type.
    pub fn subnormals(&self, of: ElementType) -> Subnormals {
        let SubnormalsByFormat { f16, bf16, f32, f64 } = self.floats.subnormals;
        match of {
            ElementType::F16 => f16,
            ElementType::BF16 => bf16,
            ElementType::F32 => f32,
            ElementType::F64 => f64,
            _ => Subnormals::Kept,
        }
    }

    /// The type in which sums and products over indices of a type are computed.
    pub fn accumulator(&self, of: ElementType) -> ElementType {
        self.reductions.within.of(of).unwrap_or(of)
    }
}

impl Functions {
    /// The error of a function; that of a faithful one if it has no entry.
    fn of(self, function: &str) -> Ulps {
        match function {
            "exp" => self.exp,
            "ln" => self.ln,
            "sqrt" => self.sqrt,
            "rsqrt" => self.rsqrt,
            "pow" => self.pow,
            _ => Ulps { halves: 2 },
        }
    }
}

impl Casts {
    /// How a float becomes an integer.
    pub fn rounding(self) -> Rounding {
        match self.float_to_integer {
            FloatToInteger::TowardZero => Rounding::TowardZero,
            FloatToInteger::Nearest => Rounding::Nearest,
            FloatToInteger::Down => Rounding::Down,
        }
    }
}
