//! Element-wise operations on tensors: operands without extents are repeated, the others have equal extents.

use super::errors::{NoAnswer, SizeRequirement, ill_formed};
use super::nodes::{BodyAtIndex, DirectNode, DirectNodeId, Nodes};
use super::things::{BOOLEAN, ElementSource, TensorThing, Thing, Type};
use base::diagnostics::Span;
use selfsame_core::operators::{Binary, ElementType, Primitive, Unary};

/// A tensor, with the condition that its operands' extents agree.
pub(super) type LiftedTensor = (TensorThing, DirectNodeId);

/// An expression as a value: a written integer becomes a number and a condition on indices a truth; other index
/// terms are rejected.
pub(super) fn value(nodes: &mut Nodes, thing: &Thing, span: Span) -> Result<TensorThing, NoAnswer> {
    match thing {
        Thing::Tensor(tensor) => Ok(tensor.clone()),
        Thing::Index(index) if nodes.constant(*index).is_some() => Ok(TensorThing::scalar(
            Type::Flexible,
            nodes.add(DirectNode::IndexValue(ElementType::Real, *index))?,
        )),
        Thing::Condition(condition) => {
            Ok(TensorThing::scalar(BOOLEAN, nodes.add(DirectNode::ConditionValue(*condition))?))
        }
        other => ill_formed(span, format!("expected a value, found {}", other.kind())),
    }
}

/// The element of a tensor at an index. If the index may be out of range, `extents` are checked.
pub(super) fn element(
    nodes: &mut Nodes,
    tensor: &TensorThing,
    index: &[DirectNodeId],
    extents: &[DirectNodeId],
    span: Span,
) -> Result<DirectNodeId, NoAnswer> {
    match tensor.elements {
        ElementSource::Input(input) => nodes.add(DirectNode::Input(input, index.into(), span)),
        ElementSource::Body { body, .. } if index.is_empty() => Ok(body),
        ElementSource::Body { level, body } => {
            let is_level =
                |(at, id): (usize, &DirectNodeId)| *nodes.get(*id) == DirectNode::Level(level + at as u32);
            if extents.is_empty() && index.iter().enumerate().all(is_level) {
                return Ok(body);
            }
            let element = BodyAtIndex { level, index: index.into(), extents: extents.into(), body };
            nodes.add(DirectNode::Element(Box::new(element), span))
        }
    }
}

/// Applies `f` to the elements of tensors, element by element.
pub(super) fn lift(
    nodes: &mut Nodes,
    (depth, span): (u32, Span),
    tensors: &[&TensorThing],
    data_type: Type,
    f: impl FnOnce(&mut Nodes, Vec<DirectNodeId>) -> Result<DirectNodeId, NoAnswer>,
) -> Result<LiftedTensor, NoAnswer> {
    let shaped: Vec<&&TensorThing> = tensors.iter().filter(|tensor| !tensor.extents.is_empty()).collect();
    let extents = shaped.first().map_or(Vec::new(), |first| first.extents.clone());
    if shaped.iter().any(|tensor| tensor.extents.len() != extents.len()) {
        return ill_formed(span, "the operands have different numbers of extents");
    }
    let levels: Result<Vec<DirectNodeId>, NoAnswer> =
        (0..extents.len() as u32).map(|at| nodes.add(DirectNode::Level(depth + at))).collect();
    let levels = levels?;
    let mut elements = Vec::new();
    for tensor in tensors {
        let index: &[DirectNodeId] = if tensor.extents.is_empty() { &[] } else { &levels };
        elements.push(element(nodes, tensor, index, &[], span)?);
    }
    let mut needs = nodes.condition(true)?;
    for other in shaped.iter().skip(1) {
        let equal = same(nodes, &extents, &other.extents)?;
        let equal = nodes.require(equal, SizeRequirement::SameExtents, span)?;
        needs = nodes.connect(Binary::And, needs, equal)?;
    }
    let body = f(nodes, elements)?;
    Ok((TensorThing { data_type, extents, elements: ElementSource::Body { level: depth, body } }, needs))
}

/// The condition that two vectors of one length are equal.
pub(super) fn same(
    nodes: &mut Nodes,
    a: &[DirectNodeId],
    b: &[DirectNodeId],
) -> Result<DirectNodeId, NoAnswer> {
    let equal: Result<Vec<DirectNodeId>, NoAnswer> = a
        .iter()
        .zip(b)
        .map(|(&a, &b)| if a == b { nodes.condition(true) } else { nodes.compare(Binary::Equal, a, b) })
        .collect();
    let equal = equal?;
    nodes.all(equal)
}

