//! Applies operators according to the kinds of their operands: index terms and vectors, conditions, or values.

use super::dimensions;
use super::errors::{NoAnswer, SizeRequirement, ill_formed};
use super::nodes::{DirectNode, DirectNodeId, IndexOperation, Nodes};
use super::things::{TensorThing, Thing, Type};
use super::values;
use base::diagnostics::Span;
use dashu_int::IBig;
use dashu_ratio::RBig;
use selfsame_core::operators::{Binary, ElementType, Primitive, Unary};

/// The result of an operator, and its requirement.
pub(super) type Made = (Thing, DirectNodeId);

/// The level of the next index, and the place in the text.
pub(super) type TextPlace = (u32, Span);

pub(super) fn unary(
    nodes: &mut Nodes,
    place: TextPlace,
    operator: Unary,
    a: &Thing,
) -> Result<Made, NoAnswer> {
    let none = nodes.condition(true)?;
    match (operator, a) {
        (Unary::Negate, Thing::Index(_) | Thing::Vector(_)) => {
            let zero = Thing::Index(nodes.integer(0)?);
            arithmetic(nodes, place.1, IndexOperation::Sub, &zero, a)
        }
        (Unary::Not, Thing::Condition(a)) => Ok((Thing::Condition(nodes.not(*a)?), none)),
        (_, a) => {
            let a = values::value(nodes, a, place.1)?;
            made(values::unary(nodes, place, operator, &a)?)
        }
    }
}

fn made((tensor, needs): values::LiftedTensor) -> Result<Made, NoAnswer> {
    Ok((Thing::Tensor(tensor), needs))
}

pub(super) fn binary(
    nodes: &mut Nodes,
    place: TextPlace,
    operator: Binary,
    a: &Thing,
    b: &Thing,
) -> Result<Made, NoAnswer> {
    if is_index(a) && is_index(b) {
        if let Some(operation) = index_operation(operator) {
            return arithmetic(nodes, place.1, operation, a, b);
        }
        if is_comparison(operator) {
            return comparison(nodes, place.1, operator, a, b);
        }
        if let (Binary::Div, Some(quotient)) = (operator, quotient(nodes, a, b)) {
            let none = nodes.condition(true)?;
            let whole = quotient.is_int().then(|| i128::try_from(quotient.numerator()).ok()).flatten();
            return Ok(match whole {
                Some(whole) => (Thing::Index(nodes.integer(whole)?), none),
                None => (values::real(nodes, DirectNode::Number(ElementType::Real, quotient))?, none),
            });
        }
    }
    if let (Thing::Condition(a), Thing::Condition(b)) = (a, b) {
        return connective(nodes, place.1, operator, *a, *b);
    }
    let [a, b] = [values::value(nodes, a, place.1)?, values::value(nodes, b, place.1)?];
    made(values::binary(nodes, place, operator, &a, &b)?)
}

/// A connective or equality of conditions on indices, which is a condition, too.
fn connective(
    nodes: &mut Nodes,
    span: Span,
    operator: Binary,
    a: DirectNodeId,
    b: DirectNodeId,
) -> Result<Made, NoAnswer> {
    let none = nodes.condition(true)?;
    let condition = match operator {
        Binary::And | Binary::Or | Binary::Xor => nodes.connect(operator, a, b)?,
        Binary::NotEqual => nodes.connect(Binary::Xor, a, b)?,
        Binary::Equal => {
            let different = nodes.connect(Binary::Xor, a, b)?;
            nodes.not(different)?
        }
        _ => return ill_formed(span, format!("`{}` of conditions", operator.text())),
    };
    Ok((Thing::Condition(condition), none))
}

/// The exact quotient of written integers; `None` for a divisor of 0.
fn quotient(nodes: &Nodes, a: &Thing, b: &Thing) -> Option<RBig> {
    let number = |thing: &Thing| match thing {
        Thing::Index(index) => Some(RBig::from(IBig::from(nodes.constant(*index)?))),
        _ => None,
    };
    let (a, b) = (number(a)?, number(b)?);
    (b != RBig::ZERO).then(|| a / b)
}

fn is_index(thing: &Thing) -> bool {
    matches!(thing, Thing::Index(_) | Thing::Vector(_))
}

fn is_comparison(operator: Binary) -> bool {
    use Binary::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    matches!(operator, Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual)
}

fn index_operation(operator: Binary) -> Option<IndexOperation> {
    Some(match operator {
        Binary::Add => IndexOperation::Add,
        Binary::Sub => IndexOperation::Sub,
        Binary::Mul => IndexOperation::Mul,
        Binary::IntegerDiv => IndexOperation::Div,
        Binary::Mod => IndexOperation::Mod,
        Binary::Min => IndexOperation::Min,
        Binary::Max => IndexOperation::Max,
        _ => return None,
    })
}

/// Arithmetic of vectors is componentwise; an index term is used with every component.
fn arithmetic(
    nodes: &mut Nodes,
    span: Span,
    operation: IndexOperation,
    a: &Thing,
    b: &Thing,
) -> Result<Made, NoAnswer> {
    let mut needs = nodes.condition(true)?;
    let mut results = Vec::new();
    for (a, b) in components(a, b, span)? {
        if operation.divides() {
            let positive = positive(nodes, b, span)?;
            needs = nodes.connect(Binary::And, needs, positive)?;
        }
        results.push(nodes.arithmetic(operation, a, b)?);
    }
    Ok((if is_vector(a) || is_vector(b) { Thing::Vector(results) } else { Thing::Index(results[0]) }, needs))
}

