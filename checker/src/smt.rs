//! The value domain of z3: numbers of a theory, each with a condition that it is defined.
//!
//! Evaluation over this domain *is* the encoding, so the semantics of operators is not written a second time. An
//! operation that a theory lacks has an arbitrary value, which is sound.

use crate::theories::Theory;
use selfsame_core::operations::{Datum, Element};
use values::{
    ComparisonOperator, Connective, Division, Extremum, IntegerOperation, Literal, LiteralError, ValueDomain,
};
use z3::Model;
use z3::ast::Bool;

/// A number with its definedness.
#[derive(Clone, Debug)]
pub struct SmtNumber<N> {
    /// The number; arbitrary where it is undefined.
    pub number: N,
    /// The condition that it is defined.
    pub defined: Bool,
}

/// A truth value with its definedness.
#[derive(Clone, Debug)]
pub struct SmtTruth {
    /// The truth value.
    pub truth: Bool,
    /// The condition that it is defined.
    pub defined: Bool,
}

/// `V ∪ {•}` over a theory.
#[derive(Clone, Copy, Debug)]
pub struct Smt<T>(pub T);

/// `a ∧ b`; equal conditions are one, because z3 takes a conjunction that is shared `n` times apart `2ⁿ` times. That
/// serves values that are combined with themselves; conditions that share parts and are not equal are still taken
/// apart.
fn both(a: &Bool, b: &Bool) -> Bool {
    match () {
        () if a == b || b.as_bool() == Some(true) => a.clone(),
        () if a.as_bool() == Some(true) => b.clone(),
        () => Bool::and(&[a, b]),
    }
}

impl<T: Theory> Smt<T> {
    fn number(&self, number: T::Number, defined: Bool) -> SmtNumber<T::Number> {
        SmtNumber { number, defined }
    }

    /// A defined number.
    pub fn exactly(&self, number: T::Number) -> SmtNumber<T::Number> {
        self.number(number, Bool::from_bool(true))
    }

    /// An arbitrary value; `undefined` says whether it may be `•`.
    pub fn any(&self, undefined: bool) -> SmtNumber<T::Number> {
        let defined = if undefined { Bool::fresh_const("defined") } else { Bool::from_bool(true) };
        self.number(self.0.any("value"), defined)
    }

    /// The conditions that the values are equal, and that the first is defined; `None` for a number and a truth.
    pub fn sameness(&self, a: &Element<Self>, b: &Element<Self>) -> Option<[Bool; 2]> {
        match (a, b) {
            (Datum::Number(a), Datum::Number(b)) => Some([self.same(a, b).truth, a.defined.clone()]),
            (Datum::Truth(a), Datum::Truth(b)) => {
                let both = Bool::and(&[&a.defined, &b.defined, &a.truth.iff(&b.truth)]);
                let neither = Bool::or(&[&a.defined, &b.defined]).not();
                Some([Bool::or(&[both, neither]), a.defined.clone()])
            }
            _ => None,
        }
    }

    /// The condition that a value is a defined truth.
    pub fn is_true(&self, value: &Element<Self>) -> Bool {
        match value {
            Datum::Truth(truth) => both(&truth.truth, &truth.defined),
            Datum::Number(_) => Bool::from_bool(true),
        }
    }

    /// The condition that a value is true or undefined.
    pub fn is_not_false(&self, value: &Element<Self>) -> Bool {
        match value {
            Datum::Truth(truth) => truth.defined.implies(&truth.truth),
            Datum::Number(_) => Bool::from_bool(true),
        }
    }

    /// The value in the solver's model, if it can be written; the inner `None` is `•`.
    pub fn written(&self, model: &Model, value: &Element<Self>) -> Option<Option<Literal>> {
        let holds = |truth: &Bool| model.eval(truth, true)?.as_bool();
        match value {
            Datum::Number(number) if holds(&number.defined)? => {
                Some(Some(self.0.written(model, &number.number)?))
            }
            Datum::Truth(truth) if holds(&truth.defined)? => {
                Some(Some(Literal::Boolean(holds(&truth.truth)?)))
            }
            _ => Some(None),
        }
    }

    /// An arbitrary truth value; `undefined` says whether it may be `•`.
    pub fn any_truth(&self, undefined: bool) -> SmtTruth {
        let defined = if undefined { Bool::fresh_const("defined") } else { Bool::from_bool(true) };
        SmtTruth { truth: Bool::fresh_const("truth"), defined }
    }
}

impl<T: Theory> ValueDomain for Smt<T> {
    type Value = SmtNumber<T::Number>;
    type Truth = SmtTruth;
    type Array = Vec<Self::Value>;

