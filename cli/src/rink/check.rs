//! `selfsame check FILE.rink`: parses and types a program, and runs the analyses.

use super::loading::{Loaded, load_program, load_symbolic};
use super::notes::{notes, warnings};
use crate::commands::check::{CheckArgs, CheckResults};
use crate::diagnostics::Report;
use crate::exit::Failure;
use crate::limits::Progress;
use rink::analysis::reaching::ReachingDefinitions;
use rink::tensor_type::TensorType;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Display;

/// Checks a program, for all sizes unless values are given. `--analyze` needs all sizes: whether a statement may
/// be evaluated in place depends on them.
///
/// # Errors
/// The program is ill-formed or cannot be read, or a size is missing.
pub fn check(args: &CheckArgs, progress: &Progress) -> Result<CheckResults, Failure> {
    if args.parameters.given.is_empty() && !args.analyze {
        return load_symbolic(&args.source, progress).map(|loaded| well_formed(loaded, |_, _| Vec::new()));
    }
    let loaded = load_program(&args.source, &args.parameters, progress)?;
    let analyze =
        |loaded: &Loaded, reaching: &_| if args.analyze { notes(loaded, reaching) } else { Vec::new() };
    Ok(well_formed(loaded, analyze))
}

/// Collects the types and the results of the analyses: warnings, and notes with `--analyze`.
fn well_formed<E: Display + Serialize>(
    loaded: Loaded<E>,
    notes: impl FnOnce(&Loaded<E>, &ReachingDefinitions) -> Vec<Report>,
) -> CheckResults {
    let reaching = ReachingDefinitions::new(&loaded.program);
    let warnings = warnings(&loaded.program, &reaching);
    let notes = notes(&loaded, &reaching);
    let (json, text) = (types_json(&loaded), types_text(&loaded));
    CheckResults { source: loaded.source, json, text, warnings, notes }
}

/// The qualifier, name and type of each declared variable, in order of declaration.
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
