//! Converts expressions of systems to terms, and back.

use super::facts::{ExpressionGraph, OperandAccess};
use super::language::{ENode, Head};
use alpha::domains::Domains;
use alpha::syntax::{ExprId, Expression, System, VariableId};
use base::diagnostics::Span;
use egg::{Id, RecExpr};
use polyhedra::EngineError;

/// Adds all expressions of the graph's system; returns the term of each.
///
/// # Errors
/// The engine is out of budget.
pub fn add_all(graph: &mut ExpressionGraph<'_>, domains: &Domains) -> Result<Vec<Id>, EngineError> {
    let system = graph.analysis.system;
    let mut terms: Vec<Id> = Vec::new();
    for (_, expression) in system.expressions() {
        let operands = expression.operands().iter().map(|e| terms[e.index()]).collect();
        terms.push(add(graph, domains, expression, operands)?);
    }
    Ok(terms)
}

/// Adds an expression of another system, with all expressions below it; `read` gives the class of a variable that
/// is read. `None` if a class is not known.
pub fn added(
    graph: &mut ExpressionGraph<'_>,
    system: &System,
    domains: &Domains,
    root: ExprId,
    terms: &mut [Option<Id>],
    read: &dyn Fn(&mut ExpressionGraph<'_>, VariableId) -> Option<Id>,
) -> Option<Id> {
    let mut pending = vec![root];
    while let Some(&e) = pending.last() {
        let expression = system.expression(e);
        let open: Vec<ExprId> =
            expression.operands().iter().copied().filter(|e| terms[e.index()].is_none()).collect();
        if open.is_empty() {
            pending.pop();
            let operands: Option<Vec<Id>> = expression.operands().iter().map(|e| terms[e.index()]).collect();
            terms[e.index()] = match expression {
                Expression::Variable(x) => Some(read(graph, *x)?),
                _ => Some(add(graph, domains, expression, operands?).ok()?),
            };
        }
        pending.extend(open);
    }
    terms[root.index()]
}

/// Adds an expression whose operands are added already.
fn add(
    graph: &mut ExpressionGraph<'_>,
    domains: &Domains,
    expression: &Expression,
    operands: Vec<Id>,
) -> Result<Id, EngineError> {
    let map = |graph: &mut ExpressionGraph<'_>, f| {
        let id = graph.analysis.map_id(f);
        graph.add_uncanonical(ENode::new(Head::Map(id), []))
    };
    let set = |graph: &mut ExpressionGraph<'_>, d| {
        let id = graph.analysis.set_id(domains.of_domain(d))?;
        Ok(graph.add_uncanonical(ENode::new(Head::Set(id), [])))
    };
    let (head, before, after) = match expression {
        Expression::Constant(constant) => {
            (Head::Constant(graph.analysis.constant_id(constant)), Vec::new(), None)
        }
        Expression::Variable(x) => (Head::Variable(*x), Vec::new(), None),
        Expression::Unary(operator, _) => (Head::Unary(*operator), Vec::new(), None),
        Expression::Binary(operator, _) => (Head::Binary(*operator), Vec::new(), None),
        Expression::If(_) => (Head::If, Vec::new(), None),
        Expression::Case(_) => (Head::Case, Vec::new(), None),
        Expression::Restrict(d, _) => (Head::Restrict, vec![set(graph, *d)?], None),
        Expression::Dependence(_, f) => (Head::Dependence, Vec::new(), Some(map(graph, f))),
        Expression::Reduce(operator, f, _) => (Head::Reduce(*operator), vec![map(graph, f)], None),
        Expression::ReduceOver(operator, f, d, _) => {
            (Head::ReduceOver(*operator), vec![map(graph, f), set(graph, *d)?], None)
        }
        Expression::Call(f, _) => (Head::Call(*f), Vec::new(), None),
        Expression::Intrinsic(intrinsic, _) => (Head::Intrinsic(*intrinsic), Vec::new(), None),
        Expression::Index(f, of) => (Head::Index(*of), vec![map(graph, f)], None),
    };
    let operands: Vec<Id> = before.into_iter().chain(operands).chain(after).collect();
    Ok(graph.add_uncanonical(ENode::new(head, operands)))
}

/// Adds a term to a system as an expression; `None` if it is a set or a map.
pub fn push(graph: &ExpressionGraph<'_>, system: &mut System, terms: &RecExpr<ENode>) -> Option<ExprId> {
    let terms = terms.as_ref();
    let mut expressions: Vec<Option<ExprId>> = Vec::with_capacity(terms.len());
    for term in terms {
        let head = |id: Id| terms[usize::from(id)].head;
        let of = |id: Id| expressions[usize::from(id)];
        let expression = ExpressionBuilder { graph, head: &head, of: &of }.expression(system, term);
        expressions.push(expression.map(|expression| system.push(expression, Span::default())));
    }
    expressions.pop()?
}

/// Makes expressions of terms whose operands are expressions already.
pub struct ExpressionBuilder<'t, 'g, 'a> {
    /// The e-graph that stores sets, maps and constants.
    pub graph: &'g ExpressionGraph<'a>,
    /// The head of an operand.
    pub head: &'t dyn Fn(Id) -> Head,
    /// The expression of an operand, if it has one.
    pub of: &'t dyn Fn(Id) -> Option<ExprId>,
}

impl ExpressionBuilder<'_, '_, '_> {
    /// The expression of a term; `None` if it is a set or a map. Sets are added to the system.
    pub fn expression(&self, system: &mut System, term: &ENode) -> Option<Expression> {
        let facts = &self.graph.analysis;
        let at = |k: usize| term.operands.get(k).copied();
        let map = |k: usize| match (self.head)(at(k)?) {
            Head::Map(id) => Some(facts.map(id).clone()),
            _ => None,
        };
        let set = &mut |k: usize| match (self.head)(at(k)?) {
            Head::Set(id) => Some(system.push_set(&facts.written(id)?, Span::default())),
            _ => None,
        };
        facts.expression(term, OperandAccess { of: &|k| (self.of)(at(k)?), map: &map, set })
    }
}
