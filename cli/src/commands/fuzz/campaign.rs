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
use std::path::{Path, PathBuf};
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
    let start = Instant::now();
    let shared = Arc::new(Mutex::new(Record::new(args, start)));
    let record = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let of = shared.clone();
    let stop = progress.stops_itself(Box::new(move || {
        let mut record = of.lock().unwrap_or_else(PoisonError::into_inner);
        record.close();
        record.said(Some("interrupted"))
    }));
    let end = args.seconds.and_then(|seconds| start.checked_add(seconds));
    let end = [end, progress.deadline()].into_iter().flatten().min();
    let cases = args.cases.or(args.seconds.is_none().then_some(CASES));
    let mut watch = |summary: &Summary, new: Option<&Finding>| {
        progress.set(summary.line(start.elapsed().as_secs_f64()));
        let mut record = record();
        if record.is_closed {
            return false;
        }
        record.summary.clone_from(summary);
        new.into_iter().for_each(|finding| record.keep(finding));
        !stop() && end.is_none_or(|end| Instant::now() < end)
    };
    let summary =
        ::fuzz::campaign::run(Settings { seed, cases, profile }, &Isl::new(), &mut *check, &mut watch);
    let is_whole = cases.is_some_and(|cases| summary.cases >= cases);
    record().summary = summary;
    let is_late = progress.deadline().is_some_and(|deadline| Instant::now() >= deadline);
    let cut_short = match (is_whole, stop(), is_late) {
        (false, true, _) => Some("interrupted"),
        (false, false, true) => Some("the time limit is over"),
        _ => None,
    };
    Ok(record().said(cut_short))
}

/// What a run has to say, so far or at its end.
struct Record {
    summary: Summary,
    folder: PathBuf,
    is_json: bool,
    start: Instant,
    /// Why findings could not be written, and their texts: nothing is lost.
    unwritten: String,
    /// Whether it has been said: what comes later, from processes that were stopped, is nothing.
    is_closed: bool,
}

impl Record {
    fn new(args: &FuzzArgs, start: Instant) -> Record {
        let (summary, folder) = (Summary::default(), args.out.clone());
        Record { summary, folder, is_json: args.json, start, unwritten: String::new(), is_closed: false }
    }

    /// Writes a finding.
    fn keep(&mut self, finding: &Finding) {
        if let Err(failure) = written(&self.folder, finding) {
            if self.unwritten.is_empty() {
                self.unwritten.push_str(&Outcome::from(failure).stderr);
            }
            self.unwritten.push_str(&format!("{finding}\n"));
        }
    }

    /// For a run that does not end in time: what is being made smaller is not lost.
    fn close(&mut self) {
        self.is_closed = true;
        if let Some(finding) = self.summary.pending.take() {
            self.keep(&finding);
            self.summary.findings.entry(finding.shape()).or_insert((*finding, 1));
        }
    }

    /// The summary, and what could not be written. If nothing was found by a run that did not end by itself it is undecided.
    fn said(&self, cut_short: Option<&str>) -> Outcome {
        let seconds = self.start.elapsed().as_secs_f64();
        let stdout = match self.is_json {
            true => json_text(&json(&self.summary, &self.folder, seconds)),
            false => text(&self.summary, &self.folder, seconds),
        };
        let mut outcome = Outcome::new(exit(&self.summary), stdout);
        if let Some(why) = cut_short.filter(|_| self.summary.findings.is_empty()) {
            let report = Report::new(Code::L0003, format!("{why} before all cases were run"));
            outcome.exit = Exit::Undecided;
            outcome.stderr = Outcome::from(Failure::undecided(report)).stderr;
        }
        outcome.stderr.push_str(&self.unwritten);
        outcome
    }
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
    let compared = summary.elements.agree > 0;
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
    let judged: Vec<String> =
        summary.judged.iter().map(|(check, count)| format!("{count} by {check}")).collect();
    text.push_str(&format!(
        "judged: {}\n",
        if judged.is_empty() { "none".to_owned() } else { judged.join(", ") }
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
        "judged": summary.judged,
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
