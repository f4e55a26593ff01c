//! Equalities of expressions over unknowns, decided by the solver in the arithmetic of one number system.

use crate::degrees::asserted;
use crate::exhaustion::exhausted;
use crate::length::NumberLength;
use crate::proof::{Arithmetic, Scalars};
use crate::refusal::{Flaw, Refusal, refuse};
use crate::side::Side;
use crate::smt::Smt;
use crate::solver::{Encoder, KnownValues, ObligationAnswer, Obligations, SolverEffort};
use crate::systems::reached;
use crate::typed::{Encoding, TypedTerm};
use rustc_hash::FxHashMap;
use selfsame_core::operations::{Datum, Element, applied};
use selfsame_core::operators::{Binary, ElementType, Primitive};
use selfsame_core::syntax::infinity;
use selfsame_core::{Condition, FunctionId, Node, NodeId, Operator, Program};
use values::{ElementClass, Literal, SystemName, ValueDomain};
use z3::ast::{Ast, Bool};
use z3::{SatResult, Solver};

/// The effort of z3 for a question of arithmetic: the steps of an obligation,
/// [`RESOURCES`](crate::solver::RESOURCES), but fewer of bit-vectors, which take longer. 700,000 of them took 1.2
/// s in a question about products and quotients of 64 bits, 2,000,000 took 0.4 s in one about products of
/// integers (2026-11-27). Floats have the first try and all that a rule may repeat. Of integers that
/// wrap, taken as integers, a division rounded up in 32 and 64 bits was decided with 8,000,000, and not with 700,000
/// (2026-11-28).
fn effort(arithmetic: Arithmetic, encoding: Encoding) -> SolverEffort {
    let Arithmetic::Of(system) = arithmetic else { return SolverEffort { resources: 2_000_000, tries: 1 } };
    match (system.real().class(), encoding) {
        (_, Encoding::Integers) => SolverEffort { resources: 8_000_000, tries: 1 },
        (ElementClass::Wrapping { .. }, _) => SolverEffort { resources: 700_000, tries: 1 },
        (ElementClass::Floats { .. }, _) => SolverEffort { resources: 2_000_000, tries: 4 },
        (ElementClass::Field, _) => SolverEffort { resources: 100_000, tries: 1 },
        _ if system == SystemName::Stated => SolverEffort { resources: 2_000_000, tries: 4 },
        _ => SolverEffort { resources: 2_000_000, tries: 1 },
    }
}

/// Sample values of the unknowns that refute most false claims, so that the solver need not search for any.
/// Primes tell sums and products apart; the other samples have 0, 1, −1 and both signs at different unknowns, and
/// the last one has equal values. Unknowns share a value with every fifth one after them.
const SAMPLES: [[i64; 5]; 6] = [
    [2, 3, 5, 7, 11],
    [0, 1, 2, -1, 3],
    [1, 0, -3, 2, 5],
    [-1, -2, 0, 4, 1],
    [-7, 2, -3, 0, 9],
    [1, 1, 0, 0, -1],
];

