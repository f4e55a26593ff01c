//! Mutated instances: one change on the right side, or one precondition dropped.

use fastrand::Rng;
use rustc_hash::FxHashMap;
use selfsame_core::operators::Binary;
use selfsame_core::{Condition, Index, Instance, Node, NodeId, Operator, Program, Reduction};

/// A mutant; `None` if the chosen place cannot be changed.
pub fn mutant(instance: &Instance, rng: &mut Rng) -> Option<Instance> {
    let mut mutant = instance.clone();
    let conjuncts = instance.assumptions.conjuncts();
    if rng.u8(0..8) == 0 && !conjuncts.is_empty() {
        let dropped = rng.usize(..conjuncts.len());
        let kept = conjuncts.iter().enumerate().filter(|(at, _)| *at != dropped).map(|(_, c)| c.clone());
        mutant.assumptions = Condition::all(kept.collect::<Vec<_>>());
        return Some(mutant);
    }
    let right = instance.claim.sides[1];
    let nodes = reachable(&instance.program, right);
    let node = nodes[rng.usize(..nodes.len())];
    let of = instance.program.data_type(node);
    let changed = change(&mut mutant.program, node, rng)?;
    let new = mutant.program.add(changed, of);
    let replaced = replace(&mut mutant.program, &nodes, node, new);
    mutant.claim.sides[1] = replaced[&right];
    (mutant.claim.sides[1] != right).then_some(mutant)
}

/// The nodes below a root, operands first.
fn reachable(program: &Program, root: NodeId) -> Vec<NodeId> {
    let (mut pending, mut nodes) = (vec![root], Vec::new());
    while let Some(node) = pending.pop() {
        if !nodes.contains(&node) {
            nodes.push(node);
            pending.extend(program.node(node).operands());
        }
    }
    nodes.sort_unstable();
    nodes
}

fn replace(program: &mut Program, nodes: &[NodeId], old: NodeId, new: NodeId) -> FxHashMap<NodeId, NodeId> {
    let mut map: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    for &node in nodes {
        let of = |id: &NodeId| map[id];
        let to = match program.node(node).clone() {
            _ if node == old => new,
            Node::Apply(operator, operands) => {
                let operands = operands.iter().map(of).collect();
                program.add(Node::Apply(operator, operands), program.data_type(node))
            }
            Node::Choose(condition, branches) => {
                let branches = [of(&branches[0]), of(&branches[1])];
                program.add(Node::Choose(condition, branches), program.data_type(node))
            }
            Node::Reduce(reduction) => {
                let body = of(&reduction.body);
                program.add(Node::Reduce(Box::new(Reduction { body, ..*reduction })), program.data_type(node))
            }
            _ => node,
        };
        map.insert(node, to);
    }
    map
}

fn nudged(p: &Index, rng: &mut Rng) -> Index {
    p + &Index::from(if rng.bool() { 1 } else { -1 })
}

fn change(program: &mut Program, node: NodeId, rng: &mut Rng) -> Option<Node> {
    Some(match program.node(node).clone() {
        Node::Read(input, mut index) => match index.len() {
            0 => return None,
            n if n > 1 && rng.bool() => {
                index.swap(rng.usize(..n), rng.usize(..n));
                Node::Read(input, index)
            }
            n => {
                let at = rng.usize(..n);
                index[at] = nudged(&index[at], rng);
                Node::Read(input, index)
            }
        },
        Node::Index(p, of) => Node::Index(nudged(&p, rng), of),
        Node::Number(number, of) => Node::Number(number + dashu_ratio::RBig::ONE, of),
        Node::Truth(truth) => Node::Truth(!truth),
        Node::Apply(Operator::Binary(operator), mut operands) => {
            if rng.bool() && !operator.is_commutative() {
                operands.swap(0, 1);
                return Some(Node::Apply(Operator::Binary(operator), operands));
            }
            Node::Apply(Operator::Binary(other(operator)?), operands)
        }
        Node::Apply(operator, mut operands) if operands.len() > 1 => {
            let n = operands.len();
            let same_type = program.data_type(operands[n - 2]) == program.data_type(operands[n - 1]);
            operands.swap(n - 2, n - 1);
            same_type.then_some(Node::Apply(operator, operands))?
        }
        Node::Choose(condition, branches) => {
            let conjuncts = condition.conjuncts();
            if conjuncts.len() > 1 && rng.bool() {
                let dropped = rng.usize(..conjuncts.len());
                let kept =
                    conjuncts.iter().enumerate().filter(|(at, _)| *at != dropped).map(|(_, c)| c.clone());
                return Some(Node::Choose(Condition::all(kept.collect::<Vec<_>>()), branches));
            }
            match condition {
                Condition::NonNegative(p) => Node::Choose(Condition::non_negative(nudged(&p, rng)), branches),
                condition => Node::Choose(!condition, branches),
            }
        }
        Node::Reduce(mut reduction) => {
            let at = rng.usize(..reduction.binders.len().max(1));
            let binder = reduction.binders.get_mut(at)?;
            let bound = rng.usize(..2);
            binder.1[bound] = nudged(&binder.1[bound], rng);
            Node::Reduce(reduction)
        }
        _ => return None,
    })
}

fn other(operator: Binary) -> Option<Binary> {
    use Binary::*;
    Some(match operator {
        Add => Sub,
        Sub => Add,
        Mul => Add,
        Min => Max,
        Max => Min,
        And => Or,
        Or => And,
        Less => LessOrEqual,
        LessOrEqual => Less,
        Greater => GreaterOrEqual,
        GreaterOrEqual => Greater,
        Equal => NotEqual,
        NotEqual => Equal,
        _ => return None,
    })
}
