//! `selfsame check FILE`: parse and type.

use crate::alpha;
use crate::diagnostics::{Position, Report, Severity, Source, positions, render};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::parameters::ParameterArgs;
use crate::input::program::{Language, Loaded, SourceArgs, load_program, load_symbolic};
use crate::limits::Progress;
use crate::notes::{notes, warnings};
use crate::output::json_text;
use clap::Args;
use rink::analysis::reaching::ReachingDefinitions;
use rink::typing::TensorType;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Display;

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The program.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The sizes, where the types at these sizes are asked for.
    #[command(flatten)]
    pub parameters: ParameterArgs,
    /// Say also which expressions are computed more than once, and which statements may be evaluated in place
    #[arg(long)]
    pub analyze: bool,
    /// Treat warnings as errors
    #[arg(long)]
    pub deny_warnings: bool,
    /// One JSON document on standard output
    #[arg(long)]
    pub json: bool,
}

/// Parses and types a program.
///
/// # Errors
/// The program is ill-formed or cannot be read, and JSON was not asked for.
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

/// What is said of a well-formed program.
pub struct Judged {
    /// Its text.
    pub source: Source,
    /// The JSON document.
    pub json: Value,
    /// The text for a person.
    pub text: String,
    /// What is probably a mistake.
    pub warnings: Vec<Report>,
    /// What `--analyze` says beside that.
    pub notes: Vec<Report>,
}

fn judged(args: &CheckArgs, progress: &Progress) -> Result<Outcome, Failure> {
    let Judged { source, mut json, text, warnings, notes } = match args.source.language()? {
        Language::Alpha => alpha::check::judged(args, progress)?,
        _ => rink(args, progress)?,
    };
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

/// Size parameters stay what they are, unless they are given values; what may be evaluated in place depends on sizes.
fn rink(args: &CheckArgs, progress: &Progress) -> Result<Judged, Failure> {
    if args.parameters.given.is_empty() && !args.analyze {
        return load_symbolic(&args.source, progress).map(|loaded| well_formed(loaded, |_, _| Vec::new()));
    }
    let loaded = load_program(&args.source, &args.parameters, progress)?;
    let analyze =
        |loaded: &Loaded, reaching: &_| if args.analyze { notes(loaded, reaching) } else { Vec::new() };
    Ok(well_formed(loaded, analyze))
}

/// The types, and what the analyses say: warnings, and with `--analyze` notes.
fn well_formed<E: Display + Serialize>(
    loaded: Loaded<E>,
    notes: impl FnOnce(&Loaded<E>, &ReachingDefinitions) -> Vec<Report>,
) -> Judged {
    let reaching = ReachingDefinitions::of(&loaded.program);
    let warnings = warnings(&loaded.program, &reaching);
    let notes = notes(&loaded, &reaching);
    let (json, text) = (types_json(&loaded), types_text(&loaded));
    Judged { source: loaded.source, json, text, warnings, notes }
}

/// The declared variables with their types, in order.
fn types<E>(loaded: &Loaded<E>) -> impl Iterator<Item = (&str, &str, &TensorType<E>)> {
    let Loaded { program, typing, .. } = loaded;
    program.declarations.iter().filter_map(|declaration| {
        let t = typing.variable(declaration.name)?;
        Some((declaration.qualifier.keyword(), program.name(declaration.name), t))
    })
}

fn types_json<E: Serialize>(loaded: &Loaded<E>) -> Value {
    let types = types(loaded).map(|(_, name, t)| (name.to_owned(), json!(t.0)));
    json!({"ok": true, "types": Value::Object(types.collect())})
}

fn types_text<E: Display>(loaded: &Loaded<E>) -> String {
    let line = |(keyword, name, t)| match keyword {
        "" => format!("{name} : {t}\n"),
        _ => format!("{name} : {t} {keyword}\n"),
    };
    types(loaded).map(line).collect()
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

/// Reports as JSON.
pub fn reports_json(source: Option<&Source>, reports: &[Report]) -> Value {
    let places = positions(source, reports);
    let report = |(report, position): (&Report, Position)| {
        json!({
            "code": report.code, "line": position.line, "column": position.column, "message": report.message,
        })
    };
    reports.iter().zip(places).map(report).collect()
}
