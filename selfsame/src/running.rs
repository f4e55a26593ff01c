//! Runs both sources of a proof (`guard`), and decides whether the proof still stands as a verdict.

use crate::contradiction::reproducer;
use guard::{Claimed, Effort, NamedElements, Run, Unconfirmed, WrittenWitness};
use languages::{Chain, Pair};
use link::certificate::{Certificate, CertificateSubject, read_rule};
use polyhedra_isl::Isl;
use rewrites::search::samples::named;
use rewrites::verdict::{Narrower, ProverVerdict};
use rewrites::verification::meaning::Meaningless;
use rink::decision::Decision;
use rule_files::evaluation::Choice;
use rule_files::instances::instances;
use rule_files::library::Library;
use rule_files::syntax::Rule;
use selfsame_core::Instance;
use selfsame_core::answer::Answer;
use selfsame_core::by_inputs::{ByInputs, InputClass};
use selfsame_core::counterexample::{WrittenElement, WrittenTensor};
use selfsame_core::relation::Relation;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;
use values::System;

/// A run of both sources, and the file that reproduces it if it contradicts a verdict.
#[derive(Debug, Default)]
pub struct Standing {
    run: Run,
    file: Option<(PathBuf, Vec<u8>)>,
    /// Whether a claim had to be checked by running the sources.
    is_asked: bool,
    /// The duration of the run; 0 if it was not measured.
    seconds: f64,
}

impl Standing {
    /// The result of a run that checked the claims; `subject` holds the texts and options that reproduce it.
    pub fn new(claimed: &[Claimed], run: Run, subject: Value) -> Standing {
        let is_asked = claimed.iter().any(Claimed::says_something);
        let file = run.contradiction.as_ref().map(|found| reproducer(found, subject));
        Standing { run, file, is_asked, seconds: 0.0 }
    }

    /// The reason why the proof does not stand as a verdict: a contradiction, or a run without an instance.
    pub fn objection(&self) -> Option<String> {
        match &self.file {
            Some((path, _)) => Some(format!("contradiction: {}", path.display())),
            None if self.is_asked && self.run.is_vain() => {
                let why = self.run.why.as_deref().unwrap_or("no instance was found");
                Some(format!("proved, not run: {why}"))
            }
            None => None,
        }
    }

    /// A note for the user: the contradiction, too few instances, or a counterexample that was withdrawn.
    pub fn note(&self) -> Option<String> {
        if let Some(found) = &self.run.contradiction {
            return Some(format!("contradiction inside this program: {found}"));
        }
        let few = self.run.why.as_ref().filter(|_| self.is_asked && !self.run.is_vain());
        let few = few.map(|why| match self.run.counted {
            1 => format!("run on one instance that counts: {why}"),
            counted => format!("run on {counted} instances that count: {why}"),
        });
        few.or(self.run.unconfirmed.first().map(withdrawn))
    }

    /// Withdraws the counterexamples on which the sources could not be run.
    pub fn withdraw_unconfirmed(&self, verdict: &mut ProverVerdict) {
        for found in &self.run.unconfirmed {
            verdict.withdraw(found.system, found.class, withdrawn(found));
        }
    }

    /// `"run"` in the JSON of a verdict: the numbers of instances and of counterexamples in all number systems.
    pub fn to_json(&self) -> Value {
        let has_run = self.run.confirmed > 0 || self.run.contradiction.is_some();
        match self.is_asked || has_run {
            true => json!({
                "instances": self.run.instances,
                "counted": self.run.counted,
                "counterexamples": self.run.confirmed,
                "seconds": self.seconds,
            }),
            false => Value::Null,
        }
    }

    /// Whether the run contradicts a claim.
    pub fn is_contradicted(&self) -> bool {
        self.file.is_some()
    }

    /// The file that reproduces a contradiction, its name and its content.
    pub fn file(&self) -> Option<&(PathBuf, Vec<u8>)> {
        self.file.as_ref()
    }
}

/// The reason why a counterexample was withdrawn.
fn withdrawn(found: &Unconfirmed) -> String {
    format!("a counterexample is withdrawn, because the sources could not be run on it: {}", found.why)
}

/// Runs two programs to check the claims about them.
pub fn run(pair: &Pair, claimed: &[Claimed], seed: u64) -> Standing {
    let (start, effort) = (Instant::now(), Effort { seed, ..Effort::default() });
    let run = guard::programs::run(pair, claimed, &Isl::with_memory(), &effort);
    Standing {
        seconds: start.elapsed().as_secs_f64(),
        ..Standing::new(claimed, run, subject(&pair.clone().into()))
    }
}

/// The texts of a rule's file and of its imports, by name.
pub type TextsByName = BTreeMap<String, String>;

/// Runs a rule to check the claims about it, for each of its choices.
pub fn rule(
    (library, rule): (&Library, &Rule),
    texts: &TextsByName,
    claimed: &[Claimed],
    seed: u64,
) -> Standing {
    let start = Instant::now();
    let instances = instances(library, rule).unwrap_or_default();
    let hints = |choice: &Choice| {
        let said: Vec<String> = choice.iter().map(|(_, chosen)| chosen.to_string()).collect();
        let is_this = |instance: &&Instance| instance.choices.iter().map(|(_, text)| text).eq(&said);
        instances.iter().find(is_this).map_or(Vec::new(), |instance| named(instance, HINTS, seed))
    };
    let effort = Effort { seed, ..Effort::default() };
    let run = guard::rules::run(library, rule, claimed, &hints, &effort);
    let subject = in_system(json!({ "rule": rule.name.text, "files": texts }), &library.system);
    Standing { seconds: start.elapsed().as_secs_f64(), ..Standing::new(claimed, run, subject) }
}

