//! The points at which the parts of an equation are evaluated, as relations from the points of its left side.

use super::domains::{Domains, Undecided};
use super::syntax::{Equation, ExprId, Expression, System};
use polyhedra::{Engine, EngineError, IndexRelation};

/// Visits every part of an equation's right side with the relation from the points of the left side to the points
/// at which the part is evaluated; parents come before their parts.
///
/// # Errors
/// The engine is out of budget.
pub fn walk(
    system: &System,
    domains: &Domains,
    engine: &dyn Engine,
    equation: &Equation,
    mut visit: impl FnMut(ExprId, &IndexRelation) -> Result<(), Undecided>,
) -> Result<(), Undecided> {
    let root = equation.expression;
    let start = start(domains, engine, equation);
    let mut pending = vec![(root, Undecided::at(equation.span, start)?)];
    while let Some((e, relation)) = pending.pop() {
        visit(e, &relation)?;
        for &operand in system.expression(e).operands() {
            let inner = step(system, domains, engine, e, operand, &relation);
            pending.push((operand, Undecided::at(system.span(e), inner)?));
        }
    }
    Ok(())
}

/// The identity on the points that the equation defines.
fn start(domains: &Domains, engine: &dyn Engine, equation: &Equation) -> Result<IndexRelation, EngineError> {
    let declared = domains.declared(equation.variable);
    let defined = engine.intersection(declared, domains.domain(equation.expression))?;
    IndexRelation::identity(&defined.space).restrict_domain(&defined)
}

/// **alpha-definition-3** (Definition 3): the relation from the points of an expression to those of an operand.
fn step(
    system: &System,
    domains: &Domains,
    engine: &dyn Engine,
    e: ExprId,
    operand: ExprId,
    relation: &IndexRelation,
) -> Result<IndexRelation, EngineError> {
    match system.expression(e) {
        Expression::Case(_) => engine.simplify(&relation.restrict_range(domains.domain(operand))?),
        Expression::Restrict(d, _) => engine.simplify(&relation.restrict_range(domains.of_domain(*d))?),
        Expression::Dependence(_, f) => engine.simplify(&f.graph()?.after(relation)?),
        Expression::Reduce(_, f, _) => {
            let fibres = f.graph()?.restrict_domain(domains.domain(operand))?.inverse();
            engine.simplify(&fibres.after(relation)?)
        }
        Expression::ReduceOver(_, f, d, _) => {
            let fibres = f.graph()?.restrict_domain(domains.domain(operand))?.inverse();
            engine.simplify(&fibres.after(&relation.restrict_range(domains.of_domain(*d))?)?)
        }
        _ => Ok(relation.clone()),
    }
}
