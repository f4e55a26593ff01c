//! The table of number systems: one row each.

use super::{
    BF16, ElementType, ElementTypes, F16, F32, F64, I8, I16, I32, I64, Integers, Machine, NumberSystem,
    PrimeField, Rationals, Typed, U8, U16, U32, U64,
};
use std::fmt;

/// Numbers in which a program is evaluated, for a number system of the table.
pub trait Listed: NumberSystem<Number: Default> + Copy {
    /// The row of the table.
    fn row(&self) -> SystemName;
}

impl Listed for Typed {
    fn row(&self) -> SystemName {
        self.system
    }
}

/// A computation that runs in any number system of the table.
pub trait Visitor {
    /// Its result.
    type Output;
    /// Runs the computation in one number system.
    fn visit<S: Listed>(self, system: S) -> Self::Output;
}

/// Defines the enumeration of number systems, from a row each: what it is, its name, and the element types that it
/// takes for `real` and `integer`.
macro_rules! number_systems {
    ($(#[doc = $what:literal] $Row:ident $name:literal [$real:ident $integer:ident],)*) => {
        /// A number system, by which it is chosen at run time: what `real` and `integer` are. The rows are in the
        /// order in which they are shown.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum SystemName {
            $(#[doc = $what] $Row,)*
        }

        impl SystemName {
            /// All number systems.
            pub const ALL: [SystemName; [$(SystemName::$Row),*].len()] = [$(SystemName::$Row),*];

            /// The name ([`NumberSystem::name`]).
            pub fn name(self) -> &'static str {
                match self { $(SystemName::$Row => $name,)* }
            }

            /// What it is, in a few words.
            pub fn title(self) -> &'static str {
                match self { $(SystemName::$Row => $what.trim_ascii(),)* }
            }

            /// What it takes for `real` and `integer`.
            fn abstract_types(self) -> [ElementType; 2] {
                match self { $(SystemName::$Row => [ElementType::$real, ElementType::$integer],)* }
            }
        }
    };
}

number_systems! {
    /// Exact rationals
    Rational "rational" [Real Integer],
    /// Integers of any size; division truncates
    Integer "integer" [Integer Integer],
    /// 32-bit integers that wrap
    I32 "i32" [I32 I32],
    /// 64-bit integers that wrap
    I64 "i64" [I64 I64],
    /// IEEE 754 single precision
    F32 "f32" [F32 Integer],
    /// IEEE 754 double precision
    F64 "f64" [F64 Integer],
    /// The integers modulo 2^61 − 1
    Field "field" [Field Integer],
    /// 8-bit integers that wrap
    I8 "i8" [I8 I8],
    /// 16-bit integers that wrap
    I16 "i16" [I16 I16],
    /// 8-bit unsigned integers that wrap
    U8 "u8" [U8 U8],
    /// 16-bit unsigned integers that wrap
    U16 "u16" [U16 U16],
    /// 32-bit unsigned integers that wrap
    U32 "u32" [U32 U32],
    /// 64-bit unsigned integers that wrap
    U64 "u64" [U64 U64],
    /// IEEE 754 half precision
    F16 "f16" [F16 Integer],
    /// The upper half of an f32
    BF16 "bf16" [BF16 Integer],
    /// Several element types, all of them stated
    Stated "stated" [Real Integer],
}

impl SystemName {
    /// The number systems in which a claim about reals or integers is judged.
    pub const JUDGED: [SystemName; 7] = {
        use SystemName::*;
        [Rational, Integer, I32, I64, F32, F64, Field]
    };

    /// The number system with this name.
    pub fn named(name: &str) -> Option<SystemName> {
        SystemName::ALL.into_iter().find(|system| system.name() == name)
    }

