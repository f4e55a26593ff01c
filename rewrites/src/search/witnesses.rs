//! Shows that reductions have terms, so that they need no identity.

use crate::search::Search;
use crate::search::expansion::SubstitutedNode;
use crate::search::samples::{SamplePoint, extended};
use crate::search::solving::SolvedUnknowns;
use checker::proof::{Semiring, Witness};
use selfsame_core::index::Atom;
use selfsame_core::{Condition, Index, Node, NodeId, Reduction, Variable};
use std::rc::Rc;

/// The maximum number of samples of the indices that are bound around a reduction. Chosen: half and twice give
/// the same verdicts (`docs/limits.md`).
const MAX_SAMPLES: usize = 500;

impl Search<'_> {
    /// The reductions inside a side that have a term at their lower bounds, at all samples. `(+, ·)` does not need
    /// them: terms with coefficient 0 say what is read.
    pub(crate) fn inhabited(
        &self,
        semiring: Semiring,
        side: &SubstitutedNode,
        points: &[SamplePoint],
    ) -> Vec<Witness> {
        if semiring == Semiring::PlusTimes {
            return Vec::new();
        }
        let witness = |(node, around): &(NodeId, Rc<[NodeId]>)| {
            let (at, there) = lowest(self.reduction(*node)?);
            let there = side.at.condition(&there);
            let points = self.around(side, around, points);
            let holds = points.iter().all(|point| there.holds(point) == Ok(true));
            (holds && !at.iter().any(has_floor)).then_some(Witness { node: *node, at })
        };
        let reductions = self.reductions(side.node);
        reductions.iter().filter(|(node, _)| *node != side.node).filter_map(witness).collect()
    }

    fn reduction(&self, node: NodeId) -> Option<&Reduction> {
        match self.program.node(node) {
            Node::Reduce(reduction) => Some(reduction),
            _ => None,
        }
    }

    /// The points, extended by the bound indices of the surrounding reductions.
    fn around(&self, side: &SubstitutedNode, around: &[NodeId], points: &[SamplePoint]) -> Vec<SamplePoint> {
        let reductions = || around.iter().filter_map(|node| self.reduction(*node));
        let binder = |(v, bounds): &(Variable, [Index; 2])| (*v, bounds.clone().map(|p| side.at.index(&p)));
        let binders: Vec<_> = reductions().flat_map(|reduction| &reduction.binders).map(binder).collect();
        let domains = reductions().map(|reduction| side.at.condition(&reduction.domain()));
        extended(points, &binders, &Condition::all(domains.collect::<Vec<_>>()), MAX_SAMPLES)
    }

    /// The reductions below a node, each with the reductions around it on one of the paths to it.
    fn reductions(&self, root: NodeId) -> Vec<(NodeId, Rc<[NodeId]>)> {
        let mut pending: Vec<(NodeId, Rc<[NodeId]>)> = vec![(root, [].into())];
        let (mut seen, mut found) = (vec![false; self.program.len()], Vec::new());
        while let Some((node, around)) = pending.pop() {
            if std::mem::replace(&mut seen[node.index()], true) {
                continue;
            }
            let mut inside = around.clone();
            if self.reduction(node).is_some() {
                inside = around.iter().copied().chain([node]).collect();
                found.push((node, around));
            }
            pending
                .extend(self.program.node(node).operands().iter().map(|&operand| (operand, inside.clone())));
        }
        found
    }
}

/// The lower bounds of the bound indices, and the condition that they lie in the domain.
fn lowest(reduction: &Reduction) -> (Vec<Index>, Condition) {
    let mut lowest = SolvedUnknowns::default();
    for (v, [lower, _]) in &reduction.binders {
        let lower = lowest.apply(lower);
        lowest.known.push((*v, lower));
    }
    let there = reduction.domain().substitute(&|v| lowest.find(v));
    (lowest.known.into_iter().map(|(_, lower)| lower).collect(), there)
}

fn has_floor(p: &Index) -> bool {
    let mut has_floor = false;
    p.visit_atoms(&mut |atom| has_floor |= matches!(atom, Atom::Floor(_)));
    has_floor
}
