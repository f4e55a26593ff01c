//! `i ≠ j → Domain(Expᵢ) ∩ Domain(Expⱼ) = {}` in a `case` (§8.1), and a unique definition at each point (§11, 1).
//!
//! Departure: branches that overlap only where the `case` is not evaluated are a warning, since they cannot change
//! a value. As printed (§8.1; §11, 9) every overlap is an error; ledger: `alpha/decision-overlap`.

use super::SystemChecker;
use super::demand::Site;
use crate::domains::Undecided;
use crate::syntax::{Equation, ExprId, Expression, VariableId};
use base::diagnostics::{Code, Diagnostic, Span};
use polyhedra::{EngineError, IndexSet};

/// The maximum number of branches, or equations of a variable, that are compared pairwise: 125,000 pairs, each
/// a question to the engine.
const MAX_BRANCHES: usize = 500;

fn few(span: Span, count: usize, what: &str) -> Result<(), Undecided> {
    if count <= MAX_BRANCHES {
        return Ok(());
    }
    let operands = format!("{count} {what} pairwise; at most {MAX_BRANCHES} are compared");
    Err(Undecided { span, error: EngineError::OutOfBudget { operation: "disjointness", operands } })
}

impl SystemChecker<'_> {
    pub(super) fn overlaps(&mut self) -> Result<(), Undecided> {
        for (e, expression) in self.system.expressions() {
            if let Expression::Case(branches) = expression {
                self.case_overlaps(e, branches)?;
            }
        }
        for x in self.system.variable_ids() {
            self.definition_overlaps(x)?;
        }
        Ok(())
    }

    /// **check-case-domains** (§8.1), **semantics-9** (§11): `i ≠ j → Domain(Expᵢ) ∩ Domain(Expⱼ) = {}`
    fn case_overlaps(&mut self, case: ExprId, branches: &[ExprId]) -> Result<(), Undecided> {
        few(self.system.span(case), branches.len(), "branches")?;
        for (at, &second) in branches.iter().enumerate() {
            for &first in &branches[..at] {
                let overlap =
                    self.engine.intersection(self.domains.domain(first), self.domains.domain(second));
                let overlap = Undecided::at(self.system.span(second), overlap)?;
                self.case_overlap(case, first, second, &overlap)?;
            }
        }
        Ok(())
    }

    /// Reports an overlap: an error where the `case` is evaluated, a warning elsewhere.
    fn case_overlap(
        &mut self,
        case: ExprId,
        first: ExprId,
        second: ExprId,
        overlap: &IndexSet,
    ) -> Result<(), Undecided> {
        let span = self.system.span(second);
        let found = self.graded(span, Code::P0012, Site::Expression(case), overlap, |witness| {
            let message = format!("two branches overlap{}", witness.occurrence("on", ""));
            Diagnostic::new(Code::P0012, span, message, "this branch")
                .with(self.system.span(first), "and this one")
        })?;
        self.findings.extend(found);
        Ok(())
    }

    /// **semantics-1** (§11): the definition of a variable is unique at each point.
    fn definition_overlaps(&mut self, x: VariableId) -> Result<(), Undecided> {
        let equations: Vec<&Equation> = self.definitions(x).collect();
        few(self.system.variable(x).span, equations.len(), "equations")?;
        for (at, second) in equations.iter().enumerate() {
            for first in &equations[..at] {
                let [a, b] = [first, second].map(|equation| self.domains.domain(equation.expression));
                let both = self
                    .engine
                    .intersection(a, b)
                    .and_then(|both| self.engine.intersection(self.domains.declared(x), &both));
                let both = Undecided::at(second.span, both)?;
                let found = self.graded(second.span, Code::P0012, Site::Variable(x), &both, |witness| {
                    let name = &self.system.variable(x).name;
                    let message = format!("`{name}` is defined twice{}", witness.occurrence("on", name));
                    Diagnostic::new(Code::P0012, second.span, message, "defined again here")
                        .with(first.span, "first defined here")
                })?;
                self.findings.extend(found);
            }
        }
        Ok(())
    }
}
