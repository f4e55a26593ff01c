//! The value domain of z3: numbers of element types, each with a condition that it is defined.
//!
//! Evaluation over this domain *is* the encoding, so the semantics of operators is not written a second time. An
//! operation that a theory lacks has an arbitrary value, which is sound.

use crate::machines::OnTerms;
use crate::typed::{AnyTheory, Encoding, TypedTerm};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use values::{
    Arithmetic, ComparisonOperator, Connective, Division, Extremum, IntegerOperation, Literal, LiteralError,
    Machine, Primitive, SystemName, ValueDomain,
};
use z3::Model;
use z3::ast::Bool;

/// A number with its definedness.
#[derive(Clone, Debug)]
pub struct SmtNumber {
    /// The number; arbitrary where it is undefined.
    pub number: TypedTerm,
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

/// `V ∪ {•}` of the element types that a number system takes for those of a program.
#[derive(Clone, Copy, Debug)]
pub struct Smt {
    /// The number system.
    pub system: SystemName,
    /// What operations do.
    pub machine: Machine,
    /// How integers that wrap are given to z3.
    pub encoding: Encoding,
}

/// `a ∧ b`; equal conditions are one, because z3 takes a conjunction that is shared `n` times apart `2ⁿ` times. That
/// serves values that are combined with themselves; conditions that share parts and are not equal are still taken
/// apart.
pub(crate) fn both(a: &Bool, b: &Bool) -> Bool {
    match () {
        () if a == b || b.as_bool() == Some(true) => a.clone(),
        () if a.as_bool() == Some(true) => b.clone(),
        () => Bool::and(&[a, b]),
    }
}

/// The name of arbitrary numbers.
const ANY: &str = "value";

impl Smt {
    /// The domain of a number system on a machine, in which integers that wrap are bits.
    pub fn new(system: SystemName, machine: Machine) -> Smt {
        Smt { system, machine, encoding: Encoding::Bits }
    }

    /// A defined number.
    pub fn exactly(&self, number: TypedTerm) -> SmtNumber {
        SmtNumber { number, defined: Bool::from_bool(true) }
    }

    /// An arbitrary value of an element type; `undefined` says whether it may be `•`. `None` for a type without a
    /// theory.
    pub fn any(&self, of: ElementType, undefined: bool) -> Option<SmtNumber> {
        let defined = if undefined { Bool::fresh_const("defined") } else { Bool::from_bool(true) };
        Some(SmtNumber { number: TypedTerm::any(self.theory(of)?, ANY)?, defined })
    }

    /// The theory of what the system takes for an element type.
    pub fn theory(&self, of: ElementType) -> Option<AnyTheory> {
        AnyTheory::of(self.system.of(of), self.encoding)
    }

    /// An arbitrary value of the type of another, undefined where an operand is, and perhaps elsewhere.
    fn any_like(&self, a: &SmtNumber, defined: &Bool) -> SmtNumber {
        SmtNumber { number: a.number.any_like(ANY), defined: both(defined, &Bool::fresh_const("defined")) }
    }

    /// A value that exists under a condition, where operands are defined; arbitrary, of the type of another, if z3 cannot
    /// express it.
    fn partial(&self, value: Option<(TypedTerm, Bool)>, like: &SmtNumber, defined: &Bool) -> SmtNumber {
        match value {
            Some((number, exists)) => SmtNumber { number, defined: both(defined, &exists) },
            None => self.any_like(like, defined),
        }
    }

    fn arithmetic(&self, operation: Arithmetic, a: &SmtNumber, b: &SmtNumber) -> SmtNumber {
        let defined = both(&a.defined, &b.defined);
        let result = OnTerms(&self.machine).arithmetic(operation, &a.number, &b.number);
        self.partial(result, a, &defined)
    }

    /// An element of an input: an arbitrary value of its type. `None` for a type without a theory.
    pub fn unknown(&self, of: ElementType, undefined: bool) -> Option<Element<Smt>> {
        match of {
            ElementType::Boolean => Some(Datum::Truth(self.any_truth(undefined))),
            of => self.any(of, undefined).map(Datum::Number),
        }
    }

    /// An uninterpreted function of numbers, strict and otherwise total; `None` if an argument is a truth value or a type has
    /// no theory.
    pub fn apply(&self, of: ElementType, name: &str, arguments: &[Element<Smt>]) -> Option<Element<Smt>> {
        let (mut numbers, mut defined) = (Vec::new(), Vec::new());
        for argument in arguments {
            let Datum::Number(argument) = argument else { return None };
            numbers.push(argument.number.clone());
            defined.push(argument.defined.clone());
        }
        let number = TypedTerm::apply(self.theory(of)?, name, &numbers)?;
        Some(Datum::Number(SmtNumber { number, defined: Bool::and(&defined) }))
    }

