//! Numbers of several element types in one computation.

use super::{
    Algebra, Conversion, ElementType, Extremum, IntegerOperation, Literal, LiteralError, NumberSystem,
    Overflow, Primitive, Rounding, SystemName,
};
use crate::machine::Machine;
use crate::scalar::{Arithmetic, Scalar};
use std::cmp::Ordering;

/// The numbers of a program in a number system: each has the element type that the system takes for its own
/// ([`SystemName::of`]), and the operations are those of a machine.
#[derive(Clone, Copy, Debug)]
pub struct Typed {
    pub(crate) system: SystemName,
    machine: Machine,
}

impl Typed {
    /// The numbers of programs in a number system on a machine.
    pub fn new(system: SystemName, machine: Machine) -> Typed {
        Typed { system, machine }
    }

    /// Operands of different types, a fault of typing, give the first operand.
    fn total(a: &Scalar, operation: Arithmetic, b: &Scalar) -> Scalar {
        debug_assert_eq!(a.element_type(), b.element_type(), "operands of one type");
        a.operation(operation, b).unwrap_or_else(|| a.clone())
    }
}

impl NumberSystem for Typed {
    type Number = Scalar;

    fn name(&self) -> &'static str {
        self.system.name()
    }
    fn algebra(&self) -> Algebra {
        self.system.of(ElementType::Real).algebra().unwrap_or(Algebra::Field)
    }
    fn words(&self, a: &Scalar) -> usize {
        a.words()
    }
    fn index(&self, index: i64) -> Scalar {
        self.index_as(ElementType::Real, index)
    }
    fn index_as(&self, of: ElementType, index: i64) -> Scalar {
        Scalar::index(self.system.of(of), index).unwrap_or_default()
    }
    fn like(&self, a: &Scalar, index: i64) -> Scalar {
        a.like(index)
    }
    fn add(&self, a: &Scalar, b: &Scalar) -> Scalar {
        Typed::total(a, Arithmetic::Add, b)
    }
    fn sub(&self, a: &Scalar, b: &Scalar) -> Scalar {
        Typed::total(a, Arithmetic::Sub, b)
    }
    fn mul(&self, a: &Scalar, b: &Scalar) -> Scalar {
        Typed::total(a, Arithmetic::Mul, b)
    }
    fn quotient(&self, a: &Scalar, b: &Scalar) -> Scalar {
        Typed::total(a, Arithmetic::Quotient, b)
    }
    fn arithmetic(&self, operation: Arithmetic, a: &Scalar, b: &Scalar) -> Option<Scalar> {
        self.machine.arithmetic(operation, a, b)
    }
    fn is_plain(&self) -> bool {
        self.machine.is_plain()
    }
    fn negated(&self, a: &Scalar) -> Option<Scalar> {
        if a.element_type().is_float() {
            return a.negated();
        }
        self.arithmetic(Arithmetic::Mul, &a.like(-1), a)
    }
    fn accumulated(&self, a: &Scalar) -> Option<Scalar> {
        self.machine.cast(a, self.machine.accumulator(a.element_type()))
    }
    fn result_of(&self, accumulated: &Scalar, term: &Scalar) -> Option<Scalar> {
        let to = term.element_type();
        if accumulated.element_type().is_float() && to.is_integer() {
            // Modulo 2ⁿ, whatever a plain cast does.
            let conversion = Conversion { to, rounding: Rounding::TowardZero, overflow: Overflow::Wrap };
            return Primitive::Convert(conversion).value(std::slice::from_ref(accumulated));
        }
        self.machine.cast(accumulated, to)
    }
    fn is_zero(&self, a: &Scalar) -> bool {
        self.machine.operand(a).is_zero()
    }
    fn divides_by_zero(&self, a: &Scalar) -> bool {
        a.element_type().is_float()
    }
    fn same(&self, a: &Scalar, b: &Scalar) -> bool {
        a.same(b)
    }
    fn order(&self, a: &Scalar, b: &Scalar) -> Option<Ordering> {
        self.machine.order(a, b)
    }
    fn extremum(&self, extremum: Extremum, a: &Scalar, b: &Scalar) -> Option<Scalar> {
        self.arithmetic(Arithmetic::Extremum(extremum), a, b)
    }
    fn absolute(&self, a: &Scalar) -> Option<Scalar> {
        self.machine.absolute(a)
    }
    fn cast(&self, [_, to]: [ElementType; 2], a: &Scalar) -> Option<Scalar> {
        self.machine.cast(a, self.system.of(to))
    }
    fn scalar(&self, a: &Scalar) -> Scalar {
        a.clone()
    }
    fn of_scalar(&self, scalar: Scalar) -> Option<Scalar> {
        Some(scalar)
    }
    /// Types are those that the system takes for the stated ones.
    fn primitive(&self, primitive: Primitive, operands: &[Scalar]) -> Option<Scalar> {
        self.machine.primitive(primitive.typed(|of| self.system.of(of)), operands)
    }
    fn extremum_identity_as(&self, of: ElementType, extremum: Extremum) -> Option<Scalar> {
        Scalar::extremum_identity(self.system.of(of), extremum)
    }
    fn integer_operation(&self, operation: IntegerOperation, a: &Scalar, b: &Scalar) -> Option<Scalar> {
        self.arithmetic(Arithmetic::Integers(operation), a, b)
    }
    fn faithful(&self, function: &str, arguments: &[Scalar]) -> Option<Vec<Scalar>> {
        let faithful = Scalar::faithful(function, arguments)?;
        Some(self.machine.possible((function, arguments), faithful))
    }
    fn read(&self, literal: &Literal) -> Result<Scalar, LiteralError> {
        self.read_as(ElementType::Real, literal)
    }
    fn read_as(&self, of: ElementType, literal: &Literal) -> Result<Scalar, LiteralError> {
        Scalar::read(self.system.of(of), literal)
    }
    fn write(&self, a: &Scalar) -> Literal {
        a.write()
    }
    fn notable(&self) -> Vec<Scalar> {
        self.notable_as(ElementType::Real)
    }
    fn notable_as(&self, of: ElementType) -> Vec<Scalar> {
        Scalar::notable(self.system.of(of))
    }
}
