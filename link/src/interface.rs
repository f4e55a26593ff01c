//! Checks that the first and last program of a certificate have the same parameters, inputs and outputs, with
//! equal types and domains.
//!
//! A proof is about values of inputs by name, whatever their role. Programs between the first and the last may
//! read more or less, because nothing is claimed about them.

use crate::certificate::CertificateSubject;
use crate::refusal::{refusal, refuse};
use alpha::to_core::Refused;
use base::seeded::Seeded;
use checker::refusal::Refusal;
use languages::Pair;
use polyhedra::Engine;

/// Requires one interface, for all parameters that the first program allows.
///
/// # Errors
/// The interfaces differ, or the engine is out of budget.
pub fn one_interface(subject: &CertificateSubject, engine: &dyn Engine) -> Result<(), Refusal> {
    let [first, .., last] = subject.programs() else { return Ok(()) };
    if Seeded::InterfaceOff.is_in() {
        return Ok(());
    }
    let (parameters, locals) = (subject.parameters(), subject.locals());
    let refused = |refused: Refused| refusal(refused.reason, false);
    let pair = Pair::read([first.clone(), last.clone()]).map_err(refused)?;
    let pair = Pair { parameters, locals, ..pair };
    let sides = pair.sides().map_err(refused)?;
    match pair.mismatch_where_allowed(&sides, engine) {
        Ok(None) => Ok(()),
        Ok(Some(mismatch)) => refuse(format!("the programs cannot be compared: {mismatch}")),
        Err(error) => Err(refusal(format!("inputs and outputs are not compared: {error}"), true)),
    }
}
