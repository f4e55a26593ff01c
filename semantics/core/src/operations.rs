//! The point-wise operators of Table 1 on values (§7.3).
//!
//! Every operator is strict, `if` included: Definition 1 wants strict functions, and the paper gives `if` no rule
//! of its own but a row in Table 1 (ledger: `alpha/decision-strict-if`). *error* is the domain's undefined value;
//! `x/0`, `x div 0` and `x mod 0` are *error*. `div` rounds down and `mod` has the sign of its second operand, so
//! that `a = (a div b)·b + a mod b` and the residues of positive moduli are not negative; `and`, `or`, `xor` and
//! `not` on integers are bitwise, in two's complement of unlimited length (ledger:
//! `alpha/decision-integer-operators`).
//!
//! # Ours, not in the paper (ledger: `alpha/decision-casts`)
//! - `abs(a)` is `a` without its sign: for floats, −0 becomes 0 and nan stays nan; the least machine integer stays
//!   itself.
//! - `rem(a, b)` is the remainder of the quotient truncated toward zero: `a − b·trunc(a/b)`, 0 or with the sign of
//!   `a`; `rem(a, 0)` is *error*.
//! - `integer(a)`, `real(a)` and `boolean(a)`: a truth becomes 1 or 0, a number the truth `a <> 0`. An integer is
//!   the same number as a real. A real is rounded to an integer toward zero, and is *error* where the number
//!   system lacks that integer (an infinity, nan). A cast to the same type is the identity.
//!
//! All of them are strict.

use super::Operator;
use super::operators::{Binary, Constant, ElementType, OperandClass, Unary};
use dashu_ratio::RBig;
use values::{
    ComparisonOperator, Connective, Division, Extremum, IntegerOperation, Literal, LiteralError, Primitive,
    ValueDomain,
};

/// An element of a variable: a number, or a truth value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum<V, T> {
    /// Of type integer or real.
    Number(V),
    /// Of type boolean.
    Truth(T),
}

impl<N, T> Datum<Option<N>, Option<T>> {
    /// Whether an element over a number system extended by • is defined.
    pub fn is_defined(&self) -> bool {
        match self {
            Datum::Number(number) => number.is_some(),
            Datum::Truth(truth) => truth.is_some(),
        }
    }
}

/// An element over a value domain.
pub type Element<D> = Datum<<D as ValueDomain>::Value, <D as ValueDomain>::Truth>;

/// **data-types** (§4), **semantics-5** (§11): *error*, with a data type.
pub fn error<D: ValueDomain>(domain: &D, data_type: ElementType) -> Element<D> {
    match data_type {
        ElementType::Boolean => Datum::Truth(domain.truth(None)),
        of => Datum::Number(domain.undefined_as(of)),
    }
}

/// `constant.value`
///
/// # Errors
/// The constant is not a number of the domain.
pub fn constant<D: ValueDomain>(domain: &D, constant: &Constant) -> Result<Element<D>, LiteralError> {
    let number = |number: RBig| domain.literal_as(constant.data_type(), &Literal::Exact(number));
    Ok(match constant {
        Constant::Boolean(truth) => Datum::Truth(domain.truth(Some(*truth))),
        Constant::Integer(integer) => Datum::Number(number(integer.clone().into())?),
        Constant::Real(real) | Constant::Typed(real, _) => Datum::Number(number(real.clone())?),
    })
}

/// `op a`, for an operand of type `of`; negation is multiplication by −1, so that `-0.0` is the float −0.
pub fn unary<D: ValueDomain>(domain: &D, (operator, of): (Unary, ElementType), a: &Element<D>) -> Element<D> {
    match (operator, a) {
        (Unary::Negate, Datum::Number(a)) => Datum::Number(domain.negate(a)),
        (Unary::Not, Datum::Number(a)) => Datum::Number(domain.complement(a)),
        (Unary::Absolute, Datum::Number(a)) => Datum::Number(domain.absolute(a)),
        (Unary::Cast(to), a) => cast(domain, [of, to], a),
        (_, Datum::Truth(a)) => Datum::Truth(negation(domain, a)),
    }
}

