//! The assumptions of a rule on values: `given` conditions, which hold at all elements of their tensors, and
//! instances of laws at the index of the result.

use super::elaboration::{Elaborator, RuleError, fault};
use super::library::Library;
use super::syntax::{Expr, ExprKind, Rule};
use super::values::{Scope, Tensor};
use base::diagnostics::{Code, Span};
use base::seeded::Seeded;
use selfsame_core::operators::{Binary, ElementType, Unary};
use selfsame_core::{Condition, Index, Node, NodeId, Operator, Reduction, Variable};

/// A condition under binders that is being turned into a closed truth.
#[derive(Clone)]
struct OpenCondition {
    binders: Vec<(Variable, [Index; 2])>,
    filter: Condition,
    body: NodeId,
}

/// The `given` conditions as truths without free indices: `x > 0` of a tensor becomes
/// `and over i in 0..n of x[i] > 0`. A conjunction is split into its parts, each with binders of its own.
pub(super) fn given<'a>(
    elaborator: &mut Elaborator<'a>,
    rule: &'a Rule,
    scope: &Scope<'a>,
) -> Result<Vec<NodeId>, RuleError> {
    let mut nodes = Vec::new();
    for e in &rule.given {
        let value = elaborator.value(e, scope)?;
        let tensor = elaborator.as_tensor(value, e.span)?;
        let over: Vec<Variable> = tensor.extents.iter().map(|_| elaborator.program.variable("k")).collect();
        let binders: Vec<(Variable, [Index; 2])> = over
            .iter()
            .zip(tensor.extents.iter())
            .map(|(&v, extent)| (v, [Index::default(), extent.clone()]))
            .collect();
        let within = binders.iter().map(|(v, [l, u])| Condition::within(l, &Index::from(*v), u));
        let domain = Condition::all(within.collect::<Vec<_>>());
        let at: Vec<Index> = over.into_iter().map(Index::from).collect();
        let body = elaborator.under(domain, |this| truth(this, &tensor, &at, e.span))?;
        let negated = |node: NodeId| Node::Apply(Operator::Unary(Unary::Not), [node].into());
        let body = match Seeded::GivenNegated.is_in() {
            true => elaborator.add(negated(body), ElementType::Boolean, e.span)?,
            false => body,
        };
        split(elaborator, OpenCondition { binders, filter: Condition::always(), body }, e.span, &mut nodes)?;
    }
    Ok(nodes)
}

/// The instances of laws that the rule names, at the index of the result.
pub(super) fn laws<'a>(
    elaborator: &mut Elaborator<'a>,
    library: &Library,
    rule: &'a Rule,
    scope: &Scope<'a>,
    point: &[Variable],
) -> Result<Vec<NodeId>, RuleError> {
    let mut nodes = Vec::new();
    for law in &rule.laws {
        let is_law = match &law.kind {
            ExprKind::Call(name, ..) => library.definition(name).is_some_and(|definition| definition.is_law),
            _ => false,
        };
        if !is_law {
            return fault(Code::V0005, law.span, "expected an instance of a law", "this is not a law");
        }
        nodes.push(at_point(elaborator, law, scope, point)?);
    }
    Ok(nodes)
}

/// A truth at an index of the result: of no extents, or of the extents of the result.
fn at_point<'a>(
    elaborator: &mut Elaborator<'a>,
    e: &'a Expr,
    scope: &Scope<'a>,
    point: &[Variable],
) -> Result<NodeId, RuleError> {
    let value = elaborator.value(e, scope)?;
    let tensor = elaborator.as_tensor(value, e.span)?;
    let at: Vec<Index> = point.iter().take(tensor.extents.len()).map(|&v| Index::from(v)).collect();
    if at.len() != tensor.extents.len() {
        let message = "an instance of a law of a higher rank than the sides";
        return fault(Code::V0006, e.span, message, "too many extents");
    }
    truth(elaborator, &tensor, &at, e.span)
}

fn truth<'a>(
    elaborator: &mut Elaborator<'a>,
    tensor: &Tensor<'a>,
    at: &[Index],
    span: Span,
) -> Result<NodeId, RuleError> {
    let node = elaborator.element(tensor, at, span)?;
    match elaborator.program.data_type(node) {
        ElementType::Boolean => Ok(node),
        other => {
            let message = format!("a condition that is {}", other.keyword());
            fault(Code::V0007, span, message, "expected a boolean")
        }
    }
}

/// Closes each part of a conjunction separately. That is sound because `and` is strict: it is true iff both parts
/// are, and so is `all`.
fn split(
    elaborator: &mut Elaborator<'_>,
    whole: OpenCondition,
    span: Span,
    nodes: &mut Vec<NodeId>,
) -> Result<(), RuleError> {
    let mut pending = vec![whole];
    while let Some(mut open) = pending.pop() {
        match elaborator.program.node(open.body) {
            Node::Apply(Operator::Binary(Binary::And), parts) => {
                let part = |&body: &NodeId| OpenCondition { body, ..open.clone() };
                pending.extend(parts.iter().rev().map(part).collect::<Vec<_>>());
            }
            Node::Reduce(all) if all.operator == Binary::And => {
                open.binders.extend(all.binders.iter().cloned());
                open.filter = Condition::all([open.filter, all.filter.clone()]);
                open.body = all.body;
                pending.push(open);
            }
            _ => nodes.push(closed(elaborator, open, span)?),
        }
    }
    Ok(())
}

fn closed(elaborator: &mut Elaborator<'_>, open: OpenCondition, span: Span) -> Result<NodeId, RuleError> {
    if open.binders.is_empty() && open.filter.is_always() {
        return Ok(open.body);
    }
    let OpenCondition { binders, filter, body } = open;
    let all = Reduction { operator: Binary::And, binders: binders.into(), filter, body };
    elaborator.add(Node::Reduce(Box::new(all)), ElementType::Boolean, span)
}
