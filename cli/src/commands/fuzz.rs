//! `selfsame fuzz`: random programs against the reference semantics.

use crate::diagnostics::{Code, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::limits::Progress;
use crate::output::{json_text, write_file};
use clap::Args;
use fuzz::campaign::{Check, Settings, Summary, run};
use fuzz::finding::Finding;
use fuzz::generation::{Profile, Sizes};
use fuzz::judgement::{Judgement, Tally};
use fuzz::meaning::Meaning;
use fuzz::oracles::{ORACLES, Oracle, Oracles};
use fuzz::targets::{Limits, Process, TargetCheck, Trouble};
use polyhedra_isl::Isl;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Cases of a run that does not say how many.
const CASES: u64 = 10_000;
/// So many findings are shown; all are in files, and in JSON.
const SHOWN: usize = 10;
/// Implementations with an adapter of ours: the name, and the script with its arguments.
const ADAPTERS: [(&str, &str, &str); 4] = [
    ("numpy", "numpy_target.py", ""),
    ("jax", "jax_target.py", ""),
    ("onnxruntime", "onnxruntime_target.py", ""),
    ("onnxruntime-plain", "onnxruntime_target.py", " plain"),
];

/// Arguments of `fuzz`.
#[derive(Debug, Args)]
pub struct FuzzArgs {
    /// What is tested: `self` for this program, by all its oracles; one oracle; or an adapter of fuzz/adapters (numpy, jax,
    /// onnxruntime, onnxruntime-plain without its optimizations)
    #[arg(long, value_name = "NAME", default_value = "self", conflicts_with = "exec")]
    pub target: String,
    /// Test a command of the shell that speaks the protocol of fuzz/PROTOCOL.md
    #[arg(long, value_name = "COMMAND")]
    pub exec: Option<String>,
    /// Stop after so many seconds
    #[arg(long, value_name = "S", value_parser = crate::limits::parse_timeout, conflicts_with = "cases")]
    pub seconds: Option<Duration>,
    /// Stop after so many cases [default: 10000]
    #[arg(long, value_name = "N")]
    pub cases: Option<u64>,
    /// How large programs are: `mixed`, from single elements to some hundreds along a dimension; `small`, at most 3 along each
    #[arg(long, value_name = "SIZES", value_parser = sizes, default_value = "mixed")]
    pub sizes: Sizes,
    /// Where findings are written, each as a file
    #[arg(long, value_name = "DIR", default_value = "findings")]
    pub out: PathBuf,
    /// Run the case of a finding again
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seconds", "cases"])]
    pub replay: Option<PathBuf>,
    /// Where the adapters are
    #[arg(long, value_name = "DIR", default_value = "fuzz/adapters")]
    pub adapters: PathBuf,
    /// A target is stopped if an answer takes longer
    #[arg(long, value_name = "S", value_parser = crate::limits::parse_timeout)]
    pub answer: Option<Duration>,
    /// One JSON document on standard output
    #[arg(long)]
    pub json: bool,
}

fn sizes(text: &str) -> Result<Sizes, String> {
    match text {
        "mixed" => Ok(Sizes::Mixed),
        "small" => Ok(Sizes::Small),
        _ => Err("expected `mixed` or `small`".to_owned()),
    }
}

/// Runs cases, or a finding again.
///
/// # Errors
/// There is no such target, or it does not start; the finding cannot be read.
pub fn execute(args: &FuzzArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    // A panic of what is tested is a finding, and said there.
    std::panic::set_hook(Box::new(|_| {}));
    match &args.replay {
        Some(path) => replay(args, path),
        None => campaign(args, seed, progress),
    }
}

/// What is asked about each case, and what cases look like.
fn check(args: &FuzzArgs, target: &str) -> Result<(Box<dyn Check>, Profile), Failure> {
    let command = match (&args.exec, target) {
        (Some(command), _) => command.clone(),
        (None, "self") => {
            return Ok((
                Box::new(Oracles(ORACLES.iter().collect())),
                Profile { sizes: args.sizes, ..Profile::default() },
            ));
        }
        (None, name) => {
            if let Some(oracle) = Oracle::named(name) {
                return Ok((
                    Box::new(Oracles(vec![oracle])),
                    Profile { sizes: args.sizes, ..Profile::default() },
                ));
            }
            adapter(&args.adapters, name)?
        }
    };
    let limits = Limits { answer: args.answer.unwrap_or(Limits::default().answer), ..Limits::default() };
    match TargetCheck::new(Process::new(&command, limits)) {
        Ok(check) => {
            let profile = check.profile(args.sizes);
            Ok((Box::new(check), profile))
        }
        Err(Trouble::Unusable(why) | Trouble::Unsupported(why) | Trouble::Found(_, why)) => {
            Err(Failure::fault(Report::new(Code::I0027, why)))
        }
    }
}

/// The command of an adapter.
fn adapter(folder: &Path, name: &str) -> Result<String, Failure> {
    let Some((_, script, arguments)) = ADAPTERS.iter().find(|(known, ..)| *known == name) else {
        let adapters: Vec<&str> = ADAPTERS.iter().map(|(name, ..)| *name).collect();
        let oracles: Vec<&str> = ORACLES.iter().map(|oracle| oracle.name).collect();
        let report = Report::new(Code::U0001, format!("there is no target `{name}`"));
        let hint =
            format!("there are self, {}, {}; or `--exec COMMAND`", oracles.join(", "), adapters.join(", "));
        return Err(Failure::fault(report.hint(hint)));
    };
    let (python, script) = (folder.join(".venv/bin/python"), folder.join(script));
    if !python.exists() || !script.exists() {
        let report = Report::new(Code::I0027, format!("the adapter {} is not installed", script.display()));
        return Err(Failure::fault(
            report.hint("`make adapters` installs the adapters; `--adapters DIR` says where they are"),
        ));
    }
    Ok(format!("exec '{}' '{}'{arguments}", python.display(), script.display()))
}

fn campaign(args: &FuzzArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    let (mut check, profile) = check(args, &args.target)?;
    let (start, shared) = (Instant::now(), Arc::new(Mutex::new(Summary::default())));
    let (of, folder, is_json) = (shared.clone(), args.out.clone(), args.json);
    let so_far = move || {
        let mut summary = of.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // What is being made smaller is not lost.
        if let Some(finding) = summary.pending.take().filter(|finding| written(&folder, finding).is_ok()) {
            summary.findings.entry(finding.shape()).or_insert((*finding, 1));
        }
        said(&summary, &folder, start.elapsed().as_secs_f64(), is_json)
    };
    let stop = progress.stops_itself(Box::new(so_far));
    let end = args.seconds.and_then(|seconds| start.checked_add(seconds));
    let end = [end, progress.deadline()].into_iter().flatten().min();
    let cases = args.cases.or(args.seconds.is_none().then_some(CASES));
    let mut unwritten = Vec::new();
    let mut watch = |summary: &Summary, new: Option<&Finding>| {
        progress.set(summary.line(start.elapsed().as_secs_f64()));
        shared.lock().unwrap_or_else(PoisonError::into_inner).clone_from(summary);
        if let Some(failure) = new.and_then(|finding| written(&args.out, finding).err()) {
            unwritten.push(failure);
        }
        !stop() && end.is_none_or(|end| Instant::now() < end)
    };
    let summary = run(Settings { seed, cases, profile }, &Isl::new(), &mut *check, &mut watch);
    let mut outcome = said(&summary, &args.out, start.elapsed().as_secs_f64(), args.json);
    let out_of_time = progress.deadline().is_some_and(|deadline| Instant::now() >= deadline);
    if out_of_time && summary.findings.is_empty() {
        let report = Report::new(Code::L0003, "the time limit is over before all cases were run");
        outcome = Outcome {
            exit: Exit::Undecided,
            stderr: Outcome::from(Failure::undecided(report)).stderr,
            ..outcome
        };
    }
    // What could not be written is not lost.
    if let Some(failure) = unwritten.into_iter().next() {
        outcome.stderr = Outcome::from(failure).stderr;
        summary.findings.values().for_each(|(finding, _)| outcome.stderr.push_str(&format!("{finding}\n")));
    }
    Ok(outcome)
}

/// The summary of a run.
fn said(summary: &Summary, folder: &Path, seconds: f64, is_json: bool) -> Outcome {
    let stdout = match is_json {
        true => json_text(&json(summary, folder, seconds)),
        false => text(summary, folder, seconds),
    };
    Outcome::new(exit(summary), stdout)
}

/// Writes a finding; where the same one is there it is replaced, by the one of this run.
fn written(folder: &Path, finding: &Finding) -> Result<(), Failure> {
    let path = folder.join(finding.file_name());
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::fault(Report::new(Code::I0017, format!("cannot write: {error}")).in_file(folder, None))
    })?;
    write_file(&path, finding.to_string().as_bytes())
}

