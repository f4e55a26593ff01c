//! Runs verified rules through real compilers: `rules jax|onnxruntime COUNT SEED FILE.rules…`. Compares both sides
//! of each rule at `COUNT` random attributes and sizes, as functions of JAX or graphs of ONNX, with the reference:
//! `make rules`.

use fuzz::judgement::{CaseJudgement, JudgementTally};
use fuzz::transcription::graph::TargetLanguage;
use fuzz::transcription::instances::{Transcribed, Transcription, compare, transcription};
use fuzz::transcription::{jax, onnx};
use generators::choices::{DecisionSource, Random};
use rule_files::instances::outlined;
use rule_files::library::Library;
use rule_files::syntax::Rule;
use selfsame_core::operators::ElementType;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use values::tolerance::{FloatModel, Format, Tolerance};

type Failed = Box<dyn Error>;

/// The number of instances to compile together. Chosen, not measured: a process starts once for all of them, and an
/// error of one costs the others a second compilation.
const BATCH: usize = 50;

/// The error of instances that end the process.
const ENDED: &str = "the process ended";

/// A compiler.
struct Compiler {
    name: &'static str,
    model: FloatModel,
    language: TargetLanguage,
    side: fn(&Transcribed, &[String]) -> Option<Value>,
}

fn compilers() -> [Compiler; 2] {
    let reordered =
        |format| FloatModel { stores: false, function_ulps: 8.0, ..FloatModel::reordered(format) };
    [
        Compiler {
            name: "jax",
            model: FloatModel {
                flushes: true,
                loose_extrema: true,
                reciprocals: true,
                ..reordered(Format::F64)
            },
            language: jax::LANGUAGE,
            side: |side, inputs| jax::function("side", inputs, side.graph.as_ref()?).map(Value::from),
        },
        Compiler {
            name: "onnxruntime",
            model: FloatModel { loose_extrema: true, reciprocals: true, ..reordered(Format::F32) },
            language: onnx::LANGUAGE,
            side: |side, _| onnx::nodes(side.graph.as_ref()?).map(Value::from),
        },
    ]
}

/// The process that runs the compiler.
struct CompilerProcess {
    child: Child,
    requests: ChildStdin,
    replies: BufReader<ChildStdout>,
    versions: String,
}

impl CompilerProcess {
    fn start(name: &str) -> Result<CompilerProcess, Failed> {
        let python = Path::new("fuzz/adapters/.venv/bin/python");
        let mut child = Command::new(python)
            .args(["fuzz/adapters/rules_target.py", name])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (requests, replies) =
            (child.stdin.take().ok_or("no pipe")?, child.stdout.take().ok_or("no pipe")?);
        let mut process =
            CompilerProcess { child, requests, replies: BufReader::new(replies), versions: String::new() };
        process.versions = process.line()?["versions"].as_str().unwrap_or_default().to_owned();
        Ok(process)
    }

    fn line(&mut self) -> Result<Value, Failed> {
        let mut line = String::new();
        self.replies.read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    }

    fn ask(&mut self, instances: &[Value]) -> Result<Vec<Value>, Failed> {
        writeln!(self.requests, "{}", Value::from(instances.to_vec()))?;
        self.requests.flush()?;
        Ok(serde_json::from_value(self.line()?)?)
    }
}

impl Drop for CompilerProcess {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill().and_then(|()| self.child.wait());
    }
}

/// The outcome for a rule.
#[derive(Default)]
struct RuleOutcome {
    instances: usize,
    by_elements: usize,
    not_written: usize,
    refused: BTreeMap<String, usize>,
    tally: JudgementTally,
    wrong: Vec<String>,
}

fn main() -> Result<(), Failed> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, count, seed, files @ ..] = &arguments[..] else {
        return Err("rules jax|onnxruntime COUNT SEED FILE.rules…".into());
    };
    let compilers = compilers();
    let compiler = compilers.iter().find(|compiler| compiler.name == *name).ok_or("no such compiler")?;
    let (count, seed) = (count.parse()?, seed.parse()?);
    let mut process = CompilerProcess::start(name)?;
    println!("{}", process.versions);
    let (mut all, mut rules, mut wrong) = (JudgementTally::default(), 0, 0);
    for file in files {
        let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| error.to_string());
        let path = Path::new(file);
        let (library, errors) = Library::load(path, &read(path)?, &read);
        if let Some(error) = errors.first() {
            return Err(error.message.clone().into());
        }
        for rule in library.rules() {
            let outcome = of_rule(&library, rule, compiler, &mut process, count, seed)?;
            print(&rule.name.text, &outcome);
            all.add(outcome.tally);
            (rules, wrong) = (rules + 1, wrong + usize::from(!outcome.wrong.is_empty()));
        }
    }
    let JudgementTally { agree, abstain, undefined } = all;
    println!(
        "{rules} rules, {wrong} with differences; elements: {agree} agree, {abstain} not known, {undefined} undefined"
    );
    Ok(())
}

