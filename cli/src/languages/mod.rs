//! What a command does with a program of a language. The table of languages (`languages`) is enough for `check`, `run`, `lower`
//! and `equiv`; [`Commands`] is where a language does more, or says it in its own way.

mod any;

use crate::alpha::Alpha;
use crate::commands::check::{CheckArgs, Judged};
use crate::commands::derive::DeriveArgs;
use crate::commands::equiv::EquivArgs;
use crate::commands::lower::LowerArgs;
use crate::commands::normalize::NormalizeArgs;
use crate::commands::optimize::Subject;
use crate::commands::run::RunArgs;
use crate::diagnostics::{Code, Report, Source};
use crate::exit::{Failure, Outcome};
use crate::input::parameters::ParameterArgs;
use crate::input::program::{SourceArgs, unsupported_command};
use crate::limits::Progress;
use crate::rink::Rink;
use ::alpha::syntax::System;
use languages::{Language, Read};

/// The languages with commands of their own.
const OWN: &[(Language, &dyn Commands)] = &[(Language::Rink, &Rink), (Language::Alpha, &Alpha)];

/// What the commands do with programs of a language.
pub fn commands(language: Language) -> &'static dyn Commands {
    OWN.iter().find(|(own, _)| *own == language).map_or(&Any, |(_, commands)| *commands)
}

/// What the commands do with programs of a language: what is written here, unless it does otherwise.
pub trait Commands: Sync {
    /// What `check` says of a well-formed program.
    ///
    /// # Errors
    /// The program is ill-formed or cannot be read.
    fn check(&self, args: &CheckArgs, progress: &Progress) -> Result<Judged, Failure> {
        any::check(args, progress)
    }

    /// `run`, by the reference semantics of the language.
    ///
    /// # Errors
    /// The program or its input is at fault, or a limit is exceeded.
    fn run(&self, args: &RunArgs, progress: &Progress) -> Result<Outcome, Failure> {
        any::run(args, progress)
    }

    /// The core of a program, and comments to print above it.
    ///
    /// # Errors
    /// The program is ill-formed or cannot be read, or the core cannot express it.
    fn lower(&self, args: &LowerArgs, progress: &Progress) -> Result<(String, System), Failure> {
        any::lower(args, progress)
    }

    /// A derivation by the rules of the language's document.
    ///
    /// # Errors
    /// The program or its input is at fault, the tree is too large, or the language has no derivations.
    fn derive(&self, _: &DeriveArgs, source: &SourceArgs, _: &Progress) -> Result<Outcome, Failure> {
        Err(unsupported_command(source, source.language()?))
    }

    /// A program in normal form, proved to be the same.
    ///
    /// # Errors
    /// The program is at fault, or no normal form is found or proved to be the same.
    fn normalize(&self, _: &NormalizeArgs, _: u64, _: &Progress) -> Result<Outcome, Failure> {
        let report = Report::new(Code::L0003, "only systems of ALPHA have a normal form");
        Err(Failure::undecided(report.hint("`lower` makes one of any program")))
    }

    /// What `optimize` rewrites.
    ///
    /// # Errors
    /// The program or a size is at fault, or programs of the language are not optimized.
    fn subject(&self, source: &SourceArgs, _: &ParameterArgs, _: &Progress) -> Result<Subject, Failure> {
        Err(unsupported_command(source, source.language()?))
    }

    /// Whether checked derivations by rewrite rules are about programs of the language.
    fn has_derivations(&self) -> bool {
        false
    }

    /// Whether programs can be restricted to sizes that satisfy a condition (`--where`).
    fn has_conditions(&self) -> bool {
        false
    }

    /// Whether programs have local variables that can be compared (`--locals`).
    fn has_locals(&self) -> bool {
        false
    }

    /// A well-formed program, for the sizes that `equiv` asks about, and its text, as diagnostics show it.
    ///
    /// # Errors
    /// The program is ill-formed or cannot be read.
    fn read(
        &self,
        source: &SourceArgs,
        _: &EquivArgs,
        progress: &Progress,
    ) -> Result<(Read, Source), Failure> {
        source.program(progress)
    }

    /// `equiv` of two programs of the language by their elements as polynomials of the inputs; nothing where they cannot be compared that way.
    ///
    /// # Errors
    /// A program is at fault, they declare different variables, or a tensor is too large.
    fn compared_by_elements(&self, _: &EquivArgs, _: u64, _: &Progress) -> Result<Option<Outcome>, Failure> {
        Ok(None)
    }
}

/// A language with nothing of its own.
struct Any;

impl Commands for Any {}