fn positive(nodes: &mut Nodes, divisor: DirectNodeId, span: Span) -> Result<DirectNodeId, NoAnswer> {
    let one = nodes.integer(1)?;
    let positive = nodes.compare(Binary::LessOrEqual, one, divisor)?;
    nodes.require(positive, SizeRequirement::PositiveDivisor, span)
}

fn is_vector(thing: &Thing) -> bool {
    matches!(thing, Thing::Vector(_))
}

/// A comparison of vectors holds if it holds for every component.
fn comparison(
    nodes: &mut Nodes,
    span: Span,
    operator: Binary,
    a: &Thing,
    b: &Thing,
) -> Result<Made, NoAnswer> {
    let none = nodes.condition(true)?;
    let mut all = none;
    for (a, b) in components(a, b, span)? {
        let holds = nodes.compare(operator, a, b)?;
        all = nodes.connect(Binary::And, all, holds)?;
    }
    Ok((Thing::Condition(all), none))
}

/// The components of two vectors in pairs; an index term is paired with every component.
pub(super) fn components(
    a: &Thing,
    b: &Thing,
    span: Span,
) -> Result<Vec<(DirectNodeId, DirectNodeId)>, NoAnswer> {
    match (a, b) {
        (Thing::Vector(a), Thing::Vector(b)) if a.len() == b.len() => {
            Ok(a.iter().copied().zip(b.iter().copied()).collect())
        }
        (Thing::Vector(a), Thing::Vector(b)) => {
            ill_formed(span, format!("vectors of {} and {} components", a.len(), b.len()))
        }
        (Thing::Vector(a), b) => {
            let b = b.index(span)?;
            Ok(a.iter().map(|&a| (a, b)).collect())
        }
        (a, Thing::Vector(b)) => {
            let a = a.index(span)?;
            Ok(b.iter().map(|&b| (a, b)).collect())
        }
        (a, b) => Ok(vec![(a.index(span)?, b.index(span)?)]),
    }
}

/// `if c then a else b` for a condition on indices. The result is an index term or a condition if both branches
/// are.
pub(super) fn choice(
    nodes: &mut Nodes,
    place: TextPlace,
    c: DirectNodeId,
    a: &Thing,
    b: &Thing,
) -> Result<Made, NoAnswer> {
    let is_number = |thing: &Thing| matches!(thing, Thing::Index(index) if nodes.constant(*index).is_some());
    if is_index(a) && is_index(b) && !(is_number(a) && is_number(b)) {
        let none = nodes.condition(true)?;
        let chosen: Result<Vec<DirectNodeId>, NoAnswer> =
            components(a, b, place.1)?.into_iter().map(|(a, b)| nodes.choose(c, a, b)).collect();
        let chosen = chosen?;
        let thing =
            if is_vector(a) || is_vector(b) { Thing::Vector(chosen) } else { Thing::Index(chosen[0]) };
        return Ok((thing, none));
    }
    if let (Thing::Condition(a), Thing::Condition(b)) = (a, b) {
        let none = nodes.condition(true)?;
        return Ok((Thing::Condition(nodes.choose(c, *a, *b)?), none));
    }
    let [a, b] = [values::value(nodes, a, place.1)?, values::value(nodes, b, place.1)?];
    made(values::choice(nodes, place, c, &a, &b)?)
}

/// Applies a function with a fixed meaning.
pub(super) fn applied(
    nodes: &mut Nodes,
    place: TextPlace,
    primitive: Primitive,
    things: &[Thing],
) -> Result<Made, NoAnswer> {
    let of: Result<Vec<TensorThing>, NoAnswer> =
        things.iter().map(|thing| values::value(nodes, thing, place.1)).collect();
    made(values::primitive(nodes, place, primitive, &of?)?)
}

/// Applies a built-in function.
pub(super) fn call(
    nodes: &mut Nodes,
    place: TextPlace,
    name: &str,
    things: &[Thing],
) -> Result<Made, NoAnswer> {
    let span = place.1;
    if let Some((_, primitive)) = Primitive::NAMED.iter().find(|(known, _)| *known == name) {
        return applied(nodes, place, *primitive, things);
    }
    match (name, things) {
        ("min", [a, b]) => binary(nodes, place, Binary::Min, a, b),
        ("max", [a, b]) => binary(nodes, place, Binary::Max, a, b),
        ("rem", [a, b]) => {
            let [a, b] = [values::value(nodes, a, span)?, values::value(nodes, b, span)?];
            made(values::binary(nodes, place, Binary::Rem, &a, &b)?)
        }
        ("ceildiv", [a, b]) if is_index(a) && is_index(b) => {
            arithmetic(nodes, span, IndexOperation::CeilDiv, a, b)
        }
        ("conditional", [c, a, b]) => {
            let [c, a, b] = [
                values::value(nodes, c, span)?,
                values::value(nodes, a, span)?,
                values::value(nodes, b, span)?,
            ];
            made(values::conditional(nodes, place, DirectNode::Conditional, &c, &a, &b)?)
        }
        ("abs", [a]) => unary(nodes, place, Unary::Absolute, a),
        ("index", [a]) => {
            let index = a.index(span)?;
            let none = nodes.condition(true)?;
            Ok((
                Thing::Tensor(TensorThing::scalar(
                    Type::Flexible,
                    nodes.add(DirectNode::IndexValue(ElementType::Real, index))?,
                )),
                none,
            ))
        }
        _ => {
            let none = nodes.condition(true)?;
            Ok((dimensions::call(nodes, name, things, span)?, none))
        }
    }
}
