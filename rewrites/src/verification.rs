//! Verifies a rule: at each of its instances, in each number system.

use crate::concrete::Resources;
use crate::meaning::{Meaning, absurdity, for_choices, meaning, vacuous};
use crate::narrowing::nonempty;
use crate::refutation::{Counterexample, Refuter, Sought};
use crate::samples::{self, Point};
use crate::search::{Search, Tier, whole};
use crate::supposing::supposed;
use crate::verdict::{Answer, Assumed, Verdict, choices};
use base::diagnostics::{Code, Diagnostic, Span};
use checker::certificate::{Proved, best};
use checker::hypotheses::{contradiction, further_laws};
use checker::laws::Laws;
use checker::proof::{Arithmetic, Proof, Strength};
use checker::rules::{Hypotheses, Refusal};
use checker::solver::{Obligations, in_own_context};
use checker::stated::Stated;
use checker::systems::{Visitor, in_each, is_real, shown};
use fastrand::Rng;
use rule_files::elaboration::Fault;
use rule_files::instances::instances;
use rule_files::library::Library;
use rule_files::syntax::Rule;
use selfsame_core::by_inputs::{ByInputs, InputClass};
use selfsame_core::operators::DataType;
use selfsame_core::relation::Relation;
use selfsame_core::unrolling::unrolled;
use selfsame_core::{Condition, Instance, Node, NodeId};
use std::cell::RefCell;
use values::{Algebra, NumberSystem};

/// The effort of a verification.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The seed for samples and counterexamples.
    pub seed: u64,
    /// The maximum number of pairs of sides in the search for one proof.
    pub budget: u32,
    /// The maximum number of evaluation steps in the search for one counterexample.
    pub steps: u64,
    /// The number systems to judge, if not all.
    pub systems: Option<&'static [&'static str]>,
    /// Whether the solver is asked about the arithmetic of floats, which is slow.
    pub solves_floats: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { seed: 0, budget: 20_000, steps: 5_000_000, systems: None, solves_floats: true }
    }
}

/// Verifies a rule.
///
/// # Errors
/// The rule has no meaning for one of its choices.
pub fn verify(library: &Library, rule: &Rule, options: &Options) -> Result<Verdict, Fault> {
    let instances = instances(library, rule)?;
    let mut verdict = verify_instances(&instances, options)?;
    supposed(&instances, further_laws(library, rule).as_deref(), &mut verdict);
    verdict.refuted_all_the_same();
    verdict.narrower = nonempty(&instances, &verdict, options);
    if rule.same_text {
        verdict.vacuous = Some("both sides are the same text".to_owned());
    }
    Ok(verdict)
}

/// Verifies all instances of a rule, or all outputs of two programs.
///
/// # Errors
/// The left side of an instance has no meaning.
pub fn verify_instances(instances: &[Instance], options: &Options) -> Result<Verdict, Fault> {
    in_own_context(|| verify_all(instances, options))
}

/// The maximum height of a program given to the search, the solver and the checker, which all recurse: that of
/// the checker, so that what is found can be checked.
pub const MAX_HEIGHT: usize = checker::nesting::MAX_HEIGHT;

fn verify_all(instances: &[Instance], options: &Options) -> Result<Verdict, Fault> {
    if let Some(height) = instances.iter().map(|of| of.program.height()).find(|height| *height > MAX_HEIGHT) {
        let message = format!("operators are nested {height} deep: too deep for the solver");
        let label = format!("the limit is {MAX_HEIGHT}");
        return Err(Box::new(Diagnostic::new(Code::V0009, Span::default(), message, label)));
    }
    let obligations = Obligations::default();
    let mut verdict = Verdict {
        instances: instances.len(),
        choices: choices(instances),
        assumed: Assumed::of(instances, &obligations),
        ..Verdict::default()
    };
    let resources = Resources::new(&obligations);
    for (at, instance) in instances.iter().enumerate() {
        let settled = verdict.different();
        let mut found = Attempt::new(instance, options, &obligations, &resources).verdict(&settled)?;
        if found.is_open()
            && let Some(unrolled) = unrolled(instance)
        {
            found.join(Attempt::new(&unrolled, options, &obligations, &resources).verdict(&settled)?);
        }
        verdict.weaken(found, at == 0);
    }
    verdict.obligations = obligations.asked.get();
    if obligations.is_spent() {
        verdict.open = Some("out of budget".to_owned());
    }
    Ok(verdict)
}