/// Nothing was found, if anything was compared.
fn exit(summary: &Summary) -> Exit {
    let compared = summary.elements.agree + summary.elements.undefined > 0;
    match (summary.findings.is_empty(), compared) {
        (false, _) => Exit::No,
        (true, true) => Exit::Yes,
        (true, false) => Exit::Undecided,
    }
}

fn text(summary: &Summary, folder: &Path, seconds: f64) -> String {
    let mut text = format!("{}\n", summary.line(seconds));
    let tally = summary.elements;
    let compared = (tally.agree + tally.abstain).max(1);
    let share = 100.0 * tally.abstain as f64 / compared as f64;
    text.push_str(&format!(
        "elements: {} agree, {} abstain ({share:.1} %), {} undefined in the reference\n",
        tally.agree, tally.abstain, tally.undefined
    ));
    for (why, count) in &summary.refused {
        text.push_str(&format!("not judged, {count} times: {why}\n"));
    }
    for (finding, count) in summary.findings.values().take(SHOWN) {
        let path = folder.join(finding.file_name());
        text.push_str(&format!(
            "{}, {count} times: {}\n  {}\n",
            finding.check,
            finding.difference,
            path.display()
        ));
    }
    if summary.findings.len() > SHOWN {
        text.push_str(&format!("and {} more in {}\n", summary.findings.len() - SHOWN, folder.display()));
    }
    text
}

