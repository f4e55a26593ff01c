//! That the program of a derivation is one: names, types, and where tensors are defined.

use crate::derivation::program::binary_named;
use crate::derivation::{WrittenNode, WrittenProgram, WrittenStatement, WrittenValue};
use crate::typed::Origin;
use selfsame_core::operators::{ElementType, OperandClass, Primitive, Unary, binary_type, unary_type};
use std::collections::BTreeSet;
use values::Literal;

type Checked = Result<(), &'static str>;

fn condition(holds: bool, condition: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(condition) }
}

/// The first condition of a well-formed program that does not hold.
///
/// # Errors
/// There is one.
pub(super) fn well_formed(program: &WrittenProgram) -> Checked {
    let names: BTreeSet<&str> = program.tensors.iter().map(|tensor| tensor.name.as_str()).collect();
    condition(names.len() == program.tensors.len(), "the names of tensors differ")?;
    for value in &program.values {
        typed(program, value)?;
    }
    let mut defined = vec![false; program.tensors.len()];
    for statement in &program.statements {
        reads(program, &defined, statement)?;
        target(program, &mut defined, statement)?;
    }
    Ok(())
}

/// That the tensors that a statement reads have elements.
fn reads(program: &WrittenProgram, defined: &[bool], statement: &WrittenStatement) -> Checked {
    for value in program.needed(statement.value) {
        let node = &program.values[value].node;
        if let WrittenNode::Read(tensor, _) | WrittenNode::Gather(tensor, ..) = node {
            let has_elements = defined[*tensor] || program.tensors[*tensor].origin != Origin::Statement;
            condition(has_elements, "a tensor is defined before it is read")?;
        }
    }
    Ok(())
}

/// That a statement defines a tensor as it may: the first one all of it.
fn target(program: &WrittenProgram, defined: &mut [bool], statement: &WrittenStatement) -> Checked {
    let tensor = &program.tensors[statement.target];
    condition(tensor.origin != Origin::Argument, "no argument is assigned")?;
    let is_first = !std::mem::replace(&mut defined[statement.target], true);
    if is_first {
        let all = statement.loops.iter().map(|(_, range)| range).take(statement.rank);
        condition(all.eq(&tensor.ranges), "the first statement of a tensor defines all of it")?;
        let keeps = matches!(statement.reduction, Some((_, false)));
        condition(
            keeps == (tensor.origin == Origin::Accumulated),
            "what is accumulated into is an input, or is defined before",
        )?;
    }
    let is_plain = statement.reduction.is_none();
    condition(!is_plain || statement.loops.len() == statement.rank, "`=` has no index to reduce over")?;
    let names: BTreeSet<&str> = statement.loops.iter().map(|(name, _)| name.as_str()).collect();
    condition(names.len() == statement.loops.len(), "the names of indices differ")?;
    let of = program.values[statement.value].data_type;
    condition(of == tensor.data_type, "the right side has the type of the tensor")?;
    condition(is_plain || of != ElementType::Boolean, "numbers are reduced")
}

/// That a node has its type, from those of its operands.
fn typed(program: &WrittenProgram, value: &WrittenValue) -> Checked {
    let of = |at: usize| program.values[at].data_type;
    let tensor = |at: usize| &program.tensors[at];
    let own = value.data_type;
    let is_number = own != ElementType::Boolean;
    let is_typed = match &value.node {
        WrittenNode::Number(text) => is_number && Literal::parse(text).is_ok(),
        WrittenNode::Truth(_) => !is_number,
        WrittenNode::Index(_) => is_number,
        WrittenNode::Read(t, indices) => {
            tensor(*t).data_type == own && tensor(*t).ranges.len() == indices.len()
        }
        WrittenNode::Gather(t, indices, operands) => {
            let is_integer = |&at: &usize| OperandClass::of(of(at)) == OperandClass::Integers;
            let values = indices.iter().filter(|index| index.is_none()).count();
            tensor(*t).data_type == own
                && tensor(*t).ranges.len() == indices.len()
                && values == operands.len()
                && operands.iter().all(is_integer)
        }
        WrittenNode::Unary(name, a) => {
            let known = [Unary::Negate, Unary::Not, Unary::Absolute];
            let operator = known.into_iter().find(|operator| operator.text() == name);
            operator.is_some_and(|operator| unary_type(operator, of(*a)) == Some(own))
        }
        WrittenNode::Cast(a) => unary_type(Unary::Cast(own), of(*a)) == Some(own),
        WrittenNode::Binary(name, a, b) => {
            let result = binary_named(name).and_then(|operator| binary_type(operator, of(*a)));
            of(*a) == of(*b) && result == Some(own)
        }
        WrittenNode::Primitive(name, operands) => {
            let types: Vec<ElementType> = operands.iter().map(|&at| of(at)).collect();
            let known = Primitive::NAMED.into_iter().find(|(known, _)| known == name);
            known.is_some_and(|(_, primitive)| primitive.result(&types) == Some(own))
        }
        WrittenNode::Conditional(c, a, b) => of(*c) == ElementType::Boolean && [of(*a), of(*b)] == [own; 2],
        WrittenNode::Choose(_, a, b) => [of(*a), of(*b)] == [own; 2],
        WrittenNode::Call(_, arguments) => is_number && arguments.iter().all(|&at| of(at) == own),
    };
    condition(is_typed, "each node has the type of its operands")
}
