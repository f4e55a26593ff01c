//! Helpers shared by the tests of the prover.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

pub mod chains;
pub mod evaluation;
pub mod mutation;
pub mod rules;
