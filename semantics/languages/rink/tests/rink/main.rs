//! The tests of this crate, in one binary: it links once, and tests of all files run side by side.

mod analysis;
mod derivation;
mod derivation_cases;
mod derivation_corruptions;
mod derivation_forgeries;
mod differential;
mod equivalence;
mod evaluators;
mod extents;
mod lowering;
mod serialization;
