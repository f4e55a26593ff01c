//! Totality: nodes that are defined wherever all inputs are.

use base::seeded::Seeded;
use selfsame_core::operators::{Binary, Unary};
use selfsame_core::{Node, NodeId, Operator, Program};

/// Whether the node is defined wherever all inputs are.
pub fn is_total(program: &Program, node: NodeId) -> bool {
    let mut pending = vec![node];
    let mut seen = vec![false; program.len()];
    while let Some(node) = pending.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            continue;
        }
        let partial = match program.node(node) {
            Node::Apply(Operator::Binary(operator), _) => operator.is_partial(),
            Node::Apply(Operator::Unary(Unary::Cast(_)), _) => true,
            Node::Apply(Operator::Primitive(primitive), _) => primitive.is_partial(),
            Node::Reduce(reduction) => reduction.operator.is_partial() || !has_identity(reduction.operator),
            _ => false,
        };
        if partial && !Seeded::TotalAny.is_in() {
            return false;
        }
        pending.extend(program.node(node).operands());
    }
    true
}

/// Whether an empty reduction has a value in every number system.
fn has_identity(operator: Binary) -> bool {
    matches!(operator, Binary::Add | Binary::Mul | Binary::And | Binary::Or | Binary::Xor)
}
