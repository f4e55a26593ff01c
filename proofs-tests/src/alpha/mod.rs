//! The claims about ALPHA.
//!
//! - `instances`: random values for the metavariables of a theorem.
//! - `conditions`: decides side conditions.
//! - `comparison`: Definition 9, and validity of both sides; `values`: its last line.
//! - `theorems`: evidence for the displayed equivalences.
//! - `running`: systems given as text, checked and evaluated.
//! - `additions`: our additions to the paper's language.
//! - `remarks`: the claims in the running text, and our decisions; `decisions`: those that need more than texts.

mod additions;
pub mod comparison;
pub mod conditions;
mod decisions;
pub mod instances;
mod remarks;
mod running;
pub mod theorems;
pub mod values;

use crate::ledger::{Depth, Entry};
use base::claims::Claim;

/// The entry of a claim about ALPHA.
pub(crate) fn entry(claim: &'static Claim, depth: Depth) -> Entry {
    theorems::entry(claim, depth).unwrap_or_else(|| remarks::entry(claim))
}
