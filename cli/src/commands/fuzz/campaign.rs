//! A run of random cases, and its summary.

use super::target::{SELF, check};
use super::{FuzzArgs, add, finding_json};
use crate::diagnostics::{Code, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::limits::Progress;
use crate::output::{json_text, write_file};
use ::fuzz::campaign::{Settings, Summary};
use ::fuzz::finding::Finding;
use polyhedra_isl::Isl;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Cases of a run that does not say how many.
const CASES: u64 = 10_000;
/// So many findings are shown; all are in files, and in JSON.
const SHOWN: usize = 10;

/// Runs cases, and writes what is found.
///
/// # Errors
/// There is no such target, or it cannot be used.
pub fn run(args: &FuzzArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    let (mut check, profile) = check(args, args.target.as_deref().unwrap_or(SELF))?;
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
    let summary =
        ::fuzz::campaign::run(Settings { seed, cases, profile }, &Isl::new(), &mut *check, &mut watch);
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
            "{}, {count} times{}: {}\n  {}\n",
            finding.check,
            if finding.repeats == Some(false) { ", not again in a process of its own" } else { "" },
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
        let mut json =
            json!({ "file": folder.join(finding.file_name()).display().to_string(), "count": count });
        add(&mut json, finding_json(finding));
        json
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
