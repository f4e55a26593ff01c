//! The answer in each number system: by the proofs of the instance, by proofs in the system's own arithmetic, or by a
//! counterexample.

use super::proofs::{Accepted, Attempt, Unproved};
use crate::refutation::{AT_FIRST, EVALUATIONS, FoundCounterexample, LeftSide, Refuter, Sought};
use crate::search::LawTier;
use crate::search::samples::SamplePoint;
use checker::laws::Laws;
use checker::proof::{Arithmetic, Strength};
use checker::systems::{has_several_values, is_real, shown, types};
use selfsame_core::Instance;
use selfsame_core::answer::Answer;
use selfsame_core::by_inputs::{ByInputs, InputClass};
use selfsame_core::operators::ElementType;
use selfsame_core::relation::Relation;
use values::{ElementTypes, Listed, SystemName, Visitor};

/// Judges the claim in each number system: by the proofs, else by a search for a counterexample.
pub(super) struct InSystems<'a> {
    pub(super) attempt: &'a Attempt<'a>,
    /// The laws of each proof.
    pub(super) laws: &'a [Laws],
    /// Whether the right side is known to have no meaning at some sizes.
    pub(super) is_meaningless: bool,
    /// Whether both sides are proved to have a meaning, and the same shape.
    pub(super) is_meaningful: bool,
    /// The number systems that are not searched again.
    pub(super) settled: &'a [SystemName],
    /// Points at which the sides perhaps differ.
    pub(super) suspects: &'a [SamplePoint],
}

/// The result in one number system.
pub(super) enum SystemOutcome {
    /// The hypotheses contradict each other in it.
    Contradictory(SystemName),
    /// The answer, and the proofs that hold in this system's arithmetic.
    Answered(Box<Answer>, Vec<Accepted>),
}

impl InSystems<'_> {
    /// The outcome in each number system that is asked for and has a meaning for the instance.
    pub(super) fn outcomes(&self) -> Vec<SystemOutcome> {
        let instance = self.attempt.instance;
        let is_wanted = |system: &&SystemName| instance.laws.is_empty() || is_real(**system);
        let (types, machine) = (types(instance), instance.program.machine);
        let wanted = self.attempt.systems.iter().filter(is_wanted);
        wanted.map(|system| system.visit_types(types, machine, self)).collect()
    }
}

impl Visitor for &InSystems<'_> {
    type Output = SystemOutcome;

    fn visit<S: Listed>(self, system: S) -> SystemOutcome {
        let name = system.row();
        if self.attempt.is_contradictory(Arithmetic::Of(name)) {
            return SystemOutcome::Contradictory(name);
        }
        if self.is_meaningless {
            let (relations, counterexamples) = (ByInputs::both(Relation::Different), ByInputs::both(None));
            let answer = Answer { system: name, relations, counterexamples };
            return SystemOutcome::Answered(Box::new(answer), Vec::new());
        }
        let proved = self.laws.iter().map(|laws| shown(laws, name, &self.attempt.instance.program.machine));
        let known = proved.fold(ByInputs::both(Relation::Unknown), ByInputs::<Relation>::or);
        if self.settled.contains(&name) || known == ByInputs::both(Relation::Equivalent) {
            let answer = Answer { system: name, relations: known, counterexamples: ByInputs::default() };
            return SystemOutcome::Answered(Box::new(answer), Vec::new());
        }
        let (answer, proofs) = self.searched(system, known);
        SystemOutcome::Answered(Box::new(answer), proofs)
    }
}

impl<'a> InSystems<'a> {
    /// The answer after a search for counterexamples and for proofs in the system's own arithmetic. Where a reduction has several
    /// values, a difference between two of them shows nothing.
    fn searched<S: Listed>(&self, system: S, mut relations: ByInputs<Relation>) -> (Answer, Vec<Accepted>) {
        let mut counterexamples: ByInputs<Option<FoundCounterexample>> = ByInputs::default();
        let mut proofs = Vec::new();
        // Most counterexamples are found at once, and most proofs in less time than a long search, but not those about floats:
        // z3 looks for a minute for what 1,000 evaluations refute (2026-11-29).
        let lengths: &[u32] =
            if self.has_floats(system.row()) { &[EVALUATIONS] } else { &[AT_FIRST, EVALUATIONS] };
        for (at, &evaluations) in lengths.iter().enumerate() {
            if relations.defined != Relation::Equivalent {
                let left = LeftSide::PreferablyDefined;
                counterexamples.defined = self.search((system, evaluations), InputClass::Defined, left);
            }
            let is_open = counterexamples.defined.as_ref().is_none_or(|found| !found.left_defined);
            if !is_open {
                break;
            }
            if at == 0 && self.is_meaningful {
                (relations, proofs) = self.solve(&system, relations);
            }
        }
        if relations.any != Relation::Equivalent {
            let of_defined = counterexamples.defined.clone();
            counterexamples.any =
                of_defined.or_else(|| self.search((system, EVALUATIONS), InputClass::Any, LeftSide::Any));
        }
        self.solve_open(system, &relations, &mut counterexamples);
        // What was found among all inputs may be one of defined inputs.
        if counterexamples.defined.is_none() && relations.defined == Relation::Unknown {
            let of_defined = |found: &&FoundCounterexample| found.counterexample.has_defined_inputs();
            counterexamples.defined = counterexamples.any.as_ref().filter(of_defined).cloned();
        }
        for inputs in InputClass::BOTH {
            self.conclude(system, inputs, &mut relations[inputs], &mut counterexamples[inputs]);
        }
        let counterexamples = counterexamples.map(|found| found.map(|found| found.counterexample));
        (Answer { system: system.row(), relations, counterexamples }, proofs)
    }

