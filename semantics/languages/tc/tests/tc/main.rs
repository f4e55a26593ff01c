//! The tests of this crate in one binary: it links once, and the tests of all files run in parallel.

mod conditions;
mod derivations;
mod derivations_forged;
mod ill_formed;
mod inference;
mod labels;
mod lowering;
mod orders;
mod parsing;
mod printing;
