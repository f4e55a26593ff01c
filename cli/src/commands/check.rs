//! `selfsame check FILE`: parses and types a program.

use crate::diagnostics::{NamedSource, Position, Report, Severity, positions, render};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::parameters::ParameterArgs;
use crate::input::program::SourceArgs;
use crate::languages::commands;
use crate::limits::Progress;
use crate::output::json_text;
use clap::Args;
use serde_json::{Value, json};

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The program.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The sizes, where the types at these sizes are asked for.
    #[command(flatten)]
    pub parameters: ParameterArgs,
    /// Also report expressions that are computed more than once, and statements that may be evaluated in place
    #[arg(long)]
    pub analyze: bool,
    /// Treat warnings as errors
    #[arg(long)]
    pub deny_warnings: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Parses and types a program.
///
/// # Errors
/// The program is ill-formed or cannot be read, and JSON was not requested: JSON lists the errors instead.
pub fn execute(args: &CheckArgs, progress: &Progress) -> Result<Outcome, Failure> {
    match judged(args, progress) {
        Ok(outcome) => Ok(outcome),
        Err(failure) if args.json => {
            let stdout = json_text(&errors_json(&failure));
            Ok(Outcome { stdout, ..Outcome::from(failure) })
        }
        Err(failure) => Err(failure),
    }
}

/// The results of checking a well-formed program.
pub struct CheckResults {
    /// The program's text.
    pub source: NamedSource,
    /// The JSON document.
    pub json: Value,
    /// The human-readable text.
    pub text: String,
    /// Warnings about probable mistakes.
    pub warnings: Vec<Report>,
    /// The additional notes of `--analyze`.
    pub notes: Vec<Report>,
}

fn judged(args: &CheckArgs, progress: &Progress) -> Result<Outcome, Failure> {
    let commands = commands(args.source.language()?);
    let CheckResults { source, mut json, text, warnings, notes } = commands.check(args, progress)?;
    if args.deny_warnings && !warnings.is_empty() {
        let reports = warnings.into_iter().map(|report| report.with_severity(Severity::Error)).collect();
        return Err(
            Failure { exit: Exit::Fault, reports, source: None, files: Vec::new() }.in_source(&source)
        );
    }
    if args.json {
        if !warnings.is_empty() {
            json["warnings"] = reports_json(Some(&source), &warnings);
        }
        if args.analyze {
            json["notes"] = reports_json(Some(&source), &notes);
        }
        return Ok(Outcome::new(Exit::Yes, json_text(&json)));
    }
    let reports = [warnings, notes].concat();
    let stderr = render(Some(&source), &reports);
    Ok(Outcome { stderr, ..Outcome::new(Exit::Yes, text) })
}

fn errors_json(failure: &Failure) -> Value {
    let (warnings, errors): (Vec<Report>, Vec<Report>) =
        failure.reports.iter().cloned().partition(|report| report.severity == Severity::Warning);
    let source = failure.source.as_deref();
    let mut json = json!({"ok": false, "errors": reports_json(source, &errors)});
    if !warnings.is_empty() {
        json["warnings"] = reports_json(source, &warnings);
    }
    json
}

/// Converts reports to JSON, with their positions in the source.
pub fn reports_json(source: Option<&NamedSource>, reports: &[Report]) -> Value {
    let places = positions(source, reports);
    let report = |(report, position): (&Report, Position)| {
        json!({
            "code": report.code, "line": position.line, "column": position.column, "message": report.message,
        })
    };
    reports.iter().zip(places).map(report).collect()
}
