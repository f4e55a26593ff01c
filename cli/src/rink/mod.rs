//! The tensor model language on the command line: the commands for `.rink` files.

pub mod check;
pub mod derive;
pub mod loading;
mod lower;
pub mod notes;
pub mod run;
mod simulate;
mod subject;

use crate::commands::check::{CheckArgs, CheckResults};
use crate::commands::derive::DeriveArgs;
use crate::commands::equiv::EquivArgs;
use crate::commands::lower::LowerArgs;
use crate::commands::optimize::CostedProgram;
use crate::commands::run::RunArgs;
use crate::commands::simulate::SimulateArgs;
use crate::diagnostics::NamedSource;
use crate::exit::{Failure, Outcome};
use crate::input::parameters::ParameterArgs;
use crate::input::program::SourceArgs;
use crate::languages::Commands;
use crate::limits::Progress;
use ::alpha::syntax::System;
use languages::ReadSource;

/// The commands for the tensor model language.
#[derive(Debug)]
pub struct Rink;

impl Commands for Rink {
    fn check(&self, args: &CheckArgs, progress: &Progress) -> Result<CheckResults, Failure> {
        check::check(args, progress)
    }

    fn run(&self, args: &RunArgs, progress: &Progress) -> Result<Outcome, Failure> {
        run::execute(args, progress)
    }

    fn lower(&self, args: &LowerArgs, progress: &Progress) -> Result<(String, System), Failure> {
        lower::core_of(args, progress)
    }

    fn derive(
        &self,
        args: &DeriveArgs,
        source: &SourceArgs,
        progress: &Progress,
    ) -> Result<Outcome, Failure> {
        derive::execute(args, source, progress)
    }

    fn simulate(&self, args: &SimulateArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
        simulate::execute(args, seed, progress)
    }

    fn require_sizes(
        &self,
        programs: &[ReadSource; 2],
        texts: [&NamedSource; 2],
        args: &EquivArgs,
    ) -> Result<(), Failure> {
        loading::require_sizes(programs, texts, args)
    }

    fn subject(
        &self,
        source: &SourceArgs,
        parameters: &ParameterArgs,
        progress: &Progress,
    ) -> Result<CostedProgram, Failure> {
        subject::of_program(source, parameters, progress)
    }
}
