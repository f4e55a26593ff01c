//! Traps, made explicit: what a machine with traps observes of a node, in terms of undefinedness alone.
//!
//! On such a machine ([`values::machine`]) a node evaluates to a number, to poison, or to a trap. Two nodes without traps say the same:
//! one with the value, undefined where the evaluation traps, and one that is *true*, undefined where it traps. Two nodes of a program
//! are the same on the machine if and only if both are the same, and one refines the other if and only if both do. So provers
//! need to know nothing of traps. With `⟨e⟩` for the second node, and `ok(e)` for *true* where `e` has a value, else undefined:
//! ```text
//! ⟨op(e1,…,en)⟩            = ⟨e1⟩ and … and ⟨en⟩
//! ⟨e1 / e2⟩                = ⟨e1⟩ and ⟨e2⟩ and ok(1 / e2)                            and likewise for quotients and remainders
//!                            and (if e2 = −1 then ok(e1 / e2) else true)           where an overflow traps
//! ⟨e1 ⊙ e2⟩                = ⟨e1⟩ and ⟨e2⟩ and ok(e1 ⊙ e2)                         where ⊙ traps where it has no value
//! ⟨if e1 then e2 else e3⟩  = ⟨e1⟩ and ⟨e2⟩ and ⟨e3⟩
//! ⟨conditional(e1, e2, e3)⟩ = ⟨e1⟩ and (if e1 then ⟨e2⟩ else ⟨e3⟩)
//! ⟨e1 where c, else e2⟩    = ⟨e1⟩ where c, else ⟨e2⟩
//! ⟨⊕ over v, c of e⟩       = (and over v, c of ⟨e⟩) and ok(⊕ over v, c of e)       where ⊕ traps where it has no value, else without it
//! ```
//! and *true* for all others. All of this is strict in poison: who divides by poison traps, who chooses by poison what to evaluate, and
//! whose operation traps where it has no value.
//! An element is evaluated where an output needs it, so indices choose what is evaluated.

use super::syntax::{Node, NodeId, Operator, Program, Reduction};
use crate::operators::{Binary, ElementType, Primitive, Unary};
use base::seeded::{Seeded, seeded};
use dashu_ratio::RBig;
use values::machine::Traps;
use values::{Division, Machine};

/// The name of the claim about where both sides of a rule trap.
pub const EVALUATION: &str = "evaluation of result";

/// What a machine with traps observes of a node.
#[derive(Clone, Copy, Debug)]
pub struct Observed {
    /// The value; undefined where the evaluation traps.
    pub value: NodeId,
    /// *true*, undefined where the evaluation traps; `None` if it never does.
    pub evaluates: Option<NodeId>,
}

/// What the program's machine observes of a node, in nodes that are added to the program.
pub fn observed(program: &mut Program, node: NodeId) -> Observed {
    let is_conditional = |node: NodeId| matches!(program.node(node), Node::Apply(Operator::Conditional, _));
    if !program.machine.has_traps() && !(0..=node.index()).map(NodeId::at).any(is_conditional) {
        return Observed { value: node, evaluates: None };
    }
    let mut all: Vec<Option<Parts>> = vec![None; node.index() + 1];
    let mut needed = vec![false; node.index() + 1];
    needed[node.index()] = true;
    for at in (0..=node.index()).rev() {
        if needed[at] {
            program.node(NodeId::at(at)).operands().iter().for_each(|operand| needed[operand.index()] = true);
        }
    }
    for at in (0..=node.index()).filter(|at| needed[*at]) {
        let of = |operand: NodeId| all[operand.index()].unwrap_or(Parts::leaf(operand));
        let parts = parts(program, NodeId::at(at), &of);
        all[at] = Some(parts);
    }
    let Parts { value, evaluates, is_visible } = all[node.index()].unwrap_or(Parts::leaf(node));
    let value = match evaluates {
        Some(evaluates) if !is_visible => {
            let of = program.data_type(value);
            program.add(Node::Apply(Operator::If, Box::new([evaluates, value, value])), of)
        }
        _ => value,
    };
    Observed { value, evaluates }
}

