//! `V ∪ {•}` over any number system: Definitions 4 and 8, once for all of them.

use super::{
    Arithmetic, Array, Column, ComparisonOperator, Connective, Division, ElementType, Extremum,
    IntegerOperation, Literal, LiteralError, NumberSystem, Primitive, Strided, ValueDomain,
};

/// A number system with the undefined value, `None`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extended<S>(pub S);

impl<S: NumberSystem<Number: Default>> ValueDomain for Extended<S> {
    type Value = Option<S::Number>;
    /// `None` where an operand was undefined.
    type Truth = Option<bool>;
    type Array = Column<S::Number>;

    fn undefined(&self) -> Self::Value {
        None
    }

    fn words(&self, value: &Self::Value) -> usize {
        value.as_ref().map_or(0, |number| self.0.words(number))
    }

    fn index(&self, index: i64) -> Self::Value {
        Some(self.0.index(index))
    }

    fn index_as(&self, of: ElementType, index: i64) -> Self::Value {
        Some(self.0.index_as(of, index))
    }

    fn position(&self, a: &Self::Value) -> Option<Option<i64>> {
        Some(a.as_ref().and_then(|a| match self.0.write(a) {
            Literal::Exact(number) => i64::try_from(number).ok(),
            _ => None,
        }))
    }

    fn like(&self, a: &Self::Value, index: i64) -> Self::Value {
        Some(self.0.like(a.as_ref()?, index))
    }

    /// **rink-definition-4** (Definition 4, (i)): `v ∘ • = • ∘ v = •`; `• ∘ • = •` is ours.
    fn add(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.0.arithmetic(Arithmetic::Add, a.as_ref()?, b.as_ref()?)
    }

    /// **rink-definition-4** (Definition 4, (i)), as for `add`.
    fn sub(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.0.arithmetic(Arithmetic::Sub, a.as_ref()?, b.as_ref()?)
    }

    /// **rink-definition-4** (Definition 4, (i)), as for `add`.
    fn mul(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.0.arithmetic(Arithmetic::Mul, a.as_ref()?, b.as_ref()?)
    }

    /// **rink-definition-8** (Definition 8) where `a` is 0, **rink-definition-4** (Definition 4, (ii)) elsewhere; `•/• = •` is ours.
    fn div(&self, division: Division, a: &Self::Value, b: &Self::Value) -> Self::Value {
        let a = a.as_ref()?;
        let controlled = division.is_controlled() && self.0.is_zero(a);
        match b {
            Some(b) if division == Division::System => self.0.arithmetic(Arithmetic::Quotient, a, b),
            None => controlled.then(|| self.0.like(a, 0)),
            Some(b) if self.0.is_zero(b) => controlled.then(|| self.0.like(a, 0)),
            Some(b) => self.0.arithmetic(Arithmetic::Quotient, a, b),
        }
    }

    fn negate(&self, a: &Self::Value) -> Self::Value {
        self.0.negated(a.as_ref()?)
    }

    fn accumulated(&self, a: &Self::Value) -> Self::Value {
        self.0.accumulated(a.as_ref()?)
    }

    fn result_of(&self, accumulated: Self::Value, term: &Self::Value) -> Self::Value {
        self.0.result_of(accumulated.as_ref()?, term.as_ref()?)
    }

    fn compare(&self, comparison: ComparisonOperator, a: &Self::Value, b: &Self::Value) -> Self::Truth {
        Some(comparison.holds(self.0.order(a.as_ref()?, b.as_ref()?)))
    }

    fn same(&self, a: &Self::Value, b: &Self::Value) -> Self::Truth {
        Some(match (a, b) {
            (Some(a), Some(b)) => self.0.same(a, b),
            (None, None) => true,
            _ => false,
        })
    }

    fn select(&self, truth: &Self::Truth, a: &Self::Value, b: &Self::Value) -> Self::Value {
        if (*truth)? { a.clone() } else { b.clone() }
    }

    fn select_truth(&self, truth: &Self::Truth, a: &Self::Truth, b: &Self::Truth) -> Self::Truth {
        if (*truth)? { *a } else { *b }
    }

    fn literal(&self, literal: &Literal) -> Result<Self::Value, LiteralError> {
        self.0.read(literal).map(Some)
    }

    fn literal_as(&self, of: ElementType, literal: &Literal) -> Result<Self::Value, LiteralError> {
        self.0.read_as(of, literal).map(Some)
    }

    fn extremum(&self, extremum: Extremum, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.0.arithmetic(Arithmetic::Extremum(extremum), a.as_ref()?, b.as_ref()?)
    }

    fn absolute(&self, a: &Self::Value) -> Self::Value {
        self.0.absolute(a.as_ref()?)
    }

    fn truncation(&self, a: &Self::Value) -> Self::Value {
        self.0.truncation(a.as_ref()?)
    }

    fn cast(&self, types: [ElementType; 2], a: &Self::Value) -> Self::Value {
        self.0.cast(types, a.as_ref()?)
    }

    fn primitive(&self, primitive: Primitive, operands: &[Self::Value]) -> Self::Value {
        let operands: Vec<S::Number> = operands.iter().cloned().collect::<Option<_>>()?;
        self.0.primitive(primitive, &operands)
    }

    fn extremum_identity(&self, extremum: Extremum) -> Self::Value {
        self.0.extremum_identity(extremum)
    }

    fn extremum_identity_as(&self, of: ElementType, extremum: Extremum) -> Self::Value {
        self.0.extremum_identity_as(of, extremum)
    }

    fn integer_operation(
        &self,
        operation: IntegerOperation,
        a: &Self::Value,
        b: &Self::Value,
    ) -> Self::Value {
        self.0.arithmetic(Arithmetic::Integers(operation), a.as_ref()?, b.as_ref()?)
    }

    fn truth(&self, known: Option<bool>) -> Self::Truth {
        known
    }

    fn connect(&self, connective: Connective, a: &Self::Truth, b: &Self::Truth) -> Self::Truth {
        Some(connective.holds((*a)?, (*b)?))
    }

    fn known(&self, truth: &Self::Truth) -> Option<bool> {
        *truth
    }

    fn sum_of_products(
        &self,
        n: usize,
        a: Strided<'_, Self::Array>,
        b: Strided<'_, Self::Array>,
    ) -> Self::Value {
        match (a.array.all_defined(), b.array.all_defined()) {
            (Some(left), Some(right)) if self.0.is_plain() => {
                let a = Strided { array: left, offset: a.offset, stride: a.stride };
                let b = Strided { array: right, offset: b.offset, stride: b.stride };
                Some(self.0.dot(n, a, b))
            }
            _ => self.sum((0..n).map(|l| self.mul(&a.array.get(a.at(l)), &b.array.get(b.at(l))))),
        }
    }
}
