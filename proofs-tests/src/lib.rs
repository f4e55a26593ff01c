//! The ledger: every claim of the documents, stated as printed and checked.
//!
//! - [`observation`]: what is compared, and the properties that the claims speak of.
//! - [`survey`]: exhaustive and random runs of the real evaluators.
//! - [`finite`]: floats as long as all is finite.
//! - [`symbolic`]: all values at once, and the inductive step of each proof.
//! - [`remarks`]: claims made in passing, and our decisions.
//! - [`ledger`]: evidence becomes verdicts.
//! - [`report`]: the ledger as a page.

pub mod evidence;
pub mod finite;
pub mod ledger;
pub mod observation;
pub mod remarks;
pub mod report;
pub mod survey;
pub mod symbolic;
