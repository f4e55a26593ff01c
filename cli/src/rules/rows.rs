//! One row a rule: what was found, and whether that was expected.

use super::STACK_BYTES;
use super::files::RuleFile;
use checker::certificate::{Certificate, Subject};
use rewrites::judging::{Judgement, headline, judge};
use rewrites::meaning::Meaningless;
use rewrites::refutation::{Counterexample, Written, WrittenValue};
use rewrites::verdict::{Answer, Verdict};
use rewrites::verification::{Options, verify};
use semantics::decision::Relation;
use semantics::rules::elaboration::Fault;
use semantics::rules::syntax::Rule;
use semantics::values::Literal;
use serde_json::{Map, Value, json};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What was found of a rule.
#[derive(Debug)]
pub struct Row<'a> {
    /// The file.
    pub file: &'a RuleFile,
    /// The rule.
    pub rule: &'a Rule,
    /// The verdict, or why the rule has no meaning.
    pub result: Result<(Verdict, Judgement), Fault>,
    /// How long it took.
    pub seconds: f64,
}

/// Verifies all rules, some at a time; the order of rows is that of the files.
pub fn rows<'a>(files: &'a [RuleFile], options: &Options, workers: usize) -> Vec<Row<'a>> {
    let rules: Vec<(&RuleFile, &Rule)> =
        files.iter().flat_map(|file| file.library.rules().iter().map(move |rule| (file, rule))).collect();
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Row<'a>)>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..workers.min(rules.len()) {
            let work = || {
                while let Some(&(file, rule)) = rules.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = row(file, rule, options);
                    let at = rules.iter().position(|(_, other)| std::ptr::eq(*other, rule)).unwrap_or(0);
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, row));
                }
            };
            // A thread that cannot be started leaves its share to the others.
            std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).ok();
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, row)| row).collect()
}

fn row<'a>(file: &'a RuleFile, rule: &'a Rule, options: &Options) -> Row<'a> {
    let start = Instant::now();
    let result = verify(&file.library, rule, options).map(|verdict| {
        let judgement = judge(rule, &verdict);
        (verdict, judgement)
    });
    Row { file, rule, result, seconds: start.elapsed().as_secs_f64() }
}

impl Row<'_> {
    /// The certificate of what was proved, if something was.
    pub fn certificate(&self) -> Option<Certificate> {
        let (verdict, _) = self.result.as_ref().ok()?;
        let (file, files) = (self.file.name.clone(), self.file.texts.clone());
        verdict.certificate(Subject::Rule { file, rule: self.rule.name.text.clone(), files })
    }

    /// The JSON of a row (`spec/cli.md`, `verify`).
    pub fn to_json(&self) -> Value {
        let mut json = json!({ "rule": self.rule.name.text, "file": self.file.source.name, "statement": self.rule.statement });
        let more = match &self.result {
            Err(fault) => json!({
                "verdict": "ill-formed", "range": "none", "laws": [], "domains": {}, "counterexample": null,
                "open": fault.message, "vacuous": false, "expected": false,
            }),
            Ok((verdict, judgement)) => verdict_json(verdict, judgement),
        };
        if let (Value::Object(json), Value::Object(more)) = (&mut json, more) {
            json.extend(more);
            json.insert("seconds".to_owned(), self.seconds.into());
        }
        json
    }
}

fn verdict_json(verdict: &Verdict, judgement: &Judgement) -> Value {
    let main = headline(verdict);
    let relations = |inputs: usize| -> Map<String, Value> {
        verdict.answers.iter().map(|a| (a.system.to_owned(), a.relations[inputs].word().into())).collect()
    };
    let counterexample =
        main.and_then(|answer| answer.counterexamples[0].as_ref().or(answer.counterexamples[1].as_ref()));
    let others =
        verdict.answers.iter().filter_map(|answer| Some((answer.system.to_owned(), of_answer(answer)?)));
    json!({
        "verdict": main.map_or("unknown", |answer| answer.relations[0].word()),
        "range": range(verdict),
        "laws": verdict.laws,
        "domains": relations(0),
        "undefined": relations(1),
        "counterexample": match (counterexample, &verdict.meaningless) {
            (Some(found), _) => counterexample_json(found),
            (None, Some(meaningless)) => meaningless_json(meaningless),
            (None, None) => Value::Null,
        },
        "counterexamples": others.collect::<Map<String, Value>>(),
        "open": match judgement {
            Judgement::Undecided(_) => verdict.open.clone().map_or(Value::Null, Value::from),
            _ => Value::Null,
        },
        "vacuous": verdict.vacuous.is_some(),
        "instances": verdict.instances,
        "obligations": verdict.obligations,
        "expected": *judgement == Judgement::Expected,
    })
}

