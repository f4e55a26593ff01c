//! Unrolls reductions over few known points, term by term.
//!
//! With numeric extents more identities hold than with symbolic ones: `tr(E)·E = E·E` for a 1 × 1 matrix. A
//! reduction is the first term `⊕` the second one, and so on, in lexicographic order ([`super::evaluation`]); so
//! both forms have the same value, to the bit.

use super::condition::Condition;
use super::index::{Index, Variable};
use super::instance::Instance;
use super::syntax::{Node, NodeId, Operator, Program, Reduction};
use base::seeded::{Seeded, seeded};
use rustc_hash::FxHashMap;
use values::machine::Reductions;

/// The maximum number of points of a reduction that is unrolled. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
pub const MAX_POINTS: usize = 64;
/// The maximum number of nodes of an unrolled instance. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_NODES: usize = 20_000;

/// The values of some variables, in order.
pub type IndexAssignment = Vec<(Variable, i64)>;

/// The instance with its small reductions unrolled; `None` if it has none, becomes too large, or reductions are computed
/// in another type than that of the terms or in another order.
pub fn unrolled(instance: &Instance) -> Option<Instance> {
    if instance.program.machine.reductions != Reductions::default() {
        return None;
    }
    let mut unrolling = Unrolling { program: instance.program.clone(), known: FxHashMap::default() };
    let [left, right] = instance.claim.sides;
    let sides = [unrolling.unrolled(left)?, unrolling.unrolled(right)?];
    let mut result = Instance { program: unrolling.program, ..instance.clone() };
    result.claim.sides = sides;
    (sides != instance.claim.sides).then_some(result)
}

struct Unrolling {
    program: Program,
    known: FxHashMap<(NodeId, IndexAssignment), NodeId>,
}

impl Unrolling {
    fn unrolled(&mut self, root: NodeId) -> Option<NodeId> {
        let mut pending = vec![(root, IndexAssignment::new())];
        while let Some((e, values)) = pending.last().cloned() {
            let parts = self.parts(e, &values);
            let missing: Vec<_> =
                parts.iter().filter(|part| !self.known.contains_key(part)).cloned().collect();
            if missing.is_empty() {
                let parts: Vec<NodeId> = parts.iter().map(|part| self.known[part]).collect();
                let node = self.rebuilt(e, &values, &parts);
                self.known.insert((e, values), node);
                pending.pop();
            } else {
                pending.extend(missing);
            }
            if self.known.len() > MAX_NODES || pending.len() > MAX_NODES {
                return None;
            }
        }
        self.known.get(&(root, IndexAssignment::new())).copied()
    }

    /// The parts of a node: the terms of a reduction that is unrolled, else the operands.
    fn parts(&self, e: NodeId, values: &IndexAssignment) -> Vec<(NodeId, IndexAssignment)> {
        let part = |operand: NodeId, values: &IndexAssignment| {
            let free = self.program.free(operand);
            (operand, values.iter().filter(|(v, _)| free.contains(v)).copied().collect::<IndexAssignment>())
        };
        match self.program.node(e) {
            Node::Reduce(reduction) => match points(reduction, values) {
                Some(points) => {
                    let all = |point: &IndexAssignment| {
                        let mut all = [&values[..], point].concat();
                        all.sort_unstable();
                        part(reduction.body, &all)
                    };
                    points.iter().map(all).collect()
                }
                None => vec![part(reduction.body, values)],
            },
            node => node.operands().iter().map(|&operand| part(operand, values)).collect(),
        }
    }

    fn rebuilt(&mut self, e: NodeId, values: &IndexAssignment, parts: &[NodeId]) -> NodeId {
        let of = |v: Variable| values.iter().find(|(w, _)| *w == v).map(|(_, value)| Index::from(*value));
        let data_type = self.program.data_type(e);
        let node = match self.program.node(e).clone() {
            Node::Index(p, of_type) => Node::Index(p.substitute(&of), of_type),
            Node::Read(input, index) => Node::Read(input, index.iter().map(|p| p.substitute(&of)).collect()),
            Node::Apply(operator, _) => Node::Apply(operator, parts.into()),
            Node::Choose(condition, _) => match condition.substitute(&of) {
                condition if condition.is_always() => return parts[0],
                condition if condition.is_never() => return parts[1],
                condition => Node::Choose(condition, [parts[0], parts[1]]),
            },
            Node::Reduce(reduction) => match points(&reduction, values) {
                Some(points) if !points.is_empty() => {
                    let operator = Operator::Binary(reduction.operator);
                    let sum =
                        |sum, &term| self.program.add(Node::Apply(operator, [sum, term].into()), data_type);
                    return parts[1..].iter().fold(parts[0], sum);
                }
                Some(_) => Node::Reduce(Box::new(Reduction {
                    binders: [].into(),
                    filter: Condition::never(),
                    ..*reduction
                })),
                None => Node::Reduce(Box::new(substituted(&reduction, parts[0], &of))),
            },
            constant => constant,
        };
        self.program.add(node, data_type)
    }
}

fn substituted(reduction: &Reduction, body: NodeId, of: &dyn Fn(Variable) -> Option<Index>) -> Reduction {
    let bounds = |(v, bounds): &(Variable, [Index; 2])| (*v, bounds.clone().map(|p| p.substitute(of)));
    Reduction {
        operator: reduction.operator,
        binders: reduction.binders.iter().map(bounds).collect(),
        filter: reduction.filter.substitute(of),
        body,
    }
}

/// The points of a reduction in lexicographic order, if they are known and few.
pub fn points(reduction: &Reduction, values: &IndexAssignment) -> Option<Vec<IndexAssignment>> {
    let mut points = vec![IndexAssignment::new()];
    let at = |point: &IndexAssignment, v: Variable| {
        let mut all = values.iter().chain(point);
        all.find(|(w, _)| *w == v).map(|(_, value)| Index::from(*value))
    };
    for (v, bounds) in &reduction.binders {
        let mut longer = Vec::new();
        for point in points {
            let number = |p: &Index| i64::try_from(p.substitute(&|w| at(&point, w)).as_constant()?).ok();
            let [lower, upper] = [number(&bounds[0])?, number(&bounds[1])?];
            if upper.saturating_sub(lower) > i64::try_from(MAX_POINTS).ok()? {
                return None;
            }
            let upper = seeded(Seeded::UnrolledLast, upper, || (upper - 1).max(lower));
            longer.extend((lower..upper).map(|value| [&point[..], &[(*v, value)]].concat()));
        }
        points = longer;
        if points.len() > MAX_POINTS {
            return None;
        }
    }
    let mut kept = Vec::new();
    for point in points {
        match reduction.filter.substitute(&|w| at(&point, w)) {
            filter if filter.is_always() => kept.push(point),
            filter if filter.is_never() && !Seeded::UnrolledFilter.is_in() => {}
            filter if filter.is_never() => kept.push(point),
            _ => return None,
        }
    }
    Some(kept)
}
