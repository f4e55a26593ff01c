//! What running the sources says, as a part of a command's outcome.

use crate::diagnostics::{CommandCode, Report};
use crate::exit::{Failure, Outcome};
use selfsame::running::Standing;

/// The objection to a proof as a failure, for a command whose result is not a verdict.
pub fn failure(standing: &Standing) -> Option<Failure> {
    let objection = standing.objection()?;
    let message = standing.note().map_or(objection.clone(), |note| format!("{note} ({objection})"));
    let mut failure = Failure::undecided(Report::new(CommandCode::L0014, message));
    failure.files.extend(standing.file().cloned());
    Some(failure)
}

/// Adds the file that reproduces a contradiction to the outcome.
pub fn report(standing: &Standing, outcome: &mut Outcome) {
    outcome.files.extend(standing.file().cloned());
}
