//! Two value domains for tests: free terms, and numbers that remember the origin of a `•`.

use std::cell::RefCell;
use std::collections::HashMap;
use values::{
    ComparisonOperator, Connective, Division, Extended, Extremum, I64, IntegerOperation, Literal,
    LiteralError, Primitive, Rationals, ValueDomain,
};

/// Pseudo-random numbers (xorshift), the same in every run.
pub struct XorShift(pub u64);

impl XorShift {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

/// A domain with values for initial stores.
pub trait InitialValues: ValueDomain {
    /// Any value except `•`.
    fn defined(&self, random: &mut XorShift) -> Self::Value;

    /// Any value, often `•`.
    fn any(&self, random: &mut XorShift) -> Self::Value {
        if random.below(4) == 0 { self.undefined() } else { self.defined(random) }
    }

    fn equal(&self, a: &Self::Value, b: &Self::Value) -> bool {
        self.known(&self.same(a, b)) == Some(true)
    }
}

impl InitialValues for Extended<Rationals> {
    fn defined(&self, random: &mut XorShift) -> Self::Value {
        self.index(random.below(6) as i64 - 2)
    }
}

impl InitialValues for Extended<I64> {
    fn defined(&self, random: &mut XorShift) -> Self::Value {
        self.index(random.below(6) as i64 - 2)
    }
}

/// Terms over symbols: two values are the same only if they are so under every interpretation of the operators.
#[derive(Debug, Default)]
pub struct Free {
    terms: RefCell<HashMap<(char, usize, usize), usize>>,
}

impl Free {
    fn term(&self, operator: char, a: usize, b: usize) -> usize {
        let mut terms = self.terms.borrow_mut();
        let next = terms.len();
        *terms.entry((operator, a, b)).or_insert(next)
    }
}

impl ValueDomain for Free {
    type Value = usize;
    type Truth = bool;
    type Array = Vec<usize>;

    fn undefined(&self) -> usize {
        self.term('u', 0, 0)
    }
    fn index(&self, index: i64) -> usize {
        self.term('i', index as usize, 0)
    }
    fn add(&self, a: &usize, b: &usize) -> usize {
        self.term('+', *a, *b)
    }
    fn sub(&self, a: &usize, b: &usize) -> usize {
        self.term('-', *a, *b)
    }
    fn mul(&self, a: &usize, b: &usize) -> usize {
        self.term('*', *a, *b)
    }
    fn div(&self, _: Division, a: &usize, b: &usize) -> usize {
        self.term('/', *a, *b)
    }
    fn compare(&self, _: ComparisonOperator, a: &usize, b: &usize) -> bool {
        a == b
    }
    fn same(&self, a: &usize, b: &usize) -> bool {
        a == b
    }
    fn select(&self, truth: &bool, a: &usize, b: &usize) -> usize {
        if *truth { *a } else { *b }
    }
    fn literal(&self, _: &Literal) -> Result<usize, LiteralError> {
        Err(LiteralError::NotRepresentable("terms"))
    }
    fn integer_operation(&self, operation: IntegerOperation, a: &usize, b: &usize) -> usize {
        self.term(char::from(b'A' + operation as u8), *a, *b)
    }
    fn absolute(&self, a: &usize) -> usize {
        self.term('|', *a, 0)
    }
    fn truncation(&self, a: &usize) -> usize {
        self.term('t', *a, 0)
    }
    fn primitive(&self, _: Primitive, operands: &[usize]) -> usize {
        self.term('p', operands[0], operands[operands.len() - 1])
    }
    fn extremum_identity(&self, extremum: Extremum) -> usize {
        self.term('e', extremum as usize, 0)
    }
    fn truth(&self, known: Option<bool>) -> bool {
        known == Some(true)
    }
    fn connect(&self, connective: Connective, a: &bool, b: &bool) -> bool {
        connective.holds(*a, *b)
    }
    fn known(&self, truth: &bool) -> Option<bool> {
        Some(*truth)
    }
}

impl InitialValues for Free {
    /// A symbol that occurs nowhere else.
    fn defined(&self, _: &mut XorShift) -> usize {
        let fresh = self.terms.borrow().len();
        self.term('x', fresh, 0)
    }