/// The parts of [`Observed`].
#[derive(Clone, Copy)]
struct Parts {
    /// The value without regard to traps: undefined where an operator has no value.
    value: NodeId,
    evaluates: Option<NodeId>,
    /// Whether the value is undefined wherever the evaluation traps.
    is_visible: bool,
}

impl Parts {
    fn leaf(value: NodeId) -> Parts {
        Parts { value, evaluates: None, is_visible: true }
    }

    fn may_trap(&self) -> bool {
        self.evaluates.is_some()
    }
}

fn parts(program: &mut Program, node: NodeId, of: &impl Fn(NodeId) -> Parts) -> Parts {
    let data_type = program.data_type(node);
    match program.node(node).clone() {
        Node::Apply(operator, operands) => {
            let operands: Vec<Parts> = operands.iter().map(|operand| of(*operand)).collect();
            applied(program, (operator, data_type), &operands)
        }
        Node::Choose(condition, branches) => {
            let branches = branches.map(of);
            let value = Node::Choose(condition.clone(), branches.map(|branch| branch.value));
            let value = program.add(value, data_type);
            let evaluates = branches.iter().any(Parts::may_trap).then(|| {
                let evaluates = evaluations(program, branches);
                program.add(Node::Choose(condition, evaluates), ElementType::Boolean)
            });
            Parts { value, evaluates, is_visible: branches.iter().all(|branch| branch.is_visible) }
        }
        Node::Reduce(reduction) => {
            let body = of(reduction.body);
            let with = |operator: Binary, body: NodeId| {
                Node::Reduce(Box::new(Reduction { operator, body, ..(*reduction).clone() }))
            };
            let value = program.add(with(reduction.operator, body.value), data_type);
            let all = |evaluates: NodeId| program.add(with(Binary::And, evaluates), ElementType::Boolean);
            let inside = body.evaluates.map(all);
            let here = reduces_with_traps(&program.machine, reduction.operator, data_type);
            let here = here.then(|| defined(program, value));
            let evaluates = conjunction(program, inside.into_iter().chain(here));
            Parts { value, evaluates, is_visible: body.is_visible }
        }
        _ => Parts::leaf(node),
    }
}

fn applied(program: &mut Program, (operator, of): (Operator, ElementType), operands: &[Parts]) -> Parts {
    let values: Box<[NodeId]> = operands.iter().map(|operand| operand.value).collect();
    let all_visible = operands.iter().all(|operand| operand.is_visible);
    match (operator, operands) {
        (Operator::Conditional, &[condition, a, b]) => {
            let value = program.add(Node::Apply(Operator::Select, values), of);
            if !program.machine.has_traps() {
                return Parts { value, evaluates: None, is_visible: true };
            }
            let [yes, no] = evaluations(program, [a, b]);
            let chosen = Node::Apply(Operator::Select, Box::new([condition.value, yes, no]));
            let chosen = program.add(chosen, ElementType::Boolean);
            let evaluates = conjunction(program, condition.evaluates.into_iter().chain([chosen]));
            Parts { value, evaluates, is_visible: all_visible }
        }
        (Operator::Select, [_, a, b]) => {
            let value = program.add(Node::Apply(operator, values), of);
            let evaluated = seeded(Seeded::TrapBranch, operands, || &operands[..1]);
            let evaluates = conjunction(program, evaluated.iter().filter_map(|operand| operand.evaluates));
            Parts { value, evaluates, is_visible: all_visible && !a.may_trap() && !b.may_trap() }
        }
        _ => {
            let here = division(program, operator, &values);
            let first = values.first().map(|first| program.data_type(*first));
            let checks = first.is_some_and(|first| traps_without_value(&program.machine, operator, first));
            let checks = checks && !Seeded::TrapValue.is_in();
            let value = program.add(Node::Apply(operator, values), of);
            let here = here.into_iter().chain(checks.then(|| defined(program, value)));
            let inside = operands.iter().filter_map(|operand| operand.evaluates);
            let evaluates = conjunction(program, inside.chain(here));
            let is_strict = program.division == Division::System;
            Parts { value, evaluates, is_visible: all_visible && is_strict }
        }
    }
}

