//! `selfsame verify PATH…`: is every rule sound?

use crate::diagnostics::{CommandCode, Report, render};
use crate::exit::{Exit, Failure, Outcome};
use crate::files::{make_folder, require_folder, require_writable};
use crate::limits::Progress;
use crate::output::json_text;
use crate::rules::certificate_text;
use crate::rules::counts::RuleCounts;
use crate::rules::files::{RuleFile, load_readable};
use crate::rules::page::page;
use crate::rules::rows::{RuleFinding, RuleRow, faults_json, rows, unreadable_json};
use crate::rules::table::text;
use crate::standing::report;
use crate::systems::{SystemArgs, system};
use base::diagnostics::{Fault, counted};
use clap::Args;
use rewrites::verification::Options;
use rule_files::syntax::Rule;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use values::SystemName;

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Rule files, and folders of them
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Write a certificate of what is proved of each rule, DIR/FILE/RULE.json, where FILE is the given path without its extension
    #[arg(long, value_name = "DIR")]
    pub certificates: Option<PathBuf>,
    /// Write the table with its counterexamples as a page, DIR/index.html
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Verify in one number system only
    #[arg(long, value_name = "DOMAIN", value_parser = system())]
    pub values: Option<SystemName>,
    /// The back end.
    #[command(flatten)]
    pub system: SystemArgs,
    /// Report for each rule what it assumes of the sizes, which laws its proof uses, and the reason or the counterexample for each ?, ⊑ and ≠
    #[arg(long, conflicts_with = "json")]
    pub explain: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Verifies every rule of the given files and folders.
///
/// # Errors
/// A file cannot be read, a destination cannot be written, or the files contain no rule.
pub fn execute(args: &VerifyArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    let system = args.system.read()?;
    let (files, mut unreadable) = load_readable(&args.paths, &system)?;
    if files.is_empty() {
        return Err(unreadable.remove(0).1);
    }
    if let Some(folder) = &args.certificates {
        require_certificates(folder, &files)?;
    }
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options { seed, systems: args.values.map(SystemName::alone), ..Options::default() };
    let rows = rows(&files, &options, workers, progress);
    let faults: String = files.iter().map(|file| faults(file, &rows)).collect();
    let unread = unreadable.iter().map(|(_, failure)| render(failure.source.as_deref(), &failure.reports));
    let mut stderr = unread.collect::<String>() + &faults;
    if rows.is_empty() && stderr.is_empty() {
        return Err(Failure::fault(Report::new(CommandCode::U0001, "there is no rule in the files")));
    }
    let verified = rows.iter().any(|row| row.fault().is_none());
    let exit = match (faults.is_empty(), only_limits(&files, &rows)) {
        (true, _) if verified => exit(RuleCounts::new(&rows)),
        (false, true) => exit(RuleCounts { ill_formed: 0, unfinished: 1, ..RuleCounts::new(&rows) }),
        _ => Exit::Fault,
    };
    let exit = if unreadable.is_empty() { exit } else { Exit::Fault };
    stderr.push_str(&unfinished(&rows));
    stderr.push_str(&crashed(&rows));
    let stdout = match args.json {
        true => {
            let of_files = files.iter().flat_map(|file| faults_json(file));
            let unread = unreadable.iter().map(|(path, failure)| unreadable_json(path, failure));
            json_text(
                &unread.chain(of_files).chain(rows.iter().map(RuleRow::to_json)).collect::<Vec<Value>>(),
            )
        }
        false if verified => text(&rows, (&system, args.values), args.explain),
        false => String::new(),
    };
    let mut outcome = Outcome { stderr, ..Outcome::new(exit, stdout) };
    rows.iter().for_each(|row| report(&row.standing, &mut outcome));
    if let Some(folder) = &args.certificates {
        certificates(folder, &rows, &mut outcome)?;
    }
    if let Some(folder) = &args.report {
        make_folder(folder)?;
        outcome.files.push((folder.join("index.html"), page(&rows, (&system, args.values)).into_bytes()));
    }
    Ok(outcome)
}

