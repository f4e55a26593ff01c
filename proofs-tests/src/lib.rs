//! The ledger: every claim of the documents, stated as printed and checked.
//!
//! - [`observation`]: the compared values, and the properties that the claims are about.
//! - [`survey`]: exhaustive and random runs of the actual evaluators.
//! - [`finite`]: floats as long as all values are finite.
//! - [`symbolic`]: proofs for all values at once, and the inductive step of each proof.
//! - [`steps`]: that step for all extents and every vector length, by the prover.
//! - [`remarks`], `decisions`, `section5`, `in_place`: claims made in passing, our decisions, and §5.
//! - `alpha`: the claims about ALPHA. `comprehensions`: those about Tensor Comprehensions; `arrays`: about SaC;
//!   `texts`: claims on programs as text.
//! - [`ledger`]: turns evidence into verdicts; `sources`: the surveys and proofs that it asks for, on all processors.
//! - [`report`]: the ledger as a page.

pub mod alpha;
mod arrays;
mod comprehensions;
mod decisions;
pub mod evidence;
pub mod finite;
mod in_place;
pub mod ledger;
pub mod observation;
mod programs;
pub mod remarks;
pub mod report;
mod section5;
mod sources;
pub mod steps;
pub mod survey;
pub mod symbolic;
mod texts;
