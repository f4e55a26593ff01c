//! Decides side conditions on instances.

use super::instances::Maker;
use alpha::patterns::{DomainPattern, FunctionPattern, MetavariableValues, holds as holds_of_sets, identity};
use alpha::syntax::{VariableId, VariableRole};
use alpha::theorems::SideCondition;
use alpha::typing::type_system;
use polyhedra::{AffineMap, Engine, EngineError, IndexSet};

/// Whether an instance satisfies a condition; the comparison checks the condition of valid reductions.
///
/// # Errors
/// The engine is out of budget.
pub fn holds(
    maker: &mut Maker<'_>,
    condition: SideCondition,
    engine: &dyn Engine,
) -> Result<bool, EngineError> {
    match condition {
        SideCondition::Local(x) => {
            Ok(maker.instances.system.variable(variable(maker, x)?).kind == VariableRole::Local)
        }
        SideCondition::NotRead(x, e) => {
            let e = maker.given.expressions.get(e).ok_or(EngineError::Overflow)?;
            Ok(!maker.reads(*e, variable(maker, x)?))
        }
        SideCondition::SameType(x, e) => same_type(maker, x, e),
        SideCondition::Present(e) => Ok(!maker.missing.contains(&e)),
        condition => Ok(holds_of_sets(condition, maker, engine)?.unwrap_or(true)),
    }
}

impl MetavariableValues for Maker<'_> {
    fn domain(&mut self, pattern: &DomainPattern) -> Result<IndexSet, EngineError> {
        self.instances.domain(pattern, &self.given)
    }

    fn function(&self, pattern: &FunctionPattern) -> Result<AffineMap, EngineError> {
        self.instances.function(pattern, &self.given, 0)
    }

    fn has_identity(&self) -> bool {
        self.given.operator.is_some_and(|operator| identity(operator, self.data_type).is_some())
    }
}

/// Whether a variable and an expression have the same type; a variable that is not declared yet has the type of
/// the instance.
fn same_type(maker: &Maker<'_>, x: &str, e: &str) -> Result<bool, EngineError> {
    let system = &maker.instances.system;
    let declared = maker.given.variables.get(x).map(|&x| system.variable(x).data_type);
    let e = *maker.given.expressions.get(e).ok_or(EngineError::Overflow)?;
    let typing = type_system(system).ok();
    Ok(typing.is_some_and(|typing| typing.shape(e).data_type == declared.unwrap_or(maker.data_type)))
}

fn variable(maker: &Maker<'_>, name: &str) -> Result<VariableId, EngineError> {
    maker.given.variables.get(name).copied().ok_or(EngineError::Overflow)
}
