//! The tests of this crate in one binary: it links once, and the tests of all files run in parallel.

mod analysis;
mod definitions;
mod derivation;
mod derivation_cases;
mod derivation_corruptions;
mod derivation_forgeries;
mod differential;
mod equivalence;
mod evaluators;
mod extents;
mod labels;
mod lowering;
mod serialization;