/// The number of sample sizes at which a rule is run, for each choice; the guard adds random ones, up to 12.
const HINTS: usize = 8;

/// Runs the rule of a certificate, or its first and its last program.
pub fn certificate(certificate: &Certificate, seed: u64) -> Standing {
    let subject = &certificate.subject;
    let Ok(claimed) = link::certificate::claimed(certificate) else { return Standing::default() };
    let of = |(system, relations)| Claimed { system, relations, witnesses: Vec::new(), positive: Vec::new() };
    let claimed: Vec<Claimed> = claimed.into_iter().map(of).collect();
    if let CertificateSubject::Rule(certified) = subject {
        let read = read_rule(certified);
        return read.map_or_else(
            |_| Standing::default(),
            |(library, of)| rule((&library, &of), &certified.files, &claimed, seed),
        );
    }
    let (Some(first), Some(last)) = (subject.programs().first(), subject.programs().last()) else {
        return Standing::default();
    };
    let parameters = subject.parameters();
    let (division, system, locals) = (subject.division(), subject.system(), subject.locals());
    let Ok(pair) = Pair::read([first.clone(), last.clone()]) else { return Standing::default() };
    let pair = Pair { parameters, division, system, locals, ..pair };
    run(&pair, &claimed, seed)
}

/// The texts and options that reproduce a run of two programs.
pub fn subject(chain: &Chain) -> Value {
    let subject = json!({
        "programs": chain.programs,
        "parameters": chain.parameters,
        "division": chain.division,
        "locals": chain.locals,
    });
    in_system(subject, &chain.system)
}

/// A subject with its number system, if it is not the default.
fn in_system(mut subject: Value, system: &System) -> Value {
    if !system.is_default() {
        subject["system"] = json!(system);
    }
    subject
}

/// The claims of a prover's verdict about programs.
pub fn claimed(verdict: &ProverVerdict) -> Vec<Claimed> {
    claimed_with(verdict, WrittenTensor::index)
}

/// The claims of a prover's verdict about a rule, whose tensors are indexed from 0.
pub fn claimed_of_rule(verdict: &ProverVerdict) -> Vec<Claimed> {
    claimed_with(verdict, |_, place| place.to_vec())
}

/// Maps a place in an input to the index of the element there.
type Indexed = fn(&WrittenTensor, &[i64]) -> Vec<i64>;

fn claimed_with(verdict: &ProverVerdict, index: Indexed) -> Vec<Claimed> {
    let meaningless = |answer: &Answer, class| {
        let found = verdict.meaningless.as_ref().filter(|_| answer.relations[class] == Relation::Different);
        found.map(|found| without_meaning(found, class))
    };
    let witness =
        |answer: &Answer, class| witness(answer, class, index).or_else(|| meaningless(answer, class));
    let of = |answer: &Answer| Claimed {
        system: answer.system,
        relations: answer.relations,
        witnesses: InputClass::BOTH.into_iter().filter_map(|class| witness(answer, class)).collect(),
        positive: Vec::new(),
    };
    verdict.answers.iter().map(of).chain(verdict.narrower.as_ref().map(narrower)).collect()
}

/// The claim that both sides are equivalent where some sizes are positive, although not for all sizes.
fn narrower(narrower: &Narrower) -> Claimed {
    let of_all = if narrower.all_inputs { Relation::Equivalent } else { Relation::Unknown };
    Claimed {
        system: narrower.system,
        relations: ByInputs { defined: Relation::Equivalent, any: of_all },
        witnesses: Vec::new(),
        positive: narrower.sizes.clone(),
    }
}

/// The sizes at which the right side has no meaning, or another shape, as a counterexample. All inputs are 0 there.
fn without_meaning(found: &Meaningless, class: InputClass) -> WrittenWitness {
    WrittenWitness {
        class,
        refutes: Relation::Refines,
        parameters: found.parameters.iter().cloned().collect(),
        inputs: NamedElements::new(),
        at: ("result".to_owned(), Vec::new()),
    }
}

/// The counterexample of an answer for a class of inputs.
fn witness(answer: &Answer, class: InputClass, index: Indexed) -> Option<WrittenWitness> {
    let found = answer.counterexamples[class].as_ref()?;
    let refutes = match answer.relations[class] {
        Relation::Different => Relation::Refines,
        _ => Relation::Equivalent,
    };
    let of = |input: &WrittenTensor| {
        let written = input
            .places()
            .into_iter()
            .map(|(place, value): (_, &WrittenElement)| (index(input, &place), value.clone()));
        (input.name.clone(), written.collect())
    };
    Some(WrittenWitness {
        class,
        refutes,
        parameters: found.parameters.iter().cloned().collect(),
        inputs: found.inputs.iter().map(of).collect(),
        at: (found.variable.clone(), found.index.clone()),
    })
}

/// The claims of a decision.
pub fn decided(decision: &Decision) -> Vec<Claimed> {
    let claimed = |answer: &Answer| Claimed::everywhere(answer.system, answer.relations.any);
    decision.answers.iter().map(claimed).collect()
}