fn print(name: &str, outcome: &RuleOutcome) {
    let RuleOutcome { instances, by_elements, not_written, refused, tally, wrong } = outcome;
    let JudgementTally { agree, abstain, undefined } = tally;
    println!(
        "{name:40} {instances:5} instances, {by_elements:5} sides by elements, {not_written:5} not written, {agree:7} agree, {abstain:6} not known, {undefined:6} undefined, {:4} wrong",
        wrong.len()
    );
    refused.iter().for_each(|(why, count)| println!("    refused {count} times: {why}"));
    wrong.iter().take(2).for_each(|wrong| println!("    {wrong}"));
}

/// Runs instances of a rule, taking all choices in turn.
fn of_rule(
    library: &Library,
    rule: &Rule,
    compiler: &Compiler,
    process: &mut CompilerProcess,
    count: usize,
    seed: u64,
) -> Result<RuleOutcome, Failed> {
    let instances = outlined(library, rule).map_err(|fault| fault.message)?;
    let mut random = Random::seeded(seed);
    let mut outcome = RuleOutcome::default();
    let mut made: Vec<Transcription> = Vec::new();
    // A rule whose sizes must be large yields fewer instances, so the tries are bounded.
    for at in (random.below(instances.len())..).take(4 * count) {
        let (instance, outlines) = &instances[at % instances.len()];
        let new = transcription(instance, outlines.as_ref(), compiler.model, compiler.language, &mut random);
        made.extend(new);
        if made.len() == BATCH.min(count - outcome.instances) {
            judge(&std::mem::take(&mut made), compiler, process, &mut outcome)?;
        }
        if outcome.instances == count {
            break;
        }
    }
    judge(&made, compiler, process, &mut outcome)?;
    Ok(outcome)
}

fn judge(
    made: &[Transcription],
    compiler: &Compiler,
    process: &mut CompilerProcess,
    outcome: &mut RuleOutcome,
) -> Result<(), Failed> {
    if made.is_empty() {
        return Ok(());
    }
    let requests: Vec<Value> = made.iter().map(|instance| request(instance, compiler)).collect();
    let replies = match process.ask(&requests) {
        Ok(replies) => replies,
        Err(_) => alone(&requests, compiler, process)?,
    };
    for ((instance, request), reply) in made.iter().zip(&requests).zip(&replies) {
        outcome.instances += 1;
        for (at, side) in instance.sides.iter().enumerate() {
            let is_written = !request["sides"][at].is_null();
            outcome.not_written += usize::from(!is_written);
            outcome.by_elements += usize::from(side.graph.as_ref().is_some_and(|graph| graph.by_elements));
            if is_written {
                judge_side(instance, side, &reply[at], compiler, outcome, &request["sides"][at]);
            }
        }
    }
    Ok(())
}

/// Runs instances one by one, because one of them has ended the process.
fn alone(
    requests: &[Value],
    compiler: &Compiler,
    process: &mut CompilerProcess,
) -> Result<Vec<Value>, Failed> {
    let mut replies = Vec::new();
    for request in requests {
        *process = CompilerProcess::start(compiler.name)?;
        let crashed = json!({ "error": ENDED });
        let reply = process.ask(std::slice::from_ref(request));
        replies.push(reply.map_or_else(|_| json!([crashed, crashed]), |mut replies| replies.remove(0)));
    }
    *process = CompilerProcess::start(compiler.name)?;
    Ok(replies)
}

fn request(instance: &Transcription, compiler: &Compiler) -> Value {
    let names: Vec<String> = instance.inputs.iter().map(|input| input.name.clone()).collect();
    let inputs = instance.inputs.iter().map(|input| {
        json!({ "name": input.name, "type": input.data_type.keyword(), "shape": input.shape, "data": input.data })
    });
    let graph = instance.sides.iter().find_map(|side| side.graph.as_ref());
    let data_type = graph.map_or(ElementType::Real, |graph| graph.nodes[graph.result].data_type);
    let sides = instance.sides.iter().map(|side| (compiler.side)(side, &names));
    json!({ "inputs": inputs.collect::<Vec<_>>(), "type": data_type.keyword(), "sides": sides.collect::<Vec<_>>() })
}

fn judge_side(
    instance: &Transcription,
    side: &Transcribed,
    reply: &Value,
    compiler: &Compiler,
    outcome: &mut RuleOutcome,
    text: &Value,
) {
    if let Some(error) = reply["error"].as_str() {
        if error == ENDED {
            outcome.wrong.push(format!("{}: {ENDED}\n{text}\n{:?}", instance.said, instance.inputs));
            return;
        }
        let error: String = error.chars().filter(|c| !c.is_ascii_digit()).take(160).collect();
        *outcome.refused.entry(error).or_default() += 1;
        return;
    }
    let numbers =
        |of: &Value| of.as_array().map_or(Vec::new(), |all| all.iter().filter_map(number).collect());
    let shape: Vec<i64> = numbers(&reply["shape"]).into_iter().map(|extent: f64| extent as i64).collect();
    let domain = Tolerance { model: compiler.model };
    match compare(side, &domain, &shape, &numbers(&reply["data"])) {
        CaseJudgement::Right(tally) => outcome.tally.add(tally),
        CaseJudgement::Wrong(difference) => {
            outcome.wrong.push(format!("{}: {difference}\n{}\n{:?}", instance.said, text, instance.inputs));
        }
        CaseJudgement::Refused(_) | CaseJudgement::Stopped(_) => outcome.not_written += 1,
    }
}

/// Reads a number; `"nan"` and infinities are strings.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}