fn json(summary: &Summary, folder: &Path, seconds: f64) -> Value {
    let findings = summary.findings.values().map(|(finding, count)| {
        json!({
            "file": folder.join(finding.file_name()).display().to_string(),
            "check": finding.check,
            "kind": finding.difference.kind.name(),
            "at": finding.difference.at,
            "expected": finding.difference.expected,
            "found": finding.difference.found,
            "count": count,
        })
    });
    json!({
        "cases": summary.cases,
        "rejected": summary.rejected,
        "abstained": summary.abstained,
        "elements": {
            "agree": summary.elements.agree,
            "abstain": summary.elements.abstain,
            "undefined": summary.elements.undefined,
        },
        "refused": summary.refused,
        "findings": findings.collect::<Vec<_>>(),
        "seconds": seconds,
        "cases_per_second": summary.cases as f64 / seconds.max(1e-9),
    })
}

fn replay(args: &FuzzArgs, path: &Path) -> Result<Outcome, Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::fault(Report::new(Code::I0001, format!("cannot read: {error}")).in_file(path, None))
    };
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    let malformed = |why: String| Failure::fault(Report::new(Code::I0026, why).in_file(path, None));
    let finding = Finding::parse(&text).map_err(malformed)?;
    let engine = Isl::new();
    let misfit =
        Meaning::new(&finding.case.subject, &engine).and_then(|meaning| meaning.misfit(&finding.case));
    if let Ok(Some(why)) = misfit {
        return Err(malformed(format!("inputs.json: {why}")));
    }
    let (mut check, _) = check(args, &finding.check)?;
    let judgement = check.judge_again(&finding.check, &finding.case, &engine);
    let seen = check.implementation().versions;
    let (exit, what) = match judgement {
        Judgement::Wrong(difference) => (Exit::No, format!("{difference}")),
        Judgement::Right(Tally { agree: 0, abstain: 1.., undefined: 0 }) => {
            (Exit::Undecided, "not judged: the bounds tell nothing about any element".to_owned())
        }
        Judgement::Right(_) => (Exit::Yes, "right".to_owned()),
        Judgement::Refused(why) => (Exit::Undecided, format!("not judged: {why}")),
        Judgement::Stopped(stopped) => (Exit::Undecided, format!("not judged: {stopped}")),
    };
    let stdout = match args.json {
        true => json_text(&json!({ "check": finding.check, "versions": seen, "result": what })),
        false => format!("{}: {what}\n(found: {})\n", finding.check, finding.difference),
    };
    Ok(Outcome::new(exit, stdout))
}