/// `to(a)`, for `a` of type `from`.
fn cast<D: ValueDomain>(domain: &D, [from, to]: [ElementType; 2], a: &Element<D>) -> Element<D> {
    match (to, a) {
        (ElementType::Boolean, Datum::Truth(_)) => a.clone(),
        (ElementType::Boolean, Datum::Number(a)) => {
            Datum::Truth(negation(domain, &domain.compare(ComparisonOperator::Equal, a, &domain.like(a, 0))))
        }
        (to, Datum::Truth(a)) => {
            Datum::Number(domain.select(a, &domain.index_as(to, 1), &domain.index_as(to, 0)))
        }
        (to, Datum::Number(a)) => Datum::Number(domain.cast([from, to], a)),
    }
}

fn negation<D: ValueDomain>(domain: &D, a: &D::Truth) -> D::Truth {
    domain.connect(Connective::Xor, a, &domain.truth(Some(true)))
}

/// `a op b`, for operands of one type that has the operator.
pub fn binary<D: ValueDomain>(
    domain: &D,
    division: Division,
    operator: Binary,
    a: &Element<D>,
    b: &Element<D>,
) -> Element<D> {
    match (a, b) {
        (Datum::Number(a), Datum::Number(b)) => numbers(domain, division, operator, a, b),
        (Datum::Truth(a), Datum::Truth(b)) => Datum::Truth(truths(domain, operator, a, b)),
        (a, _) => undefined_like(domain, a),
    }
}

fn numbers<D: ValueDomain>(
    domain: &D,
    division: Division,
    operator: Binary,
    a: &D::Value,
    b: &D::Value,
) -> Element<D> {
    let integers = |operation| Datum::Number(domain.integer_operation(operation, a, b));
    let compare = |comparison, a, b| Datum::Truth(domain.compare(comparison, a, b));
    match operator {
        Binary::Add => Datum::Number(domain.add(a, b)),
        Binary::Sub => Datum::Number(domain.sub(a, b)),
        Binary::Mul => Datum::Number(domain.mul(a, b)),
        Binary::Div => Datum::Number(domain.div(division, a, b)),
        Binary::IntegerDiv => integers(IntegerOperation::Div),
        Binary::Mod => integers(IntegerOperation::Mod),
        Binary::Rem => integers(IntegerOperation::Rem),
        Binary::Min => Datum::Number(domain.extremum(Extremum::Min, a, b)),
        Binary::Max => Datum::Number(domain.extremum(Extremum::Max, a, b)),
        Binary::And => integers(IntegerOperation::And),
        Binary::Or => integers(IntegerOperation::Or),
        Binary::Xor => integers(IntegerOperation::Xor),
        Binary::Equal => compare(ComparisonOperator::Equal, a, b),
        Binary::NotEqual => Datum::Truth(negation(domain, &domain.compare(ComparisonOperator::Equal, a, b))),
        Binary::Less => compare(ComparisonOperator::Less, a, b),
        Binary::LessOrEqual => compare(ComparisonOperator::LessOrEqual, a, b),
        Binary::Greater => compare(ComparisonOperator::Less, b, a),
        Binary::GreaterOrEqual => compare(ComparisonOperator::LessOrEqual, b, a),
    }
}

fn truths<D: ValueDomain>(domain: &D, operator: Binary, a: &D::Truth, b: &D::Truth) -> D::Truth {
    let different = || domain.connect(Connective::Xor, a, b);
    match operator {
        Binary::And => domain.connect(Connective::And, a, b),
        Binary::Or => domain.connect(Connective::Or, a, b),
        Binary::Equal => negation(domain, &different()),
        // `xor` and `<>`; no other operator has boolean operands.
        _ => different(),
    }
}

