//! Decides whether an instance is vacuous: whether some sizes and inputs satisfy all its hypotheses.
//!
//! The hypotheses are the conditions on sizes, that the result has an element, that the given truths hold there,
//! and, in exact arithmetic, the instances of laws that a proof may use. A proof from contradictory hypotheses is
//! valid, but says nothing. Sizes and inputs witness that they are satisfiable: found by evaluation in the number
//! system (`running`), or by z3, whose values are evaluated again (`models`); only the interpretation of functions
//! rests on z3 alone. A contradiction is shown for all sizes and inputs together, with every element arbitrary.

mod models;
mod places;
mod running;

use crate::expansion::Substitution;
use crate::proof::{Arithmetic, Leaf, Scalars, Strength, UsedTruth};
use crate::refusal::{Flaw, Refusal, refuse};
use crate::rules::{Checker, Hypotheses};
use crate::scalars::decide;
use crate::side::Side;
use crate::solver::{ObligationAnswer, Obligations, in_own_context};
use crate::totality::is_total;
use base::seeded::Seeded;
use models::HypothesesQuestion;
use places::{places, uniform_places};
use running::{HypothesesRun, MetInputs};
use selfsame_core::operators::ElementType;
use selfsame_core::{Condition, Index, Instance, Node, NodeId, Program};
use values::{Listed, SystemName, Visitor};

/// Whether hypotheses are satisfiable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HypothesesStanding {
    /// Some sizes and inputs satisfy them.
    Met,
    /// No sizes and inputs satisfy them.
    Contradictory,
    /// Neither has been shown.
    Unknown,
}

/// The values of all variables, by number.
type VariableValues = Vec<i64>;

/// Requires that the hypotheses of an instance are satisfiable in the given number systems. `closed` is the
/// instance with further instances of its laws.
///
/// # Errors
/// The hypotheses contradict each other, or are not known to be satisfiable.
pub fn require(
    instance: &Instance,
    closed: Option<&Instance>,
    systems: &[SystemName],
) -> Result<(), Refusal> {
    let standings = standings(instance, closed, systems);
    let found = |standing| standings.iter().find(|(_, other)| *other == standing).map(|(system, _)| *system);
    if let Some(system) = found(HypothesesStanding::Contradictory) {
        return refuse(contradiction(instance, system));
    }
    match found(HypothesesStanding::Unknown) {
        Some(_) if instance.given.is_empty() && instance.laws.is_empty() => {
            Err(Refusal::new(Flaw::Unmet(None), true))
        }
        Some(system) => Err(Refusal::new(Flaw::Unmet(Some(system)), true)),
        None => Ok(()),
    }
}

/// Says which hypotheses contradict each other.
pub fn contradiction(instance: &Instance, system: SystemName) -> Flaw {
    let what = match [instance.given.is_empty(), instance.laws.is_empty()] {
        [false, true] => "what is given contradicts itself",
        [true, false] => "the laws contradict each other",
        _ => "what is given and the laws contradict each other",
    };
    Flaw::Contradictory { what, system }
}

/// Whether the hypotheses of an instance are satisfiable, for each of the number systems, sorted by their names.
pub fn standings(
    instance: &Instance,
    closed: Option<&Instance>,
    systems: &[SystemName],
) -> Vec<(SystemName, HypothesesStanding)> {
    let supposes = !instance.given.is_empty() || !instance.laws.is_empty();
    let at = |places: &[VariableValues]| {
        let types = crate::systems::types(instance);
        let standing = |system: &SystemName| {
            let visitor = &mut Satisfiability { instance, closed, places };
            (*system, system.visit_types(types, instance.program.machine, visitor))
        };
        let mut standings: Vec<_> = systems.iter().map(standing).collect();
        standings.sort_by_key(|(system, _): &(SystemName, HypothesesStanding)| system.name());
        standings
    };
    // Most instances suppose nothing and claim something at a small size: no context is made for them, which takes
    // 4 ms.
    match if supposes { Vec::new() } else { uniform_places(instance, 1) } {
        none if none.is_empty() => in_own_context(|| at(&places(instance, if supposes { 4 } else { 1 }))),
        uniform => at(&uniform),
    }
}

/// Whether hypotheses are satisfiable in each of some number systems.
struct Satisfiability<'a> {
    instance: &'a Instance,
    closed: Option<&'a Instance>,
    places: &'a [VariableValues],
}

impl Visitor for &mut Satisfiability<'_> {
    type Output = HypothesesStanding;

    fn visit<S: Listed>(self, system: S) -> HypothesesStanding {
        let arithmetic = Arithmetic::Of(system.row());
        let uses_laws = arithmetic == Arithmetic::RATIONAL && !self.instance.laws.is_empty();
        let contradictory = |instance: &Instance| is_contradictory(instance, arithmetic);
        if Seeded::HypothesesAny.is_in() {
            return HypothesesStanding::Met;
        }
        if uses_laws && contradictory(self.closed.unwrap_or(self.instance)) {
            return HypothesesStanding::Contradictory;
        }
        let plain = self.instance.given.is_empty() && !uses_laws;
        let is_met = |instance: &Instance| {
            let mut places = self.places.iter();
            if plain { !self.places.is_empty() } else { places.any(|place| is_met(instance, place, system)) }
        };
        if is_met(self.closed.unwrap_or(self.instance)) || self.closed.is_some() && is_met(self.instance) {
            return HypothesesStanding::Met;
        }
        match !plain && contradictory(self.instance) {
            true => HypothesesStanding::Contradictory,
            false => HypothesesStanding::Unknown,
        }
    }
}