/// Whether exceeded limits are the only faults of the files and rules.
fn only_limits(files: &[Arc<RuleFile>], rows: &[RuleRow]) -> bool {
    let of_files = files.iter().flat_map(|file| &file.errors);
    let mut all = of_files.chain(rows.iter().filter_map(RuleRow::fault).map(|fault| &**fault));
    all.all(|diagnostic| diagnostic.code.fault() == Fault::Limit)
}

fn exit(counts: RuleCounts) -> Exit {
    match counts {
        RuleCounts { ill_formed: 1.., .. } => Exit::Fault,
        RuleCounts { unexpected: 1.., .. } => Exit::No,
        RuleCounts { unknown: 0, vacuous: 0, unfinished: 0, crashed: 0, .. } => Exit::Yes,
        _ => Exit::Undecided,
    }
}

fn unfinished(rows: &[RuleRow]) -> String {
    let Some(why) = rows.iter().find_map(|row| match row.finding {
        RuleFinding::Unfinished(why) => Some(why),
        _ => None,
    }) else {
        return String::new();
    };
    let count = RuleCounts::new(rows).unfinished;
    let message = format!("{count} of {} not verified: {why}", counted(rows.len(), "rule"));
    render(None, &[Report::new(CommandCode::L0003, message)])
}

/// Reports the first crash of this program; the table lists all of them.
fn crashed(rows: &[RuleRow]) -> String {
    let first = rows.iter().find_map(|row| match &row.finding {
        RuleFinding::Crashed(crash) => Some(Report::from(crash)),
        _ => None,
    });
    first.map(|report| render(None, &[report])).unwrap_or_default()
}

/// The path to which the certificate of a rule is written.
fn certificate_path(folder: &Path, file: &RuleFile, rule: &Rule) -> PathBuf {
    folder.join(&file.folder).join(format!("{}.json", rule.name.text))
}

/// Requires that every certificate has a writable file of its own; called before the rules are verified.
fn require_certificates(folder: &Path, files: &[Arc<RuleFile>]) -> Result<(), Failure> {
    let mut known = BTreeSet::new();
    for file in files {
        let of_file = folder.join(&file.folder);
        require_folder(&of_file)?;
        for rule in file.library.rules() {
            let path = certificate_path(folder, file, rule);
            if std::fs::symlink_metadata(&path).is_ok() {
                require_writable(&path)?;
            }
            if !known.insert(path) {
                let message = "two files of rules would write their certificates to this folder";
                return Err(Failure::fault(Report::new(CommandCode::I0017, message).in_file(&of_file, None)));
            }
        }
    }
    Ok(())
}

/// Writes a certificate for each rule with a proof; removes that of an earlier run if there is no proof now.
fn certificates(folder: &Path, rows: &[RuleRow], outcome: &mut Outcome) -> Result<(), Failure> {
    make_folder(folder)?;
    for row in rows.iter().filter(|row| row.conformance().is_some()) {
        let path = certificate_path(folder, &row.file, row.rule());
        // A certificate contains the texts of the rule's files, and a file with faults cannot be read again.
        match row.certificate().filter(|_| row.file.errors.is_empty()) {
            None => outcome.stale.push(path),
            Some(certificate) => {
                make_folder(&folder.join(&row.file.folder))?;
                let text = certificate_text(&path, &certificate)?;
                outcome.files.push((path, text));
            }
        }
    }
    Ok(())
}

/// Renders all faults of a file and its rules.
fn faults(file: &Arc<RuleFile>, rows: &[RuleRow]) -> String {
    let of_rules = rows.iter().filter(|row| Arc::ptr_eq(&row.file, file));
    let of_rules = of_rules.filter_map(|row| row.fault().map(|fault| (**fault).clone()));
    let reports: Vec<Report> = file.errors.iter().cloned().chain(of_rules).map(Report::from).collect();
    if reports.is_empty() { String::new() } else { render(Some(&file.source), &reports) }
}
