//! Value domains: what the elements of a tensor are.
//!
//! An evaluator is written once, against [`ValueDomain`]; each domain gives it another meaning. A domain is a
//! context object. Its values are `V ∪ {•}` of Definition 3: undefinedness is part of a domain, because for
//! symbolic values it is a condition, not a flag. Concrete number systems implement [`NumberSystem`] (over `V`
//! alone), and [`Extended`] adds `•` to any of them, once.
//!
//! # Decisions where the paper is silent (ledger: `rink/decision-…`)
//! - Every operator is strict: `• + •`, `•/•` and all others with two undefined operands are `•` (Definition 4
//!   gives only one undefined operand). Under controlled division `0/•` is 0, and nothing else changes.
//! - Under the paper's two divisions, `v/0 = •` in *every* number system, as Definition 4 says for every `v ∈ V`: also
//!   `inf/0` and `nan/0` in IEEE floats, and for −0. Under controlled division `±0/±0 = +0`. The division of the number
//!   system ([`Division::System`]) is IEEE's for floats.
//! - Controlled division does not touch `0/inf` (`0` by IEEE) nor `0/nan` (`nan` by IEEE).
//! - Integers divide with truncation toward zero; wrapping `MIN / −1` is `MIN`.
//! - Exact numbers are as long as they need to be, up to a limit ([`digits`]); beyond it evaluation is out of
//!   budget.
//! - A sum is folded from the left and starts with its first term, not with 0 (so `−0` survives).

mod array;
pub mod digits;
mod element;
pub mod exact_functions;
mod extended;
pub mod faithful;
mod field;
mod float;
pub mod indices;
mod integers;
pub mod intervals;
mod laws;
mod literal;
pub mod machine;
mod primitive;
mod rational;
mod scalar;
pub mod symbolic;
mod systems;
pub mod tensor_json;
pub mod tolerance;
mod trapping;
mod typed;

pub use array::{Array, Column};
pub use element::{ElementClass, ElementType, ElementTypes};
pub use extended::Extended;
pub use field::{FIELD_MODULUS, PrimeField};
pub use float::{BF16, F16, F32, F64};
pub use integers::{I8, I16, I32, I64, Integers, U8, U16, U32, U64};
pub use laws::{Algebra, LAWS, Law, LawTerm, Reach};
pub use literal::{Literal, LiteralError};
pub use machine::Machine;
pub use machine::reading::System;
pub use primitive::{Conversion, Overflow, Primitive, Rounding};
pub use rational::Rationals;
pub use scalar::{Arithmetic, Scalar};
pub use systems::{Listed, SystemName, Visitor};
pub use trapping::{Evaluated, Trapping};
pub use typed::Typed;

use dashu_int::IBig;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

/// The division of the language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Division {
    /// Definition 8: as extended division, except `0/0 = 0` and `0/• = 0`.
    #[default]
    Controlled,
    /// Definition 4: `v/• = •/w = •`, `v/0 = •/0 = •`.
    Extended,
    /// What the number system does: IEEE 754's division for floats, so that `1/0` is infinite and `0/0` is nan; as
    /// [`Division::Extended`] for other numbers.
    System,
}

impl Division {
    /// All divisions.
    pub const ALL: [Division; 3] = [Division::Controlled, Division::Extended, Division::System];

    /// Whether `0/0` and `0/•` are 0.
    pub fn is_controlled(self) -> bool {
        self == Division::Controlled
    }
}

/// A comparison of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComparisonOperator {
    /// `a = b`; for floats the IEEE `==`, in which nan equals nothing and −0 equals 0.
    Equal,
    /// `a < b`
    Less,
    /// `a ≤ b`
    LessOrEqual,
}

impl ComparisonOperator {
    /// Whether the comparison holds for values with this ordering; `None`, unordered, satisfies none.
    pub fn holds(self, ordering: Option<Ordering>) -> bool {
        match self {
            ComparisonOperator::Equal => ordering == Some(Ordering::Equal),
            ComparisonOperator::Less => ordering == Some(Ordering::Less),
            ComparisonOperator::LessOrEqual => ordering.is_some_and(Ordering::is_le),
        }
    }
}

/// An operation that only integers have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntegerOperation {
    /// The quotient, rounded down; undefined where the divisor is 0.
    Div,
    /// The remainder of `Div`: 0 or with the sign of the divisor; undefined where the divisor is 0.
    Mod,
    /// The remainder of the quotient truncated toward zero: 0 or with the sign of the dividend; undefined where
    /// the divisor is 0.
    Rem,
    /// Bitwise conjunction, in two's complement of unlimited length.
    And,
    /// Bitwise disjunction.
    Or,
    /// Bitwise exclusive disjunction.
    Xor,
}

