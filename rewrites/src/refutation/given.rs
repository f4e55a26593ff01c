//! Makes up inputs that satisfy the hypotheses: at every index, not only where the sides differ.

use super::{RandomInputs, Refuter};
use crate::search::hypotheses::quantified;
use crate::search::samples::{SamplePoint, extended};
use selfsame_core::NodeId;
use selfsame_core::operations::Datum;
use values::{Listed, SystemName};

/// The number of redraws of the elements that make a condition false at an index: among small numbers, some
/// meet most conditions. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const REDRAWN: usize = 16;
/// Hypotheses over more indices than this are only tested, not met on purpose. Chosen: half and twice give the
/// same verdicts (`docs/limits.md`).
const MAX_POINTS: usize = 2_000;

impl<S: Listed> Refuter<'_, S> {
    /// Makes up the elements that the hypotheses are about, such that the hypotheses hold; returns whether that
    /// succeeds.
    pub(super) fn meets_given(&self, inputs: &RandomInputs<'_, S>, point: &[i64]) -> bool {
        let given = &self.instance.given;
        given.iter().all(|&node| self.draw(inputs, node, point))
            && given.iter().all(|&node| self.is_true(inputs, node, point))
    }

    /// Whether a law is false here. Laws are about exact arithmetic; a law about functions without a value here
    /// counts as unbroken.
    pub(super) fn breaks_a_law(&self, inputs: &RandomInputs<'_, S>, point: &[i64]) -> bool {
        let is_false =
            |node: &NodeId| matches!(self.value(*node, inputs, point), Ok(Datum::Truth(Some(false))));
        self.domain.0.row() == SystemName::Rational && self.instance.laws.iter().any(is_false)
    }

    fn is_true(&self, inputs: &RandomInputs<'_, S>, node: NodeId, point: &[i64]) -> bool {
        matches!(self.value(node, inputs, point), Ok(Datum::Truth(Some(true))))
    }

    fn draw(&self, inputs: &RandomInputs<'_, S>, node: NodeId, point: &[i64]) -> bool {
        let Some(all) = quantified(&self.instance.program, node) else {
            return self.draw_at(inputs, node, point);
        };
        let points: Vec<SamplePoint> = extended(&[point.to_vec()], &all.binders, &all.filter, MAX_POINTS);
        points.iter().all(|point| self.draw_at(inputs, all.body, point))
    }

    /// Makes up the elements that are read here and were not known before, repeatedly, until the condition holds.
    fn draw_at(&self, inputs: &RandomInputs<'_, S>, node: NodeId, point: &[i64]) -> bool {
        let before = inputs.made_up.borrow().len();
        let calls = inputs.functions.borrow().calls.len();
        for _ in 0..REDRAWN {
            if self.is_true(inputs, node, point) {
                return true;
            }
            if inputs.made_up.borrow().len() == before || self.steps.get() == 0 {
                return false;
            }
            inputs.forget_after((before, calls));
        }
        false
    }
}
