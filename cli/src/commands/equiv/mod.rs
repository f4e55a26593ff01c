//! `selfsame equiv A B`: are two programs equivalent?

use crate::diagnostics::{Code, Report, Source as Text};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::program::{Named, SourceArgs};
use crate::languages::commands;
use crate::limits::Progress;
use crate::verdicts::VerdictArgs;
use clap::Args;
use language::Difference;
use selfsame_core::relation::Relation;
use std::path::{Path, PathBuf};

mod division;
mod prover;

pub use prover::undecided;

/// Arguments of `equiv`.
#[derive(Debug, Args)]
pub struct EquivArgs {
    /// The first program
    #[arg(value_name = "A")]
    pub left: PathBuf,
    /// The second program
    #[arg(value_name = "B")]
    pub right: PathBuf,
    /// The language of both programs; overrides the file extensions
    #[arg(long)]
    pub language: Option<Named>,
    /// Require only that B refines A: equals it wherever A is defined
    #[arg(long)]
    pub refines: bool,
    /// Write a certificate of what is proved; takes the prover where elements would be compared one by one
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Compare systems only for parameters that satisfy a condition, such as `N>=1` (ALPHA)
    #[arg(long = "where", value_name = "CONDITION")]
    pub condition: Option<String>,
    /// Also compare local variables that both systems define under one name (ALPHA)
    #[arg(long)]
    pub locals: bool,
    /// What is asked.
    #[command(flatten)]
    pub verdict: VerdictArgs,
}

/// Compares two programs in every number system: by elements if all sizes are known, otherwise by the prover.
///
/// # Errors
/// A program is at fault, they declare different variables, or a tensor is too large.
pub fn execute(args: &EquivArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    let languages = [args.source(&args.left).language()?, args.source(&args.right).language()?];
    let both = languages.map(commands);
    let misused = match () {
        () if args.condition.is_some() && !both.iter().any(|one| one.has_conditions()) => Some("--where"),
        () if args.locals && !both.iter().all(|one| one.has_locals()) => Some("--locals"),
        () => None,
    };
    if let Some(option) = misused {
        let message = format!("`{option}` is for systems of ALPHA");
        return Err(Failure::fault(Report::new(Code::U0001, message)));
    }
    if args.certificate.is_none()
        && languages[0] == languages[1]
        && let Some(outcome) = both[0].compared_by_elements(args, seed, progress)?
    {
        return Ok(outcome);
    }
    prover::compare(args, seed, progress)
}

impl EquivArgs {
    /// The source arguments for one of the two files.
    pub fn source(&self, file: &Path) -> SourceArgs {
        SourceArgs { file: file.to_owned(), language: self.language }
    }
}

/// The failure for programs that declare different variables. It points at the differing declaration, in the
/// second program if both have one.
pub fn different_declarations(sources: [&Text; 2], difference: &Difference) -> Failure {
    let message = format!("the programs declare different variables: {}", difference.message);
    let hint = "declare the same variables in both; where some are `output`, only those are compared";
    let report = Report::new(Code::I0018, message).at(difference.span, "declared here").hint(hint);
    Failure::fault(report).in_source(sources[difference.side])
}

/// The exit code for a verdict on equivalence, or on refinement of the first program by the second if `refines`.
pub fn exit(relation: Relation, refines: bool) -> Exit {
    match relation {
        Relation::Equivalent => Exit::Yes,
        Relation::Refines if refines => Exit::Yes,
        Relation::Unequal if refines => Exit::Undecided,
        Relation::Refines | Relation::Unequal | Relation::Different => Exit::No,
        Relation::Unknown => Exit::Undecided,
    }
}