/// `a op b`
pub(super) fn binary(
    nodes: &mut Nodes,
    place: (u32, Span),
    operator: Binary,
    a: &TensorThing,
    b: &TensorThing,
) -> Result<LiftedTensor, NoAnswer> {
    let types = [a.data_type.beside(b.data_type), b.data_type.beside(a.data_type)];
    let Some(data_type) = type_of(operator, types[0], types[1]) else {
        let [a, b] = [a, b].map(|tensor| tensor.data_type.data_type().keyword());
        return ill_formed(place.1, format!("`{}` of {a} and {b}", operator.text()));
    };
    let [a, b] = [typed(nodes, a, types[0])?, typed(nodes, b, types[1])?];
    lift(nodes, place, &[&a, &b], data_type, |nodes, of| {
        nodes.add(DirectNode::Binary(operator, of[0], of[1]))
    })
}

/// A function with a fixed meaning; all operands have one type.
pub(super) fn primitive(
    nodes: &mut Nodes,
    place: (u32, Span),
    primitive: Primitive,
    operands: &[TensorThing],
) -> Result<LiftedTensor, NoAnswer> {
    let known = operands.iter().map(|of| of.data_type).find(|of| matches!(of, Type::Known(_)));
    let beside = known.unwrap_or(Type::Flexible);
    let types: Vec<Type> = operands.iter().map(|of| of.data_type.beside(beside)).collect();
    let written: Vec<ElementType> = types.iter().map(|of| of.data_type()).collect();
    let Some(result) = primitive.result(&written) else {
        return ill_formed(place.1, format!("`{}` of other operands", primitive.name()));
    };
    let of = operands.iter().zip(types).map(|(operand, of)| typed(nodes, operand, of));
    let of: Vec<TensorThing> = of.collect::<Result<_, _>>()?;
    let of: Vec<&TensorThing> = of.iter().collect();
    lift(nodes, place, &of, Type::Known(result), |nodes, of| {
        nodes.add(DirectNode::Primitive(primitive, of.into()))
    })
}

/// A written number, with the type that its context gives it; other tensors have one.
pub(super) fn typed(
    nodes: &mut Nodes,
    tensor: &TensorThing,
    data_type: Type,
) -> Result<TensorThing, NoAnswer> {
    let ElementSource::Body { body, .. } = tensor.elements else { return Ok(tensor.clone()) };
    if !matches!(tensor.data_type, Type::Flexible | Type::Fraction) {
        return Ok(tensor.clone());
    }
    let of = data_type.data_type();
    let body = match nodes.get(body).clone() {
        DirectNode::IndexValue(_, index) => nodes.add(DirectNode::IndexValue(of, index))?,
        DirectNode::Number(_, number) => nodes.add(DirectNode::Number(of, number))?,
        DirectNode::Infinity(_) => nodes.add(DirectNode::Infinity(of))?,
        DirectNode::Unary(operator @ Unary::Negate, _, operand) => {
            let operand = match nodes.get(operand).clone() {
                DirectNode::Infinity(_) => nodes.add(DirectNode::Infinity(of))?,
                DirectNode::Number(_, number) => nodes.add(DirectNode::Number(of, number))?,
                _ => operand,
            };
            nodes.add(DirectNode::Unary(operator, of, operand))?
        }
        _ => body,
    };
    Ok(TensorThing { data_type, ..TensorThing::scalar(data_type, body) })
}

/// The type of `a op b`, if it has one.
fn type_of(operator: Binary, a: Type, b: Type) -> Option<Type> {
    let joined = a.join(b)?;
    let is_integer = joined.is_integer();
    match operator {
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Min | Binary::Max => {
            joined.is_number().then_some(joined)
        }
        Binary::Div => (joined.is_number() && !is_integer).then_some(joined),
        Binary::IntegerDiv | Binary::Mod | Binary::Rem => is_integer.then_some(joined),
        Binary::And | Binary::Or | Binary::Xor if joined == BOOLEAN => Some(BOOLEAN),
        Binary::And | Binary::Or | Binary::Xor => is_integer.then_some(joined),
        Binary::Equal | Binary::NotEqual => Some(BOOLEAN),
        Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual => {
            joined.is_number().then_some(BOOLEAN)
        }
    }
}

