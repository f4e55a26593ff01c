//! One row per rule: the finding, and whether it was expected.

use super::files::RuleFile;
use crate::exit::Failure;
use crate::limits::Progress;
use base::diagnostics::counted;
use base::escaping::path as shown;
use base::stack::STACK_BYTES;
use link::certificate::{Certificate, CertificateSubject, CertifiedRule};
use rewrites::verdict::ProverVerdict;
use rewrites::verification::Options;
use rewrites::verification::judging::Conformance;
use rewrites::verification::meaning::Meaningless;
use rule_files::elaboration::RuleError;
use rule_files::syntax::Rule;
use selfsame::crash::{Crash, caught};
use selfsame::reasons::{reasons, reasons_json};
use selfsame::running::Standing;
use selfsame::text::{counterexamples_json, domains_json, narrower_json};
use selfsame::verified;
use selfsame_core::answer::Answer;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::counterexample::{Counterexample, parameters_json};
use selfsame_core::relation::{Relation, UNEQUAL};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;
use values::SystemName;

/// A rule and the finding about it.
#[derive(Debug)]
pub struct RuleRow {
    /// The file of the rule.
    pub file: Arc<RuleFile>,
    /// The position of the rule in the file.
    at: usize,
    /// The finding.
    pub finding: RuleFinding,
    /// The result of running the rule to check the finding.
    pub standing: Standing,
    /// The duration in seconds.
    pub seconds: f64,
}

/// The result of a rule's verification.
#[derive(Debug)]
pub enum RuleFinding {
    /// The rule has no meaning.
    IllFormed(RuleError),
    /// No verdict, with the reason: the verification was not reached or did not end.
    Unfinished(&'static str),
    /// No verdict, because of a bug of this program.
    Crashed(Crash),
    /// A verdict, and whether it was expected.
    Verified(Box<ProverVerdict>, Conformance),
}

/// Verifies all rules on `workers` threads until the deadline; the rows are in the order of the files.
pub fn rows(files: &[Arc<RuleFile>], options: &Options, workers: usize, progress: &Progress) -> Vec<RuleRow> {
    let of_file =
        |file: &Arc<RuleFile>| (0..file.library.rules().len()).map(|at| (file.clone(), at)).collect();
    let rules: Arc<Vec<(Arc<RuleFile>, usize)>> =
        Arc::new(files.iter().flat_map::<Vec<_>, _>(of_file).collect());
    let (sender, finished) = channel();
    let next = Arc::new(AtomicUsize::new(0));
    for _ in 0..workers.min(rules.len()) {
        Worker { rules: rules.clone(), next: next.clone(), sender: sender.clone(), options: *options }
            .start();
    }
    // Only workers keep senders, so the channel disconnects when the last worker ends.
    drop(sender);
    let mut rows: Vec<RuleRow> = Vec::new();
    let why = loop {
        progress.set(format!("{} of {}", rows.len(), counted(rules.len(), "rule")));
        match receive(&finished, progress.deadline()) {
            Ok(row) => rows.push(row),
            Err(RecvTimeoutError::Timeout) => break "the time limit was reached",
            Err(RecvTimeoutError::Disconnected) => break "its verification ended without an answer",
        }
    };
    let unfinished = |(file, at): &(Arc<RuleFile>, usize)| {
        let known = rows.iter().any(|row| Arc::ptr_eq(&row.file, file) && row.at == *at);
        let finding = RuleFinding::Unfinished(why);
        (!known).then(|| RuleRow {
            file: file.clone(),
            at: *at,
            finding,
            standing: Standing::default(),
            seconds: 0.0,
        })
    };
    rows.extend(rules.iter().filter_map(unfinished).collect::<Vec<_>>());
    let place =
        |row: &RuleRow| rules.iter().position(|(file, at)| Arc::ptr_eq(&row.file, file) && row.at == *at);
    rows.sort_by_cached_key(place);
    rows
}

/// A thread that verifies rules which no other worker has taken.
struct Worker {
    rules: Arc<Vec<(Arc<RuleFile>, usize)>>,
    next: Arc<AtomicUsize>,
    sender: Sender<RuleRow>,
    options: Options,
}

impl Worker {
    /// Starts the thread. If it cannot be started, the other workers take its share.
    fn start(self) {
        std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || self.work()).ok();
    }

    fn work(self) {
        while let Some((file, at)) = self.rules.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let row = RuleRow::verified(file, *at, &self.options);
            let has_crashed = matches!(row.finding, RuleFinding::Crashed(_));
            if self.sender.send(row).is_err() {
                return;
            }
            // A panic may leave state of the thread, such as z3's context, inconsistent.
            if has_crashed {
                return self.start();
            }
        }
    }
}

