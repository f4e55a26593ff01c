//! The operations of a machine ([`values::machine`]) as terms of z3, each with the condition that it is defined.

use crate::primitives::converted;
use crate::smt::both;
use crate::theories::{Bits, Floats, Modular, Theory};
use crate::typed::{AnyTheory, TypedTerm};
use base::seeded::Seeded;
use values::machine::{
    DivisionByZero, ExtremumOfNan, ExtremumOfZeros, FloatDivisionByZero, LeastOverMinusOne, NanToInteger,
    RemainderByZero, ShiftTooFar, SignedOverflow, Subnormals, TooLarge,
};
use values::{Arithmetic, ElementType, Extremum, IntegerOperation, Machine, Overflow, Primitive};
use z3::ast::Bool;

/// A number and the condition that it is defined.
type Partial = (TypedTerm, Bool);

/// The operations of a machine on terms.
pub(crate) struct OnTerms<'a>(pub(crate) &'a Machine);

impl OnTerms<'_> {
    /// An operation on two numbers of one type; `None` if z3 cannot express it.
    pub(crate) fn arithmetic(&self, operation: Arithmetic, a: &TypedTerm, b: &TypedTerm) -> Option<Partial> {
        match a {
            TypedTerm::Float(..) => Some(self.floats(operation, &self.operand(a), &self.operand(b))),
            TypedTerm::Bits(..) | TypedTerm::Modular(..) => self.integers(operation, a, b),
            TypedTerm::Real(..) | TypedTerm::Integer(..) | TypedTerm::Residue(..) => {
                let exists = match operation {
                    Arithmetic::Extremum(_) => a.have_order(b),
                    operation if divides(operation) => b.is_zero().not(),
                    _ => always(),
                };
                Some((plain(operation, a, b)?, exists))
            }
        }
    }

    fn integers(&self, operation: Arithmetic, a: &TypedTerm, b: &TypedTerm) -> Option<Partial> {
        let result = plain(operation, a, b)?;
        if !divides(operation) {
            let checked = self.0.integers.signed_overflow != SignedOverflow::Wrap;
            let is_exact = if checked { is_exact(operation, a, b)? } else { always() };
            return Some((result, is_exact));
        }
        let by_zero = b.is_zero();
        let by_minus_one = match is_signed(a) {
            true => Bool::and(&[b.same(&b.like(-1)), is_least(a)?]),
            false => Bool::from_bool(false),
        };
        let is_wrapped = match self.0.integers.least_over_minus_one {
            _ if Seeded::MachineOverflow.is_in() => always(),
            LeastOverMinusOne::Wrap => always(),
            LeastOverMinusOne::Undefined | LeastOverMinusOne::Trap => by_minus_one.not(),
        };
        let is_remainder =
            matches!(operation, Arithmetic::Integers(IntegerOperation::Mod | IntegerOperation::Rem));
        let of_zero = match (is_remainder, self.0.integers) {
            (false, integers) => match integers.division_by_zero {
                DivisionByZero::Undefined | DivisionByZero::Trap => None,
                DivisionByZero::AllOnes => Some(a.like(-1)),
                DivisionByZero::Zero => Some(a.like(0)),
            },
            (true, integers) => match integers.remainder_by_zero {
                RemainderByZero::Undefined | RemainderByZero::Trap => None,
                RemainderByZero::Dividend => Some(a.clone()),
                RemainderByZero::Zero => Some(a.like(0)),
            },
        };
        Some(match of_zero {
            None => (result, both(&by_zero.not(), &is_wrapped)),
            Some(value) => (value.select(&by_zero, &result), is_wrapped),
        })
    }

    fn floats(&self, operation: Arithmetic, a: &TypedTerm, b: &TypedTerm) -> Partial {
        let defined = match (operation, self.0.floats.division_by_zero) {
            (Arithmetic::Quotient, FloatDivisionByZero::Undefined | FloatDivisionByZero::Trap) => {
                b.is_zero().not()
            }
            _ => always(),
        };
        let result = match operation {
            Arithmetic::Extremum(extremum) => self.extremum(extremum, a, b),
            // Floats have no operations of integers.
            _ => plain(operation, a, b).unwrap_or_else(|| a.any_like("mistyped")),
        };
        (self.operand(&result), defined)
    }

    fn extremum(&self, extremum: Extremum, a: &TypedTerm, b: &TypedTerm) -> TypedTerm {
        let ordered = a.extremum(extremum, b);
        let of_zeros = match self.0.floats.extremum_of_zeros {
            ExtremumOfZeros::Ordered => ordered.clone(),
            ExtremumOfZeros::First => a.select(&both(&a.is_zero(), &b.is_zero()), &ordered),
            ExtremumOfZeros::Second => b.select(&both(&a.is_zero(), &b.is_zero()), &ordered),
        };
        let [a_is_nan, b_is_nan] = [a, b].map(TypedTerm::is_nan);
        match self.0.floats.extremum_of_nan {
            ExtremumOfNan::Nan => ordered.select(&Bool::or(&[a_is_nan, b_is_nan]), &of_zeros),
            ExtremumOfNan::Number => b.select(&a_is_nan, &a.select(&b_is_nan, &of_zeros)),
            ExtremumOfNan::Second => b.select(&Bool::or(&[a_is_nan, b_is_nan]), &of_zeros),
        }
    }

    /// A number as an operand, or as a result: 0 with its sign for a subnormal float that is flushed.
    pub(crate) fn operand(&self, a: &TypedTerm) -> TypedTerm {
        match a {
            TypedTerm::Float(t, x) if self.0.subnormals(t.element_type()) == Subnormals::Flushed => {
                let zero = t.index(0);
                let signed = x.is_negative().ite(&zero.unary_neg(), &zero);
                TypedTerm::Float(*t, x.is_subnormal().ite(&signed, x))
            }
            _ => a.clone(),
        }
    }

    /// `|a|`
    pub(crate) fn absolute(&self, a: &TypedTerm) -> Option<Partial> {
        let overflows = self.0.integers.signed_overflow != SignedOverflow::Wrap && is_signed(a);
        Some((a.absolute(), if overflows { is_least(a)?.not() } else { a.have_order(&a.like(0)) }))
    }

    /// A cast.
    pub(crate) fn cast(&self, a: &TypedTerm, to: AnyTheory) -> Option<Partial> {
        let TypedTerm::Float(from, x) = &self.operand(a) else {
            let (cast, exists) = a.cast(to)?;
            return Some((self.operand(&cast), exists));
        };
        if let AnyTheory::Float(to) = to
            && copies([*from, to].map(Floats::element_type))
        {
            return a.cast(AnyTheory::Float(to));
        }
        let operand = TypedTerm::Float(*from, x.clone());
        if matches!(to, AnyTheory::Float(_) | AnyTheory::Real(_)) {
            let (cast, exists) = operand.cast(to)?;
            return Some((self.operand(&cast), exists));
        }
        let least = || TypedTerm::extremum_identity(to, Extremum::Max);
        let casts = self.0.casts;
        let converted = |overflow| converted((casts.rounding(), overflow), to, &operand);
        let (number, exists) = match casts.too_large {
            TooLarge::Undefined | TooLarge::Trap => converted(Overflow::Undefined)?,
            TooLarge::Saturate => converted(Overflow::Saturate)?,
            TooLarge::Wrap => converted(Overflow::Wrap)?,
            TooLarge::Least => match (converted(Overflow::Undefined)?, least()) {
                ((number, exists), Some(least)) => (number.select(&exists, &least), always()),
                (undefined, None) => undefined,
            },
        };
        let of_nan = match casts.nan_to_integer {
            NanToInteger::Undefined | NanToInteger::Trap => None,
            NanToInteger::Zero => TypedTerm::index(to, 0),
            NanToInteger::Least => least(),
        };
        let is_nan = x.is_nan();
        Some(match of_nan {
            None => (number, both(&is_nan.not(), &exists)),
            Some(value) => (value.select(&is_nan, &number), Bool::or(&[is_nan, exists])),
        })
    }

    /// A primitive whose result is a number, of the theory `to` for a cast.
    pub(crate) fn primitive(
        &self,
        primitive: Primitive,
        to: Option<AnyTheory>,
        operands: &[&TypedTerm],
    ) -> Option<Partial> {
        match (primitive, operands) {
            (Primitive::Quotient, [a, b]) => self.arithmetic(Arithmetic::Quotient, a, b),
            (
                Primitive::ShiftLeft | Primitive::LogicalShiftRight | Primitive::ArithmeticShiftRight,
                [a @ TypedTerm::Bits(t, _), TypedTerm::Bits(_, by)],
            ) => {
                let bits = t.index(t.bits.into());
                let distance = match self.0.integers.shift_too_far {
                    ShiftTooFar::Modulo => by.bvurem(&bits),
                    ShiftTooFar::Undefined | ShiftTooFar::Trap | ShiftTooFar::ShiftedOut => by.clone(),
                };
                let (shifted, exists) =
                    TypedTerm::primitive(primitive, to, &[a, &TypedTerm::Bits(*t, distance)])?;
                let near = match self.0.integers.shift_too_far {
                    ShiftTooFar::Undefined | ShiftTooFar::Trap => by.bvult(&bits),
                    _ => always(),
                };
                Some((shifted, both(&exists, &near)))
            }
            (Primitive::Integral(_) | Primitive::Sign | Primitive::Convert(_), [a]) => {
                TypedTerm::primitive(primitive, to, &[&self.operand(a)])
            }
            (Primitive::Narrow(..), [a]) => {
                if let (TypedTerm::Float(from, _), Some(AnyTheory::Float(to))) = (a, to)
                    && copies([*from, to].map(Floats::element_type))
                {
                    return a.cast(AnyTheory::Float(to));
                }
                let (narrowed, exists) = TypedTerm::primitive(primitive, to, &[&self.operand(a)])?;
                Some((self.operand(&narrowed), exists))
            }
            _ => TypedTerm::primitive(primitive, to, operands),
        }
    }
}