/// Whether the first two sides are equal for all values of the unknowns, where the context holds. The other sides
/// are hypotheses: those before `given` are true, those after it are true wherever they are defined.
pub(crate) fn decide(
    program: &Program,
    obligations: &Obligations,
    context: &[Condition],
    sides: &[Side<'_>],
    given: usize,
    scalars: &Scalars,
) -> Result<ObligationAnswer, Refusal> {
    let question = ScalarQuestion { obligations, program, context, sides, given, scalars };
    match scalars.arithmetic {
        Arithmetic::Booleans => {
            if scalars.leaves.iter().any(|leaf| program.data_type(leaf.node) != ElementType::Boolean) {
                return refuse(Flaw::NumbersAsTruths);
            }
            question.in_system(SystemName::Rational, false)
        }
        Arithmetic::Of(system) => question.in_system(system, true),
    }
}

/// The branch that replaces a choice.
fn taken(program: &Program, scalars: &Scalars, side: usize, node: NodeId) -> Option<NodeId> {
    let taken = scalars.taken.iter().find(|taken| taken.side == side && taken.node == node)?;
    program.node(node).operands().get(taken.branch).copied()
}

/// What `value` makes of the root, for what it makes of the operands of each node. A choice is the branch that is
/// taken, and what is known of other nodes is not computed again.
pub(crate) fn folded<T: Clone, E>(
    (program, scalars): (&Program, &Scalars),
    side: usize,
    root: NodeId,
    mut known: FxHashMap<NodeId, T>,
    mut value: impl FnMut(NodeId, &[T]) -> Result<T, E>,
) -> Result<T, E> {
    let mut pending = vec![root];
    while let Some(&node) = pending.last() {
        if known.contains_key(&node) {
            pending.pop();
            continue;
        }
        let branch = taken(program, scalars, side, node);
        let operands = match program.node(node) {
            Node::Apply(_, operands) => &operands[..],
            _ => branch.as_slice(),
        };
        let open: Vec<NodeId> =
            operands.iter().copied().filter(|operand| !known.contains_key(operand)).collect();
        if open.is_empty() {
            let of: Vec<T> = operands.iter().map(|operand| known[operand].clone()).collect();
            let value = match (branch, &of[..]) {
                (Some(_), [value]) => value.clone(),
                _ => value(node, &of)?,
            };
            known.insert(node, value);
        }
        pending.extend(open);
    }
    Ok(known[&root].clone())
}

/// A question to the solver.
struct ScalarQuestion<'a, 'b> {
    obligations: &'a Obligations,
    program: &'a Program,
    context: &'a [Condition],
    sides: &'a [Side<'b>],
    given: usize,
    scalars: &'a Scalars,
}

/// The formulas that must be unsatisfiable: the hypotheses and the negated claim.
struct Negation {
    formulas: Vec<Bool>,
    /// Whether index terms occur as numbers, so that the context matters.
    uses_indices: bool,
}

impl ScalarQuestion<'_, '_> {
    fn in_system(&self, system: SystemName, numbers: bool) -> Result<ObligationAnswer, Refusal> {
        let domain = Smt::new(system, self.program.machine);
        if self.has_short_values() && SAMPLES.iter().any(|sample| self.fails(&domain, numbers, sample)) {
            return Ok(ObligationAnswer::Fails(KnownValues::new()));
        }
        if let Some(answer) = exhausted((self.program, system), self.sides, self.given, self.scalars) {
            return Ok(answer);
        }
        // Of integers that wrap, z3 knows the bits, and the integers: each decides what the other one does not.
        let other = Smt { encoding: Encoding::Integers, ..domain };
        let integers = || self.encoded(&other, numbers);
        let integers_first = self.wraps(system) && self.divides(system);
        if integers_first && integers().is_ok_and(|answer| answer == ObligationAnswer::Holds) {
            return Ok(ObligationAnswer::Holds);
        }
        match self.encoded(&domain, numbers) {
            Ok(ObligationAnswer::Unknown) | Err(_) if self.wraps(system) && !integers_first => {
                match integers()? {
                    ObligationAnswer::Holds => Ok(ObligationAnswer::Holds),
                    _ => Ok(ObligationAnswer::Unknown),
                }
            }
            answer => answer,
        }
    }

    /// Whether long integers are divided, or shifted as divisions are compiled, and there is no other operation on bits: then z3
    /// is asked about integers first.
    fn divides(&self, system: SystemName) -> bool {
        use Primitive::{ArithmeticShiftRight, Bitcast, LogicalShiftRight, PopulationCount, Quotient};
        let roots: Vec<NodeId> = self.sides.iter().map(|side| side.node).collect();
        let (mut divides, mut has_bits) = (false, false);
        for node in reached(self.program, &roots) {
            let Node::Apply(operator, operands) = self.program.node(node) else { continue };
            let of = operands.first().map(|operand| system.of(self.program.data_type(*operand)));
            let is_long = of.and_then(ElementType::bits).is_some_and(|bits| bits >= 32);
            match operator {
                Operator::Binary(Binary::Div | Binary::IntegerDiv | Binary::Mod | Binary::Rem)
                | Operator::Primitive(Quotient | ArithmeticShiftRight | LogicalShiftRight) => {
                    divides |= is_long
                }
                Operator::Binary(operator) if operator.is_of_bits() => {
                    has_bits |= of != Some(ElementType::Boolean);
                }
                Operator::Primitive(PopulationCount | Bitcast(_)) => has_bits = true,
                _ => {}
            }
        }
        divides && !has_bits
    }