/// `if condition then a else b`, strict in all three.
pub fn conditional<D: ValueDomain>(
    domain: &D,
    condition: &Element<D>,
    a: &Element<D>,
    b: &Element<D>,
) -> Element<D> {
    let Datum::Truth(condition) = condition else { return undefined_like(domain, a) };
    match (a, b) {
        (Datum::Number(a), Datum::Number(b)) => {
            let chosen = domain.select(condition, a, b);
            let chosen = where_defined(domain, a, &chosen);
            Datum::Number(where_defined(domain, b, &chosen))
        }
        (Datum::Truth(a), Datum::Truth(b)) => {
            let yes = domain.connect(Connective::And, condition, a);
            let no = domain.connect(Connective::And, &negation(domain, condition), b);
            Datum::Truth(domain.connect(Connective::Or, &yes, &no))
        }
        (a, _) => undefined_like(domain, a),
    }
}

/// Which branches of a selection are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branches {
    /// Both are evaluated.
    Evaluated,
    /// Only the chosen one is: the other one does not trap.
    Chosen,
}

/// `if condition then a else b`, where *error* in the branch that is not chosen does not count.
pub fn selection<D: ValueDomain>(
    domain: &D,
    branches: Branches,
    condition: &Element<D>,
    a: &Element<D>,
    b: &Element<D>,
) -> Element<D> {
    match (condition, a, b) {
        (Datum::Truth(condition), Datum::Number(a), Datum::Number(b)) => Datum::Number(match branches {
            Branches::Evaluated => domain.select(condition, a, b),
            Branches::Chosen => domain.conditional(condition, a, b),
        }),
        (Datum::Truth(condition), Datum::Truth(a), Datum::Truth(b)) => Datum::Truth(match branches {
            Branches::Evaluated => domain.select_truth(condition, a, b),
            Branches::Chosen => domain.conditional_truth(condition, a, b),
        }),
        _ => undefined_like(domain, a),
    }
}

/// An operator with a fixed meaning, of as many values as it takes, the first of which is of type `of`; `None` for another
/// number of values, and for an uninterpreted function.
pub fn applied<D: ValueDomain>(
    domain: &D,
    division: Division,
    (operator, of): (Operator, ElementType),
    values: &[Element<D>],
) -> Option<Element<D>> {
    Some(match (operator, values) {
        (Operator::Unary(operator), [a]) => unary(domain, (operator, of), a),
        (Operator::Binary(operator), [a, b]) => binary(domain, division, operator, a, b),
        (Operator::If, [c, a, b]) => conditional(domain, c, a, b),
        (Operator::Select, [c, a, b]) => selection(domain, Branches::Evaluated, c, a, b),
        (Operator::Conditional, [c, a, b]) => selection(domain, Branches::Chosen, c, a, b),
        (Operator::Primitive(of), operands) => primitive(domain, of, operands),
        _ => return None,
    })
}

/// A function with a fixed meaning, of numbers.
pub fn primitive<D: ValueDomain>(domain: &D, primitive: Primitive, operands: &[Element<D>]) -> Element<D> {
    let number = |operand: &Element<D>| match operand {
        Datum::Number(number) => number.clone(),
        Datum::Truth(_) => domain.undefined(),
    };
    let operands: Vec<D::Value> = operands.iter().map(number).collect();
    match (primitive, &operands[..]) {
        (Primitive::IsFinite, [a]) => Datum::Truth(domain.is_finite(a)),
        _ => Datum::Number(domain.primitive(primitive, &operands)),
    }
}

/// *error*, with the type of an element: the result of an operator on operands of a wrong type.
fn undefined_like<D: ValueDomain>(domain: &D, element: &Element<D>) -> Element<D> {
    match element {
        Datum::Number(_) => Datum::Number(domain.undefined()),
        Datum::Truth(_) => Datum::Truth(domain.where_defined(&domain.undefined())),
    }
}

/// `value`, or *error* where the argument is *error*.
pub fn strict_in<D: ValueDomain>(domain: &D, argument: &Element<D>, value: Element<D>) -> Element<D> {
    let defined = match argument {
        Datum::Number(a) => domain.where_defined(a),
        Datum::Truth(a) => a.clone(),
    };
    match value {
        Datum::Number(value) => Datum::Number(domain.select(&defined, &value, &value)),
        Datum::Truth(value) => {
            let either = domain.connect(Connective::Or, &defined, &negation(domain, &defined));
            Datum::Truth(domain.connect(Connective::And, &either, &value))
        }
    }
}

