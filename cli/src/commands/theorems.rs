//! `selfsame theorems`: checks the published claims against the ledger.

use crate::diagnostics::{CommandCode, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::files::make_folder;
use crate::limits::Progress;
use crate::output::json_text;
use base::diagnostics::did_you_mean;
use clap::Args;
use languages::claims;
use proofs_tests::evidence::{Evidence, Violation};
use proofs_tests::ledger::{Depth, Entry, changes, ledger};
use proofs_tests::report::page;
use selfsame::text::sided_counterexample_text;
use serde_json::Value;
use std::path::PathBuf;

/// Arguments of `theorems`. What is random is the same for every `--seed`, so that the verdicts can be checked in.
#[derive(Debug, Args)]
pub struct TheoremsArgs {
    /// Check only the claim with this identifier, such as rink/theorem-3, and its parts
    #[arg(long, value_name = "ID")]
    pub only: Option<String>,
    /// Check over a million programs, which takes minutes, instead of some thousands
    #[arg(long)]
    pub full: bool,
    /// Write the ledger as a page, DIR/index.html
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Checks the claims and compares the verdicts with the recorded ledger.
///
/// # Errors
/// No claim has the given identifier, or the report folder cannot be created.
pub fn execute(args: &TheoremsArgs, progress: &Progress) -> Result<Outcome, Failure> {
    let depth = if args.full { Depth::Full } else { Depth::Quick };
    let entries = ledger(depth, args.only.as_deref(), &|done| progress.set(done));
    if entries.is_empty() {
        return Err(Failure::fault(no_claim(args.only.as_deref().unwrap_or_default())));
    }
    let changes = changes(&entries);
    let exit = if changes.is_empty() { Exit::Yes } else { Exit::No };
    let stdout = match args.json {
        true => json_text(&entries.iter().map(Entry::to_json).collect::<Vec<Value>>()),
        false => entries.iter().map(text).collect(),
    };
    let mut outcome = Outcome::new(exit, stdout);
    outcome.stderr =
        changes.iter().map(|change| format!("verdict differs from the ledger: {change}\n")).collect();
    if let Some(folder) = &args.report {
        make_folder(folder)?;
        outcome.files.push((folder.join("index.html"), page(&entries).into_bytes()));
    }
    Ok(outcome)
}

fn no_claim(id: &str) -> Report {
    let similar: Vec<&str> = claims::all().map(|claim| claim.id).filter(|known| known.contains(id)).collect();
    let known: Vec<&str> = claims::all().map(|claim| claim.id).collect();
    let hint = match similar[..] {
        [] => did_you_mean(id, known.iter().copied())
            .unwrap_or_else(|| format!("the claims are {}", known.join(", "))),
        _ => format!("did you mean {}?", similar.join(" or ")),
    };
    Report::new(CommandCode::U0001, format!("there is no claim `{id}`")).hint(hint)
}

fn text(entry: &Entry) -> String {
    let mut text = format!("{:9} {} ({})\n", entry.verdict().word(), entry.claim.id, entry.claim.source);
    text.push_str(&format!("          {}\n", entry.claim.statement));
    let means = |evidence: &[Evidence]| -> String {
        evidence.iter().map(|evidence| format!("          - {}\n", evidence.describe())).collect()
    };
    text.push_str(&means(&entry.evidence));
    if let Some(violation) = entry.violation() {
        text.push_str(&indent(&violation_text(violation)));
    }
    for repair in &entry.repairs {
        let verdict = repair.verdict().word();
        text.push_str(&format!("          repair ({verdict}): {}\n", repair.statement));
        text.push_str(&means(&repair.evidence));
    }
    text
}

fn violation_text(violation: &Violation) -> String {
    let program = violation.program.lines().map(|line| format!("  {line}\n")).collect::<String>();
    let counterexample = violation.counterexample.as_ref().map_or_else(
        || format!("counterexample:\n{program}"),
        |counterexample| {
            let text = sided_counterexample_text(counterexample, ["on the left", "on the right"]);
            let (heading, store) = text.split_once('\n').unwrap_or((&text, ""));
            format!("{heading}\n{program}{store}")
        },
    );
    format!("{counterexample}  ({})\n", violation.says)
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("          {line}\n")).collect()
}
