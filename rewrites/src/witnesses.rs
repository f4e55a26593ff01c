//! Reductions that have terms, so that they need no identity.

use crate::expansion::Side;
use crate::samples::Point;
use crate::search::Search;
use crate::solving::Solution;
use checker::proof::{Semiring, Witness};
use semantics::core::index::Atom;
use semantics::core::{Condition, Index, Node, NodeId, Reduction, Variable};

impl Search<'_> {
    /// The reductions inside of a side that have a term at their lower bounds, at all samples. In `(+, ·)` it does not matter: terms
    /// with coefficient 0 say what is read.
    pub(crate) fn inhabited(&self, semiring: Semiring, side: &Side, points: &[Point]) -> Vec<Witness> {
        if semiring == Semiring::PlusTimes {
            return Vec::new();
        }
        let reductions = self.reductions(side.node);
        let bound: Vec<Variable> =
            reductions.iter().flat_map(|(_, reduction)| &reduction.binders).map(|(v, _)| *v).collect();
        let witness = |(node, reduction): &(NodeId, &Reduction)| {
            let (at, there) = lowest(reduction);
            let inside = there.variables().iter().any(|v| bound.contains(v));
            let there = side.at.condition(&there);
            let holds = points.iter().all(|point| there.holds(point) == Ok(true));
            (!inside && holds && !at.iter().any(has_floor)).then_some(Witness { node: *node, at })
        };
        reductions.iter().filter(|(node, _)| *node != side.node).filter_map(witness).collect()
    }

    /// The reductions below a node.
    fn reductions(&self, root: NodeId) -> Vec<(NodeId, &Reduction)> {
        let (mut pending, mut seen, mut found) = (vec![root], vec![false; self.program.len()], Vec::new());
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut seen[node.index()], true) {
                continue;
            }
            if let Node::Reduce(reduction) = self.program.node(node) {
                found.push((node, &**reduction));
            }
            pending.extend(self.program.node(node).operands());
        }
        found
    }
}

/// The lower bounds, and that they are in the domain.
fn lowest(reduction: &Reduction) -> (Vec<Index>, Condition) {
    let mut lowest = Solution::default();
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
