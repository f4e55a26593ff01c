//! Finds sizes and a point at which an instance claims something.

use super::VariableValues;
use crate::solver::{Encoder, RESOURCES, with_resources};
use selfsame_core::{Condition, Instance, Variable};
use z3::SatResult;
use z3::ast::{Ast, Int};

/// Successive bounds on the absolute values of sizes and indices in questions to z3; the last question has no
/// bound. Small sizes come first, because the hypotheses are evaluated at them: two nested sums have 25 terms at
/// 5, and 400 at 20, of 20,000 steps that one evaluation may take.
const LIMITS: [Option<i64>; 4] = [Some(2), Some(5), Some(20), None];

/// Small values to try first, each for all sizes, with all indices 0. With 1 a tensor has one element, so that
/// evaluation is shortest; with 0, the last one, it has none, and few claims say anything.
const UNIFORM: [i64; 4] = [1, 2, 3, 0];

/// At most `count` sizes and points at which the instance claims something; empty if there are none, or if they
/// are hard to find.
pub fn places(instance: &Instance, count: usize) -> Vec<VariableValues> {
    let condition = condition(instance);
    let mut found = uniform_places(instance, count);
    for limit in LIMITS {
        if found.len() >= count {
            break;
        }
        let point = solved(instance, &condition, limit);
        found.extend(point.filter(|point| !found.contains(point) && condition.holds(point) == Ok(true)));
    }
    found
}

/// At most `count` places with the same small value for all sizes. z3 is not asked.
pub fn uniform_places(instance: &Instance, count: usize) -> Vec<VariableValues> {
    let condition = condition(instance);
    let mut uniform: Vec<VariableValues> =
        UNIFORM.into_iter().map(|value| uniform(instance, value)).collect();
    // Without sizes they are all the same.
    uniform.dedup();
    uniform.into_iter().filter(|point| condition.holds(point) == Ok(true)).take(count).collect()
}

/// Where the instance claims something.
fn condition(instance: &Instance) -> Condition {
    Condition::all([instance.assumptions.clone(), instance.claim.domain()])
}

fn width(instance: &Instance) -> usize {
    let variables = instance.symbols.iter().chain(&instance.claim.point);
    variables.map(|v| v.index() + 1).max().unwrap_or(0).max(instance.program.variables.len())
}

fn uniform(instance: &Instance, value: i64) -> VariableValues {
    let mut point = vec![0; width(instance)];
    instance.symbols.iter().for_each(|v| point[v.index()] = value);
    point
}

/// Values that z3 finds; the caller must evaluate the condition at them.
fn solved(instance: &Instance, condition: &Condition, limit: Option<i64>) -> Option<VariableValues> {
    let mut encoder = Encoder::full();
    let solver = with_resources(RESOURCES);
    solver.assert(encoder.condition(condition));
    encoder.definitions.drain(..).for_each(|definition| solver.assert(&definition));
    let variables: Vec<Variable> = instance.symbols.iter().chain(&instance.claim.point).copied().collect();
    let values: Vec<Int> = variables.iter().map(|v| encoder.index(&(*v).into())).collect();
    for value in limit.iter().flat_map(|limit| values.iter().map(move |value| (value, *limit))) {
        let (value, limit) = value;
        solver.assert(value.le(Int::from_i64(limit)));
        solver.assert(value.ge(Int::from_i64(-limit)));
    }
    if solver.check() != SatResult::Sat {
        return None;
    }
    let model = solver.get_model()?;
    let mut point = vec![0; width(instance)];
    for (v, value) in variables.iter().zip(&values) {
        point[v.index()] = model.eval(value, true)?.simplify().as_i64()?;
    }
    Some(point)
}
