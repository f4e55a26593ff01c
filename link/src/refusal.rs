//! Refusals about the texts of a certificate.

use checker::refusal::{Flaw, Refusal};

/// A refusal for what is wrong with the texts, or for what the engine could not decide about them.
pub(crate) fn refusal(what: impl Into<String>, undecided: bool) -> Refusal {
    Refusal::new(Flaw::OfTexts(what.into()), undecided)
}

/// The refusal for what is wrong with the texts.
pub(crate) fn refuse<T>(what: impl Into<String>) -> Result<T, Refusal> {
    Err(refusal(what, false))
}
