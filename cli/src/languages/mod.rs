//! The commands for each language. The table of languages (`languages`) is enough for `check`, `run`, `lower` and
//! `equiv`; a language implements [`Commands`] to support more commands or to change how one works.

pub mod any;

use crate::alpha::Alpha;
use crate::arrays::Sac;
use crate::commands::check::{CheckArgs, CheckResults};
use crate::commands::derive::DeriveArgs;
use crate::commands::equiv::EquivArgs;
use crate::commands::lower::LowerArgs;
use crate::commands::normalize::NormalizeArgs;
use crate::commands::optimize::CostedProgram;
use crate::commands::run::RunArgs;
use crate::commands::simulate::SimulateArgs;
use crate::comprehensions::TensorComprehensions;
use crate::diagnostics::{CommandCode, NamedSource, Report};
use crate::exit::{Failure, Outcome};
use crate::input::parameters::ParameterArgs;
use crate::input::program::{SourceArgs, unsupported_command};
use crate::limits::Progress;
use crate::rink::Rink;
use ::alpha::syntax::System;
use languages::{Language, ReadSource};

/// The languages that implement [`Commands`] themselves.
const OWN: &[(Language, &dyn Commands)] = &[
    (Language::Rink, &Rink),
    (Language::Alpha, &Alpha),
    (Language::Tc, &TensorComprehensions),
    (Language::Sac, &Sac),
];

/// The commands for a language.
pub fn commands(language: Language) -> &'static dyn Commands {
    OWN.iter().find(|(own, _)| *own == language).map_or(&Any, |(_, commands)| *commands)
}

/// The commands for programs of a language. The default methods work for every language in the table.
pub trait Commands: Sync {
    /// `check`: the results for a well-formed program.
    ///
    /// # Errors
    /// The program is ill-formed or cannot be read.
    fn check(&self, args: &CheckArgs, progress: &Progress) -> Result<CheckResults, Failure> {
        any::check(args, progress)
    }

    /// `run`: evaluates a program by the reference semantics of the language, or its core by a plan (`--fast`).
    ///
    /// # Errors
    /// The program or its input is at fault, or a limit is exceeded.
    fn run(&self, args: &RunArgs, progress: &Progress) -> Result<Outcome, Failure> {
        any::run(args, progress)
    }

    /// `lower`: the comments to print above the core of a program, and the core.
    ///
    /// # Errors
    /// The program is ill-formed or cannot be read, or the core cannot express it.
    fn lower(&self, args: &LowerArgs, progress: &Progress) -> Result<(String, System), Failure> {
        any::lower(args, progress)
    }

    /// `lower --to with-loops`: the program without comprehensions, as text.
    ///
    /// # Errors
    /// The program is ill-formed or cannot be read, or the language has no comprehensions.
    fn with_loops(&self, args: &LowerArgs, _: &Progress) -> Result<String, Failure> {
        Err(unsupported_command(&args.source, args.source.language()?))
    }

    /// `derive`: builds a derivation by the rules of the language's document.
    ///
    /// # Errors
    /// The program or its input is at fault, the tree is too large, or the language has no derivations.
    fn derive(&self, _: &DeriveArgs, source: &SourceArgs, _: &Progress) -> Result<Outcome, Failure> {
        Err(unsupported_command(source, source.language()?))
    }

    /// `simulate`: decides whether padded evaluation is safe.
    ///
    /// # Errors
    /// The program is at fault, a tensor is too large, or the language has no padding.
    fn simulate(&self, args: &SimulateArgs, _: u64, _: &Progress) -> Result<Outcome, Failure> {
        Err(unsupported_command(&args.source, args.source.language()?))
    }

    /// `normalize`: puts a program in normal form, proved equivalent to the original.
    ///
    /// # Errors
    /// The program is at fault, no normal form is found, or equivalence is not proved.
    fn normalize(&self, _: &NormalizeArgs, _: u64, _: &Progress) -> Result<Outcome, Failure> {
        let report = Report::new(CommandCode::L0004, "only systems of ALPHA have a normal form");
        Err(Failure::undecided(report.hint("`lower` turns any program into a system of ALPHA")))
    }

    /// The subject that `optimize` rewrites.
    ///
    /// # Errors
    /// The program or a size is at fault, or the language does not support `optimize`.
    fn subject(
        &self,
        source: &SourceArgs,
        _: &ParameterArgs,
        _: &Progress,
    ) -> Result<CostedProgram, Failure> {
        Err(unsupported_command(source, source.language()?))
    }

    /// Whether derivations by rewrite rules can be checked for programs of the language.
    fn has_derivations(&self) -> bool {
        false
    }

    /// Whether a program can be restricted to sizes that satisfy a condition (`--where`).
    fn has_conditions(&self) -> bool {
        false
    }

    /// Whether programs have local variables that can be compared (`--locals`).
    fn has_locals(&self) -> bool {
        false
    }

    /// Reads a program for `equiv` and requires that it is well-formed at the sizes in question; also returns its
    /// text for diagnostics.
    ///
    /// # Errors
    /// The program is ill-formed or cannot be read.
    fn read(
        &self,
        source: &SourceArgs,
        _: &EquivArgs,
        progress: &Progress,
    ) -> Result<(ReadSource, NamedSource), Failure> {
        source.program(progress)
    }

    /// `equiv`: requires that two programs whose sizes are all given have these sizes, and are not too large to be
    /// compared element by element.
    ///
    /// # Errors
    /// A size is missing or superfluous, or a tensor is too large.
    fn require_sizes(&self, _: &[ReadSource; 2], _: [&NamedSource; 2], _: &EquivArgs) -> Result<(), Failure> {
        Ok(())
    }
}

/// The commands of a language that does not implement [`Commands`] itself.
struct Any;

impl Commands for Any {}
