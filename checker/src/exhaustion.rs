//! Equalities of expressions over few bits, decided by trying all values of the unknowns.
//!
//! What z3 cannot multiply or divide, evaluation can: two unknowns of 8 bits have 65,536 values. The values are those of the
//! reference semantics, so this shares nothing with the theories of z3.

use crate::proof::{Scalars, Strength};
use crate::scalars::folded;
use crate::side::Side;
use crate::solver::{KnownValues, ObligationAnswer};
use selfsame_core::operations::{Datum, Element, applied};
use selfsame_core::operators::ElementType;
use selfsame_core::syntax::infinity;
use selfsame_core::{Node, NodeId, Operator, Program};
use values::digits::within_limit;
use values::{Extended, Literal, Scalar, SystemName, Typed, ValueDomain};

/// The numbers as they are evaluated.
type Numbers = Extended<Typed>;

/// The maximum number of combinations of values that are tried: two unknowns of 8 bits, each with `•`, have 66,049.
const MAX_COMBINATIONS: usize = 1 << 17;

/// The maximum number of operations, over all combinations: of two unknowns of 8 bits, in about 300 operators.
const MAX_OPERATIONS: usize = 20_000_000;

/// Decides by evaluation whether the first two sides are equal for all values of the unknowns, the others being hypotheses as in
/// [`decide`](crate::scalars); `None` if that depends on more than a few bits.
pub(crate) fn exhausted(
    (program, system): (&Program, SystemName),
    sides: &[Side<'_>],
    given: usize,
    scalars: &Scalars,
) -> Option<ObligationAnswer> {
    let domain = Extended(Typed::new(system, program.machine));
    let unknowns = unknowns((program, system), scalars)?;
    let combinations = unknowns.iter().try_fold(1usize, |all, of| all.checked_mul(of.count))?;
    if combinations > MAX_COMBINATIONS {
        return None;
    }
    let tape = Tape::new((program, &domain), sides, scalars, unknowns.len())?;
    if combinations.saturating_mul(tape.steps.len()) > MAX_OPERATIONS {
        return None;
    }
    for combination in 0..combinations {
        let mut rest = combination;
        let value = |unknown: &Unknown| {
            let number = rest % unknown.count;
            rest /= unknown.count;
            unknown.value(number)
        };
        let values: Vec<Element<Numbers>> = unknowns.iter().map(value).collect();
        let evaluated = within_limit(|| tape.run((&domain, program), values)).ok()?;
        let sides: Vec<&Element<Numbers>> = tape.sides.iter().map(|&at| &evaluated[at]).collect();
        if !holds(&domain, &sides, given, scalars.strength)? {
            return Some(ObligationAnswer::Fails(KnownValues::new()));
        }
    }
    Some(ObligationAnswer::Holds)
}

/// Whether the claim holds of evaluated sides; `None` for a number and a truth.
fn holds(domain: &Numbers, sides: &[&Element<Numbers>], given: usize, strength: Strength) -> Option<bool> {
    let [a, b, hypotheses @ ..] = sides else { return None };
    let is_met = hypotheses.iter().enumerate().all(|(at, hypothesis)| match hypothesis {
        Datum::Truth(truth) if at + 2 < given => *truth == Some(true),
        Datum::Truth(truth) => *truth != Some(false),
        Datum::Number(_) => true,
    });
    let same = match (a, b) {
        (Datum::Number(a), Datum::Number(b)) => domain.same(a, b) == Some(true),
        (Datum::Truth(a), Datum::Truth(b)) => a == b,
        _ => return None,
    };
    Some(!is_met || same || (strength.refines() && !a.is_defined()))
}

/// The values of an unknown: those of its element type, and `•` if there is one more.
#[derive(Clone, Copy)]
struct Unknown {
    of: ElementType,
    count: usize,
}

impl Unknown {
    /// `None` for a type of more than 16 bits.
    fn new(of: ElementType, undefined: bool) -> Option<Unknown> {
        let bits = if of == ElementType::Boolean { 1 } else { of.bits().filter(|bits| *bits <= 16)? };
        Some(Unknown { of, count: (1 << bits) + usize::from(undefined) })
    }

    /// One of its values; `•` is the last.
    fn value(&self, number: usize) -> Element<Numbers> {
        match self.of {
            ElementType::Boolean => Datum::Truth([Some(false), Some(true)].get(number).copied().flatten()),
            of => {
                let is_defined = of.bits().is_some_and(|bits| number >> bits == 0);
                Datum::Number(Scalar::of_bits(of, number as u64).filter(|_| is_defined))
            }
        }
    }
}

/// The unknowns, by their numbers; `None` if one of them is no leaf, or has too many values.
fn unknowns((program, system): (&Program, SystemName), scalars: &Scalars) -> Option<Vec<Unknown>> {
    let count = scalars.leaves.iter().map(|leaf| leaf.unknown + 1).max().unwrap_or(0);
    if count > scalars.leaves.len() {
        return None;
    }
    let mut unknowns = vec![None; count];
    for leaf in &scalars.leaves {
        let of = system.of(program.data_type(leaf.node));
        unknowns[leaf.unknown] = Some(Unknown::new(of, scalars.strength.has_undefined())?);
    }
    unknowns.into_iter().collect()
}

/// One value after the other, from those of the unknowns.
struct Tape {
    steps: Vec<Step>,
    /// The places of the sides' values.
    sides: Vec<usize>,
}

enum Step {
    Constant(Element<Numbers>),
    /// An operator, with the type of its first operand.
    Apply(Operator, ElementType, Vec<usize>),
}

impl Tape {
    /// `None` for index terms and functions, whose values are not finitely many.
    fn new(
        (program, domain): (&Program, &Numbers),
        sides: &[Side<'_>],
        scalars: &Scalars,
        unknowns: usize,
    ) -> Option<Tape> {
        let mut tape = Tape { steps: Vec::new(), sides: Vec::new() };
        for (at, side) in sides.iter().enumerate() {
            let leaves = scalars.leaves.iter().filter(|leaf| leaf.side == at);
            let known = leaves.map(|leaf| (leaf.node, leaf.unknown)).collect();
            let step = |node: NodeId, of: &[usize]| {
                tape.steps.push(step((program, domain), node, of).ok_or(())?);
                Ok::<usize, ()>(unknowns + tape.steps.len() - 1)
            };
            let side = folded((program, scalars), at, side.node, known, step).ok()?;
            tape.sides.push(side);
        }
        Some(tape)
    }

    /// The values of the unknowns, then that of each step.
    fn run(
        &self,
        (domain, program): (&Numbers, &Program),
        mut values: Vec<Element<Numbers>>,
    ) -> Vec<Element<Numbers>> {
        for step in &self.steps {
            let value = match step {
                Step::Constant(value) => value.clone(),
                Step::Apply(operator, of, operands) => {
                    let operands: Vec<Element<Numbers>> =
                        operands.iter().map(|&at| values[at].clone()).collect();
                    // A wrong number of operands is a fault of typing.
                    applied(domain, program.division, (*operator, *of), &operands)
                        .unwrap_or(Datum::Number(None))
                }
            };
            values.push(value);
        }
        values
    }
}

fn step((program, domain): (&Program, &Numbers), node: NodeId, of: &[usize]) -> Option<Step> {
    let literal = |of: ElementType, literal: &Literal| {
        Some(Step::Constant(Datum::Number(domain.literal_as(of, literal).ok()?)))
    };
    match program.node(node) {
        Node::Truth(truth) => Some(Step::Constant(Datum::Truth(domain.truth(Some(*truth))))),
        Node::Infinite { negative, of } => literal(*of, &infinity(*negative)),
        Node::Number(number, of) => literal(*of, &Literal::Exact(number.clone())),
        Node::Apply(Operator::Call(_), _) => None,
        Node::Apply(operator, operands) => {
            Some(Step::Apply(*operator, program.data_type(*operands.first()?), of.to_vec()))
        }
        Node::Index(..) | Node::Read(..) | Node::Choose(..) | Node::Reduce(_) => None,
    }
}