/// Whether a cast copies the bits: nothing is flushed.
fn copies([from, to]: [ElementType; 2]) -> bool {
    from == to || [from, to] == [ElementType::BF16, ElementType::F32]
}

fn always() -> Bool {
    Bool::from_bool(true)
}

/// Whether the second operand must not be 0.
fn divides(operation: Arithmetic) -> bool {
    use IntegerOperation::{Div, Mod, Rem};
    matches!(operation, Arithmetic::Quotient | Arithmetic::Integers(Div | Mod | Rem))
}

/// The operation of the theory; `None` if it lacks it.
fn plain(operation: Arithmetic, a: &TypedTerm, b: &TypedTerm) -> Option<TypedTerm> {
    Some(match operation {
        Arithmetic::Add => a.add(b),
        Arithmetic::Sub => a.sub(b),
        Arithmetic::Mul => a.mul(b),
        Arithmetic::Quotient => a.quotient(b),
        Arithmetic::Extremum(extremum) => a.extremum(extremum, b),
        Arithmetic::Integers(operation) => return a.integer_operation(operation, b),
    })
}

fn is_signed(a: &TypedTerm) -> bool {
    matches!(
        a,
        TypedTerm::Bits(Bits { signed: true, .. }, _)
            | TypedTerm::Modular(Modular(Bits { signed: true, .. }), _)
    )
}

