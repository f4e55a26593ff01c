//! Decides whether the operators of a rule have their stated meaning in a number system.
//!
//! `f32` and `f64` refer to IEEE 754, where `1/0` is infinite, and where the branch that is not chosen is
//! irrelevant. Here `x/0` is `•` in every number system, and a choice by a truth needs both branches. So a rule
//! has the stated meaning in floats only if no divisor is 0. That suffices: all other operations on floats have
//! values, so no branch is undefined.
//!
//! Programs are different: their languages define that `x/0` is `•`, or that `0/0` is 0, in every number system.

use crate::expansion::{Substitution, lookup};
use crate::rules::Checker;
use crate::solver::Obligations;
use crate::systems;
use base::seeded::Seeded;
use dashu_ratio::RBig;
use selfsame_core::operators::{Binary, Unary};
use selfsame_core::{Condition, Index, Instance, Node, NodeId, Operator, Program, Reduction, Variable};
use values::{Algebra, Literal, NumberSystem};

/// What is known about the divisors of a rule.
#[derive(Clone, Debug)]
pub struct Stated {
    /// Whether no divisor is 0, provided that none of `constants` is.
    no_zero: bool,
    /// Numbers that must not be rounded to 0.
    constants: Vec<RBig>,
}

impl Stated {
    /// Examines every divisor of the sides and of the given truths.
    pub fn new(instance: &Instance, obligations: &Obligations) -> Stated {
        let mut stated = Stated { no_zero: true, constants: Vec::new() };
        if instance.is_rule {
            let mut divisors = Divisors { instance, obligations, constants: Vec::new() };
            stated.no_zero = divisors.are_not_zero();
            stated.constants = divisors.constants;
        }
        stated
    }

    /// Whether the instance has the stated meaning in a number system.
    pub fn applies<S: NumberSystem>(&self, instance: &Instance, system: &S) -> bool {
        if Seeded::StatedAny.is_in() {
            return true;
        }
        let is_number = |constant: &RBig| {
            system.read(&Literal::Exact(constant.clone())).is_ok_and(|number| !system.is_zero(&number))
        };
        let divides =
            system.algebra() != Algebra::Ieee || self.no_zero && self.constants.iter().all(is_number);
        divides && systems::applies(&instance.program, &roots(instance), system)
    }
}

/// The sides and the given truths.
fn roots(instance: &Instance) -> Vec<NodeId> {
    instance.claim.sides.iter().chain(&instance.given).copied().collect()
}

/// The maximum number of pairs of nodes to compare when a given truth is matched with a divisor. Chosen: half
/// and twice give the same verdicts (`docs/limits.md`).
const MAX_PAIRS: usize = 1_000;

struct Divisors<'a> {
    instance: &'a Instance,
    obligations: &'a Obligations,
    constants: Vec<RBig>,
}

