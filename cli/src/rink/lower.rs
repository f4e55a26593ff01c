//! `selfsame lower FILE.rink`: the core of a program.

use super::loading::{Loaded, load_program, load_symbolic};
use crate::alpha::loading::LoadedSystem;
use crate::commands::lower::{LowerArgs, system_name};
use crate::exit::Failure;
use crate::input::parameters::ParameterArgs;
use crate::input::program::{SourceArgs, ill_formed};
use crate::limits::Progress;
use alpha::syntax::{Expression, System};
use languages::Language;
use rink::syntax::{Program, Qualifier};
use rink::to_alpha::{self, LoweredProgram};
use selfsame_core::operators::Binary;
use std::path::Path;

/// The core of a program, for all sizes or at the given ones, and the comments to print above it.
///
/// # Errors
/// The program is ill-formed or cannot be read, or the core cannot express it.
pub fn core_of(args: &LowerArgs, progress: &Progress) -> Result<(String, System), Failure> {
    match args.parameters.given.is_empty() {
        true => core(&load_symbolic(&args.source, progress)?),
        false => core(&load_program(&args.source, &args.parameters, progress)?),
    }
}

/// Comments on how running the core differs from running the program.
fn header(program: &Program, lowered: &LoweredProgram) -> String {
    let system = &lowered.system;
    let divides = |e: &Expression| matches!(e, Expression::Binary(Binary::Div, _));
    let has_arrays = system.variable_ids().any(|x| system.variable_rank(x) > 0);
    let mut header = String::new();
    if has_arrays {
        header += "-- Indices start at 1: a matrix is given with \"origin\": [1, 1].\n";
    }
    if system.expressions().any(|(_, e)| divides(e)) {
        header += "-- To divide as the program does, use --division controlled.\n";
    }
    for declaration in &program.declarations {
        let name = program.name(declaration.name);
        header += &match lowered.last(declaration.name).map(|x| &*system.variable(x).name) {
            None if declaration.qualifier == Qualifier::Output => {
                format!("-- `{name}` is never assigned, and left out.\n")
            }
            Some(last) if last != name => format!("-- The final value of `{name}` is in {last}.\n"),
            _ => String::new(),
        };
    }
    header
}

/// The core of a program at the given sizes; its indices start at 1, and it keeps the program's division.
///
/// # Errors
/// The program is ill-formed or cannot be read, or the core cannot express it.
pub fn core_at_sizes(
    source: &SourceArgs,
    parameters: &ParameterArgs,
    progress: &Progress,
) -> Result<LoadedSystem, Failure> {
    let loaded = load_program(source, parameters, progress)?;
    let (_, system) = core(&loaded)?;
    LoadedSystem::of_core(loaded.source, system, Language::Rink)
}

/// The core of a program, and the comments to print above it.
fn core<E>(loaded: &Loaded<E>) -> Result<(String, System), Failure> {
    let Loaded { source, program, typing } = loaded;
    let lowered = to_alpha::lower(program, typing);
    let mut lowered = lowered.map_err(|refused| ill_formed(source, [refused.diagnostic(program)]))?;
    lowered.system.name = system_name(Path::new(&source.name));
    Ok((header(program, &lowered), lowered.system))
}
