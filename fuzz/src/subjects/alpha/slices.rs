//! Smaller systems of ALPHA: a variable keeps only the elements at one index of a dimension.

use super::AtParameters;
use super::smaller::rebuilt;
use crate::subjects::Tested as _;
use alpha::syntax::{Domain, ExprId, Expression, System, VariableId};
use base::diagnostics::Span;
use polyhedra::{Affine, AffineMap, Engine, names};
use std::collections::{BTreeMap, BTreeSet};

/// Systems with a variable sliced at the first or the last index of one of its dimensions, at these parameters.
pub fn slices(system: &System, parameters: &[i64], engine: &dyn Engine) -> Vec<System> {
    let subject = AtParameters { system: system.clone(), parameters: parameters.to_vec() };
    let Ok(meaning) = subject.meaning(engine) else { return Vec::new() };
    let Ok(instance) = meaning.instance() else { return Vec::new() };
    let mut all = Vec::new();
    for x in system.variable_ids().filter(|&x| system.parameter_of(x).is_none()) {
        let Ok(bounds) = meaning.bounds(&instance, x) else { continue };
        for (d, (&first, &extent)) in bounds.origin.iter().zip(&bounds.shape).enumerate() {
            let ends = BTreeSet::from([first, first + (extent as i64 - 1).max(0)]);
            all.extend(ends.into_iter().filter_map(|at| slice(system, x, d, at)));
        }
    }
    all
}

/// The system in which every element of a variable is the one with index `at` along a dimension.
pub fn slice(system: &System, x: VariableId, d: usize, at: i64) -> Option<System> {
    let rank = system.variable_rank(x);
    let dimensions = names(&["i", "j", "k", "l", "m", "n"]);
    let (space, lower) = (system.space(dimensions.get(..rank)?), system.space(&dimensions[..rank - 1]));
    let without = |mut f: AffineMap| {
        f.outputs.remove(d);
        f
    };
    let dropped = without(AffineMap::identity(space));
    let mut inserted = AffineMap::identity(lower);
    inserted.outputs.insert(d, Affine::constant(at));

    let mut changed = system.clone();
    let mut done: Vec<ExprId> = Vec::new();
    for (_, expression) in system.expressions() {
        let mut node = expression.clone();
        node.operands_mut().iter_mut().for_each(|operand| *operand = done[operand.index()]);
        let is_read = |e: ExprId| *system.expression(e) == Expression::Variable(x);
        node = match (node, expression) {
            (Expression::Dependence(_, f), Expression::Dependence(read, _)) if is_read(*read) => {
                Expression::Dependence(changed.push(Expression::Variable(x), Span::default()), without(f))
            }
            (node, Expression::Variable(read)) if *read == x => {
                Expression::Dependence(changed.push(node, Span::default()), dropped.clone())
            }
            (node, _) => node,
        };
        done.push(changed.push(node, Span::default()));
    }
    for at in 0..changed.equations.len() {
        let mut expression = done[changed.equations[at].expression.index()];
        if changed.equations[at].variable == x {
            let slice = Expression::Dependence(expression, inserted.clone());
            expression = changed.push(slice, Span::default());
            changed.equations[at].indices = None;
        }
        changed.equations[at].expression = expression;
    }
    let domain = system.variable(x).domain.map(|domain| Domain::Preimage(domain, inserted));
    changed.variables[x.index()].domain = domain.map(|domain| changed.push_domain(domain, Span::default()));
    Some(rebuilt(&changed, &BTreeMap::new()))
}
