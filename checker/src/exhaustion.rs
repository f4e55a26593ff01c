//! Equalities of expressions over few bits, decided by trying all values of the unknowns.
//!
//! What z3 cannot multiply or divide, evaluation can: two unknowns of 8 bits have 65,536 values. The values are those of the
//! reference semantics, so this shares nothing with the theories of z3.

use crate::proof::{Scalars, Strength};
use crate::scalars::folded;
use crate::side::Side;
use crate::solver::{KnownValues, ObligationAnswer};
use selfsame_core::operations::{Datum, Element, binary, conditional, primitive, selection, unary};
use selfsame_core::operators::ElementType;
use selfsame_core::syntax::infinity;
use selfsame_core::{Node, NodeId, Operator, Program};
use values::digits::within_limit;
use values::{ElementClass, Extended, Literal, Scalar, SystemName, Typed, ValueDomain};

/// The numbers as they are evaluated.
type Numbers = Extended<Typed>;

/// The maximum number of combinations of values that are tried, two unknowns of 8 bits with `•` being the largest: half of it and
/// twice give the same verdicts on the shipped rules.
const MAX_COMBINATIONS: usize = 1 << 17;

/// The maximum number of operations, over all combinations.
const MAX_OPERATIONS: usize = 20_000_000;

/// Decides by evaluation whether the first two sides are equal for all values of the unknowns, the others being hypotheses as in
/// [`decide`](crate::scalars); `None` if that depends on more than a few bits.
pub(crate) fn exhausted(
    (program, system): (&Program, SystemName),
    sides: &[Side<'_>],
    given: usize,
    scalars: &Scalars,
) -> Option<ObligationAnswer> {
    let domain = Extended(Typed::new(system));
    let values = unknowns((program, system, &domain), scalars)?;
    let combinations = values.iter().try_fold(1usize, |all, of| all.checked_mul(of.len()))?;
    let tape = Tape::new((program, &domain), sides, scalars, values.len())?;
    if combinations > MAX_COMBINATIONS || combinations.saturating_mul(tape.steps.len()) > MAX_OPERATIONS {
        return None;
    }
    let mut fails = false;
    for combination in 0..combinations {
        let mut rest = combination;
        let of = |values: &Vec<Element<Numbers>>| {
            let value = values[rest % values.len()].clone();
            rest /= values.len();
            value
        };
        let registers: Vec<Element<Numbers>> = values.iter().map(of).collect();
        let evaluated = within_limit(|| tape.run((&domain, program), registers)).ok()?;
        let sides: Vec<&Element<Numbers>> = tape.sides.iter().map(|&at| &evaluated[at]).collect();
        fails |= !holds(&domain, &sides, given, scalars.strength)?;
    }
    Some(if fails { ObligationAnswer::Fails(KnownValues::new()) } else { ObligationAnswer::Holds })
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
    Some(!is_met || same || (strength == Strength::Refines && !a.is_defined()))
}

/// All values of each unknown.
fn unknowns(
    (program, system, domain): (&Program, SystemName, &Numbers),
    scalars: &Scalars,
) -> Option<Vec<Vec<Element<Numbers>>>> {
    let count = scalars.leaves.iter().map(|leaf| leaf.unknown + 1).max().unwrap_or(0);
    if count > scalars.leaves.len() {
        return None;
    }
    let mut values = vec![Vec::new(); count];
    for leaf in &scalars.leaves {
        if values[leaf.unknown].is_empty() {
            let of = system.of(program.data_type(leaf.node));
            values[leaf.unknown] = all(domain, of, scalars.strength != Strength::Defined)?;
        }
    }
    values.iter().all(|of| !of.is_empty()).then_some(values)
}

/// All values of an element type of at most 16 bits.
fn all(domain: &Numbers, of: ElementType, undefined: bool) -> Option<Vec<Element<Numbers>>> {
    let mut values: Vec<Element<Numbers>> = match of.class() {
        ElementClass::Truths => [false, true].map(|truth| Datum::Truth(domain.truth(Some(truth)))).to_vec(),
        ElementClass::Wrapping { bits: bits @ ..=16, .. } => {
            (0..1i64 << bits).map(|number| Datum::Number(Scalar::index(of, number))).collect()
        }
        ElementClass::Floats { bits: bits @ ..=16, .. } => {
            (0..1u64 << bits).map(|bits| Datum::Number(Scalar::of_bits(of, bits))).collect()
        }
        _ => return None,
    };
    if undefined {
        values.push(match of {
            ElementType::Boolean => Datum::Truth(None),
            _ => Datum::Number(None),
        });
    }
    Some(values)
}

/// One value after the other, from those of the unknowns.
struct Tape {
    steps: Vec<Step>,
    /// The number of unknowns, whose values come first.
    unknowns: usize,
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
        let mut tape = Tape { steps: Vec::new(), unknowns, sides: Vec::new() };
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
        debug_assert_eq!(values.len(), self.unknowns, "a value for each unknown");
        for step in &self.steps {
            let value = match step {
                Step::Constant(value) => value.clone(),
                Step::Apply(operator, of, operands) => {
                    let operands: Vec<Element<Numbers>> =
                        operands.iter().map(|&at| values[at].clone()).collect();
                    applied((domain, program), (*operator, *of), &operands)
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

fn applied(
    (domain, program): (&Numbers, &Program),
    (operator, of): (Operator, ElementType),
    operands: &[Element<Numbers>],
) -> Element<Numbers> {
    match (operator, operands) {
        (Operator::Unary(operator), [a]) => unary(domain, (operator, of), a),
        (Operator::Binary(operator), [a, b]) => binary(domain, program.division, operator, a, b),
        (Operator::If, [c, a, b]) => conditional(domain, c, a, b),
        (Operator::Select, [c, a, b]) => selection(domain, c, a, b),
        (Operator::Primitive(of), operands) => primitive(domain, of, operands),
        // A wrong number of operands is a fault of typing.
        _ => Datum::Number(None),
    }
}
