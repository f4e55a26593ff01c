//! Expressions of operators over unknowns, decided by the solver in the arithmetic of one number system.

use crate::proof::{Arithmetic, Scalars, Strength};
use crate::rules::{Refusal, Side, refuse};
use crate::solver::{Answer, Encoder, with_resources};
use crate::theories::{Bits, Floats, Integers, Reals, Smt, Theory};
use rustc_hash::FxHashMap;
use semantics::alpha::operations::{Datum, Element, binary, conditional, unary};
use semantics::alpha::syntax::DataType;
use semantics::core::{Condition, Node, NodeId, Operator, Program};
use semantics::values::{Division, Literal, ValueDomain};
use z3::SatResult;
use z3::ast::Bool;

/// z3 may take so many steps for a question of arithmetic.
const RESOURCES: u32 = 2_000_000;

/// Whether both sides are the same for all values of the unknowns, where the context holds.
pub(crate) fn decide(
    program: &Program,
    context: &[Condition],
    sides: [Side<'_>; 2],
    scalars: &Scalars,
) -> Result<Answer, Refusal> {
    match scalars.arithmetic {
        Arithmetic::Booleans => {
            let numbers = scalars.leaves.iter().any(|leaf| program.data_type(leaf.node) != DataType::Boolean);
            if numbers {
                refuse("numbers are no truth values")
            } else {
                in_theory(program, context, sides, scalars, Reals, false)
            }
        }
        Arithmetic::Rational => in_theory(program, context, sides, scalars, Reals, true),
        Arithmetic::Integer => in_theory(program, context, sides, scalars, Integers, true),
        Arithmetic::I32 => in_theory(program, context, sides, scalars, Bits(32), true),
        Arithmetic::I64 => in_theory(program, context, sides, scalars, Bits(64), true),
        Arithmetic::F32 => in_theory(program, context, sides, scalars, Floats(32), true),
        Arithmetic::F64 => in_theory(program, context, sides, scalars, Floats(64), true),
    }
}

fn in_theory<T: Theory>(
    program: &Program,
    context: &[Condition],
    sides: [Side<'_>; 2],
    scalars: &Scalars,
    theory: T,
    numbers: bool,
) -> Result<Answer, Refusal> {
    let domain = Smt(theory);
    let mut encoding = Encoding { program, domain, numbers, encoder: Encoder::full(), uses_indices: false };
    let undefined = scalars.strength != Strength::Defined;
    let mut unknowns: FxHashMap<usize, Element<Smt<T>>> = FxHashMap::default();
    for leaf in &scalars.leaves {
        let is_truth = program.data_type(leaf.node) == DataType::Boolean;
        unknowns.entry(leaf.unknown).or_insert_with(|| match is_truth {
            true => Datum::Truth(domain.any_truth(undefined)),
            false => Datum::Number(domain.any(undefined)),
        });
    }
    let mut values = Vec::new();
    for (at, side) in sides.iter().enumerate() {
        let leaves = scalars.leaves.iter().filter(|leaf| leaf.side == at);
        let known = leaves.map(|leaf| (leaf.node, unknowns[&leaf.unknown].clone())).collect();
        values.push(encoding.value(*side, known)?);
    }
    let [same, left_defined] = sameness(&domain, &values)?;
    let claim = match scalars.strength {
        Strength::Refines => left_defined.implies(&same),
        Strength::Undefined | Strength::Defined => same,
    };
    let solver = with_resources(RESOURCES);
    if encoding.uses_indices {
        context.iter().for_each(|condition| solver.assert(encoding.encoder.condition(condition)));
        encoding.encoder.definitions.iter().for_each(|definition| solver.assert(definition));
    }
    solver.assert(claim.not());
    Ok(match solver.check() {
        SatResult::Unsat => Answer::Holds,
        SatResult::Sat => Answer::Fails,
        SatResult::Unknown => Answer::Unknown,
    })
}

/// When the values are the same, and when the first is defined.
fn sameness<T: Theory>(domain: &Smt<T>, values: &[Element<Smt<T>>]) -> Result<[Bool; 2], Refusal> {
    match values {
        [Datum::Number(a), Datum::Number(b)] => Ok([domain.same(a, b).truth, a.defined.clone()]),
        [Datum::Truth(a), Datum::Truth(b)] => {
            let both = Bool::and(&[&a.defined, &b.defined, &a.truth.iff(&b.truth)]);
            let neither = Bool::or(&[&a.defined, &b.defined]).not();
            Ok([Bool::or(&[both, neither]), a.defined.clone()])
        }
        _ => refuse("a number and a truth value"),
    }
}

struct Encoding<'a, T> {
    program: &'a Program,
    domain: Smt<T>,
    /// Whether there is an arithmetic at all.
    numbers: bool,
    encoder: Encoder,
    /// Whether index terms occur as numbers, so that the context matters.
    uses_indices: bool,
}

impl<T: Theory> Encoding<'_, T> {
    /// The value of a side, by the semantics of its operators.
    fn value(
        &mut self,
        side: Side<'_>,
        mut known: FxHashMap<NodeId, Element<Smt<T>>>,
    ) -> Result<Element<Smt<T>>, Refusal> {
        let mut pending = vec![side.node];
        while let Some(&node) = pending.last() {
            if known.contains_key(&node) {
                pending.pop();
                continue;
            }
            let operands = match self.program.node(node) {
                Node::Apply(_, operands) => &operands[..],
                _ => &[],
            };
            let open: Vec<NodeId> =
                operands.iter().copied().filter(|operand| !known.contains_key(operand)).collect();
            if open.is_empty() {
                let of: Vec<Element<Smt<T>>> =
                    operands.iter().map(|operand| known[operand].clone()).collect();
                let value = self.node(side, node, &of)?;
                known.insert(node, value);
            }
            pending.extend(open);
        }
        Ok(known[&side.node].clone())
    }

    fn node(
        &mut self,
        side: Side<'_>,
        node: NodeId,
        of: &[Element<Smt<T>>],
    ) -> Result<Element<Smt<T>>, Refusal> {
        let domain = &self.domain;
        if !self.numbers && self.program.data_type(node) != DataType::Boolean {
            return refuse("a number among truth values");
        }
        Ok(match (self.program.node(node), of) {
            (Node::Truth(truth), _) => Datum::Truth(domain.truth(Some(*truth))),
            (Node::Number(number, _), _) => match domain.literal(&Literal::Exact(number.clone())) {
                Ok(value) => Datum::Number(value),
                Err(_) => return refuse("a constant that is no number of the system"),
            },
            (Node::Index(p, _), _) => {
                self.uses_indices = true;
                match domain.0.of_integer(&self.encoder.index(&side.index(p))) {
                    Some(number) => Datum::Number(domain.exactly(number)),
                    None => return refuse("an index term that the theory cannot express"),
                }
            }
            (Node::Apply(Operator::Unary(operator), _), [a]) => unary(domain, *operator, a),
            (Node::Apply(Operator::Binary(operator), _), [a, b]) => {
                binary(domain, Division::Extended, *operator, a, b)
            }
            (Node::Apply(Operator::If, _), [c, a, b]) => conditional(domain, c, a, b),
            _ => return refuse("a leaf that is not declared as one"),
        })
    }
}
