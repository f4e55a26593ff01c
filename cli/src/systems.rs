//! The number systems by name, for `--values`.

use clap::ValueEnum;
use std::fmt;
use values::{F32, F64, I32, I64, Integers, NumberSystem, PrimeField, Rationals};

/// A number system, by the name that the command line knows it by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lowercase")]
pub enum SystemName {
    /// Exact rationals
    #[default]
    Rational,
    /// Integers of any size; division truncates
    Integer,
    /// 32-bit integers that wrap
    I32,
    /// 64-bit integers that wrap
    I64,
    /// IEEE 754 single precision
    F32,
    /// IEEE 754 double precision
    F64,
    /// The integers modulo 2^61 − 1
    Field,
}

impl SystemName {
    /// The name.
    pub fn name(self) -> &'static str {
        with_system(self, Name)
    }
}

impl fmt::Display for SystemName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

struct Name;

impl SystemVisitor for Name {
    type Output = &'static str;
    fn visit<S: NumberSystem<Number: Default> + Copy>(self, system: S) -> &'static str {
        system.name()
    }
}

/// An operation that is generic over number systems, for a system that is chosen at run time.
pub trait SystemVisitor {
    /// The result of the operation.
    type Output;
    /// Performs the operation in `system`.
    fn visit<S: NumberSystem<Number: Default> + Copy>(self, system: S) -> Self::Output;
}

/// Performs an operation in the named number system.
pub fn with_system<V: SystemVisitor>(name: SystemName, visitor: V) -> V::Output {
    match name {
        SystemName::Rational => visitor.visit(Rationals),
        SystemName::Integer => visitor.visit(Integers),
        SystemName::I32 => visitor.visit(I32),
        SystemName::I64 => visitor.visit(I64),
        SystemName::F32 => visitor.visit(F32),
        SystemName::F64 => visitor.visit(F64),
        SystemName::Field => visitor.visit(PrimeField),
    }
}