/// The maximum number of generated inputs at a place. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const ATTEMPTS: u64 = 200;
/// The maximum number of times that z3 is asked for functions that fit generated inputs. A question may take
/// 700,000 steps: three take about as many as one obligation.
const ASKED: usize = 3;

/// Whether some inputs satisfy the hypotheses at a place.
fn is_met<S: Listed>(instance: &Instance, place: &[i64], system: S) -> bool {
    let run = HypothesesRun::new(instance, place, system);
    let ask = |known| HypothesesQuestion { instance, place, known }.answer(Arithmetic::Of(system.row()));
    let mut asked = 0;
    for attempt in 0..ATTEMPTS {
        match run.attempt(attempt) {
            Some(MetInputs { is_whole: true, .. }) => return true,
            Some(MetInputs { values, .. }) if asked < ASKED => {
                asked += 1;
                if ask(values).is_some_and(|model| model.is_exact) {
                    return true;
                }
            }
            Some(_) => break,
            None => {}
        }
    }
    ask(Default::default()).is_some_and(|model| model.is_exact || run.confirms(&model.values))
}

/// Whether no values of the elements read, and no functions, satisfy the hypotheses in the arithmetic of a number
/// system. Every operand that is not an operation is an unknown, shared by all its occurrences. A given tensor of
/// truths contributes its element at the point of the claim, if it has one there.
fn is_contradictory(instance: &Instance, arithmetic: Arithmetic) -> bool {
    let mut program = instance.program.clone();
    let [yes, no] = [true, false].map(|truth| program.add(Node::Truth(truth), ElementType::Boolean));
    let (obligations, here) = (Obligations::default(), Substitution::new());
    let context = Condition::all([instance.assumptions.clone(), instance.claim.domain()]);
    let mut checker = Checker::new(&program, &obligations, &context);
    checker.hypotheses = Hypotheses { given: &instance.given, laws: &instance.laws };
    let given: Vec<(NodeId, Substitution)> =
        (0..instance.given.len()).map(|at| here_given(&checker, instance, at)).collect();
    let laws = if arithmetic == Arithmetic::RATIONAL { &instance.laws[..] } else { &[] };
    let truths = [yes, no].map(|node| Side { node, at: &here });
    let given = given.iter().map(|(node, at)| Side { node: *node, at });
    let laws = laws.iter().map(|&node| Side { node, at: &here });
    let sides: Vec<Side<'_>> = truths.into_iter().chain(given).chain(laws).collect();
    if sides.len() == 2 {
        return false;
    }
    let leaf = |(side, node): (usize, NodeId)| Leaf { side, node, unknown: node.index(), proof: None };
    let leaves = sides
        .iter()
        .enumerate()
        .flat_map(|(at, side)| unknowns(&program, side.node).into_iter().map(move |node| leaf((at, node))));
    let leaves: Vec<Leaf> = leaves.collect();
    // Inputs are defined, but values computed from them may be undefined.
    let strength = match leaves.iter().all(|leaf| is_total(&program, leaf.node)) {
        true => Strength::Defined,
        false => Strength::Undefined,
    };
    let scalars = Scalars { arithmetic, strength, given: Vec::new(), taken: Vec::new(), leaves };
    let given = 2 + instance.given.len();
    decide(&program, &obligations, &[context], &sides, given, &scalars) == Ok(ObligationAnswer::Holds)
}

/// A given truth, instantiated at the point of the claim if it has at most as many indices and an element there.
/// Distinct given truths have no bound index in common, except for parts of one truth; so a node has the same
/// value wherever it occurs.
fn here_given(checker: &Checker<'_>, instance: &Instance, given: usize) -> (NodeId, Substitution) {
    let count = match instance.program.node(instance.given[given]) {
        Node::Reduce(all) => all.binders.len(),
        _ => 0,
    };
    let point = instance.claim.point.iter().take(count).map(|&v| Index::from(v));
    let at_point = UsedTruth { given, at: point.collect() };
    checker.used(&at_point).unwrap_or((instance.given[given], Substitution::new()))
}

/// The maximal operands below a node that are not operations on values: elements, reductions and choices.
fn unknowns(program: &Program, root: NodeId) -> Vec<NodeId> {
    let mut seen = vec![false; program.len()];
    let (mut pending, mut unknowns) = (vec![root], Vec::new());
    while let Some(node) = pending.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            continue;
        }
        match program.node(node) {
            Node::Apply(_, operands) => pending.extend(operands),
            Node::Read(..) | Node::Reduce(_) | Node::Choose(..) => unknowns.push(node),
            Node::Number(..) | Node::Infinite { .. } | Node::Truth(_) | Node::Index(..) => {}
        }
    }
    unknowns
}