    fn undefined(&self) -> Self::Value {
        self.number(self.0.index(0), Bool::from_bool(false))
    }

    fn index(&self, index: i64) -> Self::Value {
        self.number(self.0.index(index), Bool::from_bool(true))
    }

    fn add(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.number(self.0.add(&a.number, &b.number), both(&a.defined, &b.defined))
    }

    fn sub(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.number(self.0.sub(&a.number, &b.number), both(&a.defined, &b.defined))
    }

    fn mul(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.number(self.0.mul(&a.number, &b.number), both(&a.defined, &b.defined))
    }

    fn div(&self, division: Division, a: &Self::Value, b: &Self::Value) -> Self::Value {
        let divides = both(&b.defined, &self.0.is_zero(&b.number).not());
        let quotient = self.0.quotient(&a.number, &b.number);
        match division {
            Division::Extended => self.number(quotient, both(&a.defined, &divides)),
            Division::Controlled => {
                let number = self.0.select(&divides, &quotient, &self.0.index(0));
                let defined = both(&a.defined, &Bool::or(&[divides, self.0.is_zero(&a.number)]));
                self.number(number, defined)
            }
        }
    }

    fn compare(&self, comparison: ComparisonOperator, a: &Self::Value, b: &Self::Value) -> SmtTruth {
        let truth = self.0.compare(comparison, &a.number, &b.number);
        SmtTruth { truth, defined: both(&a.defined, &b.defined) }
    }

    fn same(&self, a: &Self::Value, b: &Self::Value) -> SmtTruth {
        let same = both(&a.defined, &self.0.same(&a.number, &b.number));
        let undefined = Bool::or(&[&a.defined, &b.defined]).not();
        let truth = Bool::or(&[both(&b.defined, &same), undefined]);
        SmtTruth { truth, defined: Bool::from_bool(true) }
    }

    fn select(&self, truth: &SmtTruth, a: &Self::Value, b: &Self::Value) -> Self::Value {
        let defined = both(&truth.defined, &truth.truth.ite(&a.defined, &b.defined));
        self.number(self.0.select(&truth.truth, &a.number, &b.number), defined)
    }

    fn literal(&self, literal: &Literal) -> Result<Self::Value, LiteralError> {
        let number = self.0.literal(literal).ok_or(LiteralError::NotRepresentable(self.0.system().name()))?;
        Ok(self.number(number, Bool::from_bool(true)))
    }

    fn integer_operation(
        &self,
        operation: IntegerOperation,
        a: &Self::Value,
        b: &Self::Value,
    ) -> Self::Value {
        let defined = both(&a.defined, &b.defined);
        match (operation, self.0.integer_operation(operation, &a.number, &b.number)) {
            (IntegerOperation::Div | IntegerOperation::Mod | IntegerOperation::Rem, Some(number)) => {
                self.number(number, both(&defined, &self.0.is_zero(&b.number).not()))
            }
            (_, Some(number)) => self.number(number, defined),
            (_, None) => self.any(true),
        }
    }

    fn extremum(&self, extremum: Extremum, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.number(self.0.extremum(extremum, &a.number, &b.number), both(&a.defined, &b.defined))
    }

    fn absolute(&self, a: &Self::Value) -> Self::Value {
        self.number(self.0.absolute(&a.number), a.defined.clone())
    }

    fn truncation(&self, a: &Self::Value) -> Self::Value {
        match self.0.truncation(&a.number) {
            Some((number, exists)) => self.number(number, both(&a.defined, &exists)),
            None => self.any(true),
        }
    }

    fn extremum_identity(&self, extremum: Extremum) -> Self::Value {
        self.0.extremum_identity(extremum).map_or_else(|| self.undefined(), |number| self.exactly(number))
    }

    fn truth(&self, known: Option<bool>) -> SmtTruth {
        SmtTruth { truth: Bool::from_bool(known.unwrap_or(false)), defined: Bool::from_bool(known.is_some()) }
    }

    fn connect(&self, connective: Connective, a: &SmtTruth, b: &SmtTruth) -> SmtTruth {
        let truth = match connective {
            Connective::And => both(&a.truth, &b.truth),
            Connective::Or => Bool::or(&[&a.truth, &b.truth]),
            Connective::Xor => a.truth.xor(&b.truth),
        };
        SmtTruth { truth, defined: both(&a.defined, &b.defined) }
    }

    fn known(&self, truth: &SmtTruth) -> Option<bool> {
        if truth.defined.as_bool() == Some(true) { truth.truth.as_bool() } else { None }
    }
}
