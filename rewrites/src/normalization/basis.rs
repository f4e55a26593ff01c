//! Change of basis: moves a variable to other indices, by a dependence and its inverse (the report's table of
//! precedences, §11, calls `e.f` so).
//!
//! ```text
//! X : D;   X = e;   … X …        becomes        X : T(D);   X = e.T⁻¹;   … X.T …
//! ```

use crate::optimization::egraph::maps::section;
use alpha::domains::Domains;
use alpha::syntax::{ExprId, Expression, System, VariableId};
use polyhedra::{AffineMap, Engine, EngineError};

/// The system with a variable moved to the indices that `map` gives; `None` if the map has no inverse.
///
/// # Errors
/// The engine is out of budget, or a coefficient exceeds 64 bits.
pub fn changed(
    system: &System,
    domains: &Domains,
    x: VariableId,
    map: &AffineMap,
    engine: &dyn Engine,
) -> Result<Option<System>, EngineError> {
    let inverse = section(map).filter(|inverse| inverse.after(map).is_ok_and(|both| both.is_identity()));
    let Some(inverse) = inverse else { return Ok(None) };
    // The indices keep their names.
    let dimensions = &domains.declared(x).space.dimensions;
    let space = inverse.space.with_dimensions(dimensions.iter().cloned());
    let inverse = AffineMap { space, ..inverse };
    let mut changed = system.clone();
    let span = system.variable(x).span;
    let declared = domains.declared(x).preimage(&inverse)?;
    let declared = engine.gist(&declared, &domains.context().parameters_in(&declared.space))?;
    changed.variables[x.index()].domain = Some(changed.push_set(&declared, span));
    let mut moved: Vec<ExprId> = Vec::new();
    for (e, expression) in system.expressions() {
        let mut expression = expression.clone();
        expression.operands_mut().iter_mut().for_each(|operand| *operand = moved[operand.index()]);
        let is_read = expression == Expression::Variable(x);
        let here = changed.push(expression, system.span(e));
        moved.push(match is_read {
            true => changed.push(Expression::Dependence(here, map.clone()), system.span(e)),
            false => here,
        });
    }
    for at in 0..changed.equations.len() {
        let equation = &changed.equations[at];
        let expression = moved[equation.expression.index()];
        let is_moved = equation.variable == x;
        let expression = match is_moved {
            true => changed.push(Expression::Dependence(expression, inverse.clone()), span),
            false => expression,
        };
        let equation = &mut changed.equations[at];
        equation.expression = expression;
        equation.indices = equation.indices.take().filter(|_| !is_moved);
    }
    Ok(Some(changed))
}