/// Whether the instance has a meaning and a proof in some number system, for all inputs, `•` included.
pub(crate) fn is_provable(instance: &Instance, options: &Options) -> bool {
    in_own_context(|| {
        let obligations = Obligations::default();
        let resources = Resources::new(&obligations);
        let attempt = Attempt::new(instance, options, &obligations, &resources);
        let means = |side: usize| {
            let requirements = &instance.requirements[side];
            matches!(meaning(instance, requirements, &attempt.assignments, &obligations), Meaning::Proved)
        };
        let best = |laws: &Laws| best(instance, std::slice::from_ref(laws), &attempt.stated);
        let is_same = |laws: &Laws| !best(laws).values().all(is_unknown);
        means(0) && means(1) && attempt.proofs().0.iter().any(is_same)
    })
}

fn is_unknown(relations: &ByInputs<Relation>) -> bool {
    relations.any != Relation::Equivalent
}

/// The maximum number of searches for a proof; each after the first adds a sample that was missing. Chosen:
/// half and twice give the same verdicts (`docs/limits.md`).
const MAX_ATTEMPTS: usize = 8;
/// The largest coordinate of such a sample. A sum over three indices up to 40 has 64,000 terms, three times the
/// steps of one evaluation: larger samples are not evaluated.
const MAX_COORDINATE: i64 = 40;

/// The verification of one instance.
#[derive(Clone)]
struct Attempt<'a> {
    instance: &'a Instance,
    options: &'a Options,
    assignments: Vec<Point>,
    points: Vec<Point>,
    obligations: &'a Obligations,
    /// The number systems in which the instance has the stated meaning.
    stated: Stated,
    /// The solver's resources for counterexamples.
    resources: &'a Resources<'a>,
    /// The proofs that the checker accepted.
    accepted: RefCell<Vec<(Proof, Laws)>>,
    /// The unmatched part in the last search that found no proof.
    leftover: RefCell<Option<String>>,
}

