//! A number system on a machine whose operators may trap: each value with whether its evaluation traps.

use super::machine::Traps;
use super::{
    ComparisonOperator, Connective, Division, ElementType, Extended, Extremum, IntegerOperation, Literal,
    LiteralError, Machine, NumberSystem, Primitive, ValueDomain,
};
use base::seeded::Seeded;

/// A number system with `•`, on a machine with traps.
#[derive(Clone, Copy, Debug)]
pub struct Trapping<S> {
    /// The number system.
    pub domain: Extended<S>,
    /// What traps.
    pub machine: Machine,
}

/// A value, and what is known of its evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated<V> {
    /// The value; arbitrary where the evaluation traps.
    pub value: V,
    /// The element type in the program; `None` for truths, and where nobody says it.
    pub of: Option<ElementType>,
    /// Whether the evaluation traps.
    pub traps: bool,
}

impl<V> Evaluated<V> {
    /// A value of an element type whose evaluation does not trap.
    pub fn of(of: ElementType, value: V) -> Evaluated<V> {
        Evaluated { value, of: Some(of), traps: false }
    }

    /// A truth whose evaluation does not trap.
    pub fn truth(value: V) -> Evaluated<V> {
        Evaluated { value, of: None, traps: false }
    }
}

/// The number of a number system, or `•`.
type Value<S> = Option<<S as NumberSystem>::Number>;

impl<S: NumberSystem<Number: Default>> Trapping<S> {
    /// When division traps. Only values that nobody uses have no type.
    fn of_division(&self, of: Option<ElementType>) -> Traps {
        self.machine.traps_of_division(of.unwrap_or(ElementType::Real))
    }

    /// A sum, a difference, a product, `−x` or `|x|`.
    fn checked(&self, result: Evaluated<Value<S>>) -> Evaluated<Value<S>> {
        trapping_if(result.of.is_some_and(|of| self.machine.traps_on_overflow(of)), result)
    }

    /// A division with its value: who divides by poison traps, and so who divides poison by −1 where that may overflow.
    fn divided(
        &self,
        traps: Traps,
        value: Value<S>,
        a: &Evaluated<Value<S>>,
        b: &Evaluated<Value<S>>,
    ) -> Evaluated<Value<S>> {
        let system = &self.domain.0;
        let by_zero = b.value.as_ref().is_none_or(|b| system.is_zero(b));
        let by_minus_one = b.value.as_ref().is_none_or(|b| system.same(b, &system.like(b, -1)));
        let overflows = by_minus_one && (a.value.is_none() || value.is_none());
        let here = traps.by_zero && by_zero || traps.overflow && overflows;
        Evaluated { value, of: a.of.or(b.of), traps: a.traps || b.traps || here }
    }
}

/// An operation that traps, or does not, where it has no value.
fn trapping_if<V>(here: bool, of: Evaluated<Option<V>>) -> Evaluated<Option<V>> {
    Evaluated { traps: of.traps || here && of.value.is_none(), ..of }
}

/// A strict operation with its value.
fn of_two<T, U, V>(value: V, a: &Evaluated<T>, b: &Evaluated<U>) -> Evaluated<V> {
    Evaluated { value, of: a.of.or(b.of), traps: a.traps || b.traps }
}

/// A selection with its value: what is not chosen is evaluated, too.
fn selected<V>(
    value: V,
    truth: &Evaluated<Option<bool>>,
    a: &Evaluated<V>,
    b: &Evaluated<V>,
) -> Evaluated<V> {
    let both = of_two(value, a, b);
    let traps = truth.traps || both.traps && !Seeded::GuardTraps.is_in();
    Evaluated { traps, ..both }
}

/// A choice of what to evaluate, which traps where the truth is poison.
fn chosen<V: Clone>(
    truth: &Evaluated<Option<bool>>,
    a: &Evaluated<Option<V>>,
    b: &Evaluated<Option<V>>,
) -> Evaluated<Option<V>> {
    let of = a.of.or(b.of);
    match truth.value {
        None => Evaluated { value: None, of, traps: true },
        Some(holds) => {
            let chosen = if holds { a } else { b };
            Evaluated { value: chosen.value.clone(), of, traps: truth.traps || chosen.traps }
        }
    }
}