/// Whether it is the least integer of its type; `None` if that has none.
fn is_least(a: &TypedTerm) -> Option<Bool> {
    Some(a.same(&TypedTerm::extremum_identity(a.theory(), Extremum::Max)?))
}

/// Whether the type has the sum, the difference or the product of integers: always that of unsigned ones, which wrap.
fn is_exact(operation: Arithmetic, a: &TypedTerm, b: &TypedTerm) -> Option<Bool> {
    if !is_signed(a) || !matches!(operation, Arithmetic::Add | Arithmetic::Sub | Arithmetic::Mul) {
        return Some(always());
    }
    match (a, b) {
        (TypedTerm::Bits(t, x), TypedTerm::Bits(_, y)) => {
            let wide = |of: &z3::ast::BV| of.sign_ext(t.bits);
            let exact = |x: &z3::ast::BV, y: &z3::ast::BV| match operation {
                Arithmetic::Add => x.bvadd(y),
                Arithmetic::Sub => x.bvsub(y),
                _ => x.bvmul(y),
            };
            Some(exact(&wide(x), &wide(y)).eq(wide(&exact(x, y))))
        }
        (TypedTerm::Modular(t, x), TypedTerm::Modular(_, y)) => Some(t.has(&match operation {
            Arithmetic::Add => x + y,
            Arithmetic::Sub => x - y,
            _ => x * y,
        })),
        _ => None,
    }
}