/// `op a`
pub(super) fn unary(
    nodes: &mut Nodes,
    place: (u32, Span),
    operator: Unary,
    a: &TensorThing,
) -> Result<LiftedTensor, NoAnswer> {
    // A cast gives its type to an integer without a type.
    let beside = match operator {
        Unary::Cast(to) => Type::Known(to),
        _ => Type::Flexible,
    };
    let of = match (operator, a.data_type) {
        (Unary::Negate, Type::Fraction) => Type::Fraction,
        (_, of) => of.beside(beside),
    };
    let data_type = match (operator, of) {
        (Unary::Negate | Unary::Absolute, number) if number.is_number() => number,
        (Unary::Not, BOOLEAN) => BOOLEAN,
        (Unary::Not, integer) if integer.is_integer() => integer,
        (Unary::Cast(data_type), _) => Type::Known(data_type),
        (_, other) => {
            return ill_formed(
                place.1,
                format!("an operator that {} does not have", other.data_type().keyword()),
            );
        }
    };
    // A cast to the operand's own type is the identity.
    let is_same = matches!(operator, Unary::Cast(_)) && of == data_type;
    let a = if of == Type::Fraction { a.clone() } else { typed(nodes, a, of)? };
    lift(nodes, place, &[&a], data_type, |nodes, operands| match is_same {
        true => Ok(operands[0]),
        false => nodes.add(DirectNode::Unary(operator, of.data_type(), operands[0])),
    })
}

/// `if c then a else b` for a truth `c`, as the node that is made of all three.
pub(super) fn conditional(
    nodes: &mut Nodes,
    place: (u32, Span),
    made: fn([DirectNodeId; 3]) -> DirectNode,
    c: &TensorThing,
    a: &TensorThing,
    b: &TensorThing,
) -> Result<LiftedTensor, NoAnswer> {
    if c.data_type != BOOLEAN {
        return ill_formed(place.1, "a condition is a truth");
    }
    let data_type = branches(place.1, a, b)?;
    let [a, b] = [typed(nodes, a, data_type)?, typed(nodes, b, data_type)?];
    lift(nodes, place, &[c, &a, &b], data_type, |nodes, of| nodes.add(made([of[0], of[1], of[2]])))
}

/// `if c then a else b` for a condition `c` on indices.
pub(super) fn choice(
    nodes: &mut Nodes,
    place: (u32, Span),
    c: DirectNodeId,
    a: &TensorThing,
    b: &TensorThing,
) -> Result<LiftedTensor, NoAnswer> {
    let data_type = branches(place.1, a, b)?;
    let [a, b] = [typed(nodes, a, data_type)?, typed(nodes, b, data_type)?];
    lift(nodes, place, &[&a, &b], data_type, |nodes, of| nodes.choose(c, of[0], of[1]))
}

fn branches(span: Span, a: &TensorThing, b: &TensorThing) -> Result<Type, NoAnswer> {
    let joined = a.data_type.join(b.data_type).map(|joined| joined.beside(Type::Flexible));
    joined.map_or_else(|| ill_formed(span, "the branches have different types"), Ok)
}

/// `f(x, …)` for an uninterpreted function.
pub(super) fn call(
    nodes: &mut Nodes,
    place: (u32, Span),
    function: u32,
    arguments: &[TensorThing],
    types: (&[ElementType], ElementType),
) -> Result<LiftedTensor, NoAnswer> {
    // A function of reals is one of each type of reals.
    let known = |argument: &TensorThing| match argument.data_type {
        Type::Known(of) if of.is_real() => Some(of),
        _ => None,
    };
    let real = arguments.iter().find_map(known).unwrap_or(ElementType::Real);
    let stated = |of: ElementType| if of == ElementType::Real { real } else { of };
    let types = (&*types.0.iter().copied().map(stated).collect::<Vec<_>>(), stated(types.1));
    let fits =
        |(a, &t): (&TensorThing, &ElementType)| a.data_type.join(Type::Known(t)) == Some(Type::Known(t));
    if arguments.len() != types.0.len() || !arguments.iter().zip(types.0).all(fits) {
        return ill_formed(place.1, "the arguments are not those that the function takes");
    }
    let fitted = arguments.iter().zip(types.0).map(|(argument, of)| typed(nodes, argument, Type::Known(*of)));
    let fitted: Vec<TensorThing> = fitted.collect::<Result<_, _>>()?;
    let arguments: Vec<&TensorThing> = fitted.iter().collect();
    lift(nodes, place, &arguments, Type::Known(types.1), |nodes, of| {
        nodes.add(DirectNode::Call(function, of.into()))
    })
}

/// A non-integral literal, or an infinity.
pub(super) fn real(nodes: &mut Nodes, node: DirectNode) -> Result<Thing, NoAnswer> {
    Ok(Thing::Tensor(TensorThing::scalar(Type::Fraction, nodes.add(node)?)))
}