    fn any(&self, random: &mut XorShift) -> usize {
        self.defined(random)
    }
}

/// A number, or a `•` with its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traced {
    Number(i64),
    /// From the initial store.
    Foreign,
    /// From a division.
    Quotient,
}

/// Small numbers; a `•` is foreign if one operand was.
#[derive(Debug)]
pub struct Tracing;

impl Tracing {
    fn strict(a: &Traced, b: &Traced, operation: impl Fn(i64, i64) -> i64) -> Traced {
        match (a, b) {
            (Traced::Number(a), Traced::Number(b)) => Traced::Number(operation(*a, *b) % 97),
            (Traced::Foreign, _) | (_, Traced::Foreign) => Traced::Foreign,
            _ => Traced::Quotient,
        }
    }
}

impl ValueDomain for Tracing {
    type Value = Traced;
    type Truth = bool;
    type Array = Vec<Traced>;

    fn undefined(&self) -> Traced {
        Traced::Foreign
    }
    fn index(&self, index: i64) -> Traced {
        Traced::Number(index)
    }
    fn add(&self, a: &Traced, b: &Traced) -> Traced {
        Tracing::strict(a, b, |a, b| a + b)
    }
    fn sub(&self, a: &Traced, b: &Traced) -> Traced {
        Tracing::strict(a, b, |a, b| a - b)
    }
    fn mul(&self, a: &Traced, b: &Traced) -> Traced {
        Tracing::strict(a, b, |a, b| a * b)
    }
    fn div(&self, division: Division, a: &Traced, b: &Traced) -> Traced {
        match (a, b) {
            (Traced::Number(0), Traced::Number(0) | Traced::Foreign | Traced::Quotient)
                if division == Division::Controlled =>
            {
                Traced::Number(0)
            }
            (Traced::Number(_), Traced::Number(0)) => Traced::Quotient,
            _ => Tracing::strict(a, b, |a, b| a / b),
        }
    }
    fn compare(&self, _: ComparisonOperator, a: &Traced, b: &Traced) -> bool {
        a == b
    }
    fn same(&self, a: &Traced, b: &Traced) -> bool {
        a == b
    }
    fn select(&self, truth: &bool, a: &Traced, b: &Traced) -> Traced {
        if *truth { *a } else { *b }
    }
    fn literal(&self, _: &Literal) -> Result<Traced, LiteralError> {
        Err(LiteralError::NotRepresentable("traced numbers"))
    }
    /// The tensor model language has no integer operations.
    fn integer_operation(&self, _: IntegerOperation, a: &Traced, b: &Traced) -> Traced {
        Tracing::strict(a, b, |a, _| a)
    }
    fn absolute(&self, a: &Traced) -> Traced {
        Tracing::strict(a, a, |a, _| a.abs())
    }
    fn truncation(&self, a: &Traced) -> Traced {
        *a
    }
    fn primitive(&self, _: Primitive, operands: &[Traced]) -> Traced {
        Tracing::strict(&operands[0], &operands[operands.len() - 1], |a, _| a)
    }
    fn extremum_identity(&self, _: Extremum) -> Traced {
        Traced::Number(0)
    }
    fn truth(&self, known: Option<bool>) -> bool {
        known == Some(true)
    }
    fn connect(&self, connective: Connective, a: &bool, b: &bool) -> bool {
        connective.holds(*a, *b)
    }
    fn known(&self, truth: &bool) -> Option<bool> {
        Some(*truth)
    }
}

impl InitialValues for Tracing {
    fn defined(&self, random: &mut XorShift) -> Traced {
        Traced::Number(random.below(4) as i64)
    }
}
