//! Element types: what the elements of a tensor are.

use super::Algebra;
use dashu_int::IBig;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the values of an element type are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementClass {
    /// Truth values.
    Truths,
    /// ℤ.
    Integers,
    /// ℚ, in which the reals of a program are computed.
    Reals,
    /// The integers modulo 2^61 − 1.
    Field,
    /// Integers modulo a power of two, in two's complement if they are signed.
    Wrapping {
        /// Their number of bits.
        bits: u32,
        /// Whether half of them are negative.
        signed: bool,
    },
    /// IEEE 754 binary floats.
    Floats {
        /// Their number of bits.
        bits: u32,
        /// The number of bits of a significand, the leading one included.
        precision: u32,
    },
}

/// Defines the element types, from a row each: what it is, its name, and its class.
macro_rules! element_types {
    ($(#[doc = $what:literal] $Type:ident $name:literal $class:expr,)*) => {
        /// The type of the elements of a tensor. `integer` and `real` are exact, or stand for what a number system
        /// ([`SystemName`](crate::SystemName)) takes for them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum ElementType {
            $(#[doc = $what] $Type,)*
        }

        impl ElementType {
            /// All element types.
            pub const ALL: [ElementType; [$(ElementType::$Type),*].len()] = [$(ElementType::$Type),*];

            /// The name as it is written.
            pub fn keyword(self) -> &'static str {
                match self { $(ElementType::$Type => $name,)* }
            }

            /// What its values are.
            pub fn class(self) -> ElementClass {
                use ElementClass::*;
                match self { $(ElementType::$Type => $class,)* }
            }
        }
    };
}

element_types! {
    /// Truth values
    Boolean "boolean" Truths,
    /// Integers, of any size unless the number system has others
    Integer "integer" Integers,
    /// Real numbers, exact unless the number system rounds
    Real "real" Reals,
    /// The integers modulo 2^61 − 1
    Field "field" Field,
    /// 8-bit integers that wrap
    I8 "i8" Wrapping { bits: 8, signed: true },
    /// 16-bit integers that wrap
    I16 "i16" Wrapping { bits: 16, signed: true },
    /// 32-bit integers that wrap
    I32 "i32" Wrapping { bits: 32, signed: true },
    /// 64-bit integers that wrap
    I64 "i64" Wrapping { bits: 64, signed: true },
    /// 8-bit unsigned integers that wrap
    U8 "u8" Wrapping { bits: 8, signed: false },
    /// 16-bit unsigned integers that wrap
    U16 "u16" Wrapping { bits: 16, signed: false },
    /// 32-bit unsigned integers that wrap
    U32 "u32" Wrapping { bits: 32, signed: false },
    /// 64-bit unsigned integers that wrap
    U64 "u64" Wrapping { bits: 64, signed: false },
    /// IEEE 754 half precision
    F16 "f16" Floats { bits: 16, precision: 11 },
    /// The upper half of an `f32`: 8 bits of exponent, 8 of significand
    BF16 "bf16" Floats { bits: 16, precision: 8 },
    /// IEEE 754 single precision
    F32 "f32" Floats { bits: 32, precision: 24 },
    /// IEEE 754 double precision
    F64 "f64" Floats { bits: 64, precision: 53 },
}

impl ElementType {
    /// The element type with this name; `bool` is `boolean`.
    pub fn named(name: &str) -> Option<ElementType> {
        match name {
            "bool" => Some(ElementType::Boolean),
            _ => ElementType::ALL.into_iter().find(|of| of.keyword() == name),
        }
    }

    /// Whether its values are numbers.
    pub fn is_number(self) -> bool {
        self != ElementType::Boolean
    }

    /// Whether its values are integers: `div`, `mod` and operations on bits are theirs.
    pub fn is_integer(self) -> bool {
        matches!(self.class(), ElementClass::Integers | ElementClass::Wrapping { .. })
    }

    /// Whether its values are reals, rounded reals, or elements of a field: `/` is theirs.
    pub fn is_real(self) -> bool {
        matches!(self.class(), ElementClass::Reals | ElementClass::Field | ElementClass::Floats { .. })
    }

    /// Whether its values are floats.
    pub fn is_float(self) -> bool {
        matches!(self.class(), ElementClass::Floats { .. })
    }

    /// Whether a number system may take other values for it: `integer` and `real`.
    pub fn is_abstract(self) -> bool {
        matches!(self, ElementType::Integer | ElementType::Real)
    }

    /// Whether its values are ordered.
    pub fn is_ordered(self) -> bool {
        !matches!(self.class(), ElementClass::Truths | ElementClass::Field)
    }

    /// Whether it has a least and a greatest value, infinities included.
    pub fn has_extremes(self) -> bool {
        matches!(self.class(), ElementClass::Wrapping { .. } | ElementClass::Floats { .. })
    }

    /// The laws of its arithmetic; `None` for truth values.
    pub fn algebra(self) -> Option<Algebra> {
        match self.class() {
            ElementClass::Truths => None,
            ElementClass::Integers => Some(Algebra::Integers),
            ElementClass::Reals | ElementClass::Field => Some(Algebra::Field),
            ElementClass::Wrapping { .. } => Some(Algebra::Wrapping),
            ElementClass::Floats { .. } => Some(Algebra::Ieee),
        }
    }

    /// The smallest positive integer that is 0 in the type, if there is one.
    pub fn characteristic(self) -> Option<IBig> {
        match self.class() {
            ElementClass::Wrapping { bits, .. } => Some(IBig::ONE << bits as usize),
            ElementClass::Field => Some(IBig::from(super::FIELD_MODULUS)),
            _ => None,
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.keyword())
    }
}

/// A set of element types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ElementTypes(u32);

impl ElementTypes {
    /// Adds a type.
    pub fn insert(&mut self, of: ElementType) {
        self.0 |= 1 << of as u32;
    }

    /// Whether the type is among them.
    pub fn contains(self, of: ElementType) -> bool {
        self.0 >> (of as u32) & 1 == 1
    }

    /// The types, in the order of [`ElementType::ALL`].
    pub fn iter(self) -> impl Iterator<Item = ElementType> {
        ElementType::ALL.into_iter().filter(move |of| self.contains(*of))
    }

    /// The types of numbers among them.
    #[must_use]
    pub fn numbers(self) -> ElementTypes {
        self.iter().filter(|of| of.is_number()).collect()
    }

    /// The types in either set.
    #[must_use]
    pub fn union(self, other: ElementTypes) -> ElementTypes {
        ElementTypes(self.0 | other.0)
    }
}

impl FromIterator<ElementType> for ElementTypes {
    fn from_iter<I: IntoIterator<Item = ElementType>>(types: I) -> ElementTypes {
        let mut all = ElementTypes::default();
        types.into_iter().for_each(|of| all.insert(of));
        all
    }
}
