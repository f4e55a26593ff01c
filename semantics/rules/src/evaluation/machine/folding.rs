//! Reductions, point by point: indices are bound one after the other, and the last one runs fastest.

use super::{DirectEvaluator, MachineStep, NodeValue};
use crate::evaluation::errors::NoAnswer;
use crate::evaluation::nodes::{DirectFold, DirectNode, connects};
use selfsame_core::operations;
use selfsame_core::operators::Binary;
use values::{Division, ValueDomain};

impl<'m, D: ValueDomain> DirectEvaluator<'m, D> {
    fn folding(&self) -> Result<(&'m DirectFold, usize), NoAnswer> {
        let nodes = self.nodes;
        let folding = self.foldings.last().ok_or_else(|| self.confused())?;
        match nodes.get(folding.node) {
            DirectNode::Fold(fold) => Ok((fold, folding.indices.len())),
            _ => Err(self.confused()),
        }
    }

    pub(super) fn open(&mut self) -> Result<(), NoAnswer> {
        let (fold, begun) = self.folding()?;
        match (fold.bounds.get(begun), fold.filter) {
            (Some([lower, upper]), _) => {
                self.steps.push(MachineStep::Bounds);
                self.steps.push(MachineStep::Find(*upper));
                self.steps.push(MachineStep::Find(*lower));
                Ok(())
            }
            (None, Some(filter)) => {
                self.steps.push(MachineStep::Filter);
                self.steps.push(MachineStep::Find(filter));
                Ok(())
            }
            (None, None) => self.find_body(),
        }
    }

    pub(super) fn find_body(&mut self) -> Result<(), NoAnswer> {
        let (fold, _) = self.folding()?;
        self.steps.push(MachineStep::Accumulate);
        self.steps.push(MachineStep::Find(fold.body));
        Ok(())
    }

    pub(super) fn bounds(&mut self) -> Result<(), NoAnswer> {
        let (upper, lower) = (self.pop_index()?, self.pop_index()?);
        if lower >= upper {
            self.steps.push(MachineStep::Advance);
            return Ok(());
        }
        let (fold, begun) = self.folding()?;
        self.set_levels(fold.level + begun as u32, &[lower]);
        if let Some(folding) = self.foldings.last_mut() {
            folding.indices.push([lower, upper]);
        }
        self.steps.push(MachineStep::Open);
        Ok(())
    }

    /// Accumulates a term from the left, in the type in which the machine does so; the first term is the initial value.
    pub(super) fn accumulate(&mut self) -> Result<(), NoAnswer> {
        let (fold, _) = self.folding()?;
        let term = self.values.pop().ok_or_else(|| self.confused())?;
        let before = self.foldings.last_mut().and_then(|folding| folding.result.take());
        let widened = match &term {
            NodeValue::Element(term) => {
                NodeValue::Element(operations::accumulated(self.domain, fold.operator, term))
            }
            other => other.clone(),
        };
        let result = match (before, widened) {
            (None, term) => term,
            (Some(NodeValue::Truth(a)), NodeValue::Truth(b)) => {
                NodeValue::Truth(connects(fold.operator, a, b))
            }
            (Some(NodeValue::Element(a)), NodeValue::Element(b)) => {
                NodeValue::Element(operations::binary(self.domain, Division::System, fold.operator, &a, &b))
            }
            _ => return Err(self.confused()),
        };
        if let Some(folding) = self.foldings.last_mut() {
            folding.result = Some(result);
            folding.term = Some(term);
        }
        self.steps.push(MachineStep::Advance);
        Ok(())
    }

    pub(super) fn advance(&mut self) -> Result<(), NoAnswer> {
        let (fold, _) = self.folding()?;
        while let Some(folding) = self.foldings.last_mut() {
            let Some([index, upper]) = folding.indices.last_mut() else { break };
            *index += 1;
            if *index < *upper {
                let (index, at) = (*index, folding.indices.len() - 1);
                self.set_levels(fold.level + at as u32, &[index]);
                self.steps.push(MachineStep::Open);
                return Ok(());
            }
            folding.indices.pop();
        }
        self.finish(fold)
    }

    fn finish(&mut self, fold: &DirectFold) -> Result<(), NoAnswer> {
        let Some(folding) = self.foldings.pop() else { return Err(self.confused()) };
        self.set_levels(fold.level, &folding.saved);
        let nothing = || match fold.data_type {
            None => NodeValue::Truth(fold.operator == Binary::And),
            Some(data_type) => {
                NodeValue::Element(operations::identity_element(self.domain, fold.operator, data_type))
            }
        };
        let result = match (folding.result, folding.term) {
            (Some(NodeValue::Element(all)), Some(NodeValue::Element(term))) => {
                NodeValue::Element(operations::result_of(self.domain, fold.operator, all, &term))
            }
            (result, _) => result.unwrap_or_else(nothing),
        };
        self.values.push(result);
        Ok(())
    }
}