/// Selects one of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Extremum {
    /// The smaller.
    Min,
    /// The larger.
    Max,
}

/// A connective of truths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Connective {
    /// Both.
    And,
    /// At least one.
    Or,
    /// Exactly one.
    Xor,
}

impl Connective {
    /// The result of the connective on two known truths.
    pub fn holds(self, a: bool, b: bool) -> bool {
        match self {
            Connective::And => a && b,
            Connective::Or => a || b,
            Connective::Xor => a != b,
        }
    }
}

/// Values with undefinedness, and every operation on values. Index arithmetic does not use it.
pub trait ValueDomain {
    /// An element of `V ∪ {•}`.
    type Value: Clone + fmt::Debug;
    /// The outcome of a comparison: a Boolean, or a formula, and possibly undefined.
    type Truth: Clone + fmt::Debug;
    /// Many values, stored as suits the domain.
    type Array: Array<Self::Value>;

    /// `•`
    fn undefined(&self) -> Self::Value;
    /// `•` of an element type. A domain in which it has no type is the default.
    fn undefined_as(&self, _: ElementType) -> Self::Value {
        self.undefined()
    }
    /// An index, a size or a small constant as a value of type `real`.
    fn index(&self, index: i64) -> Self::Value;
    /// An index, a size or a small constant as a value of an element type. A domain of one kind of numbers, the
    /// default, has no other type.
    fn index_as(&self, _: ElementType, index: i64) -> Self::Value {
        self.index(index)
    }
    /// The integer that a value is, as an index: `Some(None)` if it is undefined, or no integer of 64 bits. `None` in domains, the
    /// default, whose values are not known.
    fn position(&self, _: &Self::Value) -> Option<Option<i64>> {
        None
    }
    /// A small constant of the type of a value.
    fn like(&self, _: &Self::Value, index: i64) -> Self::Value {
        self.index(index)
    }
    /// `a + b`
    fn add(&self, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// `a − b`
    fn sub(&self, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// `a · b`
    fn mul(&self, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// `a / b`
    fn div(&self, division: Division, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// The comparison of two values; undefined where one of them is.
    fn compare(&self, comparison: ComparisonOperator, a: &Self::Value, b: &Self::Value) -> Self::Truth;
    /// Whether two values are *the same*: a congruence, not the comparison `=`. Floats are the same when bit-equal
    /// or both nan; `•` is the same as `•` only.
    fn same(&self, a: &Self::Value, b: &Self::Value) -> Self::Truth;
    /// `a` where the truth is true, `b` where it is false, `•` where it is undefined.
    fn select(&self, truth: &Self::Truth, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// Like [`ValueDomain::select`], of two truths. The default selects between the numbers 0 and 1.
    fn select_truth(&self, truth: &Self::Truth, a: &Self::Truth, b: &Self::Truth) -> Self::Truth {
        let number = |truth: &Self::Truth| self.select(truth, &self.index(1), &self.index(0));
        let chosen = self.select(truth, &number(a), &number(b));
        self.compare(ComparisonOperator::Equal, &chosen, &self.index(1))
    }
    /// Like [`ValueDomain::select`], but only the chosen one is evaluated: the other one does not trap. The default knows no
    /// traps.
    fn conditional(&self, truth: &Self::Truth, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.select(truth, a, b)
    }
    /// Like [`ValueDomain::conditional`], of two truths.
    fn conditional_truth(&self, truth: &Self::Truth, a: &Self::Truth, b: &Self::Truth) -> Self::Truth {
        self.select_truth(truth, a, b)
    }
    /// Turns the value of an expression into that of a variable, which is stored before another value is computed
    /// from it.
    fn store(&self, _: &mut Self::Value) {}
    /// The memory that a value takes besides its slot, in words of 64 bits.
    fn words(&self, _: &Self::Value) -> usize {
        0
    }
    /// A truth that is undefined exactly where a value is.
    fn where_defined(&self, a: &Self::Value) -> Self::Truth {
        self.compare(ComparisonOperator::Equal, a, a)
    }
    /// A written number.
    ///
    /// # Errors
    /// It is not a value of this domain.
    fn literal(&self, literal: &Literal) -> Result<Self::Value, LiteralError> {
        let integer = IBig::try_from(literal.exact()?).ok().and_then(|number| i64::try_from(number).ok());
        integer.map(|number| self.index(number)).ok_or(LiteralError::NotRepresentable("small integers"))
    }
    /// A written number of an element type. A domain of one kind of numbers, the default, has no other type.
    ///
    /// # Errors
    /// It is not a number of this type.
    fn literal_as(&self, _: ElementType, literal: &Literal) -> Result<Self::Value, LiteralError> {
        self.literal(literal)
    }
    /// An operation on integers; undefined where an operand is undefined or not an integer.
    fn integer_operation(&self, operation: IntegerOperation, a: &Self::Value, b: &Self::Value)
    -> Self::Value;
    /// `|a|`; undefined where `a` is undefined, or numbers have no order.
    fn absolute(&self, a: &Self::Value) -> Self::Value;
    /// The number rounded to an integer toward zero; undefined where that does not exist, as for an infinity.
    fn truncation(&self, a: &Self::Value) -> Self::Value;
    /// A number of one element type as one of another ([`Scalar::cast`]); undefined where that does not exist. In a domain
    /// of one kind of numbers, the default, a real becomes an integer by truncation, and nothing else changes.
    fn cast(&self, [from, to]: [ElementType; 2], a: &Self::Value) -> Self::Value {
        if to.is_integer() && !from.is_integer() { self.truncation(a) } else { a.clone() }
    }
    /// A primitive whose result is a number; undefined where an operand is, and where it has no value.
    fn primitive(&self, primitive: Primitive, operands: &[Self::Value]) -> Self::Value;
    /// The identity of [`ValueDomain::extremum`]; undefined where the numbers have none.
    fn extremum_identity(&self, extremum: Extremum) -> Self::Value;
    /// [`ValueDomain::extremum_identity`] in an element type.
    fn extremum_identity_as(&self, _: ElementType, extremum: Extremum) -> Self::Value {
        self.extremum_identity(extremum)
    }
    /// The smaller or the larger value; undefined where an operand is. The default is a comparison and a
    /// selection, which is right for totally ordered numbers: not for floats.
    fn extremum(&self, extremum: Extremum, a: &Self::Value, b: &Self::Value) -> Self::Value {
        let swaps = match extremum {
            Extremum::Min => self.compare(ComparisonOperator::Less, b, a),
            Extremum::Max => self.compare(ComparisonOperator::Less, a, b),
        };
        self.select(&swaps, b, a)
    }
    /// A known truth, or the undefined one.
    fn truth(&self, known: Option<bool>) -> Self::Truth {
        match known {
            Some(true) => self.compare(ComparisonOperator::Equal, &self.index(0), &self.index(0)),
            Some(false) => self.compare(ComparisonOperator::Less, &self.index(0), &self.index(0)),
            None => self.compare(ComparisonOperator::Equal, &self.undefined(), &self.undefined()),
        }
    }
    /// A connective; undefined where an operand is. The default connects truths as the numbers 0 and 1.
    fn connect(&self, connective: Connective, a: &Self::Truth, b: &Self::Truth) -> Self::Truth {
        let number = |truth: &Self::Truth| self.select(truth, &self.index(1), &self.index(0));
        let (a, b) = (number(a), number(b));
        match connective {
            Connective::And => self.compare(ComparisonOperator::Equal, &self.mul(&a, &b), &self.index(1)),
            Connective::Or => self.compare(ComparisonOperator::Less, &self.index(0), &self.add(&a, &b)),
            Connective::Xor => self.compare(ComparisonOperator::Equal, &self.add(&a, &b), &self.index(1)),
        }
    }
    /// The truth, if it is known: `None` for a formula that depends on inputs, and for an undefined truth.
    fn known(&self, truth: &Self::Truth) -> Option<bool>;

    /// `−a`
    fn negate(&self, a: &Self::Value) -> Self::Value {
        self.mul(&self.like(a, -1), a)
    }

    /// Whether it is neither an infinity nor nan.
    fn is_finite(&self, a: &Self::Value) -> Self::Truth {
        // An infinity less itself is nan, which equals nothing.
        let nothing = self.sub(a, a);
        self.compare(ComparisonOperator::Equal, &nothing, &nothing)
    }

    /// `not a` of an integer, bit by bit: `−1 − a`, which never overflows.
    fn complement(&self, a: &Self::Value) -> Self::Value {
        self.sub(&self.like(a, -1), a)
    }

    /// A term of a sum or a product over indices, as it is accumulated: as it is by default.
    fn accumulated(&self, a: &Self::Value) -> Self::Value {
        a.clone()
    }

    /// An accumulated number as a result, of the type of a term.
    fn result_of(&self, accumulated: Self::Value, _: &Self::Value) -> Self::Value {
        accumulated
    }

    /// The sum of at least one term: from the left, starting with the first.
    fn sum(&self, terms: impl IntoIterator<Item = Self::Value>) -> Self::Value {
        let mut terms = terms.into_iter();
        let Some(first) = terms.next() else { return self.index(0) };
        let sum = terms.fold(self.accumulated(&first), |sum, term| self.add(&sum, &self.accumulated(&term)));
        self.result_of(sum, &first)
    }

    /// `Σ_{l<n} a[l] · b[l]` over strided elements, `n ≥ 1`; must be the same as [`ValueDomain::sum`] of the
    /// products.
    fn sum_of_products(
        &self,
        n: usize,
        a: Strided<'_, Self::Array>,
        b: Strided<'_, Self::Array>,
    ) -> Self::Value {
        self.sum((0..n).map(|l| self.mul(&a.array.get(a.at(l)), &b.array.get(b.at(l)))))
    }
}

/// Equally spaced elements of an array.
#[derive(Clone, Copy, Debug)]
pub struct Strided<'a, A: ?Sized> {
    /// The array.
    pub array: &'a A,
    /// The offset of the first element.
    pub offset: usize,
    /// The distance between two elements.
    pub stride: usize,
}

impl<A: ?Sized> Strided<'_, A> {
    /// The offset of element `l`.
    pub fn at(&self, l: usize) -> usize {
        self.offset + l * self.stride
    }
}

/// A set of numbers `V` with its arithmetic, all of it total except division.
pub trait NumberSystem {
    /// An element of `V`.
    type Number: Clone + fmt::Debug;

    /// The name by which the command line knows it.
    fn name(&self) -> &'static str;
    /// The laws that the arithmetic obeys.
    fn algebra(&self) -> Algebra;
    /// The smallest positive integer that is 0 in the system, if there is one.
    fn characteristic(&self) -> Option<IBig> {
        None
    }
    /// The memory that a number takes besides its slot, in words of 64 bits: the digits of exact numbers.
    fn words(&self, _: &Self::Number) -> usize {
        0
    }
    /// An integer as a number of type `real`: reduced, rounded or wrapped as the system does it.
    fn index(&self, index: i64) -> Self::Number;
    /// An integer as a number of an element type; a system of one kind of numbers, the default, has no other type.
    fn index_as(&self, _: ElementType, index: i64) -> Self::Number {
        self.index(index)
    }
    /// An integer as a number of the type of another.
    fn like(&self, _: &Self::Number, index: i64) -> Self::Number {
        self.index(index)
    }
    /// `a + b`
    fn add(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// `a − b`
    fn sub(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// `a · b`
    fn mul(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// An operation on two numbers of one type as the system does it; `None` where it is undefined.
    #[inline]
    fn arithmetic(&self, operation: Arithmetic, a: &Self::Number, b: &Self::Number) -> Option<Self::Number>
    where
        Self: Sized,
    {
        operation.of(self, a, b)
    }
    /// Whether [`NumberSystem::arithmetic`] adds, subtracts and multiplies as [`NumberSystem::add`] and the others do.
    fn is_plain(&self) -> bool {
        true
    }
    /// `−a`; `None` where it is undefined.
    fn negated(&self, a: &Self::Number) -> Option<Self::Number>
    where
        Self: Sized,
    {
        self.arithmetic(Arithmetic::Mul, &self.like(a, -1), a)
    }
    /// A term of a sum or a product over indices, as it is accumulated; a system of one kind of numbers, the default,
    /// accumulates them as they are.
    fn accumulated(&self, a: &Self::Number) -> Option<Self::Number> {
        Some(a.clone())
    }
    /// An accumulated number as a result, of the type of a term.
    fn result_of(&self, accumulated: &Self::Number, _: &Self::Number) -> Option<Self::Number> {
        Some(accumulated.clone())
    }
    /// `a / b`, for `b` other than zero; for every `b` if the system [divides by zero](NumberSystem::divides_by_zero).
    fn quotient(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// Whether numbers of the type of `a` have quotients by zero, as floats do.
    fn divides_by_zero(&self, _: &Self::Number) -> bool {
        self.algebra() == Algebra::Ieee
    }
    /// Whether the number equals 0; true for −0.
    fn is_zero(&self, a: &Self::Number) -> bool;
    /// Whether two numbers are the same (see [`ValueDomain::same`]).
    fn same(&self, a: &Self::Number, b: &Self::Number) -> bool;
    /// The order of two numbers; `None` if they are unordered.
    fn order(&self, a: &Self::Number, b: &Self::Number) -> Option<Ordering>;
    /// The smaller or the larger number; `None` if they are unordered.
    fn extremum(&self, extremum: Extremum, a: &Self::Number, b: &Self::Number) -> Option<Self::Number> {
        let swaps = match extremum {
            Extremum::Min => self.order(b, a)?,
            Extremum::Max => self.order(a, b)?,
        };
        Some(if swaps.is_lt() { b.clone() } else { a.clone() })
    }
    /// `|a|`: a number below 0 is negated, which leaves the least machine integer as it is; `None` where there is
    /// no order.
    fn absolute(&self, a: &Self::Number) -> Option<Self::Number> {
        let zero = self.like(a, 0);
        Some(if self.order(a, &zero)?.is_lt() { self.sub(&zero, a) } else { a.clone() })
    }
    /// The number rounded to an integer toward zero; `None` if the system lacks that integer.
    fn truncation(&self, a: &Self::Number) -> Option<Self::Number> {
        let exact = self.write(a).exact().ok()?;
        self.read(&Literal::Exact(exact.trunc().into())).ok()
    }
    /// A number as one of another type ([`Scalar::cast`]); `None` if the type lacks it. A system of one kind of
    /// numbers, the default, has no other type.
    fn cast(&self, [from, to]: [ElementType; 2], a: &Self::Number) -> Option<Self::Number> {
        if to.is_integer() && !from.is_integer() { self.truncation(a) } else { Some(a.clone()) }
    }
    /// A number with its type.
    fn scalar(&self, a: &Self::Number) -> Scalar;
    /// The number of a scalar, if it is of this system.
    fn of_scalar(&self, scalar: Scalar) -> Option<Self::Number>;
    /// A primitive whose result is a number; `None` where it has no value.
    fn primitive(&self, primitive: Primitive, operands: &[Self::Number]) -> Option<Self::Number> {
        let operands: Vec<Scalar> = operands.iter().map(|a| self.scalar(a)).collect();
        // A system of one kind of numbers, the default, has no other type.
        let of = operands.first()?.element_type();
        self.of_scalar(primitive.typed(|_| of).value(&operands)?)
    }
    /// The identity: the greatest number for `min`, the least for `max`; `None` if the system has no such number.
    fn extremum_identity(&self, _: Extremum) -> Option<Self::Number> {
        None
    }
    /// The identity in an element type.
    fn extremum_identity_as(&self, _: ElementType, extremum: Extremum) -> Option<Self::Number> {
        self.extremum_identity(extremum)
    }
    /// An operation on integers, computed exactly and then reduced, rounded or wrapped; `None` where it has no
    /// value.
    fn integer_operation(
        &self,
        operation: IntegerOperation,
        a: &Self::Number,
        b: &Self::Number,
    ) -> Option<Self::Number> {
        let exact = |number: &Self::Number| IBig::try_from(self.write(number).exact().ok()?).ok();
        let result = integers::exact_operation(operation, &exact(a)?, &exact(b)?)?;
        self.read(&Literal::Exact(result.into())).ok()
    }
    /// The results that a faithful implementation of a real function may return ([`faithful`]), the correctly
    /// rounded one first; `None` where they are not known. In exact arithmetic, the exact value ([`exact_functions`]), and where the
    /// real function has none, an arbitrary number.
    fn faithful(&self, _function: &str, _arguments: &[Self::Number]) -> Option<Vec<Self::Number>> {
        None
    }
    /// Reads a number.
    ///
    /// # Errors
    /// The literal is not a number of this system.
    fn read(&self, literal: &Literal) -> Result<Self::Number, LiteralError>;
    /// Reads a number of an element type.
    ///
    /// # Errors
    /// The literal is not a number of this type.
    fn read_as(&self, _: ElementType, literal: &Literal) -> Result<Self::Number, LiteralError> {
        self.read(literal)
    }
    /// Writes a number so that [`NumberSystem::read`] gives it back.
    fn write(&self, a: &Self::Number) -> Literal;

    /// Numbers at which arithmetic is most likely to surprise: small ones first, then extremes and special values.
    fn notable(&self) -> Vec<Self::Number>;
    /// [`NumberSystem::notable`] of an element type.
    fn notable_as(&self, _: ElementType) -> Vec<Self::Number> {
        self.notable()
    }

    /// `Σ_{l<n} a[l] · b[l]` for `n ≥ 1`, from the left, starting with the first term.
    fn dot(&self, n: usize, a: Strided<'_, [Self::Number]>, b: Strided<'_, [Self::Number]>) -> Self::Number {
        let term = |l: usize| self.mul(&a.array[a.at(l)], &b.array[b.at(l)]);
        (1..n).fold(term(0), |sum, l| self.add(&sum, &term(l)))
    }
}