    /// A list of this number system alone.
    pub fn alone(self) -> &'static [SystemName] {
        const ALL: &[SystemName] = &SystemName::ALL;
        &ALL[self as usize..=self as usize]
    }

    /// The names of the number systems in which a claim about reals or integers is judged.
    pub fn names() -> String {
        SystemName::JUDGED.map(SystemName::name).join(", ")
    }

    /// The element type that the system takes for one: another one for `real` and `integer`.
    pub fn of(self, stated: ElementType) -> ElementType {
        let [real, integer] = self.abstract_types();
        match stated {
            ElementType::Real => real,
            ElementType::Integer => integer,
            stated => stated,
        }
    }

    /// What the system takes for `real`, the type after which it is called.
    pub fn real(self) -> ElementType {
        self.of(ElementType::Real)
    }

    /// The number systems in which a program with these element types has a meaning of its own. If it has `real`
    /// numbers, these are [`SystemName::JUDGED`]; if it has `integer` numbers but no `real` ones, those that take
    /// integers of their own for them. If all types are stated, it is the system called after the type if there is one,
    /// else `stated`.
    pub fn judging(types: ElementTypes) -> Vec<SystemName> {
        let numbers = types.numbers();
        let has_reals = numbers.contains(ElementType::Real);
        let stated: Vec<ElementType> = numbers.iter().collect();
        match &stated[..] {
            [] => SystemName::JUDGED.to_vec(),
            _ if has_reals => SystemName::JUDGED.to_vec(),
            _ if numbers.contains(ElementType::Integer) => {
                SystemName::JUDGED.into_iter().filter(|system| system.real().is_integer()).collect()
            }
            [only] => vec![SystemName::called(*only)],
            _ => vec![SystemName::Stated],
        }
    }

    /// The number systems in which a program with these element types can be judged: if it has `real` or `integer` numbers,
    /// all that say what these are.
    pub fn possible(types: ElementTypes) -> Vec<SystemName> {
        match types.iter().any(ElementType::is_abstract) {
            true => SystemName::ALL.into_iter().filter(|system| *system != SystemName::Stated).collect(),
            false => SystemName::judging(types),
        }
    }

    /// The number system that is called after an element type.
    pub fn called(of: ElementType) -> SystemName {
        let found = SystemName::ALL.into_iter().find(|system| system.real() == of);
        found.unwrap_or(SystemName::Stated)
    }

    /// Runs a computation on programs whose numbers are all `real`, or of the type that the system takes for it, on the machine
    /// of IEEE 754.
    pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
        self.visit_types([ElementType::Real].into_iter().collect(), Machine::default(), visitor)
    }

    /// Runs a computation on programs with these element types on a machine: in one type of numbers where they have no
    /// other, because that is faster.
    pub fn visit_types<V: Visitor>(self, types: ElementTypes, machine: Machine, visitor: V) -> V::Output {
        let is_uniform = types.numbers().iter().all(|of| self.of(of) == self.real());
        match self {
            _ if !is_uniform || machine != Machine::default() => visitor.visit(Typed::new(self, machine)),
            SystemName::Rational => visitor.visit(Rationals),
            SystemName::Integer => visitor.visit(Integers),
            SystemName::I32 => visitor.visit(I32),
            SystemName::I64 => visitor.visit(I64),
            SystemName::F32 => visitor.visit(F32),
            SystemName::F64 => visitor.visit(F64),
            SystemName::Field => visitor.visit(PrimeField),
            other => visitor.visit(Typed::new(other, machine)),
        }
    }
}

macro_rules! rows {
    ($($System:ident $Row:ident,)*) => {$(
        impl Listed for $System {
            fn row(&self) -> SystemName {
                SystemName::$Row
            }
        }
    )*};
}

rows! {
    Rationals Rational,
    Integers Integer,
    I32 I32,
    I64 I64,
    F32 F32,
    F64 F64,
    PrimeField Field,
    I8 I8,
    I16 I16,
    U8 U8,
    U16 U16,
    U32 U32,
    U64 U64,
    F16 F16,
    BF16 BF16,
}

impl Default for SystemName {
    /// The one in which a verdict is given where none is named.
    fn default() -> SystemName {
        SystemName::Rational
    }
}

impl fmt::Display for SystemName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
