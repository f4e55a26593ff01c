//! Totality: nodes that are defined wherever all inputs are.

use base::seeded::Seeded;
use selfsame_core::operators::{Binary, Unary};
use selfsame_core::{Node, NodeId, Operator, Program, Reduction};
use values::ElementClass;
use values::machine::SignedOverflow;

/// Whether the node is defined wherever all inputs are.
pub fn is_total(program: &Program, node: NodeId) -> bool {
    let mut pending = vec![node];
    let mut seen = vec![false; program.len()];
    while let Some(node) = pending.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            continue;
        }
        let overflows = || may_overflow(program, node);
        let partial = match program.node(node) {
            Node::Apply(Operator::Binary(operator), _) => {
                operator.is_partial() || is_arithmetic(*operator) && overflows()
            }
            Node::Apply(Operator::Unary(Unary::Cast(_)), _) => true,
            Node::Apply(Operator::Unary(Unary::Negate | Unary::Absolute), _) => overflows(),
            Node::Apply(Operator::Primitive(primitive), _) => primitive.is_partial(),
            Node::Reduce(reduction) => {
                let Reduction { operator, .. } = **reduction;
                operator.is_partial() || !has_identity(operator) || is_arithmetic(operator) && overflows()
            }
            _ => false,
        };
        if partial && !Seeded::TotalAny.is_in() {
            return false;
        }
        pending.extend(program.node(node).operands());
    }
    true
}

/// Whether the operator has no value where the type lacks the result, if the machine says so.
fn is_arithmetic(operator: Binary) -> bool {
    matches!(operator, Binary::Add | Binary::Sub | Binary::Mul)
}

/// Whether the numbers of a node are, in some number system, integers whose overflow is undefined.
fn may_overflow(program: &Program, node: NodeId) -> bool {
    let of = program.data_type(node);
    let is_signed = matches!(of.class(), ElementClass::Wrapping { signed: true, .. });
    program.machine.integers.signed_overflow != SignedOverflow::Wrap && (of.is_abstract() || is_signed)
}

/// Whether an empty reduction has a value in every number system.
fn has_identity(operator: Binary) -> bool {
    matches!(operator, Binary::Add | Binary::Mul | Binary::And | Binary::Or | Binary::Xor)
}
