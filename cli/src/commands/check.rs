//! `selfsame check FILE`: parse and type.

use crate::diagnostics::positions;
use crate::exit::{Exit, Failure, Outcome};
use crate::input::program::{Loaded, SourceArgs, load_program};
use crate::limits::Progress;
use crate::output::json_text;
use clap::Args;
use semantics::tensor_model::typing::TensorType;
use serde_json::{Value, json};

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The program.
    #[command(flatten)]
    pub source: SourceArgs,
    /// One JSON document on standard output
    #[arg(long)]
    pub json: bool,
}

/// Parses and types a program.
///
/// # Errors
/// The program is ill-formed or cannot be read, and JSON was not asked for.
pub fn execute(args: &CheckArgs, progress: &Progress) -> Result<Outcome, Failure> {
    match load_program(&args.source, progress) {
        Ok(loaded) if args.json => Ok(Outcome::new(Exit::Yes, json_text(&types_json(&loaded)))),
        Ok(loaded) => Ok(Outcome::new(Exit::Yes, types_text(&loaded))),
        Err(failure) if args.json => {
            let stdout = json_text(&errors_json(&failure));
            Ok(Outcome { stdout, ..Outcome::from(failure) })
        }
        Err(failure) => Err(failure),
    }
}

/// The declared variables with their types, in order.
fn types(loaded: &Loaded) -> impl Iterator<Item = (&str, &str, &TensorType)> {
    let Loaded { program, typing, .. } = loaded;
    program.declarations.iter().filter_map(|declaration| {
        let t = typing.variable(declaration.name)?;
        Some((declaration.qualifier.keyword(), program.name(declaration.name), t))
    })
}

fn types_json(loaded: &Loaded) -> Value {
    let types = types(loaded).map(|(_, name, t)| (name.to_owned(), json!(t.0)));
    json!({"ok": true, "types": Value::Object(types.collect())})
}

fn types_text(loaded: &Loaded) -> String {
    let line = |(keyword, name, t)| match keyword {
        "" => format!("{name} : {t}\n"),
        _ => format!("{name} : {t} {keyword}\n"),
    };
    types(loaded).map(line).collect()
}

fn errors_json(failure: &Failure) -> Value {
    let places = positions(failure.source.as_deref(), &failure.reports);
    let error = |(report, position): (&crate::diagnostics::Report, crate::diagnostics::Position)| {
        json!({
            "code": report.code, "line": position.line, "column": position.column, "message": report.message,
        })
    };
    let errors: Vec<Value> = failure.reports.iter().zip(places).map(error).collect();
    json!({"ok": false, "errors": errors})
}