fn of_answer(answer: &Answer) -> Option<Value> {
    let [defined, undefined] = &answer.counterexamples;
    defined.as_ref().or(undefined.as_ref()).map(counterexample_json)
}

fn range(verdict: &Verdict) -> String {
    let instances =
        if verdict.instances == 1 { String::new() } else { format!(", {} instances", verdict.instances) };
    format!("all sizes that the rule allows{instances}; all defined inputs (`undefined`: all inputs)")
}

/// A counterexample as JSON.
pub fn counterexample_json(counterexample: &Counterexample) -> Value {
    let inputs: Map<String, Value> = counterexample
        .inputs
        .iter()
        .map(|input| {
            let data: Vec<Value> = input.elements.iter().map(written_json).collect();
            let mut json = json!({ "shape": input.extents, "data": data });
            if input.origin.iter().any(|&first| first != 0) {
                json["origin"] = input.origin.clone().into();
            }
            (input.name.clone(), json)
        })
        .collect();
    let [left, right] = &counterexample.values;
    let [left_computation, right_computation] = &counterexample.computations;
    let numbers = |numbers: &[Literal]| numbers.iter().map(Literal::to_json).collect::<Vec<Value>>();
    let calls = counterexample.calls.iter().map(|call| {
        json!({ "function": call.function, "arguments": numbers(&call.arguments), "values": numbers(&call.values) })
    });
    json!({
        "values": counterexample.system,
        "parameters": parameters_json(&counterexample.parameters),
        "inputs": inputs,
        "at": { "variable": counterexample.variable, "index": counterexample.index },
        "left": written_json(left),
        "right": written_json(right),
        "computations": { "left": left_computation, "right": right_computation },
        "calls": calls.collect::<Vec<Value>>(),
    })
}

/// Sizes for which the right side has no meaning.
fn meaningless_json(meaningless: &Meaningless) -> Value {
    json!({ "parameters": parameters_json(&meaningless.parameters), "needs": meaningless.needs })
}

fn parameters_json(parameters: &[(String, String)]) -> Map<String, Value> {
    let parameter = |text: &str| text.parse::<i64>().map_or_else(|_| text.into(), Value::from);
    parameters.iter().map(|(name, value)| (name.clone(), parameter(value))).collect()
}

fn written_json(written: &Written) -> Value {
    match written {
        None => Value::Null,
        Some(WrittenValue::Number(literal)) => literal.to_json(),
        Some(WrittenValue::Truth(truth)) => (*truth).into(),
    }
}

/// The worst that was found, as an exit code would say it: whether something is refuted, and whether something is open.
pub fn outcome(rows: &[Row<'_>]) -> (bool, bool, bool) {
    let any = |test: &dyn Fn(&Judgement) -> bool| {
        rows.iter().any(|r| r.result.as_ref().is_ok_and(|(_, j)| test(j)))
    };
    let refuted = any(&|j| matches!(j, Judgement::Unexpected(_)));
    let open = any(&|j| matches!(j, Judgement::Undecided(_) | Judgement::Vacuous(_)));
    (rows.iter().any(|row| row.result.is_err()), refuted, open)
}

/// The answer's two relations as signs.
pub fn signs(answer: &Answer) -> String {
    let sign = |relation: Relation| match relation {
        Relation::Equivalent => "=",
        Relation::Refines => "⊑",
        Relation::Unknown => "?",
        Relation::Different => "≠",
    };
    let [defined, undefined] = answer.relations;
    if defined == undefined {
        sign(defined).to_owned()
    } else {
        format!("{} {}", sign(defined), sign(undefined))
    }
}
