//! `selfsame certify FILE`: does a certificate prove what it says?

use crate::alpha::loading::LoadedSystem;
use crate::diagnostics::{Code, Report, Source};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::{read_file, utf8};
use crate::limits::{MAX_INPUT_BYTES, Progress};
use crate::rules::on_large_stack;
use checker::certificate::{Certificate, Subject, check};
use checker::solver::in_own_context;
use clap::Args;
use semantics::programs::Language;
use std::path::PathBuf;

/// Arguments of `certify`.
#[derive(Debug, Args)]
pub struct CertifyArgs {
    /// The certificate
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Checks a certificate.
///
/// # Errors
/// The file cannot be read, or is no certificate.
pub fn execute(args: &CertifyArgs, progress: &Progress) -> Result<Outcome, Failure> {
    let too_large = || {
        Failure::fault(Report::new(Code::I0002, format!("the file is larger than {MAX_INPUT_BYTES} bytes")))
    };
    let text = utf8(&args.file, read_file(&args.file, MAX_INPUT_BYTES, too_large)?)?;
    let certificate: Certificate = serde_json::from_str(&text).map_err(|error| {
        Failure::fault(
            Report::new(Code::I0019, format!("malformed certificate: {error}")).in_file(&args.file, None),
        )
    })?;
    progress.set(format!("reading the certificate of {}", name(&certificate.subject)));
    well_formed(&certificate.subject, progress)?;
    let checked = on_large_stack(|| in_own_context(|| check(&certificate)));
    Ok(match checked {
        Some(Ok(())) => Outcome::new(Exit::Yes, accepted(&certificate)),
        Some(Err(refusal)) => {
            let exit = if refusal.undecided { Exit::Undecided } else { Exit::No };
            Outcome::new(exit, format!("refused: {}\n", refusal.reason))
        }
        None => {
            return Err(Failure::undecided(Report::new(Code::L0003, "the certificate could not be checked")));
        }
    })
}

/// That the systems of a certificate are well-formed, which the checker takes for granted: a reduction has a term wherever it
/// is evaluated, and no element depends on itself.
fn well_formed(subject: &Subject, progress: &Progress) -> Result<(), Failure> {
    let Subject::Programs(pair) = subject else { return Ok(()) };
    for program in pair.programs.iter().filter(|program| program.language == Language::Alpha) {
        let source = Source { name: program.name.clone(), text: program.text.as_str().into() };
        LoadedSystem::of(source)?.checked_at(&pair.parameters, progress)?;
    }
    Ok(())
}

fn name(subject: &Subject) -> String {
    match subject {
        Subject::Rule { file, rule, .. } => format!("`{rule}` of {file}"),
        Subject::Programs(pair) => {
            let [left, right] = &pair.programs;
            let fixed: String =
                pair.parameters.iter().map(|(name, value)| format!(", {name} = {value}")).collect();
            format!("that {} is {}{fixed}", right.name, left.name)
        }
    }
}

fn accepted(certificate: &Certificate) -> String {
    let mut text = format!("{} holds:\n", name(&certificate.subject));
    for (system, [defined, undefined]) in &certificate.relations {
        text.push_str(&format!("  {system:10} {defined}; where inputs may be undefined: {undefined}\n"));
    }
    text
}
