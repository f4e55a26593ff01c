//! ALPHA on the command line: the commands for `.alpha` files.

pub mod check;
pub mod derive;
mod fast;
mod inputs;
pub mod loading;
mod lower;
mod normalize;
pub mod run;
mod subject;
pub mod tolerance;
pub mod transformation;
pub mod window;

use crate::commands::check::{CheckArgs, CheckResults};
use crate::commands::derive::DeriveArgs;
use crate::commands::equiv::EquivArgs;
use crate::commands::lower::LowerArgs;
use crate::commands::normalize::NormalizeArgs;
use crate::commands::optimize::CostedProgram;
use crate::commands::run::RunArgs;
use crate::diagnostics::NamedSource;
use crate::exit::{Failure, Outcome};
use crate::input::parameters::ParameterArgs;
use crate::input::program::SourceArgs;
use crate::languages::Commands;
use crate::limits::Progress;
use ::alpha::syntax::System;
use languages::ReadSource;
use loading::LoadedSystem;

/// The commands for ALPHA.
#[derive(Debug)]
pub struct Alpha;

impl Commands for Alpha {
    fn check(&self, args: &CheckArgs, progress: &Progress) -> Result<CheckResults, Failure> {
        check::check(args, progress)
    }

    fn run(&self, args: &RunArgs, progress: &Progress) -> Result<Outcome, Failure> {
        run::execute(&LoadedSystem::load(&args.source, progress)?, args, progress)
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

    fn normalize(&self, args: &NormalizeArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
        normalize::execute(args, seed, progress)
    }

    fn subject(
        &self,
        source: &SourceArgs,
        parameters: &ParameterArgs,
        progress: &Progress,
    ) -> Result<CostedProgram, Failure> {
        subject::of_system(source, parameters, progress)
    }

    fn has_derivations(&self) -> bool {
        true
    }

    fn has_conditions(&self) -> bool {
        true
    }

    fn has_locals(&self) -> bool {
        true
    }

    fn read(
        &self,
        source: &SourceArgs,
        args: &EquivArgs,
        progress: &Progress,
    ) -> Result<(ReadSource, NamedSource), Failure> {
        let parameters = args.verdict.parameters.values()?;
        let (mut read, mut source) = source.program(progress)?;
        let mut system = LoadedSystem::of_program(&read, source.clone())?;
        if let Some(condition) = &args.condition {
            (read, source) = system.restricted(condition)?;
            system = LoadedSystem::of_program(&read, source.clone())?;
        }
        system.known(&parameters)?;
        system.checked_at(&parameters, progress)?;
        Ok((read, source))
    }
}
