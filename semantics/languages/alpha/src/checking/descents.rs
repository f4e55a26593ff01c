//! Endless descents: an element that depends on infinitely many others has no value.
//!
//! Bounded rankings show that there is no endless descent. A set of elements each of which reads another one of
//! the set shows that there is one, if there are no cycles. Otherwise only evaluation can tell.

use super::SystemChecker;
use super::dependences::Dependences;
use super::rankings::Ranked;
use crate::domains::Undecided;
use crate::syntax::VariableId;
use base::diagnostics::{Code, Diagnostic};
use polyhedra::{EngineError, IndexRelation, IndexSet};

/// The maximum number of steps that narrow down the elements that read others of the set. Chosen: half and
/// twice give the same verdicts (`docs/limits.md`).
const MAX_NARROWINGS: usize = 6;

impl SystemChecker<'_> {
    /// Whether every descent along acyclic dependences is known to end.
    pub(super) fn ends(&self, ranked: &Ranked) -> bool {
        ranked.bounded && self.is_finite(&ranked.left)
    }

    /// Reports elements from which dependences lead on for ever, as far as that is decided. `acyclic` holds the
    /// dependences of elements on which an output depends, if these have no cycles.
    pub(super) fn endless(
        &mut self,
        component: &[VariableId],
        acyclic: Option<&Dependences>,
    ) -> Result<(), Undecided> {
        let span = self.span_of(component[0]);
        let endless = match acyclic.map_or(Ok(None), |read| self.leading_on(component, read)) {
            Err(error) if error.is_out_of_budget() => None,
            endless => Undecided::at(span, endless)?,
        };
        let Some(endless) = endless else {
            let name = &self.system.variable(component[0]).name;
            let message =
                format!("whether elements of `{name}` depend on finitely many others is not decided");
            self.findings.push(Diagnostic::new(Code::P0017, span, message, "evaluation may not end"));
            return Ok(());
        };
        let found = self.first_graded(component, &endless, Code::P0023, |x, span, witness| {
            let name = &self.system.variable(x).name;
            let message =
                format!("`{name}` depends on infinitely many elements{}", witness.occurrence("at", name));
            Diagnostic::new(Code::P0023, span, message, "defined in terms of ever more elements")
        })?;
        self.findings.extend(found);
        Ok(())
    }

    /// A set of tagged points each of which reads another one of the set.
    fn leading_on(
        &self,
        component: &[VariableId],
        read: &Dependences,
    ) -> Result<Option<IndexSet>, EngineError> {
        let steps = self.together(read, &self.tagged_space(component))?;
        let mut points = self.engine.eliminate_existentials(&steps.domain())?;
        for _ in 0..MAX_NARROWINGS {
            let on = self.leading_into(&steps, &points)?;
            if self.engine.is_subset(&points, &on)? {
                return Ok((!self.engine.is_empty(&points)?).then_some(points));
            }
            points = on;
        }
        // Otherwise points may have to be removed one by one, without end.
        for piece in &points.pieces {
            let part = points.of_piece(piece);
            let leads_on = self.engine.is_subset(&part, &self.leading_into(&steps, &part)?)?;
            if leads_on && !self.engine.is_empty(&part)? {
                return Ok(Some(part));
            }
        }
        Ok(None)
    }

    /// The points of a set that read a point of the set.
    fn leading_into(&self, steps: &IndexRelation, points: &IndexSet) -> Result<IndexSet, EngineError> {
        let leading = self.engine.eliminate_existentials(&steps.restrict_range(points)?.domain())?;
        self.engine.intersection(&leading, points)
    }
}