impl<'a> Attempt<'a> {
    fn new(
        instance: &'a Instance,
        options: &'a Options,
        obligations: &'a Obligations,
        resources: &'a Resources<'a>,
    ) -> Attempt<'a> {
        let mut rng = Rng::with_seed(options.seed);
        let extents = instance
            .claim
            .bounds
            .iter()
            .filter_map(|[lower, upper]| Some(Condition::less(lower.as_ref()?, upper.as_ref()?)));
        let nonempty = Condition::all(extents.chain([instance.assumptions.clone()]));
        let mut assignments = samples::assignments(&instance.symbols, &nonempty, 24, &mut rng);
        for any in samples::assignments(&instance.symbols, &instance.assumptions, 12, &mut rng) {
            if !assignments.contains(&any) {
                assignments.push(any);
            }
        }
        // The search for proofs needs some samples at which every reduction has terms, if there are any.
        let full = Condition::all([nonempty, has_terms(instance)]);
        let mut sampled = assignments.clone();
        if !sampled.iter().any(|point| full.holds(point) == Ok(true)) {
            sampled.extend(samples::assignments(&instance.symbols, &full, 8, &mut rng));
        }
        let points = samples::points(&instance.claim, &sampled, &mut rng);
        let (accepted, leftover) = (RefCell::default(), RefCell::default());
        let stated = Stated::of(instance, obligations);
        Attempt { instance, options, assignments, points, obligations, stated, resources, accepted, leftover }
    }

    /// The verdict; number systems in `settled` are not searched again.
    fn verdict(&self, settled: &[&'static str]) -> Result<Verdict, Fault> {
        let instance = self.instance;
        let of_side = |side: usize| {
            meaning(instance, &instance.requirements[side], &self.assignments, self.obligations)
        };
        let (mut open, mut meaningless) = (None, None);
        match of_side(0) {
            Meaning::None(found) => return Err(found.fault()),
            Meaning::Undecided(reason) => open = Some(reason),
            Meaning::Proved => {}
        }
        match of_side(1) {
            Meaning::None(found) => meaningless = Some(found),
            Meaning::Undecided(reason) => open = Some(reason),
            Meaning::Proved => {}
        }
        let is_meaningful = open.is_none();
        let (proofs, unproved) = self.proofs();
        let laws = if is_meaningful { &proofs[..] } else { &[] };
        let is_meaningless = meaningless.is_some();
        let mut judge = Judge {
            attempt: self,
            laws,
            is_meaningless,
            is_meaningful,
            settled,
            is_first: true,
            empty: None,
        };
        let answers: Vec<Answer> = in_each(&mut judge).into_iter().flatten().collect();
        let empty = judge.empty.map(|system| contradiction(instance, system));
        let vacuous = vacuous(instance, &self.assignments, &self.points, self.obligations).or(empty);
        let vacuous = vacuous.map(|reason| reason + &for_choices(instance));
        let mut laws: Vec<String> = proofs.iter().flat_map(Laws::iter).flat_map(|law| law.names()).collect();
        laws.sort();
        laws.dedup();
        let proved =
            vec![Proved { choices: instance.choices.clone(), proofs: self.needed(), unrolled: Vec::new() }];
        let open = open.or(unproved);
        Ok(Verdict { answers, laws, instances: 1, vacuous, open, meaningless, proved, ..Verdict::default() })
    }

    /// The accepted proofs without the redundant ones.
    fn needed(&self) -> Vec<Proof> {
        let mut proofs = self.accepted.take();
        let laws = |proofs: &[(Proof, Laws)]| proofs.iter().map(|(_, laws)| laws.clone()).collect::<Vec<_>>();
        let best = |laws: &[Laws]| best(self.instance, laws, &self.stated);
        let all = best(&laws(&proofs));
        for at in (0..proofs.len()).rev() {
            let dropped = proofs.remove(at);
            if best(&laws(&proofs)) != all {
                proofs.insert(at, dropped);
            }
        }
        proofs.into_iter().map(|(proof, _)| proof).collect()
    }

    /// The laws of the proofs that the checker accepts, the weakest proof first, up to one of the whole claim; or
    /// why the last proof was refused.
    fn proofs(&self) -> (Vec<Laws>, Option<String>) {
        let (mut proofs, mut open) = (Vec::new(), None);
        for tier in [Tier::Opaque, Tier::Commutative, Tier::Semiring, Tier::Expanded] {
            match self.attempt(tier, None) {
                Some(Ok(laws)) => {
                    let is_all = !laws.weaken();
                    proofs.push(laws);
                    if is_all {
                        return (proofs, None);
                    }
                }
                Some(Err(refusal)) => open = Some(refusal.reason),
                None => {}
            }
        }
        let reason = open.or(self.leftover.take()).or_else(|| Some("no proof was found".to_owned()));
        let open = reason.filter(|_| proofs.is_empty());
        (proofs, open)
    }

    /// Searches for a proof and checks it; returns its laws, or why it was refused. If an obligation fails at
    /// sizes that are not among the samples, they join the samples, and the search starts again.
    fn attempt(
        &self,
        tier: Tier,
        arithmetic: Option<(Arithmetic, Strength)>,
    ) -> Option<Result<Laws, Refusal>> {
        let mut points = self.points.clone();
        for _ in 0..MAX_ATTEMPTS {
            self.obligations.model.borrow_mut().clear();
            let refusal = match self.attempt_at(tier, arithmetic, &points)? {
                Ok(laws) => return Some(Ok(laws)),
                Err(refusal) => refusal,
            };
            match self.missed().filter(|point| !refusal.undecided && !points.contains(point)) {
                Some(point) => points.insert(0, point),
                None => return Some(Err(refusal)),
            }
        }
        None
    }

    /// The point at which the last obligation failed, if it is a point of the claim.
    fn missed(&self) -> Option<Point> {
        let model = self.obligations.model.borrow();
        let instance = self.instance;
        let wanted = instance.symbols.iter().chain(&instance.claim.point);
        let width = wanted.clone().map(|v| v.index() + 1).max()?;
        let mut point = vec![0; width];
        for v in wanted {
            point[v.index()] = model.iter().find(|(w, _)| w == v).map_or(0, |(_, value)| *value);
        }
        let claimed = Condition::all([instance.assumptions.clone(), instance.claim.domain()]);
        let small = point.iter().all(|value| value.saturating_abs() <= MAX_COORDINATE);
        (small && !model.is_empty() && claimed.holds(&point) == Ok(true)).then_some(point)
    }

    fn attempt_at(
        &self,
        tier: Tier,
        arithmetic: Option<(Arithmetic, Strength)>,
        points: &[Point],
    ) -> Option<Result<Laws, Refusal>> {
        let [e, f] = self.instance.claim.sides;
        let mut search = Search::new(&self.instance.program, tier, self.options.budget);
        search.arithmetic = arithmetic;
        search.hypotheses = Hypotheses { given: &self.instance.given, laws: &self.instance.laws };
        search.outermost = &self.instance.claim.point;
        let Some(proof) = search.prove(&whole(e), &whole(f), points) else {
            let before = self.leftover.take();
            *self.leftover.borrow_mut() = search.leftover.or(before);
            return None;
        };
        let laws = checker::certificate::laws(self.instance, &proof, self.obligations);
        Some(laws.inspect(|laws| self.accepted.borrow_mut().push((proof, laws.clone()))))
    }

    /// Whether the hypotheses contradict each other in the arithmetic of a number system.
    fn is_contradictory(&self, arithmetic: Arithmetic) -> bool {
        if self.instance.given.is_empty() {
            return false;
        }
        let absurd = absurdity(self.instance);
        let attempt = Attempt { instance: &absurd, accepted: RefCell::default(), ..self.clone() };
        let strengths = [Strength::Undefined, Strength::Defined];
        let mut proofs = strengths.iter().map(|&s| attempt.attempt(Tier::Opaque, Some((arithmetic, s))));
        proofs.any(|proof| matches!(proof, Some(Ok(_))))
    }
}

