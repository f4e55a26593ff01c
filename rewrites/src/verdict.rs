//! The answers for a rule, or for two programs, in each number system.
//!
//! Two verdicts are combined in one of three ways, each a function on what is known of a class of inputs; whatever is
//! taken back names its reason.
//!
//! | of | by | per class of inputs |
//! |---|---|---|
//! | two instances of a rule | `ProverVerdict::weaken` | `Known::and`: the weaker of both |
//! | A and B, and B and C | `ProverVerdict::then` | `Known::then`: what both imply of A and C |
//! | a claim, and a second look at it: unrolled, or at fixed sizes | `ProverVerdict::join`, `ProverVerdict::refute` | `Known::or`: the second, if it decides more |
//!
//! | taken back | by |
//! |---|---|
//! | proofs | [`ProverVerdict::retract`] |
//! | one counterexample | [`ProverVerdict::withdraw`] |
//! | counterexamples with an undefined input, where all inputs have a value | [`ProverVerdict::forget_undefined_inputs`] |
//! | everything | [`ProverVerdict::deny`]; before another attempt, `ProverVerdict::forgotten` |
//! | what does not follow by induction | [`ProverVerdict::by_induction`] |

use crate::verification::meaning::Meaningless;
use checker::instances::{Proved, by_induction};
use checker::rules::Checker;
use checker::solver::Obligations;
use link::certificate::{Certificate, CertificateSubject, FORMAT, VERSION};
use selfsame_core::answer::{Answer, in_system};
use selfsame_core::by_inputs::{ByInputs, InputClass};
use selfsame_core::counterexample::Counterexample;
use selfsame_core::relation::Relation;
use selfsame_core::{Condition, Instance};
use std::collections::BTreeMap;
use std::fmt;
use values::{Machine, SystemName};

/// What is known for one class of inputs: a relation, and an input on which the sides differ.
#[derive(Clone, Debug)]
struct Known {
    relation: Relation,
    counterexample: Option<Counterexample>,
}

impl Known {
    /// What an answer says of a class of inputs.
    fn new(answer: &Answer, inputs: InputClass) -> Known {
        let counterexample = answer.counterexamples[inputs].clone();
        Known { relation: answer.relations[inputs], counterexample }
    }

    fn nothing() -> Known {
        Known { relation: Relation::Unknown, counterexample: None }
    }

    /// What is known of two claims together: the weaker of both.
    fn and(self, other: Known) -> Known {
        if other.relation > self.relation { other } else { self }
    }

    /// What is known of one claim after a second look at it.
    fn or(self, other: Known) -> Known {
        if !decides(other.relation, self.relation) {
            return self;
        }
        // A proof of refinement does not take a counterexample to equality away.
        let keeps = other.relation == Relation::Refines && other.counterexample.is_none();
        let counterexample = if keeps { self.counterexample } else { other.counterexample };
        Known { relation: other.relation, counterexample }
    }

    /// What is known of programs A and C, if this is known of A and B, and `other` of B and C.
    fn then(self, other: Known) -> Known {
        let relation = self.relation.then(other.relation);
        let counterexample = self.counterexample.or(other.counterexample);
        Known { relation, counterexample: counterexample.filter(|_| relation >= Relation::Unequal) }
    }
}

/// Changes what is known for each class of inputs.
fn change_each(answer: &mut Answer, mut change: impl FnMut(InputClass, Known) -> Known) {
    for inputs in InputClass::BOTH {
        let counterexample = answer.counterexamples[inputs].take();
        let known = change(inputs, Known { relation: answer.relations[inputs], counterexample });
        (answer.relations[inputs], answer.counterexamples[inputs]) = (known.relation, known.counterexample);
    }
}

/// Sizes for which the sides are equal although they differ where a size is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narrower {
    /// The sizes that must not be 0.
    pub sizes: Vec<String>,
    /// The number system in which they are equal.
    pub system: SystemName,
    /// Whether this also holds for inputs that may be undefined.
    pub all_inputs: bool,
}

impl fmt::Display for Narrower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<String> = self.sizes.iter().map(|size| format!("1 <= {size}")).collect();
        let inputs = if self.all_inputs { "all inputs" } else { "defined inputs" };
        write!(f, "the same in `{}` for {inputs} where {}: proved", self.system, sizes.join(", "))
    }
}

