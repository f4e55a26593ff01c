//! Certificates as text: written after a proof, checked again by whoever does not believe it.

use crate::running;
use checker::nesting;
use checker::refusal::{Flaw, Refusal};
use checker::solver::in_own_context;
use link::certificate::Certificate;
use link::replay::check;
use polyhedra_isl::Isl;

/// The text of a certificate, one line of JSON.
///
/// # Errors
/// The proof is nested too deeply to be read again.
pub fn written(certificate: &Certificate) -> Result<String, crate::error::Error> {
    nesting::write(certificate).map_err(crate::error::Error::Certificate)
}

/// Checks the text of a certificate without the search that found it, and runs what it is about. The relations in
/// it hold then.
///
/// # Errors
/// The text is not a certificate, it does not prove its claim, or running the sources objects to it.
pub fn certified(text: &str) -> Result<(), Refusal> {
    let checked = |certificate: Certificate| {
        in_own_context(|| check(&certificate, &Isl::with_memory()))?;
        let objection = running::certificate(&certificate, 0).objection();
        objection.map_or(Ok(()), |objection| Err(Refusal::new(Flaw::Objection(objection), true)))
    };
    let malformed =
        |malformed| Err(Refusal::new(Flaw::OfTexts(format!("the certificate is {malformed}")), false));
    nesting::read(text, checked).unwrap_or_else(malformed)
}