    /// Asks the solver for a counterexample where nothing is known. One of defined inputs is one of all.
    fn solve_open<S: Listed>(
        &self,
        system: S,
        relations: &ByInputs<Relation>,
        counterexamples: &mut ByInputs<Option<FoundCounterexample>>,
    ) {
        let is_open = |inputs: &InputClass| {
            relations[*inputs] == Relation::Unknown && counterexamples[*inputs].is_none()
        };
        let Some(inputs) = InputClass::BOTH.into_iter().find(is_open) else { return };
        let found = self.solved(system, inputs, &[LeftSide::Defined, LeftSide::Any]);
        for wider in InputClass::BOTH.into_iter().filter(|other| *other >= inputs) {
            if counterexamples[wider].is_none() {
                counterexamples[wider].clone_from(&found);
            }
        }
    }

    /// Refutes an unknown relation by a counterexample to equality. If the counterexample leaves the left side
    /// undefined, searches for one that does not: only that refutes refinement too. For defined inputs, that
    /// search has already been made.
    fn conclude<S: Listed>(
        &self,
        system: S,
        inputs: InputClass,
        relation: &mut Relation,
        counterexample: &mut Option<FoundCounterexample>,
    ) {
        if *relation != Relation::Unknown {
            return;
        }
        let Some(found) = counterexample else { return };
        *relation = Relation::Different;
        if !found.left_defined {
            let better = match inputs {
                InputClass::Defined => None,
                InputClass::Any => self.search((system, EVALUATIONS), inputs, LeftSide::Defined),
            };
            match better.or_else(|| self.solved(system, inputs, &[LeftSide::Defined])) {
                Some(better) => *found = better,
                None => *relation = Relation::Unequal,
            }
        }
    }

    /// The known relations, joined with those that are proved in the arithmetic of a number system; and the proofs.
    fn solve<S: Listed>(
        &self,
        system: &S,
        mut known: ByInputs<Relation>,
    ) -> (ByInputs<Relation>, Vec<Accepted>) {
        let instance = self.attempt.instance;
        let arithmetic = match are_truths(instance) {
            true => Arithmetic::Booleans,
            false => Arithmetic::Of(system.row()),
        };
        // The laws of functions hold in exact arithmetic only, and the solver needs them.
        let solves_floats = self.attempt.options.solves_floats && instance.laws.is_empty();
        let has_floats = self.has_floats(system.row());
        let lawless = has_floats && !solves_floats;
        let mut proofs = Vec::new();
        if lawless {
            return (known, proofs);
        }
        let tier = if has_floats { LawTier::Commutative } else { LawTier::Semiring };
        for strength in Strength::ALL {
            match self.attempt.attempt(tier, Some((arithmetic, strength))) {
                Ok(accepted) => {
                    known = known.or(shown(&accepted.laws, system.row(), &instance.program.machine));
                    proofs.push(accepted);
                }
                Err(Unproved::Refused(refusal)) if !refusal.undecided => {}
                Err(_) => break,
            }
            if known.defined == Relation::Equivalent {
                break;
            }
        }
        (known, proofs)
    }

    /// Whether the sides have several values in a number system.
    fn has_several_values(&self, system: SystemName) -> bool {
        let Instance { program, claim, given, .. } = self.attempt.instance;
        has_several_values(program, &[&claim.sides[..], given].concat(), system)
    }

    /// Whether some numbers of the instance are floats in a number system.
    fn has_floats(&self, system: SystemName) -> bool {
        let types: ElementTypes = types(self.attempt.instance);
        types.iter().any(|of| system.of(of).is_float())
    }

    fn search<S: Listed>(
        &self,
        (system, evaluations): (S, u32),
        inputs: InputClass,
        left: LeftSide,
    ) -> Option<FoundCounterexample> {
        if self.has_several_values(system.row()) {
            return None;
        }
        let seed = self.attempt.options.seed;
        let refuter = || self.refuter((system, evaluations), inputs, left);
        let found = refuter().search(&self.attempt.assignments, seed);
        found.or_else(|| refuter().search_at(self.suspects, seed))
    }

    /// A counterexample found by the solver, the first that there is in the order of `left`.
    fn solved<S: Listed>(
        &self,
        system: S,
        inputs: InputClass,
        left: &[LeftSide],
    ) -> Option<FoundCounterexample> {
        if self.has_several_values(system.row()) {
            return None;
        }
        let is_slow = self.has_floats(system.row());
        if is_slow && !self.attempt.options.solves_floats {
            return None;
        }
        left.iter().find_map(|&left| {
            let mut refuter = self.refuter((system, EVALUATIONS), inputs, left);
            refuter.solve(self.attempt.resources, Arithmetic::Of(system.row()), &self.attempt.assignments)
        })
    }

    fn refuter<S: Listed>(
        &self,
        (system, evaluations): (S, u32),
        inputs: InputClass,
        left: LeftSide,
    ) -> Refuter<'a, S> {
        let sought =
            Sought { undefined_inputs: inputs == InputClass::Any, left, within: !self.is_meaningful };
        Refuter::new(self.attempt.instance, system, sought, (evaluations, self.attempt.options.steps))
    }
}

/// Whether both sides are computed from truth values only.
fn are_truths(instance: &Instance) -> bool {
    let program = &instance.program;
    let mut pending = instance.claim.sides.to_vec();
    let mut seen = vec![false; program.len()];
    while let Some(node) = pending.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            continue;
        }
        if program.data_type(node) != ElementType::Boolean {
            return false;
        }
        pending.extend(program.node(node).operands());
    }
    true
}
