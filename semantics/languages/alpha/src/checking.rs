//! The static checks of §§4 to 8, each fault with a witness.
//!
//! Faults are judged for the parameters of a context; a fault that arises for some of them says for which. A fault
//! that cannot change an output (an unread local, a fault on which no output depends) is a warning.

mod coverage;
mod cycles;
mod demand;
mod dependences;
mod descents;
mod following;
mod overlaps;
mod rankings;
mod reductions;
mod rules;
mod texts;
mod witness;

pub use reductions::unreachable_point;
pub use witness::{index_text, parameters_text};

use super::domains::{Domains, Undecided};
use super::syntax::{Equation, System, VariableId};
use super::uses::Uses;
use base::diagnostics::Diagnostic;
use demand::Demanded;
use polyhedra::Engine;
use std::cell::OnceCell;

/// The result of the static checks of a system.
#[derive(Clone, Debug)]
pub struct StaticChecks {
    /// The domain of every expression.
    pub domains: Domains,
    /// Faults and warnings, by their codes.
    pub findings: Vec<Diagnostic>,
}

/// Checks a typed system, for all allowed parameters or for given values.
///
/// # Errors
/// The engine is out of budget, so whether the system is well-formed is unknown.
pub fn check(
    system: &System,
    engine: &dyn Engine,
    parameters: Option<&[i64]>,
) -> Result<StaticChecks, Undecided> {
    checked(system, engine, parameters, false)
}

/// Like [`check`], but as printed in the paper: a fault is an error even if no output depends on it, except for a local variable
/// without a definition, which stays a warning.
///
/// # Errors
/// The engine is out of budget, so whether the system is well-formed is unknown.
pub fn check_as_printed(
    system: &System,
    engine: &dyn Engine,
    parameters: Option<&[i64]>,
) -> Result<StaticChecks, Undecided> {
    checked(system, engine, parameters, true)
}

fn checked(
    system: &System,
    engine: &dyn Engine,
    parameters: Option<&[i64]>,
    as_printed: bool,
) -> Result<StaticChecks, Undecided> {
    let domains = Domains::new(system, engine, parameters)?;
    let uses = Uses::new(system);
    let needed = uses.needed(system);
    let mut checker = SystemChecker {
        system,
        domains: &domains,
        engine,
        uses: &uses,
        needed,
        as_printed,
        demand: OnceCell::new(),
        findings: Vec::new(),
    };
    checker.parameter_rule()?;
    checker.definition_rule();
    checker.usage_rule();
    checker.function_rule();
    checker.reductions()?;
    checker.overlaps()?;
    checker.coverage()?;
    checker.cycles()?;
    let mut findings = checker.findings;
    findings.sort_by_key(|finding| (finding.primary.span.start, finding.code));
    Ok(StaticChecks { domains, findings })
}

struct SystemChecker<'a> {
    system: &'a System,
    domains: &'a Domains,
    engine: &'a dyn Engine,
    uses: &'a Uses,
    /// Whether an output depends on each variable.
    needed: Vec<bool>,
    /// Whether a fault is an error even where no output depends on it.
    as_printed: bool,
    demand: OnceCell<Vec<Demanded>>,
    findings: Vec<Diagnostic>,
}

impl<'a> SystemChecker<'a> {
    /// The equations of a variable, in order.
    fn definitions(&self, x: VariableId) -> impl Iterator<Item = &'a Equation> + use<'a> {
        let system = self.system;
        self.uses.definitions(x).iter().map(|&at| &system.equations[at])
    }
}