    fn encoded(&self, domain: &Smt, numbers: bool) -> Result<ObligationAnswer, Refusal> {
        let undefined = self.scalars.strength.has_undefined();
        let any = |_: usize, of: ElementType| domain.unknown(of, undefined);
        let formulas = self.negation(domain, numbers, any)?.formulas;
        let Some(solver) = asserted(Solver::new(), &formulas) else { return Ok(ObligationAnswer::Unknown) };
        Ok(match self.obligations.check_apart(&solver, effort(self.scalars.arithmetic, domain.encoding)) {
            SatResult::Unsat => ObligationAnswer::Holds,
            SatResult::Sat => ObligationAnswer::Fails(KnownValues::new()),
            SatResult::Unknown => ObligationAnswer::Unknown,
        })
    }

    /// Whether an unknown is an integer that wraps.
    fn wraps(&self, system: SystemName) -> bool {
        self.scalars.leaves.iter().any(|leaf| {
            matches!(system.of(self.program.data_type(leaf.node)).class(), ElementClass::Wrapping { .. })
        })
    }

    /// Whether every value is short if the unknowns have sample values, in arithmetic in which values get longer.
    fn has_short_values(&self) -> bool {
        match self.scalars.arithmetic {
            Arithmetic::Of(SystemName::Rational | SystemName::Integer) => {
                self.sides.iter().enumerate().all(|(at, side)| self.has_short_value(at, side.node))
            }
            _ => true,
        }
    }

    fn has_short_value(&self, at: usize, root: NodeId) -> bool {
        let leaves = self.scalars.leaves.iter().filter(|leaf| leaf.side == at);
        let samples = leaves.map(|leaf| (leaf.node, NumberLength::SAMPLE)).collect();
        let short = |node: NodeId, operands: &[NumberLength]| {
            let length = NumberLength::of_value(self.program.node(node), operands);
            if length.is_short() { Ok(length) } else { Err(()) }
        };
        folded((self.program, self.scalars), at, root, samples, short).is_ok()
    }

    /// Whether these sample values refute the claim, without search.
    fn fails(&self, domain: &Smt, numbers: bool, sample: &[i64; 5]) -> bool {
        let known = |unknown: usize, of: ElementType| {
            let number = sample[unknown % sample.len()];
            Some(match of {
                ElementType::Boolean => Datum::Truth(domain.truth(Some(number % 2 == 0))),
                of => Datum::Number(domain.index_as(of, number)),
            })
        };
        self.negation(domain, numbers, known).is_ok_and(|negation| {
            let is_true = |formula: &Bool| formula.simplify().as_bool() == Some(true);
            !negation.uses_indices && negation.formulas.iter().all(is_true)
        })
    }

    fn negation(
        &self,
        domain: &Smt,
        numbers: bool,
        unknown: impl Fn(usize, ElementType) -> Option<Element<Smt>>,
    ) -> Result<Negation, Refusal> {
        let ScalarQuestion { program, context, sides, given, scalars, .. } = *self;
        let mut encoding = ScalarEncoding {
            program,
            scalars,
            domain: *domain,
            numbers,
            encoder: Encoder::full(),
            uses_indices: false,
        };
        let mut unknowns: FxHashMap<usize, Element<Smt>> = FxHashMap::default();
        for leaf in &scalars.leaves {
            let Some(value) = unknown(leaf.unknown, program.data_type(leaf.node)) else {
                return refuse(Flaw::TypeNotExpressed);
            };
            unknowns.entry(leaf.unknown).or_insert(value);
        }
        let mut values = Vec::new();
        for (at, side) in sides.iter().enumerate() {
            let leaves = scalars.leaves.iter().filter(|leaf| leaf.side == at);
            let known = leaves.map(|leaf| (leaf.node, unknowns[&leaf.unknown].clone())).collect();
            values.push(encoding.value(at, *side, known)?);
        }
        let hypotheses = values.split_off(2);
        let [a, b] = &values[..] else { return refuse(Flaw::NotTwoSides) };
        let Some([same, left_defined]) = domain.sameness(a, b) else {
            return refuse(Flaw::NumberAgainstTruth);
        };
        let claim = if scalars.strength.refines() { left_defined.implies(&same) } else { same };
        let mut formulas = Vec::new();
        if encoding.uses_indices {
            formulas.extend(context.iter().map(|condition| encoding.encoder.condition(condition)));
            formulas.append(&mut encoding.encoder.definitions);
        }
        let truths = hypotheses.iter().enumerate().map(|(at, hypothesis)| match at + 2 < given {
            true => domain.is_true(hypothesis),
            false => domain.is_not_false(hypothesis),
        });
        formulas.extend(truths);
        formulas.push(claim.not());
        Ok(Negation { formulas, uses_indices: encoding.uses_indices })
    }
}