/// The condition that every bound index has a value, for reductions whose bounds depend on sizes only.
fn has_terms(instance: &Instance) -> Condition {
    let program = &instance.program;
    let is_size = |condition: &Condition| condition.variables().iter().all(|v| instance.symbols.contains(v));
    let mut conditions = Vec::new();
    for node in (0..program.len()).map(NodeId::at) {
        if let Node::Reduce(reduction) = program.node(node) {
            let binders = reduction.binders.iter();
            conditions
                .extend(binders.map(|(_, [lower, upper])| Condition::less(lower, upper)).filter(is_size));
        }
    }
    Condition::all(conditions)
}

/// Judges the claim in each number system: by the proofs, else by a search for a counterexample.
struct Judge<'a> {
    attempt: &'a Attempt<'a>,
    laws: &'a [Laws],
    is_meaningless: bool,
    /// Whether both sides are proved to have a meaning, and the same shape.
    is_meaningful: bool,
    settled: &'a [&'static str],
    /// Whether no number system has been judged yet.
    is_first: bool,
    /// The main number system, if the hypotheses contradict each other in it.
    empty: Option<&'static str>,
}

impl Visitor for Judge<'_> {
    type Output = Option<Answer>;

    fn visit<S: NumberSystem<Number: Default> + Copy>(&mut self, system: S) -> Option<Answer> {
        let instance = self.attempt.instance;
        if self.attempt.options.systems.is_some_and(|wanted| !wanted.contains(&system.name())) {
            return None;
        }
        if !self.attempt.stated.applies(instance, &system) || !instance.laws.is_empty() && !is_real(&system) {
            return None;
        }
        let name = system.name();
        if self.is_contradictory(name) {
            return None;
        }
        if self.is_meaningless {
            return Some(Answer {
                system: name,
                relations: ByInputs::both(Relation::Different),
                counterexamples: ByInputs::both(None),
            });
        }
        let mut relations = self
            .laws
            .iter()
            .map(|laws| shown(laws, &system))
            .fold(ByInputs::both(Relation::Unknown), ByInputs::<Relation>::or);
        let mut counterexamples: ByInputs<Option<Counterexample>> = ByInputs::default();
        if self.settled.contains(&name) || relations == ByInputs::both(Relation::Equivalent) {
            return Some(Answer { system: name, relations, counterexamples });
        }
        if relations.defined != Relation::Equivalent {
            let strong = self.search(system, InputClass::Defined, true);
            counterexamples.defined = strong.or_else(|| self.search(system, InputClass::Defined, false));
        }
        let open = counterexamples.defined.as_ref().is_none_or(|found| found.values[0].is_none());
        if open && self.is_meaningful {
            relations = self.solve(&system, relations);
        }
        if relations.any != Relation::Equivalent {
            let of_defined = counterexamples.defined.clone();
            counterexamples.any = of_defined.or_else(|| self.search(system, InputClass::Any, false));
        }
        let open = |inputs: &InputClass| {
            relations[*inputs] == Relation::Unknown && counterexamples[*inputs].is_none()
        };
        if let Some(inputs) = InputClass::BOTH.into_iter().find(open) {
            let found = self.solved(system, inputs, &[true, false]);
            let wider = InputClass::BOTH.into_iter().filter(|other| *other >= inputs);
            for other in wider {
                if counterexamples[other].is_none() {
                    counterexamples[other].clone_from(&found);
                }
            }
        }
        for inputs in InputClass::BOTH {
            self.conclude(system, inputs, &mut relations[inputs], &mut counterexamples[inputs]);
        }
        Some(Answer { system: name, relations, counterexamples })
    }
}

