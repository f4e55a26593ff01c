//! Decides side conditions on instances.

use super::instances::Maker;
use alpha::patterns::{DomainPattern, FunctionPattern, Meaning, holds as holds_of_sets, identity};
use alpha::syntax::{Kind, VariableId};
use alpha::theorems::Condition;
use alpha::typing::type_system;
use polyhedra::{AffineMap, Engine, Error, IndexSet};

/// Whether an instance satisfies a condition; the comparison checks the condition of valid reductions.
///
/// # Errors
/// The engine is out of budget.
pub fn holds(maker: &mut Maker<'_>, condition: Condition, engine: &dyn Engine) -> Result<bool, Error> {
    match condition {
        Condition::Local(x) => Ok(maker.instances.system.variable(variable(maker, x)?).kind == Kind::Local),
        Condition::NotRead(x, e) => {
            let e = maker.given.expressions.get(e).ok_or(Error::Overflow)?;
            Ok(!maker.reads(*e, variable(maker, x)?))
        }
        Condition::SameType(x, e) => same_type(maker, x, e),
        Condition::Present(e) => Ok(!maker.missing.contains(&e)),
        condition => Ok(holds_of_sets(condition, maker, engine)?.unwrap_or(true)),
    }
}

impl Meaning for Maker<'_> {
    fn domain(&mut self, pattern: &DomainPattern) -> Result<IndexSet, Error> {
        self.instances.domain(pattern, &self.given)
    }

    fn function(&self, pattern: &FunctionPattern) -> Result<AffineMap, Error> {
        self.instances.function(pattern, &self.given, 0)
    }

    fn has_identity(&self) -> bool {
        self.given.operator.is_some_and(|operator| identity(operator, self.data_type).is_some())
    }
}

/// Whether a variable and an expression have the same type; a variable that is not declared yet has the type of
/// the instance.
fn same_type(maker: &Maker<'_>, x: &str, e: &str) -> Result<bool, Error> {
    let system = &maker.instances.system;
    let declared = maker.given.variables.get(x).map(|&x| system.variable(x).data_type);
    let e = *maker.given.expressions.get(e).ok_or(Error::Overflow)?;
    let typing = type_system(system).ok();
    Ok(typing.is_some_and(|typing| typing.shape(e).data_type == declared.unwrap_or(maker.data_type)))
}

fn variable(maker: &Maker<'_>, name: &str) -> Result<VariableId, Error> {
    maker.given.variables.get(name).copied().ok_or(Error::Overflow)
}