/// Whether an operator, other than a division, traps on a machine where it has no value, given the type of its first operand.
pub fn traps_without_value(machine: &Machine, operator: Operator, of: ElementType) -> bool {
    match operator {
        Operator::Binary(Binary::Add | Binary::Sub | Binary::Mul)
        | Operator::Unary(Unary::Negate | Unary::Absolute) => machine.traps_on_overflow(of),
        Operator::Unary(Unary::Cast(to)) => machine.traps_on_casts([of, to]),
        Operator::Primitive(primitive) => primitive.is_shift() && machine.traps_on_shifts(of),
        _ => false,
    }
}

/// Whether a reduction traps on a machine where it has no value.
pub fn reduces_with_traps(machine: &Machine, operator: Binary, of: ElementType) -> bool {
    matches!(operator, Binary::Add | Binary::Mul) && machine.traps_in_reductions(of)
}

/// When a division of an element type traps on a machine; `None` for other operators.
pub fn traps_of_division(machine: &Machine, operator: Operator, of: ElementType) -> Option<Traps> {
    match operator {
        Operator::Binary(Binary::Div | Binary::IntegerDiv) | Operator::Primitive(Primitive::Quotient) => {
            Some(machine.traps_of_division(of))
        }
        Operator::Binary(Binary::Mod | Binary::Rem) => Some(machine.traps_of_remainder(of)),
        _ => None,
    }
}

/// *true* where a division with these operands does not trap; `None` if it never does.
fn division(program: &mut Program, operator: Operator, values: &[NodeId]) -> Option<NodeId> {
    let &[a, b] = values else { return None };
    let of = program.data_type(b);
    if operator == Operator::Binary(Binary::Div) && program.division != Division::System {
        return None;
    }
    let Traps { by_zero, overflow } = traps_of_division(&program.machine, operator, of)?;
    let divided = |program: &mut Program, a: NodeId| {
        let quotient = program.add(Node::Apply(operator, Box::new([a, b])), of);
        defined(program, quotient)
    };
    let by_zero = by_zero.then(|| {
        let one = program.add(Node::Number(RBig::ONE, of), of);
        divided(program, one)
    });
    let overflow = (overflow && !Seeded::TrapOverflow.is_in()).then(|| {
        let minus_one = program.add(Node::Number((-1).into(), of), of);
        let equal = Operator::Binary(Binary::Equal);
        let by_minus_one = program.add(Node::Apply(equal, Box::new([b, minus_one])), ElementType::Boolean);
        let (exists, otherwise) = (divided(program, a), truth(program));
        let choice = Node::Apply(Operator::Select, Box::new([by_minus_one, exists, otherwise]));
        program.add(choice, ElementType::Boolean)
    });
    conjunction(program, by_zero.into_iter().chain(overflow))
}

/// *true* where a number is defined, else undefined.
fn defined(program: &mut Program, number: NodeId) -> NodeId {
    let equal = Node::Apply(Operator::Binary(Binary::Equal), Box::new([number, number]));
    let (equal, yes) = (program.add(equal, ElementType::Boolean), truth(program));
    program.add(Node::Apply(Operator::If, Box::new([equal, yes, yes])), ElementType::Boolean)
}

fn truth(program: &mut Program) -> NodeId {
    program.add(Node::Truth(true), ElementType::Boolean)
}

/// *true* where each branch is evaluated without a trap.
fn evaluations(program: &mut Program, branches: [Parts; 2]) -> [NodeId; 2] {
    branches.map(|branch| branch.evaluates.unwrap_or_else(|| truth(program)))
}

/// All of them, each once.
fn conjunction(program: &mut Program, parts: impl Iterator<Item = NodeId>) -> Option<NodeId> {
    let mut parts: Vec<NodeId> = parts.collect();
    parts.sort_unstable();
    parts.dedup();
    let and = |a: NodeId, b: NodeId| {
        let both = Node::Apply(Operator::Binary(Binary::And), Box::new([a, b]));
        program.add(both, ElementType::Boolean)
    };
    parts.into_iter().reduce(and)
}
