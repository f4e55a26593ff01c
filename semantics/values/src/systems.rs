//! The table of number systems: one row each.

use super::{F32, F64, I32, I64, Integers, NumberSystem, PrimeField, Rationals};
use std::fmt;

/// A number system of the table.
pub trait Listed: NumberSystem<Number: Default> + Copy {
    /// Its row.
    const NAME: SystemName;
}

/// A computation that runs in any number system of the table.
pub trait Visitor {
    /// Its result.
    type Output;
    /// Runs the computation in one number system.
    fn visit<S: Listed>(self, system: S) -> Self::Output;
}

/// Defines the enumeration of number systems, from a row each: what it is, and its type.
macro_rules! number_systems {
    ($(#[doc = $what:literal] $Row:ident = $Type:ident,)*) => {
        /// A number system, by which it is chosen at run time. The rows are in the order in which they are shown.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum SystemName {
            $(#[doc = $what] $Row,)*
        }

        impl SystemName {
            /// All number systems, in the order in which they are shown.
            pub const ALL: [SystemName; [$(SystemName::$Row),*].len()] = [$(SystemName::$Row),*];

            /// The name ([`NumberSystem::name`]).
            pub fn name(self) -> &'static str {
                match self { $(SystemName::$Row => $Type.name(),)* }
            }

            /// What it is, in a few words.
            pub fn title(self) -> &'static str {
                match self { $(SystemName::$Row => $what.trim_ascii(),)* }
            }

            /// Runs a computation in this number system.
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                match self { $(SystemName::$Row => visitor.visit($Type),)* }
            }
        }

        $(impl Listed for $Type {
            const NAME: SystemName = SystemName::$Row;
        })*
    };
}

number_systems! {
    /// Exact rationals
    Rational = Rationals,
    /// Integers of any size; division truncates
    Integer = Integers,
    /// 32-bit integers that wrap
    I32 = I32,
    /// 64-bit integers that wrap
    I64 = I64,
    /// IEEE 754 single precision
    F32 = F32,
    /// IEEE 754 double precision
    F64 = F64,
    /// The integers modulo 2^61 − 1
    Field = PrimeField,
}

impl SystemName {
    /// The number system with this name.
    pub fn named(name: &str) -> Option<SystemName> {
        SystemName::ALL.into_iter().find(|system| system.name() == name)
    }

    /// A list of this number system alone.
    pub fn alone(self) -> &'static [SystemName] {
        const ALL: &[SystemName] = &SystemName::ALL;
        &ALL[self as usize..=self as usize]
    }

    /// The names of all number systems.
    pub fn names() -> String {
        SystemName::ALL.map(SystemName::name).join(", ")
    }
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

/// Runs a computation in every number system, in the order in which they are shown.
pub fn in_each<V, O>(visitor: &mut V) -> Vec<O>
where
    for<'a> &'a mut V: Visitor<Output = O>,
{
    SystemName::ALL.into_iter().map(|system| system.visit(&mut *visitor)).collect()
}
