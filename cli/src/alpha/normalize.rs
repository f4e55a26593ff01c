//! `selfsame normalize FILE.alpha`: changes bases, and prints the normal form.

use super::loading::LoadedSystem;
use super::transformation::{compared, system};
use crate::commands::normalize::NormalizeArgs;
use crate::diagnostics::{CommandCode, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::limits::Progress;
use crate::output::json_text;
use crate::rules::certificate_text;
use alpha::printing::{Notation, print};
use alpha::syntax::{VariableId, VariableRole};
use languages::Language;
use link::certificate::CertificateSubject;
use polyhedra::AffineMap;
use polyhedra_isl::Isl;
use rewrites::normalization::basis::changed;
use rewrites::normalization::{NotNormalized, normalized};
use rewrites::programs::ComparedPrograms;
use selfsame_core::relation::Relation;
use serde_json::json;
use values::{Division, System as NumberSystem};

/// Prints the system in normal form, proved equivalent to the original.
///
/// # Errors
/// The program is at fault or has no normal form within the limits, or equivalence could not be proved.
pub fn execute(args: &NormalizeArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    let mut current = LoadedSystem::load(&args.source, progress)?;
    current.checked(None, progress)?;
    let source = system(&current.source.name, &current.source.text);
    for (name, map) in &args.bases {
        current = in_basis(&current, name, map, progress)?;
    }
    let text = normal_form(&current, progress)?;
    let found = compared(
        source,
        &[system("in normal form", &text)],
        (Division::System, NumberSystem::default()),
        seed,
        progress,
    )?;
    let Some(found) = found.filter(is_same) else {
        let message = "the normal form is not proved to be the same program";
        return Err(Failure::undecided(Report::new(CommandCode::L0014, message)));
    };
    let stdout = match args.json {
        true => json_text(&json!({"program": text, "laws": found.verdict.laws})),
        false => text,
    };
    let mut outcome = Outcome::new(Exit::Yes, stdout);
    if let Some(path) = &args.certificate
        && let Some(certificate) =
            found.verdict.certificate(CertificateSubject::Programs(found.chain.clone()))
    {
        outcome.files.push((path.clone(), certificate_text(path, &certificate)?));
    }
    Ok(outcome)
}

/// Whether both systems are equivalent for all inputs, in every number system in which they have a meaning.
fn is_same(compared: &ComparedPrograms) -> bool {
    let answers = &compared.verdict.answers;
    !answers.is_empty() && answers.iter().all(|answer| answer.relations.any == Relation::Equivalent)
}

fn in_basis(
    system: &LoadedSystem,
    name: &str,
    map: &str,
    progress: &Progress,
) -> Result<LoadedSystem, Failure> {
    let fault = |message: String| Failure::fault(Report::new(CommandCode::U0001, message));
    let is_local = |x: &VariableId| system.system.variable(*x).kind == VariableRole::Local;
    let x = system.system.find(name).filter(is_local);
    let x = x.ok_or_else(|| fault(format!("there is no local variable `{name}`")))?;
    let not_a_map =
        || fault(format!("`{map}` is not a map of the indices of `{name}`, such as `t,i -> t,i+t`"));
    let (from, to) = map.split_once("->").ok_or_else(not_a_map)?;
    let parameters = system.system.parameters.join(", ");
    let text = format!("[{parameters}] -> {{ [{}] -> [{}] }}", from.trim(), to.trim());
    let map: AffineMap = text.parse().map_err(|_| not_a_map())?;
    if map.space.rank() != system.system.variable_rank(x) {
        return Err(not_a_map());
    }
    let checked = system.checked(None, progress)?;
    match changed(&system.system, &checked.domains, x, &map, &Isl::with_memory()) {
        Ok(Some(changed)) => LoadedSystem::of_core(system.source.clone(), changed, Language::Alpha),
        _ => Err(fault(format!("the map of the indices of `{name}` has no inverse"))),
    }
}

fn normal_form(system: &LoadedSystem, progress: &Progress) -> Result<String, Failure> {
    let checked = system.checked(None, progress)?;
    match normalized(&system.system, &system.typing, &checked.domains, &Isl::with_memory()) {
        Ok(normal) => Ok(print(&normal, Notation::Functional)),
        Err(NotNormalized::Undecided(undecided)) => Err(system.undecided(&undecided)),
        Err(NotNormalized::TooLarge(span)) => {
            let report = Report::new(CommandCode::L0006, "the normal form of this has too many branches");
            Err(Failure::undecided(report.at(span, "of this")).in_source(&system.source))
        }
    }
}