struct ScalarEncoding<'a> {
    program: &'a Program,
    scalars: &'a Scalars,
    domain: Smt,
    /// Whether there is any arithmetic.
    numbers: bool,
    encoder: Encoder,
    /// Whether index terms occur as numbers, so that the context matters.
    uses_indices: bool,
}

impl ScalarEncoding<'_> {
    /// The value of a side, by the semantics of its operators.
    fn value(
        &mut self,
        at: usize,
        side: Side<'_>,
        known: FxHashMap<NodeId, Element<Smt>>,
    ) -> Result<Element<Smt>, Refusal> {
        let of = (self.program, self.scalars);
        folded(of, at, side.node, known, |node, of| self.node(side, node, of))
    }

    /// An uninterpreted function, strict and otherwise total.
    fn call(&self, f: FunctionId, arguments: &[Element<Smt>]) -> Result<Element<Smt>, Refusal> {
        let function = self.program.function(f);
        if arguments.iter().any(|argument| matches!(argument, Datum::Truth(_))) {
            return refuse(Flaw::FunctionOfTruths);
        }
        if function.result == ElementType::Boolean {
            return refuse(Flaw::FunctionIsTruth);
        }
        let value = self.domain.apply(function.result, &format!("function {}", function.name), arguments);
        value.map_or_else(|| refuse(Flaw::FunctionNotExpressed), Ok)
    }

    fn node(&mut self, side: Side<'_>, node: NodeId, of: &[Element<Smt>]) -> Result<Element<Smt>, Refusal> {
        let domain = &self.domain;
        if !self.numbers && self.program.data_type(node) != ElementType::Boolean {
            return refuse(Flaw::NumberAmongTruths);
        }
        Ok(match (self.program.node(node), of) {
            (Node::Truth(truth), _) => Datum::Truth(domain.truth(Some(*truth))),
            (Node::Infinite { negative, of }, _) => match domain.literal_as(*of, &infinity(*negative)) {
                Ok(value) => Datum::Number(value),
                Err(_) => return refuse(Flaw::NoInfinity),
            },
            (Node::Number(number, of), _) => match domain.literal_as(*of, &Literal::Exact(number.clone())) {
                Ok(value) => Datum::Number(value),
                Err(_) => return refuse(Flaw::NoSuchConstant(number.clone())),
            },
            (Node::Index(p, of), _) => {
                self.uses_indices = true;
                let index = self.encoder.index(&side.index(p));
                match domain.theory(*of).and_then(|of| TypedTerm::of_integer(of, &index)) {
                    Some(number) => Datum::Number(domain.exactly(number)),
                    None => return refuse(Flaw::IndexNotExpressed),
                }
            }
            (Node::Apply(Operator::Call(f), _), arguments) => self.call(*f, arguments)?,
            (Node::Apply(operator, operands), values) => {
                let of =
                    operands.first().map_or(ElementType::Boolean, |first| self.program.data_type(*first));
                match applied(domain, self.program.division, (*operator, of), values) {
                    Some(value) => value,
                    None => return refuse(Flaw::UndeclaredLeaf),
                }
            }
            _ => return refuse(Flaw::UndeclaredLeaf),
        })
    }
}