impl<'a> Divisors<'a> {
    fn program(&self) -> &'a Program {
        &self.instance.program
    }

    fn are_not_zero(&mut self) -> bool {
        let program = self.program();
        let reached = systems::reached(program, &roots(self.instance));
        let divisor = |&node: &NodeId| match program.node(node) {
            Node::Apply(Operator::Binary(Binary::Div), of) => Some(of[1]),
            _ => None,
        };
        let mut divisors: Vec<NodeId> = reached.iter().filter_map(divisor).collect();
        divisors.sort_unstable();
        divisors.dedup();
        divisors.into_iter().all(|divisor| self.is_not_zero(divisor))
    }

    fn is_not_zero(&mut self, divisor: NodeId) -> bool {
        let mut pending = vec![divisor];
        while let Some(node) = pending.pop() {
            match self.program().node(node) {
                Node::Number(number, _) => self.constants.push(number.clone()),
                Node::Infinite { .. } => {}
                Node::Index(p, _) => {
                    let zero = Condition::equal(p, &Index::default());
                    if !self.holds(node, &!zero) {
                        return false;
                    }
                }
                Node::Choose(_, branches) => pending.extend(branches),
                Node::Apply(Operator::Unary(Unary::Negate | Unary::Absolute), of) => pending.extend(of),
                _ if self.is_given(node) => {}
                _ => return false,
            }
        }
        true
    }

    /// Whether a condition on indices holds wherever the node is evaluated.
    fn holds(&self, node: NodeId, goal: &Condition) -> bool {
        let checker = Checker::new(self.program(), self.obligations, &self.context(node));
        goal.conjuncts().iter().all(|part| checker.require(part).is_ok())
    }

    /// The conditions wherever a node is evaluated: the assumptions, and that its indices are those of a
    /// reduction.
    fn context(&self, node: NodeId) -> Condition {
        let instance = self.instance;
        let mut conditions = vec![instance.assumptions.clone(), instance.claim.domain()];
        let mut pending: Vec<Variable> = self.program().free(node).to_vec();
        let mut known: Vec<Variable> =
            instance.symbols.iter().chain(&instance.claim.point).copied().collect();
        while let Some(v) = pending.pop() {
            if known.contains(&v) {
                continue;
            }
            known.push(v);
            if let [only] = self.binding(v)[..] {
                let domain = only.domain();
                pending.extend(domain.variables());
                conditions.push(domain);
            }
        }
        Condition::all(conditions)
    }

    /// The reductions that bind an index.
    fn binding(&self, v: Variable) -> Vec<&'a Reduction> {
        let program = self.program();
        let nodes = (0..program.len()).map(NodeId::at);
        let reductions = nodes.filter_map(|node| match program.node(node) {
            Node::Reduce(reduction) => Some(&**reduction),
            _ => None,
        });
        reductions.filter(|reduction| reduction.binders.iter().any(|(bound, _)| *bound == v)).collect()
    }

    /// Whether a given truth says that a node is nonzero.
    fn is_given(&mut self, node: NodeId) -> bool {
        let given: Vec<NodeId> = self.instance.given.clone();
        given.into_iter().any(|given| {
            let (all, body) = match self.program().node(given) {
                Node::Reduce(all) if all.operator == Binary::And => (Some(&**all), all.body),
                _ => (None, given),
            };
            let Some((other, constant)) = self.not_zero(body) else { return false };
            let is_it = self.is_instance(all, other, node);
            self.constants.extend(constant.filter(|_| is_it));
            is_it
        })
    }

    /// The node that a truth implies to be nonzero, and the constant that must not be rounded to 0 for that.
    fn not_zero(&self, truth: NodeId) -> Option<(NodeId, Option<RBig>)> {
        let program = self.program();
        let Node::Apply(Operator::Binary(operator), of) = program.node(truth) else { return None };
        let number = |node: NodeId| match program.node(node) {
            Node::Number(number, _) => Some(number),
            _ => None,
        };
        let (node, operator, number) = match (number(of[0]), number(of[1])) {
            (None, Some(number)) => (of[0], *operator, number),
            (Some(number), None) => (of[1], mirrored(*operator), number),
            _ => return None,
        };
        let zero = &RBig::ZERO;
        match operator {
            Binary::NotEqual if number == zero => Some((node, None)),
            Binary::Greater if number >= zero => Some((node, None)),
            Binary::Less if number <= zero => Some((node, None)),
            Binary::GreaterOrEqual if number > zero => Some((node, Some(number.clone()))),
            Binary::LessOrEqual if number < zero => Some((node, Some(number.clone()))),
            _ => None,
        }
    }

    /// Whether `node` is an instance of `pattern` at indices over which it is given, wherever `node` is evaluated.
    fn is_instance(&self, all: Option<&Reduction>, pattern: NodeId, node: NodeId) -> bool {
        let Some(all) = all else { return pattern == node };
        let Some(pairs) = self.read_by_both(pattern, node) else { return false };
        let mut at = Substitution::new();
        for (p, q) in &pairs {
            if let Some(v) = p.as_variable().filter(|v| all.binders.iter().any(|(bound, _)| bound == v))
                && lookup(&at, v).is_none()
            {
                at.push((v, (*q).clone()));
            }
        }
        if at.len() != all.binders.len() {
            return false;
        }
        let value = |v: Variable| lookup(&at, v);
        let equal = pairs.iter().map(|(p, q)| Condition::equal(&p.substitute(&value), q));
        let is_given = all.domain().substitute(&value);
        self.holds(node, &Condition::all(equal.chain([is_given])))
    }

    /// The pairs of index terms at which two nodes read the same inputs, if the nodes are equal otherwise.
    fn read_by_both(&self, pattern: NodeId, node: NodeId) -> Option<Vec<(&'a Index, &'a Index)>> {
        let (mut pairs, mut pending) = (Vec::new(), vec![(pattern, node)]);
        for _ in 0..MAX_PAIRS {
            let Some((p, q)) = pending.pop() else { return Some(pairs) };
            match (self.program().node(p), self.program().node(q)) {
                (Node::Read(a, p), Node::Read(b, q)) if a == b => pairs.extend(p.iter().zip(q)),
                (Node::Index(p, t), Node::Index(q, u)) if t == u => pairs.push((p, q)),
                (Node::Apply(o, a), Node::Apply(r, b)) if o == r && a.len() == b.len() => {
                    pending.extend(a.iter().copied().zip(b.iter().copied()));
                }
                (Node::Number(..) | Node::Infinite { .. } | Node::Truth(_), _) if p == q => {}
                _ => return None,
            }
        }
        None
    }
}

/// The comparison for swapped operands.
fn mirrored(operator: Binary) -> Binary {
    match operator {
        Binary::Less => Binary::Greater,
        Binary::LessOrEqual => Binary::GreaterOrEqual,
        Binary::Greater => Binary::Less,
        Binary::GreaterOrEqual => Binary::LessOrEqual,
        other => other,
    }
}
