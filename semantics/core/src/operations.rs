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

use super::operators::{Binary, Constant, DataType, Unary};
use values::{
    ComparisonOperator, Connective, Division, Extremum, IntegerOperation, Literal, LiteralError, ValueDomain,
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
pub fn error<D: ValueDomain>(domain: &D, data_type: DataType) -> Element<D> {
    match data_type {
        DataType::Boolean => Datum::Truth(domain.truth(None)),
        DataType::Integer | DataType::Real => Datum::Number(domain.undefined()),
    }
}

/// `constant.value`
///
/// # Errors
/// The constant is not a number of the domain.
pub fn constant<D: ValueDomain>(domain: &D, constant: &Constant) -> Result<Element<D>, LiteralError> {
    Ok(match constant {
        Constant::Boolean(truth) => Datum::Truth(domain.truth(Some(*truth))),
        Constant::Integer(number) => Datum::Number(domain.literal(&Literal::Exact(number.clone().into()))?),
        Constant::Real(number) => Datum::Number(domain.literal(&Literal::Exact(number.clone()))?),
    })
}

/// `op a`; negation is multiplication by −1, so that `-0.0` is the float −0.
pub fn unary<D: ValueDomain>(domain: &D, operator: Unary, a: &Element<D>) -> Element<D> {
    match (operator, a) {
        (Unary::Negate, Datum::Number(a)) => Datum::Number(domain.mul(&domain.index(-1), a)),
        (Unary::Not, Datum::Number(a)) => Datum::Number(domain.sub(&domain.index(-1), a)),
        (Unary::Absolute, Datum::Number(a)) => Datum::Number(domain.absolute(a)),
        (Unary::Cast(data_type), a) => cast(domain, data_type, a),
        (_, Datum::Truth(a)) => Datum::Truth(negation(domain, a)),
    }
}

/// `data_type(a)`, for `a` of another type.
fn cast<D: ValueDomain>(domain: &D, data_type: DataType, a: &Element<D>) -> Element<D> {
    match (data_type, a) {
        (DataType::Integer, Datum::Number(a)) => Datum::Number(domain.truncation(a)),
        (DataType::Boolean, Datum::Number(a)) => {
            Datum::Truth(negation(domain, &domain.compare(ComparisonOperator::Equal, a, &domain.index(0))))
        }
        (DataType::Integer | DataType::Real, Datum::Truth(a)) => {
            Datum::Number(domain.select(a, &domain.index(1), &domain.index(0)))
        }
        (DataType::Real, Datum::Number(_)) | (DataType::Boolean, Datum::Truth(_)) => a.clone(),
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
/// For terms in order, at least one: from the left, starting with the first (§8.4 leaves the order open). If `S = ∅`,
/// `reduce` in `alpha/evaluation.rs` takes the [`identity`].
pub fn reduction<D: ValueDomain>(
    domain: &D,
    division: Division,
    operator: Binary,
    terms: impl IntoIterator<Item = Element<D>>,
) -> Option<Element<D>> {
    terms.into_iter().reduce(|sum, term| binary(domain, division, operator, &sum, &term))
}

/// **reduce-fold** (§8.4): `Identity(op)` on a data type, if it exists: exact numbers have no least and no greatest.
pub fn identity(operator: Binary, data_type: DataType) -> Option<Constant> {
    let number = |number: i8| match data_type {
        DataType::Integer => Some(Constant::Integer(number.into())),
        DataType::Real => Some(Constant::Real(number.into())),
        DataType::Boolean => None,
    };
    match (operator, data_type) {
        (Binary::Add, _) => number(0),
        (Binary::Mul, _) => number(1),
        (Binary::And, DataType::Integer) => number(-1),
        (Binary::Or | Binary::Xor, DataType::Integer) => number(0),
        (Binary::And, DataType::Boolean) => Some(Constant::Boolean(true)),
        (Binary::Or | Binary::Xor, DataType::Boolean) => Some(Constant::Boolean(false)),
        _ => None,
    }
}

/// `Identity(op)` as an element: the value of a reduction with a declared domain over no terms (ours; ledger:
/// `alpha/decision-declared-reductions`). For `min` and `max` it is the greatest or least number, *error* in
/// number systems without one.
pub fn identity_element<D: ValueDomain>(domain: &D, operator: Binary, data_type: DataType) -> Element<D> {
    match (identity(operator, data_type), operator) {
        (Some(value), _) => constant(domain, &value).unwrap_or_else(|_| error(domain, data_type)),
        (None, Binary::Min) => Datum::Number(domain.extremum_identity(Extremum::Min)),
        (None, Binary::Max) => Datum::Number(domain.extremum_identity(Extremum::Max)),
        (None, _) => error(domain, data_type),
    }
}