    /// The term of a type with a theory; truth values have none.
    fn made(&self, number: Option<TypedTerm>, defined: bool) -> SmtNumber {
        let defined = Bool::from_bool(defined && number.is_some());
        SmtNumber { number: number.unwrap_or_else(TypedTerm::zero), defined }
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
            Datum::Number(number) if holds(&number.defined)? => Some(Some(number.number.written(model)?)),
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

impl ValueDomain for Smt {
    type Value = SmtNumber;
    type Truth = SmtTruth;
    type Array = Vec<SmtNumber>;

    fn undefined(&self) -> SmtNumber {
        self.made(self.theory(ElementType::Real).and_then(|of| TypedTerm::index(of, 0)), false)
    }

    fn index(&self, index: i64) -> SmtNumber {
        self.index_as(ElementType::Real, index)
    }

    fn index_as(&self, of: ElementType, index: i64) -> SmtNumber {
        self.made(self.theory(of).and_then(|of| TypedTerm::index(of, index)), true)
    }

    fn like(&self, a: &SmtNumber, index: i64) -> SmtNumber {
        self.exactly(a.number.like(index))
    }

    fn add(&self, a: &SmtNumber, b: &SmtNumber) -> SmtNumber {
        self.arithmetic(Arithmetic::Add, a, b)
    }

    fn sub(&self, a: &SmtNumber, b: &SmtNumber) -> SmtNumber {
        self.arithmetic(Arithmetic::Sub, a, b)
    }

    fn mul(&self, a: &SmtNumber, b: &SmtNumber) -> SmtNumber {
        self.arithmetic(Arithmetic::Mul, a, b)
    }

    /// The float with the other sign; of other numbers, the product with −1.
    fn negate(&self, a: &SmtNumber) -> SmtNumber {
        if a.number.is_float() {
            return SmtNumber { number: a.number.mul(&a.number.like(-1)), defined: a.defined.clone() };
        }
        self.mul(&self.like(a, -1), a)
    }

    fn div(&self, division: Division, a: &SmtNumber, b: &SmtNumber) -> SmtNumber {
        if division == Division::System {
            return self.arithmetic(Arithmetic::Quotient, a, b);
        }
        let quotient = self.arithmetic(Arithmetic::Quotient, a, b);
        let divides = both(&b.defined, &b.number.is_zero().not());
        let exists = both(&quotient.defined, &divides);
        if !division.is_controlled() {
            return SmtNumber { number: quotient.number, defined: exists };
        }
        let number = quotient.number.select(&divides, &a.number.like(0));
        let defined = divides.ite(&exists, &both(&a.defined, &a.number.is_zero()));
        SmtNumber { number, defined }
    }

    fn compare(&self, comparison: ComparisonOperator, a: &SmtNumber, b: &SmtNumber) -> SmtTruth {
        let [left, right] = [a, b].map(|value| OnTerms(&self.machine).operand(&value.number));
        let truth = left.compare(comparison, &right);
        SmtTruth { truth, defined: both(&a.defined, &b.defined) }
    }

    fn same(&self, a: &SmtNumber, b: &SmtNumber) -> SmtTruth {
        let same = both(&a.defined, &a.number.same(&b.number));
        let undefined = Bool::or(&[&a.defined, &b.defined]).not();
        let truth = Bool::or(&[both(&b.defined, &same), undefined]);
        SmtTruth { truth, defined: Bool::from_bool(true) }
    }

    /// The number of a value that is known to be undefined has no meaning, nor does its type.
    fn select(&self, truth: &SmtTruth, a: &SmtNumber, b: &SmtNumber) -> SmtNumber {
        let defined = both(&truth.defined, &truth.truth.ite(&a.defined, &b.defined));
        let number = match [a, b].map(|value| value.defined.as_bool()) {
            [Some(false), _] => b.number.clone(),
            [_, Some(false)] => a.number.clone(),
            _ => a.number.select(&truth.truth, &b.number),
        };
        SmtNumber { number, defined }
    }

    fn select_truth(&self, truth: &SmtTruth, a: &SmtTruth, b: &SmtTruth) -> SmtTruth {
        let defined = both(&truth.defined, &truth.truth.ite(&a.defined, &b.defined));
        SmtTruth { truth: truth.truth.ite(&a.truth, &b.truth), defined }
    }

    fn literal(&self, literal: &Literal) -> Result<SmtNumber, LiteralError> {
        self.literal_as(ElementType::Real, literal)
    }

    fn literal_as(&self, of: ElementType, literal: &Literal) -> Result<SmtNumber, LiteralError> {
        let number = self.theory(of).and_then(|of| TypedTerm::literal(of, literal));
        let number = number.ok_or(LiteralError::NotRepresentable(self.system.of(of).keyword()))?;
        Ok(self.exactly(number))
    }

    fn integer_operation(&self, operation: IntegerOperation, a: &SmtNumber, b: &SmtNumber) -> SmtNumber {
        self.arithmetic(Arithmetic::Integers(operation), a, b)
    }

    fn extremum(&self, extremum: Extremum, a: &SmtNumber, b: &SmtNumber) -> SmtNumber {
        self.arithmetic(Arithmetic::Extremum(extremum), a, b)
    }

    fn absolute(&self, a: &SmtNumber) -> SmtNumber {
        self.partial(OnTerms(&self.machine).absolute(&a.number), a, &a.defined)
    }

    /// Casts know their types.
    fn truncation(&self, a: &SmtNumber) -> SmtNumber {
        self.any_like(a, &a.defined)
    }

    fn cast(&self, [_, to]: [ElementType; 2], a: &SmtNumber) -> SmtNumber {
        let cast = self.theory(to).and_then(|to| OnTerms(&self.machine).cast(&a.number, to));
        self.partial(cast, a, &a.defined)
    }

    fn primitive(&self, primitive: Primitive, operands: &[SmtNumber]) -> SmtNumber {
        let [a, ..] = operands else { return self.undefined() };
        let numbers: Vec<&TypedTerm> = operands.iter().map(|operand| &operand.number).collect();
        let defined =
            operands.iter().fold(Bool::from_bool(true), |all, operand| both(&all, &operand.defined));
        let to = primitive.target().and_then(|to| self.theory(to));
        self.partial(OnTerms(&self.machine).primitive(primitive, to, &numbers), a, &defined)
    }

    fn extremum_identity(&self, extremum: Extremum) -> SmtNumber {
        self.extremum_identity_as(ElementType::Real, extremum)
    }

    fn extremum_identity_as(&self, of: ElementType, extremum: Extremum) -> SmtNumber {
        self.made(self.theory(of).and_then(|of| TypedTerm::extremum_identity(of, extremum)), true)
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