/// `value`, or undefined where `a` is undefined.
fn where_defined<D: ValueDomain>(domain: &D, a: &D::Value, value: &D::Value) -> D::Value {
    domain.select(&domain.where_defined(a), value, value)
}

/// **reduce-fold** (§8.4)
/// ```text
/// ⊕(S) = Identity(⊕)       if S = ∅
///      = x ⊕ ⊕(S ∖ {x})    if x ∈ S
/// ```
/// For terms in order, at least one: from the left, starting with the first (§8.4 leaves the order open); sums and products in
/// the type in which the machine accumulates. If `S = ∅`,
/// `reduce` in `alpha/evaluation.rs` takes the [`identity`].
pub fn reduction<D: ValueDomain>(
    domain: &D,
    division: Division,
    operator: Binary,
    terms: impl IntoIterator<Item = Element<D>>,
) -> Option<Element<D>> {
    let mut terms = terms.into_iter().map(|term| (accumulated(domain, operator, &term), term));
    let (before, first) = terms.next()?;
    let all = terms.fold(before, |all, (term, _)| binary(domain, division, operator, &all, &term));
    Some(result_of(domain, operator, all, &first))
}

/// A term of a reduction in the type in which the machine accumulates: sums and products have one.
pub fn accumulated<D: ValueDomain>(domain: &D, operator: Binary, term: &Element<D>) -> Element<D> {
    match (operator, term) {
        (Binary::Add | Binary::Mul, Datum::Number(number)) => Datum::Number(domain.accumulated(number)),
        _ => term.clone(),
    }
}

/// What was accumulated, in the type of a term.
pub fn result_of<D: ValueDomain>(
    domain: &D,
    operator: Binary,
    all: Element<D>,
    term: &Element<D>,
) -> Element<D> {
    match (operator, all, term) {
        (Binary::Add | Binary::Mul, Datum::Number(all), Datum::Number(term)) => {
            Datum::Number(domain.result_of(all, term))
        }
        (_, all, _) => all,
    }
}

/// **reduce-fold** (§8.4): `Identity(op)` on an element type, if it is the same number in every number system: exact
/// numbers have no least and no greatest.
pub fn identity(operator: Binary, data_type: ElementType) -> Option<Constant> {
    use Binary::{Add, And, Mul, Or, Xor};
    let number = |number: i8| match OperandClass::of(data_type) {
        OperandClass::Integers => Some(Constant::Integer(number.into())),
        OperandClass::Reals => Some(Constant::Real(number.into())),
        OperandClass::Truths => None,
    };
    let is_truth = data_type == ElementType::Boolean;
    match operator {
        Add => number(0),
        Mul => number(1),
        And | Or | Xor if is_truth => Some(Constant::Boolean(operator == And)),
        And if data_type.is_integer() => number(-1),
        Or | Xor if data_type.is_integer() => number(0),
        _ => None,
    }
}

/// `Identity(op)` as an element: the value of a reduction with a declared domain over no terms (ours; ledger:
/// `alpha/decision-declared-reductions`). For `min` and `max` it is the greatest or least number, *error* in
/// types without one.
pub fn identity_element<D: ValueDomain>(domain: &D, operator: Binary, data_type: ElementType) -> Element<D> {
    match (identity(operator, data_type), operator) {
        (Some(Constant::Boolean(truth)), _) => Datum::Truth(domain.truth(Some(truth))),
        (Some(_), Binary::Add | Binary::Or | Binary::Xor) => Datum::Number(domain.index_as(data_type, 0)),
        (Some(_), Binary::Mul) => Datum::Number(domain.index_as(data_type, 1)),
        // All bits are 1.
        (Some(_), _) => Datum::Number(domain.index_as(data_type, -1)),
        (None, Binary::Min) if data_type.is_number() => {
            Datum::Number(domain.extremum_identity_as(data_type, Extremum::Min))
        }
        (None, Binary::Max) if data_type.is_number() => {
            Datum::Number(domain.extremum_identity_as(data_type, Extremum::Max))
        }
        (None, _) => error(domain, data_type),
    }
}
