//! The steps of ranges: each has the premises that its rule demands, and what it concludes is so at all sizes.

use super::ranges::{Bound, Ranges};
use super::{CheckResult, WrongStep, condition};
use crate::derivation::{Derivation, DerivationStep, Judgement, Rule};
use polyhedra::Engine;

pub(super) struct Statics<'a> {
    derivation: &'a Derivation,
    ranges: Ranges<'a>,
}

impl<'a> Statics<'a> {
    pub(super) fn new(derivation: &'a Derivation, engine: &'a dyn Engine) -> Statics<'a> {
        Statics { derivation, ranges: Ranges { program: &derivation.program, engine } }
    }

    pub(super) fn follows(&self, step: &DerivationStep) -> CheckResult {
        match (step.rule, &step.conclusion) {
            (Rule::Access, &Judgement::Bounds { statement, access, dimension, upper }) => {
                self.premises(step, &[])?;
                self.ranges.inequality(Bound { statement, access, dimension, upper }).map(|_| ())
            }
            (Rule::Where, &Judgement::Range { statement, index }) => {
                self.premises(step, &[])?;
                self.ranges.given(statement, index)
            }
            (Rule::Round, &Judgement::Range { statement, index }) => {
                let bounding = self.ranges.round(statement, index)?;
                let used: Vec<Judgement> = bounding.iter().map(|of| of.bound.bounds()).collect();
                self.premises(step, &used)
            }
            (Rule::Follows, &Judgement::Within { statement, access, dimension, upper }) => {
                let bound = Bound { statement, access, dimension, upper };
                self.premises(step, &[bound.bounds()])?;
                self.ranges.follows(bound)
            }
            (Rule::Extent, &Judgement::Nonempty { statement, index }) => {
                self.premises(step, &[])?;
                self.ranges.extent(statement, index)
            }
            (Rule::Ranges, &Judgement::Ranges { statement }) => self.ranges(step, statement),
            (Rule::Ok, Judgement::Ok) => self.ok(step),
            (Rule::Access | Rule::Where | Rule::Round | Rule::Follows, _) => Err(WrongStep::Conclusion),
            (Rule::Extent | Rule::Ranges | Rule::Ok, _) => Err(WrongStep::Conclusion),
            _ => Err(WrongStep::RuleOutOfPlace),
        }
    }

    /// That the premises are these, in order.
    fn premises(&self, step: &DerivationStep, expected: &[Judgement]) -> CheckResult {
        if step.premises.len() != expected.len() {
            return Err(WrongStep::PremiseCount(expected.len()));
        }
        for (at, (&premise, expected)) in step.premises.iter().zip(expected).enumerate() {
            if self.derivation.steps[premise].conclusion != *expected {
                return Err(WrongStep::Premise(at));
            }
        }
        Ok(())
    }

    /// **tc-ranges** (ours; Variable Scoping): every index has a range, every access that is decided lies within bounds, and every index of the target
    /// has a value. Further premises may be inequalities that bound nothing.
    fn ranges(&self, step: &DerivationStep, statement: usize) -> CheckResult {
        let wanted = self.ranges.needed(statement);
        let mut is_found = vec![false; wanted.len()];
        for (at, &premise) in step.premises.iter().enumerate() {
            let found = &self.derivation.steps[premise].conclusion;
            let is_plain = matches!(found, Judgement::Bounds { statement: s, .. } if *s == statement);
            match wanted.iter().position(|wanted| wanted == found) {
                Some(place) if !is_found[place] => is_found[place] = true,
                None if is_plain && !step.premises[..at].contains(&premise) => {}
                _ => return Err(WrongStep::Premise(at)),
            }
        }
        condition(is_found.iter().all(|found| *found), "each index and access is covered")?;
        self.ranges.judged(&step.conclusion)
    }

    /// **tc-ok** (ours; Variable Scoping): the premises are those of all statements, in order, and each condition on sizes is needed.
    fn ok(&self, step: &DerivationStep) -> CheckResult {
        let statements = 0..self.derivation.program.statements.len();
        let all: Vec<Judgement> = statements.map(|statement| Judgement::Ranges { statement }).collect();
        self.premises(step, &all)?;
        self.ranges.judged(&step.conclusion)
    }
}