impl<S: NumberSystem<Number: Default>> ValueDomain for Trapping<S> {
    type Value = Evaluated<Value<S>>;
    type Truth = Evaluated<Option<bool>>;
    type Array = Vec<Self::Value>;

    fn undefined(&self) -> Self::Value {
        Evaluated { value: None, of: None, traps: false }
    }

    fn undefined_as(&self, of: ElementType) -> Self::Value {
        Evaluated::of(of, None)
    }

    fn words(&self, a: &Self::Value) -> usize {
        self.domain.words(&a.value)
    }

    fn position(&self, a: &Self::Value) -> Option<Option<i64>> {
        self.domain.position(&a.value)
    }

    fn index(&self, index: i64) -> Self::Value {
        Evaluated::of(ElementType::Real, self.domain.index(index))
    }

    fn index_as(&self, of: ElementType, index: i64) -> Self::Value {
        Evaluated::of(of, self.domain.index_as(of, index))
    }

    fn like(&self, a: &Self::Value, index: i64) -> Self::Value {
        Evaluated { value: self.domain.like(&a.value, index), ..a.clone() }
    }

    fn add(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.checked(of_two(self.domain.add(&a.value, &b.value), a, b))
    }

    fn sub(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.checked(of_two(self.domain.sub(&a.value, &b.value), a, b))
    }

    fn mul(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.checked(of_two(self.domain.mul(&a.value, &b.value), a, b))
    }

    fn div(&self, division: Division, a: &Self::Value, b: &Self::Value) -> Self::Value {
        let value = self.domain.div(division, &a.value, &b.value);
        match division {
            Division::System => self.divided(self.of_division(a.of.or(b.of)), value, a, b),
            Division::Controlled | Division::Extended => of_two(value, a, b),
        }
    }

    fn negate(&self, a: &Self::Value) -> Self::Value {
        self.checked(Evaluated { value: self.domain.negate(&a.value), ..a.clone() })
    }

    /// No difference that may trap.
    fn is_finite(&self, a: &Self::Value) -> Self::Truth {
        Evaluated { value: self.domain.is_finite(&a.value), of: None, traps: a.traps }
    }

    /// No difference that may trap.
    fn complement(&self, a: &Self::Value) -> Self::Value {
        Evaluated { value: self.domain.complement(&a.value), ..a.clone() }
    }

    fn accumulated(&self, a: &Self::Value) -> Self::Value {
        let of = a.of.map(|of| self.machine.accumulator(of));
        let here = a.of.is_some_and(|of| self.machine.traps_in_reductions(of));
        trapping_if(here, Evaluated { value: self.domain.accumulated(&a.value), of, traps: a.traps })
    }

    fn result_of(&self, all: Self::Value, term: &Self::Value) -> Self::Value {
        let value = self.domain.result_of(all.value, &term.value);
        let here = term.of.is_some_and(|of| self.machine.traps_in_reductions(of));
        trapping_if(here, Evaluated { value, of: term.of, traps: all.traps || term.traps })
    }

    fn compare(&self, comparison: ComparisonOperator, a: &Self::Value, b: &Self::Value) -> Self::Truth {
        of_two(self.domain.compare(comparison, &a.value, &b.value), a, b)
    }

    /// A trap is the same as a trap only.
    fn same(&self, a: &Self::Value, b: &Self::Value) -> Self::Truth {
        Evaluated::truth(match (a.traps, b.traps) {
            (false, false) => self.domain.same(&a.value, &b.value),
            (a, b) => Some(a == b),
        })
    }

    /// A select drops the poison of the value that it does not choose, never its trap.
    fn select(&self, truth: &Self::Truth, a: &Self::Value, b: &Self::Value) -> Self::Value {
        selected(self.domain.select(&truth.value, &a.value, &b.value), truth, a, b)
    }