fn receive(finished: &Receiver<RuleRow>, deadline: Option<Instant>) -> Result<RuleRow, RecvTimeoutError> {
    match deadline {
        Some(deadline) => finished.recv_timeout(deadline.saturating_duration_since(Instant::now())),
        None => finished.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}

/// The finding of the work, even if it failed or panicked.
pub fn found(work: impl FnOnce() -> Result<RuleFinding, RuleError>) -> RuleFinding {
    match caught(work) {
        Ok(finding) => finding.unwrap_or_else(RuleFinding::IllFormed),
        Err(crash) => RuleFinding::Crashed(crash),
    }
}

/// The columns of a table: those of rules about reals or integers, and those of types that a rule states; or the one that
/// was asked for.
pub fn columns(rows: &[RuleRow], asked: Option<SystemName>) -> Vec<SystemName> {
    let is_shown = |system: &SystemName| {
        let mut answers = rows.iter().flat_map(RuleRow::answers);
        SystemName::JUDGED.contains(system) || answers.any(|answer| answer.system == *system)
    };
    match asked {
        Some(system) => vec![system],
        None => SystemName::ALL.into_iter().filter(is_shown).collect(),
    }
}

impl RuleRow {
    fn verified(file: &Arc<RuleFile>, at: usize, options: &Options) -> RuleRow {
        let (start, rule) = (Instant::now(), &file.library.rules()[at]);
        let mut standing = Standing::default();
        let finding = found(|| {
            let of = verified(&file.library, rule, &file.texts, options)?;
            standing = of.standing;
            Ok(RuleFinding::Verified(Box::new(of.verdict), of.judgement))
        });
        RuleRow { file: file.clone(), at, finding, standing, seconds: start.elapsed().as_secs_f64() }
    }

    /// The rule.
    pub fn rule(&self) -> &Rule {
        &self.file.library.rules()[self.at]
    }

    /// The error in the rule, if it has no meaning.
    pub fn fault(&self) -> Option<&RuleError> {
        match &self.finding {
            RuleFinding::IllFormed(fault) => Some(fault),
            _ => None,
        }
    }

    /// Whether the verdict is as expected, if there is one.
    pub fn conformance(&self) -> Option<&Conformance> {
        match &self.finding {
            RuleFinding::Verified(_, conformance) => Some(conformance),
            _ => None,
        }
    }

    /// The answers in the number systems in which the rule means something.
    pub fn answers(&self) -> &[Answer] {
        match &self.finding {
            RuleFinding::Verified(_, Conformance::Vacuous(_)) => &[],
            RuleFinding::Verified(verdict, _) => &verdict.answers,
            _ => &[],
        }
    }

    /// The certificate of the proof, if there is one.
    pub fn certificate(&self) -> Option<Certificate> {
        let RuleFinding::Verified(verdict, _) = &self.finding else { return None };
        let (file, files) = (self.file.name.clone(), self.file.texts.clone());
        let (rule, system) = (self.rule().name.text.clone(), self.file.library.system.clone());
        verdict.certificate(CertificateSubject::Rule(CertifiedRule { file, rule, files, system }))
    }

    /// The rule's text in its file.
    pub fn text(&self) -> &str {
        self.file.source.text.get(self.rule().span.range()).unwrap_or_default()
    }

    /// The JSON of a row (`docs/command-line.md`, `verify`).
    pub fn to_json(&self) -> Value {
        let rule = self.rule();
        let mut json =
            json!({ "rule": rule.name.text, "file": self.file.source.name, "statement": rule.statement });
        let more = match &self.finding {
            RuleFinding::IllFormed(fault) => nothing_json("ill-formed", &fault.message),
            RuleFinding::Unfinished(why) => nothing_json("unknown", why),
            RuleFinding::Crashed(crash) => nothing_json("unknown", &crash.to_string()),
            RuleFinding::Verified(verdict, Conformance::Vacuous(reason)) => vacuous_json(verdict, reason),
            RuleFinding::Verified(verdict, conformance) => verdict_json(verdict, conformance),
        };
        if let (Value::Object(json), Value::Object(more)) = (&mut json, more) {
            json.extend(more);
            json.insert("system".to_owned(), self.file.library.system.name.as_str().into());
            json.insert("run".to_owned(), self.standing.to_json());
            json.insert("seconds".to_owned(), self.seconds.into());
        }
        json
    }
}

/// The errors of a file, as rows without a rule, so that no unreadable rule is omitted silently.
pub fn faults_json(file: &RuleFile) -> impl Iterator<Item = Value> {
    file.errors.iter().map(|error| {
        let mut json = nothing_json("ill-formed", &error.message);
        json["rule"] = Value::Null;
        json["file"] = file.source.name.as_str().into();
        json
    })
}

/// A path that could not be read, as a row without a rule.
pub fn unreadable_json(path: &Path, failure: &Failure) -> Value {
    let messages: Vec<&str> = failure.reports.iter().map(|report| report.message.as_str()).collect();
    let mut json = nothing_json("ill-formed", &messages.join("; "));
    json["rule"] = Value::Null;
    json["file"] = shown(path).into();
    json
}

/// The JSON of a row without a verdict.
fn nothing_json(verdict: &str, why: &str) -> Value {
    json!({
        "verdict": verdict, "range": "none", "laws": [], "domains": {}, "counterexample": null,
        "open": why, "vacuous": false, "expected": false,
    })
}

fn verdict_json(verdict: &ProverVerdict, conformance: &Conformance) -> Value {
    let main = verdict.headline();
    let relations = |inputs| domains_json(&verdict.answers, |answer| answer.relations[inputs]);
    let counterexample = main
        .and_then(|answer| answer.counterexamples.defined.as_ref().or(answer.counterexamples.any.as_ref()));
    let others =
        verdict.answers.iter().filter_map(|answer| Some((answer.system.to_string(), of_answer(answer)?)));
    json!({
        "verdict": main.map_or("unknown", |answer| answer.relations.defined.word()),
        "range": range(verdict),
        "assumes": assumes_json(verdict),
        "holds_where": verdict.narrower.as_ref().map(narrower_json),
        "laws": verdict.laws,
        "domains": relations(InputClass::Defined),
        "undefined": relations(InputClass::Any),
        "counterexample": match (counterexample, &verdict.meaningless) {
            (Some(found), _) => found.to_json(),
            (None, Some(meaningless)) => meaningless_json(meaningless),
            (None, None) => Value::Null,
        },
        "counterexamples": others.collect::<Map<String, Value>>(),
        "undefined_counterexamples": counterexamples_json(&verdict.answers, |answer| answer.counterexamples.any.as_ref()),
        "reasons": reasons_json(reasons(verdict, InputClass::Any)),
        "open": open(verdict, conformance),
        "vacuous": false,
        "instances": verdict.instances,
        "obligations": verdict.obligations,
        "expected": *conformance == Conformance::Expected,
    })
}

/// The JSON of a vacuous rule: no relation in any number system, because nothing was run.
fn vacuous_json(verdict: &ProverVerdict, reason: &str) -> Value {
    let mut json = nothing_json("unknown", reason);
    json["assumes"] = assumes_json(verdict);
    json["vacuous"] = true.into();
    json
}

fn assumes_json(verdict: &ProverVerdict) -> Value {
    json!({
        "choices": verdict.assumed.choices.iter().cloned().collect::<BTreeMap<_, _>>(),
        "conditions": verdict.assumed.conditions,
        "implied": verdict.assumed.implied,
        "illegal": verdict.illegal,
    })
}

/// The open question: whether the right side refines the left one, or the reason why the expected verdict is
/// undecided.
fn open(verdict: &ProverVerdict, conformance: &Conformance) -> Option<String> {
    let is_unequal = verdict.headline().is_some_and(|answer| answer.relations.defined == Relation::Unequal);
    let reason = match conformance {
        Conformance::Undecided(complaint) => verdict.open.clone().or(Some(complaint.text.clone())),
        _ => None,
    };
    match (is_unequal, reason) {
        (false, reason) => reason,
        (true, None) => Some(UNEQUAL.to_owned()),
        (true, Some(reason)) => Some(format!("{UNEQUAL}: {reason}")),
    }
}

fn of_answer(answer: &Answer) -> Option<Value> {
    let [defined, undefined] = answer.counterexamples.as_ref().into_array();
    defined.as_ref().or(undefined.as_ref()).map(Counterexample::to_json)
}

/// The range of the verdict, such as `for r in 0..3, every D, 15 instances and no others: …`.
fn range(verdict: &ProverVerdict) -> String {
    let sizes = "all sizes that the rule allows; all defined inputs (`undefined`: all inputs)";
    if verdict.choices.is_empty() {
        return sizes.to_owned();
    }
    let chosen: Vec<String> = verdict.choices.iter().map(|(name, values)| chosen(name, values)).collect();
    let instances = counted(verdict.instances, "instance");
    format!("for {}, {instances} and no others: {sizes}", chosen.join(", "))
}

/// The values of a choice: a range for numbers, `every D` for sets and permutations, of which there are many.
fn chosen(name: &str, values: &[String]) -> String {
    let numbers: Option<Vec<i64>> = values.iter().map(|value| value.parse().ok()).collect();
    let numbers = numbers.and_then(|numbers| Some((*numbers.iter().min()?, *numbers.iter().max()?)));
    match (numbers, values) {
        (Some((least, greatest)), _) if least < greatest => format!("{name} in {least}..{greatest}"),
        (_, [only]) => format!("{name} = {only}"),
        _ => format!("every {name}"),
    }
}

/// Sizes at which the right side has no meaning, as JSON.
fn meaningless_json(meaningless: &Meaningless) -> Value {
    json!({ "parameters": parameters_json(&meaningless.parameters), "needs": meaningless.needs })
}

/// The answer's relations for defined and for all inputs, as signs; one sign if they are equal.
pub fn signs(answer: &Answer) -> String {
    let sign = |relation: Relation| match relation {
        Relation::Equivalent => "=",
        Relation::Refines => "⊑",
        Relation::Unknown => "?",
        Relation::Unequal => "⊑?",
        Relation::Different => "≠",
    };
    let [defined, undefined] = answer.relations.into_array();
    if defined == undefined {
        sign(defined).to_owned()
    } else {
        format!("{} {}", sign(defined), sign(undefined))
    }
}