/// The assumptions of an instance about sizes and other integers: those that are written, that no extent is
/// negative, and what the left side requires.
#[derive(Clone, Debug, Default)]
pub struct InstanceAssumptions {
    /// The choices of the instance: the second one of several instances, because the first often has rank 0.
    pub choices: Vec<(String, String)>,
    /// The conditions.
    pub conditions: Vec<String>,
    /// The conditions that the operators of the left side require and that do not follow from the written ones.
    pub implied: Vec<String>,
    /// The equations among these: two extents are equal, or one is a number.
    pub equations: Vec<String>,
}

impl InstanceAssumptions {
    /// The assumptions of a typical instance, or of one that assumes an equation, if there is one.
    pub fn new(instances: &[Instance], obligations: &Obligations) -> InstanceAssumptions {
        let of = |instance: &Instance| InstanceAssumptions::of_one(instance, obligations);
        let Some(usual) = instances.iter().take(2).next_back().map(of) else {
            return InstanceAssumptions::default();
        };
        let mut with_equation =
            instances.iter().filter(|instance| instance.implied.conjuncts().iter().any(is_equation));
        let first =
            with_equation.find_map(|instance| Some(of(instance)).filter(|it| !it.equations.is_empty()));
        if usual.equations.is_empty() { first.unwrap_or(usual) } else { usual }
    }

    fn of_one(instance: &Instance, obligations: &Obligations) -> InstanceAssumptions {
        let implied = instance.implied.conjuncts();
        let said = instance.assumptions.conjuncts().iter().filter(|part| !implied.contains(part));
        let said = Condition::all(said.cloned().collect::<Vec<_>>());
        let follows =
            |part: &&Condition| Checker::new(&instance.program, obligations, &said).require(part).is_ok();
        let new: Vec<&Condition> = implied.iter().filter(|part| !follows(part)).collect();
        let text = |part: &Condition| instance.program.condition_text(part);
        let mut equations: Vec<&Condition> = Vec::new();
        for part in new.iter().filter(|part| is_equation(part)) {
            if !equations.iter().any(|known| *known == *part || is_flipped(known, part)) {
                equations.push(part);
            }
        }
        InstanceAssumptions {
            choices: instance.choices.clone(),
            conditions: instance.assumptions.conjuncts().iter().map(text).collect(),
            equations: equations.into_iter().map(text).collect(),
            implied: new.into_iter().map(text).collect(),
        }
    }
}

/// What the prover says of a rule or of two programs, before their sources are run.
#[derive(Clone, Debug, Default)]
pub struct ProverVerdict {
    /// The answers in the number systems in which the rule means something.
    pub answers: Vec<Answer>,
    /// The number systems in which the element types of an instance are judged, whether or not it has a meaning there.
    pub judged: Vec<SystemName>,
    /// What operations on machine numbers do.
    pub machine: Machine,
    /// The laws that the proofs use.
    pub laws: Vec<String>,
    /// The number of instances.
    pub instances: usize,
    /// The values of each choice, without repetition.
    pub choices: Vec<(String, Vec<String>)>,
    /// The choices that are left out because their element types do not fit, each with its reason.
    pub illegal: Vec<String>,
    /// The assumptions about sizes.
    pub assumed: InstanceAssumptions,
    /// The sizes for which the sides are proved equal, if they differ only where a size is 0.
    pub narrower: Option<Narrower>,
    /// Why the rule is vacuous, if it is.
    pub vacuous: Option<String>,
    /// Why an answer is unknown.
    pub open: Option<String>,
    /// Sizes for which the right side has no meaning.
    pub meaningless: Option<Meaningless>,
    /// The number of obligations given to the checker.
    pub obligations: u64,
    /// The proofs of each instance.
    pub proved: Vec<Proved>,
}

impl ProverVerdict {
    /// Combines the verdict with that of another instance: the weaker answer in each system.
    pub(crate) fn weaken(&mut self, mut other: ProverVerdict, first: bool) {
        self.gather(&mut other);
        if first {
            (self.answers, self.judged) = (other.answers, other.judged);
            return;
        }
        // A system in which an instance means nothing has no answer, unless another instance is refuted in it. An instance
        // with other types says nothing of it.
        let is_open = |verdict: &ProverVerdict, system: SystemName| {
            verdict.judged.contains(&system) && verdict.in_system(system).is_none()
        };
        let refuted = |answer: &Answer| answer.relations.defined >= Relation::Unequal;
        let is_missing = |answer: &&Answer| self.in_system(answer.system).is_none();
        let stays = |answer: &&Answer| refuted(answer) || !is_open(self, answer.system);
        let new = other.answers.iter().filter(is_missing).filter(stays);
        let new: Vec<Answer> = new.cloned().collect();
        self.answers.retain(|answer| refuted(answer) || !is_open(&other, answer.system));
        self.combine(&other, Known::and);
        self.answers.extend(new);
        self.judged.extend(other.judged);
    }