    fn select_truth(&self, truth: &Self::Truth, a: &Self::Truth, b: &Self::Truth) -> Self::Truth {
        selected(self.domain.select_truth(&truth.value, &a.value, &b.value), truth, a, b)
    }

    fn conditional(&self, truth: &Self::Truth, a: &Self::Value, b: &Self::Value) -> Self::Value {
        chosen(truth, a, b)
    }

    fn conditional_truth(&self, truth: &Self::Truth, a: &Self::Truth, b: &Self::Truth) -> Self::Truth {
        chosen(truth, a, b)
    }

    fn literal(&self, literal: &Literal) -> Result<Self::Value, LiteralError> {
        Ok(Evaluated::of(ElementType::Real, self.domain.literal(literal)?))
    }

    fn literal_as(&self, of: ElementType, literal: &Literal) -> Result<Self::Value, LiteralError> {
        Ok(Evaluated::of(of, self.domain.literal_as(of, literal)?))
    }

    fn extremum(&self, extremum: Extremum, a: &Self::Value, b: &Self::Value) -> Self::Value {
        of_two(self.domain.extremum(extremum, &a.value, &b.value), a, b)
    }

    fn absolute(&self, a: &Self::Value) -> Self::Value {
        self.checked(Evaluated { value: self.domain.absolute(&a.value), ..a.clone() })
    }

    fn truncation(&self, a: &Self::Value) -> Self::Value {
        Evaluated { value: self.domain.truncation(&a.value), ..a.clone() }
    }

    fn cast(&self, [from, to]: [ElementType; 2], a: &Self::Value) -> Self::Value {
        let cast = Evaluated { value: self.domain.cast([from, to], &a.value), of: Some(to), traps: a.traps };
        trapping_if(self.machine.traps_on_casts([from, to]), cast)
    }

    fn primitive(&self, primitive: Primitive, operands: &[Self::Value]) -> Self::Value {
        let values: Vec<Value<S>> = operands.iter().map(|operand| operand.value.clone()).collect();
        let value = self.domain.primitive(primitive, &values);
        match (primitive, operands) {
            (Primitive::Quotient, [a, b]) => self.divided(self.of_division(a.of.or(b.of)), value, a, b),
            _ => {
                let of = primitive.target().or(operands.iter().find_map(|operand| operand.of));
                let traps = operands.iter().any(|operand| operand.traps);
                let here = primitive.is_shift() && of.is_some_and(|of| self.machine.traps_on_shifts(of));
                trapping_if(here, Evaluated { value, of, traps })
            }
        }
    }

    fn extremum_identity(&self, extremum: Extremum) -> Self::Value {
        Evaluated::of(ElementType::Real, self.domain.extremum_identity(extremum))
    }

    fn extremum_identity_as(&self, of: ElementType, extremum: Extremum) -> Self::Value {
        Evaluated::of(of, self.domain.extremum_identity_as(of, extremum))
    }

    fn integer_operation(
        &self,
        operation: IntegerOperation,
        a: &Self::Value,
        b: &Self::Value,
    ) -> Self::Value {
        let value = self.domain.integer_operation(operation, &a.value, &b.value);
        let of = a.of.or(b.of);
        match operation {
            IntegerOperation::Div => self.divided(self.of_division(of), value, a, b),
            IntegerOperation::Mod | IntegerOperation::Rem => {
                let traps = self.machine.traps_of_remainder(of.unwrap_or(ElementType::Integer));
                self.divided(traps, value, a, b)
            }
            IntegerOperation::And | IntegerOperation::Or | IntegerOperation::Xor => of_two(value, a, b),
        }
    }

    fn truth(&self, known: Option<bool>) -> Self::Truth {
        Evaluated::truth(known)
    }

    fn connect(&self, connective: Connective, a: &Self::Truth, b: &Self::Truth) -> Self::Truth {
        of_two(self.domain.connect(connective, &a.value, &b.value), a, b)
    }

    fn known(&self, truth: &Self::Truth) -> Option<bool> {
        if truth.traps { None } else { truth.value }
    }
}
