//! The claims about ALPHA.
//!
//! - `instances`: random values for the metavariables of a theorem.
//! - `conditions`: side conditions, decided.
//! - `comparison`: Definition 9, and validity of both sides.
//! - `theorems`: evidence for the displayed equivalences.
//! - `remarks`: the claims in the text, and our decisions.

mod comparison;
mod conditions;
mod instances;
mod remarks;
mod theorems;

use crate::ledger::{Depth, Entry};
use semantics::claims::Claim;

/// The entry of a claim about ALPHA.
pub(crate) fn entry(claim: &'static Claim, depth: Depth) -> Entry {
    theorems::entry(claim, depth).unwrap_or_else(|| remarks::entry(claim))
}
