//! A run of random cases, and its summary.

use super::target::{SELF, check};
use super::{FuzzArgs, add, finding_json};
use crate::diagnostics::{CommandCode, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::files::{cannot_write, make_folder, write_file};
use crate::input::parameters::known_sizes;
use crate::input::program::{RankArgs, SourceArgs, well_formed_at};
use crate::limits::Progress;
use crate::output::json_text;
use ::fuzz::campaign::{Settings, Summary};
use ::fuzz::finding::Finding;
use ::fuzz::judgement::DifferenceKind;
use ::fuzz::subjects::Subject;
use base::escaping::{in_line, in_lines, path as shown};
use polyhedra_isl::Isl;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The number of cases if neither `--cases` nor `--seconds` is given: half a minute, 34 s (2026-11-27, a debug
/// build).
const CASES: u64 = 10_000;
/// The reason given for a run that Ctrl-C cuts short.
const INTERRUPTED: &str = "interrupted";
/// The maximum number of findings shown as text: they fit on a screen. The files and the JSON have all of them.
const SHOWN: usize = 10;

/// Runs cases and writes the findings.
///
/// # Errors
/// The target does not exist or cannot be used.
pub fn run(args: &FuzzArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    let (mut check, profile) = check(args, args.target.as_deref().unwrap_or(SELF))?;
    let program = args.program.as_deref().map(|path| program(args, path, progress)).transpose()?;
    let start = Instant::now();
    let shared = Arc::new(Mutex::new(Record::new(args, seed, start)));
    let record = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let of = shared.clone();
    let stop = progress.stops_itself(Box::new(move || {
        let mut record = of.lock().unwrap_or_else(PoisonError::into_inner);
        record.close();
        record.said(Some(INTERRUPTED))
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
    let settings = Settings { seed, cases, profile, program: program.as_ref() };
    let summary = ::fuzz::campaign::run(settings, &Isl::with_memory(), &mut *check, &mut watch);
    let is_whole = cases.is_some_and(|cases| summary.cases >= cases);
    record().summary = summary;
    let is_late = progress.deadline().is_some_and(|deadline| Instant::now() >= deadline);
    let cut_short = match (is_whole, stop(), is_late) {
        (false, true, _) => Some(INTERRUPTED),
        (false, false, true) => Some("the time limit was reached"),
        _ => None,
    };
    Ok(record().said(cut_short))
}

/// The program of `--program`, at the sizes of `--param`.
fn program(args: &FuzzArgs, path: &Path, progress: &Progress) -> Result<Subject, Failure> {
    let (read, source) =
        SourceArgs { file: path.to_owned(), language: None, ranks: RankArgs::default() }.program(progress)?;
    let sizes = known_sizes(&[&read], &args.parameters)?;
    if let Some(missing) = read.program().parameters().into_iter().find(|name| !sizes.contains_key(name)) {
        let hint = format!("give one, such as `--param {missing}=4`");
        let report = Report::new(CommandCode::I0020, format!("the parameter `{missing}` has no value"));
        return Err(Failure::fault(report.in_file(path, None).hint(hint)));
    }
    well_formed_at(&read, &source, &sizes, path)?;
    Subject::at(&read, &sizes)
        .map_err(|why| Failure::fault(Report::new(CommandCode::I0020, why).in_file(path, None)))
}

/// The results of a run, so far or at its end.
struct Record {
    summary: Summary,
    folder: PathBuf,
    is_json: bool,
    seed: u64,
    start: Instant,
    /// The files of the findings, by the shape of the finding.
    files: BTreeMap<String, PathBuf>,
    /// The first error of writing a finding, and the texts of all findings that could not be written.
    unwritten: String,
    /// Whether the results are already reported; later ones, from stopped processes, are ignored.
    is_closed: bool,
}

impl Record {
    fn new(args: &FuzzArgs, seed: u64, start: Instant) -> Record {
        Record {
            summary: Summary::default(),
            folder: args.out.clone(),
            is_json: args.json,
            seed,
            start,
            files: BTreeMap::new(),
            unwritten: String::new(),
            is_closed: false,
        }
    }

    /// Writes a finding to a file, or keeps its text if that fails.
    fn keep(&mut self, finding: &Finding) {
        match written(&self.folder, finding) {
            Ok(path) => {
                self.files.insert(finding.shape(), path);
            }
            Err(failure) => {
                if self.unwritten.is_empty() {
                    self.unwritten.push_str(&Outcome::from(failure).stderr);
                }
                self.unwritten.push_str(&format!("{}\n", in_lines(&finding.to_string())));
            }
        }
    }

    /// Closes a run that did not end in time; keeps the finding that is being made smaller.
    fn close(&mut self) {
        self.is_closed = true;
        if let Some(finding) = self.summary.pending.take() {
            self.keep(&finding);
            self.summary.findings.entry(finding.shape()).or_insert((*finding, 1));
        }
    }

    /// The summary and the unwritten findings. A run that was cut short and found nothing is undecided.
    fn said(&self, cut_short: Option<&str>) -> Outcome {
        let seconds = self.start.elapsed().as_secs_f64();
        let stdout = match self.is_json {
            true => json_text(&self.json(seconds, cut_short.is_none())),
            false => self.text(seconds),
        };
        let mut outcome = Outcome::new(exit(&self.summary), stdout);
        // Findings are an answer even after the time limit; after Ctrl-C the session sets the exit code.
        let cut_short = cut_short.filter(|_| self.summary.findings.is_empty());
        if cut_short == Some(INTERRUPTED) {
            outcome.exit = Exit::Interrupted;
        } else if let Some(why) = cut_short {
            let report = Report::new(CommandCode::L0003, format!("{why} before all cases were run"));
            outcome.exit = Exit::Undecided;
            outcome.stderr = Outcome::from(Failure::undecided(report)).stderr;
        }
        outcome.stderr.push_str(&self.unwritten);
        outcome
    }
}

/// Writes a finding to a new file unless a file has the same text; never overwrites the findings of earlier runs.
fn written(folder: &Path, finding: &Finding) -> Result<PathBuf, Failure> {
    make_folder(folder)?;
    let (name, text) = (finding.file_name(), finding.to_string());
    for number in 1_u32.. {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let path = folder.join(format!("{name}{suffix}.finding"));
        // `create_new` is atomic: another run may choose a name at the same time.
        match std::fs::File::create_new(&path) {
            Ok(_) => {
                return write_file(&path, text.as_bytes()).map(|()| path.clone()).inspect_err(|_| {
                    std::fs::remove_file(&path).ok();
                });
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if is_file_with(&path, &text) {
                    return Ok(path);
                }
            }
            Err(error) => return Err(cannot_write(&path, &error)),
        }
    }
    Err(cannot_write(folder, &ErrorKind::AlreadyExists.into()))
}

/// Whether `path` is a regular file with this text; anything else is not opened.
fn is_file_with(path: &Path, text: &str) -> bool {
    let there = std::fs::symlink_metadata(path);
    there.is_ok_and(|there| there.is_file() && there.len() == text.len() as u64)
        && std::fs::read(path).is_ok_and(|there| there == text.as_bytes())
}

/// `Yes` if elements were compared and nothing was found; `Undecided` if no element was compared.
fn exit(summary: &Summary) -> Exit {
    let compared = summary.elements.agree > 0;
    match (summary.findings.is_empty(), compared) {
        (false, _) => Exit::No,
        (true, true) => Exit::Yes,
        (true, false) => Exit::Undecided,
    }
}

impl Record {
    /// The path of a finding's file.
    fn file(&self, finding: &Finding) -> String {
        self.files.get(&finding.shape()).map_or_else(|| "not written".to_owned(), |path| shown(path))
    }

    fn text(&self, seconds: f64) -> String {
        let Record { summary, folder, .. } = self;
        let tally = summary.elements;
        let compared = (tally.agree + tally.abstain).max(1);
        let share = 100.0 * tally.abstain as f64 / compared as f64;
        let judged: Vec<String> =
            summary.judged.iter().map(|(check, count)| format!("{count} by {}", in_line(check))).collect();
        let mut lines = vec![
            summary.line(seconds),
            format!(
                "elements: {} agree, {} abstain ({share:.1} %), {} undefined in the reference",
                tally.agree, tally.abstain, tally.undefined
            ),
            format!("judged: {}", if judged.is_empty() { "none".to_owned() } else { judged.join(", ") }),
        ];
        let refused = summary.refused.iter();
        lines.extend(refused.map(|(why, count)| format!("not judged, {}: {}", times(*count), in_line(why))));
        for (finding, count) in summary.findings.values().take(SHOWN) {
            let Finding { check, difference, repeats, .. } = finding;
            let how = match repeats {
                Some(true) => "",
                Some(false) => ", not reproduced in a fresh process",
                None => ", not made as small as it could be",
            };
            let said = format!("{check}, {}{how}: {difference}", times(*count));
            lines.push(format!("{}\n  {}", in_line(&said), self.file(finding)));
        }
        if summary.findings.len() > SHOWN {
            lines.push(format!("and {} more in {}", summary.findings.len() - SHOWN, shown(folder)));
        }
        for (kind, hits) in summary.kinds.iter().filter(|(_, hits)| hits.left > 0) {
            lines.push(format!(
                "{kind}, {} more: not made smaller, as all before them were known",
                times(hits.left)
            ));
        }
        let is_crash = |(finding, _): &(Finding, u64)| {
            finding.difference.kind == DifferenceKind::Crash && !finding.implementation.command.is_empty()
        };
        if summary.findings.values().any(is_crash) {
            lines.push("what a command says before it crashes is seen if it ends with `2> FILE`".to_owned());
        }
        lines.join("\n") + "\n"
    }

    fn json(&self, seconds: f64, is_complete: bool) -> Value {
        let summary = &self.summary;
        let findings = summary.findings.values().map(|(finding, count)| {
            let mut json = json!({ "file": self.file(finding), "count": count });
            add(&mut json, finding_json(finding));
            json
        });
        let left: BTreeMap<&String, u64> =
            summary.kinds.iter().map(|(kind, hits)| (kind, hits.left)).collect();
        json!({
            "seed": self.seed,
            "cases": summary.cases,
            "complete": is_complete,
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
            "not_made_smaller": left,
            "seconds": seconds,
            "cases_per_second": summary.cases as f64 / seconds.max(1e-9),
        })
    }
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
