//! The subject of `selfsame optimize FILE.rink`: the core of the program.

use super::loading::load_symbolic;
use crate::commands::optimize::{CostedProgram, undecided};
use crate::exit::Failure;
use crate::input::parameters::ParameterArgs;
use crate::input::program::SourceArgs;
use crate::limits::Progress;
use alpha::domains::Domains;
use alpha::syntax::System;
use languages::{Language, Source};
use polyhedra_isl::Isl;
use rink::equivalence::observed;
use rink::from_alpha::raise;
use rink::to_alpha::lower;

/// Lowers a program to its core; variables that are not observed become locals.
///
/// # Errors
/// The program is ill-formed or cannot be read, the core cannot express it, or a size is at fault.
pub fn of_program(
    source: &SourceArgs,
    parameters: &ParameterArgs,
    progress: &Progress,
) -> Result<CostedProgram, Failure> {
    let loaded = load_symbolic(source, progress)?;
    let lowered = lower(&loaded.program, &loaded.typing)
        .map_err(|refused| undecided(refused.diagnostic(&loaded.program).message))?;
    let core = lowered.observing(&observed(&loaded.program));
    let given = match parameters.given.is_empty() && !core.parameters.is_empty() {
        true => None,
        false => {
            parameters.instances([&loaded])?;
            let sizes = parameters.sizes().into_iter().collect();
            lowered.parameters(&sizes)
        }
    };
    let domains = Domains::new(&core, &Isl::with_memory(), None)
        .map_err(|_| undecided("the domains of the program are too complex".to_owned()))?;
    let written = |name: &str, text: String| Source { name: name.to_owned(), language: Language::Rink, text };
    let source = written(&loaded.source.name, loaded.source.text.to_string());
    let raised = move |result: &System| {
        Some(written("optimized", raise(result, &loaded.program, &lowered)?.to_string()))
    };
    CostedProgram::new(source, (core, domains), given, Language::Rink.division(), Box::new(raised))
}
