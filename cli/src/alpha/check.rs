//! `selfsame check FILE.alpha`: parses, types and checks a system.

use super::loading::LoadedSystem;
use crate::commands::check::{CheckArgs, CheckResults};
use crate::diagnostics::{NamedSource, Report};
use crate::exit::Failure;
use crate::limits::Progress;
use alpha::printing::print_domain;
use alpha::syntax::{System, Variable};
use serde_json::{Value, json};

/// Parses, types and checks a system.
///
/// # Errors
/// The system is ill-formed, or the checks run out of budget.
pub fn check(args: &CheckArgs, progress: &Progress) -> Result<CheckResults, Failure> {
    if args.analyze {
        return Err(LoadedSystem::only_rink("--analyze"));
    }
    let loaded = LoadedSystem::load(&args.source, progress)?;
    let parameters = loaded.parameters(&args.parameters)?;
    let parameters = parameters.filter(|values| !values.is_empty());
    let checked = loaded.checked(parameters.as_deref(), progress)?;
    let warnings: Vec<Report> = checked.findings.into_iter().map(Report::from).collect();
    Ok(well_formed(loaded.source, &loaded.system, warnings))
}

/// The results for a well-formed system: the types of its variables, and the warnings.
pub fn well_formed(source: NamedSource, system: &System, warnings: Vec<Report>) -> CheckResults {
    let declared = |variable: &Variable| (variable.name.to_string(), Value::from(declared(system, variable)));
    let types: Value = Value::Object(system.variables.iter().map(declared).collect());
    let json = json!({"ok": true, "types": types});
    CheckResults { source, json, text: types_text(system), warnings, notes: Vec::new() }
}

/// `{ i | i>=1 } of integer`
fn declared(system: &System, variable: &Variable) -> String {
    let data_type = variable.data_type.keyword();
    variable.domain.map_or(data_type.to_owned(), |d| format!("{} of {data_type}", print_domain(system, d)))
}

fn types_text(system: &System) -> String {
    let line = |variable: &Variable| {
        format!("{} : {} {}\n", variable.name, declared(system, variable), variable.kind.word())
    };
    system.variables.iter().map(line).collect()
}
