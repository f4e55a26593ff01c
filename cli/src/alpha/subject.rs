//! The subject of `selfsame optimize FILE.alpha`: the system itself.

use super::loading::LoadedSystem;
use super::transformation::system;
use crate::commands::optimize::CostedProgram;
use crate::exit::Failure;
use crate::input::parameters::ParameterArgs;
use crate::input::program::SourceArgs;
use crate::limits::Progress;
use alpha::printing::{Notation, print};
use alpha::syntax::System;
use languages::Language;

/// Loads a system and checks it for all values of its parameters.
///
/// # Errors
/// The system is ill-formed, only some of its parameters have a value, or the system does not allow the values.
pub fn of_system(
    source: &SourceArgs,
    parameters: &ParameterArgs,
    progress: &Progress,
) -> Result<CostedProgram, Failure> {
    let loaded = LoadedSystem::load(source, progress)?;
    let domains = loaded.checked(None, progress)?.domains;
    let given = loaded.parameters(parameters)?;
    loaded.allows(&domains, given.as_deref())?;
    let source = system(&loaded.source.name, &loaded.source.text);
    let raised = |result: &System| Some(system("optimized", &print(result, Notation::Array)));
    CostedProgram::new(source, (loaded.system, domains), given, Language::Alpha.division(), Box::new(raised))
}
