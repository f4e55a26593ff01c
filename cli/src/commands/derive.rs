//! `selfsame derive FILE` prints a derivation tree; `selfsame derive --check T.json` checks one rule by rule.

use crate::alpha;
use crate::comprehensions::check_document;
use crate::diagnostics::{CommandCode, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::program::{Named, RankArgs, SourceArgs};
use crate::input::{read_file, utf8};
use crate::languages::commands;
use crate::limits::{MAX_INPUT_BYTES, Progress};
use crate::setup::EvaluationArgs;
use base::escaping::in_line;
use clap::{Args, ValueEnum};
use rink::derivation::DEFAULT_BUDGET;
use rink::derivation::checker::{DerivationFault, WrongStep, check_json};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Arguments of `derive`.
#[derive(Debug, Args)]
pub struct DeriveArgs {
    /// The program; its extension determines the language
    #[arg(value_name = "FILE", required_unless_present = "check", conflicts_with = "check")]
    pub file: Option<PathBuf>,
    /// The language; overrides the file extension
    #[arg(long)]
    pub language: Option<Named>,
    /// Check a derivation (JSON) from its tree alone, instead of building one
    #[arg(long, value_name = "T.json")]
    pub check: Option<PathBuf>,
    /// What to derive
    #[arg(long, value_enum, default_value_t)]
    pub of: DerivedJudgement,
    /// How to write the tree
    #[arg(long, value_enum, default_value_t)]
    pub format: DerivationFormat,
    /// The maximum number of nodes of the tree (exit code 3 beyond it)
    #[arg(long, value_name = "N", default_value_t = DEFAULT_BUDGET)]
    pub budget: u64,
    /// How the program is evaluated.
    #[command(flatten)]
    pub evaluation: EvaluationArgs,
}

/// What is derived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DerivedJudgement {
    /// decl* stmt* ok
    #[default]
    Typing,
    /// decl* stmt* ⇓ μ′
    Evaluation,
}

/// How a tree is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DerivationFormat {
    /// Indented text
    #[default]
    Text,
    /// JSON, which `--check` reads for programs of the tensor model language and Tensor Comprehensions
    Json,
    /// A LaTeX document
    Latex,
}

/// Builds or checks a derivation.
///
/// # Errors
/// The program, its input or the document is at fault, or the tree is larger than the budget.
pub fn execute(args: &DeriveArgs, progress: &Progress) -> Result<Outcome, Failure> {
    match (&args.check, &args.file) {
        (Some(path), _) => check(path),
        (None, Some(_))
            if args.of == DerivedJudgement::Typing
                && (args.evaluation.pad.is_some() || !args.evaluation.input.is_empty()) =>
        {
            Err(Failure::fault(Report::new(
                CommandCode::U0001,
                "`--input` and `--pad` need `--of evaluation`",
            )))
        }
        (None, Some(file)) => derive(args, file, progress),
        (None, None) => {
            Err(Failure::fault(Report::new(CommandCode::U0001, "a program or `--check` is required")))
        }
    }
}

fn derive(args: &DeriveArgs, file: &Path, progress: &Progress) -> Result<Outcome, Failure> {
    let source = SourceArgs { file: file.to_owned(), language: args.language, ranks: RankArgs::default() };
    commands(source.language()?).derive(args, &source, progress)
}

/// What a document says of itself; the rest of it is skipped, however deeply it nests.
#[derive(Deserialize)]
struct Header {
    language: Option<String>,
}

/// The language that a document names.
fn language_of(text: &str) -> Option<String> {
    serde_json::from_str::<Header>(text).ok()?.language
}

fn check(path: &Path) -> Result<Outcome, Failure> {
    let too_large =
        || Failure::fault(Report::new(CommandCode::I0002, format!("more than {MAX_INPUT_BYTES} bytes")));
    let text = utf8(path, read_file(path, MAX_INPUT_BYTES, too_large)?)?;
    let language = language_of(&text);
    if language.as_deref() == Some(tc::derivation::LANGUAGE) {
        return check_comprehension(path, &text);
    }
    let faults = check_json(&text).map_err(|error| match language.as_deref() {
        Some(alpha::derive::LANGUAGE) => {
            let message = "checking derivations of ALPHA again is not supported yet";
            Failure::undecided(Report::new(CommandCode::L0004, message).in_file(path, None))
        }
        _ => Failure::fault(Report::new(CommandCode::I0019, error.to_string()).in_file(path, None)),
    })?;
    if faults.is_empty() {
        return Ok(Outcome::new(Exit::Yes, "every step follows\n"));
    }
    let unknown = |fault: &DerivationFault| matches!(fault.reason, WrongStep::UnknownValues(_));
    if let Some(fault) = faults.iter().find(|fault| unknown(fault)) {
        return Err(Failure::undecided(
            Report::new(CommandCode::L0007, fault.to_string()).in_file(path, None),
        ));
    }
    Ok(Outcome::new(Exit::No, lines(&faults)))
}

fn lines(faults: &[impl ToString]) -> String {
    faults.iter().map(|fault| format!("{}\n", in_line(&fault.to_string()))).collect()
}

fn check_comprehension(path: &Path, text: &str) -> Result<Outcome, Failure> {
    let malformed = |error: String| Report::new(CommandCode::I0019, error).in_file(path, None);
    let faults = check_document(text).map_err(|error| Failure::fault(malformed(error.to_string())))??;
    let is_open = |reason: &tc::derivation::checker::WrongStep| {
        matches!(reason, tc::derivation::checker::WrongStep::Undecided(_))
    };
    match &faults[..] {
        [] => Ok(Outcome::new(Exit::Yes, "every step follows\n")),
        [first, ..] if faults.iter().all(|fault| is_open(&fault.reason)) => {
            let report = Report::new(CommandCode::L0007, first.to_string());
            Err(Failure::undecided(report.in_file(path, None)))
        }
        some => Ok(Outcome::new(Exit::No, lines(some))),
    }
}