impl<'a> Judge<'a> {
    /// Whether the hypotheses contradict each other; if they do in the first number system, the rule is vacuous.
    fn is_contradictory(&mut self, system: &'static str) -> bool {
        let contradictory =
            Arithmetic::of(system).is_some_and(|arithmetic| self.attempt.is_contradictory(arithmetic));
        let is_main = std::mem::take(&mut self.is_first);
        if contradictory && is_main {
            self.empty = Some(system);
        }
        contradictory
    }

    /// Refutes an unknown relation by a counterexample to equality. If the counterexample leaves the left side
    /// undefined, searches for one that does not: only that refutes refinement too.
    fn conclude<S: NumberSystem<Number: Default> + Copy>(
        &self,
        system: S,
        inputs: InputClass,
        relation: &mut Relation,
        counterexample: &mut Option<Counterexample>,
    ) {
        if *relation != Relation::Unknown {
            return;
        }
        let Some(found) = counterexample else { return };
        *relation = Relation::Different;
        if found.values[0].is_none() {
            let better = self.search(system, inputs, true);
            match better.or_else(|| self.solved(system, inputs, &[true])) {
                Some(better) => *found = better,
                None => *relation = Relation::Unequal,
            }
        }
    }

    /// The relations that the solver proves in the arithmetic of a number system, joined with the known ones.
    fn solve<S: NumberSystem>(&self, system: &S, mut known: ByInputs<Relation>) -> ByInputs<Relation> {
        let instance = self.attempt.instance;
        let arithmetic = match are_truths(instance) {
            true => Some(Arithmetic::Booleans),
            false => Arithmetic::of(system.name()),
        };
        // The laws of functions hold in exact arithmetic only, and the solver needs them.
        let solves_floats = self.attempt.options.solves_floats && instance.laws.is_empty();
        let lawless = system.algebra() == Algebra::Ieee && !solves_floats;
        let Some(arithmetic) = arithmetic.filter(|_| !lawless) else { return known };
        let tier = if system.algebra() == Algebra::Ieee { Tier::Commutative } else { Tier::Semiring };
        for strength in [Strength::Undefined, Strength::Refines, Strength::Defined] {
            match self.attempt.attempt(tier, Some((arithmetic, strength))) {
                Some(Ok(laws)) => {
                    known = known.or(shown(&laws, system));
                }
                Some(Err(refusal)) if !refusal.undecided => {}
                _ => break,
            }
            if known.defined == Relation::Equivalent {
                break;
            }
        }
        known
    }

    fn search<S: NumberSystem<Number: Default> + Copy>(
        &self,
        system: S,
        inputs: InputClass,
        left_defined: bool,
    ) -> Option<Counterexample> {
        let mut refuter = self.refuter(system, inputs, left_defined);
        refuter.search(&self.attempt.assignments, self.attempt.options.seed)
    }

    /// A counterexample found by the solver, with the left side defined or not, in the order of `left_defined`.
    fn solved<S: NumberSystem<Number: Default> + Copy>(
        &self,
        system: S,
        inputs: InputClass,
        left_defined: &[bool],
    ) -> Option<Counterexample> {
        let is_slow = system.algebra() == Algebra::Ieee;
        let arithmetic =
            Arithmetic::of(system.name()).filter(|_| !is_slow || self.attempt.options.solves_floats)?;
        left_defined.iter().find_map(|&left_defined| {
            let mut refuter = self.refuter(system, inputs, left_defined);
            refuter.solve(self.attempt.resources, arithmetic, &self.attempt.assignments)
        })
    }

    fn refuter<S: NumberSystem<Number: Default> + Copy>(
        &self,
        system: S,
        inputs: InputClass,
        left_defined: bool,
    ) -> Refuter<'a, S> {
        let sought =
            Sought { undefined_inputs: inputs == InputClass::Any, left_defined, within: !self.is_meaningful };
        Refuter::new(self.attempt.instance, system, sought, self.attempt.options.steps)
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
        if program.data_type(node) != DataType::Boolean {
            return false;
        }
        pending.extend(program.node(node).operands());
    }
    true
}
