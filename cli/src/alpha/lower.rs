//! `selfsame lower FILE.alpha`: a system is its own core.

use super::loading::LoadedSystem;
use crate::commands::lower::LowerArgs;
use crate::diagnostics::{CommandCode, Report};
use crate::exit::Failure;
use crate::limits::Progress;
use alpha::syntax::System;

/// Loads and checks the system; the header is empty.
///
/// # Errors
/// The system is ill-formed or cannot be read, or a parameter has a value.
pub fn core_of(args: &LowerArgs, progress: &Progress) -> Result<(String, System), Failure> {
    if !args.parameters.given.is_empty() {
        let message = "the parameters of a system stay what they are: `lower` takes no `--param` for it";
        return Err(Failure::fault(Report::new(CommandCode::U0001, message)));
    }
    let loaded = LoadedSystem::load(&args.source, progress)?;
    loaded.checked(None, progress)?;
    Ok((String::new(), loaded.system))
}