    /// Combines the answers in each number system that both verdicts have.
    fn combine(&mut self, other: &ProverVerdict, how: impl Fn(Known, Known) -> Known) {
        for mine in &mut self.answers {
            let Some(theirs) = other.in_system(mine.system) else { continue };
            change_each(mine, |inputs, known| how(known, Known::new(theirs, inputs)));
        }
    }

    /// Joins the laws, proofs and reasons of both verdicts.
    fn gather(&mut self, other: &mut ProverVerdict) {
        self.laws.append(&mut other.laws);
        self.laws.sort();
        self.laws.dedup();
        self.proved.append(&mut other.proved);
        self.open = self.open.take().or(other.open.take());
        self.meaningless = self.meaningless.take().or(other.meaningless.take());
        self.vacuous = self.vacuous.take().or(other.vacuous.take());
    }

    /// Composes two verdicts: if this one compares programs A and B, and `other` compares B and C, the result
    /// compares A and C.
    pub(crate) fn then(&mut self, mut other: ProverVerdict) {
        self.gather(&mut other);
        self.narrower = None;
        self.answers.retain(|mine| other.in_system(mine.system).is_some());
        self.combine(&other, Known::then);
    }

    /// A rule that is refuted for one choice is not vacuous, even if it is for another.
    pub(crate) fn refuted_all_the_same(&mut self) {
        let is_refuted = self.headline().is_some_and(|answer| answer.relations.defined >= Relation::Unequal);
        if is_refuted || self.meaningless.is_some() {
            self.vacuous = None;
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.vacuous.is_none()
            && self.answers.iter().any(|answer| answer.relations.into_array().into_iter().any(is_open))
    }

    /// Joins the verdict with that of the same instance with its small reductions unrolled.
    pub(crate) fn join(&mut self, unrolled: ProverVerdict) {
        let is_used = |mine: &Answer| {
            let theirs = unrolled.in_system(mine.system).map(|theirs| theirs.relations);
            let shows = |(mine, theirs)| theirs <= Relation::Refines && decides(theirs, mine);
            theirs.is_some_and(|theirs| mine.relations.zip(theirs).into_array().into_iter().any(shows))
        };
        let used = self.answers.iter().any(is_used);
        self.combine(&unrolled, Known::or);
        if used {
            self.laws.extend(unrolled.laws);
            let proofs = unrolled.proved.into_iter().flat_map(|proved| proved.proofs);
            self.proved.iter_mut().take(1).for_each(|proved| proved.unrolled = proofs.clone().collect());
        }
        if !self.is_open() {
            self.open = None;
        }
    }

    /// The verdict for two programs whose recurrences are assumed equal by induction.
    pub fn by_induction(mut self) -> ProverVerdict {
        for answer in &mut self.answers {
            answer.relations = by_induction(answer.relations);
            answer.counterexamples = ByInputs::both(None);
        }
        self.open = self.open.or(Some("the recurrences are not shown to be the same".to_owned()));
        self
    }

    /// Whether the sides are equal in some number system, or one refines the other.
    pub(crate) fn shows_something(&self) -> bool {
        self.answers.iter().any(|answer| answer.relations.iter().any(|r| *r <= Relation::Refines))
    }

    /// Withdraws all proofs, for a reason; counterexamples stand.
    pub fn retract(&mut self, reason: String) {
        let relations = self.answers.iter_mut().flat_map(|answer| answer.relations.iter_mut());
        relations.filter(|relation| **relation <= Relation::Refines).for_each(|r| *r = Relation::Unknown);
        self.laws.clear();
        self.narrower = None;
        self.open = Some(reason);
    }

    /// Withdraws a counterexample, for a reason, and the refutation that rests on it. A proof stands.
    pub fn withdraw(&mut self, system: SystemName, class: InputClass, reason: String) {
        let Some(answer) = self.answers.iter_mut().find(|answer| answer.system == system) else { return };
        answer.counterexamples[class] = None;
        if answer.relations[class] >= Relation::Unequal {
            answer.relations[class] = Relation::Unknown;
            self.open = Some(reason);
        }
    }

    /// Forgets counterexamples with an undefined input: every input always has a value, so what only these show is no
    /// difference.
    pub fn forget_undefined_inputs(&mut self) {
        for Answer { relations, counterexamples, .. } in &mut self.answers {
            if counterexamples.any.as_ref().is_some_and(|found| !found.has_defined_inputs()) {
                counterexamples.any = counterexamples.defined.clone();
                if counterexamples.any.is_none() && relations.any >= Relation::Unequal {
                    relations.any = Relation::Unknown;
                }
            }
        }
    }

    /// Withdraws all proofs and counterexamples, for a reason.
    pub fn deny(&mut self, reason: String) {
        self.answers.iter_mut().for_each(|answer| *answer = Answer::unknown(answer.system));
        self.laws.clear();
        self.narrower = None;
        self.open = Some(reason);
    }

    /// A verdict in the same number systems with every relation unknown.
    pub(crate) fn forgotten(&self) -> ProverVerdict {
        let answers = self.answers.iter().map(|answer| Answer::unknown(answer.system));
        let open = Some("the recurrences of one system match none of the other".to_owned());
        ProverVerdict {
            answers: answers.collect(),
            machine: self.machine,
            instances: self.instances,
            open,
            obligations: self.obligations,
            ..ProverVerdict::default()
        }
    }

    /// Adds the refutations at some fixed sizes.
    pub(crate) fn refute(&mut self, at_sizes: &ProverVerdict, sizes: &BTreeMap<String, i64>) {
        if self.meaningless.is_none() {
            self.meaningless.clone_from(&at_sizes.meaningless);
        }
        let sizes = || sizes.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
        let refuted = |mut theirs: Known| {
            theirs.counterexample.iter_mut().for_each(|found| found.parameters = sizes());
            if theirs.relation >= Relation::Unequal { theirs } else { Known::nothing() }
        };
        self.combine(at_sizes, |mine, theirs| mine.or(refuted(theirs)));
    }

    /// The systems in which no other instance can change the answer: both relations are refuted.
    pub(crate) fn different(&self) -> Vec<SystemName> {
        let settled = |answer: &&Answer| answer.relations == ByInputs::both(Relation::Different);
        self.answers.iter().filter(settled).map(|answer| answer.system).collect()
    }

    /// The certificate of what was proved; `None` if nothing was proved or the rule is vacuous.
    pub fn certificate(&self, subject: CertificateSubject) -> Option<Certificate> {
        let claimed = |relation: Relation| match relation {
            Relation::Different | Relation::Unequal => Relation::Unknown.word().to_owned(),
            relation => relation.word().to_owned(),
        };
        let proved = self.answers.iter().filter(|answer| answer.relations.defined <= Relation::Refines);
        let relations =
            proved.map(|answer| (answer.system.to_string(), answer.relations.map(claimed).into_array()));
        let relations: BTreeMap<String, [String; 2]> = relations.collect();
        (!relations.is_empty() && self.vacuous.is_none()).then(|| Certificate {
            format: FORMAT.to_owned(),
            version: VERSION,
            subject,
            relations,
            instances: self.proved.clone(),
        })
    }

    /// The main answer: that in ℚ if the rule means something there, else the first.
    pub fn headline(&self) -> Option<&Answer> {
        self.in_system(SystemName::Rational).or(self.answers.first())
    }

    /// The answer in a number system.
    pub fn in_system(&self, system: SystemName) -> Option<&Answer> {
        in_system(&self.answers, system)
    }
}

/// Whether two equations are `p = q` and `q = p`.
fn is_flipped(a: &Condition, b: &Condition) -> bool {
    matches!((a, b), (Condition::Zero(p), Condition::Zero(q)) if *p == -q.clone())
}

fn is_equation(condition: &Condition) -> bool {
    matches!(condition, Condition::Zero(_))
}

/// The values of the choices in the instances, by the names of the choices, without repetition.
pub(crate) fn choices(instances: &[Instance]) -> Vec<(String, Vec<String>)> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for (name, value) in instances.iter().flat_map(|instance| &instance.choices) {
        match all.iter_mut().find(|(known, _)| known == name) {
            None => all.push((name.clone(), vec![value.clone()])),
            Some((_, values)) if !values.contains(value) => values.push(value.clone()),
            Some(_) => {}
        }
    }
    all
}

/// Whether a relation leaves something neither proved nor refuted.
fn is_open(relation: Relation) -> bool {
    matches!(relation, Relation::Unknown | Relation::Unequal)
}

/// Whether a relation says more than the known relation between the same sides.
fn decides(relation: Relation, known: Relation) -> bool {
    match known {
        Relation::Equivalent | Relation::Different => false,
        Relation::Refines => relation == Relation::Equivalent,
        Relation::Unknown => relation != Relation::Unknown,
        Relation::Unequal => matches!(relation, Relation::Refines | Relation::Different),
    }
}
